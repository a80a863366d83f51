"""Stops and dry friction at joints with one coordinate: exact, or as smooth forces with stated constants.

Exact ones are modes of the coordinate (`mechanics.modes`): it is free or at a stop, slips or sticks; a run
finds the changes as events.  With constants they are

    stop        x how far the coordinate lies beyond an end, else 0;   tau = -k x - k d |x| v          (1)
    friction    tau = -f v/sqrt(v^2 + s^2)                                                            (2)

(1) begins without a jump.  With d = 0 it has the potential k x^2/2; else all of its work is counted.  A body
that meets the stop with the speed u leaves it with about u (1 - 2/3 d u), for d u << 1.  The error of (2) is
f s^2/(2 v^2) above the speed s; below it a joint creeps with the rate s tau/f where dry friction would hold.
"""

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.fields import field, number
from poinsot.model.forces.force import Element, JointForce, Seats, Snapshot
from poinsot.model.inputs.hold import HOLD_NUMBERS

if TYPE_CHECKING:
    from poinsot.model.mechanism import Mechanism


class OneCoordinate(JointForce):
    """A force at a joint with one coordinate."""

    def fits(self, mechanism: "Mechanism") -> None:
        super().fits(mechanism)
        joint = mechanism.link(self.joint).joint
        if (joint.nq, joint.nv) != (1, 1):
            raise ModelError(f"{self.label}: the joint must have one coordinate, and {joint} has {joint.nv}")


def _restitution(who: str, what: str, value: Any) -> float:
    found = checks.number(who, what, value, zero=True)
    if found > 1:
        raise ModelError(f"{who}: {what} must be at most 1, got {show(value)}")
    return found


class JointStop(OneCoordinate):
    """Stops at the ends of the range of a joint: hard ones with a restitution, or elastic ones.

    A hard stop is never passed: a run finds where the joint meets it as the event "joint.stop".  The joint
    leaves it with `restitution` times its speed, all others answer through the mass matrix, and what is lost
    is counted in `run.work`.  With a `stiffness` the stops are springs with damping inside them.

    >>> ps.JointStop("arm", -1.0, 2.0, restitution=0.5).exact
    True
    >>> ps.JointStop("arm", -1.0, 2.0, stiffness=1e4, damping=0.1).label
    "JointStop at 'arm'"
    """

    lower: float | None = field(
        "lower end of the range; by default there is none",
        checks.number,
        "numbers",
        unit="rad or m",
        shapes=((),),
        sample=-0.5,
        default=None,
        none=True,
    )
    upper: float | None = number(
        "upper end of the range, above the lower one; by default there is none", "rad or m", default=None
    )
    stiffness: float | None = number(
        "stiffness k beyond both ends, positive; by default the stops are hard",
        "N m/rad or N/m",
        positive=True,
        default=None,
    )
    damping: float = number(
        "damping d of elastic stops: the part of the elastic force that a unit of speed adds",
        "s/rad or s/m",
        zero=True,
        default=0.0,
    )
    restitution: float = field(
        "of hard stops: speed after an impact over that before it, 0 to 1",
        _restitution,
        "numbers",
        shapes=((),),
        sample=0.0,
        default=0.0,
    )

    def _check(self) -> None:
        if self.lower is None and self.upper is None:
            raise ModelError(f"{self.label}: give lower, upper or both")
        if self.lower is not None and self.upper is not None and not self.lower < self.upper:
            ends = f"{show(self.lower)} and {show(self.upper)}"
            raise ModelError(f"{self.label}: lower must be below upper, got {ends}")
        if self.exact and self.damping:
            raise ModelError(f"{self.label}: damping is for elastic stops: give stiffness as well")
        if not self.exact and self.restitution:
            raise ModelError(f"{self.label}: restitution is for hard stops: leave stiffness out")
        if not self.exact and (self.lower is None or self.upper is None):
            raise ModelError(f"{self.label}: elastic stops need both lower and upper")

    @property
    def exact(self) -> bool:
        """Whether the stops are hard: without a stiffness."""
        return self.stiffness is None

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
        if self.stiffness is None or self.lower is None or self.upper is None or not self.conservative:
            return np.zeros(len(q))
        beyond = np.maximum(q - self.upper, 0.0) + np.minimum(q - self.lower, 0.0)
        return np.asarray(self.stiffness * beyond * beyond / 2)

    def elements(self, places: Seats) -> list[Element]:
        _, a, b = places.joints[self.joint]
        if self.stiffness is None or self.lower is None or self.upper is None:
            return []
        return [Element("joint_stop", a, b, [self.lower, self.upper, self.stiffness, self.damping])]


class JointFriction(OneCoordinate):
    """Dry friction at a joint: exact, or made smooth at small speeds.

    Exact friction holds a joint at rest as long as that takes no more than f, and opposes its motion with f
    else; a run finds where it sticks and where it slips as the event "joint.friction".

    >>> ps.JointFriction("arm", 0.3).exact
    True
    """

    friction: float = number("largest force or torque f of friction", "N m or N", zero=True)
    speed: float | None = number(
        "speed s below which friction falls off, positive; by default friction is exact",
        "rad/s or m/s",
        positive=True,
        default=None,
    )

    @property
    def exact(self) -> bool:
        """Whether friction is exact: without a speed."""
        return self.speed is None

    def elements(self, places: Seats) -> list[Element]:
        _, a, b = places.joints[self.joint]
        if self.speed is None:
            return [Element("hold", 0, b, [0.0] * HOLD_NUMBERS)]  # set with the mode
        return [Element("joint_friction", a, b, [self.friction, self.speed])]


class ModeJoint(NamedTuple):
    """A joint with modes: its exact stops and its exact friction."""

    name: str
    lower: float
    upper: float
    restitution: float
    friction: float


def mode_joints(mechanism: "Mechanism") -> list[ModeJoint]:
    """Return the joints of a mechanism that have modes, in their order."""
    exact = [one for one in mechanism.forces if isinstance(one, JointStop | JointFriction) and one.exact]
    found = []
    for link in mechanism.links if exact else ():
        own = [one for one in exact if one.joint == link.name]
        if not own:
            continue
        if len({type(one) for one in own}) < len(own):
            raise ModelError(f"joint '{link.name}': it has {own[0].label} and another one: give one of each")
        stop = next((one for one in own if isinstance(one, JointStop)), None)
        friction = next((one.friction for one in own if isinstance(one, JointFriction)), 0.0)
        lower = -math.inf if stop is None or stop.lower is None else stop.lower
        upper = math.inf if stop is None or stop.upper is None else stop.upper
        restitution = 0.0 if stop is None else stop.restitution
        found.append(ModeJoint(link.name, lower, upper, restitution, friction))
    return found
