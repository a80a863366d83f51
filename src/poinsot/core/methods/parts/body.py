"""What methods for one body share: memories, kicks, slopes and compositions.

    kick     P <- P + s T,   p <- p + s F                        changes the momenta and not the pose     (1)
    slope    k = (w, P x w + T, mobility p, F, power)                                                    (2)
    moved    x by s k:  q exp(s w),  P + s P.,  r + s r.,  p + s p.                                      (3)
    composed_step    successive steps c_1 h, c_2 h, ...                                                  (4)

A kick reuses the load of the previous one if the pose is the same.  The load must not depend on the
velocity; then it is the same before and after the kick, and the kick is exact.
"""

from typing import Any, NamedTuple, TypeAlias

from poinsot.core.body.kernel import Stepped
from poinsot.core.body.load import load, velocity
from poinsot.core.body.records import LOAD as LOAD
from poinsot.core.body.records import BodyState, BodySystem, Load
from poinsot.core.body.work import power
from poinsot.core.jit import Compiled, jit
from poinsot.core.lie import quaternion
from poinsot.core.lie.quaternion import Quaternion
from poinsot.core.lie.vec3 import Vec3, add, axpy, cross, scale

Nothing: TypeAlias = tuple[float]
MEMORY: Nothing = (0.0,)  # of methods that keep nothing; Numba does not support records without numbers


@jit
def remember(system: BodySystem, t: float, h: float, x: BodyState) -> Nothing:
    """The empty memory."""
    return (0.0,)


@jit
def remember_load(system: BodySystem, t: float, h: float, x: BodyState) -> Load:
    """Load at the start, the memory of methods that reuse it."""
    return load(system, t, x)


@jit
def kick(s: float, f: Load, x: BodyState) -> BodyState:
    """State after a kick (1) over the time s."""
    return BodyState(x.q, axpy(s, f.T, x.P), x.r, axpy(s, f.F, x.p))


class Slope(NamedTuple):
    """Angular velocity, and rates of P, r, p and of the work."""

    w: Vec3
    P: Vec3
    r: Vec3
    p: Vec3
    W: float


@jit
def slope(system: BodySystem, t: float, x: BodyState) -> Slope:
    """(2)."""
    w, f = velocity(system.body, x), load(system, t, x)
    rates = add(cross(x.P, w), f.T), scale(system.body.mobility, x.p), f.F
    return Slope(w, *rates, power(system, x, f))


@jit
def rotated(q: Quaternion, s: float, u: Vec3) -> Quaternion:
    """q exp(s u)."""
    return quaternion.compose(q, quaternion.exp(scale(s, u)))


@jit
def placed(q: Quaternion, x: BodyState, s: float, k: Slope) -> BodyState:
    """State with the attitude q and the rest of x moved by s k."""
    return BodyState(q, axpy(s, k.P, x.P), axpy(s, k.r, x.r), axpy(s, k.p, x.p))


@jit
def moved(x: BodyState, s: float, k: Slope) -> BodyState:
    """x moved by s k: (3)."""
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


def composed_step(base: Compiled, coefficients: tuple[float, ...]) -> Compiled:
    """Make the step (4) of steps of `base`, whose memory does not depend on h."""

    @jit
    def step(system: BodySystem, t: float, h: float, x: BodyState, memory: Any) -> Stepped[Any]:
        evaluations, iterations, past, work = 0, 0, 0.0, 0.0 * x.q[0]
        failed = x.q[0] != x.q[0]
        for c in coefficients:
            x, memory, gain, more, again, stalled = base(system, t + past * h, c * h, x, memory)
            failed, work = failed | stalled, work + gain
            evaluations, iterations, past = evaluations + more, iterations + again, past + c
        return x, memory, work, evaluations, iterations, failed

    return step
