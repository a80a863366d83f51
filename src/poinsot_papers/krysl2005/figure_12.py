"""Energies of the free body and of the slow top, on which HSTAGM blows up."""

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Claim, Measured, Verdict, relative_change, short, thinned
from poinsot_papers.figures import Curve, Panel
from poinsot_papers.krysl2005._convergence import STYLE

CLAIM = Claim(
    paper="krysl2005explicit",
    where="figure 12",
    title="Energy of the free body (left) and of the slow top (right)",
    words="for the free body HSTAGM produces a Hamiltonian that closely corresponds to that of Newmark; for "
    "the slow top instability develops early on and leads to a blowup",
)
METHODS = ("nmb", "sw", "hstagm")
STEPS = (0.2, 0.1, 0.05, 0.02, 0.01, 0.005)
FREE, TOP = 0.5, 0.05  # steps of the curves, our choice: the paper prints none
UNTIL = 50.0


def until(name: str, method: str, step: float, time: float) -> ps.Run:
    """Return the run, or its part up to the step at which the method fails."""
    s = ps.scenario(name)
    try:
        return ps.simulate(s.mechanism, s.start, method, step=step, until=time)
    except ps.StepError as error:
        run: ps.Run = error.run
        return run


def curve(run: ps.Run) -> Measured:
    """Return the energy of a run over time."""
    i = thinned(len(run.time), 200)
    return {"time": short(run.time[i]), "energy": short(run.energy[i], 8)}


def top(method: str, step: float) -> Measured:
    """Return the largest energy error of the slow top, and the time at which it exceeds 100 %."""
    run = until("slow-top", method, step, UNTIL)
    error = np.abs(relative_change(run.energy))
    beyond = run.time[error > 1]
    return {"largest error": short(error.max()), "100 % at": short(beyond[0]) if len(beyond) else None}


def run() -> Measured:
    free = {method: until("free-body", method, FREE, 50_000.0) for method in METHODS}
    drifts = {method: run.report().energy for method, run in free.items()}
    swings = {
        method: np.array([run.energy.min(), run.energy.max()]) / run.energy[0] - 1
        for method, run in free.items()
    }
    return {
        "free body": {method: curve(until("free-body", method, FREE, 100.0)) for method in METHODS},
        "slow top": {method: curve(until("slow-top", method, TOP, 20.0)) for method in METHODS},
        "swing of the free body": {method: short(swing, 6) for method, swing in swings.items()},
        "trend over band": {method: short(one.trend / one.band) for method, one in drifts.items()},
        "slow top until 50": {method: {f"h={h:g}": top(method, h) for h in STEPS} for method in METHODS},
    }


def verdict(result: Measured) -> Verdict:
    swings, tops = result["swing of the free body"], result["slow top until 50"]
    times = {name: one["100 % at"] for name, one in tops["hstagm"].items()}
    blown = [name for name, time in times.items() if time is not None]
    nmb, sw = (max(one["largest error"] for one in tops[method].values()) for method in ("nmb", "sw"))
    because = (
        f"free body at h={FREE:g}: the energies oscillate in the same rhythm and without trend, with hstagm "
        f"up to {100 * swings['hstagm'][1]:.2f} % above the start, with nmb down to "
        f"{100 * swings['nmb'][0]:.2f} %; slow top: with hstagm the error of the energy exceeds 100 % at "
        f"every step, {', '.join(f't={times[name]:.1f} at {name}' for name in blown)}; until t = {UNTIL:g} "
        f"it stays within {100 * nmb:.0f} % with nmb, and sw fails only at h=0.2 (factor {sw:.0f})"
    )
    alike = max(map(abs, swings["hstagm"])) < 0.005 and result["trend over band"]["hstagm"] < 0.01
    return Verdict("reproduced" if alike and len(blown) == len(STEPS) and nmb < 0.3 else "differs", because)


def plot(result: Measured) -> list[Panel]:
    free, top = (
        [
            Curve(one["time"], one["energy"], method, STYLE[method], width=1)
            for method, one in result[kind].items()
        ]
        for kind in ("free body", "slow top")
    )
    return [
        Panel(free, "time", "energy", title=f"free body, h={FREE:g}", legend=""),
        Panel(top, "time", "energy", "", f"slow top, h={TOP:g}", "upper left", (30, 40)),
    ]
