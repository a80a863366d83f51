"""Torque evaluations that each method needs for attitude errors of 1e-4 and 1e-8, on three problems."""

import math

import poinsot as ps
from poinsot_papers.claims import Claim, Figure, Measured, Verdict
from poinsot_papers.figures import COLORS, style_axes

CLAIM = Claim(
    paper="poinsot2026",
    where="docs/methods.md",
    title="Torque evaluations to reach 1e-4 and 1e-8",
    words="srkn4 reaches 1e-8 rad with the fewest torque evaluations of all methods of order up to 4",
)
PROBLEMS, TARGETS = ("fast-top", "slow-top", "soft-wall"), (1e-4, 1e-8)


def run() -> Measured:
    result: Measured = {}
    for name in PROBLEMS:
        costs = ps.compare(ps.scenario(name, until=10.0), targets=TARGETS).reach(*TARGETS)
        result[name] = {
            method: [None if math.isnan(one[target]) else round(one[target]) for target in TARGETS]
            for method, one in costs.items()
        }
    return result


def verdict(result: Measured) -> Verdict:
    best, words = {}, []
    for name, table in result.items():
        costs = {method: cost[1] for method, cost in table.items() if cost[1]}
        low = {method: cost for method, cost in costs.items() if (ps.method(method).order or 99) <= 4}
        best[name] = min(low, key=low.__getitem__)
        fewer = [f"{method} {cost}" for method, cost in costs.items() if cost < low[best[name]]]
        higher = f" (of higher order: {', '.join(fewer)})" if fewer else ""
        words.append(f"{name}: {best[name]} with {low[best[name]]} evaluations{higher}")
    because = "; ".join(words)
    return Verdict("reproduced" if set(best.values()) == {"srkn4"} else "differs", because)


def plot(result: Measured, figure: Figure) -> None:
    axes = figure.subplots()
    methods = sorted(result["fast-top"], key=lambda name: result["fast-top"][name][1] or math.inf)
    for color, (name, table) in zip(COLORS, result.items(), strict=False):
        for k, marker in ((0, "o"), (1, "s")):
            cost = [table.get(method, [None, None])[k] for method in methods]
            points = [(x, i) for i, x in enumerate(cost) if x]
            look = {"color": color, "fillstyle": "none" if k == 0 else "full"}
            axes.plot(*zip(*points, strict=True), marker, label=f"{name}, {TARGETS[k]:.0e}", **look)
    axes.set_yticks(range(len(methods)), methods, fontsize=8)
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.set_xlabel("torque evaluations", fontsize=9)
    axes.set_title(CLAIM.title, loc="left", fontsize=11)
    axes.legend(frameon=False, fontsize=8, loc="upper right")
    style_axes(axes)
