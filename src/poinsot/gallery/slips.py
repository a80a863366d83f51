"""The figure of formulas that are wrong as printed: their residuals as printed and as corrected."""

from typing import Any

import numpy as np

from poinsot.plots.figure import COLORS, dress


def bars(result: dict[str, Any], figure: Any, title: str, most: float, what: str = "residual") -> None:
    """Draw two bars per formula, up to `most`: the residuals "as printed" and "corrected" of the record."""
    axes, names = figure.subplots(), list(result["as printed"])
    places = np.arange(len(names))[::-1]
    for color, shift, word in ((COLORS[0], 0.18, "as printed"), (COLORS[2], -0.18, "corrected")):
        values = np.maximum([result[word][name] for name in names], 1e-18)
        axes.barh(places + shift, values - 1e-18, left=1e-18, height=0.34, color=color, label=word)
    axes.set_xscale("log")
    axes.set_xlim(1e-18, most)
    axes.set_yticks(places, names)
    axes.set_xlabel(what)
    figure.legend(frameon=False, fontsize=9, loc="outside right upper")
    axes.set_title(title, loc="left", fontsize=11)
    dress(axes)
