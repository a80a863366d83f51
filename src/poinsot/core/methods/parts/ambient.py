"""The equations of motion of one body in the numbers of its state, where adding is allowed and wrong.

y = (q, P, r, p):   q. = q (0, w)/2,   P. = P x w + T,   r. = mobility p,   p. = F           (1)
y1 = y + h/6 (k1 + 2 k2 + 2 k3 + k4)                                                        (2)
"""

from poinsot.core.body.load import load, velocity
from poinsot.core.body.records import State, System
from poinsot.core.jit import jit
from poinsot.core.lie import quaternion
from poinsot.core.lie.vec3 import add, axpy, cross, scale


@jit
def field(system: System, t: float, x: State) -> State:
    """(1)."""
    w, f = velocity(system.body, x), load(system, t, x)
    return State(quaternion.rate(x.q, w), add(cross(x.P, w), f.T), scale(system.body.mobility, x.p), f.F)


@jit
def moved(x: State, s: float, k: State) -> State:
    """x + s k."""
    q = (x.q[0] + s * k.q[0], x.q[1] + s * k.q[1], x.q[2] + s * k.q[2], x.q[3] + s * k.q[3])
    return State(q, axpy(s, k.P, x.P), axpy(s, k.r, x.r), axpy(s, k.p, x.p))


@jit
def raw_step(system: System, t: float, h: float, x: State) -> State:
    """(2)."""
    k1 = field(system, t, x)
    k2 = field(system, t + 0.5 * h, moved(x, 0.5 * h, k1))
    k3 = field(system, t + 0.5 * h, moved(x, 0.5 * h, k2))
    k4 = field(system, t + h, moved(x, h, k3))
    total = moved(moved(moved(k1, 2.0, k2), 2.0, k3), 1.0, k4)
    return moved(x, h / 6.0, total)
