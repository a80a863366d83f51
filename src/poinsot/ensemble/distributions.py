"""Texts that stand for many values: "linspace(0, 1, 5)" for some of a grid, "normal(1, 0.1)" for a draw.

A draw is a quantile at a number u of the unit interval, which `unit_numbers` gives for each member and path:
the number of a member depends on the seed, its path and its own number only, so that more members, or other
paths, do not change it.  (A Latin hypercube depends on all of them: that is what it is.)
"""

import re
import zlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from poinsot.errors import ScenarioError
from poinsot.model.checks import Array, show, suggestion

TEXT = re.compile(r"\s*([a-z]+)\s*\(([^()]*)\)\s*")
DESIGNS = ("random", "sobol", "latin")
MOST = 10_000_000  # members


class Family(NamedTuple):
    """A kind of text: what its numbers are, what they must satisfy, and its function."""

    numbers: tuple[str, ...]
    fits: Callable[..., bool]
    function: Callable[..., Array]  # a grid: of the numbers; a distribution: of u and the numbers


def _normal(u: Array) -> Array:
    from scipy.special import ndtri

    found: Array = ndtri(u)
    return found


def _counts(first: float, last: float, count: float) -> bool:
    return 1 <= count <= MOST and count == int(count)


def _triangular(u: Array, a: float, c: float, b: float) -> Array:
    left, right = u * (b - a) * (c - a), (1 - u) * (b - a) * (b - c)
    return np.where(u * (b - a) < c - a, a + np.sqrt(left), b - np.sqrt(right))


ENDS, SPAN = ("first", "last", "count"), ("low", "high")
# fmt: off
GRIDS = {
    "linspace": Family(ENDS, _counts, lambda a, b, n: np.linspace(a, b, int(n))),
    "geomspace": Family(ENDS, lambda a, b, n: a * b > 0 and _counts(a, b, n),
                        lambda a, b, n: np.geomspace(a, b, int(n))),
}
DISTRIBUTIONS = {
    "uniform": Family(SPAN, lambda a, b: a < b, lambda u, a, b: a + (b - a) * u),
    "normal": Family(("mean", "deviation"), lambda m, s: s > 0, lambda u, m, s: m + s * _normal(u)),
    "lognormal": Family(("median", "deviation"), lambda m, s: m > 0 and s > 0,
                        lambda u, m, s: m * np.exp(s * _normal(u))),
    "loguniform": Family(SPAN, lambda a, b: 0 < a < b, lambda u, a, b: a * (b / a) ** u),
    "exponential": Family(("mean",), lambda m: m > 0, lambda u, m: -m * np.log1p(-u)),
    "triangular": Family(("low", "mode", "high"), lambda a, c, b: a <= c <= b and a < b, _triangular),
}
# fmt: on


class Draw(NamedTuple):
    """A distribution with its numbers."""

    text: str
    quantile: Callable[[Array], Array]


def read(path: str, text: str) -> Array | Draw | None:
    """Return the values of a grid, or a draw; None if the text is neither: a value as it is.

    A ScenarioError says what is wrong with a text that looks like one of them.
    """
    found = TEXT.fullmatch(text)
    if found is None:
        return None
    name, known = found[1], {**GRIDS, **DISTRIBUTIONS}
    if name not in known:
        hint = suggestion(name, known) or f": one of {', '.join(known)}"
        raise ScenarioError(f"vary '{path}': unknown distribution {show(name)}{hint}")
    family = known[name]
    try:
        numbers = [float(part) for part in found[2].split(",")]
        fits = len(numbers) == len(family.numbers) and bool(np.isfinite(numbers).all())
        fits = fits and bool(family.fits(*numbers))
    except ValueError:
        fits = False
    if not fits:
        form = f"{name}({', '.join(family.numbers)})"
        raise ScenarioError(f"vary '{path}': {show(text)} does not fit: it is written {form}")
    if name in GRIDS:
        return family.function(*numbers)
    return Draw(text, lambda u: family.function(u, *numbers))


def unit_numbers(paths: Sequence[str], count: int, seed: int, design: str) -> dict[str, Array]:
    """Return the numbers (count,) of the unit interval, without its ends, of each path."""
    if not isinstance(design, str) or design not in DESIGNS:
        raise ScenarioError(f"design must be one of {', '.join(DESIGNS)}, got {show(design)}")
    if design == "random":
        found = {}
        for path in paths:
            stream = np.random.Generator(np.random.Philox(key=[seed, zlib.crc32(path.encode())]))
            found[path] = stream.random(count)
    else:
        from scipy.stats import qmc

        kind: Any = qmc.Sobol if design == "sobol" else qmc.LatinHypercube
        table = _quiet(kind(len(paths), seed=seed), count)
        found = {path: table[:, k] for k, path in enumerate(paths)}
    tiny = np.finfo(float).epsneg
    return {path: np.clip(u, tiny, 1.0 - tiny) for path, u in found.items()}


def _quiet(sampler: Any, count: int) -> Array:
    """Return the numbers of a sampler; that a number of members is not a power of two is no mistake."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        found: Array = sampler.random(count)
    return found
