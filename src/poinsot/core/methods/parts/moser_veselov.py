"""The discrete free motion of Moser & Veselov (1991), shared by LGVI and the DMV methods.

    h hat(P0) = F J - J F^T,   J = tr(I)/2 - I,        R1 = R0 F,    P1 = F^T P0             (1)

With F = cay(2 f) and a = h P0 the first equation becomes one for a vector (Lee, Leok & McClamroch),

    a + a x f + f (a.f) - 2 I f = 0                                                         (2)

solved by Newton's method from f = a/(2 I).
"""

from typing import NamedTuple

from poinsot.core.jit import jit
from poinsot.core.lie import quaternion
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.quaternion import Quaternion
from poinsot.core.lie.vec3 import Vec3, add, axpy, cross, dot, scale, sub, times
from poinsot.core.solve.newton import newton


class Equation(NamedTuple):
    """Data of equation (2)."""

    I: Vec3
    a: Vec3


@jit
def residual(f: Vec3, e: Equation) -> Vec3:
    """Residual of (2)."""
    a = e.a
    return sub(axpy(dot(a, f), f, add(a, cross(a, f))), scale(2.0, times(e.I, f)))


@jit
def jacobian(f: Vec3, e: Equation) -> Mat3:
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
    f, iterations, failed = solve(guess, Equation(I, a))  # (2)
    F = quaternion.cay(scale(2.0, f))
    q1 = quaternion.polished(quaternion.compose(q, F))  # (1)
    return q1, quaternion.apply(quaternion.inverse(F), P), iterations, failed
