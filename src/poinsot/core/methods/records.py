"""Facts about all methods, without their kernels: reading them needs no compiler.

First those with a kernel for one body (those of scope "tree" run trees too), then those for trees only, to
which one body is a tree; both in the order of `ps.methods()`.  What is not stated does not hold.
"""

from dataclasses import replace
from functools import partial
from typing import Any

from poinsot.core.methods.method import Evaluations, Kept, Method, Option, Scope
from poinsot.core.methods.parts.coefficients import KAHAN_LI6, SUZUKI4, Composition

Given = tuple[tuple[str, float], ...]  # options that users chose
KEPT: tuple[Kept, ...] = ("energy", "momentum")
FLAGS = ("symplectic", "reversible", "implicit", "velocity_forces")


def one(
    name: str, title: str, order: int | None, scope: Scope, facts: str, reference: str, turn: float | None,
    evaluations: Evaluations, module: str = "", **options: Any,
) -> Method:  # fmt: skip
    """Method whose facts are words of `FLAGS` and `KEPT`."""
    words = facts.split()
    assert set(words) <= {*FLAGS, *KEPT}, facts
    options |= {flag: flag in words for flag in FLAGS}
    return Method(
        name=name, title=title, order=order, scope=scope, reference=reference, turn=turn,
        evaluations=evaluations, module=module, keeps=tuple(kept for kept in KEPT if kept in words),
        **options,
    )  # fmt: skip


def composed(base: Method, name: str, title: str, by: Composition) -> Method:
    """Compose a method of one body; its invariants are those of the base.
    Forces must not depend on the velocity: steps of order 2 that predict it are not time-symmetric."""
    return replace(
        base, name=name, title=title, order=by.order, velocity_forces=False, reference=by.citation,
        evaluations=Evaluations(len(by.coefficients)), module=base.name,
    )  # fmt: skip


E = Evaluations
NEWMARK = "reversible implicit velocity_forces"
CONSERVING = "reversible implicit velocity_forces energy momentum"
MOSER_VESELOV = "reversible implicit energy momentum"
FLIGHTS = "symplectic reversible energy momentum"
V = "velocity_forces"
NMB = one("nmb", "Explicit Newmark, body frame", 2, "body", NEWMARK, "krysl2005explicit", 1.0, E(1))
EXKICK = one("exkick", "Kick, exact flight, kick", 2, "body", FLIGHTS, "celledoni2008exact", None, E(1))

TWISTS = Option("twists", 0.0, 0.0, 1.0, "1: a free body moves on SE(3), by its twist in body axes")
CLASSICAL = Option("classical", 0.0, 0.0, 1.0, "1: the tableau of rk4, which has order 2 here; on SE(3)")


def cg4(given: Given = ()) -> Method:
    """Crouch and Grossman's method; with options, one body moves on SE(3) as a tree does."""
    plain = not dict(given).get("classical", 0.0)
    title = "Crouch-Grossman, five stages" if plain else "Crouch-Grossman, tableau of rk4"
    return one(
        "cg4", title, 4 if plain else 2, "tree", V, "jackiewicz2000construction", 0.5, E(5 if plain else 4),
        "explicit", options=(TWISTS, CLASSICAL), given=given, make=cg4,
    )  # fmt: skip


# fmt: off
ONE_BODY: tuple[Method, ...] = (
    NMB,
    one("nms", "Explicit Newmark, space frame", 2, "body", NEWMARK, "krysl2005explicit", 1.0, E(1)),
    composed(NMB, "nmb4", "Newmark, composed to order 4", SUZUKI4),
    composed(NMB, "nmb6", "Newmark, composed to order 6", KAHAN_LI6),
    one("sw", "Simo-Wong, explicit", 2, "body", f"momentum {V}", "simo1991unconditionally", 0.5, E(1)),
    one("hstagm", "Hulbert, staggered", 2, "body", f"momentum {V}", "hulbert1992explicit", 0.5, E(2), "sw"),
    one("akw", "Austin-Krishnaprasad-Wang, implicit midpoint", 2, "body", CONSERVING,
        "austin1993almost", 2.0, E(0, 1)),
    one("ls", "Lewis-Simo, implicit", 2, "body", CONSERVING, "lewis1994conserving", 2.0, E(0, 1), "akw"),
    one("lp2", "Lie-Poisson splitting by axes", 2, "body", "symplectic reversible momentum",
        "mclachlan1993explicit", 1.0, E(1)),
    one("lgvi", "Lie-group variational integrator", 2, "body", f"symplectic {MOSER_VESELOV}",
        "lee2005lie", 1.0, E(1), "dmv"),
    one("dmv", "Discrete Moser-Veselov", 2, "free", f"symplectic {MOSER_VESELOV}",
        "moser1991discrete", 1.0, E(0)),
    one("dmv4", "Discrete Moser-Veselov, rescaled to order 4", 4, "free", MOSER_VESELOV,
        "mclachlan2005discrete", 1.0, E(0), "dmv"),
    one("dmv6", "Discrete Moser-Veselov, rescaled to order 6", 6, "free", MOSER_VESELOV,
        "mclachlan2005discrete", 1.0, E(0), "dmv"),
    EXKICK,
    composed(EXKICK, "exk4", "Kick and exact flight, composed to order 4", SUZUKI4),
    composed(EXKICK, "exk6", "Kick and exact flight, composed to order 6", KAHAN_LI6),
    one("srkn4", "Runge-Kutta-Nystrom splitting, exact flight", 4, "body", FLIGHTS,
        "blanes2002practical", None, E(6), "exkick"),
    one("rk4", "Classical Runge-Kutta, quaternion", 4, "tree", V, "kutta1901beitrag", 0.5, E(4), "explicit",
        loops=True, contacts=True),
    one("rk4_raw", "Classical Runge-Kutta, never normalised", 4, "body", V,
        "kutta1901beitrag", 0.5, E(4), "explicit"),
    one("cg3", "Crouch-Grossman, three stages", 3, "body", V, "crouch1993numerical", 0.5, E(3), "explicit"),
    cg4(),
    one("rkmk4", "Runge-Kutta-Munthe-Kaas", 4, "tree", V, "munthekaas1999high", 0.5, E(4), "explicit"),
    one("cf4", "Commutator-free, four stages", 4, "tree", V,
        "celledoni2003commutator", 0.5, E(4), "explicit"),
    one("exact", "Jacobi elliptic functions", None, "free", FLIGHTS, "jacobi1849rotation", None, E(0)),
)
# fmt: on

