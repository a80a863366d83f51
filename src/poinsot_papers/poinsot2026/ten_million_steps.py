"""Energy and momentum of the free body over ten million steps, symplectic methods and others."""

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Claim, Measured, Verdict, envelope
from poinsot_papers.figures import Panel, curves

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
    s = ps.scenario("free-body")
    result: Measured = {}
    for name in METHODS:
        run = ps.simulate(s.mechanism, s.start, name, step=H, steps=STEPS, every=5000)
        energy, L = run.report().energy, run.angular_momentum
        curves, E = {}, run.energy
        errors = {
            "energy": np.abs(E - E[0]) / max(run.kinetic.max(), E[0]),
            "momentum": np.linalg.norm(L - L[0], axis=1) / np.linalg.norm(L, axis=1).max(),
        }
        for word, error in errors.items():
            time, values = envelope(run.time, error, 200)
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


def plot(result: Measured) -> list[Panel]:
    return [
        Panel(
            curves(result, "time", word),
            "time [s]",
            log="y",
            title=f"{word} error, relative",
            legend="center right" if word == "energy" else "",
            floor=1e-17,
        )
        for word in ("energy", "momentum")
    ]
