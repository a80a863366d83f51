"""A servo at a joint: a motor with a linear law of its own."""

from poinsot.elementary.arrays import ArrayLike
from poinsot.model.checks import Array
from poinsot.model.fields import Cleaned, array, number
from poinsot.model.inputs.motor import Actuator


class Servo(Actuator):
    """A motor at a joint with one coordinate q that follows a command: u = gain command + b0 + b1 q + b2 v.

    A position servo has the bias (0, -gain, -damping), a velocity servo (0, 0, -gain).  As an input of a
    controller it is a motor; `ps.control.servos` gives its law.

    >>> ps.Servo("arm", limit=5, gain=20.0, bias=(0, -20.0, -2.0)).bias
    array([  0., -20.,  -2.])
    """

    gain: float = number("force of a unit of command", "N or N m", default=1.0)
    bias: Cleaned[Array, ArrayLike] = array(
        "b0, and b1 and b2 for a unit of coordinate and of velocity",
        "three numbers",
        (3,),
        default=(0.0, 0.0, 0.0),
    )

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))
