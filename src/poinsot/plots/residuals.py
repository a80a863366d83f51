"""Residuals as bars on a logarithmic scale, with the bound they should stay below."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from poinsot.plots.figure import COLORS, GRAY, dress

FLOOR = 1e-18  # where a residual of exactly zero is drawn


def draw_residuals(
    axes: Any, residuals: Mapping[str, float], bound: float, unit: str = "largest residual"
) -> None:
    """Draw one bar per name, from top to bottom: green below the bound, red above it."""
    names, values = list(residuals), np.maximum([abs(value) for value in residuals.values()], FLOOR)
    places = np.arange(len(names))[::-1]
    colors = [COLORS[2] if value <= bound else COLORS[0] for value in values]
    axes.barh(places, values - FLOOR, left=FLOOR, color=colors, height=0.6)
    axes.axvline(bound, color=GRAY, linewidth=1, linestyle=":")
    axes.set_xscale("log")
    axes.set_xlim(FLOOR, max(values.max(), bound) * 10)
    axes.set_yticks(places, names)
    axes.set_xlabel(unit)
    dress(axes)
