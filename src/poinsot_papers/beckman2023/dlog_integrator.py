"""The slip in dlog in an integrator: variational steps with the notebook's dlog and with the exact one."""

import numpy as np

import poinsot as ps
from poinsot_papers.beckman2023 import _tqdl as tqdl
from poinsot_papers.beckman2023 import _variational as variational
from poinsot_papers.claims import Claim, Measured, Verdict, relative_change, short, thinned
from poinsot_papers.figures import COLORS, Curve, Panel

CLAIM = Claim(
    paper="beckman2023geometric",
    where="dlog6R6 in DREPE",
    title="Dzhanibekov with the notebook's dlog and the exact one, h = 0.03",
    words="CGDVIE3, built on this dlog, conserves energy and momenta",
)
STEP, STEPS, CHECKED = 0.03, 20_000, 300  # CHECKED: steps that NumPy and the compiled method both make
MOMENTS = np.array(tqdl.MOMENTS)


def run() -> Measured:
    R, p = ps.quaternion.matrix(tqdl.ROTATION), MOMENTS * tqdl.SPIN
    rotations, momenta = variational.path(variational.NOTEBOOK, MOMENTS, R, p, STEP, STEPS)
    slipped = variational.energy(MOMENTS, rotations, momenta)
    L = np.einsum("kij,kj->ki", rotations, momenta)
    s = ps.scenario("dzhanibekov")
    ours = ps.simulate(s.mechanism, s.start, "variational", step=STEP, steps=STEPS)
    rotations, momenta = variational.path(variational.EXACT, MOMENTS, R, p, STEP, CHECKED)
    energy = {"its dlog": relative_change(slipped), "true dlog": relative_change(ours.energy)}
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


def plot(result: Measured) -> Panel:
    time, energy = result["time"], {name: 100 * np.array(one) for name, one in result["energy"].items()}
    found = [
        Curve(time, energy[name], name, color)
        for color, name in ((COLORS[0], "its dlog"), (COLORS[2], "true dlog"))
    ]
    return Panel(found, "time [s]", "energy error [%]", legend="upper left")
