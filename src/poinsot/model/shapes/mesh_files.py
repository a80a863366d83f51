"""Vertices and faces from STL and OBJ files."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, show

Faces = NDArray[np.int64]
Number = TypeVar("Number", int, float)
STL_FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
STL_HEADER = 84  # bytes: 80 of text and the number of facets
STL_WORDS = ("solid", "facet", "outer", "vertex", "endloop", "endfacet", "endsolid")


def read(name: str, path: Path) -> tuple[Array, Faces]:
    """Read vertices and faces as they stand in the file."""
    reader = {".stl": _stl, ".obj": _obj}.get(path.suffix.lower())
    if reader is None:
        raise ModelError(f"{name}: ending '{path.suffix}' is not known, use .stl or .obj")
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        raise ModelError(f"{name}: cannot be read, {getattr(error, 'strerror', error)}") from error
    if not data:
        raise ModelError(f"{name}: the file is empty")
    return reader(name, data)


def _stl(name: str, data: bytes) -> tuple[Array, Faces]:
    """Read text or binary STL; both may start with "solid", but only a binary file has a zero byte."""
    count = int.from_bytes(data[80:STL_HEADER], "little")
    size = STL_HEADER + count * STL_FACET.itemsize
    if data[:80].lstrip().lower().startswith(b"solid") and b"\0" not in data:
        corners = _stl_text(name, data)
    elif len(data) < size:
        raise ModelError(f"{name}: {count} triangles need {size} bytes, the file has {len(data)}")
    else:
        corners = np.frombuffer(data, STL_FACET, count, STL_HEADER)["corners"]
        finite = np.isfinite(corners).all(axis=(1, 2))
        if not finite.all():
            raise ModelError(f"{name}: triangle {np.argmin(finite) + 1} has a vertex that is not finite")
    points = corners.reshape(-1, 3).astype(np.float64)
    return points, np.arange(len(points)).reshape(-1, 3)


def _stl_text(name: str, data: bytes) -> Array:
    points: list[list[float]] = []
    facets, where, word = 0, name, ""
    for where, (first, *rest) in _lines(name, data):
        word = first.lower()
        if word == "vertex":
            points.append(_numbers(where, word, rest[:3], float))
        elif word not in STL_WORDS:
            raise ModelError(f"{where}: {show(first)} is not known{checks.suggestion(word, STL_WORDS)}")
        facets += word == "endfacet"
        if word in ("endfacet", "endsolid") and len(points) != 3 * facets:
            raise ModelError(f"{where}: {facets} facets need {3 * facets} vertices, got {len(points)}")
    if word != "endsolid":
        raise ModelError(f"{where}: the file ends without 'endsolid'")
    return np.array(points, dtype=np.float64)


def _obj(name: str, data: bytes) -> tuple[Array, Faces]:
    """Read OBJ: `v x y z` and `f i j k ...` with i, i/t, i//n or i/t/n; polygons become fans of triangles."""
    points: list[list[float]] = []
    faces: list[tuple[int, int, int]] = []
    for where, (word, *rest) in _lines(name, data):
        if word == "v":
            points.append(_numbers(where, word, rest[:3], float))  # a weight or a colour may follow
        elif word == "f":
            n, indices = len(points), [item.split("/", 1)[0] for item in rest]
            given = _numbers(where, word, indices, int)
            if 0 in given or max(map(abs, given)) > n:
                raise ModelError(f"{where}: 'f' needs vertices out of {n} so far, got {show(given)}")
            first, *others = ((i - (i > 0)) % n for i in given)  # 1, 2, ... or -1, -2, ... from the end
            faces += [(first, i, j) for i, j in pairwise(others)]
    return np.array(points, dtype=np.float64).reshape(-1, 3), np.array(faces, dtype=np.int64).reshape(-1, 3)


def _lines(name: str, data: bytes) -> Iterator[tuple[str, list[str]]]:
    """Yield place and words of each line that is not empty; `#` starts a comment."""
    for line, text in enumerate(data.decode("utf-8", errors="replace").split("\n"), start=1):
        if words := text.split("#", 1)[0].split():
            yield f"{name}: line {line}", words


def _numbers(where: str, word: str, given: list[str], kind: Callable[[str], Number]) -> list[Number]:
    try:
        numbers = [kind(item) for item in given]
    except ValueError:
        numbers = []
    if len(numbers) < 3 or not all(abs(number) < inf for number in numbers):
        raise ModelError(f"{where}: '{word}' needs 3 finite numbers, got {show(' '.join(given))}")
    return numbers
