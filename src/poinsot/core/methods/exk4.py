"""EXK4: EXKICK, kick and exact flight, composed symmetrically to order 4 (Suzuki).

    x1 = exkick(c_5 h) ... exkick(c_2 h) exkick(c_1 h) x0                                              (1)

Like EXKICK, the composition is symplectic, and exact for a free body.
"""

from poinsot.core.methods import exkick
from poinsot.core.methods.parts.composition import SUZUKI4, composed

METHOD = composed(  # (1)
    exkick.METHOD, "exk4", "Kick and exact flight, composed to order 4", SUZUKI4, exkick.parts
)
