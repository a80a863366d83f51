"""The classical Runge-Kutta step in the components of a state, which adds quaternions as vectors.

y1 = y + h/6 (k1 + 2 k2 + 2 k3 + k4),   k = field(t, y) of `core.body.field`                 (1)
"""

from poinsot.core.body.field import field
from poinsot.core.body.records import State, System
from poinsot.core.jit import jit
from poinsot.core.lie.vec3 import axpy


@jit
def moved(x: State, s: float, k: State) -> State:
    """x + s k."""
    q = (x.q[0] + s * k.q[0], x.q[1] + s * k.q[1], x.q[2] + s * k.q[2], x.q[3] + s * k.q[3])
    return State(q, axpy(s, k.P, x.P), axpy(s, k.r, x.r), axpy(s, k.p, x.p))


@jit
def raw_step(system: System, t: float, h: float, x: State) -> tuple[State, float]:
    """Step (1), without normalisation, and its work."""
    k1, w1 = field(system, t, x)
    k2, w2 = field(system, t + 0.5 * h, moved(x, 0.5 * h, k1))
    k3, w3 = field(system, t + 0.5 * h, moved(x, 0.5 * h, k2))
    k4, w4 = field(system, t + h, moved(x, h, k3))
    total = moved(moved(moved(k1, 2.0, k2), 2.0, k3), 1.0, k4)
    return moved(x, h / 6.0, total), h / 6.0 * ((w1 + w4) + 2.0 * (w2 + w3))
