"""Energy of Simo and Wong's method over a million steps: it drifts at some steps, not at all of them."""

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Claim, Figure, Measured, Verdict, relative_change, short, thinned
from poinsot_papers.figures import COLORS, style_axes
from poinsot_papers.krysl2005._convergence import STYLE

CLAIM = Claim(
    paper="krysl2005explicit",
    where="discussion",
    title="Simo-Wong: energy over a million steps",
    words="the Simo and Wong integrator displays a drift in energy for all time steps",
)
CASES = {
    "free-body": (0.1, 0.5, 1.0),
    "lagrange-top": (0.02, 0.05),
    "fast-top": (0.005, 0.02),
    "slow-top": (0.02, 0.05, 0.1, 0.2),
    "soft-wall": (0.01, 0.02, 0.05),
}
CONTROL = ("slow-top", 0.02)  # a case in which rk4 drifts, for comparison
LONG, EVERY = 1_000_000, 100
DRIFTS = 0.02  # ratio of trend to band above which we call it a drift; a straight line has 1


def long_run(name: str, method: str, step: float) -> ps.Run:
    """Run a scenario for a million steps, or until the method fails."""
    s = ps.scenario(name)
    try:
        return ps.simulate(s.mechanism, s.start, method, step=step, steps=LONG, every=EVERY)
    except ps.StepError as error:
        run: ps.Run = error.run
        return run


def measured(run: ps.Run) -> Measured:
    """Return band, trend and error of the energy of a run."""
    drift = run.report().energy
    return {
        "relative band": short(drift.relative_band),
        "trend over band": short(drift.trend / drift.band),
        "energy off by": short(np.abs(relative_change(run.energy)).max()),
    }


def run() -> Measured:
    result: Measured = {"sw": {}, "rk4": {}, "curves": {}}
    for name, steps in CASES.items():
        for h in steps:
            run = long_run(name, "sw", h)
            result["sw"][f"{name}, h={h:g}"] = measured(run)
            if (name, h) == CONTROL:
                control = long_run(name, "rk4", h)
                result["rk4"][f"{name}, h={h:g}"] = measured(control)
                i = thinned(len(run.time), 300)
                result["curves"] = {
                    "time": short(run.time[i]),
                    "sw": short(relative_change(run.energy)[i], 8),
                    "rk4": short(relative_change(control.energy)[i], 8),
                }
    return result


def verdict(result: Measured) -> Verdict:
    trends = {name: one["trend over band"] for name, one in result["sw"].items()}
    steady = [name for name, trend in trends.items() if trend < DRIFTS]
    rest = "; ".join(
        f"{name}: trend {trends[name]:.2f} of the band, relative error of the energy "
        f"{one['energy off by']:.1g}"
        for name, one in result["sw"].items()
        if name not in steady
    )
    control = next(iter(result["rk4"].values()))["trend over band"]
    because = (
        f"in {LONG} steps the trend is below {100 * max(trends[name] for name in steady):.1g} % of the band "
        f"in {len(steady)} of {len(trends)} cases (rk4 for comparison: {100 * control:.0f} %); the other "
        f"cases have large steps or hard contacts: {rest}"
    )
    return Verdict("reproduced" if not steady else "differs", because)


def plot(result: Measured, figure: Figure) -> None:
    left, right = figure.subplots(1, 2)
    curves = result["curves"]
    for method in ("rk4", "sw"):
        left.plot(curves["time"], curves[method], color=STYLE[method], linewidth=0.9, label=method)
    left.set_title(f"energy error, {CONTROL[0]}, h={CONTROL[1]:g}", loc="left", fontsize=11)
    left.set_xlabel("time")
    left.legend(frameon=False, fontsize=9, loc="lower left")
    names = list(result["sw"])[::-1]
    trends = [max(result["sw"][name]["trend over band"], 1e-6) for name in names]
    colors = [COLORS[0] if trend >= DRIFTS else COLORS[1] for trend in trends]
    right.barh(names, trends, color=colors, height=0.6)
    right.set_xscale("log")
    right.axvline(DRIFTS, color=COLORS[5], linewidth=0.8)
    right.set_title("trend over band of sw (1: a straight line)", loc="left", fontsize=11)
    for axes in (left, right):
        style_axes(axes)
    figure.suptitle(CLAIM.title, x=0.01, ha="left", fontsize=11)
