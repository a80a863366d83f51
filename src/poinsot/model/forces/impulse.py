"""An impulse: a sudden change of momentum."""

from dataclasses import dataclass

from numpy.typing import ArrayLike

from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.forces.force import Frame, OnBody, check_frame


@dataclass(frozen=True, init=False, eq=False)
class Impulse(OnBody):
    """A sudden change of momentum at a time that lies on a step: torque and force at the centre of mass."""

    time: float
    torque: Array
    force: Array
    frame: Frame

    def __init__(
        self,
        body: str,
        time: float,
        torque: ArrayLike = (0.0, 0.0, 0.0),
        force: ArrayLike = (0.0, 0.0, 0.0),
        frame: Frame = "space",
    ) -> None:
        name = f"impulse on {body!r}"
        check_frame(name, frame)
        vars(self).update(
            body=body,
            time=checks.number(name, "time", time),
            torque=checks.vector(name, "torque", torque),
            force=checks.vector(name, "force", force),
            frame=frame,
        )

    @property
    def label(self) -> str:
        return f"impulse on '{self.body}' at t = {self.time:g}"
