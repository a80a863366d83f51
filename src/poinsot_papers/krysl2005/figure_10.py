"""Fast Lagrange top: convergence of four methods at t = 10."""

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Claim, Measured, Verdict, short
from poinsot_papers.figures import Panel
from poinsot_papers.krysl2005 import _convergence as convergence
from poinsot_papers.krysl2005._convergence import Problem

CLAIM = Claim(
    paper="krysl2005explicit",
    where="figure 10",
    title="Fast Lagrange top: convergence at t = 10",
    words="the SW and HSTAGM algorithms yield essentially identical answers except for the largest time "
    "steps",
)
METHODS = ("nmb", "sw", "hstagm", "akw")
STEPS = tuple(0.1 / 2**k for k in range(11))
UNTIL, MIDDLE = 10.0, STEPS[7]
OWN = 5e-6  # step of the reference solution of the paper


def run() -> Measured:
    s = ps.scenario("fast-top")
    problem = Problem(s.mechanism, s.start)
    reference, agreement = convergence.reference_end(problem, UNTIL, 0.001, 2e-5)
    table = convergence.errors(problem, METHODS, STEPS, UNTIL, reference)
    own = convergence.end(problem, "nmb", OWN, round(UNTIL / OWN))
    assert own is not None
    pairs = zip(table["attitude"]["sw"], table["attitude"]["hstagm"], strict=True)
    return {
        "errors": table,
        "srkn4 and rkmk4 agree to": short(agreement, 2),
        "orders": {method: short(convergence.order(table, "attitude", method)) for method in METHODS},
        "hstagm over sw": [short(b / a) for a, b in pairs],
        "nmb over sw": short(convergence.ratio(table, "attitude", "nmb", "sw", MIDDLE)),
        "akw over nmb": short(convergence.ratio(table, "attitude", "akw", "nmb", MIDDLE)),
        "error of their reference": short(np.linalg.norm(own.R - reference.R, 2), 6),
    }


def verdict(result: Measured) -> Verdict:
    same = result["hstagm over sw"]
    far = [h for h, x in zip(STEPS, same, strict=True) if abs(x - 1) > 0.1]
    because = (
        f"the errors of hstagm and sw differ by at most {100 * max(abs(x - 1) for x in same[5:]):.0f} % for "
        f"steps up to {STEPS[5]:.4g}, and by more than 10 % only for {', '.join(f'{h:.4g}' for h in far)}.  "
        f"Not in the text: the error of nmb is {result['nmb over sw']:.1f} times that of sw here, and that "
        f"of akw {result['akw over nmb']:.0f} times that of nmb; the reference solution of the paper has an "
        f"error of {result['error of their reference']:.0e}"
    )
    return Verdict("reproduced" if max(far) == STEPS[0] and min(far) > 0.01 else "differs", because)


def plot(result: Measured) -> list[Panel]:
    return convergence.both(result["errors"])
