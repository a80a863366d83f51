"""EXK4: EXKICK, kick and exact flight, composed symmetrically to order 4 (Suzuki).

    x1 = exkick(c_5 h) ... exkick(c_2 h) exkick(c_1 h) x0                                              (1)

The composition keeps all that EXKICK keeps: symplectic, and exact for a free body.
"""

from poinsot.core.methods import exkick
from poinsot.core.methods.method import Method
from poinsot.core.methods.parts.composition import SUZUKI4, composed
from poinsot.core.methods.parts.kick import MEMORY, remember

step = composed(exkick.step, SUZUKI4)  # (1)

METHOD = Method(
    name="exk4", title="Kick and exact flight, composed to order 4", order=4, scope="body", symplectic=True,
    reversible=True, keeps=('energy', 'momentum'), implicit=False, velocity_forces=False,
    reference="suzuki1990fractal", turn=None, step=step, remember=remember, memory=MEMORY,
)  # fmt: skip
