"""Curves with four exact derivatives: polynomials from rest to rest, circles, helices.

s(x) = x^(n+1) sum_k C(n+k, k) C(2n+1, n-k) (-x)^k,   degree 2n+1, n vanishing derivatives at 0 and 1   (1)

Aerobatic manoeuvres of copters from hover to hover, in the xz plane.

loop:  x = R sin a, z = R (1 - cos a),     a from 0 to 2 pi by a polynomial of degree 9                 (1)
flip:  s = 2 t / T - 1,  z = h (1 - s^2)^p,  x = -c s (1 - s^2)^q                                       (2)

Attitudes and poses as products of exponentials, with exact rates.

    G = exp(b_1 x_1) exp(b_2 x_2) ...,     G^-1 G' = wed(v)                                          (1)
    v_j = Ad(exp(-b_j x_j)) v_(j-1) + b_j' x_j                                                       (2)
    v_j' = Ad(exp(-b_j x_j)) v_(j-1)' + b_j' ad(v_j) x_j + b_j'' x_j                                 (3)

Euler angles, turns about an axis and cumulative B-splines are such products.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import comb, factorial
from typing import Any, cast

import numpy as np
from numpy.polynomial import polynomial as poly

from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError
from poinsot.lie import se3
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.inputs.input import checked_axis
from poinsot.model.rotations import Ad, ad, matrix, pose_inverse

DERIVATIVES = 4
Curve = Callable[[float], Array]  # t -> (5, k); `span`: it rests outside, `period`: of its accelerations


def step_coefficients(degree: int) -> Array:
    """Return the coefficients of (1), constant first."""
    n = (degree - 1) // 2
    out = np.zeros(degree + 1)
    for k in range(n + 1):
        out[n + 1 + k] = comb(n + k, k) * comb(2 * n + 1, n - k) * (-1) ** k
    return out


def tower(coefficients: Array) -> Array:
    """Return the coefficients (5, n + 1, k) of a polynomial (n + 1, k) and its first four derivatives."""
    rows = [coefficients]
    factors = np.arange(1.0, len(coefficients))[:, None]
    for _ in range(DERIVATIVES):
        rows.append(np.vstack([rows[-1][1:] * factors, 0.0 * rows[-1][:1]]))
    return np.array(rows)


def derivatives(polynomials: Array, x: float) -> Array:
    """Return a polynomial and its first four derivatives at x, (5, k), from their `tower`."""
    return cast(Array, np.einsum("ijk,j->ik", polynomials, x ** np.arange(polynomials.shape[1])))


def moment(t: object) -> float:
    """Return a time."""
    return checks.number("curve", "t", t)


def rest_to_rest(
    start: ArrayLike, moves: Sequence[tuple[float, float, ArrayLike]], *, degree: int = 9
) -> Curve:
    """Return a curve that moves from rest to rest, one move after the other.

    `start`: values at the beginning (k,); `moves`: times [s], and the values (k,) at the end of each move, in
    order; `degree`: degree of the polynomials; (degree - 1) / 2 derivatives vanish at the ends of a move.

    >>> curve = ps.control.references.rest_to_rest([0.0], [(1.0, 2.0, [3.0])])
    >>> curve(2.0)[0], curve(5.0)[:2, 0]
    (array([1.5]), array([3., 0.]))
    """
    who = "rest_to_rest"
    first = checks.array(who, "start", start, "numbers", (None,))
    if checks.whole(who, "degree", degree, 3, 11) % 2 == 0:
        raise ModelError(f"{who}: degree must be 3, 5, 7, 9 or 11, got {show(degree)}")
    coefficients = tower(step_coefficients(degree)[:, None])
    plan, at, end = [], first, -np.inf
    for move in checks.items(who, "moves", moves, "a list of (begin, duration, target)"):
        three = checks.items(who, "each of moves", move, "(begin, duration, target)")
        if len(three) != 3:
            raise ModelError(f"{who}: each of moves must be (begin, duration, target), got {show(move)}")
        begin = checks.number(who, "begin", three[0])
        duration = checks.number(who, "duration", three[1], positive=True)
        target = checks.vector(who, "target", three[2], len(first))
        if begin < end - 1e-12 * max(duration, abs(end)):
            raise ModelError(f"{who}: the move at {begin:g} begins before the one before it ends, at {end:g}")
        plan.append((begin, duration, at, target))
        at, end = target, begin + duration

    def curve(t: float) -> Array:
        t = moment(t)
        out = np.zeros((DERIVATIVES + 1, len(first)))
        out[0] = first
        for begin, duration, a, b in plan:
            if t >= begin + duration:
                out[0] = b
            elif t > begin:
                s = derivatives(coefficients, (t - begin) / duration)
                out = s * (b - a) / duration ** np.arange(DERIVATIVES + 1)[:, None]
                out[0] += a
                break
        return out

    vars(curve).update(span=(plan[0][0], end) if plan else (0.0, 0.0))
    return curve


def replan(now: ArrayLike, target: ArrayLike, duration: float, *, begin: float = 0.0) -> Curve:
    """Return the curve of degree 9 from five given derivatives to rest at a target.

    `now`: values and four derivatives at the beginning (5, k); `target`: values at the end (k,); `duration`:
    duration [s]; `begin`: time at which the curve begins.

    >>> now = np.array([[0.0], [1.0], [0.0], [0.0], [0.0]])
    >>> curve = ps.control.references.replan(now, [2.0], duration=1.5)
    >>> curve(0.0)[1], curve(1.5)[0].round(12)
    (array([1.]), array([2.]))
    """
    who = "replan"
    first = checks.array(who, "now", now, "5 rows of numbers", (5, None))
    last = np.zeros(first.shape)
    last[0] = checks.vector(who, "target", target, first.shape[1])
    T = checks.number(who, "duration", duration, positive=True)
    t0 = checks.number(who, "begin", begin)
    with np.errstate(over="ignore", under="ignore"):
        powers = T ** np.arange(5)[:, None]
    if not (np.isfinite(powers).all() and powers.all()):
        raise ModelError(f"{who}: duration is too large or too small, got {show(duration)}")
    low = first * powers / np.array([factorial(k) for k in range(5)])[:, None]
    rows = np.array(
        [[factorial(j) / factorial(j - k) if j >= k else 0.0 for j in range(10)] for k in range(5)]
    )
    high = np.linalg.solve(rows[:, 5:], last * powers - rows[:, :5] @ low)
    coefficients = tower(np.vstack([low, high]))

    def curve(t: float) -> Array:
        x = (moment(t) - t0) / T
        if x >= 1:
            return last.copy()
        return cast(Array, derivatives(coefficients, max(x, 0.0)) / powers)

    return curve


def wave(amplitude: Array, rate: float, phase: Array, t: float) -> Array:
    """Return amplitude sin(rate t + phase) and four derivatives."""
    k = np.arange(DERIVATIVES + 1)[:, None]
    return cast(Array, amplitude * rate**k * np.sin(rate * t + phase + k * np.pi / 2))


def circle(
    radius: float,
    frequency: float,
    *,
    across: ArrayLike = (1, 0, 0),
    up: ArrayLike = (0, 0, 1),
    center: Any = 0.0,
) -> Curve:
    """Return a circle, flown at constant speed for ever: center + R (cos a across + sin a up).

    `radius`: radius [m]; `frequency`: revolutions per second; `across`, `up`: perpendicular unit vectors: the
    direction at the time 0, and a quarter of a turn later (3,); `center`: center [m] (3,) (default: the
    origin).

    >>> ps.control.references.circle(2.0, 0.5)(0.5)[0].round(12) + 0.0
    array([0., 0., 2.])
    """
    return helix(radius, frequency, (0.0, 0.0, 0.0), across=across, up=up, center=center)


def helix(
    radius: float,
    frequency: float,
    climb: ArrayLike,
    *,
    across: ArrayLike = (1, 0, 0),
    up: ArrayLike = (0, 1, 0),
    center: Any = 0.0,
) -> Curve:
    """Return a helix: a circle whose center moves with a constant velocity.

    Parameters
    ----------
    radius : radius [m]
    frequency : revolutions per second
    climb : velocity of the center [m/s] (3,)
    across, up : perpendicular unit vectors: the direction at the time 0, and a quarter of a turn later (3,)
    center : center at the time 0 [m] (3,).  Default: the origin.

    >>> ps.control.references.helix(1.0, 1.0, climb=(0, 0, 0.2))(1.0)[0].round(12) + 0.0
    array([1. , 0. , 0.2])
    """
    who = "curve"
    R = checks.number(who, "radius", radius, zero=True)
    w = 2 * np.pi * checks.number(who, "frequency", frequency)
    x, y = checks.vector(who, "across", across), checks.vector(who, "up", up)
    if abs(x @ y) > 1e-9 or abs(x @ x - 1) > 1e-9 or abs(y @ y - 1) > 1e-9:
        raise ModelError(
            f"{who}: across and up must be perpendicular unit vectors, got {show(x)} and {show(y)}"
        )
    c, u = checks.triple(who, "center", center), checks.vector(who, "climb", climb)

    def curve(t: float) -> Array:
        t = moment(t)
        cosine, sine = wave(np.ones(1), w, np.array([np.pi / 2]), t), wave(np.ones(1), w, np.zeros(1), t)
        out = R * (cosine * x + sine * y)
        out[0] += c + u * t
        out[1] += u
        return out

    vars(curve).update(period=2 * np.pi / abs(w)) if w else vars(curve).update(span=(0.0, 0.0))
    return curve


def composed(outer: Array, inner: Array) -> Array:
    """Return the derivatives (5,) of f(a(t)) from those of f at a and of a at t (Faa di Bruno)."""
    f1, f2, f3, f4 = outer[1:]
    a1, a2, a3, a4 = inner[1:]
    return np.array(
        [
            outer[0],
            f1 * a1,
            f2 * a1**2 + f1 * a2,
            f3 * a1**3 + 3 * f2 * a1 * a2 + f1 * a3,
            f4 * a1**4 + 6 * f3 * a1**2 * a2 + f2 * (3 * a2**2 + 4 * a1 * a3) + f1 * a4,
        ]
    )


def loop_the_loop(radius: float, duration: float, *, begin: float = 0.0) -> Curve:
    """Return a loop in the xz plane, from rest to rest.

    `radius`: radius [m]; `duration`: duration [s]; `begin`: time at which it begins.

    >>> ps.control.references.loop_the_loop(1.0, 3.6)(1.8)[0].round(12) + 0.0
    array([0., 0., 2.])
    """
    R = checks.number("loop_the_loop", "radius", radius, zero=True)
    angle = rest_to_rest([0.0], [(begin, duration, [2 * np.pi])])

    def curve(t: float) -> Array:
        a = angle(t)[:, 0]
        s, c = np.sin(a[0]), np.cos(a[0])
        out = np.zeros((DERIVATIVES + 1, 3))
        out[:, 0] = composed(R * np.array([s, c, -s, -c, s]), a)
        out[:, 2] = composed(R * np.array([1 - c, s, c, -s, -c]), a)
        return out

    vars(curve).update(vars(angle))
    return curve


def flip(
    *,
    duration: float = 2.2,
    height: float = 0.94,
    p: int = 10,
    side: float = 1.4,
    q: int = 12,
    begin: float = 0.0,
) -> Curve:
    """Return a flip in the xz plane, equation (2): a hop so steep that a copter turns over in it.

    Parameters
    ----------
    duration : duration T [s]
    height : height h [m]
    p, q : exponents
    side : coefficient c of the motion aside [m]
    begin : time at which it begins

    >>> ps.control.references.flip()(1.1)[0].round(12) + 0.0
    array([0.  , 0.  , 0.94])
    """
    who = "flip"
    T = checks.number(who, "duration", duration, positive=True)
    h, c = checks.number(who, "height", height), checks.number(who, "side", side)
    t0 = checks.number(who, "begin", begin)
    n, m = checks.whole(who, "p", p, 3, 40), checks.whole(who, "q", q, 3, 40)
    bump = np.array([1.0, 0.0, -1.0])
    z = h * poly.polypow(bump, n)
    x = -c * poly.polymul([0.0, 1.0], poly.polypow(bump, m))
    towers = [tower(np.asarray(one, dtype=np.float64)[:, None]) for one in (x, z)]

    def curve(t: float) -> Array:
        s = 2 * (moment(t) - t0) / T - 1
        out = np.zeros((DERIVATIVES + 1, 3))
        if abs(s) < 1:
            scale = (2 / T) ** np.arange(DERIVATIVES + 1)
            out[:, 0], out[:, 2] = (derivatives(one, s)[:, 0] * scale for one in towers)
        return out

    vars(curve).update(span=(t0, t0 + T))
    return curve


Attitude = Callable[[float], tuple[Array, Array, Array]]  # t -> R, w, w'
Pose = Callable[[float], tuple[Array, Array, Array]]  # t -> G (4, 4), twist, its rate


def product(twists: Sequence[Array], b: Array, G0: Array | None = None) -> tuple[Array, Array, Array]:
    """Return G of (1), v and v', from the twists (k, 6) and b, b', b'' (3, k)."""
    G = np.eye(4) if G0 is None else G0
    v, a = np.zeros(6), np.zeros(6)
    for x, s, sd, sdd in zip(twists, *b, strict=True):
        X = np.asarray(se3.exp(s * x))
        back = Ad(pose_inverse(X))
        v = back @ v + sd * x  # (2)
        a = back @ a + sd * ad(v) @ x + sdd * x  # (3)
        G = G @ X
    return G, v, a


def euler_attitude(angles: Curve) -> Attitude:
    """Return the attitude of roll, pitch and yaw angles: R = Rz(yaw) Ry(pitch) Rx(roll).

    `angles`: curve of (roll, pitch, yaw) [rad] with its derivatives, such as of `rest_to_rest`.

    >>> still = ps.control.references.euler_attitude(ps.control.references.rest_to_rest([0.1, 0.2, 0.3], []))
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


def turning(axis: ArrayLike, angle: Curve, *, start: Any = None) -> Attitude:
    """Return the attitude that turns about a body axis.

    `axis`: axis in the body frame; it is normalised (3,); `angle`: curve of the angle [rad], (5, 1), such as
    of `rest_to_rest`; `start`: attitude at the angle 0 (4,) or (3, 3) (default: no rotation).

    >>> angle = ps.control.references.rest_to_rest([0.0], [(0.0, 2.0, [2 * np.pi])])
    >>> flip = ps.control.references.turning((0, 1, 0), angle)
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
    (number of poses + 1) spacings.  For a spline of rotations give rotations.  `begin`: time at which it
    begins [s]; `spacing`: time between two poses; `poses`: poses, or rotations, at least two (4, 4) or
    (3, 3).

    >>> pose = ps.control.references.pose_spline(0.0, 1.0, [np.eye(4), ps.se3.exp((0, 0, 1, 1, 0, 0))])
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
    steps = [np.asarray(se3.log(pose_inverse(a) @ b)) for a, b in pairwise(knots)]
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
