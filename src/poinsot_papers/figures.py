"""Figures of experiments as data: panels of curves or bars, drawn from a record in one style.

`plot(result)` of an experiment returns one panel, or several that stand side by side; what needs more
than that has `plot(result, figure)`, which draws into a matplotlib figure itself.
"""

import inspect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

COLORS = ("#c0392b", "#2471a3", "#1e8449", "#b9770e", "#7d3c98", "#5d6d7e", "#a04000", "#117a65")
GRAY = "#566573"
FLOOR = 1e-18  # where a residual of exactly zero is drawn
OUTSIDE = "outside right upper"  # place of a legend beside all panels


class Curve(NamedTuple):
    """A curve; without a color it takes the next of COLORS."""

    x: ArrayLike
    y: ArrayLike
    label: str = ""
    color: str = ""
    style: str = "-"  # of matplotlib: "-", "--", ".-", "o"
    width: float = 1.2
    size: float | None = None  # of its markers


class Line(NamedTuple):
    """A straight line for reference: horizontal at `y`, or vertical at `x`."""

    y: float | None = None
    label: str = ""
    color: str = "black"
    style: str = "--"
    width: float = 0.8
    x: float | None = None

    def draw(self, axes: Any) -> None:
        draw, at = (axes.axvline, self.x) if self.y is None else (axes.axhline, self.y)
        label = self.label or None
        draw(at, color=self.color, linewidth=self.width, linestyle=self.style, label=label)


@dataclass(frozen=True)
class Panel:
    """Curves with the names of the axes, and lines for reference."""

    curves: Iterable[Curve]
    x: str
    y: str = ""
    log: str = ""  # axes with a logarithmic scale: "x", "y", "xy"
    title: str = ""  # that of a single panel is the title of the claim
    legend: str = "best"  # its place, OUTSIDE, or "" for none
    limits: tuple[float, float] | None = None  # of y
    floor: float | None = None  # smaller values are drawn here
    ticks: Sequence[float] = ()  # the only ticks of x
    lines: Sequence[Line] = ()
    columns: int = 1  # of the legend

    def draw(self, axes: Any) -> None:
        """Draw into axes of matplotlib."""
        colors = iter(COLORS * 4)
        for one in self.curves:
            y = one.y if self.floor is None else np.maximum(one.y, self.floor)
            color, size = one.color or next(colors), {} if one.size is None else {"markersize": one.size}
            axes.plot(one.x, y, one.style, color=color, linewidth=one.width, label=one.label or None, **size)
        for line in self.lines:
            line.draw(axes)
        for axis in self.log:
            getattr(axes, f"set_{axis}scale")("log")
        if self.limits is not None:
            axes.set_ylim(*self.limits)
        if len(self.ticks):
            label_steps(axes, self.ticks)
        axes.set_xlabel(self.x)
        axes.set_ylabel(self.y)
        if self.legend not in ("", OUTSIDE) and axes.get_legend_handles_labels()[1]:
            axes.legend(frameon=False, fontsize=9, loc=self.legend, ncols=self.columns)


@dataclass(frozen=True)
class Bars:
    """One or two bars per name on a logarithmic scale, from top to bottom."""

    rows: Mapping[str, Mapping[str, float]]
    x: str
    most: float | None = None
    bound: float | None = None  # a single row is green up to here and red above
    legend: str = OUTSIDE
    title: str = ""

    def draw(self, axes: Any) -> None:
        """Draw into axes of matplotlib."""
        one, names = len(self.rows) == 1, list(next(iter(self.rows.values())))
        places = np.arange(len(names))[::-1]
        shifts, height = ((0.0,), 0.6) if one else ((0.18, -0.18), 0.34)
        values = np.zeros(0)
        for shift, color, (label, row) in zip(
            shifts, (COLORS[0], COLORS[2]), self.rows.items(), strict=False
        ):
            values = np.maximum([abs(row[name]) for name in names], FLOOR)
            colors = [COLORS[2] if value <= (self.bound or 0.0) else COLORS[0] for value in values]
            look = {"color": colors} if one else {"color": color, "label": label}
            axes.barh(places + shift, values - FLOOR, left=FLOOR, height=height, **look)
        if self.bound is not None:
            axes.axvline(self.bound, color=GRAY, linewidth=1, linestyle=":")
        axes.set_xscale("log")
        axes.set_xlim(FLOOR, self.most or max(values.max(), self.bound or 0.0) * 10)
        axes.set_yticks(places, names)
        axes.set_xlabel(self.x)


def curves(
    table: Mapping[str, Any], x: Any, y: str = "", label: str = "{}", start: int = 0, **look: Any
) -> list[Curve]:
    """Return a curve for each entry of a table: the numbers `entry[x]` and `entry[y]`, or x and the entry."""
    return [
        Curve(
            (one[x] if isinstance(x, str) else x)[start:],
            (one[y] if y else one)[start:],
            label.format(name),
            **look,
        )
        for name, one in table.items()
    ]


def residuals(values: Mapping[str, float], bound: float, unit: str = "largest residual") -> Bars:
    """Return bars of residuals that should stay below a bound."""
    return Bars({"": values}, unit, bound=bound, legend="")


def slip_bars(result: Mapping[str, Any], most: float, unit: str = "residual") -> Bars:
    """Return two bars per formula, up to `most`: the record of `claims.slips`."""
    return Bars({word: result[word] for word in ("as printed", "corrected")}, unit, most)


def draw(module: Any, result: Mapping[str, Any], figure: Any) -> None:
    """Draw the figure of an experiment, a module with `plot` and `CLAIM`."""
    if len(inspect.signature(module.plot).parameters) > 1:
        module.plot(result, figure)
        return
    found = module.plot(result)
    panels = list(found) if isinstance(found, Sequence) else [found]
    alone = len(panels) == 1
    for axes, panel in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
        panel.draw(axes)
        axes.set_title(panel.title or (module.CLAIM.title if alone else ""), loc="left", fontsize=11)
        style_axes(axes)
    if any(panel.legend == OUTSIDE for panel in panels):
        figure.legend(frameon=False, fontsize=9, loc=OUTSIDE)
    if not alone:
        figure.suptitle(module.CLAIM.title, x=0.01, ha="left", fontsize=11)


def style_axes(axes: Any) -> None:
    """Give axes a thin frame and a light grid."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(visible=True, color="#e5e7e9", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.tick_params(colors=GRAY, labelsize=9)


def label_steps(axes: Any, steps: Sequence[float]) -> None:
    """Put a tick at each step on the x axis, and no other ticks."""
    axes.set_xticks(steps, [f"{h:g}" for h in steps])
    axes.set_xticks([], minor=True)
