"""Methods with a kernel for trees only, in the order of `ps.methods()`: one body is a tree to them.

What is not stated does not hold: `symplectic`, `reversible`, `implicit` and `velocity_forces` are False.
"""

from functools import partial

from poinsot.core.methods.method import Evaluations, Method, Option
from poinsot.core.methods.parts.coefficients import KAHAN_LI6, SUZUKI4, Composition

Given = tuple[tuple[str, float], ...]  # options that users chose

STAGES_TOLERANCE = Option(
    "tolerance", 1e-16, 1e-16, 1e-2, "relative error of the velocities at which the iterations of a step end"
)
INTERVAL_TOLERANCE = Option(
    "tolerance", 1e-12, 1e-14, 1e-2, "error of an interval, relative to the size of the motion"
)
BETA = Option("beta", 0.0, 0.0, 0.5, "weight of the new acceleration in the coordinates; 0: explicit")
GAMMA = Option("gamma", 0.5, 0.1, 1.0, "weight of the new acceleration in the velocities; 1/2: order 2")


def gauss(s: int, given: Given = ()) -> Method:
    """Gauss collocation with s stages, in coordinates.

    With a tolerance above that of rounding the iterations leave an error, which has a direction of time.
    """
    return Method(
        name=f"gauss{s}",
        title=f"Gauss, {s} stage{'s' if s > 1 else ''}",
        order=2 * s,
        scope="tree",
        reversible=not given,
        keeps=() if given else ("energy",),
        implicit=True,
        velocity_forces=True,
        evaluations=Evaluations(0, s),
        reference="hairer2006geometric",
        turn=1.0,
        lanes=False,
        duals=False,
        options=(STAGES_TOLERANCE,),
        given=given,
        module="gauss.gauss",
        make=partial(gauss, s),
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


def newmark(given: Given = ()) -> Method:
    """Newmark's family on the groups of the joints."""
    second = dict(given).get("gamma", GAMMA.default) == GAMMA.default
    return Method(
        name="newmark",
        title="Newmark on trees" if given else "Explicit Newmark on trees",
        order=2 if second else 1,
        scope="tree",
        reversible=second,
        implicit=True,
        velocity_forces=True,
        evaluations=Evaluations(0, 1),
        reference="krysl2005explicit",
        turn=1.0,
        options=(BETA, GAMMA),
        given=given,
        make=newmark,
    )


def dop853(given: Given = ()) -> Method:
    """Dormand and Prince with step control."""
    return Method(
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
        options=(INTERVAL_TOLERANCE,),
        given=given,
        module="dop853.dop853",
        make=dop853,
    )


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
    newmark(),
    dop853(),
)
