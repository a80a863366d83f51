"""Four prisms with torsion springs in their joints: section 3.3.2 of seed 002, in three kinds of moments."""

from collections.abc import Callable
from functools import partial
from math import cos, sin
from typing import Any

from poinsot.gallery.scenario import Recipe
from poinsot.gallery.scenarios._chain import bodies
from poinsot.model.forces.force import Force
from poinsot.model.forces.joint import Form, JointSpring

STIFFNESS = (4000.0, 3000.0, 2000.0, 1000.0)  # table 3.5, N m
BEND = 0.3  # about the first and then the second axis of every joint; not readable in the thesis
# check values: gauss3 with a quarter of the step and dop853 agree on their digits


def springs(form: Form) -> list[Force]:
    return [JointSpring(f"link{n}", k, form=form) for n, k in enumerate(STIFFNESS, start=1)]


def sprung(form: Form, words: str, notes: str, reference: dict[str, Any]) -> Recipe:
    """The pendulum with springs of one form."""
    c, s = cos(BEND / 2), sin(BEND / 2)
    forces: Callable[[], list[Force]] = partial(springs, form)
    return Recipe(
        title=f"Four-body pendulum, torsion springs by {words}",
        bodies=bodies(4),
        start={f"link{n}": {"rotation": (c * c, c * s, c * s, s * s)} for n in range(1, 5)},
        step=0.0025,
        until=15.0,
        method="gauss3",
        forces=forces,
        notes=notes,
        reference=reference,
    )
