"""Figures of a tracking controller along a run: error potential, dissipation, residual, inputs and limits."""

from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.model.checks import Array
from poinsot.plots.figure import COLORS, GRAY, new_figure, style_axes, write

if TYPE_CHECKING:
    from poinsot.control.controllers import Performance
    from poinsot.formats.paths import PathLike

FAR = 4.0  # half the width of what is drawn of an open polygon, relative to the inputs


def corners(Z: Array, b: Array, far: float) -> Array:
    """Return the corners (n, 2) of the polygon Z u <= b within a square, in order."""
    found = far * np.array([[1.0, 1], [-1, 1], [-1, -1], [1, -1]])
    for normal, end in zip(Z, b, strict=True):
        slack, kept = found @ normal - end, []
        for k in range(len(found)):
            if slack[k - 1] * slack[k] < 0:  # an edge leaves or enters
                s = slack[k - 1] / (slack[k - 1] - slack[k])
                kept.append(found[k - 1] + s * (found[k] - found[k - 1]))
            if slack[k] <= 0:
                kept.append(found[k])
        found = np.array(kept).reshape(-1, 2)
    return found


def together(Z: Array) -> list[tuple[int, int]]:
    """Return the pairs of inputs that one row of the limits binds together."""
    pairs = {tuple(np.flatnonzero(row).tolist()) for row in Z}
    return [(pair[0], pair[1]) for pair in sorted(pairs) if len(pair) == 2]


def _lines(axes: Any, time: Array, title: str, lines: dict[str, Array]) -> None:
    for color, (label, values) in zip(COLORS * (1 + len(lines)), lines.items(), strict=False):
        axes.plot(time, values, color=color, linewidth=1.1, label=label)
    axes.set_title(title, fontsize=11, loc="left")
    axes.set_xlabel("time [s]", fontsize=9)
    if len(lines) > 1:
        axes.legend(frameon=False, fontsize=8, ncols=3 if len(lines) > 3 else 1)
    style_axes(axes)


def performance_figure(x: "Performance", path: "PathLike | None" = None) -> Any:
    """Draw how a controller did; write the figure to `path` if it is given."""
    (Z, b), pairs = x.limits, together(x.limits[0])
    rows = 2 + (len(pairs) + 1) // 2
    figure = new_figure(9.0, 3.0 * rows)
    grid = figure.add_gridspec(rows, 2)
    axes = [figure.add_subplot(grid[place // 2, place % 2]) for place in range(4)]
    _lines(axes[0], x.time, "error: V and V + T [J]", {"V": x.potential, "V + T": x.energy})
    _lines(axes[1], x.time, "dissipation 2R [W]", {"2R": x.dissipation})
    _lines(axes[2], x.time, "residual of the least constraint", {"residual": x.residual})
    inputs = {f"u{k + 1}": column for k, column in enumerate(x.inputs.T)}
    _lines(axes[3], x.time, "inputs and their limits [N or N m]", inputs)
    for row, end in zip(Z, b, strict=True):
        if np.count_nonzero(row) == 1:
            axes[3].axhline(end / row.sum(), color=GRAY, linewidth=0.9, linestyle="--")
    for one in axes[2:]:  # gray where limits act
        low, high = one.get_ylim()
        one.fill_between(x.time, low, high, where=x.limited, color=GRAY, alpha=0.15, linewidth=0)
        one.set_ylim(low, high)
    for place, (i, j) in enumerate(pairs):
        panel = figure.add_subplot(grid[2 + place // 2, place % 2])
        only = [k for k, row in enumerate(Z) if not np.delete(row, [i, j]).any()]
        border = corners(Z[np.ix_(only, [i, j])], b[only], FAR * float(np.abs(x.inputs[:, [i, j]]).max()))
        panel.fill(*border.T, facecolor=GRAY, edgecolor=GRAY, alpha=0.15)
        panel.plot(x.inputs[:, i], x.inputs[:, j], color=COLORS[place % len(COLORS)], linewidth=1.1)
        panel.set_title(f"inputs u{i + 1}, u{j + 1} and their polygon", fontsize=11, loc="left")
        panel.set_aspect("equal")
        style_axes(panel)
    if path is not None:
        write(figure, path)
    return figure
