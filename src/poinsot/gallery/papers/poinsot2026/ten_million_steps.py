"""Energy and momentum of the free body over ten million steps, symplectic methods and others."""

import numpy as np

from poinsot.gallery.reproduction import Claim, Figure, Measured, Verdict
from poinsot.gallery.scenario import scenario
from poinsot.plots.drift import energy_error, envelope, momentum_error
from poinsot.plots.figure import COLORS, dress
from poinsot.simulation.simulate import simulate

CLAIM = Claim(
    paper="poinsot2026",
    where="README",
    title="The free body for ten million steps",
    words="symplectic methods keep energy in a band without trend and the momentum in space to rounding; nmb "
    "has a band, rk4 a drift",
)
METHODS = ("rk4", "nmb", "lp2", "lgvi")
STEPS, H = 10_000_000, 0.05


def run() -> Measured:
    s = scenario("free-body")
    result: Measured = {}
    for name in METHODS:
        run = simulate(s.mechanism, s.start, name, step=H, steps=STEPS, every=5000)
        energy, L = run.report().energy, run.angular_momentum
        curves = {}
        for word, error in (("energy", energy_error), ("momentum", momentum_error)):
            time, values = envelope(run.time, error(run.trajectory), 200)
            curves["time"] = np.round(time, 3).tolist()
            curves[word] = [float(f"{value:.4g}") for value in values]
        result[name] = {
            "energy band": energy.relative_band,
            "energy trend": energy.relative_trend,
            "momentum change": float(np.abs(L - L[0]).max()),
            **curves,
        }
    return result


def verdict(result: Measured) -> Verdict:
    lp2, lgvi = result["lp2"], result["lgvi"]
    change = max(lp2["momentum change"], lgvi["momentum change"])
    trends = {name: one["energy trend"] / one["energy band"] for name, one in result.items()}
    good = change < 2e-11 and trends["lp2"] < 0.01 and trends["nmb"] < 0.01 and trends["rk4"] > 0.1
    good = good and lgvi["energy band"] < 1e-11
    bands = ", ".join(
        f"{name} {result[name]['energy band']:.1e} ({100 * trends[name]:.2g} %)"
        for name in ("lp2", "nmb", "rk4")
    )
    because = (
        f"the momentum in space changes by at most {change:.1e} with lp2 and lgvi; the bands of the energy, "
        f"with their trends in parts of the band, are {bands}; lgvi conserves the energy of a free body to "
        f"rounding, {lgvi['energy band']:.1e}"
    )
    return Verdict("reproduced" if good else "differs", because)


def plot(result: Measured, figure: Figure) -> None:
    for axes, word in zip(figure.subplots(1, 2), ("energy", "momentum"), strict=True):
        for color, (name, one) in zip(COLORS, result.items(), strict=False):
            axes.plot(one["time"], np.maximum(one[word], 1e-17), color=color, linewidth=1.3, label=name)
        axes.set_yscale("log")
        axes.set_xlabel("time [s]", fontsize=9)
        axes.set_title(f"{word} error, relative", loc="left", fontsize=11)
        dress(axes)
    figure.axes[0].legend(frameon=False, fontsize=9, loc="center right")
