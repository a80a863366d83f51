"""The slip in dlog in an integrator: variational steps with the notebook's dlog and with the exact one."""

import numpy as np

from poinsot.gallery.papers.beckman2023 import _tqdl as tqdl
from poinsot.gallery.papers.beckman2023 import _variational as variational
from poinsot.gallery.reproduction import Claim, Figure, Measured, Verdict
from poinsot.gallery.scenario import scenario
from poinsot.gallery.shortening import short, thinned
from poinsot.lie import quaternion
from poinsot.plots.figure import COLORS, dress
from poinsot.simulation.simulate import simulate

CLAIM = Claim(
    paper="beckman2023geometric",
    where="dlog6R6 in DREPE",
    title="Dzhanibekov with the notebook's dlog and the exact one, h = 0.03",
    words="CGDVIE3, built on this dlog, conserves energy and momenta",
)
STEP, STEPS, CHECKED = 0.03, 20_000, 300  # CHECKED: steps that NumPy and the compiled method both make
MOMENTS = np.array(tqdl.MOMENTS)


def run() -> Measured:
    R, p = quaternion.matrix(tqdl.ROTATION), MOMENTS * tqdl.SPIN
    rotations, momenta = variational.path(variational.NOTEBOOK, MOMENTS, R, p, STEP, STEPS)
    slipped = variational.energy(MOMENTS, rotations, momenta)
    L = np.einsum("kij,kj->ki", rotations, momenta)
    s = scenario("dzhanibekov")
    ours = simulate(s.mechanism, s.start, "variational", step=STEP, steps=STEPS)
    rotations, momenta = variational.path(variational.EXACT, MOMENTS, R, p, STEP, CHECKED)
    energy = {"its dlog": slipped / slipped[0] - 1, "true dlog": ours.energy / ours.energy[0] - 1}
    half, i = STEPS // 2, thinned(STEPS + 1, 300)
    return {
        "steps": STEPS,
        "end": {name: short(one[-1], 5) for name, one in energy.items()},
        "drift": {name: short(one[half:].mean() - one[:half].mean(), 4) for name, one in energy.items()},
        "largest": {name: short(np.abs(one).max(), 5) for name, one in energy.items()},
        "momentum, its dlog": short(np.linalg.norm(L - L[0], axis=1).max() / np.linalg.norm(L[0]), 1),
        "witness": short(np.abs(rotations - ours.rotation("nut")[: CHECKED + 1]).max(), 1),
        "time": short(STEP * i, 5),
        "energy": {name: short(one[i], 4) for name, one in energy.items()},
    }


def verdict(result: Measured) -> Verdict:
    end, largest = result["end"], result["largest"]
    because = (
        f"when its equations are solved for the steps, the notebook's dlog gains {100 * end['its dlog']:.1f} "
        f"% of energy in {result['steps']} steps of {STEP} s, steadily (it conserves the momentum in space "
        f"to {result['momentum, its dlog']:.0e}, which is due to Ad, not to dlog).  With the exact dlog the "
        f"energy stays within {largest['true dlog']:.1e} and its mean changes by "
        f"{result['drift']['true dlog']:.0e}; a separate NumPy implementation and the compiled method agree "
        f"to {result['witness']:.0e} over {CHECKED} steps"
    )
    return Verdict("reproduced" if largest["its dlog"] < 1e-2 else "differs", because)


def plot(result: Measured, figure: Figure) -> None:
    axes = figure.subplots()
    for color, name in ((COLORS[0], "its dlog"), (COLORS[2], "true dlog")):
        axes.plot(
            result["time"], 100 * np.array(result["energy"][name]), color=color, linewidth=1.2, label=name
        )
    axes.set_xlabel("time [s]")
    axes.set_ylabel("energy error [%]")
    axes.legend(frameon=False, fontsize=9, loc="upper left")
    axes.set_title(CLAIM.title, loc="left", fontsize=11)
    dress(axes)
