"""Errors at the end of a run against an end that can be trusted, over methods and steps.

Errors as in the paper: the 2-norm of R - R' for the attitude, of P - P' for the body momentum.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from poinsot.compile.one_body import compile_body
from poinsot.errors import StepError
from poinsot.gallery.papers.krysl2005._shortening import filled, short
from poinsot.model.checks import Array
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.plots.figure import COLORS, dress
from poinsot.simulation.simulate import simulate

NAMES = ("nmb", "sw", "hstagm", "akw", "ls", "lp2", "dmv", "dmv4")
STYLE = {**dict(zip(NAMES, COLORS, strict=True)), "dmv6": "black", "rk4": COLORS[4]}
FLOOR = 1e-10  # below it an order would measure rounding
SEEN = 10**9  # samples: only the first and the last


class Problem(NamedTuple):
    mechanism: Mechanism
    start: State


class End(NamedTuple):
    """Attitude, body momentum about the fixed point, torque evaluations."""

    R: Array
    P: Array
    evaluations: int = 0


def inertia(mechanism: Mechanism) -> Array:
    """About the fixed point or, of a free body, its centre of mass; body frame."""
    body = compile_body(mechanism)
    return np.asarray(body.axes @ np.diag(body.moments) @ body.axes.T)


def end(problem: Problem, method: str, step: float, steps: int) -> End | None:
    """Where the method ends; None if it fails on the way."""
    mechanism, start = problem
    try:
        run = simulate(mechanism, start, method, step=step, steps=steps, every=SEEN)
    except StepError:
        return None
    name = mechanism.names[0]
    P = inertia(mechanism) @ run.angular_velocity(name)[-1]
    return End(run.rotation(name)[-1], P, run.evaluations)


def exact(problem: Problem) -> Callable[[float], End]:
    """The closed form of a free body, at any time."""

    def at(time: float) -> End:
        found = end(problem, "exact", time, 1)
        assert found is not None
        return found

    return at


def trusted(problem: Problem, until: float, fine: float, finest: float) -> tuple[End, float]:
    """The end by srkn4 with a fine step, and how far rkmk4 with the finest step is from it."""
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
    truth: End | Callable[[float], End],
) -> dict[str, Any]:
    """{"steps": [...], "attitude": {method: [...]}, "momentum": {method: [...]}}; None: the method failed.

    Where a step does not divide `until`, the run ends at the nearest step, and the truth with it.
    """
    table: dict[str, Any] = {"steps": list(steps), "attitude": {}, "momentum": {}}
    for method in methods:
        found = [end(problem, method, h, round(until / h)) for h in steps]
        truths = [truth if isinstance(truth, End) else truth(h * round(until / h)) for h in steps]
        pairs = list(zip(found, truths, strict=True))
        table["attitude"][method] = [x and short(np.linalg.norm(x.R - y.R, 2)) for x, y in pairs]
        table["momentum"][method] = [x and short(np.linalg.norm(x.P - y.P)) for x, y in pairs]
    return table


def order(table: dict[str, Any], kind: str, method: str, points: int = 4) -> float:
    """Slope of the error over the finest steps whose errors are neither rounding nor saturated."""
    h, e = np.array(table["steps"]), filled(table[kind][method])
    good = np.flatnonzero((e > FLOOR) & (e < 0.05))[-points:]
    return float(np.polyfit(np.log(h[good]), np.log(e[good]), 1)[0])


def ratio(table: dict[str, Any], kind: str, worse: str, better: str, step: float) -> float:
    """How many times larger the error of one method is than that of another."""
    i = table["steps"].index(step)
    return float(table[kind][worse][i] / table[kind][better][i])


def label_steps(axes: Any, steps: Sequence[float]) -> None:
    """A tick for each step, where they are few."""
    axes.set_xticks(steps, [f"{h:g}" for h in steps])
    axes.set_xticks([], minor=True)


def draw(axes: Any, table: dict[str, Any], kind: str, title: str, legend: bool = True) -> None:
    """Convergence curves of all methods."""
    for method, values in table[kind].items():
        line = {"linestyle": "--", "zorder": 3} if method == "sw" else {"marker": "."}  # sw hides hstagm
        axes.loglog(table["steps"], filled(values), color=STYLE[method], linewidth=1.2, label=method, **line)
    axes.set_title(title, loc="left", fontsize=11)
    axes.set_xlabel("step")
    axes.set_ylabel("error")
    dress(axes)
    if legend:  # curves rise to the right: the corner below them is free
        axes.legend(frameon=False, fontsize=9, loc="lower right")


def draw_both(figure: Any, table: dict[str, Any], title: str) -> None:
    """The paper's pair: momentum left, attitude right."""
    left, right = figure.subplots(1, 2)
    draw(left, table, "momentum", "body momentum")
    draw(right, table, "attitude", "attitude", legend=False)
    figure.suptitle(title, x=0.01, ha="left", fontsize=11)
