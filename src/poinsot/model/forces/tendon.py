"""Springs and dampers of tendons over joints: forces for a sum of their coordinates.

    L = sum of c q,    f = -k (L - length)  or  -d dL/dt,    joint forces c f                           (1)

As data they are matrices of joint springs and dampers, k c c' and d c c'.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.fields import Cleaned, Declared, field, number
from poinsot.model.forces.force import WORLD, Element, Force, Seats, Snapshot

if TYPE_CHECKING:
    from poinsot.model.mechanism import Mechanism


def _arms(who: str, what: str, given: Any) -> dict[str, float]:
    found = {name: c for name, c in checks.numbers_by_name(who, what, given).items() if c}
    if not found:
        raise ModelError(f"{who}: {what} must have a number other than 0, got {show(given)}")
    return found


class OverJoints(Force, Declared):
    """A force along a tendon over joints with one coordinate each, whose length is the sum of c q."""

    joints: Cleaned[dict[str, float], Mapping[str, float]] = field(
        "arm c of each joint, by the body that it carries",
        _arms,
        "numbers by name",
        unit="m or 1",
        sample={"a": 0.5},
    )

    @property
    def bodies(self) -> tuple[str, ...]:  # type: ignore[override]
        """Names of the bodies that its joints carry."""
        return tuple(self.joints)

    @property
    def label(self) -> str:
        return f"{type(self).__name__} over {', '.join(map(repr, self.joints))}"

    def fits(self, mechanism: "Mechanism") -> None:
        for body in self.joints:
            joint = checks.mechanism(self.label, mechanism).link(body).joint
            if (joint.nq, joint.nv) != (1, 1):
                raise ModelError(f"{self.label}: '{body}' must hang on a joint with one coordinate")

    def inside(self, mechanism: "Mechanism") -> bool:
        m = checks.mechanism(self.label, mechanism)
        return all(m.link(body).parent != WORLD for body in self.joints)

    def _pairs(self, places: Seats) -> list[tuple[float, int, int, int]]:
        """Return c c', and the places of q' and v' and of v, of all pairs of joints."""
        seats = [(c, *places.joints[body][1:]) for body, c in self.joints.items()]
        return [(c * other, a, b, row) for c, _, row in seats for other, a, b in seats]


class TendonSpring(OverJoints):
    """A spring along a tendon over joints: it pulls with -k (L - length), L the sum of c q.

    >>> ps.TendonSpring({"hip": 0.02, "knee": -0.03}, stiffness=4e3, length=0.01).label
    "TendonSpring over 'hip', 'knee'"
    """

    stiffness: float = number("stiffness k, not negative", "N/m", zero=True)
    length: float = number("length at rest", "m", default=0.0)
    conservative, reads_velocity = True, False

    def energy(self, x: Snapshot) -> Array:
        length = sum(c * x.joint(body)[1][:, 0] for body, c in self.joints.items())
        return np.asarray(self.stiffness * (length - self.length) ** 2 / 2)

    def elements(self, places: Seats) -> list[Element]:
        first, c = places.joints[next(iter(self.joints))][1], next(iter(self.joints.values()))
        return [
            Element("joint_spring", a, row, [self.stiffness * cc, self.length / c if a == first else 0.0])
            for cc, a, _, row in self._pairs(places)
        ]


class TendonDamper(OverJoints):
    """A damper along a tendon over joints: it pulls with -d dL/dt, L the sum of c q."""

    damping: float = number("damping d, not negative", "N s/m", zero=True)

    def elements(self, places: Seats) -> list[Element]:
        return [Element("joint_damper", b, row, [self.damping * cc]) for cc, _, b, row in self._pairs(places)]
