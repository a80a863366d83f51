"""DMV4: discrete Moser-Veselov with rescaled moments, order 4 (McLachlan & Zanna 2005).

    1/I' = (1 + h^2 s3)/I + h^2 d3                                                          (1)
    s3 = (e2 C - 2 e1 H)/6,      d3 = (e2 H - 2 e3 C)/6                                     (2)

e1, e2, e3 are the elementary symmetric functions of 1/I, H is the energy and C = |P|^2/2.  DMV is the exact
motion of a body with other moments; the moments (1) make these the true ones up to O(h^4).  The method is
not symplectic in attitude and momentum together, because I' depends on P (defect O(h^5)).
"""

from typing import NamedTuple

from poinsot.core.body.kernel import BodyKernel, Stepped
from poinsot.core.body.records import Load, State, System
from poinsot.core.jit import jit
from poinsot.core.lie.vec3 import Vec3, dot, times
from poinsot.core.methods.dmv import fall_and_rotate
from poinsot.core.methods.method import Kernels
from poinsot.core.methods.parts.kick import MEMORY, remember


class Invariants(NamedTuple):
    """Invariants of the motion on which s and d depend."""

    e1: float
    e2: float
    e3: float
    H: float
    C: float


@jit
def invariants(a: Vec3, P: Vec3) -> Invariants:
    return Invariants(
        a[0] + a[1] + a[2],
        a[0] * a[1] + a[1] * a[2] + a[2] * a[0],
        a[0] * a[1] * a[2],
        0.5 * dot(P, times(a, P)),
        0.5 * dot(P, P),
    )


@jit
def third(n: Invariants) -> tuple[float, float]:
    """Coefficients s3 and d3 of (2)."""
    return (n.e2 * n.C - 2.0 * n.e1 * n.H) / 6.0, (n.e2 * n.H - 2.0 * n.e3 * n.C) / 6.0


@jit
def rescaled(a: Vec3, s: float, d: float) -> Vec3:
    """Moments I' of (1) from a = 1/I, where s and d include their powers of h."""
    return (
        1.0 / (a[0] * (1.0 + s) + d),
        1.0 / (a[1] * (1.0 + s) + d),
        1.0 / (a[2] * (1.0 + s) + d),
    )


@jit
def step(system: System, t: float, h: float, x0: State, f: Load) -> Stepped[Load]:
    a, z = system.body.a, h * h
    s3, d3 = third(invariants(a, x0.P))  # (2)
    return fall_and_rotate(system, rescaled(a, z * s3, z * d3), h, x0, f)  # (1)


KERNELS = {"dmv4": Kernels(body=BodyKernel("dmv4", step, remember, MEMORY))}
