"""A frame: a point with axes, fixed in a body, that has a name."""

from poinsot.elementary.arrays import ArrayLike
from poinsot.model import fields
from poinsot.model.checks import Array
from poinsot.model.fields import ZERO, Cleaned, Declared, Vector, rotation, vector


class Frame(Declared):
    """A frame that is fixed in a body: `Mechanism.frame` makes one, such as the tool of an arm."""

    name: str = fields.name("name of the frame; not that of a body or of a loop")
    body: str = fields.name('name of the body; "world" is a body')
    at: Vector = vector("origin of the frame in the body frame", "m", default=ZERO)
    rotation: Cleaned[Array, ArrayLike | None] = rotation(
        "rotation of the frame in the body frame: a matrix or a quaternion (w, x, y, z)", default=None
    )

    @property
    def _who(self) -> str:
        return f"frame '{self.name}'"

    def __str__(self) -> str:
        return f"frame '{self.name}' on '{self.body}'"
