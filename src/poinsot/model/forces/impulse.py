"""An impulse: a sudden change of momentum."""

from dataclasses import dataclass

from numpy.typing import ArrayLike

from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.forces.force import Frame, OnBody, check_frame


@dataclass(frozen=True, init=False, eq=False)
class Impulse(OnBody):
    """An impulse on a body: a sudden change of its momentum at a time that lies on a step.

    Parameters
    ----------
    body : str
        Name of the body.
    time : float
        Time in seconds; a run must reach it after a whole number of steps.
    torque : array_like, shape (3,), default (0, 0, 0)
        Angular impulse in N m s.
    force : array_like, shape (3,), default (0, 0, 0)
        Linear impulse at the centre of mass in N s.
    frame : {"space", "body"}, default "space"
        Frame of both vectors.

    Raises
    ------
    ModelError
        If a value is not finite or has the wrong shape, or the frame is unknown.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.Impulse("puck", time=1.0, force=(0.5, 0, 0)).label
    "impulse on 'puck' at t = 1"
    """

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
