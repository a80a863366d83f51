"""Convergence of the body momentum of the free body with eight methods."""

import poinsot as ps
from poinsot_papers.claims import Claim, Measured, Verdict, short
from poinsot_papers.figures import Panel
from poinsot_papers.krysl2005 import _convergence as convergence
from poinsot_papers.krysl2005._convergence import Problem

CLAIM = Claim(
    paper="krysl2005explicit",
    where="figure 5",
    title="Freely spinning body: convergence of the momentum at t = 100",
    words="convergence in the body-frame momenta: Newmark, Simo-Wong, Lewis-Simo, LP2, the implicit midpoint "
    "rule and DMV of the second order, DMV4 of the fourth and DMV6 of the sixth",
)
STEPS = tuple(8.0 / 2**k for k in range(12))
ORDERS = {"nmb": 2, "sw": 2, "ls": 2, "lp2": 2, "akw": 2, "dmv": 2, "dmv4": 4, "dmv6": 6}


def run() -> Measured:
    s = ps.scenario("free-body")
    problem = Problem(s.mechanism, s.start)
    table = convergence.errors(problem, ORDERS, STEPS, 100.0, convergence.exact(problem))
    return {
        "errors": {"steps": table["steps"], "momentum": table["momentum"]},
        "orders": {method: short(convergence.order(table, "momentum", method)) for method in ORDERS},
        "over nmb at 1/8": {
            method: short(convergence.ratio(table, "momentum", method, "nmb", 0.125)) for method in ORDERS
        },
    }


def verdict(result: Measured) -> Verdict:
    orders, over = result["orders"], result["over nmb at 1/8"]
    good = all(abs(orders[method] - order) < 0.1 for method, order in ORDERS.items())
    slower = ", ".join(f"{method} {over[method]:.1f}" for method in ("akw", "sw", "ls", "lp2", "dmv"))
    because = (
        f"the orders are {', '.join(f'{method} {value:.2f}' for method, value in orders.items())}; the "
        f"errors relative to that of nmb at h=1/8 are {slower}; at h=2 and above dmv has no solution and our "
        "solver for ls fails; the paper prints no numbers"
    )
    return Verdict("reproduced" if good else "differs", because)


def plot(result: Measured) -> Panel:
    return convergence.panel(result["errors"], "momentum")
