"""Kinetic energy of the free body at large steps: it oscillates without drift."""

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Claim, Measured, Verdict
from poinsot_papers.figures import OUTSIDE, Panel, curves

CLAIM = Claim(
    paper="krysl2005explicit",
    where="figure 1",
    title="Kinetic energy of the freely spinning body",
    words="kinetic energy is not conserved, but oscillates with unchanging amplitude and without drift",
)
STEPS = (4.0, 2.0, 1.0, 0.5)
LONG = 100_000  # steps of the test for drift


def run() -> Measured:
    s = ps.scenario("free-body")
    result: Measured = {}
    for h in STEPS:
        run = ps.simulate(s.mechanism, s.start, "nmb", step=h, until=200.0)
        long = ps.simulate(s.mechanism, s.start, "nmb", step=h, steps=LONG)
        drift = long.report().energy
        result[f"h={h:g}"] = {
            "time": np.round(run.time, 10).tolist(),
            "energy": np.round(run.kinetic, 10).tolist(),
            "relative band": drift.relative_band,
            "trend over band": drift.trend / drift.band,
        }
    return result


def verdict(result: Measured) -> Verdict:
    worst = max(one["trend over band"] for one in result.values())
    bands = ", ".join(f"{100 * one['relative band']:.2g} % at {name}" for name, one in result.items())
    because = (
        f"the energy stays in a band of {bands}; in {LONG} steps its trend is at most {100 * worst:.2g} % of "
        "the band"
    )
    return Verdict("reproduced" if worst < 0.01 else "differs", because)


def plot(result: Measured) -> Panel:
    found = curves(result, "time", "energy", style=".-", width=0.8, size=3)
    return Panel(found, "time", "kinetic energy", legend=OUTSIDE)
