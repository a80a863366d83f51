"""Functions of Lie group methods on one body: the rate of a state, and a state moved along it.

k = (w, P x w + T, mobility p, F, power),      x moved by s k:  q exp(s w),  P + s P.,  r + s r.,  p + s p.
"""

from typing import NamedTuple

from poinsot.core.body.load import load, velocity
from poinsot.core.body.records import State, System
from poinsot.core.body.work import power
from poinsot.core.jit import jit
from poinsot.core.lie import quaternion
from poinsot.core.lie.quaternion import Quaternion
from poinsot.core.lie.vec3 import Vec3, add, axpy, cross, scale


class Slope(NamedTuple):
    """Angular velocity, and rates of P, r, p and of the work."""

    w: Vec3
    P: Vec3
    r: Vec3
    p: Vec3
    W: float


@jit
def slope(system: System, t: float, x: State) -> Slope:
    w, f = velocity(system.body, x), load(system, t, x)
    rates = add(cross(x.P, w), f.T), scale(system.body.mobility, x.p), f.F
    return Slope(w, *rates, power(system, x, f))


@jit
def rotated(q: Quaternion, s: float, u: Vec3) -> Quaternion:
    """q exp(s u)."""
    return quaternion.compose(q, quaternion.exp(scale(s, u)))


@jit
def placed(q: Quaternion, x: State, s: float, k: Slope) -> State:
    """State with the attitude q and the rest of x moved by s k."""
    return State(q, axpy(s, k.P, x.P), axpy(s, k.r, x.r), axpy(s, k.p, x.p))


@jit
def moved(x: State, s: float, k: Slope) -> State:
    """x moved by s k."""
    return placed(rotated(x.q, s, k.w), x, s, k)


@jit
def weighted(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> Vec3:
    """(a + 2 b + 2 c + d)/6."""
    return scale(1.0 / 6.0, add(add(a, d), scale(2.0, add(b, c))))


@jit
def mean(a: Slope, b: Slope, c: Slope, d: Slope) -> Slope:
    """Mean slope of the classical Runge-Kutta method."""
    return Slope(
        weighted(a.w, b.w, c.w, d.w),
        weighted(a.P, b.P, c.P, d.P),
        weighted(a.r, b.r, c.r, d.r),
        weighted(a.p, b.p, c.p, d.p),
        ((a.W + d.W) + 2.0 * (b.W + c.W)) / 6.0,
    )
