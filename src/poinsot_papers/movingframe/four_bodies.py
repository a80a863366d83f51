"""Sections 3.2.3 and 3.2.4: four links with GL3 and GL2, lengths and energies (table 3.2: its own file)."""

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Claim, Measured, Verdict, relative_change, short
from poinsot_papers.figures import OUTSIDE, Panel, curves
from poinsot_papers.movingframe._chain import ANGLE, STEP, UNTIL, first_rotated, mechanism

CLAIM = Claim(
    paper="movingframe",
    where="sections 3.2.3 and 3.2.4, figures 3.8 and 3.9",
    title="Four links, h = 0.01: relative error of the energy",
    words="GL3 keeps |u| to 1e-15 and the energy to 1e-14, GL2 |u| to 1e-15 and the energy to 3e-13",
)


def run() -> Measured:
    m = mechanism(4)
    found: Measured = {}
    for name, method in (("GL3", "gauss3"), ("GL2", "gauss2")):
        path = ps.simulate(
            m, ps.State(0.0, first_rotated(4, ANGLE), np.zeros(12)), method, step=STEP, until=UNTIL
        )
        error = relative_change(path.energy, path.kinetic.max())
        lengths = [np.linalg.norm(path.joint(link), axis=1) for link in m.names]
        found[name] = {
            "length": short(np.abs(np.array(lengths) - 1).max(), 2),
            "energy": short(np.abs(error).max(), 2),
            "energy at the end": short(abs(error[-1]), 2),
            "evaluations": int(path.evaluations),
            "curve": short(error[::5], 2),
        }
    return {"time": short(path.time[::5], 4), "methods": found}


def verdict(result: Measured) -> Verdict:
    gl3, gl2 = result["methods"]["GL3"], result["methods"]["GL2"]
    fine = max(gl3["length"], gl2["length"]) < 1e-14 and gl3["energy"] < 1e-13 and gl2["energy"] < 1e-12
    because = (
        f"GL3 conserves |u| to {gl3['length']:.0e} and the energy to {gl3['energy']:.0e} with "
        f"{gl3['evaluations']} evaluations, GL2 to {gl2['length']:.0e} and {gl2['energy']:.0e} with "
        f"{gl2['evaluations']} evaluations"
    )
    return Verdict("reproduced" if fine else "differs", because)


def plot(result: Measured) -> Panel:
    rows = {name: np.array(one["curve"]) * 1e14 for name, one in result["methods"].items()}
    label = "energy / energy at the start - 1, 1e-14"
    return Panel(curves(rows, result["time"]), "time", label, legend=OUTSIDE)
