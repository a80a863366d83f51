"""Methods with a kernel for trees only, in the order of `ps.methods()`: one body is a tree to them.

What is not stated does not hold: `symplectic`, `reversible`, `implicit` and `velocity_forces` are False.
"""

from poinsot.core.methods.method import Evaluations, Method
from poinsot.core.methods.parts.coefficients import KAHAN_LI6, SUZUKI4, Composition


def gauss(s: int) -> Method:
    """Gauss collocation with s stages, in coordinates."""
    return Method(
        name=f"gauss{s}",
        title=f"Gauss, {s} stage{'s' if s > 1 else ''}",
        order=2 * s,
        scope="tree",
        reversible=True,
        keeps=("energy",),
        implicit=True,
        velocity_forces=True,
        evaluations=Evaluations(0, s),
        reference="hairer2006geometric",
        turn=1.0,
        lanes=False,
        duals=False,
        module="gauss.gauss",
    )


def sgauss(s: int, name: str, title: str, loops: str = "") -> Method:
    """Symplectic Gauss with s stages; `loops` is what runs where there are loops."""
    return Method(
        name=name,
        title=title,
        order=2 * s,
        scope="tree",
        symplectic=True,
        reversible=True,
        keeps=("momentum",),
        implicit=True,
        velocity_forces=True,
        evaluations=Evaluations(0, s),
        reference="marsden2001discrete" if name.startswith("variational") else "hairer2006geometric",
        turn=1.5,
        lanes=False,
        loops=bool(loops),
        with_loops=loops,
        module="variational.variational" if name.startswith("variational") else "sgauss.sgauss",
    )


def variational(
    name: str, title: str, reference: str = "marsden2001discrete", variant: bool = False
) -> Method:
    """Variational integrator of order 2."""
    return Method(
        name=name,
        title=title,
        order=2,
        scope="tree",
        symplectic=True,
        reversible=True,
        keeps=("momentum",),
        implicit=True,
        velocity_forces=True,
        evaluations=Evaluations(1, 1),
        reference=reference,
        turn=1.5,
        lanes=False,
        loops=True,
        variant=variant,
        module="variational.variational",
    )


def composed(by: Composition) -> str:
    """Description of a composition of `variational`."""
    return f"composition of {len(by.coefficients)} steps of variational"


METHODS: tuple[Method, ...] = (
    *(gauss(s) for s in (1, 2, 3, 4)),
    *(sgauss(s, f"sgauss{s}", f"Symplectic Gauss, {s} stage{'s' if s > 1 else ''}") for s in (1, 2, 3, 4)),
    variational("variational", "Variational, trapezoidal"),
    variational("variational_midpoint", "Variational, midpoint"),
    variational("variational_se3", "Variational, SE(3)", variant=True),
    variational("variational_product", "Variational, R3 x SO(3)", variant=True),
    variational("variational_riqn", "Variational, RIQN", "lee2016linear", variant=True),
    sgauss(2, "variational4", "Variational, order 4", composed(SUZUKI4)),
    sgauss(3, "variational6", "Variational, order 6", composed(KAHAN_LI6)),
    sgauss(4, "variational8", "Variational, order 8"),
    Method(
        name="newmark",
        title="Explicit Newmark on trees",
        order=2,
        scope="tree",
        reversible=True,
        implicit=True,
        velocity_forces=True,
        evaluations=Evaluations(0, 1),
        reference="krysl2005explicit",
        turn=1.0,
    ),
    Method(
        name="dop853",
        title="Dormand-Prince 8(5,3), adaptive",
        order=8,
        scope="tree",
        velocity_forces=True,
        evaluations=None,
        reference="hairer1993solving",
        turn=None,
        lanes=False,
        duals=False,
        module="dop853.dop853",
    ),
)
