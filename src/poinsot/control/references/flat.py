"""References of flat vehicles from curves of their outputs: quadcopter and PVTOL.

Quadcopter with linear drag c = d/m, position r, gravity a_G and heading rate w_z:

    f = r'' - a_G + c r',   z = f / |f|,   z' = (f' - (f'.z) z) / F,   z'' = (f'' - F'' z - 2 F' z') / F  (1)
    R' = wed(z x z' + w_z z) R  (space),    w = (-y.z', x.z', w_z)                                      (2)
    w' = (-y.z'' + w_z w_y, x.z'' - w_z w_x, w_z')                                                      (3)

R is integrated by the Magnus method of order 4 on a grid, z is set to f/|f| after each step.

PVTOL with the output y, gravity g along -e2 and the offset e of the flat point:

    F n = y'' + g e2,    r = y - e n,    n' = -w t,    w = -(y'''.t)/F,    w' = -(y''''.t)/F - 2 F' w/F (4)
"""

import hashlib
from typing import Any

import numpy as np

from poinsot.control.matrices import wed3
from poinsot.control.references.checked import Reference, called
from poinsot.control.references.curves import Curve, moment
from poinsot.control.references.motions import free_body, free_state
from poinsot.errors import ModelError
from poinsot.lie import so3
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.identity import digest_of_callable
from poinsot.model.joints import Planar
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State

GRID = 0.002  # seconds between two nodes of the attitude
GAUSS = np.sqrt(3.0) / 6  # half the distance of the two Gauss points of an interval
FALLING = 1e-6  # specific thrust in m/s^2 below which the attitude is not defined


class Direction:
    """Direction of the thrust with its derivatives, equation (1)."""

    def __init__(self, r: Array, gravity: Array, drag: float, t: float) -> None:
        f, fd, fdd = r[2] - gravity + drag * r[1], r[3] + drag * r[2], r[4] + drag * r[3]
        with np.errstate(over="ignore"):
            self.F = F = float(np.linalg.norm(f))
        if not FALLING < F < np.inf:
            raise ModelError(
                f"flat_quadcopter: the thrust vanishes at t = {t:g}, where no attitude is defined"
            )
        self.z = z = f / F
        Fd = float(fd @ z)
        self.zd = (fd - Fd * z) / F
        Fdd = float(fdd @ z + fd @ self.zd)
        self.zdd = (fdd - Fdd * z - 2 * Fd * self.zd) / F


class _Attitude:
    """The attitude of a flat quadcopter, integrated over a grid that grows with the times asked for."""

    def __init__(self, curve: Curve, heading: Curve | None, gravity: Array, drag: float, x: Array) -> None:
        self.curve, self.heading, self.gravity, self.drag = curve, heading, gravity, drag
        z = self.direction(0.0).z
        x = x - (x @ z) * z
        if not np.linalg.norm(x) > 1e-6:
            raise ModelError("flat_quadcopter: front must not be parallel to the thrust at the time 0")
        x = x / np.linalg.norm(x)
        self.nodes = {0: np.column_stack([x, np.cross(z, x), z])}

    @property
    def identity(self) -> str:
        """Digest of what it is made of; the nodes follow from it."""
        what = digest_of_callable(self.curve), self.heading and digest_of_callable(self.heading)
        numbers = self.gravity.tobytes(), self.drag, self.nodes[0].tobytes()
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

    def _rate(self, t: float) -> Array:
        d = self.direction(t)
        return np.asarray(np.cross(d.z, d.zd) + self.rates(t)[0] * d.z)  # (2), in space

    def _moved(self, R: Array, t: float, h: float) -> Array:
        """Return the attitude after a step h of the Magnus method, with its third axis set to z."""
        a, b = self._rate(t + (0.5 - GAUSS) * h), self._rate(t + (0.5 + GAUSS) * h)
        R = np.asarray(so3.exp(h / 2 * (a + b) - GAUSS * h * h / 2 * np.cross(a, b))) @ R
        z = self.direction(t + h).z
        x = R[:, 0] - (R[:, 0] @ z) * z
        x = x / np.linalg.norm(x)
        return np.column_stack([x, np.cross(z, x), z])

    def __call__(self, t: float) -> Array:
        k = int(np.floor(abs(t) / GRID)) * (1 if t >= 0 else -1)
        if k not in self.nodes:
            way = 1 if k > 0 else -1
            first = max((j for j in self.nodes if j * way >= 0), key=abs)
            for j in range(first, k, way):
                self.nodes[j + way] = self._moved(self.nodes[j], j * GRID, way * GRID)
        return self._moved(self.nodes[k], k * GRID, t - k * GRID) if t != k * GRID else self.nodes[k]


