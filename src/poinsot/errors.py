"""The errors that Poinsot raises, as one tree.

PoinsotError
├── ModelError           the mechanism, its state or a force is wrong; found before the run
├── ScenarioError        a scenario, method or option is unknown or does not fit
│   └── RecordError          a function of `record` failed at a sample
├── StepError            a step failed; carries time, step and the last good state
│   ├── ConvergenceError     because an iteration did not converge
│   └── EventError           because an event cannot be evaluated, or fires infinitely often
└── ArchiveError         a file is not the archive of a run, or cannot be read
"""

import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PACKAGE = str(Path(__file__).parent)


class PoinsotError(Exception):
    """Base class of all errors that Poinsot raises on purpose.

    >>> try:
    ...     ps.Body(mass=-1.0, inertia=(1, 1, 1))
    ... except ps.PoinsotError as error:
    ...     print(error)
    body: mass must be positive, got -1
    """


class ModelError(PoinsotError, ValueError):
    """The mechanism, its state or a force is wrong."""


class ScenarioError(PoinsotError, ValueError):
    """A scenario, method or option is unknown or does not fit."""


class RecordError(ScenarioError):
    """A function of `record` failed at a sample, for the reason in `message`; `run` is what was computed."""

    def __init__(self, message: str, *, run: Any = None) -> None:
        super().__init__(message)
        self.run = run

    def __reduce__(self) -> Any:
        """Pickle the error for other processes, without the run, whose forces are functions."""
        return type(self), self.args


class StepError(PoinsotError):
    """A step failed.

    Parameters
    ----------
    message : The reason.
    time : Time of the last good state [s].
    step : Number of steps up to the last good state.
    state : The last good state.
    run : All that was computed up to `state`.
    """

    def __init__(self, message: str, *, time: float, step: int, state: Any, run: Any = None) -> None:
        super().__init__(message)
        self.time, self.step, self.state, self.run = time, step, state, run

    def __reduce__(self) -> Any:
        """Pickle the error for other processes, without the run, whose forces are functions."""
        return _rebuilt, (type(self), str(self), self.time, self.step, self.state)


class ConvergenceError(StepError):
    """A step failed because an iteration did not converge; a `StepError`."""


class EventError(StepError):
    """An event cannot be evaluated, or fires infinitely often.

    A ball that loses half of its speed comes to rest after infinitely many bounces:

    >>> m = ps.Mechanism().add("ball", ps.Sphere(0.1).body(mass=1.0), ps.Prismatic((0, 0, 1)))
    >>> half = lambda t, state: ps.State(t, state.q, -0.5 * state.v)
    >>> bounce = ps.Event("ball.displacement", direction=-1, reset=half, name="bounce")
    >>> try:
    ...     start = m.state({"ball": {"displacement": 1.0}})
    ...     ps.simulate(m, start, "gauss3", step=0.01, until=2.0, events=[bounce])
    ... except ps.EventError as error:
    ...     print(str(error)[:87])
    gauss3: step 135 from t = 1.35: the event 'bounce' fires infinitely often (Zeno) at t =
    """


def _rebuilt(kind: type[StepError], message: str, time: float, step: int, state: Any) -> StepError:
    return kind(message, time=time, step=step, state=state)


class ArchiveError(PoinsotError):
    """A file is not the archive of a run, or cannot be read."""


class ArchiveWarning(UserWarning):
    """Parts of a file could not be read: `ps.load` names the bytes that it skipped and returns the rest."""


class ControllerWarning(UserWarning):
    """A controller changed what it reads, such as a global list or an attribute of itself.

    A run that is split, resumed or replayed would not have the same bits: what changes belongs in `memory`.
    """


_held = threading.local()


@contextmanager
def hold_warnings() -> Iterator[list[tuple[str, type[Warning]]]]:
    """Put the warnings of the package in this thread into a list, in the place of issuing them."""
    before, _held.found = getattr(_held, "found", None), []
    try:
        yield _held.found
    finally:
        _held.found = before


def warn(message: str, category: type[Warning]) -> None:
    """Issue a warning that points to the line outside the package that led here."""
    if getattr(_held, "found", None) is not None:
        _held.found.append((message, category))
        return
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
