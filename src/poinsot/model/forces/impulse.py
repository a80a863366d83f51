"""An impulse: a sudden change of momentum."""

from poinsot.model.fields import ZERO, Vector, number, vector, word
from poinsot.model.forces.applied import FRAME
from poinsot.model.forces.force import BodyForce, Frame


class Impulse(BodyForce):
    """An impulse on a body: a sudden change of its momentum at a time that lies on a step."""

    time: float = number("time, which a run must reach after a whole number of steps", "s")
    torque: Vector = vector("angular impulse", "N m s", default=ZERO)
    force: Vector = vector("linear impulse at the center of mass", "N s", default=ZERO)
    frame: Frame = word('frame of both vectors, "space" or "body"', *FRAME, default="space")

    @property
    def label(self) -> str:
        return f"impulse on '{self.body}' at t = {self.time:g}"
