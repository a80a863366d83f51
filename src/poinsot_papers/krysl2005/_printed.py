"""The algorithms of the paper in NumPy, on rotation matrices, line by line as printed.

Misprints are arguments of the functions.  The code is slow and meant for comparison: `nmb` and `hstagm` of
the library are the corrected forms.  All torques are functions of the attitude, in space.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from poinsot_papers.claims import Array

Torque = Callable[[Array], Array]
Tangent = Callable[[Array, Array, Array, float], Array]
UP = np.array([0.0, 0.0, 1.0])
MAX_ITERATIONS = 30
RK4 = (((), (0.5,), (0.0, 0.5), (0.0, 0.0, 1.0)), (1 / 6, 1 / 3, 1 / 3, 1 / 6))  # a, b of the tableau


class Walk(NamedTuple):
    """Attitudes (n + 1, 3, 3), body velocities (n + 1, 3), iterations per step, number of unsolved steps."""

    R: Array
    w: Array
    iterations: list[int]
    unsolved: int


def cross(a: Array, b: Array) -> Array:
    """Return a x b, ten times as fast as NumPy for three numbers."""
    (a1, a2, a3), (b1, b2, b3) = a, b
    return np.array((a2 * b3 - a3 * b2, a3 * b1 - a1 * b3, a1 * b2 - a2 * b1))


def hat(x: Array) -> Array:
    """Return the matrix of the cross product with x."""
    return np.array(((0.0, -x[2], x[1]), (x[2], 0.0, -x[0]), (-x[1], x[0], 0.0)))


def rotation(x: Array) -> Array:
    """Return exp(hat(x)), equation 4."""
    half_turns, X = float(np.sqrt(x @ x)) / np.pi, hat(x)
    result: Array = np.eye(3) + np.sinc(half_turns) * X + 0.5 * np.sinc(half_turns / 2) ** 2 * (X @ X)
    return result


def top(weight: float) -> Torque:
    """Return the torque of gravity on a top with m g l = weight, which pulls its axis down."""
    return lambda R: -weight * cross(R[:, 2], UP)


def no_torque(R: Array) -> Array:
    """Return the zero torque of a free body."""
    return np.zeros(3)


def balance(I: Array, T: Array, w: Array) -> Array:
    """Return the angular acceleration of equation 19."""
    return np.asarray(np.linalg.solve(I, T - cross(w, I @ w)), dtype=float)


def derivative(I: Array, w_half: Array, a: Array, h: float) -> Array:
    """Return the tangent of equation 42, as in appendix B."""
    w = w_half + h / 2 * a
    result: Array = I + h / 2 * (hat(w) @ I - hat(I @ w))
    return result


def equation_43(I: Array, w_half: Array, a: Array, h: float) -> Array:
    """Return the tangent as printed in equation 43."""
    W, A = hat(w_half), hat(a)
    result: Array = I + h / 2 * (W @ I - I @ W) + h**2 / 2 * (A @ I - I @ A)
    return result


def acceleration(
    I: Array, w_half: Array, a: Array, T: Array, h: float, tangent: Tangent, tolerance: float | None
) -> tuple[Array, int, bool]:
    """Solve equation 42 by Newton's method from a; with None the tolerance is relative to the terms."""
    for iteration in range(MAX_ITERATIONS + 1):
        w = w_half + h / 2 * a
        P = I @ w
        residual = I @ a - T + cross(w, P)
        size = np.linalg.norm(P) * np.linalg.norm(w) + np.linalg.norm(T) + np.linalg.norm(I @ a)
        allowed = 1e-13 * size if tolerance is None else tolerance
        if np.abs(residual).max() <= allowed or not np.isfinite(size):
            break
        if iteration < MAX_ITERATIONS:
            a = a - np.linalg.solve(tangent(I, w_half, a, h), residual)
    return a, iteration, bool(np.abs(residual).max() <= allowed)


