"""The errors that Poinsot raises, as one tree.

PoinsotError
├── ModelError           the mechanism, its state or a force is wrong; found before the run
├── ScenarioError        a scenario, method or option is unknown or does not fit
├── StepError            a step failed; carries time, step and the last good state
│   ├── ConvergenceError     because an iteration did not converge
│   └── EventError           because an event cannot be evaluated, or fires without end
└── ArchiveError         a file is not the archive of a run, or cannot be read
"""

import sys
import warnings
from pathlib import Path
from typing import Any

PACKAGE = str(Path(__file__).parent)


class PoinsotError(Exception):
    """Base class of all errors that Poinsot raises on purpose.

    Examples
    --------
    >>> import poinsot as ps
    >>> try:
    ...     ps.Body(mass=-1.0, inertia=(1, 1, 1))
    ... except ps.PoinsotError as error:
    ...     print(error)
    body: mass must be positive, got -1
    """


class ModelError(PoinsotError, ValueError):
    """The mechanism, its state or a force is wrong.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.Revolute((0, 0, 0))
    Traceback (most recent call last):
        ...
    poinsot.errors.ModelError: Revolute: axis has zero length
    """


class ScenarioError(PoinsotError, ValueError):
    """A scenario, method or option is unknown or does not fit.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.Controller(print, period=0.0, inputs=["arm"])
    Traceback (most recent call last):
        ...
    poinsot.errors.ScenarioError: controller: period must be positive, got 0
    """


class RecordError(ScenarioError):
    """A function of `record` failed at a sample.  `run` holds everything that was computed."""

    def __init__(self, message: str, run: Any = None) -> None:
        super().__init__(message)
        self.run = run


class StepError(PoinsotError):
    """A step failed.

    Parameters
    ----------
    message : str
        The reason.
    time : float
        Time of the last good state in seconds.
    step : int
        Number of steps up to the last good state.
    state : State
        The last good state.
    run : Run, optional
        All that was computed up to `state`.

    Examples
    --------
    >>> import poinsot as ps
    >>> error = ps.StepError("no luck", time=0.5, step=50, state=ps.State(0.5, [0.0], [1.0]))
    >>> error.step, error.state.v
    (50, array([1.]))
    """

    def __init__(self, message: str, *, time: float, step: int, state: Any, run: Any = None) -> None:
        super().__init__(message)
        self.time, self.step, self.state, self.run = time, step, state, run

    def __reduce__(self) -> Any:
        """Pickle the error for other processes, without the run, whose forces are functions."""
        return _rebuilt, (type(self), str(self), self.time, self.step, self.state)


class ConvergenceError(StepError):
    """A step failed because an iteration did not converge.

    Parameters
    ----------
    message, time, step, state, run
        As of `StepError`.

    Examples
    --------
    >>> import poinsot as ps
    >>> issubclass(ps.ConvergenceError, ps.StepError)
    True
    """


class EventError(StepError):
    """An event cannot be evaluated, or fires without end.

    Parameters
    ----------
    message, time, step, state, run
        As of `StepError`.

    Examples
    --------
    A ball that loses half of its speed comes to rest after infinitely many bounces:

    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("ball", ps.Sphere(0.1).body(mass=1.0), ps.Prismatic((0, 0, 1)))
    >>> half = lambda state: ps.State(state.time, state.q, -0.5 * state.v)
    >>> bounce = ps.Event("ball.displacement", direction=-1, reset=half, name="bounce")
    >>> try:
    ...     start = m.state({"ball": {"displacement": 1.0}})
    ...     ps.simulate(m, start, "gauss3", step=0.01, until=2.0, events=[bounce])
    ... except ps.EventError as error:
    ...     print(str(error)[:75])
    gauss3: step 135 from t = 1.35: the event 'bounce' fires without end at t =
    """


def _rebuilt(kind: type[StepError], message: str, time: float, step: int, state: Any) -> StepError:
    return kind(message, time=time, step=step, state=state)


class ArchiveError(PoinsotError):
    """A file is not the archive of a run, or cannot be read.

    Examples
    --------
    >>> import poinsot as ps
    >>> with open("notes.txt", "w") as file:
    ...     print("no archive", file=file)
    >>> try:
    ...     ps.load("notes.txt")
    ... except ps.ArchiveError:
    ...     print("not an archive")
    not an archive
    """


class ArchiveWarning(UserWarning):
    """Warning: parts of an archive could not be read.

    `ps.load` names the bytes that it skipped; the rest of the run is returned.

    Examples
    --------
    >>> import warnings
    >>> import poinsot as ps
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", ps.ArchiveWarning)  # make it an error
    """


def warn(message: str, category: type[Warning]) -> None:
    """Issue a warning that points to the line outside the package that led here."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
