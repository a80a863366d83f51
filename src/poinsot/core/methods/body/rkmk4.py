"""RKMK4: the Runge-Kutta-Munthe-Kaas method on the tableau of the classical method (1999).

    u. = dexpinv(-u) w,   R = R0 exp(u),   u(0) = 0                                          (1)
    P. = P x w + T,       r. = mobility p,  p. = F                                            (2)

(1) is the equation of the attitude in the coordinate u of the Lie algebra, where adding is allowed;
the classical Runge-Kutta method solves (1) and (2) together.
"""

from poinsot.core.body.records import State, System
from poinsot.core.jit import jit
from poinsot.core.lie import quaternion, so3
from poinsot.core.lie.vec3 import Vec3, add, axpy, neg, scale
from poinsot.core.methods.body.cg4 import Slope, slope
from poinsot.core.methods.body.nothing import MEMORY, remember
from poinsot.core.methods.method import Method


@jit
def placed(x: State, u: Vec3, s: float, k: Slope) -> State:
    """The state at the coordinate u, momenta and position moved by s k."""
    q = quaternion.compose(x.q, quaternion.exp(u))
    return State(q, axpy(s, k.P, x.P), axpy(s, k.r, x.r), axpy(s, k.p, x.p))


@jit
def stage(system: System, t: float, x: State, u: Vec3, s: float, k: Slope) -> Slope:
    """(1) and (2) at the coordinate u; the first entry is u."""
    y = slope(system, t, placed(x, u, s, k))
    return Slope(so3.dexpinv(neg(u), y.w), y.P, y.r, y.p)


@jit
def weighted(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> Vec3:
    """(a + 2 b + 2 c + d)/6."""
    return scale(1.0 / 6.0, add(add(a, d), scale(2.0, add(b, c))))


@jit
def mean(a: Slope, b: Slope, c: Slope, d: Slope) -> Slope:
    """The last line of the classical tableau."""
    return Slope(
        weighted(a.w, b.w, c.w, d.w),
        weighted(a.P, b.P, c.P, d.P),
        weighted(a.r, b.r, c.r, d.r),
        weighted(a.p, b.p, c.p, d.p),
    )


@jit
def step(
    system: System, t: float, h: float, x: State, memory: tuple[float]
) -> tuple[State, tuple[float], int, int, bool]:
    k1 = slope(system, t, x)
    k2 = stage(system, t + 0.5 * h, x, scale(0.5 * h, k1.w), 0.5 * h, k1)  # (1), (2)
    k3 = stage(system, t + 0.5 * h, x, scale(0.5 * h, k2.w), 0.5 * h, k2)
    k4 = stage(system, t + h, x, scale(h, k3.w), h, k3)
    k = mean(k1, k2, k3, k4)
    y = placed(x, scale(h, k.w), h, k)
    return State(quaternion.polished(y.q), y.P, y.r, y.p), memory, 4, 0, False


METHOD = Method(
    name="rkmk4", title="Runge-Kutta-Munthe-Kaas", order=4, scope="body", symplectic=False,
    reversible=False, keeps=(), implicit=False, velocity_forces=True, reference="munthekaas1999high",
    turn=0.5, step=step, remember=remember, memory=MEMORY,
)  # fmt: skip
