"""LP2: splitting of the free motion into rotations about the three principal axes, between half kicks.

The Hamiltonian H_k = P_k^2/(2 I_k) rotates the body at the constant rate P_k/I_k about body axis k, so
each part is solved exactly (McLachlan 1993, Reich 1994):

    kick(h/2)  rotate1(h/2) rotate2(h/2) rotate3(h) rotate2(h/2) rotate1(h/2)  kick(h/2)     (1)
    rotate_k(s):  q <- q exp(u e_k),  P <- exp(-u e_k) P,  u = s P_k/I_k                   (2)
"""

from poinsot.core.body.kernel import BodyKernel, Stepped
from poinsot.core.body.load import load
from poinsot.core.body.records import LOAD, BodyState, BodySystem, Load
from poinsot.core.body.work import work_of_kick
from poinsot.core.jit import jit
from poinsot.core.lie import quaternion
from poinsot.core.lie.quaternion import Quaternion
from poinsot.core.lie.vec3 import Vec3, axpy
from poinsot.core.methods.method import Kernels
from poinsot.core.methods.parts.body import kick, remember_load
from poinsot.core.numbers.trigonometry import sincos


@jit
def half_angle(u: float) -> tuple[float, float, float, float]:
    """Sine and cosine of u/2 and of u."""
    s, c = sincos(0.5 * u)
    return s, c, 2.0 * s * c, (c - s) * (c + s)


@jit
def rotate1(q: Quaternion, P: Vec3, u: float) -> tuple[Quaternion, Vec3]:
    """Rotation (2) about axis 1."""
    s, c, S, C = half_angle(u)
    q = (c * q[0] - s * q[1], c * q[1] + s * q[0], c * q[2] + s * q[3], c * q[3] - s * q[2])
    return q, (P[0], C * P[1] + S * P[2], C * P[2] - S * P[1])


@jit
def rotate2(q: Quaternion, P: Vec3, u: float) -> tuple[Quaternion, Vec3]:
    """Rotation (2) about axis 2."""
    s, c, S, C = half_angle(u)
    q = (c * q[0] - s * q[2], c * q[1] - s * q[3], c * q[2] + s * q[0], c * q[3] + s * q[1])
    return q, (C * P[0] - S * P[2], P[1], C * P[2] + S * P[0])


@jit
def rotate3(q: Quaternion, P: Vec3, u: float) -> tuple[Quaternion, Vec3]:
    """Rotation (2) about axis 3."""
    s, c, S, C = half_angle(u)
    q = (c * q[0] - s * q[3], c * q[1] + s * q[2], c * q[2] - s * q[1], c * q[3] + s * q[0])
    return q, (C * P[0] + S * P[1], C * P[1] - S * P[0], P[2])


@jit
def step(system: BodySystem, t: float, h: float, x0: BodyState, f0: Load) -> Stepped[Load]:
    a, mobility = system.body.a, system.body.mobility
    begin = work_of_kick(system, 0.5 * h, f0, x0)
    x = kick(0.5 * h, f0, x0)  # (1)
    q, P = rotate1(x.q, x.P, 0.5 * h * (a[0] * x.P[0]))
    q, P = rotate2(q, P, 0.5 * h * (a[1] * P[1]))
    q, P = rotate3(q, P, h * (a[2] * P[2]))
    q, P = rotate2(q, P, 0.5 * h * (a[1] * P[1]))
    q, P = rotate1(q, P, 0.5 * h * (a[0] * P[0]))
    x = BodyState(quaternion.polished(q), P, axpy(h * mobility, x.p, x.r), x.p)
    f1 = load(system, t + h, x)
    work = begin + work_of_kick(system, 0.5 * h, f1, x)
    return kick(0.5 * h, f1, x), f1, work, 1, 0, False


KERNELS = {"lp2": Kernels(body=BodyKernel("lp2", step, remember_load, LOAD))}
