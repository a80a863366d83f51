"""DMV, DMV4, DMV6 and LGVI: the discrete free motion of Moser & Veselov (1991), rescaled, and between kicks.

    R1 = R0 F,   P1 = F^T P0,   h hat(P0) = F J - J F^T,   J = tr(I)/2 - I                      (1)

With F = cay(2 f) and a = h P0 the last equation becomes one for a vector (Lee, Leok & McClamroch),

    a + a x f + f (a.f) - 2 I f = 0                                                            (2)

solved by Newton's method from f = a/(2 I).  The centre of mass of a free body moves exactly on its parabola.

DMV is the exact motion of a body with other moments.  Rescaled moments I' make these the true ones up to
O(h^4) in DMV4 and O(h^6) in DMV6 (McLachlan & Zanna 2005):

    1/I' = (1 + h^2 s3 + h^4 s5)/I + h^2 d3 + h^4 d5,       DMV4 without s5 and d5              (3)
    s3 = (e2 C - 2 e1 H)/6,      d3 = (e2 H - 2 e3 C)/6                                         (4)
    60 s5 = (2 e1^2 - e2) H^2 - 2 (e1 e2 - 4 e3) H C + 2 (e2^2 - 3 e1 e3) C^2                   (5)
    60 d5 = -(e1 e2 + 6 e3) H^2 + (8 e1 e3 - e2^2) H C - e2 e3 C^2                              (6)

e1, e2, e3 are the elementary symmetric functions of 1/I, H is the energy and C = |P|^2/2.  (5) and (6) follow
from matching the series of the exact increment cay(2 f), f. = (w + f x w + f (f.w))/2, with the equation
2 f = (a + a x f + f (a.f))/I', which is linear in 1/I': at each odd order of h the condition has the form
(s/I + d) P, where s and d are polynomials in H and C.  These methods are not symplectic in attitude and
momentum together, because I' depends on P (defects O(h^5) and O(h^7)).

LGVI, the Lie-group variational integrator of Lee, Leok & McClamroch (2005), is

    kick(h/2)   (1)   kick(h/2)                                                                (7)
"""

from typing import NamedTuple

from poinsot.core.body.kernel import BodyKernel, Stepped
from poinsot.core.body.load import load
from poinsot.core.body.records import LOAD, BodyState, BodySystem, Load
from poinsot.core.body.work import work_of_kick
from poinsot.core.jit import jit
from poinsot.core.lie import quaternion
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.quaternion import Quaternion
from poinsot.core.lie.vec3 import Vec3, add, axpy, cross, dot, scale, sub, times
from poinsot.core.methods.method import Kernels
from poinsot.core.methods.parts.body import kick, remember_load
from poinsot.core.solve.newton import newton


class FreeEquation(NamedTuple):
    """Data of equation (2)."""

    I: Vec3
    a: Vec3


@jit
def residual(f: Vec3, e: FreeEquation) -> Vec3:
    """Residual of (2)."""
    a = e.a
    return sub(axpy(dot(a, f), f, add(a, cross(a, f))), scale(2.0, times(e.I, f)))


@jit
def jacobian(f: Vec3, e: FreeEquation) -> Mat3:
    """d residual / d f = hat(a) + (a.f) 1 + f a^T - 2 I."""
    I, a = e
    s = dot(a, f)
    return (
        s + f[0] * a[0] - 2.0 * I[0], f[0] * a[1] - a[2], f[0] * a[2] + a[1],
        f[1] * a[0] + a[2], s + f[1] * a[1] - 2.0 * I[1], f[1] * a[2] - a[0],
        f[2] * a[0] - a[1], f[2] * a[1] + a[0], s + f[2] * a[2] - 2.0 * I[2],
    )  # fmt: skip


solve = newton(residual, jacobian)


@jit
def free_step(I: Vec3, q: Quaternion, P: Vec3, h: float) -> tuple[Quaternion, Vec3, int, bool]:
    """Attitude and momentum (1) after h, the iterations, and a mask of lanes that did not converge."""
    a = scale(h, P)
    guess = (0.5 * a[0] / I[0], 0.5 * a[1] / I[1], 0.5 * a[2] / I[2])
    f, iterations, failed = solve(guess, FreeEquation(I, a))  # (2)
    F = quaternion.cay(scale(2.0, f))
    q1 = quaternion.polished(quaternion.compose(q, F))  # (1)
    return q1, quaternion.apply(quaternion.inverse(F), P), iterations, failed


