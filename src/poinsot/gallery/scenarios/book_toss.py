"""The book toss of Krysl & Endres (2005), section 3.2, with t_d = 2 and an ideal impulse as the pulse."""

from poinsot.gallery.scenario import Recipe
from poinsot.model.forces.applied import Torque
from poinsot.model.forces.force import Force
from poinsot.model.forces.impulse import Impulse

RELEASE = 2.0


def spin_up(t, R, w, p, v):  # type: ignore[no-untyped-def]
    return (20.0 if t < RELEASE else 0.0), 0.0, 0.0


def forces() -> list[Force]:
    """Return the torque that spins the book up, and the impulse that disturbs it."""
    return [
        Torque("book", spin_up, switches=(RELEASE,)),
        Impulse("book", RELEASE, torque=(0.0, 0.2, 0.0)),
    ]


RECIPE = Recipe(
    title="Book toss",
    gravity=(0.0, 0.0, 0.0),
    bodies={"book": {"mass": 1.0, "inertia": (5.0, 10.0, 1.0), "physical": False, "joint": "free"}},
    start={},
    step=0.01,
    until=5.0,
    forces=forces,
    notes="Spun up about the intermediate axis, disturbed at t = 2.  No real body has these moments.",
    reference={"flips": (2.499380045512448, 3.488940275220209, 4.478500504927970)},
)
