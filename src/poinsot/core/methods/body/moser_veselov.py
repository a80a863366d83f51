"""The discrete free motion of Moser & Veselov (1991), shared by LGVI and the DMV methods.

    h hat(P0) = F J - J F^T,   J = tr(I)/2 - I,        R1 = R0 F,    P1 = F^T P0             (1)

With F = cay(2 f) and a = h P0 the first equation becomes one for a vector (Lee, Leok & McClamroch),

    a + a x f + f (a.f) - 2 I f = 0                                                         (2)

solved by Newton's method from f = a/(2 I).
"""

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, quaternion, vec3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.quaternion import Quaternion
from poinsot.core.lie.vec3 import Vec3, add, axpy, cross, dot, scale, sub, times
from poinsot.core.numbers.functions import some

TOL, MAX_ITERATIONS = 1e-9, 30  # last correction relative to f; the error left is its square


@jit
def residual(I: Vec3, a: Vec3, f: Vec3) -> Vec3:
    """(2)."""
    return sub(axpy(dot(a, f), f, add(a, cross(a, f))), scale(2.0, times(I, f)))


@jit
def jacobian(I: Vec3, a: Vec3, f: Vec3) -> Mat3:
    """d residual / d f = hat(a) + (a.f) 1 + f a^T - 2 I."""
    s = dot(a, f)
    return (
        s + f[0] * a[0] - 2.0 * I[0], f[0] * a[1] - a[2], f[0] * a[2] + a[1],
        f[1] * a[0] + a[2], s + f[1] * a[1] - 2.0 * I[1], f[1] * a[2] - a[0],
        f[2] * a[0] - a[1], f[2] * a[1] + a[0], s + f[2] * a[2] - 2.0 * I[2],
    )  # fmt: skip


@jit
def free_step(I: Vec3, q: Quaternion, P: Vec3, h: float) -> tuple[Quaternion, Vec3, int, bool]:
    """(1): attitude and momentum after h, the iterations, and where they did not converge."""
    a = scale(h, P)
    f, iterations = (0.5 * a[0] / I[0], 0.5 * a[1] / I[1], 0.5 * a[2] / I[2]), 0
    busy = dot(a, a) >= 0.0  # every lane that is a number
    for _ in range(MAX_ITERATIONS):
        d = mat3.solve(jacobian(I, a, f), residual(I, a, f))
        f = vec3.where(busy, sub(f, d), f)
        iterations += 1
        busy = busy & (dot(d, d) > TOL * TOL * dot(f, f))
        if not some(busy):
            break
    F = quaternion.cay(scale(2.0, f))
    q1 = quaternion.polished(quaternion.compose(q, F))
    return q1, quaternion.apply(quaternion.inverse(F), P), iterations, busy
