"""A rotor: thrust along a fixed axis of a body, with the torque of its drag.

w = (p x a - kappa a, a)        for unit thrust at p along a, kappa = spin times torque per thrust     (1)
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.inputs.input import Limit, checked_axis, checked_limit, checked_name
from poinsot.model.inputs.on_body import OnBody, checked_body

Triple = tuple[float, float, float]


@dataclass(frozen=True, init=False)
class Thrust(OnBody):
    """A thrust along a fixed axis of a body: a propeller or a jet, as an input of a controller.

    The wrench for unit thrust about the origin of the body frame is (at x axis - drag axis, axis).

    Parameters
    ----------
    body : str
        Name of the body.
    at : array_like, shape (3,)
        Point of the body frame at which the thrust acts, in metres.
    axis : array_like, shape (3,)
        Direction of the thrust in the body frame; it is normalised.
    drag : float, default 0.0
        Torque per thrust in metres, with the sign of the spin: positive for a rotor that turns about +axis.
    limit : (low, high) or float, default (0, inf)
        Smallest and largest thrust in newtons; one number stands for both directions.  None: no limit.
    name : str, optional
        Name for `run.input`.  Default: the name of the body.

    Raises
    ------
    ModelError
        If an argument is wrong.

    Examples
    --------
    >>> import poinsot as ps
    >>> rotor = ps.Thrust("drone", at=(0.2, 0, 0), axis=(0, 0, 1), drag=0.02, limit=(0, 8))
    >>> rotor.wrenches
    array([[ 0.  , -0.2 , -0.02,  0.  ,  0.  ,  1.  ]])
    """

    body: str
    at: Triple
    axis: Triple
    drag: float
    limit: float | Limit | None
    name: str | None

    def __init__(
        self,
        body: str,
        at: Any,
        axis: Any,
        drag: float = 0.0,
        limit: Any = (0.0, math.inf),
        name: str | None = None,
    ) -> None:
        vars(self).update(body=checked_body("thrust", body))
        x, y, z = checks.vector(self.label, "at", at).tolist()
        vars(self).update(
            at=(x, y, z),
            axis=checked_axis(self.label, "axis", axis),
            drag=checks.number(self.label, "drag", drag),
            limit=checked_limit(self.label, limit),
            name=checked_name(self.label, name),
        )

    @property
    def label(self) -> str:
        """Name of the input for messages."""
        return f"thrust on '{self.body}'"

    @property
    def wrenches(self) -> Array:
        """Wrench (torque, force) of unit thrust about the origin of the body frame, (1, 6)."""
        return thrust_wrench(self.at, self.axis, self.drag)[None]


def thrust_wrench(at: Triple, axis: Triple, drag: float) -> Array:
    """Return (1)."""
    (x, y, z), (a, b, c) = at, axis
    torque = y * c - z * b - drag * a, z * a - x * c - drag * b, x * b - y * a - drag * c
    return np.array([*torque, *axis]) + 0.0
