"""Errors at the end of a run against a reference solution, for several methods and steps.

The errors are those of the paper: the 2-norm of R - R' for the attitude, of P - P' for the body momentum.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Array, Measured, filled, short
from poinsot_papers.figures import COLORS, Curve, Panel

NAMES = ("nmb", "sw", "hstagm", "akw", "ls", "lp2", "dmv", "dmv4")
STYLE = {**dict(zip(NAMES, COLORS, strict=True)), "dmv6": "black", "rk4": COLORS[4]}
FLOOR = 1e-10  # smaller errors are rounding and say nothing about the order
ENDS_ONLY = 10**9  # steps between two samples: only the first and the last state are recorded


class Problem(NamedTuple):
    """A mechanism and its state at the start."""

    mechanism: ps.Mechanism
    start: ps.State


class End(NamedTuple):
    """Attitude, body momentum about the fixed point, torque evaluations."""

    R: Array
    P: Array
    evaluations: int = 0


def inertia(mechanism: ps.Mechanism) -> Array:
    """Return the inertia about the fixed point, or about the centre of mass of a free body; body frame."""
    return mechanism.links[0].about_reference[0]


def end(problem: Problem, method: str, step: float, steps: int) -> End | None:
    """Return the end of a run, or None if the method fails."""
    mechanism, start = problem
    try:
        run = ps.simulate(mechanism, start, method, step=step, steps=steps, every=ENDS_ONLY)
    except ps.StepError:
        return None
    name = mechanism.names[0]
    P = inertia(mechanism) @ run.angular_velocity(name)[-1]
    return End(run.rotation(name)[-1], P, run.evaluations)


def exact(problem: Problem) -> Callable[[float], End]:
    """Return the closed form of a free body as a function of time."""

    def at(time: float) -> End:
        found = end(problem, "exact", time, 1)
        assert found is not None
        return found

    return at


def reference_end(problem: Problem, until: float, fine: float, finest: float) -> tuple[End, float]:
    """Return the end by srkn4 with a fine step, and its difference from rkmk4 with the finest step."""
    a = end(problem, "srkn4", fine, round(until / fine))
    b = end(problem, "rkmk4", finest, round(until / finest))
    assert a is not None
    assert b is not None
    return a, float(max(np.abs(a.R - b.R).max(), np.abs(a.P - b.P).max() / np.linalg.norm(a.P)))


def errors(
    problem: Problem,
    methods: Iterable[str],
    steps: Sequence[float],
    until: float,
    reference: End | Callable[[float], End],
) -> Measured:
    """Return {"steps": [...], "attitude": {method: [...]}, "momentum": {...}}; None where a method failed.

    Where a step does not divide `until`, the run and the reference solution end at the nearest step.
    """
    table: Measured = {"steps": list(steps), "attitude": {}, "momentum": {}}
    for method in methods:
        found = [end(problem, method, h, round(until / h)) for h in steps]
        exact_ends = [
            reference if isinstance(reference, End) else reference(h * round(until / h)) for h in steps
        ]
        pairs = list(zip(found, exact_ends, strict=True))
        table["attitude"][method] = [x and short(np.linalg.norm(x.R - y.R, 2)) for x, y in pairs]
        table["momentum"][method] = [x and short(np.linalg.norm(x.P - y.P)) for x, y in pairs]
    return table


def order(table: Measured, kind: str, method: str, points: int = 4) -> float:
    """Return the slope of the error over the finest steps whose errors are neither rounding nor saturated."""
    h, e = np.array(table["steps"]), filled(table[kind][method])
    good = np.flatnonzero((e > FLOOR) & (e < 0.05))[-points:]
    return float(np.polyfit(np.log(h[good]), np.log(e[good]), 1)[0])


def ratio(table: Measured, kind: str, worse: str, better: str, step: float) -> float:
    """Return the ratio of the errors of two methods at a step."""
    i = table["steps"].index(step)
    return float(table[kind][worse][i] / table[kind][better][i])


def panel(table: Measured, kind: str, title: str = "", legend: str = "lower right") -> Panel:
    """Return the convergence curves of all methods, which rise to the right."""
    found = [
        Curve(table["steps"], filled(values), method, STYLE[method], "--" if method == "sw" else ".-")
        for method, values in sorted(table[kind].items(), key=lambda one: one[0] == "sw")  # over hstagm
    ]
    return Panel(found, "step", "error", "xy", title, legend)


def both(table: Measured) -> list[Panel]:
    """Return the pair of the paper: momentum left, attitude right."""
    return [panel(table, "momentum", "body momentum"), panel(table, "attitude", "attitude", "")]
