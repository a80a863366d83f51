"""NMB: explicit Newmark on SO(3) in the body frame, gamma = 1/2, beta = 0 (Krysl & Endres 2005).

    I a0 = T0 - w0 x I w0                                                (1)
    R1   = R0 exp(h w0 + h^2/2 a0)                                       (2)
    I a1 = T1 - w1 x I w1,      w1 = w0 + h/2 (a0 + a1)                  (3)

The state holds P = I w, so (1) and (3) are used times h/2 I, with P_half = I (w0 + h/2 a0):

    P_half = P0 + h/2 (T0 + P0 x w0)                                     (1')
    P1     = P_half + h/2 (T1 + P1 x w1)                                 (3')

(Going from P to w and back would scale P by the rounding of 1/I in every step.)  Explicit in the
torque; (3') is solved by Newton's method.  The centre of mass of a free body moves by the same
Newmark formulas.  A torque that depends on the velocity is evaluated at w0 + h a0, which keeps the
order.  Not symplectic: the defect of the step is O(h^3).
"""

from poinsot.core.body.load import load, velocity
from poinsot.core.body.records import Load, State, System
from poinsot.core.jit import jit
from poinsot.core.lie import mat3, quaternion, vec3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.vec3 import Vec3, add, axpy, cross, dot, scale, sub, times
from poinsot.core.methods.body.kick import MEMORY, remember
from poinsot.core.methods.method import Method
from poinsot.core.numbers.functions import some

TOL, MAX_ITERATIONS = 1e-9, 20  # last correction relative to P1; the error left is its square


@jit
def residual(a: Vec3, P1: Vec3, P_half: Vec3, T: Vec3, h: float) -> Vec3:
    """(3'): P1 - P_half - h/2 (T + P1 x a P1)."""
    return axpy(-0.5 * h, add(T, cross(P1, times(a, P1))), sub(P1, P_half))


@jit
def jacobian(a: Vec3, P1: Vec3, h: float) -> Mat3:
    """d residual / d P1 = 1 - h/2 (hat(P1) a - hat(a P1))."""
    x, y, z = scale(0.5 * h, P1)
    d1, d2, d3 = a[1] - a[2], a[2] - a[0], a[0] - a[1]
    return 1.0, d1 * z, d1 * y, d2 * z, 1.0, d2 * x, d3 * y, d3 * x, 1.0


@jit
def solve(a: Vec3, P_half: Vec3, guess: Vec3, T: Vec3, h: float) -> tuple[Vec3, int, bool]:
    """(3'): P1, the iterations, and where they did not converge."""
    P1, iterations = guess, 0
    busy = dot(guess, guess) >= 0.0  # every lane that is a number
    for _ in range(MAX_ITERATIONS):
        d = mat3.solve(jacobian(a, P1, h), residual(a, P1, P_half, T, h))
        P1 = vec3.where(busy, sub(P1, d), P1)
        iterations += 1
        busy = busy & (dot(d, d) > TOL * TOL * dot(P1, P1))
        if not some(busy):
            break
    return P1, iterations, busy


@jit
def step(system: System, t: float, h: float, x0: State, f0: Load) -> tuple[State, Load, int, int, bool]:
    a, mobility = system.body.a, system.body.mobility
    rate = add(f0.T, cross(x0.P, velocity(system.body, x0)))  # (1), I a0
    P_half, p_half = axpy(0.5 * h, rate, x0.P), axpy(0.5 * h, f0.F, x0.p)  # (1')
    q1 = quaternion.compose(x0.q, quaternion.exp(scale(h, times(a, P_half))))  # (2)
    q1, r1 = quaternion.polished(q1), axpy(h * mobility, p_half, x0.r)
    guess = axpy(0.5 * h, rate, P_half)
    f1 = load(system, t + h, State(q1, guess, r1, axpy(0.5 * h, f0.F, p_half)))
    P1, iterations, failed = solve(a, P_half, guess, f1.T, h)  # (3')
    return State(q1, P1, r1, axpy(0.5 * h, f1.F, p_half)), f1, 1, iterations, failed


METHOD = Method(
    name="nmb", title="Explicit Newmark, body frame", order=2, scope="body", symplectic=False,
    reversible=True, keeps=(), implicit=True, velocity_forces=True, reference="krysl2005explicit",
    turn=1.0, step=step, remember=remember, memory=MEMORY,
)  # fmt: skip
