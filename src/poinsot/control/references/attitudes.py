"""Attitudes and poses as products of exponentials, with exact rates.

    G = exp(b_1 x_1) exp(b_2 x_2) ...,     G^-1 G' = wed(v)                                          (1)
    v_j = Ad(exp(-b_j x_j)) v_(j-1) + b_j' x_j                                                       (2)
    v_j' = Ad(exp(-b_j x_j)) v_(j-1)' + b_j' ad(v_j) x_j + b_j'' x_j                                 (3)

Euler angles, turns about an axis and cumulative B-splines are such products.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.control.matrices import Ad, ad, inverse
from poinsot.control.references.curves import Curve, moment
from poinsot.errors import ModelError
from poinsot.lie import se3
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.inputs.input import checked_axis
from poinsot.model.rotations import matrix

Attitude = Callable[[float], tuple[Array, Array, Array]]  # t -> R, w, w'
Pose = Callable[[float], tuple[Array, Array, Array]]  # t -> G (4, 4), twist, its rate


def product(twists: Sequence[Array], b: Array, G0: Array | None = None) -> tuple[Array, Array, Array]:
    """Return G of (1), v and v', from the twists (k, 6) and b, b', b'' (3, k)."""
    G = np.eye(4) if G0 is None else G0
    v, a = np.zeros(6), np.zeros(6)
    for x, s, sd, sdd in zip(twists, *b, strict=True):
        X = np.asarray(se3.exp(s * x))
        back = Ad(inverse(X))
        v = back @ v + sd * x  # (2)
        a = back @ a + sd * ad(v) @ x + sdd * x  # (3)
        G = G @ X
    return G, v, a


def euler_attitude(angles: Curve) -> Attitude:
    """Return the attitude of roll, pitch and yaw angles: R = Rz(yaw) Ry(pitch) Rx(roll).

    Parameters
    ----------
    angles : callable
        Curve of (roll, pitch, yaw) in rad with its derivatives, such as of `rest_to_rest`.

    Returns
    -------
    callable
        `attitude(t)` returns R (3, 3), the body rates w (3,) and their derivative.

    Examples
    --------
    >>> import poinsot as ps
    >>> still = ps.control.euler_attitude(ps.control.rest_to_rest([0.1, 0.2, 0.3], []))
    >>> still(0.0)[1]
    array([0., 0., 0.])
    """
    axes = [np.array([0.0, 0, 1, 0, 0, 0]), np.array([0.0, 1, 0, 0, 0, 0]), np.array([1.0, 0, 0, 0, 0, 0])]
    _check_curve("euler_attitude", angles)

    def attitude(t: float) -> tuple[Array, Array, Array]:
        G, v, a = product(axes, angles(t)[:3, ::-1])
        return G[:3, :3], v[:3], a[:3]

    return attitude


def _check_curve(who: str, curve: Any) -> None:
    if not callable(curve):
        raise ModelError(f"{who}: expected a curve, a function of the time, got {checks.show(curve)}")


def turning(axis: ArrayLike, angle: Curve, start: Any = None) -> Attitude:
    """Return the attitude that turns about a body axis.

    Parameters
    ----------
    axis : array_like, shape (3,)
        Axis in the body frame; it is normalised.
    angle : callable
        Curve of the angle in rad, (5, 1), such as of `rest_to_rest`.
    start : array_like, shape (4,) or (3, 3), optional
        Attitude at the angle 0.  Default: no rotation.

    Returns
    -------
    callable
        `attitude(t)` returns R (3, 3), the body rates w (3,) and their derivative.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> flip = ps.control.turning((0, 1, 0), ps.control.rest_to_rest([0.0], [(0.0, 2.0, [2 * np.pi])]))
    >>> flip(1.0)[0].round(12)[2, 2]
    np.float64(-1.0)
    """
    who = "turning"
    twist = np.array([*checked_axis(who, "axis", axis), 0.0, 0.0, 0.0])
    R0 = matrix(checks.rotation(who, "start", start))
    _check_curve(who, angle)

    def attitude(t: float) -> tuple[Array, Array, Array]:
        G, v, a = product([twist], np.asarray(angle(t))[:3, :1])
        return R0 @ G[:3, :3], v[:3], a[:3]

    return attitude


# Cumulative cubic B-splines (Kim, Kim and Shin 1995): 1, and three functions of the part x of an interval.
CUMULATIVE = np.array([[5.0, 3.0, -3.0, 1.0], [1.0, 3.0, 3.0, -2.0], [0.0, 0.0, 0.0, 1.0]]) / 6.0


def pose_spline(begin: float, spacing: float, poses: Sequence[ArrayLike]) -> Pose:
    """Return a spline on SE(3) near given poses: a cumulative cubic B-spline, twice differentiable.

    It begins at rest at the first pose, passes near the others, and comes to rest at the last one after
    (number of poses + 1) spacings.  For a spline of rotations give rotations.

    Parameters
    ----------
    begin : float
        Time at which it begins, in seconds.
    spacing : float
        Time between two poses.
    poses : sequence of array_like, shape (4, 4) or (3, 3)
        Poses, or rotations, at least two.

    Returns
    -------
    callable
        `pose(t)` returns G (4, 4), the body twist (6,) and its rate.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> pose = ps.control.pose_spline(0.0, 1.0, [np.eye(4), ps.se3.exp((0, 0, 1, 1, 0, 0))])
    >>> pose(0.0)[1], bool(pose(0.5)[1][2] > 0)
    (array([0., 0., 0., 0., 0., 0.]), True)
    """
    who = "pose_spline"
    t0, h = checks.number(who, "begin", begin), checks.number(who, "spacing", spacing, positive=True)
    given = checks.items(who, "poses", poses, "a list of poses")
    if len(given) < 2:
        raise ModelError(f"{who}: give at least two poses, got {len(given)}")
    knots = [_pose(who, one) for one in given]
    knots = [knots[0], knots[0], *knots, knots[-1], knots[-1]]
    steps = [np.asarray(se3.log(inverse(a) @ b)) for a, b in pairwise(knots)]
    last = len(knots) - 4

    def pose(t: float) -> tuple[Array, Array, Array]:
        x = min(max((moment(t) - t0) / h, 0.0), last + 1.0)
        i = min(int(x), last)
        s = x - i
        moves = 0.0 < x < last + 1.0
        b = np.array([c @ [1.0, s, s * s, s**3] for c in CUMULATIVE])
        bd = np.array([c @ [0.0, 1.0, 2 * s, 3 * s * s] for c in CUMULATIVE]) / h
        bdd = np.array([c @ [0.0, 0.0, 2.0, 6 * s] for c in CUMULATIVE]) / h**2
        return product(steps[i : i + 3], np.array([b, moves * bd, moves * bdd]), knots[i])

    return pose


def _pose(who: str, value: Any) -> Array:
    found = checks.array(who, "each of poses", value, "a 4x4 or 3x3 matrix", (4, 4), (3, 3))
    G = np.eye(4)
    G[:3, :3] = matrix(checks.rotation(who, "the rotation of each pose", found[:3, :3]))
    if len(found) == 4:
        G[:3, 3] = found[:3, 3]
    return G
