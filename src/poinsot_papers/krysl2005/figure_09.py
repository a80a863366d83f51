"""Lagrange top: momentum about its axis, with and without re-orthogonalising the attitude matrix."""

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Claim, Measured, Verdict, short, thinned
from poinsot_papers.figures import Panel, curves
from poinsot_papers.krysl2005 import _printed as printed
from poinsot_papers.krysl2005._convergence import inertia

CLAIM = Claim(
    paper="krysl2005explicit",
    where="figure 9",
    title="Lagrange top: error of the momentum about the axis of the top",
    words="with the attitude matrix re-orthogonalized in each step the error in the projection onto the axis "
    "of the top is down to machine precision; hardly any effect may be seen in the physical characteristics",
)
WEIGHT = np.sqrt(3) / 2 * 9.81
LABELS = {"multiplied": False, "re-orthogonalised": True}
EPS = float(np.finfo(float).eps)


def run() -> Measured:
    s = ps.scenario("lagrange-top")
    I, w = inertia(s.mechanism), s.start.v
    R = printed.rotation(np.array([0.3, 0.0, 0.0]))
    result: Measured = {}
    ends = []
    for name, orthogonal in LABELS.items():
        walk = printed.nmb(I, R, w, printed.top(WEIGHT), s.step, 2000, orthogonal=orthogonal)
        pi = np.einsum("nij,jk,nk->ni", walk.R, I, walk.w)
        axis = np.einsum("ni,ni->n", pi, walk.R[:, :, 2])
        defect = np.abs(np.einsum("nji,njk->nik", walk.R, walk.R) - np.eye(3)).max(axis=(1, 2))
        i = thinned(len(axis), 200)
        result[name] = {
            "time": short(i * s.step),
            "error": short(np.abs(axis - axis[0])[i], 4),
            "largest error": short(np.abs(axis - axis[0]).max(), 4),
            "orthogonality": short(defect.max(), 4),
        }
        ends.append(walk.R[-1])
    result["attitudes differ at t = 100 by"] = short(np.abs(ends[0] - ends[1]).max(), 2)
    return result


def verdict(result: Measured) -> Verdict:
    plain, good = (result[name] for name in LABELS)
    apart = result["attitudes differ at t = 100 by"]
    because = (
        f"the largest error is {plain['largest error']:.1e} by multiplication alone (|R^T R - 1| reaches "
        f"{plain['orthogonality']:.0e}) and {good['largest error']:.1e}, "
        f"{good['largest error'] / 5 / EPS:.1g} units of rounding, with one polar iteration after each step; "
        f"the attitudes at the end differ by {apart:.0e}"
    )
    fine = (
        good["largest error"] < 5e-15 and plain["largest error"] > 3 * good["largest error"] and apart < 1e-9
    )
    return Verdict("reproduced" if fine else "differs", because)


def plot(result: Measured) -> Panel:
    rows, label = {name: result[name] for name in LABELS}, "error (zero is drawn at 2e-16)"
    found = curves(rows, "time", "error")
    return Panel(found, "time", label, log="y", legend="upper left", limits=(1e-16, 1e-12), floor=EPS)
