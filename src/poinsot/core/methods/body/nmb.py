"""NMB: explicit Newmark on SO(3) in the body frame, gamma = 1/2, beta = 0 (Krysl & Endres 2005).

    I a0 = T0 - w0 x I w0                                                (1)
    R1   = R0 exp(h w0 + h^2/2 a0)                                       (2)
    I a1 = T1 - w1 x I w1,      w1 = w0 + h/2 (a0 + a1)                  (3)

Explicit in the torque; (3) is solved for w1 by Newton's method.  The centre of mass of a free body
moves by the same Newmark formulas.  A torque that depends on the velocity is evaluated at
w0 + h a0, which keeps the order.  Not symplectic: the defect of the step is O(h^3).
"""

from poinsot.core.body.load import load, velocity
from poinsot.core.body.records import Load, State, System
from poinsot.core.jit import jit
from poinsot.core.lie import mat3, quaternion, vec3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.vec3 import Vec3, axpy, cross, dot, scale, sub, times
from poinsot.core.methods.body.kick import MEMORY, remember
from poinsot.core.methods.method import Method
from poinsot.core.numbers.functions import some

TOL, MAX_ITERATIONS = 1e-9, 20  # last correction relative to w1; the error left is its square


@jit
def residual(I: Vec3, w1: Vec3, w_half: Vec3, T: Vec3, h: float) -> Vec3:
    """(3) without a1: I (w1 - w_half) + h/2 (w1 x I w1 - T), where w_half = w0 + h/2 a0."""
    return axpy(0.5 * h, sub(cross(w1, times(I, w1)), T), times(I, sub(w1, w_half)))


@jit
def jacobian(I: Vec3, w1: Vec3, h: float) -> Mat3:
    """d residual / d w1 = I + h/2 (hat(w1) I - hat(I w1))."""
    x, y, z = scale(0.5 * h, w1)
    return (
        I[0], z * (I[2] - I[1]), y * (I[2] - I[1]),
        z * (I[0] - I[2]), I[1], x * (I[0] - I[2]),
        y * (I[1] - I[0]), x * (I[1] - I[0]), I[2],
    )  # fmt: skip


@jit
def solve(I: Vec3, w_half: Vec3, guess: Vec3, T: Vec3, h: float) -> tuple[Vec3, int, bool]:
    """(3): w1, the iterations, and where they did not converge."""
    w1, iterations = guess, 0
    busy = dot(guess, guess) >= 0.0  # every lane that is a number
    for _ in range(MAX_ITERATIONS):
        d = mat3.solve(jacobian(I, w1, h), residual(I, w1, w_half, T, h))
        w1 = vec3.where(busy, sub(w1, d), w1)
        iterations += 1
        busy = busy & (dot(d, d) > TOL * TOL * dot(w1, w1))
        if not some(busy):
            break
    return w1, iterations, busy


@jit
def step(system: System, t: float, h: float, x0: State, f0: Load) -> tuple[State, Load, int, int, bool]:
    I, a, mobility = system.body.I, system.body.a, system.body.mobility
    w0 = velocity(system.body, x0)
    a0 = times(a, vec3.add(f0.T, cross(x0.P, w0)))  # (1)
    w_half, p_half = axpy(0.5 * h, a0, w0), axpy(0.5 * h, f0.F, x0.p)
    q1 = quaternion.compose(x0.q, quaternion.exp(scale(h, w_half)))  # (2)
    r1 = axpy(h * mobility, p_half, x0.r)
    guess = axpy(0.5 * h, a0, w_half)
    q1 = quaternion.polished(q1)
    f1 = load(system, t + h, State(q1, times(I, guess), r1, axpy(0.5 * h, f0.F, p_half)))
    w1, iterations, failed = solve(I, w_half, guess, f1.T, h)  # (3)
    x1 = State(q1, times(I, w1), r1, axpy(0.5 * h, f1.F, p_half))
    return x1, f1, 1, iterations, failed


METHOD = Method(
    name="nmb", title="Explicit Newmark, body frame", order=2, scope="body", symplectic=False,
    reversible=True, keeps=(), implicit=True, velocity_forces=True, reference="krysl2005explicit",
    turn=1.0, step=step, remember=remember, memory=MEMORY,
)  # fmt: skip
