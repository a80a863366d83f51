"""Kinetic energy of the free body at large steps: it oscillates without drift."""

import numpy as np

from poinsot.gallery.reproduction import Claim, Figure, Measured, Verdict
from poinsot.gallery.scenario import scenario
from poinsot.plots.figure import COLORS, dress
from poinsot.simulation.simulate import simulate

CLAIM = Claim(
    paper="krysl2005explicit",
    where="figure 1",
    title="Kinetic energy of the freely spinning body",
    words="kinetic energy is not conserved, but oscillates with unchanging amplitude and without drift",
)
STEPS = (4.0, 2.0, 1.0, 0.5)
LONG = 100_000  # steps of the test for drift


def run() -> Measured:
    s = scenario("free-body")
    result: Measured = {}
    for h in STEPS:
        run = simulate(s.mechanism, s.start, "nmb", step=h, until=200.0)
        long = simulate(s.mechanism, s.start, "nmb", step=h, steps=LONG)
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


def plot(result: Measured, figure: Figure) -> None:
    axes = figure.subplots()
    for color, (name, one) in zip(COLORS, result.items(), strict=False):
        axes.plot(one["time"], one["energy"], ".-", color=color, markersize=3, linewidth=0.8, label=name)
    axes.set_xlabel("time")
    axes.set_ylabel("kinetic energy")
    figure.legend(frameon=False, fontsize=9, loc="outside right upper")
    axes.set_title(CLAIM.title, loc="left", fontsize=11)
    dress(axes)
