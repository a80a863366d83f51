"""A page for each method: its record, its formulas, the order measured here, and what accuracy costs.

Formulas are the docstring of the file of the method.  The runs are made at build: all methods with steps that
are halved, on a free body, a top and a double pendulum; each page shows its own curves among the others'.
"""

import ast
import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import poinsot as ps
from pages.bibliography import cite
from pages.markdown import docstring, table
from poinsot.plots.figure import COLORS, GRAY, new_figure, style_axes, write

FOLDER = "reference/methods"
FLOOR = 3e-12  # errors below it are rounding, or those of the reference solution
HALVES = 7


class Problem(NamedTuple):
    """A scenario on which methods are compared."""

    scenario: str
    title: str
    until: float
    step: float  # the largest


PROBLEMS = (
    Problem("dzhanibekov", "free body", 2.0, 0.2),
    Problem("slow-top", "top", 2.0, 0.2),
    Problem("double-pendulum", "double pendulum", 1.0, 0.1),
)
Curves = Mapping[str, Sequence[Any]]  # rows of a comparison by method


@cache
def curves(problem: Problem) -> Curves:
    """Return the runs of all methods that can run a problem."""
    steps = [problem.step / 2**k for k in range(HALVES)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the largest steps are too large for some
        rows = ps.compare(ps.scenario(problem.scenario, until=problem.until), steps=steps).rows
    found: dict[str, list[Any]] = {}
    for row in rows:
        found.setdefault(row.method, []).append(row)
    return found


def order(rows: Sequence[Any]) -> float:
    """Return the median of the orders that the smallest steps show whose errors are no rounding, else nan."""
    good = [row for row in rows if FLOOR < row.error < 0.1]
    slopes = [
        math.log(coarse.error / fine.error) / math.log(coarse.step / fine.step)
        for coarse, fine in pairwise(good)
    ]
    return median(slopes[-3:]) if slopes else math.nan


def formulas(method: Any) -> str:
    """Return the docstring of the file of a method, without importing it: kernels are slow to load."""
    spec = find_spec(f"poinsot.core.methods.{method.module or method.name}")
    assert spec is not None
    assert spec.origin is not None
    return ast.get_docstring(ast.parse(Path(spec.origin).read_text(encoding="utf-8"))) or ""


def pages(home: Path | None = None, out: Path | None = None) -> Iterator[tuple[str, str]]:
    """Yield path and text of each page; with a folder, measure, and draw the figures."""
    rows = []
    for one in ps.methods():
        found = {problem: curves(problem).get(one.name, []) for problem in PROBLEMS} if home else {}
        if home is not None:
            _draw(one, home)
        yield f"{FOLDER}/{one.name}.md", _page(one, found)
        marks = ("yes" if flag else "" for flag in (one.symplectic, one.reversible, one.loops))
        exact = "exact" if one.order is None else str(one.order)
        rows.append(
            (f"[`{one.name}`]({one.name}.md)", one.title, exact, one.scope, *marks, ", ".join(one.keeps))
        )
    head = ("method", "what it is", "order", "for", "symplectic", "reversible", "loops", "keeps")
    listed = "\n".join(one.name for one in ps.methods())
    text = (
        f"# Methods\n\n{len(rows)} methods. [Which method, which step](../../methods.md) says what "
        "to take. Orders and curves on the pages are measured when this site is built; tests measure every "
        "property of the records.\n\n"
    )
    yield f"{FOLDER}/index.md", f"{text}{table(head, rows)}\n\n```{{toctree}}\n:hidden:\n{listed}\n```\n"


def _draw(one: Any, folder: Path) -> None:
    """Draw the figure of a method."""
    shown = [problem for problem in PROBLEMS if one.name in curves(problem)]
    figure = new_figure(4.0 * len(shown), 3.4)
    for axes, problem in zip(figure.subplots(1, len(shown), squeeze=False)[0], shown, strict=True):
        others = [
            point for name in curves(problem) for point in (*_points(problem, name), (math.nan, math.nan))
        ]
        axes.loglog(*zip(*others, strict=True), color=GRAY, linewidth=0.5, alpha=0.5)
        axes.loglog(
            *zip(*_points(problem, one.name), strict=True), color=COLORS[0], marker="o", linewidth=1.8
        )
        axes.set_title(problem.title, loc="left", fontsize=10)
        axes.set_xlabel("force evaluations (or steps)", fontsize=9)
        style_axes(axes)
    figure.axes[0].set_ylabel("error [rad]", fontsize=9)
    write(figure, folder / FOLDER / f"{one.name}.svg")


def _points(problem: Problem, name: str) -> list[tuple[int, float]]:
    """Return costs and errors of a method."""
    return [(max(row.evaluations, row.steps), row.error) for row in curves(problem)[name] if row.error > 0]


def _page(one: Any, found: Mapping[Problem, Sequence[Any]]) -> str:
    """Return the page of a method."""
    evaluations = one.evaluations and " + ".join(
        text for text in (f"{one.evaluations.step}" if one.evaluations.step else "",
                          f"{one.evaluations.iteration} an iteration" if one.evaluations.iteration else "")
        if text
    )  # fmt: skip
    facts = {
        "order": "exact" if one.order is None else str(one.order),
        "for": {"free": "one body without torque", "body": "one body", "tree": "any mechanism"}[one.scope],
        "symplectic": one.symplectic,
        "time-reversible": one.reversible,
        "keeps of a free body": ", ".join(one.keeps) or "-",
        "implicit": one.implicit,
        "forces may read the velocity": one.velocity_forces,
        "loops": one.with_loops or one.loops,
        "rolling contacts": one.contacts,
        "damps what is stiff": one.damps,
        "force evaluations a step": evaluations or "depends on the motion",
        "largest turn of a body in a step": "no limit" if one.turn is None else f"{one.turn:g} rad",
        "SIMD lanes in ensembles": one.lanes,
    }
    words = {True: "yes", False: "no"}
    rows = [(key, words.get(value, str(value))) for key, value in facts.items()]
    parts = [f"# {one.name}", f"{one.title}.", table(("property", "record"), rows)]
    if one.options:
        options = [
            (f"`{x.name}`", f"{x.default:g}", f"{x.low:g} to {x.high:g}", x.title) for x in one.options
        ]
        parts += ["## Options", table(("option", "default", "limits", "meaning"), options)]
    shown = {problem: rows for problem, rows in found.items() if rows}
    if shown:
        measured = [(problem.title, _number(order(rows)), _error(rows)) for problem, rows in shown.items()]
        head = ("problem", "order measured", "smallest error here")
        parts += [
            "## Measured", table(head, measured),
            f"```{{figure}} {one.name}.svg\n:alt: error against evaluations\n\nError at the end against "
            "force evaluations, with steps that are halved; the other methods in gray.\n```",
        ]  # fmt: skip
    parts += ["## Formulas", docstring(formulas(one)), "## Publication"]
    parts += [f"{cite(one.reference)} ([{one.reference}](#{one.reference}); `poinsot cite {one.name}`)"]
    return "\n\n".join(parts) + "\n"


def _number(x: float) -> str:
    return "-" if math.isnan(x) else f"{x:.2f}"


def _error(rows: Sequence[Any]) -> str:
    """Return the smallest error of a row of runs, and its step."""
    best = min((row for row in rows if row.error >= 0), key=lambda row: row.error)  # one that failed has nan
    return f"{best.error:.1e} rad at step {best.step:g}"
