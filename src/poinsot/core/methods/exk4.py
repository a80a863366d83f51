"""EXK4: EXKICK, kick and exact flight, composed symmetrically to order 4 (Suzuki).

    x1 = exkick(c_5 h) ... exkick(c_2 h) exkick(c_1 h) x0                                              (1)

Like EXKICK, the composition is symplectic, and exact for a free body.
"""

from poinsot.core.methods import exkick
from poinsot.core.methods.parts.coefficients import SUZUKI4
from poinsot.core.methods.parts.composition import composed

KERNELS = composed("exk4", exkick.KERNELS["exkick"], SUZUKI4, exkick.parts)  # (1)
