"""NMB6: explicit Newmark (NMB), composed symmetrically to order 6 (Kahan & Li).

    x1 = nmb(c_9 h) ... nmb(c_2 h) nmb(c_1 h) x0                                              (1)

Like NMB, the composition is time-symmetric and not symplectic.  Forces must not depend on the velocity:
NMB evaluates them at a predicted velocity, which is not time-symmetric, and the order would remain 2.
"""

from poinsot.core.methods import nmb
from poinsot.core.methods.parts.coefficients import KAHAN_LI6
from poinsot.core.methods.parts.composition import composed

KERNELS = composed("nmb6", nmb.KERNELS["nmb"], KAHAN_LI6)  # (1)
