"""NMS: explicit Newmark on SO(3) in the space frame (Krysl & Endres 2005); the same map as NMB.

    i0 a0 = t0 - w0 x i0 w0,         i = R I R^T                         (1)
    R1    = exp(h w0 + h^2/2 a0) R0                                      (2)
    i1 a1 = t1 - w1 x i1 w1,         w1 = w0 + h/2 (a0 + a1)             (3)

All vectors are in space axes.  w0 + h/2 a0 is along the axis of the rotation (2), so it is the same in
body and space axes, and NMS agrees with NMB up to rounding.  It is included because papers use both.
"""

from typing import NamedTuple

from poinsot.core.body.kernel import BodyKernel, Stepped
from poinsot.core.body.load import load, velocity
from poinsot.core.body.records import LOAD, BodyState, BodySystem, Load
from poinsot.core.body.work import work_of_ends
from poinsot.core.jit import jit
from poinsot.core.lie import mat3, quaternion, so3, sym3, vec3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.sym3 import Sym3
from poinsot.core.lie.vec3 import Vec3, axpy, cross, scale, sub, times
from poinsot.core.methods.method import Kernels
from poinsot.core.methods.parts.body import remember_load
from poinsot.core.solve.newton import newton


class SpaceEquation(NamedTuple):
    """Data of equation (3), with w_half = w0 + h/2 a0."""

    i1: Sym3
    w_half: Vec3
    t: Vec3
    h: float


@jit
def residual(w1: Vec3, e: SpaceEquation) -> Vec3:
    """Residual of (3) without a1: i1 (w1 - w_half) + h/2 (w1 x i1 w1 - t)."""
    gyroscopic = sub(cross(w1, sym3.apply(e.i1, w1)), e.t)
    return axpy(0.5 * e.h, gyroscopic, sym3.apply(e.i1, sub(w1, e.w_half)))


@jit
def jacobian(w1: Vec3, e: SpaceEquation) -> Mat3:
    """d residual / d w1 = i1 + h/2 (hat(w1) i1 - hat(i1 w1))."""
    i = sym3.full(e.i1)
    gyroscopic = mat3.sub(mat3.cross(w1, i), so3.hat(sym3.apply(e.i1, w1)))
    return mat3.add(i, mat3.scale(0.5 * e.h, gyroscopic))


solve = newton(residual, jacobian)


@jit
def step(system: BodySystem, t: float, h: float, x0: BodyState, f0: Load) -> Stepped[Load]:
    I, a, mobility = system.body.I, system.body.a, system.body.mobility
    R0 = quaternion.matrix(x0.q)
    body_w0 = velocity(system.body, x0)
    w0 = mat3.apply(R0, body_w0)
    a0 = mat3.apply(R0, times(a, vec3.add(f0.T, cross(x0.P, body_w0))))  # (1)
    w_half, p_half = axpy(0.5 * h, a0, w0), axpy(0.5 * h, f0.F, x0.p)
    q1 = quaternion.polished(quaternion.compose(quaternion.exp(scale(h, w_half)), x0.q))  # (2)
    r1 = axpy(h * mobility, p_half, x0.r)
    R1 = quaternion.matrix(q1)
    i1 = sym3.rotate(R1, (I[0], 0.0, 0.0, I[1], 0.0, I[2]))
    guess = axpy(0.5 * h, a0, w_half)
    P_guess = mat3.apply_t(R1, sym3.apply(i1, guess))
    f1 = load(system, t + h, BodyState(q1, P_guess, r1, axpy(0.5 * h, f0.F, p_half)))
    w1, iterations, failed = solve(guess, SpaceEquation(i1, w_half, mat3.apply(R1, f1.T), h))  # (3)
    P1 = mat3.apply_t(R1, sym3.apply(i1, w1))
    x1 = BodyState(q1, P1, r1, axpy(0.5 * h, f1.F, p_half))
    return x1, f1, work_of_ends(system, h, x0, f0, x1, f1), 1, iterations, failed


KERNELS = {"nms": Kernels(body=BodyKernel("nms", step, remember_load, LOAD))}