STAGES_TOLERANCE = Option(
    "tolerance", 1e-16, 1e-16, 1e-2, "relative error of the velocities at which the iterations of a step end"
)
INTERVAL_TOLERANCE = Option(
    "tolerance", 1e-12, 1e-14, 1e-2, "error of an interval, relative to the size of the motion"
)
BETA = Option("beta", 0.0, 0.0, 0.5, "weight of the new acceleration in the coordinates; 0: explicit")
GAMMA = Option("gamma", 0.5, 0.1, 1.0, "weight of the new acceleration in the velocities; 1/2: order 2")


def plural(s: int) -> str:
    return f"{s} stage{'s' if s > 1 else ''}"


def gauss(s: int, given: Given = ()) -> Method:
    """Gauss collocation with s stages, in coordinates.
    With a tolerance above that of rounding the iterations leave an error, which has a direction of time."""
    return one(
        f"gauss{s}", f"Gauss, {plural(s)}", 2 * s, "tree",
        f"implicit {V}" if given else f"reversible implicit {V} energy", "hairer2006geometric", 1.0, E(0, s),
        "gauss.gauss", lanes=s < 4, duals=False, options=(STAGES_TOLERANCE,), given=given,
        make=partial(gauss, s), loops=True, contacts=True,
    )  # fmt: skip


def sgauss(s: int, name: str, title: str, loops: str = "") -> Method:
    """Symplectic Gauss with s stages; `loops` is what runs where there are loops."""
    varied = name.startswith("variational")
    return one(
        name, title, 2 * s, "tree", f"symplectic reversible implicit {V} momentum",
        "marsden2001discrete" if varied else "hairer2006geometric", 1.5, E(0, s),
        "variational.variational" if varied else "sgauss.sgauss", lanes=False, loops=bool(loops),
        with_loops=loops,
    )  # fmt: skip


def variational(name: str, title: str, reference: str = "marsden2001discrete", **options: Any) -> Method:
    """Variational integrator of order 2."""
    return one(
        name, title, 2, "tree", f"symplectic reversible implicit {V} momentum", reference, 1.5, E(1, 1),
        "variational.variational", loops=True, **options,
    )  # fmt: skip


def by_steps(by: Composition) -> str:
    """Description of a composition of `variational`."""
    return f"composition of {len(by.coefficients)} steps of variational"


def newmark(given: Given = ()) -> Method:
    """Newmark's family on the groups of the joints."""
    second = dict(given).get("gamma", GAMMA.default) == GAMMA.default
    explicit = dict(given).get("beta", BETA.default) == BETA.default
    return one(
        "newmark", "Newmark on trees" if given else "Explicit Newmark on trees", 2 if second else 1, "tree",
        f"implicit {V}" + " reversible" * second, "krysl2005explicit", 1.0, E(1) if explicit else E(0, 1),
        options=(BETA, GAMMA), given=given, make=newmark,
    )  # fmt: skip


def radau(s: int) -> Method:
    """Radau IIA with s stages: what is stiff is damped."""
    found = one(
        f"radau{s}", f"Radau IIA, {plural(s)}, L-stable", 2 * s - 1, "tree", f"implicit {V}",
        "hairer1996solving", 1.0, E(0), "radau", lanes=False, duals=False, damps=True,
        loops=True, contacts=True,
    )  # fmt: skip
    return replace(found, evaluations=None)


def dop853(given: Given = ()) -> Method:
    """Dormand and Prince with step control."""
    found = one(
        "dop853", "Dormand-Prince 8(5,3), adaptive", 8, "tree", V, "hairer1993solving", None, E(0),
        "dop853.dop853", lanes=False, duals=False, options=(INTERVAL_TOLERANCE,), given=given, make=dop853,
        loops=True, contacts=True,
    )  # fmt: skip
    return replace(found, evaluations=None)


TREES: tuple[Method, ...] = (
    *(gauss(s) for s in (1, 2, 3, 4)),
    *(sgauss(s, f"sgauss{s}", f"Symplectic Gauss, {plural(s)}") for s in (1, 2, 3, 4)),
    variational("variational", "Variational, trapezoidal"),
    variational("variational_midpoint", "Variational, midpoint"),
    variational("variational_se3", "Variational, SE(3)", variant=True),
    variational("variational_product", "Variational, R3 x SO(3)", variant=True),
    variational("variational_riqn", "Variational, RIQN", "lee2016linear", variant=True),
    sgauss(2, "variational4", "Variational, order 4", by_steps(SUZUKI4)),
    sgauss(3, "variational6", "Variational, order 6", by_steps(KAHAN_LI6)),
    sgauss(4, "variational8", "Variational, order 8"),
    newmark(),
    *(radau(s) for s in (2, 3)),
    dop853(),
)
