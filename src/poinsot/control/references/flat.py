"""References of flat vehicles from curves of their outputs: quadcopter and PVTOL.

Quadcopter with linear drag c = d/m, position r, gravity a_G and heading rate w_z:

    f = r'' - a_G + c r',   z = f / |f|,   z' = (f' - (f'.z) z) / F,   z'' = (f'' - F'' z - 2 F' z') / F  (1)
    R' = wed(z x z' + w_z z) R  (space),    w = (-y.z', x.z', w_z)                                      (2)
    w' = (-y.z'' + w_z w_y, x.z'' - w_z w_x, w_z')                                                      (3)

From a direction a to z, the x axis is turned by the shortest way, and then about z by an integral,

    x <- x - (a + z)(z.x) / (1 + a.z),    angle = integral of w_z + a.(z x z') / (1 + a.z) dt           (4)

whose integrand is a series of Legendre polynomials, in intervals that are halved until the last ones vanish.

PVTOL with the output y, gravity g along -e2 and the offset e of the flat point:

    F n = y'' + g e2,    r = y - e n,    n' = -w t,    w = -(y'''.t)/F,    w' = -(y''''.t)/F - 2 F' w/F (5)
"""

import hashlib
import threading
from typing import Any, NamedTuple

import numpy as np
from numpy.polynomial import legendre

from poinsot.control.references.curves import Curve, moment
from poinsot.control.references.motions import Reference, called, centered_size, free_body, free_state
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.identity import digest_of_callable
from poinsot.model.joints import Planar
from poinsot.model.mechanism import Mechanism
from poinsot.model.rotations import hat
from poinsot.model.state import State

NODES = 16  # of an interval
POINTS, WEIGHTS = legendre.leggauss(NODES)
EXPAND = (np.arange(NODES) + 0.5)[:, None] * legendre.legvander(POINTS, NODES - 1).T * WEIGHTS
LAST = 3  # coefficients that must vanish
ROUNDING = 1e-14  # angle of an interval in radians
LONGEST = 8.0  # of an interval, in times sqrt(radius of gyration / thrust per mass) of the vehicle
MOST = 100_000  # intervals
FALLING = 1e-7  # thrust relative to the accelerations that it balances, below which no attitude is defined
PARALLEL = 1e-6  # sine of the smallest angle between front and thrust


class Direction:
    """Direction of the thrust with its derivatives, equation (1)."""

    def __init__(self, r: Array, gravity: Array, drag: float, t: float) -> None:
        f, fd, fdd = r[2] - gravity + drag * r[1], r[3] + drag * r[2], r[4] + drag * r[3]
        with np.errstate(over="ignore", invalid="ignore"):
            self.F = F = float(np.linalg.norm(f))
            parts = float(np.linalg.norm(r[2]) + np.linalg.norm(gravity) + drag * np.linalg.norm(r[1]))
        if not FALLING * parts < F < np.inf:
            raise ModelError(
                f"flat_quadcopter: the thrust vanishes at t = {t:g}, where no attitude is defined"
            )
        self.z = z = f / F
        Fd = float(fd @ z)
        self.zd = (fd - Fd * z) / F
        Fdd = float(fdd @ z + fd @ self.zd)
        self.zdd = (fdd - Fdd * z - 2 * Fd * self.zd) / F


class _Interval(NamedTuple):
    """An interval of time from `begin` on, the x and z axes there, and the angle of (4) as a series."""

    begin: float
    length: float  # negative where it leads back
    x: Array
    z: Array
    angle: Array

    def turn(self, t: float, z: Array) -> Array:
        """Return the x axis at a time of the interval, at which the thrust has the direction z."""
        x = self.x - (z @ self.x) / (1 + self.z @ z) * (self.z + z)  # (4)
        angle = float(legendre.legval(2 * (t - self.begin) / self.length - 1, self.angle))
        return np.asarray(np.cos(angle) * x + np.sin(angle) * np.cross(z, x))


