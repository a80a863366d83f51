"""EXK6: EXKICK, kick and exact flight, composed symmetrically to order 6 (Kahan & Li).

    x1 = exkick(c_9 h) ... exkick(c_2 h) exkick(c_1 h) x0                                              (1)

The composition keeps all that EXKICK keeps: symplectic, and exact for a free body.
"""

from poinsot.core.methods import exkick
from poinsot.core.methods.method import Method
from poinsot.core.methods.parts.composition import KAHAN_LI6, composed
from poinsot.core.methods.parts.kick import MEMORY, remember

step = composed(exkick.step, KAHAN_LI6)  # (1)

METHOD = Method(
    name="exk6", title="Kick and exact flight, composed to order 6", order=6, scope="body", symplectic=True,
    reversible=True, keeps=('energy', 'momentum'), implicit=False, velocity_forces=False,
    reference="kahan1997composition", turn=None, step=step, remember=remember, memory=MEMORY,
)  # fmt: skip
