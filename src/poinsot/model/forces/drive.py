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

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.model import checks, fields
from poinsot.model.checks import show
from poinsot.model.fields import Times, times
from poinsot.model.forces.force import JointForce
from poinsot.model.joints import Joint

if TYPE_CHECKING:
    from poinsot.model.mechanism import Mechanism

OfTime = Callable[[float], Any]
UNIT = 1e-6  # largest difference of the length of a quaternion from 1


class Drive(JointForce):
    """A motor that moves a joint as a given function of time, with the force or torque that this takes.

    The joint leaves the unknowns of the motion: at every time its coordinates are f(t), its velocities and
    accelerations the derivatives.  Its part of the start state is replaced by that.  The force of the drive
    is `run.input(joint)`, its work is counted in `run.work`.

    A pendulum whose support is shaken:

    >>> import math
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

    f: OfTime = fields.function(
        "`f(t)` returns the coordinates of the joint at the time t: a number, or a tuple of as many as it "
        "has coordinates [rad or m].  A Spherical joint takes a rotation as a quaternion (w, x, y, z), a "
        "Free joint position and quaternion (7 numbers).  It is compiled",
        "t",
    )
    rate: OfTime | None = fields.function(
        "`rate(t)` returns the velocities of the joint.  Give it with `acceleration`, or neither: the "
        "default are the derivatives of `f` by dual numbers",
        "t",
        default=None,
    )
    acceleration: OfTime | None = fields.function(
        "`acceleration(t)` returns the derivatives of the velocities", "t", default=None
    )
    switches: Times = times("times at which the acceleration jumps; methods restart there", default=())
    reads_velocity = False
    components = ("value",)

    def _check(self) -> None:
        if (self.rate is None) != (self.acceleration is None):
            raise ModelError(f"{self._who}: give both rate and acceleration, or neither")

    @property
    def function(self) -> OfTime:
        """The function `f(t)`."""
        return self.f

    @property
    def label(self) -> str:
        return f"Drive '{self.function.__name__}' at '{self.joint}'"

    @property
    def functions(self) -> tuple[OfTime, ...]:
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
            raise ModelError(
                f"{drive.label}: {name} must return {_requirement(count, first)}, got {show(value)}"
            )
        if not np.isfinite(found).all():
            raise ModelError(
                f"{drive.label}: {name} must return finite numbers, got {show(value)} at t = {t:g}"
            )
        if first is not None and abs(np.linalg.norm(found[first : first + 4]) - 1) > UNIT:
            raise ModelError(
                f"{drive.label}: the quaternion of f must have length 1, got {show(value)} at t = {t:g}"
            )


def _requirement(count: int, quaternion: int | None) -> str:
    """Return what a function of a drive must return, in words."""
    if quaternion is None:
        return "a number" if count == 1 else f"{count} numbers"
    rotation = "a rotation, as a quaternion (w, x, y, z)"
    return rotation if quaternion == 0 else f"a position and {rotation}: {count} numbers"