class _Heading:
    """The x axis of a flat quadcopter at any time; intervals are found when they are asked for, and kept."""

    def __init__(self, curve: Curve, heading: Curve | None, gravity: Array, drag: float) -> None:
        self.curve, self.heading, self.gravity, self.drag = curve, heading, gravity, drag
        known = curve if heading is None else None
        self.period: float | None = getattr(known, "period", None)
        self.span: tuple[float, float] = getattr(known, "span", (-np.inf, np.inf))
        self._lock = threading.Lock()

    def start(self, begin: float, front: Array, size: float) -> None:
        """Let the x axis point to the front at a time; `size` is the radius of gyration of the vehicle."""
        self.begin, here = self._inside(begin), self.direction(begin)
        x = front - (front @ here.z) * here.z
        if not np.linalg.norm(x) > PARALLEL * np.linalg.norm(front):
            raise ModelError(f"flat_quadcopter: front must not be parallel to the thrust at t = {begin:g}")
        self.x, self.z = x / np.linalg.norm(x), here.z
        self.longest = LONGEST * float(np.sqrt(size / here.F))
        if self.period is not None:
            self.longest = self.period / np.ceil(self.period / self.longest)
        self.intervals: dict[int, list[list[_Interval]]] = {1: [], -1: []}

    @property
    def identity(self) -> str:
        """Digest of what it is made of; the intervals follow from it."""
        what = digest_of_callable(self.curve), self.heading and digest_of_callable(self.heading)
        numbers = self.gravity.tobytes(), self.drag, self.begin, self.x.tobytes(), self.longest
        return hashlib.sha256(repr((what, numbers)).encode()).hexdigest()[:16]

    def direction(self, t: float) -> Direction:
        return Direction(np.asarray(self.curve(t)), self.gravity, self.drag, t)

    def rates(self, t: float) -> tuple[float, float]:
        """Return w_z and its derivative."""
        if self.heading is None:
            return 0.0, 0.0
        rows = checks.array(
            "flat_quadcopter", "heading", called(self.heading, t), "at least 3 rows of a number", (None, 1)
        )
        return float(rows[1, 0]), float(rows[2, 0])

    def _inside(self, t: float) -> float:
        """Return the nearest time at which the curve may move."""
        return min(max(t, self.span[0]), self.span[1])

    def _divide(self, begin: float, length: float, x: Array, z: Array) -> list[_Interval]:
        """Return an interval, or its halves."""
        times = begin + length * (POINTS + 1) / 2
        there = [self.direction(t) for t in times.tolist()]
        with np.errstate(divide="ignore", invalid="ignore"):
            slopes = np.array([z @ np.cross(d.z, d.zd) / (1 + z @ d.z) for d in there])
        slopes += [self.rates(t)[0] for t in times.tolist()]
        series = length / 2 * (EXPAND @ slopes)
        near = min(z @ d.z for d in there) > 0
        small = ROUNDING + ROUNDING * abs(length) * np.abs(slopes).max()
        if (near and np.abs(series[-LAST:]).sum() <= small) or abs(length) < ROUNDING * self.longest:
            return [_Interval(begin, length, x, z, legendre.legint(series, lbnd=-1))]
        first = self._divide(begin, length / 2, x, z)
        middle = begin + length / 2
        return first + self._divide(middle, length / 2, *self._end(first, middle))

    def _end(self, intervals: list[_Interval], t: float) -> tuple[Array, Array]:
        """Return the x and z axes at the end of intervals."""
        z = self.direction(t).z
        x = intervals[-1].turn(t, z)
        x = x - (x @ z) * z
        return x / np.linalg.norm(x), z

    def _interval(self, t: float) -> _Interval:
        """Return the interval of a time."""
        way = 1 if t >= self.begin else -1
        known, away = self.intervals[way], abs(t - self.begin) / self.longest
        if away >= MOST:
            raise ModelError(
                f"flat_quadcopter: t = {t:g} is too far from t = {self.begin:g}, when the front is given: "
                "give it at another time (begin=...)"
            )
        number = int(away)
        with self._lock:
            while number >= len(known):
                at = self.begin + way * len(known) * self.longest
                axes = self._end(known[-1], at) if known else (self.x, self.z)
                try:
                    known.append(self._divide(at, way * self.longest, *axes))
                except Exception:  # the curve may end within the interval, after t
                    still = _Interval(at, way * self.longest, axes[0], axes[1], np.zeros(1))
                    return self._divide(at, t - at, *axes)[-1] if t != at else still
        return next(
            (one for one in known[number] if (t - one.begin - one.length) * way <= 0), known[number][-1]
        )

    def __call__(self, t: float, z: Array) -> Array:
        """Return the attitude at a time, at which the thrust has the direction z."""
        at, turns = self._inside(t), 0.0
        if self.period is not None:
            turns = np.floor((at - self.begin) / self.period)
            at = at - turns * self.period
        x = self._interval(at).turn(at, z)
        if turns:  # every period turns by the same angle
            end = self.begin + self.period  # type: ignore[operator]
            whole = self._interval(end).turn(end, self.z)
            angle = turns * np.arctan2(np.cross(self.x, whole) @ self.z, self.x @ whole)
            x = np.cos(angle) * x + np.sin(angle) * np.cross(z, x)
        x = x - (x @ z) * z
        x = x / np.linalg.norm(x)
        return np.column_stack([x, np.cross(z, x), z])


