"""What can go wrong, as one tree.

PoinsotError
├── ModelError           the mechanism, its state or a force is wrong; found before the run
├── ScenarioError        a scenario or a command asks for something that is not there
├── StepError            a step could not be made; carries time, step and the last good state
│   └── ConvergenceError     because an iteration did not converge
└── ArchiveError         a file is not an archive, or is damaged beyond its last good block
"""

import sys
import warnings
from pathlib import Path
from typing import Any

PACKAGE = str(Path(__file__).parent)


class PoinsotError(Exception):
    """Everything that Poinsot raises on purpose."""


class ModelError(PoinsotError, ValueError):
    """The mechanism, its state or a force is wrong."""


class ScenarioError(PoinsotError, ValueError):
    """A scenario, method or option is unknown or does not fit."""


class StepError(PoinsotError):
    """A step could not be made.  `run` holds everything computed up to `state`."""

    def __init__(self, message: str, *, time: float, step: int, state: Any, run: Any = None) -> None:
        super().__init__(message)
        self.time, self.step, self.state, self.run = time, step, state, run

    def __reduce__(self) -> Any:
        """For other processes: without the run, whose forces are functions."""
        return _rebuilt, (type(self), str(self), self.time, self.step, self.state)


class ConvergenceError(StepError):
    """An iteration inside a step did not converge."""


def _rebuilt(kind: type[StepError], message: str, time: float, step: int, state: Any) -> StepError:
    return kind(message, time=time, step=step, state=state)


class ArchiveError(PoinsotError):
    """A file is not an archive of a run, or cannot be read."""


def warn(message: str, category: type[Warning]) -> None:
    """Warn at the line outside the package that led here."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
