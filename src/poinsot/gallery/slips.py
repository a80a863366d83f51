"""Formulas that are wrong as printed: their residuals as printed and as corrected, and a figure of them."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from poinsot.gallery.reproduction import Measured, Verdict
from poinsot.plots.figure import COLORS, dress


def slips(found: Mapping[str, tuple[float, float]], inspection: Iterable[str]) -> Measured:
    """Return the record: residuals of each formula as printed and as corrected, and slips without any."""
    return {
        "as printed": {name: a for name, (a, _) in found.items()},
        "corrected": {name: b for name, (_, b) in found.items()},
        "by inspection": list(inspection),
    }


def verdict_on(result: Measured, more: str = "") -> Verdict:
    """Return the verdict on a record of `slips`, which always differs from what is printed."""
    bad, good = result["as printed"], result["corrected"]
    because = (
        f"the errors of {len(bad)} formulas are {min(bad.values()):.2g} to {max(bad.values()):.2g} as "
        f"printed and at most {max(good.values()):.0e} as corrected; {len(result['by inspection'])} more "
        f"slips cannot be measured (see the record){more}"
    )
    return Verdict("differs", because)


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
