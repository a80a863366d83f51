"""Forces that are functions: `Torque`, `Wrench` and, between two bodies, `PairForce`.

A plain Python function of time and of the body's motion,

    f(t, R, w, p, v)        R 3x3 body to space, w angular velocity (body frame),
                            p, v position and velocity of the center of mass (space)

returns 3 (6, torque first) numbers in `frame`.  Written with `math` and indexing it runs for
every number type; with NumPy on float64 only.  With a `potential(R, p)` the force is conservative
and its energy enters `run.potential`; without one its work is counted in `run.work`.
"""

import dis
from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from poinsot.model import fields
from poinsot.model.checks import Array
from poinsot.model.fields import ZERO, Times, Vector, flag, times, vector, word
from poinsot.model.forces.force import BodyForce, Frame, TwoBodyForce

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


class Applied(BodyForce):
    """A force on a body that is given by a function of its motion."""

    count: ClassVar[int]  # numbers that the function returns
    components: ClassVar[tuple[str, ...]]  # their names in files, three numbers each

    @property
    @abstractmethod
    def function(self) -> Function:
        """The function `f(t, R, w, p, v)`."""

    @property
    def at(self) -> Array:
        """Point of the body frame at which the force acts [m]."""
        return np.zeros(3)

    @property
    def frame(self) -> Frame:
        """Frame of what the function returns."""
        return "space"

    @property
    def potential(self) -> Function | None:
        """The function `potential(R, p)`, or None."""
        return None

    @property
    def compiled(self) -> bool:
        """Whether the function is compiled; False: it runs in Python."""
        return True

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
        return f"{self._kind} '{self.function.__name__}' on '{self.body}'"


FRAME: tuple[str, ...] = ("space", "body")
ENERGY = (
    "`potential(R, p)` returns the energy [J].  With one the force is conservative and its energy enters "
    "`run.potential`; without one its work is counted in `run.work`"
)


PYTHON = "False: the function runs in Python, as it is: slow, for what Numba cannot compile"


class Torque(Applied):
    """A torque on a body, given by a function of time and of the motion of the body.

    The function is compiled.  Written with `math` and indexing it runs for every number type, with NumPy on
    float64 only.

    >>> def drag(t, R, w, p, v):
    ...     return -0.1 * w[0], -0.1 * w[1], -0.1 * w[2]
    >>> torque = ps.Torque("top", drag, frame="body")
    >>> torque.label, torque.reads_velocity
    ("torque 'drag' on 'top'", True)
    """

    f: Function = fields.function(
        "`f(t, R, w, p, v)` returns the three components of the torque [N m]: `t` is the time, `R` the "
        "rotation matrix of the body (body to space), `w` its angular velocity (body frame) [rad/s], `p` "
        "and `v` position [m] and velocity [m/s] of its center of mass (space)",
        *"tRwpv",
    )
    frame: Frame = word('frame of the components, "space" or "body"', *FRAME, default="space")
    potential: Function | None = fields.function(ENERGY, "R", "p", default=None)
    switches: Times = times("times at which the torque jumps", default=())
    compiled: bool = flag(PYTHON, default=True)
    count = 3
    components = ("torque",)

    @property
    def function(self) -> Function:
        return self.f


class Wrench(Applied):
    """A torque and a force at a point of a body, given by a function of time and of its motion.

    >>> def thrust(t, R, w, p, v):
    ...     return 0.0, 0.0, 0.0, 0.0, 0.0, 12.0
    >>> ps.Wrench("drone", thrust, frame="body").label
    "wrench 'thrust' on 'drone'"
    """

    f: Function = fields.function(
        "`f(t, R, w, p, v)` returns six numbers, torque [N m] and force [N]; the arguments are those of "
        "`Torque`",
        *"tRwpv",
    )
    at: Vector = vector("point of the body frame at which the force acts", "m", default=ZERO)
    frame: Frame = word('frame of the six numbers, "space" or "body"', *FRAME, default="space")
    potential: Function | None = fields.function(ENERGY, "R", "p", default=None)
    switches: Times = times("times at which the wrench jumps", default=())
    compiled: bool = flag(PYTHON, default=True)
    count = 6
    components = ("torque", "force")

    @property
    def function(self) -> Function:
        return self.f


class PairForce(TwoBodyForce):
    """A torque and a force between two bodies, given by a function of time and of both motions.

    The function gives the wrench on b; a gets the opposite one on the same line of action, so that momentum
    and angular momentum are kept.  "world" may be a or b.  Two magnets that attract each other:

    >>> def attract(t, Ra, wa, pa, va, Rb, wb, pb, vb):
    ...     d = pb[0] - pa[0], pb[1] - pa[1], pb[2] - pa[2]
    ...     r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
    ...     k = -0.2 / (r2 * r2)
    ...     return 0.0, 0.0, 0.0, k * d[0], k * d[1], k * d[2]
    >>> ps.PairForce("north", "south", attract).label
    "pairforce 'attract' from 'north' to 'south'"
    """

    f: Function = fields.function(
        "`f(t, Ra, wa, pa, va, Rb, wb, pb, vb)` returns six numbers, the torque on b about its center of "
        "mass [N m] and the force [N], in space; the arguments are those of `Torque`, for a and for b",
        *["t", "Ra", "wa", "pa", "va", "Rb", "wb", "pb", "vb"],
    )
    potential: Function | None = fields.function(
        ENERGY.replace("(R, p)", "(Ra, pa, Rb, pb)"), "Ra", "pa", "Rb", "pb", default=None
    )
    switches: Times = times("times at which the force jumps", default=())
    compiled: bool = flag(PYTHON, default=True)
    count = 6
    components = ("torque", "force")

    @property
    def function(self) -> Function:
        """The function `f`."""
        return self.f

    @property
    def conservative(self) -> bool:  # type: ignore[override]
        """Whether the force has a potential."""
        return self.potential is not None

    @property
    def reads_velocity(self) -> bool:  # type: ignore[override]
        """Whether the function uses an angular velocity or a velocity."""
        return reads(self.function, 2, 4, 6, 8)

    @property
    def label(self) -> str:
        return f"{self._kind} '{self.function.__name__}' from '{self.a}' to '{self.b}'"

    @property
    def _who(self) -> str:
        return super().label
