"""Bodies that attract each other: Newton's law between their centers of mass.

force on i = -sum over j of G m_i m_j (p_i - p_j)/r^3,   V = -sum over pairs of G m_i m_j/r        (1)
"""

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.fields import Declared, field, number
from poinsot.model.forces.force import WORLD, Force, Snapshot
from poinsot.model.rotations import dot

if TYPE_CHECKING:
    from poinsot.model.mechanism import Mechanism


def _names(who: str, what: str, value: Any) -> tuple[str, ...]:
    """Return the names of two or more bodies."""
    found = checks.items(who, what, value, "a list of names of bodies")
    names = tuple(checks.text(who, f"{what}[{i}]", one) for i, one in enumerate(found))
    if len(names) < 2 or len(set(names)) < len(names):
        raise ModelError(f"{who}: {what} must be two or more different names, got {checks.show(found)}")
    return names


class Gravitation(Force, Declared):
    """The gravitation between bodies: each pair attracts each other with G m_i m_j/r^2.

    The masses are those of the bodies, with all parts that are welded to them, as points at their centers of
    mass.  The gravity of the mechanism acts besides.

    >>> m = ps.Mechanism(gravity=(0, 0, 0))
    >>> for name, mass in dict(earth=5.97e24, moon=7.35e22).items():
    ...     _ = m.add(name, ps.Sphere(1e6).body(mass=mass), ps.Free())
    >>> m = m.apply(ps.Gravitation(["earth", "moon"]))
    """

    bodies: tuple[str, ...] = field("names of the bodies", _names, "names", sample=("a", "b"))
    G: float = number("constant of gravitation", "m^3/(kg s^2)", zero=True, default=6.674e-11)
    conservative, reads_velocity = True, False

    @property
    def label(self) -> str:
        return f"gravitation between {', '.join(map(repr, self.bodies))}"

    def fits(self, mechanism: "Mechanism") -> None:
        for name in self.bodies:
            if name == WORLD:
                raise ModelError(f"{self.label}: 'world' has no mass: add a body with a Fixed joint")
            link = checks.mechanism(self.label, mechanism).link(name, self.label)
            if link.joint.nv == 0 and link.parent != WORLD:
                raise ModelError(
                    f"{self.label}: '{name}' is a part of '{mechanism.carrier(name)}': name that body, "
                    "which has the mass of all its parts"
                )

    def inside(self, mechanism: "Mechanism") -> bool:
        return True

    def energy(self, x: Snapshot) -> Array:
        total = super().energy(x)
        for (a, b), strength in strengths(self, x.mechanism).items():
            d = x.motions[b].position - x.motions[a].position
            total = total - strength / np.sqrt(dot(d, d))  # (1)
        return total


def strengths(force: Gravitation, mechanism: "Mechanism") -> dict[tuple[str, str], float]:
    """Return G m_i m_j of every pair of bodies [N m^2]."""
    mass = {name: mechanism.rigid_links[name].body.mass for name in force.bodies}
    return {(a, b): force.G * mass[a] * mass[b] for a, b in combinations(force.bodies, 2)}
