"""Stops and dry friction at joints with one coordinate, as smooth forces with stated constants.

    stop        x how far the coordinate lies beyond an end, else 0;   tau = -k x - k d |x| v          (1)
    friction    tau = -f v/sqrt(v^2 + s^2)                                                            (2)

(1) begins without a jump.  With d = 0 it has the potential k x^2/2; else all of its work is counted.  A body
that meets the stop with the speed u leaves it with about u (1 - 2/3 d u), for d u << 1.  The error of (2) is
f s^2/(2 v^2) above the speed s; below it a joint creeps with the rate s tau/f where dry friction would hold.
"""

from typing import TYPE_CHECKING

import numpy as np

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.fields import field, number
from poinsot.model.forces.force import Element, JointForce, Seats, Snapshot

if TYPE_CHECKING:
    from poinsot.model.mechanism import Mechanism


class OneCoordinate(JointForce):
    """A force at a joint with one coordinate."""

    def fits(self, mechanism: "Mechanism") -> None:
        super().fits(mechanism)
        joint = mechanism.link(self.joint).joint
        if (joint.nq, joint.nv) != (1, 1):
            raise ModelError(f"{self.label}: the joint must have one coordinate, and {joint} has {joint.nv}")


class JointStop(OneCoordinate):
    """Elastic stops at both ends of the range of a joint, with damping inside them.

    >>> ps.JointStop("arm", -1.0, 2.0, stiffness=1e4, damping=0.1).label
    "JointStop at 'arm'"
    """

    lower: float = field(
        "lower end of the range", checks.number, "numbers", unit="rad or m", shapes=((),), sample=-0.5
    )
    upper: float = number("upper end of the range, above the lower one", "rad or m")
    stiffness: float = number("stiffness k beyond the ends, positive", "N m/rad or N/m", positive=True)
    damping: float = number(
        "damping d: the part of the elastic force that a unit of speed adds",
        "s/rad or s/m",
        zero=True,
        default=0.0,
    )

    def _check(self) -> None:
        if not self.lower < self.upper:
            ends = f"{show(self.lower)} and {show(self.upper)}"
            raise ModelError(f"{self.label}: lower must be below upper, got {ends}")

    @property
    def conservative(self) -> bool:  # type: ignore[override]
        """Whether the stops have a potential: without damping."""
        return self.damping == 0

    @property
    def reads_velocity(self) -> bool:  # type: ignore[override]
        """Whether the force depends on the velocity."""
        return self.damping != 0

    def energy(self, x: Snapshot) -> Array:
        q = x.joint(self.joint)[1][:, 0]
        if not self.conservative:
            return np.zeros(len(q))
        beyond = np.maximum(q - self.upper, 0.0) + np.minimum(q - self.lower, 0.0)
        return np.asarray(self.stiffness * beyond * beyond / 2)

    def elements(self, places: Seats) -> list[Element]:
        _, a, b = places.joints[self.joint]
        return [Element("joint_stop", a, b, [self.lower, self.upper, self.stiffness, self.damping])]


class JointFriction(OneCoordinate):
    """Dry friction at a joint, made smooth at small speeds."""

    friction: float = number("largest force or torque f of friction", "N m or N", zero=True)
    speed: float = number("speed s below which friction falls off, positive", "rad/s or m/s", positive=True)

    def elements(self, places: Seats) -> list[Element]:
        _, a, b = places.joints[self.joint]
        return [Element("joint_friction", a, b, [self.friction, self.speed])]
