"""Curves with four exact derivatives: polynomials from rest to rest, circles, helices.

s(x) = x^(n+1) sum_k C(n+k, k) C(2n+1, n-k) (-x)^k,   degree 2n+1, n vanishing derivatives at 0 and 1   (1)
"""

from collections.abc import Callable, Sequence
from math import comb, factorial
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, show

DERIVATIVES = 4
Curve = Callable[[float], Array]  # t -> (5, k)


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


def rest_to_rest(start: ArrayLike, moves: Sequence[tuple[float, float, ArrayLike]], degree: int = 9) -> Curve:
    """Return a curve that moves from rest to rest, one move after the other.

    Parameters
    ----------
    start : array_like, shape (k,)
        Values at the beginning.
    moves : sequence of (begin, duration, target)
        Times in seconds, and the values (k,) at the end of each move, in order.
    degree : {3, 5, 7, 9, 11}, default 9
        Degree of the polynomials; (degree - 1) / 2 derivatives vanish at the ends of a move.

    Returns
    -------
    callable
        `curve(t)` returns the values and four derivatives, (5, k).

    Raises
    ------
    ModelError
        If the moves overlap, or a value is wrong.

    Examples
    --------
    >>> import poinsot as ps
    >>> curve = ps.control.rest_to_rest([0.0], [(1.0, 2.0, [3.0])])
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
        if begin < end - 1e-12 * max(1.0, abs(end)):
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

    return curve


def replanned(now: ArrayLike, target: ArrayLike, duration: float, begin: float = 0.0) -> Curve:
    """Return the curve of degree 9 from five given derivatives to rest at a target.

    Parameters
    ----------
    now : array_like, shape (5, k)
        Values and four derivatives at the beginning.
    target : array_like, shape (k,)
        Values at the end.
    duration : float
        Duration in seconds.
    begin : float, default 0.0
        Time at which the curve begins.

    Returns
    -------
    callable
        `curve(t)` returns the values and four derivatives, (5, k).

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> curve = ps.control.replanned(np.array([[0.0], [1.0], [0.0], [0.0], [0.0]]), [2.0], duration=1.5)
    >>> curve(0.0)[1], curve(1.5)[0].round(12)
    (array([1.]), array([2.]))
    """
    who = "replanned"
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
    across: ArrayLike = (1, 0, 0),
    up: ArrayLike = (0, 0, 1),
    centre: Any = 0.0,
) -> Curve:
    """Return a circle, flown at constant speed for ever: centre + R (cos a across + sin a up).

    Parameters
    ----------
    radius : float
        Radius in metres.
    frequency : float
        Revolutions per second.
    across, up : array_like, shape (3,)
        Perpendicular unit vectors: the direction at the time 0, and a quarter of a turn later.
    centre : array_like, shape (3,), optional
        Centre in metres.  Default: the origin.

    Returns
    -------
    callable
        `curve(t)` returns the position and four derivatives, (5, 3).

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.control.circle(2.0, 0.5)(0.5)[0].round(12) + 0.0
    array([0., 0., 2.])
    """
    return helix(radius, frequency, (0.0, 0.0, 0.0), across, up, centre)


def helix(
    radius: float,
    frequency: float,
    climb: ArrayLike,
    across: ArrayLike = (1, 0, 0),
    up: ArrayLike = (0, 1, 0),
    centre: Any = 0.0,
) -> Curve:
    """Return a helix: a circle whose centre moves with a constant velocity.

    Parameters
    ----------
    radius : float
        Radius in metres.
    frequency : float
        Revolutions per second.
    climb : array_like, shape (3,)
        Velocity of the centre in m/s.
    across, up : array_like, shape (3,)
        Perpendicular unit vectors: the direction at the time 0, and a quarter of a turn later.
    centre : array_like, shape (3,), optional
        Centre at the time 0, in metres.  Default: the origin.

    Returns
    -------
    callable
        `curve(t)` returns the position and four derivatives, (5, 3).

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.control.helix(1.0, 1.0, climb=(0, 0, 0.2))(1.0)[0].round(12) + 0.0
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
    c, u = checks.triple(who, "centre", centre), checks.vector(who, "climb", climb)

    def curve(t: float) -> Array:
        t = moment(t)
        cosine, sine = wave(np.ones(1), w, np.array([np.pi / 2]), t), wave(np.ones(1), w, np.zeros(1), t)
        out = R * (cosine * x + sine * y)
        out[0] += c + u * t
        out[1] += u
        return out

    return curve
