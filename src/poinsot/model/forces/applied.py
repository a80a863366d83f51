"""Forces that are functions: `Torque` and `Wrench`.

A plain Python function of time and of the body's motion,

    f(t, R, w, p, v)        R 3x3 body to space, w angular velocity (body frame),
                            p, v position and velocity of the centre of mass (space)

returns 3 (6, torque first) numbers in `frame`.  Written with `math` and indexing it runs for
every number type; with NumPy on float64 only.  With a `potential(R, p)` the force is conservative
and its energy enters `run.potential`; without one its work is counted in `run.work`.
"""

import dis
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from numpy.typing import ArrayLike

from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.forces.force import Frame, OnBody, check_frame

Function = Callable[..., Any]


def reads(function: Callable[..., Any], *places: int) -> bool:
    """Return whether the function uses one of its arguments with these indices."""
    code = function.__code__
    names = {code.co_varnames[place] for place in places}
    loads = ("LOAD_FAST", "LOAD_CLOSURE", "LOAD_DEREF")  # also inside STORE_FAST_LOAD_FAST and the like
    return any(
        any(load in step.opname for load in loads)
        and names & set(step.argval if isinstance(step.argval, tuple) else [step.argval])
        for step in dis.get_instructions(code)
    )


@dataclass(frozen=True, init=False, eq=False)
class Applied(OnBody):
    """A force given by a function."""

    function: Function
    at: Array
    frame: Frame
    potential: Function | None
    switches: tuple[float, ...]
    count: ClassVar[int]  # numbers that the function returns

    def _set(
        self,
        body: str,
        f: Function,
        at: ArrayLike,
        frame: Frame,
        potential: Function | None,
        switches: Iterable[float],
    ) -> None:
        name = f"{type(self).__name__.lower()} on {body!r}"
        check_frame(name, frame)
        times = checks.times(name, "switches", switches)
        point = checks.vector(name, "at", at)
        function = checks.function(name, "f", f, ("t", "R", "w", "p", "v"))
        energy = checks.function(name, "potential", potential, ("R", "p")) if potential is not None else None
        vars(self).update(
            body=body, function=function, at=point, frame=frame, potential=energy, switches=times
        )

    @property
    def conservative(self) -> bool:  # type: ignore[override]
        """Whether the force has a potential."""
        return self.potential is not None

    @property
    def reads_velocity(self) -> bool:  # type: ignore[override]
        """Whether the function uses w or v."""
        return reads(self.function, 2, 4)

    @property
    def label(self) -> str:
        """Name of the force for messages: "torque 'pull' on 'top'"."""
        return f"{type(self).__name__.lower()} '{self.function.__name__}' on '{self.body}'"


class Torque(Applied):
    """A torque on a body, given by a function of time and of the motion of the body.

    The function is compiled.  Written with `math` and indexing it runs for every number type, with NumPy on
    float64 only.

    Parameters
    ----------
    body : str
        Name of the body.
    f : callable
        `f(t, R, w, p, v)` returns the three components of the torque in N m: `t` is the time, `R` the
        rotation matrix of the body (body to space), `w` its angular velocity (body frame, rad/s), `p` and `v`
        position and velocity of its centre of mass (space, m and m/s).
    frame : {"space", "body"}, default "space"
        Frame of the components.
    potential : callable, optional
        `potential(R, p)` returns the energy in J.  With one the force is conservative and its energy enters
        `run.potential`; without one its work is counted in `run.work`.
    switches : iterable of float, default ()
        Times in seconds at which the torque jumps.

    Raises
    ------
    ModelError
        If `f` or `potential` is not a plain Python function of these arguments, or a value is wrong.

    Examples
    --------
    >>> import poinsot as ps
    >>> def drag(t, R, w, p, v):
    ...     return -0.1 * w[0], -0.1 * w[1], -0.1 * w[2]
    >>> torque = ps.Torque("top", drag, frame="body")
    >>> torque.label, torque.reads_velocity
    ("torque 'drag' on 'top'", True)
    """

    count = 3

    def __init__(
        self,
        body: str,
        f: Function,
        frame: Frame = "space",
        potential: Function | None = None,
        switches: Iterable[float] = (),
    ) -> None:
        self._set(body, f, (0.0, 0.0, 0.0), frame, potential, switches)


class Wrench(Applied):
    """A torque and a force at a point of a body, given by a function of time and of its motion.

    Parameters
    ----------
    body : str
        Name of the body.
    f : callable
        `f(t, R, w, p, v)` returns six numbers: torque (N m) and force (N).  The arguments are those of
        `Torque`.
    at : array_like, shape (3,), default (0, 0, 0)
        Point of the body frame at which the force acts, in metres.
    frame : {"space", "body"}, default "space"
        Frame of the six numbers.
    potential : callable, optional
        `potential(R, p)` returns the energy in J, as for `Torque`.
    switches : iterable of float, default ()
        Times in seconds at which the wrench jumps.

    Raises
    ------
    ModelError
        If `f` or `potential` is not a plain Python function of these arguments, or a value is wrong.

    Examples
    --------
    >>> import poinsot as ps
    >>> def thrust(t, R, w, p, v):
    ...     return 0.0, 0.0, 0.0, 0.0, 0.0, 12.0
    >>> ps.Wrench("drone", thrust, frame="body").label
    "wrench 'thrust' on 'drone'"
    """

    count = 6

    def __init__(
        self,
        body: str,
        f: Function,
        at: ArrayLike = (0.0, 0.0, 0.0),
        frame: Frame = "space",
        potential: Function | None = None,
        switches: Iterable[float] = (),
    ) -> None:
        self._set(body, f, at, frame, potential, switches)
