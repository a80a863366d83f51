"""Four prisms with torsion springs of three kinds in their joints (N-body pendulum thesis, 3.3.2)."""

from collections.abc import Callable
from functools import partial
from math import cos, sin
from typing import Any

from poinsot.gallery.scenario import Recipe
from poinsot.gallery.scenarios._chain import bodies
from poinsot.model.forces.force import Force
from poinsot.model.forces.joint import Form, JointSpring

STIFFNESS = (4000.0, 3000.0, 2000.0, 1000.0)  # table 3.5, N m
BEND = 0.3  # about the first, then the second axis of every joint; the thesis is not readable here
# check values: gauss3 with a quarter of the step and dop853 agree on their digits


def springs(form: Form) -> list[Force]:
    """Return the springs of table 3.5."""
    return [JointSpring(f"link{n}", k, form=form) for n, k in enumerate(STIFFNESS, start=1)]


def sprung(form: Form, name: str, notes: str, reference: dict[str, Any]) -> Recipe:
    """Return the pendulum with springs of one form; `name` is the name of the form in the title."""
    c, s = cos(BEND / 2), sin(BEND / 2)
    forces: Callable[[], list[Force]] = partial(springs, form)
    return Recipe(
        title=f"Four-body pendulum, torsion springs by {name}",
        bodies=bodies(4),
        start={f"link{n}": {"rotation": (c * c, c * s, c * s, s * s)} for n in range(1, 5)},
        step=0.0025,
        until=15.0,
        method="gauss3",
        forces=forces,
        notes=notes,
        reference=reference,
    )
