"""What a vehicle believes: pose and velocities from its sensors, and the wrench that it did not expect.

Every sample of length T (wm, am: readings; tau, F: torque and force of the inputs, in body axes):

    w <- w + T J^-1 (tau + tB - w x J w) + g_w (wm - w),       tB <- tB + g_t (wm - w)                  (1)
    a = R (am - b) + gravity,   v <- v + T a,   r <- r + T v + T^2 a / 2,   R <- R exp(T w)             (2)
    FB <- s FB + (1 - s)(m (am - b) - F - other forces)                                                 (3)

(2) takes means of neighbouring samples.  A pose (y, Y) that was measured earlier corrects the belief of its
own time, with the period P of such measurements, and (2) is repeated from there with the readings that are
kept:

    e = y - r,     r <- r + g_r e,     v <- v + (g_v / P) e,     b <- b + (2 g_b / P^2) R^T e,     R <- Y  (4)

g_b is negative: a bias that is too large makes the predicted velocity too small.
"""

from typing import Any

import numpy as np

from poinsot.lie import so3
from poinsot.model.checks import Array

RATE, TORQUE = 0.2, 0.01  # g_w, g_t of (1)
SMOOTH = 0.98  # s of (3)
POSITION, VELOCITY, BIAS = 1.0, 0.575, -0.025  # g_r, g_v, g_b of (4): discrete roots 0, 0.5, 0.9

Belief = dict[str, Any]  # r v R w b tB FB, and the lists of readings and beliefs


def rate_step(
    J: Array,
    w: Array,
    bias: Array,
    torque: Array,
    gyro: Array,
    T: float,
    gains: tuple[float, float] = (RATE, TORQUE),
) -> tuple[Array, Array]:
    """Return w and tB of the next sample, equation (1)."""
    miss = gyro - w
    return w + T * np.linalg.solve(J, torque + bias - np.cross(w, J @ w)) + gains[0] * miss, bias + gains[
        1
    ] * miss


def begun(r: Array, v: Array, R: Array, w: Array, specific: Array) -> Belief:
    """Return the belief of a vehicle that knows its state."""
    zero = np.zeros(3)
    found = {"r": r, "v": v, "R": R, "w": w, "b": zero, "torque": zero, "force": zero}
    return {**found, "readings": np.array([[*w, *specific]]), "past": np.array([[*r, *v, *R.ravel()]])}


def predicted(belief: Belief, first: Array, last: Array, gravity: Array, T: float) -> None:
    """Move r, v and R by one sample, equation (2); `first` and `last` are the readings (w, a) at its ends."""
    R, b = belief["R"], belief["b"]
    turned = R @ np.asarray(so3.exp(T / 2 * (first[:3] + last[:3])))
    a = (R @ (first[3:] - b) + turned @ (last[3:] - b)) / 2 + gravity
    belief["r"] = belief["r"] + T * belief["v"] + T * T / 2 * a
    belief["v"], belief["R"] = belief["v"] + T * a, turned


def sampled(belief: Belief, w: Array, specific: Array, gravity: Array, T: float, kept: int) -> None:
    """Take the rates and the specific force of the next sample into the belief; the last `kept` are kept."""
    now = np.array([*w, *specific])
    predicted(belief, belief["readings"][-1], now, gravity, T)
    belief["w"] = w
    row = np.array([*belief["r"], *belief["v"], *belief["R"].ravel()])
    belief["readings"] = np.vstack([belief["readings"][1 - kept :], now])
    belief["past"] = np.vstack([belief["past"][1 - kept :], row])


def corrected(belief: Belief, ago: int, y: Array, Y: Array, period: float, gravity: Array, T: float) -> None:
    """Correct the belief by a pose that was measured `ago` samples before, equation (4)."""
    readings, past = belief["readings"], belief["past"]
    k = max(len(past) - 1 - ago, 0)
    r, v, R = past[k, :3], past[k, 3:6], past[k, 6:].reshape(3, 3)
    e = y - r
    belief["r"], belief["v"], belief["R"] = r + POSITION * e, v + VELOCITY / period * e, Y
    belief["b"] = belief["b"] + 2 * BIAS / period**2 * (R.T @ e)
    past[k] = [*belief["r"], *belief["v"], *Y.ravel()]
    for i in range(k, len(past) - 1):
        predicted(belief, readings[i], readings[i + 1], gravity, T)
        past[i + 1] = [*belief["r"], *belief["v"], *belief["R"].ravel()]
