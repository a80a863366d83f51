"""Records of two methods of order 1, as CONTRIBUTING wants them; `test_recipes` copies their text."""

from poinsot.core.methods.method import Evaluations, Method

METHODS = (
    Method(
        name="lie_euler",
        title="Lie-Euler",
        order=1,
        scope="body",
        keeps=("momentum",),
        velocity_forces=True,
        evaluations=Evaluations(1),
        reference="hairer2006geometric",
        turn=0.5,
    ),
    Method(
        name="tree_euler",
        title="Euler on trees",
        order=1,
        scope="tree",
        velocity_forces=True,
        evaluations=Evaluations(1),
        reference="hairer2006geometric",
        turn=0.1,
    ),
)
