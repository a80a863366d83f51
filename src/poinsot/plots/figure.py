"""Empty figures in the style of the project, and writing them to files.  No window is ever opened."""

import io
from collections.abc import Iterator
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from poinsot.errors import ScenarioError
from poinsot.formats.paths import PathLike, file_path, writing
from poinsot.model.checks import Array

COLORS = (  # the same as on pages: viewer/src/color.ts
    *("#c0392b", "#2471a3", "#1e8449", "#b9770e", "#7d3c98", "#5d6d7e"),
    *("#a04000", "#117a65", "#d4448c", "#6c7a00", "#3f51b5", "#8d6e63"),
)
DASHES = ("-", "--", ":", "-.")
GRAY = "#566573"
KINDS = ("svg", "png", "pdf")
FLOOR = 1e-17  # where an error of zero is drawn: below rounding
POINTS = 400  # intervals of a figure of errors
SHOWN = 20_000  # largest number of samples that are drawn: more would not be visible


class NoMatplotlibError(ScenarioError):
    """matplotlib is not installed."""


def new_figure(width: float, height: float) -> Any:
    """Return an empty matplotlib Figure that is independent of pyplot; sizes in inches."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise NoMatplotlibError("figures need matplotlib: pip install 'poinsot[plot]'") from None
    figure = Figure(figsize=(width, height), layout="constrained")
    vars(figure)["_repr_png_"] = partial(_picture, figure)  # of a figure that pyplot does not know
    return figure


def _picture(figure: Any) -> bytes:
    """Return a figure as a notebook shows it."""
    found = io.BytesIO()
    figure.savefig(found, format="png", dpi=100)
    return found.getvalue()


def styles() -> Iterator[dict[str, str]]:
    """Yield the styles of the lines of a panel: all colors, then all colors dashed, and so on."""
    for dash, color in product(DASHES, COLORS):
        yield {"color": color, "linestyle": dash}


def legend_beside(axes: Any, count: int) -> None:
    """Add a legend on the right of a panel, where it hides nothing."""
    place = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0), "borderaxespad": 0.2}
    axes.legend(frameon=False, fontsize=8, handlelength=1.4, ncols=-(-count // 12), **place)


def style_axes(axes: Any) -> None:
    """Give axes a thin frame and a light grid."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(visible=True, color="#e5e7e9", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.tick_params(colors=GRAY, labelsize=9)


def envelope(time: Array, error: Array, points: int = POINTS) -> tuple[Array, Array]:
    """Return the largest error in each of `points` intervals of time, which hold all samples."""
    n = len(time)
    if n <= 2 * points:
        return time, error
    begin = -(-np.arange(points + 1) * n // points)
    return time[begin[1:] - 1], np.maximum.reduceat(error, begin[:-1])


def figure_kind(path: PathLike) -> str:
    """Return svg, png or pdf, by the ending of the name."""
    kind = file_path(path).suffix.lower().lstrip(".") or "svg"
    if kind not in KINDS:
        raise ScenarioError(f"{path}: the name of a figure must end in .{', .'.join(KINDS)}")
    return kind


def write(figure: Any, path: PathLike) -> Path:
    """Write a figure to a file, in the format of its ending; the same data give the same bytes."""
    from matplotlib import rc_context

    target, kind = file_path(path), figure_kind(path)
    with writing(target), rc_context({"svg.hashsalt": "poinsot", "svg.fonttype": "none"}):
        target.parent.mkdir(parents=True, exist_ok=True)
        metadata = {"Date": None} if kind in ("svg", "pdf") else {}
        figure.savefig(target, format=kind, dpi=150, metadata=metadata)
    return target
