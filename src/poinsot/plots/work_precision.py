"""Work-precision diagrams: error against torque evaluations and against time, one line per method."""

from collections.abc import Mapping, Sequence
from typing import Any

from poinsot.formats.paths import PathLike
from poinsot.plots.figure import COLORS, GRAY, new_figure, style_axes, write

MARKS = "os^vD<>p"


def work_precision_figure(
    title: str,
    curves: Mapping[str, Sequence[Any]],
    path: PathLike | None = None,
    unit: str = "rad",
    known: float = 0.0,
) -> Any:
    """Draw rows with `evaluations`, `steps`, `seconds` and `error`; write the figure to `path` if given.
    Errors are in a `unit`, and `known` to be right above this size only, which is drawn as a line."""
    figure = new_figure(11.0, 5.2)
    left, right = figure.subplots(1, 2, sharey=True)
    drawn = 0
    for i, (name, rows) in enumerate(curves.items()):  # what is not positive has no logarithm
        good = [row for row in rows if row.error > 0 and row.seconds > 0]
        color, mark = COLORS[i % len(COLORS)], MARKS[i // len(COLORS) % len(MARKS)]
        style = {"color": color, "marker": mark, "markersize": 3.5, "linewidth": 1.1}
        left.plot(
            [max(row.evaluations, row.steps) for row in good],
            [row.error for row in good],
            label=name,
            **style,
        )
        right.plot([1e3 * row.seconds for row in good], [row.error for row in good], **style)
        drawn += len(good)
    for axes, label in ((left, "torque evaluations"), (right, "time [ms]")):
        if drawn and known > 0:
            axes.axhline(known, color=GRAY, linewidth=0.8, linestyle=":")
        if drawn:
            axes.set_xscale("log")
            axes.set_yscale("log")
        axes.set_xlabel(label, fontsize=9)
        style_axes(axes)
    left.set_ylabel(f"error [{unit}]", fontsize=9)
    left.set_title(f"{title}: what accuracy costs", fontsize=11, loc="left")
    figure.legend(loc="outside right center", frameon=False, fontsize=8)
    if path is not None:
        write(figure, path)
    return figure