def flat_quadcopter(
    mechanism: Mechanism,
    body: str,
    position: Curve,
    *,
    heading: Curve | None = None,
    drag: float = 0.0,
    front: Any = (1.0, 0.0, 0.0),
    begin: float = 0.0,
) -> Reference:
    """Return the reference of a vehicle with thrust along its z axis, from a curve of its position.

    The attitude has no singularity: the thrust may point in any direction, but must not vanish.

    Parameters
    ----------
    mechanism : mechanism with this body alone, on a `Free` joint, its centre of mass at the origin of its
        frame
    body : name of the body
    position : curve of the position with four derivatives, (5, 3)
    heading : curve (5, 1) whose derivative is the body rate about the z axis [rad/s].  Default: zero, the
        rotation-minimising frame.
    drag : linear drag over the mass [1/s], if the mechanism has such a drag
    front : direction in space to which the x axis of the body points at the time `begin`, as near as it can
        (3,)
    begin : time [s] of the front; from there on the heading is integrated, forward and back

    Raises
    ------
    ModelError
        If the mechanism is not one free body, or (when called) the thrust vanishes.

    >>> m = ps.Mechanism().add("drone", ps.Box(0.1).body(mass=1.0), ps.Free())
    >>> loop = ps.control.references.loop_the_loop(1.0, 3.6)
    >>> reference = ps.control.references.flat_quadcopter(m, "drone", loop)
    >>> state, acceleration = reference(1.8)  # upside down
    >>> state.q[3:].round(6) ** 2 + 0.0
    array([0., 0., 1., 0.])
    """
    who = "flat_quadcopter"
    free_body(who, mechanism, body)
    for one in (position, heading):
        if one is not None and not callable(one):
            raise ModelError(f"{who}: expected a curve, a function of the time, got {show(one)}")
    size = centered_size(who, mechanism)
    c = checks.number(who, "drag", drag, zero=True)
    first = checks.number(who, "begin", begin)
    shape = checks.real(called(position, first)).shape
    if shape != (5, 3):
        raise ModelError(f"{who}: position must return an array (5, 3), got one of the shape {shape}")
    attitude = _Heading(position, heading, np.array(mechanism.gravity), c)
    attitude.start(first, checks.vector(who, "front", front), size)

    def reference(t: float) -> tuple[State, Array]:
        t = moment(t)
        r = np.asarray(position(t))
        d = Direction(r, attitude.gravity, c, t)
        R, (wz, wzd) = attitude(t, d.z), attitude.rates(t)
        x, y = R[:, 0], R[:, 1]
        w = np.array([-y @ d.zd, x @ d.zd, wz])  # (2)
        wd = np.array([-y @ d.zdd + wz * w[1], x @ d.zdd - wz * w[0], wzd])  # (3)
        return free_state(t, r, R, w, wd)

    return reference


def attitude_from_yaw(f: Array, yaw: float) -> Array:
    """Return the attitude with the z axis along f and this yaw angle; singular at a roll of 90 degrees."""
    z, c, s = f / np.linalg.norm(f), np.cos(yaw), np.sin(yaw)
    roll, pitch = np.arcsin(s * z[0] - c * z[1]), np.arctan2(c * z[0] + s * z[1], z[2])
    turns = [(2, yaw), (1, pitch), (0, roll)]
    R = np.eye(3)
    for axis, angle in turns:
        e = hat(np.eye(3)[axis])
        R = R @ (np.eye(3) + np.sin(angle) * e + (1 - np.cos(angle)) * e @ e)
    return R


def flat_pvtol(mechanism: Mechanism, body: str, output: Curve, *, offset: float = 0.0) -> Reference:
    """Return the reference of a planar vehicle (PVTOL) from a curve of its flat output.

    Parameters
    ----------
    mechanism : mechanism with this body alone, on a `Planar` joint whose second axis points up
    body : name of the body
    output : curve (5, 2) of the flat output: the point `offset` above the centre of mass [m]
    offset : offset of the flat output along the thrust [m]: J sin(b) / (m l cos(b)) for rotors inclined by b
        at a distance l

    >>> m = ps.Mechanism(gravity=(0, -9.81, 0)).add("pvtol", ps.Body(1.0, (1, 1, 0.02)), ps.Planar((0, 0, 1)))
    >>> output = ps.control.references.rest_to_rest([0.0, 0.0], [(0.0, 2.0, [2.0, 1.0])])
    >>> ps.control.references.flat_pvtol(m, "pvtol", output, offset=0.03)(0.0)[0].q + 0.0
    array([ 0.  , -0.03,  0.  ])
    """
    who = "flat_pvtol"
    link = checks.mechanism(who, mechanism).link(body, who)
    if len(mechanism.links) != 1 or not isinstance(link.joint, Planar):
        raise ModelError(f"{who}: '{body}' must be the only body, on a Planar joint")
    if not callable(output):
        raise ModelError(f"{who}: expected a curve, a function of the time, got {show(output)}")
    e = checks.number(who, "offset", offset)
    g = -float(mechanism.gravity @ link.joint.frame[:, 1])

    def reference(t: float) -> tuple[State, Array]:
        t = moment(t)
        y = checks.array(who, "output", output(t), "5 rows of 2 numbers", (5, 2))
        f = y[2] + np.array([0.0, g])
        F = float(np.linalg.norm(f))
        if not FALLING * (np.linalg.norm(y[2]) + abs(g)) < F:
            raise ModelError(f"{who}: the thrust vanishes at t = {t:g}, where no attitude is defined")
        n = f / F
        side = np.array([n[1], -n[0]])
        w = -(y[3] @ side) / F
        wd = -(y[4] @ side) / F - 2 * (y[3] @ n) * w / F  # (5)
        v = y[1] + e * w * side
        a = y[2] + e * wd * side + e * w * w * n
        q = np.array([*(y[0] - e * n), np.arctan2(-n[0], n[1])])
        return State(t, q, np.array([*v, w])), np.array([*a, wd])

    return reference
