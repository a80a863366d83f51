"""A drive: moves a joint as a given function of time, with whatever force that takes.

    joint                            f(t) returns                        rate(t), acceleration(t)
    with plain angles or             one number for each coordinate      their derivatives
    displacements
    Spherical                        a quaternion (w, x, y, z)           angular velocity and acceleration in
                                                                         the child frame, 3 numbers each
    Free                             position, then a quaternion         (angular, linear) in the child frame,
                                                                         6 numbers each

Without `rate` and `acceleration` both derivatives are those of f, by dual numbers: exact but for rounding.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import show
from poinsot.model.forces.joint import AtJoint
from poinsot.model.joints import Joint

if TYPE_CHECKING:
    from poinsot.model.mechanism import Mechanism

Motion = Callable[[float], Any]
UNIT = 1e-6  # largest difference of the length of a quaternion from 1


@dataclass(frozen=True, init=False, eq=False)
class Drive(AtJoint):
    """A motor that moves a joint as a given function of time, with the force or torque that this takes.

    The joint leaves the unknowns of the motion: at every time its coordinates are f(t), its velocities and
    accelerations the derivatives.  Its part of the start state is replaced by that.  The force of the drive
    is `run.input(joint)`, its work is counted in `run.work`.

    Parameters
    ----------
    joint : str
        Name of the body that the joint carries.
    f : callable
        `f(t)` returns the coordinates of the joint at the time t: a number, or a tuple of as many as it has
        coordinates, in rad or m.  A Spherical joint takes a rotation as a quaternion (w, x, y, z), a Free
        joint position and quaternion (7 numbers).  It is compiled.
    rate : callable, optional
        `rate(t)` returns the velocities of the joint.  Give it with `acceleration`, or neither: the default
        are the derivatives of `f` by dual numbers.
    acceleration : callable, optional
        `acceleration(t)` returns the derivatives of the velocities.
    switches : iterable of float, default ()
        Times in seconds at which the acceleration jumps; methods restart there.

    Raises
    ------
    ModelError
        If a function is not a plain Python function of t, or one derivative is given without the other; when
        the drive is added, if the joint is unknown, cannot move or is driven already, or if f does not
        return its coordinates.

    Examples
    --------
    A pendulum whose support is shaken:

    >>> import math
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("slide", ps.Box(0.1).body(mass=1.0), ps.Prismatic((0, 0, 1)))
    >>> rod = ps.Body(1.0, (0.1, 0.1, 0.01))
    >>> _ = m.add("rod", rod, ps.Revolute((0, 1, 0)), "slide", body_at=(0, 0, -0.5))
    >>> def shake(t):
    ...     return 0.1 * math.sin(20.0 * t)
    >>> m.apply(ps.Drive("slide", shake)).forces[0].label
    "Drive 'shake' at 'slide'"
    >>> run = ps.simulate(m, m.state({"rod": dict(angle=0.2)}), "rk4", step=0.01, until=0.1)
    >>> run.rate("slide")[0], run.input("slide").shape
    (array([2.]), (11, 1))
    """

    function: Motion
    rate: Motion | None
    acceleration: Motion | None
    switches: tuple[float, ...]
    reads_velocity = False

    def __init__(
        self,
        joint: str,
        f: Motion,
        rate: Motion | None = None,
        acceleration: Motion | None = None,
        switches: Iterable[float] = (),
    ) -> None:
        vars(self).update(joint=checks.text("Drive", "joint", joint))
        who = f"Drive at '{joint}'"
        vars(self).update(function=checks.function(who, "f", f, ("t",)))
        given = {"rate": rate, "acceleration": acceleration}
        for name, one in given.items():
            vars(self)[name] = None if one is None else checks.function(who, name, one, ("t",))
        if (rate is None) != (acceleration is None):
            raise ModelError(f"{who}: give both rate and acceleration, or neither")
        vars(self).update(switches=checks.times(self.label, "switches", switches))

    @property
    def label(self) -> str:
        return f"Drive '{self.function.__name__}' at '{self.joint}'"

    @property
    def functions(self) -> tuple[Motion, ...]:
        """The functions that were given."""
        return tuple(one for one in (self.function, self.rate, self.acceleration) if one is not None)

    def fits(self, mechanism: "Mechanism") -> None:
        super().fits(mechanism)
        for other in mechanism.forces:
            if isinstance(other, Drive) and other is not self and other.joint == self.joint:
                raise ModelError(f"{self.label}: the joint is driven already, by {other.label}")
        try:
            self.function(0.0)
        except Exception:  # f may have no value there; the start of a run asks again
            return
        check_drive(self, mechanism.link(self.joint).joint, 0.0)


def check_drive(drive: Drive, joint: Joint, t: float) -> None:
    """Raise a ModelError unless the functions of a drive give coordinates, and derivatives, of the joint."""
    sizes = joint.nq, joint.nv, joint.nv
    for name, one, count in zip(("f", "rate", "acceleration"), drive.functions, sizes, strict=False):
        try:
            value = one(t)
        except Exception as error:
            raise ModelError(f"{drive.label}: {name} fails at t = {t:g}: {error}") from None
        found = np.atleast_1d(checks.real(value))
        first = joint.quaternion if name == "f" else None
        if found.shape != (count,):
            raise ModelError(f"{drive.label}: {name} must return {_wanted(count, first)}, got {show(value)}")
        if not np.isfinite(found).all():
            raise ModelError(
                f"{drive.label}: {name} must return finite numbers, got {show(value)} at t = {t:g}"
            )
        if first is not None and abs(np.linalg.norm(found[first : first + 4]) - 1) > UNIT:
            raise ModelError(
                f"{drive.label}: the quaternion of f must have length 1, got {show(value)} at t = {t:g}"
            )


def _wanted(count: int, quaternion: int | None) -> str:
    """Return what a function of a drive must return, in words."""
    if quaternion is None:
        return "a number" if count == 1 else f"{count} numbers"
    rotation = "a rotation, as a quaternion (w, x, y, z)"
    return rotation if quaternion == 0 else f"a position and {rotation}: {count} numbers"
