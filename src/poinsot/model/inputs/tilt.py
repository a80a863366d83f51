"""A tilting rotor: its thrust turns about an axis, and the two parts of the thrust are the inputs.

    u = (F cos t, F sin t),     wrench = u_1 w(a) + u_2 w(d),    d = tilt axis x a              (1)

w(a) is the wrench of a rotor along a.  The admissible thrusts (low <= F cos t, F <= high, |t| <= most)
become a polygon: the arc of radius `high` is replaced by `CHORDS` chords, so that every admissible u can be
flown.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.inputs.input import Limit, both_sides, checked_axis, checked_limit, checked_name
from poinsot.model.inputs.on_body import OnBody, checked_body
from poinsot.model.inputs.rotor import Triple, thrust_wrench

if TYPE_CHECKING:
    from poinsot.model.mechanism import Mechanism

CHORDS = 3
PERPENDICULAR = 1e-9  # largest cosine between the axis and the tilt axis


@dataclass(frozen=True, init=False)
class TiltRotor(OnBody):
    """A rotor whose axis tilts: an input of a controller with the two numbers (F cos t, F sin t).

    t is the tilt: the thrust F turns from `axis` about `tilt_axis`.

    Parameters
    ----------
    body : str
        Name of the body.
    at : array_like, shape (3,)
        Point of the body frame at which the thrust acts, in metres.
    axis : array_like, shape (3,)
        Direction of the thrust without tilt; it is normalised.
    tilt_axis : array_like, shape (3,)
        Axis of the tilt, perpendicular to `axis`; it is normalised.
    drag : float, default 0.0
        Torque per thrust in metres, with the sign of the spin, as of `Thrust`.
    limit : (low, high) or float, optional
        Largest thrust F in newtons; `low` bounds the part F cos t from below.  Default: no limit.
    tilt_limit : float, optional
        Largest tilt in rad, below pi/2.  Default: no limit.
    name : str, optional
        Name for `run.input`.  Default: the name of the body.

    Raises
    ------
    ModelError
        If an argument is wrong.

    Examples
    --------
    >>> import poinsot as ps
    >>> rotor = ps.TiltRotor("drone", at=(0, 0.2, 0), axis=(0, 0, 1), tilt_axis=(0, 1, 0))
    >>> rotor.wrenches
    array([[ 0.2,  0. ,  0. ,  0. ,  0. ,  1. ],
           [ 0. ,  0. , -0.2,  1. ,  0. ,  0. ]])
    """

    body: str
    at: Triple
    axis: Triple
    tilt_axis: Triple
    drag: float
    limit: float | Limit | None
    tilt_limit: float | None
    name: str | None

    def __init__(
        self,
        body: str,
        at: Any,
        axis: Any,
        tilt_axis: Any,
        drag: float = 0.0,
        limit: Any = None,
        tilt_limit: float | None = None,
        name: str | None = None,
    ) -> None:
        vars(self).update(body=checked_body("tilt rotor", body))
        who = self.label
        x, y, z = checks.vector(who, "at", at).tolist()
        a, b = checked_axis(who, "axis", axis), checked_axis(who, "tilt_axis", tilt_axis)
        if abs(np.dot(a, b)) > PERPENDICULAR:
            raise ModelError(
                f"{who}: tilt_axis must be perpendicular to axis, their cosine is {np.dot(a, b):.3g}"
            )
        most = None if tilt_limit is None else checks.number(who, "tilt_limit", tilt_limit, positive=True)
        if most is not None and not most < math.pi / 2:
            raise ModelError(f"{who}: tilt_limit must be below pi/2, got {show(tilt_limit)}")
        vars(self).update(
            at=(x, y, z),
            axis=a,
            tilt_axis=b,
            drag=checks.number(who, "drag", drag),
            limit=checked_limit(who, limit),
            tilt_limit=most,
            name=checked_name(who, name),
        )

    @property
    def label(self) -> str:
        """Name of the input for messages."""
        return f"tilt rotor on '{self.body}'"

    @property
    def wrenches(self) -> Array:
        """Wrenches (torque, force) of the two unit inputs about the origin of the body frame, (2, 6)."""
        x, y, z = np.cross(self.tilt_axis, self.axis).tolist()
        return np.array([thrust_wrench(self.at, axis, self.drag) for axis in (self.axis, (x, y, z))])  # (1)

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

    def saturated(self, mechanism: "Mechanism", u: Array) -> Array:
        (low, high), most = both_sides(self.limit), self.tilt_limit
        thrust, tilt = math.hypot(*u), math.atan2(u[1], u[0])
        if most is not None:
            tilt = min(max(tilt, -most), most)
        thrust = min(thrust, high)
        if low > -math.inf and thrust * math.cos(tilt) < low:
            return np.array(
                [low, min(max(float(u[1]), -low * math.tan(abs(tilt))), low * math.tan(abs(tilt)))]
            )
        return np.array([thrust * math.cos(tilt), thrust * math.sin(tilt)])