@jit
def fall_and_rotate(system: BodySystem, I: Vec3, h: float, x0: BodyState, f: Load) -> Stepped[Load]:
    """Step (1) with the moments I, and the parabola under the weight f.F."""
    q1, P1, iterations, failed = free_step(I, x0.q, x0.P, h)
    p_half = axpy(0.5 * h, f.F, x0.p)
    x1 = BodyState(q1, P1, axpy(h * system.body.mobility, p_half, x0.r), axpy(0.5 * h, f.F, p_half))
    return x1, f, 0.0, 0, iterations, failed


@jit
def dmv(system: BodySystem, t: float, h: float, x0: BodyState, f: Load) -> Stepped[Load]:
    return fall_and_rotate(system, system.body.I, h, x0, f)  # (1)


class EulerInvariants(NamedTuple):
    """Invariants of the motion on which s and d depend."""

    e1: float
    e2: float
    e3: float
    H: float
    C: float


@jit
def invariants(a: Vec3, P: Vec3) -> EulerInvariants:
    return EulerInvariants(
        a[0] + a[1] + a[2],
        a[0] * a[1] + a[1] * a[2] + a[2] * a[0],
        a[0] * a[1] * a[2],
        0.5 * dot(P, times(a, P)),
        0.5 * dot(P, P),
    )


@jit
def third(n: EulerInvariants) -> tuple[float, float]:
    """Coefficients s3 and d3 of (4)."""
    return (n.e2 * n.C - 2.0 * n.e1 * n.H) / 6.0, (n.e2 * n.H - 2.0 * n.e3 * n.C) / 6.0


@jit
def rescaled(a: Vec3, s: float, d: float) -> Vec3:
    """Moments I' of (3) from a = 1/I, where s and d include their powers of h."""
    return (1.0 / (a[0] * (1.0 + s) + d), 1.0 / (a[1] * (1.0 + s) + d), 1.0 / (a[2] * (1.0 + s) + d))


@jit
def dmv4(system: BodySystem, t: float, h: float, x0: BodyState, f: Load) -> Stepped[Load]:
    a, z = system.body.a, h * h
    s3, d3 = third(invariants(a, x0.P))  # (4)
    return fall_and_rotate(system, rescaled(a, z * s3, z * d3), h, x0, f)  # (3)


@jit
def fifth(n: EulerInvariants) -> tuple[float, float]:
    """Coefficients s5 and d5 of (5) and (6)."""
    e1, e2, e3, H, C = n
    HH, HC, CC = H * H, H * C, C * C
    s5 = (2.0 * e1 * e1 - e2) * HH - 2.0 * (e1 * e2 - 4.0 * e3) * HC + 2.0 * (e2 * e2 - 3.0 * e1 * e3) * CC
    d5 = (8.0 * e1 * e3 - e2 * e2) * HC - (e1 * e2 + 6.0 * e3) * HH - e2 * e3 * CC
    return s5 / 60.0, d5 / 60.0


@jit
def dmv6(system: BodySystem, t: float, h: float, x0: BodyState, f: Load) -> Stepped[Load]:
    a, z = system.body.a, h * h
    n = invariants(a, x0.P)
    (s3, d3), (s5, d5) = third(n), fifth(n)  # (4), (5), (6)
    return fall_and_rotate(system, rescaled(a, z * (s3 + z * s5), z * (d3 + z * d5)), h, x0, f)  # (3)


@jit
def lgvi(system: BodySystem, t: float, h: float, x0: BodyState, f0: Load) -> Stepped[Load]:
    begin = work_of_kick(system, 0.5 * h, f0, x0)
    x = kick(0.5 * h, f0, x0)
    q, P, iterations, failed = free_step(system.body.I, x.q, x.P, h)  # (7)
    x = BodyState(q, P, axpy(h * system.body.mobility, x.p, x.r), x.p)
    f1 = load(system, t + h, x)
    work = begin + work_of_kick(system, 0.5 * h, f1, x)
    return kick(0.5 * h, f1, x), f1, work, 1, iterations, failed


STEPS = {"dmv": dmv, "dmv4": dmv4, "dmv6": dmv6, "lgvi": lgvi}
KERNELS = {name: Kernels(body=BodyKernel(name, step, remember_load, LOAD)) for name, step in STEPS.items()}
