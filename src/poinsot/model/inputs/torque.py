"""Inputs without a place: the torque of a reaction wheel, and a whole wrench."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.inputs.input import Limit, checked_axis, checked_limit, checked_name
from poinsot.model.inputs.on_body import OnBody, checked_body
from poinsot.model.inputs.rotor import Triple


@dataclass(frozen=True, init=False)
class ReactionWheel(OnBody):
    """A reaction wheel: a torque about an axis of a body, as an input of a controller.

    u is the torque on the body; the wheel takes up -u, and its spin relative to the body changes at the rate
    -u / inertia.  The spin itself is not part of the state, and its gyroscopic torque is neglected: to have
    both, add the wheel as a body on a `Revolute` joint and drive it with an `Actuator`.

    Parameters
    ----------
    body : str
        Name of the body.
    axis : array_like, shape (3,)
        Axis of the wheel in the body frame; it is normalised.
    inertia : float
        Moment of inertia of the wheel about its axis in kg m².
    limit : float or (low, high), optional
        Largest torque in N m.  Default: no limit.
    name : str, optional
        Name for `run.input`.  Default: the name of the body.

    Raises
    ------
    ModelError
        If an argument is wrong.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.ReactionWheel("satellite", axis=(0, 0, 2), inertia=0.01, limit=0.1).wrenches
    array([[0., 0., 1., 0., 0., 0.]])
    """

    body: str
    axis: Triple
    inertia: float
    limit: float | Limit | None
    name: str | None

    def __init__(
        self, body: str, axis: Any, inertia: float, limit: Any = None, name: str | None = None
    ) -> None:
        vars(self).update(body=checked_body("reaction wheel", body))
        vars(self).update(
            axis=checked_axis(self.label, "axis", axis),
            inertia=checks.number(self.label, "inertia", inertia, positive=True),
            limit=checked_limit(self.label, limit),
            name=checked_name(self.label, name),
        )

    @property
    def label(self) -> str:
        """Name of the input for messages."""
        return f"reaction wheel on '{self.body}'"

    @property
    def wrenches(self) -> Array:
        """Wrench (torque, force) of the unit torque, (1, 6)."""
        return np.array([[*self.axis, 0.0, 0.0, 0.0]])


@dataclass(frozen=True, init=False)
class WrenchInput(OnBody):
    """A whole wrench on a body: an input of a controller with six numbers, torque (N m) before force (N).

    It acts at the origin of the body frame and in its axes.

    Parameters
    ----------
    body : str
        Name of the body.
    name : str, optional
        Name for `run.input`.  Default: the name of the body.

    Raises
    ------
    ModelError
        If an argument is not a name.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.WrenchInput("ship").wrenches.shape
    (6, 6)
    """

    body: str
    name: str | None
    limit: float | Limit | None = None

    def __init__(self, body: str, name: str | None = None) -> None:
        vars(self).update(body=checked_body("wrench input", body))
        vars(self).update(name=checked_name(self.label, name))

    @property
    def label(self) -> str:
        """Name of the input for messages."""
        return f"wrench on '{self.body}'"

    @property
    def wrenches(self) -> Array:
        """The six unit wrenches, (6, 6)."""
        return np.eye(6)
