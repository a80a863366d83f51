"""A charged body and a soft wall of Krysl & Endres (2005), section 3.6, with the sign corrected."""

from poinsot.gallery.scenario import Recipe
from poinsot.model.forces.applied import Torque
from poinsot.model.forces.force import Force


def torque(t, R, w, p, v):  # type: ignore[no-untyped-def]
    x = 1.1 + R[2][2]
    y = 1.0 / x
    y2 = y * y
    y4 = y2 * y2
    f = -y2 + 0.01 * y4 * y4 * y2 * y
    return f * R[1][2], -f * R[0][2], 0.0


def potential(R, p):  # type: ignore[no-untyped-def]
    y = 1.0 / (1.1 + R[2][2])
    y2 = y * y
    y4 = y2 * y2
    return -y + 0.001 * y4 * y4 * y2


def forces() -> list[Force]:
    """Return the attraction and the wall."""
    return [Torque("body", torque, potential=potential)]


RECIPE = Recipe(
    title="Coulomb attraction and a soft wall",
    gravity=(0.0, 0.0, 0.0),
    bodies={"body": {"mass": 1.0, "inertia": (2.0, 3.0, 4.5), "joint": "spherical"}},
    start={"body": {"angular_velocity": (1.0, 2.0 / 3.0, 2.0 / 4.5)}},
    step=0.02,
    until=20.0,
    forces=forces,
    notes="Five contacts with a steep wall in 20 s.  As printed, the paper's torque repels: see the errata.",
    reference={"R33 at 20": 0.448566722528121},
)
