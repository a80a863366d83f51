"""The flown manoeuvres beside a simulated twin: ideal, with actuators and delay, with bias and noise."""

import numpy as np

from poinsot_papers.claims import Claim, Figure, Measured, Verdict, short
from poinsot_papers.figures import COLORS, style_axes
from poinsot_papers.konz2024._flights import LEVELS, MANOEUVRES, flown

CLAIM = Claim(
    paper="konz2024energy",
    where="abstract; flight records that the author published",
    title="Tricopter and quadcopter in flight: published errors and those of a simulated twin",
    words="the controllers were flown: transitions, loopings and flips, with errors of 13 to 27 mm and 1.1 "
    "to 2.5 degrees",
)
FLOWN = {  # published RMS errors: position in m, attitude and heading in degrees
    "tricopter transitions": (0.013, 1.1, 0.95),
    "quadcopter transitions": (0.017, 1.3, 0.3),
    "quadcopter loops": (0.027, 2.5, 1.2),
    "quadcopter flips": (0.026, 2.1, 0.8),
}


def run() -> Measured:
    return {
        "flown": {name: list(values) for name, values in FLOWN.items()},
        "simulated": {
            name: {LEVELS[level]: short(flown(name, level), 3) for level in (0, 1, 3)} for name in MANOEUVRES
        },
    }


def verdict(result: Measured) -> Verdict:
    parts, worst = [], 1.0
    for name, published in result["flown"].items():
        x = result["simulated"][name][LEVELS[3]]
        ratios = [a / b for a, b in zip(x[:2], published[:2], strict=True)]
        worst = max(worst, *ratios, *(1 / ratio for ratio in ratios))
        parts.append(
            f"{name} {1000 * x[0]:.0f} mm, {x[1]:.2g} degrees (flown {1000 * published[0]:.0f} mm, "
            f"{published[1]:g} degrees)"
        )
    because = (
        "a flight cannot be repeated here; published flight figures against a simulated twin with rotor "
        f"dynamics, delay, observers, bias and noise: {'; '.join(parts)}. Sizes agree within a factor "
        f"{worst:.1f}; this is no validation, since noise and the shapes of loops and flips are ours"
    )
    return Verdict("not reproducible", because)


def plot(result: Measured, figure: Figure) -> None:
    left, right = figure.subplots(1, 2)
    names = list(result["flown"])
    place = np.arange(len(names))
    for axes, k, unit in ((left, 0, "RMS position, m"), (right, 1, "RMS attitude, degrees")):
        rows = {"flown": [result["flown"][name][k] for name in names]}
        for level in (LEVELS[0], LEVELS[1], LEVELS[3]):
            rows[level] = [result["simulated"][name][level][k] for name in names]
        for j, (label, values) in enumerate(rows.items()):
            axes.bar(place + 0.2 * j, values, 0.2, color=COLORS[j], label=label if k == 0 else None)
        axes.set_yscale("log")
        axes.set_xticks(place + 0.3, [name.replace(" ", "\n") for name in names], fontsize=7)
        axes.set_ylabel(unit)
        style_axes(axes)
    figure.legend(frameon=False, fontsize=9, loc="outside right upper")
    figure.suptitle(CLAIM.title, x=0.01, ha="left", fontsize=11)
