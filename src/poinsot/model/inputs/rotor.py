"""Rotors: thrust along an axis of a body, with the torque of its drag; the axis is fixed, or it tilts.

    w(a) = (p x a - kappa a, a)   for unit thrust at p along a, kappa = spin times torque per thrust      (1)
    u = (F cos t, F sin t),     wrench = u_1 w(a) + u_2 w(d),    d = tilt axis x a                        (2)

The admissible thrusts of a tilting rotor (low <= F cos t, F <= high, |t| <= most) become a polygon: the arc
of radius `high` is replaced by `CHORDS` chords, so that every admissible u can be flown.
"""

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.fields import Axis, Direction, direction, field, number, point
from poinsot.model.inputs.input import DRAG, NAME, LimitField, both_sides, check_limit, checked_axis
from poinsot.model.inputs.on_body import OnBody

if TYPE_CHECKING:
    from poinsot.model.mechanism import Mechanism

CHORDS = 3
PERPENDICULAR = 1e-9  # largest cosine between the axis and the tilt axis


class Thrust(OnBody):
    """A thrust along a fixed axis of a body: a propeller or a jet, as an input of a controller.

    The wrench for unit thrust about the origin of the body frame is (at x axis - drag axis, axis).

    >>> rotor = ps.Thrust("drone", at=(0.2, 0, 0), axis=(0, 0, 1), drag=0.02, limit=(0, 8))
    >>> rotor.wrenches
    array([[ 0.  , -0.2 , -0.02,  0.  ,  0.  ,  1.  ]])
    """

    noun = "thrust"
    at: Direction = point("point of the body frame at which the thrust acts")
    axis: Direction = direction(
        "direction of the thrust in the body frame; it is normalized", check=checked_axis
    )
    drag: float = number(DRAG, "m", default=0.0)
    limit: LimitField = field(
        "smallest and largest thrust, one number for both directions, or None",
        check_limit,
        "limit",
        unit="N",
        none=True,
        default=(0.0, math.inf),
    )
    name: str | None = field(NAME, checks.text, "text", default=None)

    @property
    def wrenches(self) -> Array:
        """Wrench (torque, force) of unit thrust about the origin of the body frame, (1, 6)."""
        return thrust_wrench(self.at, self.axis, self.drag)[None]


def _tilt_limit(who: str, what: str, value: Any) -> float:
    most = checks.number(who, what, value, positive=True)
    if not most < math.pi / 2:
        raise ModelError(f"{who}: {what} must be below pi/2, got {show(value)}")
    return most


class TiltRotor(OnBody):
    """A rotor whose axis tilts: an input of a controller with the two numbers (F cos t, F sin t).

    t is the tilt: the thrust F turns from `axis` about `tilt_axis`.

    >>> rotor = ps.TiltRotor("drone", at=(0, 0.2, 0), axis=(0, 0, 1), tilt_axis=(0, 1, 0))
    >>> rotor.wrenches
    array([[ 0.2,  0. ,  0. ,  0. ,  0. ,  1. ],
           [ 0. ,  0. , -0.2,  1. ,  0. ,  0. ]])
    """

    noun = "tilt rotor"
    at: Direction = point("point of the body frame at which the thrust acts")
    axis: Direction = direction("direction of the thrust without tilt; it is normalized", check=checked_axis)
    tilt_axis: Direction = direction(
        "axis of the tilt, perpendicular to `axis`; it is normalized",
        check=checked_axis,
        sample=(1.0, 0.0, 0.0),
    )
    drag: float = number(DRAG, "m", default=0.0)
    limit: LimitField = field(
        "largest thrust F, or (low, high): `low` bounds the part F cos t from below",
        check_limit,
        "limit",
        unit="N",
        none=True,
        default=None,
    )
    tilt_limit: float | None = field(
        "largest tilt, below pi/2", _tilt_limit, "numbers", unit="rad", shapes=((),), default=None
    )
    name: str | None = field(NAME, checks.text, "text", default=None)

    def _check(self) -> None:
        cosine = np.dot(self.axis, self.tilt_axis)
        if abs(cosine) > PERPENDICULAR:
            raise ModelError(
                f"{self._who}: tilt_axis must be perpendicular to axis, their cosine is {cosine:.3g}"
            )

    @property
    def wrenches(self) -> Array:
        """Wrenches (torque, force) of the two unit inputs about the origin of the body frame, (2, 6)."""
        x, y, z = np.cross(self.tilt_axis, self.axis).tolist()
        return np.array([thrust_wrench(self.at, axis, self.drag) for axis in (self.axis, (x, y, z))])  # (2)

    def bounds(self, mechanism: "Mechanism") -> Array:
        self.count(mechanism)
        low, high = both_sides(self.limit)
        side = high if self.tilt_limit is None else high * math.sin(self.tilt_limit)
        return np.array([[low, high], [-side, side]])

    def rows(self, mechanism: "Mechanism") -> tuple[Array, Array]:
        (low, high), most = both_sides(self.limit), self.tilt_limit
        Z, b = [], []
        if low > -math.inf:
            Z.append([-1.0, 0.0])
            b.append(-low)
        if most is not None:
            Z += [[-math.sin(most), math.cos(most)], [-math.sin(most), -math.cos(most)]]
            b += [0.0, 0.0]
        if high < math.inf:
            half = (most or math.pi) / (CHORDS if most is not None else 4 * CHORDS)  # of a chord
            count = CHORDS if most is not None else 4 * CHORDS
            for k in range(count):
                middle = (2 * k + 1 - count) * half
                Z.append([math.cos(middle), math.sin(middle)])
                b.append(high * math.cos(half))
        return np.array(Z).reshape(-1, 2), np.array(b)

    @property
    def tilt(self) -> Array:
        """Cosine and sine of the largest tilt; every tilt is allowed if the cosine is -1."""
        most = self.tilt_limit
        return np.array([-1.0, 0.0] if most is None else [math.cos(most), math.sin(most)])

    def saturate(self, mechanism: "Mechanism", u: Array) -> Array:
        (low, high), (cosine, sine), (c, s) = both_sides(self.limit), self.tilt.tolist(), u.tolist()
        thrust = math.hypot(c, s)
        if c < thrust * cosine:
            c, s = thrust * cosine, math.copysign(thrust * sine, s)
        if thrust > high:
            c, s = c * (high / thrust), s * (high / thrust)
        if c < low:
            side = min(math.sqrt(high * high - low * low), low * sine / cosine if cosine > 0 else math.inf)
            c, s = low, min(max(float(u[1]), -side), side)
        return np.array([c, s])


def thrust_wrench(at: Axis, axis: Axis, drag: float) -> Array:
    """Return (1)."""
    (x, y, z), (a, b, c) = at, axis
    torque = y * c - z * b - drag * a, z * a - x * c - drag * b, x * b - y * a - drag * c
    return np.array([*torque, *axis]) + 0.0
