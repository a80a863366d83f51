"""What an experiment is made of: claim, verdict, and the numbers of a record."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]  # real, or complex while a complex step is under way
Measured: TypeAlias = dict[str, Any]  # numbers, lists and strings, ready for JSON
Figure: TypeAlias = Any  # a matplotlib Figure: matplotlib is an extra
POINTS = 400  # largest number of points of a curve
SMALLEST = 1e-3  # of the size of its terms, of a number that others are divided by


@dataclass(frozen=True)
class Claim:
    """A statement of a paper that can be checked."""

    paper: str  # citation: the key of the paper in references.bib
    where: str  # place in the paper, such as "figure 4"
    title: str  # of the experiment
    words: str  # what the paper says, in short


@dataclass(frozen=True)
class Verdict:
    """Whether a claim was reproduced, and why, with the numbers.

    A "remark" judges nothing: the document has an opinion or a plan there, or we had to assume what it does
    not say, or we count with a model of our own.
    """

    word: Literal["reproduced", "differs", "not reproducible", "remark"]
    because: str


def short(x: ArrayLike, digits: int = 10) -> Any:
    """Round to `digits` significant digits; return (lists of) Python numbers, None where not finite."""
    values = np.asarray(x, dtype=float)
    if values.ndim:
        return [short(value, digits) for value in values]
    return float(f"{values:.{digits - 1}e}") if np.isfinite(values) else None


def relative_change(x: Array, size: float = 0.0) -> Array:
    """Return x / x[0] - 1; a ValueError if x starts near zero beside the terms that make it up.

    `size`: of these terms, such as the largest kinetic energy of a run.
    """
    if not abs(x[0]) > SMALLEST * size:
        raise ValueError(f"relative to {x[0]:.2g}, beside terms of {size:.2g}: divide by their size")
    return np.asarray(x / x[0] - 1)


def thinned(count: int, points: int = POINTS) -> Array:
    """Return indices of at most `points` samples out of `count`, evenly spread, both ends included."""
    return np.unique(np.linspace(0, count - 1, min(count, points)).round().astype(int))


def envelope(time: Array, error: Array, points: int = POINTS) -> tuple[Array, Array]:
    """Return the largest error in each of `points` intervals of time, which hold all samples."""
    if len(time) <= 2 * points:
        return time, error
    begin = -(-np.arange(points + 1) * len(time) // points)
    return time[begin[1:] - 1], np.maximum.reduceat(error, begin[:-1])


def filled(values: list[Any]) -> Array:
    """Return the numbers of a record as an array for figures, with NaN for None."""
    return np.array([np.nan if value is None else value for value in values], dtype=float)


def slips(found: Mapping[str, tuple[float, float]], inspection: Iterable[str]) -> Measured:
    """Return the record of wrong formulas: residuals as printed and as corrected, and slips without any."""
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


def about_origin(total: float, center: ArrayLike, moment: ArrayLike) -> Array:
    """Return the moment about the origin from the one about the centre (parallel axes)."""
    c = np.asarray(center, dtype=float)
    return np.asarray(moment + total * (c @ c * np.eye(3) - np.outer(c, c)))
