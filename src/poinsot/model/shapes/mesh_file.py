"""A mesh in a file that is drawn and weighs nothing; it is read when it is drawn, and may be open."""

from typing import Any

import numpy as np

from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.fields import Cleaned, field
from poinsot.model.shapes.solids import Solid


def _scale(who: str, what: str, scale: Any) -> tuple[float, float, float]:
    a, b, c = checks.triple(who, what, scale).tolist()
    if not a * b * c:
        raise ModelError(f"{who}: {what} must not be zero, got {checks.show(scale)}")
    return a, b, c


class MeshFile(Solid):
    """A surface in a file, to be drawn: it may be open, and has neither volume nor inertia.

    The file is read when the shape is drawn; a file that is missing then, or cannot be read, is not drawn.
    `Mesh` is a closed surface, which gives a body its inertia.

    >>> ps.MeshFile("arm.stl", scale=0.001).volume
    0.0
    """

    by_value = True
    path: str = field("STL, OBJ, DAE or GLB file", checks.text, "text", sample="arm.stl")
    scale: Cleaned[tuple[float, float, float], ArrayLike] = field(
        "factors from the unit of the file to meters: one number or one for each axis, not zero",
        _scale,
        "numbers",
        shapes=((), (3,)),
        default=(1.0, 1.0, 1.0),
    )

    @property
    def volume(self) -> float:
        return 0.0

    def inertia(self, mass: float) -> Array:
        checks.number("mesh file", "mass", mass)
        return np.zeros((3, 3))
