"""NMB: explicit Newmark on SO(3) in the body frame, gamma = 1/2, beta = 0 (Krysl & Endres 2005).

    I a0 = T0 - w0 x I w0                                                (1)
    R1   = R0 exp(h w0 + h^2/2 a0)                                       (2)
    I a1 = T1 - w1 x I w1,      w1 = w0 + h/2 (a0 + a1)                  (3)

The state holds P = I w, so (1) and (3) are used times h/2 I, with P_half = I (w0 + h/2 a0):

    P_half = P0 + h/2 (T0 + P0 x w0)                                     (1')
    P1     = P_half + h/2 (T1 + P1 x w1)                                 (3')

(Converting P to w and back would multiply P by the rounding error of 1/I in every step.)  The method is
explicit in the torque; (3') is solved by Newton's method.  The centre of mass of a free body follows the
same Newmark formulas.  A torque that depends on the velocity is evaluated at w0 + h a0, which preserves
the order.  The method is not symplectic: the defect of a step is O(h^3).

NMB4 and NMB6 are symmetric compositions of it, of order 4 (Suzuki) and 6 (Kahan & Li),

    x1 = nmb(c_s h) ... nmb(c_2 h) nmb(c_1 h) x0                         (4)

time-symmetric and not symplectic like NMB.  Their forces must not depend on the velocity: NMB evaluates them
at a predicted velocity, which is not time-symmetric, and the order would remain 2.
"""

from typing import NamedTuple

from poinsot.core.body.kernel import BodyKernel, Stepped
from poinsot.core.body.load import load, velocity
from poinsot.core.body.records import LOAD, BodyState, BodySystem, Load
from poinsot.core.body.work import work_of_ends
from poinsot.core.jit import jit
from poinsot.core.lie import quaternion
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.vec3 import Vec3, add, axpy, cross, scale, sub, times
from poinsot.core.methods.method import Kernels
from poinsot.core.methods.parts.body import composed_step, remember_load
from poinsot.core.methods.parts.coefficients import KAHAN_LI6, SUZUKI4
from poinsot.core.solve.newton import newton


class NewmarkEquation(NamedTuple):
    """Data of equation (3')."""

    a: Vec3  # 1/I
    P_half: Vec3
    T: Vec3
    h: float


@jit
def residual(P1: Vec3, e: NewmarkEquation) -> Vec3:
    """Residual of (3'): P1 - P_half - h/2 (T + P1 x a P1)."""
    return axpy(-0.5 * e.h, add(e.T, cross(P1, times(e.a, P1))), sub(P1, e.P_half))


@jit
def jacobian(P1: Vec3, e: NewmarkEquation) -> Mat3:
    """d residual / d P1 = 1 - h/2 (hat(P1) a - hat(a P1))."""
    x, y, z = scale(0.5 * e.h, P1)
    d1, d2, d3 = e.a[1] - e.a[2], e.a[2] - e.a[0], e.a[0] - e.a[1]
    return 1.0, d1 * z, d1 * y, d2 * z, 1.0, d2 * x, d3 * y, d3 * x, 1.0


solve = newton(residual, jacobian)


@jit
def step(system: BodySystem, t: float, h: float, x0: BodyState, f0: Load) -> Stepped[Load]:
    a, mobility = system.body.a, system.body.mobility
    rate = add(f0.T, cross(x0.P, velocity(system.body, x0)))  # (1), I a0
    P_half, p_half = axpy(0.5 * h, rate, x0.P), axpy(0.5 * h, f0.F, x0.p)  # (1')
    q1 = quaternion.compose(x0.q, quaternion.exp(scale(h, times(a, P_half))))  # (2)
    q1, r1 = quaternion.polished(q1), axpy(h * mobility, p_half, x0.r)
    guess = axpy(0.5 * h, rate, P_half)
    f1 = load(system, t + h, BodyState(q1, guess, r1, axpy(0.5 * h, f0.F, p_half)))
    P1, iterations, failed = solve(guess, NewmarkEquation(a, P_half, f1.T, h))  # (3')
    x1 = BodyState(q1, P1, r1, axpy(0.5 * h, f1.F, p_half))
    return x1, f1, work_of_ends(system, h, x0, f0, x1, f1), 1, iterations, failed


STEPS = {
    "nmb": step,
    "nmb4": composed_step(step, SUZUKI4.coefficients),  # (4)
    "nmb6": composed_step(step, KAHAN_LI6.coefficients),
}
KERNELS = {name: Kernels(body=BodyKernel(name, one, remember_load, LOAD)) for name, one in STEPS.items()}
