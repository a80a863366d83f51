"""Slow Lagrange top: convergence of four methods at t = 10."""

import poinsot as ps
from poinsot_papers.claims import Claim, Measured, Verdict, short
from poinsot_papers.figures import Panel
from poinsot_papers.krysl2005 import _convergence as convergence
from poinsot_papers.krysl2005._convergence import Problem

CLAIM = Claim(
    paper="krysl2005explicit",
    where="figure 11",
    title="Slow Lagrange top: convergence at t = 10",
    words="the Newmark algorithm is clearly a robust performer, delivering accuracy that improves on that of "
    "the implicit midpoint rule",
)
METHODS = ("nmb", "sw", "hstagm", "akw")
STEPS = tuple(0.4 / 2**k for k in range(10))
UNTIL, MIDDLE = 10.0, STEPS[6]


def run() -> Measured:
    s = ps.scenario("slow-top")
    problem = Problem(s.mechanism, s.start)
    reference, agreement = convergence.reference_end(problem, UNTIL, 0.001, 1e-4)
    table = convergence.errors(problem, METHODS, STEPS, UNTIL, reference)
    return {
        "errors": table,
        "srkn4 and rkmk4 agree to": short(agreement, 2),
        "orders": {method: short(convergence.order(table, "attitude", method)) for method in METHODS},
        "over nmb": {
            kind: {method: short(convergence.ratio(table, kind, method, "nmb", MIDDLE)) for method in METHODS}
            for kind in ("attitude", "momentum")
        },
    }


def verdict(result: Measured) -> Verdict:
    R, P = (result["over nmb"][kind] for kind in ("attitude", "momentum"))
    because = (
        f"at h=1/160 the error of akw is {R['akw']:.1f} times that of nmb in attitude and {P['akw']:.1f} "
        f"times in momentum; nmb has order {result['orders']['nmb']:.2f}; sw is {R['sw']:.1f} times less "
        f"accurate than nmb in attitude and {1 / P['sw']:.1f} times more accurate in momentum, hstagm "
        f"(before it blows up, see figure 12) {1 / R['hstagm']:.1f} and {1 / P['hstagm']:.1f} times more "
        "accurate"
    )
    return Verdict("reproduced" if R["akw"] > 1 and P["akw"] > 1 else "differs", because)


def plot(result: Measured) -> list[Panel]:
    return convergence.both(result["errors"])