def flat_quadcopter(
    m: Mechanism,
    body: str,
    position: Curve,
    heading: Curve | None = None,
    drag: float = 0.0,
    front: Any = (1.0, 0.0, 0.0),
) -> Reference:
    """Return the reference of a vehicle with thrust along its z axis, from a curve of its position.

    The attitude has no singularity: the thrust may point in any direction, but must not vanish.

    Parameters
    ----------
    m : Mechanism
        Mechanism with this body alone, on a `Free` joint, its centre of mass at the origin of its frame.
    body : str
        Name of the body.
    position : callable
        Curve of the position with four derivatives, (5, 3).
    heading : callable, optional
        Curve (5, 1) whose derivative is the body rate about the z axis, in rad/s.  Default: zero, the
        rotation-minimising frame.
    drag : float, default 0.0
        Linear drag over the mass, in 1/s, if the mechanism has such a drag.
    front : array_like, shape (3,), default (1, 0, 0)
        Direction in space to which the x axis of the body points at the time 0, as near as it can.

    Returns
    -------
    callable
        `reference(t)` returns (state, acceleration).

    Raises
    ------
    ModelError
        If the mechanism is not one free body, or (when called) the thrust vanishes.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("drone", ps.Box(0.1).body(mass=1.0), ps.Free())
    >>> reference = ps.control.flat_quadcopter(m, "drone", ps.control.loop(1.0, 3.6))
    >>> state, acceleration = reference(1.8)  # upside down
    >>> state.q[3:].round(6) ** 2 + 0.0
    array([0., 0., 1., 0.])
    """
    who = "flat_quadcopter"
    free_body(who, m, body)
    for one in (position, heading):
        if one is not None and not callable(one):
            raise ModelError(f"{who}: expected a curve, a function of the time, got {show(one)}")
    if np.abs(m.links[0].body.center_of_mass).max() > 1e-12:
        raise ModelError(f"{who}: '{body}' must have its centre of mass at the origin of its frame")
    c = checks.number(who, "drag", drag, zero=True)
    shape = checks.real(called(position, 0.0)).shape
    if shape != (5, 3):
        raise ModelError(f"{who}: position must return an array (5, 3), got one of the shape {shape}")
    attitude = _Attitude(position, heading, np.array(m.gravity), c, checks.vector(who, "front", front))

    def reference(t: float) -> tuple[State, Array]:
        t = moment(t)
        r = np.asarray(position(t))
        d = Direction(r, attitude.gravity, c, t)
        R, (wz, wzd) = attitude(t), attitude.rates(t)
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
        e = wed3(np.eye(3)[axis])
        R = R @ (np.eye(3) + np.sin(angle) * e + (1 - np.cos(angle)) * e @ e)
    return R


def flat_pvtol(m: Mechanism, body: str, output: Curve, offset: float = 0.0) -> Reference:
    """Return the reference of a planar vehicle (PVTOL) from a curve of its flat output.

    Parameters
    ----------
    m : Mechanism
        Mechanism with this body alone, on a `Planar` joint whose second axis points up.
    body : str
        Name of the body.
    output : callable
        Curve (5, 2) of the flat output: the point `offset` above the centre of mass, in metres.
    offset : float, default 0.0
        Offset of the flat output along the thrust in metres: J sin(b) / (m l cos(b)) for rotors inclined by
        b at a distance l.

    Returns
    -------
    callable
        `reference(t)` returns (state, acceleration).

    Raises
    ------
    ModelError
        If the mechanism is not one body on a Planar joint, or (when called) the thrust vanishes.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism(gravity=(0, -9.81, 0)).add("pvtol", ps.Body(1.0, (1, 1, 0.02)), ps.Planar((0, 0, 1)))
    >>> output = ps.control.rest_to_rest([0.0, 0.0], [(0.0, 2.0, [2.0, 1.0])])
    >>> ps.control.flat_pvtol(m, "pvtol", output, offset=0.03)(0.0)[0].q + 0.0
    array([ 0.  , -0.03,  0.  ])
    """
    who = "flat_pvtol"
    link = checks.mechanism(who, m).link(body, who)
    if len(m.links) != 1 or not isinstance(link.joint, Planar):
        raise ModelError(f"{who}: '{body}' must be the only body, on a Planar joint")
    if not callable(output):
        raise ModelError(f"{who}: expected a curve, a function of the time, got {show(output)}")
    e = checks.number(who, "offset", offset)
    g = -float(m.gravity @ link.joint.frame[:, 1])

    def reference(t: float) -> tuple[State, Array]:
        t = moment(t)
        y = checks.array(who, "output", output(t), "5 rows of 2 numbers", (5, 2))
        f = y[2] + np.array([0.0, g])
        F = float(np.linalg.norm(f))
        if not F > FALLING:
            raise ModelError(f"{who}: the thrust vanishes at t = {t:g}, where no attitude is defined")
        n = f / F
        side = np.array([n[1], -n[0]])
        w = -(y[3] @ side) / F
        wd = -(y[4] @ side) / F - 2 * (y[3] @ n) * w / F  # (4)
        v = y[1] + e * w * side
        a = y[2] + e * wd * side + e * w * w * n
        q = np.array([*(y[0] - e * n), np.arctan2(-n[0], n[1])])
        return State(t, q, np.array([*v, w])), np.array([*a, wd])

    return reference
