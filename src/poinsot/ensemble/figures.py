"""Pictures of an ensemble: fans, quantile bands, maps over a grid, parallel coordinates."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.diagnostics.quantities import columns_of
from poinsot.errors import ScenarioError
from poinsot.formats.paths import PathLike
from poinsot.model.checks import Array, show, suggestion
from poinsot.plots.figure import COLORS, GRAY, new_figure, style_axes, write

if TYPE_CHECKING:
    from poinsot.ensemble.ensemble import Ensemble

LINES = 500  # members whose lines are drawn: more would not be visible
LEVELS = ((0.05, 0.95), (0.25, 0.75))
HOT, DEAD = "viridis", "#d5d8dc"


def _label(e: "Ensemble", of: str | None, array: str) -> tuple[str, int]:
    """Return the name of a coordinate, and its place in q or v."""
    labels = [one.label for one in columns_of(e.mechanism) if one.array == array]
    if of is None:
        return labels[0], 0
    if of not in labels:
        hint = suggestion(of, labels) or f": one of {', '.join(labels)}"
        raise ScenarioError(f"plot: unknown coordinate {show(of)}{hint}")
    return of, labels.index(of)


def _samples(e: "Ensemble", of: str | None) -> tuple[str, Array, Array]:
    """Return the name of a coordinate or rate, and times and values (members, samples) of it."""
    if "q" not in e.names:
        raise ScenarioError("plot: the ensemble has no samples: run it with every=NUMBER")
    rates = [one.label for one in columns_of(e.mechanism) if one.array == "v"]
    array = "v" if of in rates else "q"
    label, place = _label(e, of, array)
    return label, e["time"], e[array][:, :, place]


def _result(e: "Ensemble", of: str | None) -> tuple[str, Array]:
    """Return a result by name, or a final coordinate, as a number of each member; of vectors, the length."""
    if of is None:
        of = next((name for name in ("flip", "settle") if name in e.names), None)
    if of in e.names:
        values = e[str(of)]
        size = np.sqrt((values.reshape(len(values), -1) ** 2).sum(axis=1)) if values.ndim > 1 else values
        return str(of), size
    rates = [one.label for one in columns_of(e.mechanism) if one.array == "v"]
    array = "v" if of in rates else "q"
    label, place = _label(e, of, array)
    return f"final {label}", (e.final_v if array == "v" else e.final_q)[:, place]


def _axes(title: str, width: float = 6.4, height: float = 4.2) -> tuple[Any, Any]:
    figure = new_figure(width, height)
    axes = figure.subplots()
    axes.set_title(title, fontsize=11, loc="left")
    style_axes(axes)
    return figure, axes


def _count(e: "Ensemble") -> str:
    lost = f", {len(e.failed)} failed" if e.failed else ""
    return f"{len(e)} members{lost}"


def fan(e: "Ensemble", of: str | None) -> Any:
    """Draw the samples of all members over time."""
    label, time, values = _samples(e, of)
    figure, axes = _axes(f"{label}: {_count(e)}")
    each = max(1, len(values) // LINES)
    clear = max(0.05, min(0.8, 12.0 / max(1, len(values) // each)))
    axes.plot(time[::each].T, values[::each].T, color=COLORS[1], linewidth=0.7, alpha=clear)
    axes.set_xlabel("time [s]", fontsize=9)
    return figure


def bands(e: "Ensemble", of: str | None) -> Any:
    """Draw the quantiles of the samples over time; members that failed are not in them."""
    label, time, values = _samples(e, of)
    good = np.isfinite(time[:, 0])
    if not good.any():
        raise ScenarioError("plot: every member of the ensemble failed: e.failed says why")
    t, x = time[good], values[good]
    if not (t == t[:1]).all():
        raise ScenarioError("plot: members have samples at different times: bands need the same")
    figure, axes = _axes(f"{label}: {_count(e)}")
    for (low, high), clear in zip(LEVELS, (0.25, 0.45), strict=True):
        a, b = np.quantile(x, (low, high), axis=0)
        axes.fill_between(
            t[0], a, b, color=COLORS[1], alpha=clear, linewidth=0, label=f"{low:.0%} to {high:.0%}"
        )
    axes.plot(t[0], np.quantile(x, 0.5, axis=0), color=COLORS[0], linewidth=1.4, label="median")
    axes.legend(frameon=False, fontsize=8)
    axes.set_xlabel("time [s]", fontsize=9)
    return figure


def _numbers(e: "Ensemble") -> dict[str, Array]:
    """Return the values that vary and are one number each, by path."""
    found = {}
    for path, one in e.values.items():
        values = np.asarray(one)
        if values.dtype.kind in "iuf" and values.ndim == 1 and np.ptp(values) > 0:
            found[path] = values.astype(float)
        elif values.dtype.kind == "f" and values.ndim == 2:  # starts
            moving = [k for k in range(values.shape[1]) if np.ptp(values[:, k]) > 0]
            found |= {f"{path}[{k}]": values[:, k] for k in moving}
    if not found:
        raise ScenarioError("plot: nothing varies that is a number")
    return found


def heat_map(e: "Ensemble", of: str | None) -> Any:
    """Draw a result over the first two values that vary: colors on a grid; over one value, a line."""
    label, values = _result(e, of)
    numbers = list(_numbers(e).items())
    figure, axes = _axes(f"{label}: {_count(e)}", 6.2, 5.0)
    (first, x), (second, y) = numbers[0], numbers[1] if len(numbers) > 1 else (label, values)
    if len(numbers) == 1:
        axes.plot(x, values, ".", color=COLORS[1], markersize=4)
    else:
        across, down = np.unique(x), np.unique(y)
        if len(across) * len(down) == len(x):
            table = np.full((len(down), len(across)), np.nan)
            table[np.searchsorted(down, y), np.searchsorted(across, x)] = values
            axes.set_facecolor(DEAD)
            lost = np.full(table.shape, np.nan)
            gone = [*e.failed]
            lost[np.searchsorted(down, y[gone]), np.searchsorted(across, x[gone])] = 1.0
            axes.pcolormesh(
                across, down, lost, cmap="Reds", vmin=0, vmax=3, shading="nearest", rasterized=True
            )
            drawn = axes.pcolormesh(across, down, table, cmap=HOT, shading="nearest", rasterized=True)
        else:  # draws
            drawn = axes.scatter(x, y, c=values, cmap=HOT, s=8, plotnonfinite=True)
        axes.grid(visible=False)
        figure.colorbar(drawn, ax=axes, label=label)
    axes.set_xlabel(first, fontsize=9)
    axes.set_ylabel(second, fontsize=9)
    return figure


def parallel(e: "Ensemble", of: str | None) -> Any:
    """Draw each member as a line through its values and a result, which gives the color."""
    label, values = _result(e, of)
    if not np.isfinite(values).any():
        raise ScenarioError(f"plot: {label} is NaN for every member: choose another result with of=")
    columns = {**_numbers(e), label: values}
    figure, axes = _axes(f"{label}: {_count(e)}", max(5.0, 1.6 * len(columns)), 4.2)
    from matplotlib import colormaps
    from matplotlib.collections import LineCollection

    each = max(1, len(values) // LINES)
    ends = {name: (np.nanmin(one), np.nanmax(one)) for name, one in columns.items()}
    scaled = [(one - ends[name][0]) / max(np.ptp(ends[name]), 1e-300) for name, one in columns.items()]
    lines = np.stack(
        [np.broadcast_to(np.arange(len(columns)), (len(values), len(columns))), np.stack(scaled, 1)], 2
    )
    good = np.flatnonzero(np.isfinite(values))[::each]
    colors = colormaps[HOT](scaled[-1][good])
    axes.add_collection(LineCollection(list(lines[good]), colors=colors, linewidths=0.8, alpha=0.6))
    axes.set_xlim(-0.1, len(columns) - 0.9)
    axes.set_ylim(-0.08, 1.08)
    axes.set_xticks(range(len(columns)), list(columns), rotation=15, fontsize=8)
    axes.set_yticks([])
    for k, (low, high) in enumerate(ends.values()):
        axes.text(k, -0.05, f"{low:.3g}", ha="center", fontsize=7, color=GRAY)
        axes.text(k, 1.03, f"{high:.3g}", ha="center", fontsize=7, color=GRAY)
    return figure


KINDS: dict[str, Callable[["Ensemble", str | None], Any]] = {
    "fan": fan,
    "bands": bands,
    "map": heat_map,
    "parallel": parallel,
}


def figure_of(kind: str, e: "Ensemble", of: str | None, path: PathLike | None) -> Any:
    """Draw the figure of this kind; write it to `path` if it is given."""
    if not isinstance(kind, str) or kind not in KINDS:
        raise ScenarioError(
            f"unknown figure {show(kind)}{suggestion(kind, KINDS) or ': one of ' + ', '.join(KINDS)}"
        )
    if of is not None and not isinstance(of, str):
        raise ScenarioError(f"plot: of must be the name of a result or a coordinate, got {show(of)}")
    figure = KINDS[kind](e, of)
    if path is not None:
        write(figure, path)
    return figure
