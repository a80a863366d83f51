"""DMV6: discrete Moser-Veselov with rescaled moments, order 6 (McLachlan & Zanna 2005).

    1/I' = (1 + h^2 s3 + h^4 s5)/I + h^2 d3 + h^4 d5,        s3, d3 as in DMV4                (1)
    60 s5 = (2 e1^2 - e2) H^2 - 2 (e1 e2 - 4 e3) H C + 2 (e2^2 - 3 e1 e3) C^2                 (2)
    60 d5 = -(e1 e2 + 6 e3) H^2 + (8 e1 e3 - e2^2) H C - e2 e3 C^2                            (3)

These follow from matching the series of the exact increment cay(2 f), f. = (w + f x w + f (f.w))/2, with the
equation 2 f = (a + a x f + f (a.f))/I', which is linear in 1/I': at each odd order of h the condition has
the form (s/I + d) P, where s and d are polynomials in H and C.  Like DMV4 the method is not symplectic
(defect O(h^7)).
"""

from poinsot.core.body.kernel import BodyKernel, Stepped
from poinsot.core.body.records import Load, State, System
from poinsot.core.jit import jit
from poinsot.core.methods.dmv import fall_and_rotate
from poinsot.core.methods.dmv4 import Invariants, invariants, rescaled, third
from poinsot.core.methods.method import Kernels
from poinsot.core.methods.parts.kick import MEMORY, remember


@jit
def fifth(n: Invariants) -> tuple[float, float]:
    """Coefficients s5 and d5 of (2) and (3)."""
    e1, e2, e3, H, C = n
    HH, HC, CC = H * H, H * C, C * C
    s5 = (2.0 * e1 * e1 - e2) * HH - 2.0 * (e1 * e2 - 4.0 * e3) * HC + 2.0 * (e2 * e2 - 3.0 * e1 * e3) * CC
    d5 = (8.0 * e1 * e3 - e2 * e2) * HC - (e1 * e2 + 6.0 * e3) * HH - e2 * e3 * CC
    return s5 / 60.0, d5 / 60.0


@jit
def step(system: System, t: float, h: float, x0: State, f: Load) -> Stepped[Load]:
    a, z = system.body.a, h * h
    n = invariants(a, x0.P)
    (s3, d3), (s5, d5) = third(n), fifth(n)  # (2), (3)
    return fall_and_rotate(system, rescaled(a, z * (s3 + z * s5), z * (d3 + z * d5)), h, x0, f)  # (1)


KERNELS = {"dmv6": Kernels(body=BodyKernel("dmv6", step, remember, MEMORY))}