def nmb(
    I: Array,
    R: Array,
    w: Array,
    torque: Torque,
    h: float,
    steps: int,
    *,
    tangent: Tangent = derivative,
    tolerance: float | None = None,
    orthogonal: bool = False,
) -> Walk:
    """Run algorithm NMB; it ends where Newton's method fails, unless a tolerance is given (appendix B)."""
    a = balance(I, R.T @ torque(R), w)
    Rs, ws, iterations, unsolved = [R], [w], [], 0
    for _ in range(steps):
        w_half = w + h / 2 * a
        R = R @ rotation(h * w_half)
        if orthogonal:
            R = R @ (3 * np.eye(3) - R.T @ R) / 2
        a, count, good = acceleration(I, w_half, a, R.T @ torque(R), h, tangent, tolerance)
        iterations.append(count)
        unsolved += not good
        if not good and tolerance is None:
            break
        w = w_half + h / 2 * a
        Rs.append(R)
        ws.append(w)
    return Walk(np.array(Rs), np.array(ws), iterations, unsolved)


def hstagm(
    I: Array, R: Array, w: Array, torque: Torque, h: float, steps: int, *, as_printed: bool
) -> tuple[Array, Array]:
    """Run HSTAGM; return R and w at the end.  As printed, the first acceleration uses the torque in space."""
    T = torque(R) if as_printed else R.T @ torque(R)
    a = balance(I, T, w)
    x = h / 2 * w + h**2 / 8 * a
    R_half, J = R @ rotation(x), np.linalg.inv(I)
    pi = R @ I @ w
    pi_half = pi + h / 2 * torque(R @ rotation(x / 2))
    for _ in range(steps):
        pi = pi + h * torque(R_half)
        R = R @ rotation(h * J @ R_half.T @ pi_half)
        pi_half = pi_half + h * torque(R)
        R_half = R_half @ rotation(h * J @ R.T @ pi)
    return R, J @ R.T @ pi


def sw(
    I: Array, R: Array, w: Array, torque: Torque, h: float, steps: int, a: Array | None = None
) -> tuple[Array, Array, Array]:
    """Run algorithm SW; return R, w and the acceleration that it keeps, at the end."""
    if a is None:
        a = balance(I, R.T @ torque(R), w)
    J, pi, t = np.linalg.inv(I), R @ I @ w, torque(R)
    for _ in range(steps):
        R = R @ rotation(h * w + h**2 / 2 * a)
        t0, t = t, torque(R)
        pi = pi + h / 2 * (t0 + t)
        w0, w = w, J @ R.T @ pi
        a = 2 / h * (w - w0) - a
    return R, w, a


def average(x: Array) -> Array:
    """Return the mean of exp(s x) for s from 0 to 1, which is dexp(x)."""
    half_turns, X = float(np.sqrt(x @ x)) / np.pi, hat(x)
    third = (1 - np.sinc(half_turns)) / (half_turns * np.pi) ** 2 if half_turns > 1e-3 else 1 / 6
    result: Array = np.eye(3) + 0.5 * np.sinc(half_turns / 2) ** 2 * X + third * (X @ X)
    return result


def crouch_grossman(
    I: Array, R: Array, w: Array, weight: float, h: float, steps: int, *, coadjoint: bool, tableau: Any = RK4
) -> tuple[Array, Array]:
    """Run Crouch-Grossman on a top; return attitudes (n + 1, 3, 3) and body momenta (n + 1, 3).

    A stage with constant w moves the attitude and adds the rate of the momentum, or (`coadjoint`) moves the
    momentum as that of a heavy top with this w, which stays on its coadjoint orbit:
    P1 = S^T (P + g x h dexp(h w) u), S = exp(h w), g = R^T up, u = weight e3.
    """
    (rows, b), J, P = tableau, np.linalg.inv(I), I @ w
    Rs, Ps, u = [R], [P], weight * UP
    for _ in range(steps):
        ws: list[Array] = []
        rates: list[Array] = []
        for row in (*rows, b):
            Ri, Pi = R, P
            for c, wi, rate in zip(row, ws, rates, strict=False):
                if c:
                    S, x = rotation(h * c * wi), h * c * wi
                    Pi = S.T @ (Pi + cross(Ri[2], h * c * average(x) @ u)) if coadjoint else Pi + h * c * rate
                    Ri = Ri @ S
            if len(ws) < len(b):
                wi = J @ Pi
                ws.append(wi)
                rates.append(cross(Pi, wi) + cross(Ri[2], u))
        R, P = Ri, Pi
        Rs.append(R)
        Ps.append(P)
    return np.array(Rs), np.array(Ps)
