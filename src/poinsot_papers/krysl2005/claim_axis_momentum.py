"""Conserved quantities of section 3.3 with methods of the library over a million steps."""

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Claim, Measured, Verdict, short, thinned
from poinsot_papers.figures import OUTSIDE, Panel, curves
from poinsot_papers.krysl2005._convergence import inertia

CLAIM = Claim(
    paper="krysl2005explicit",
    where="section 3.3",
    title="Lagrange top: momentum about its axis and about gravity over a million steps",
    words="the projection of the spatial angular momentum on the axis of the top is conserved; with "
    "re-orthogonalization its error is down to machine precision",
)
METHODS = ("nmb", "nms", "sw", "akw", "lp2", "rk4")
LONG, EVERY = 1_000_000, 500
EPS = float(np.finfo(float).eps)


def run() -> Measured:
    s = ps.scenario("lagrange-top")
    I = inertia(s.mechanism)
    result: Measured = {}
    for method in METHODS:
        run = ps.simulate(s.mechanism, s.start, method, step=s.step, steps=LONG, every=EVERY)
        R, w = run.rotation("top"), run.angular_velocity("top")
        pi = np.einsum("nij,jk,nk->ni", R, I, w)
        axis, gravity = np.einsum("ni,ni->n", pi, R[:, :, 2]), pi[:, 2]
        i = thinned(len(axis), 150)
        result[method] = {
            "time": short(run.time[i]),
            "axis": short(np.abs(axis / axis[0] - 1)[i], 3),
            "gravity": short(np.abs(gravity / gravity[0] - 1)[i], 5),
            "axis, first 2000 steps": short(np.abs(axis / axis[0] - 1)[: 2000 // EVERY + 1].max(), 3),
            "axis, largest": short(np.abs(axis / axis[0] - 1).max(), 3),
            "gravity, largest": short(np.abs(gravity / gravity[0] - 1).max(), 5),
            "norm of gravity": short(np.abs(np.linalg.norm(R[:, 2], axis=1) - 1).max(), 3),
        }
    return result


def verdict(result: Measured) -> Verdict:
    nmb, nms, rk4 = (result[method] for method in ("nmb", "nms", "rk4"))
    gravity = {method: result[method]["gravity, largest"] for method in METHODS}
    because = (
        f"the error of the momentum about the axis is {nmb['axis, first 2000 steps']:.0e} with nmb in the "
        f"2000 steps of the paper and {nmb['axis, largest']:.0e} in {LONG} steps (nms "
        f"{nms['axis, largest']:.0e}, rk4 {rk4['axis, largest']:.0e}); the norm of gravity changes by "
        f"{nmb['norm of gravity']:.0e}.  The momentum about gravity changes by {100 * gravity['nmb']:.2g} % "
        f"with nmb, and by at most {max(gravity[m] for m in ('sw', 'akw', 'lp2')):.0e} with sw, akw and lp2"
    )
    fine = nmb["axis, first 2000 steps"] < 10 * EPS and nmb["axis, largest"] < 1e-11
    return Verdict("reproduced" if fine else "differs", because)


def plot(result: Measured) -> list[Panel]:
    words = {"axis": "its axis", "gravity": "gravity"}
    most = 2 * max(max(one[kind]) for one in result.values() for kind in words)
    return [
        Panel(
            curves(result, "time", kind, "{}" if kind == "axis" else ""),
            "time",
            "relative error" if kind == "axis" else "",
            log="y",
            title=f"about {word}",
            legend=OUTSIDE,
            limits=(EPS / 4, most),
            floor=EPS / 2,
        )
        for kind, word in words.items()
    ]
