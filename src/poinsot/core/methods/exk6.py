"""EXK6: EXKICK, kick and exact flight, composed symmetrically to order 6 (Kahan & Li).

    x1 = exkick(c_9 h) ... exkick(c_2 h) exkick(c_1 h) x0                                              (1)

Like EXKICK, the composition is symplectic, and exact for a free body.
"""

from poinsot.core.methods import exkick
from poinsot.core.methods.parts.coefficients import KAHAN_LI6
from poinsot.core.methods.parts.composition import composed

KERNELS = composed("exk6", exkick.KERNELS["exkick"], KAHAN_LI6, exkick.parts)  # (1)
