"""Inputs without a place: the torque of a reaction wheel, and a whole wrench."""

import numpy as np

from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.fields import Direction, direction, field, number
from poinsot.model.inputs.input import NAME, LimitField, check_limit, checked_axis
from poinsot.model.inputs.on_body import OnBody


class ReactionWheel(OnBody):
    """A reaction wheel: a torque about an axis of a body, as an input of a controller.

    u is the torque on the body; the wheel takes up -u, and its spin relative to the body changes at the rate
    -u / inertia.  The spin itself is not part of the state, and its gyroscopic torque is neglected: to have
    both, add the wheel as a body on a `Revolute` joint and drive it with an `Actuator`.

    >>> ps.ReactionWheel("satellite", axis=(0, 0, 2), inertia=0.01, limit=0.1).wrenches
    array([[0., 0., 1., 0., 0., 0.]])
    """

    noun = "reaction wheel"
    axis: Direction = direction("axis of the wheel in the body frame; it is normalized", check=checked_axis)
    inertia: float = number("moment of inertia of the wheel about its axis, positive", "kg m²", positive=True)
    limit: LimitField = field(
        "largest torque, or (low, high)", check_limit, "limit", unit="N m", none=True, default=None
    )
    name: str | None = field(NAME, checks.text, "text", default=None)

    @property
    def wrenches(self) -> Array:
        """Wrench (torque, force) of the unit torque, (1, 6)."""
        return np.array([[*self.axis, 0.0, 0.0, 0.0]])


class WrenchInput(OnBody):
    """A whole wrench on a body: an input of a controller with six numbers, torque (N m) before force (N).

    It acts at the origin of the body frame and in its axes.
    """

    noun = "wrench input"
    name: str | None = field(NAME, checks.text, "text", default=None)
    limit = None

    @property
    def label(self) -> str:
        return f"wrench on '{self.body}'"

    def __repr__(self) -> str:
        return f"WrenchInput(body={self.body!r}, name={self.name!r}, limit=None)"  # archives know it so

    @property
    def wrenches(self) -> Array:
        """The six unit wrenches, (6, 6)."""
        return np.eye(6)
