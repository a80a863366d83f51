"""Coulomb attraction and a soft wall: convergence of four methods for both signs of the torque."""

import poinsot as ps
from poinsot_papers.claims import Claim, Measured, Verdict, short
from poinsot_papers.figures import Panel
from poinsot_papers.krysl2005 import _convergence as convergence
from poinsot_papers.krysl2005._soft_wall import as_printed, contacts, corrected

CLAIM = Claim(
    paper="krysl2005explicit",
    where="figure 13",
    title="Soft wall, sign corrected: convergence at t = 10",
    words="the Newmark algorithm clearly outperforms all the others, including the canonical implicit "
    "midpoint method",
)
METHODS = ("nmb", "sw", "hstagm", "akw")
STEPS = tuple(0.2 / 2**k for k in range(10))
UNTIL, MIDDLE = 10.0, STEPS[6]
PROBLEMS = {"corrected": corrected, "as printed": as_printed}


def run() -> Measured:
    result: Measured = {}
    for name, problem in PROBLEMS.items():
        reference, agreement = convergence.reference_end(problem(), UNTIL, 0.001, 1e-4)
        table = convergence.errors(problem(), METHODS, STEPS, UNTIL, reference)
        run = ps.simulate(*problem(), "srkn4", step=0.001, until=20.0)
        result[name] = {
            "errors": table,
            "srkn4 and rkmk4 agree to": short(agreement, 2),
            "contacts until 20": contacts(run.rotation("body")),
            "R33 at 20": short(run.rotation("body")[-1, 2, 2]),
            "over nmb": {
                kind: {
                    method: short(convergence.ratio(table, kind, method, "nmb", MIDDLE)) for method in METHODS
                }
                for kind in ("attitude", "momentum")
            },
        }
    result["R33 at 20, to 15 digits"] = ps.scenario("soft-wall").reference["R33 at 20"]
    return result


def verdict(result: Measured) -> Verdict:
    def words(name: str) -> str:
        R, P = (result[name]["over nmb"][kind] for kind in ("attitude", "momentum"))
        return ", ".join(f"{method} {R[method]:.2f} ({P[method]:.2f})" for method in METHODS[1:])

    because = (
        f"the attitude (momentum) errors relative to those of nmb at h=1/320 are {words('corrected')}: sw "
        "and hstagm are more accurate than nmb, and akw is less accurate in attitude only; with the torque "
        f"as printed they are {words('as printed')}: then nmb is the most accurate, but the body never "
        f"touches the wall ({result['corrected']['contacts until 20']} contacts against "
        f"{result['as printed']['contacts until 20']})"
    )
    wins = all(
        result["corrected"]["over nmb"][kind][method] > 1
        for kind in ("attitude", "momentum")
        for method in METHODS[1:]
    )
    return Verdict("reproduced" if wins else "differs", because)


def plot(result: Measured) -> list[Panel]:
    return convergence.both(result["corrected"]["errors"])
