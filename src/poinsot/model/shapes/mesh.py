"""Closed triangle meshes from STL and OBJ files, with the exact moments of the enclosed volume.

By the divergence theorem an integral over the volume is a sum over the signed tetrahedra (o, a, b, c)
between a point o and the faces.  With a, b, c seen from o, D = a · (b × c) and s = a + b + c,

    V = Σ D/6                                                            (1)
    V g = Σ D/24 s                                                       (2)
    C = ∫ (x − g)(x − g)ᵀ dV = Σ D/120 (aaᵀ + bbᵀ + ccᵀ + ssᵀ) − V ggᵀ   (3)
    J = m/V (tr C 1 − C)                                                 (4)

exact for any o; ours is the mean vertex, so that nothing large cancels however far a mesh lies off.

Equal vertices are welded, then every edge must be used by two faces in opposite directions.  Only if
that fails, vertices closer than WELD times the size are welded too.  A mesh whose faces all look inward
is reversed.  Not found: a separate part inside out (it counts as a cavity), faces that cut each other.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from math import inf
from os import PathLike
from pathlib import Path
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from poinsot.elementary.arrays import ArrayLike
from poinsot.elementary.linear import product
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.shapes.solids import Solid

Faces = NDArray[np.int64]
Number = TypeVar("Number", int, float)
STL_FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
STL_HEADER = 84  # bytes: 80 of text and the number of facets
STL_WORDS = ("solid", "facet", "outer", "vertex", "endloop", "endfacet", "endsolid")
WELD = 1e-7  # of the size: the rounding of float32, in which STL files are written
LARGEST = 1e50  # coordinate: its fifth power, in (3), is still a number
FLAT = 1e-14  # volume relative to size times area: rounding in (1)


class Mesh(Solid):
    """A solid of uniform density inside a closed triangle mesh.

    It must be closed and oriented, and enclose a volume.  `Mesh.from_arrays` makes one of arrays.

    Parameters
    ----------
    path : STL (text or binary) or OBJ file.
    scale : factors from the unit of the file to meters: one number or one for each axis, not zero; default 1.

    Attributes
    ----------
    vertices : vertices [m], (n, 3).
    faces : indices of the vertices of each triangle, counter-clockwise seen from outside, (m, 3).
    path : file that the mesh was read from, or None.

    >>> lines = ["v 0 0 0", "v 1 0 0", "v 0 1 0", "v 0 0 1", "f 1 3 2", "f 1 2 4", "f 1 4 3", "f 2 3 4"]
    >>> with open("corner.obj", "w") as file:
    ...     for line in lines:
    ...         print(line, file=file)
    >>> ps.Mesh("corner.obj", scale=2.0)
    Mesh('corner.obj', 4 faces, volume 1.33333)
    """

    vertices: Array
    faces: Faces
    path: Path | None
    _volume: float
    _center: Array
    _second: Array  # C about the centroid

    def __init__(self, path: str | PathLike[str], scale: ArrayLike = 1.0) -> None:
        try:
            source = Path(path)
        except Exception:  # no path, or whatever `__fspath__` of a foreign object raises
            raise ModelError(f"mesh: path must be the name of a file, got {show(path)}") from None
        name = f"mesh '{source}'"
        factors = checks.triple(name, "scale", scale)
        if not factors.all():
            raise ModelError(f"{name}: scale must not be zero, got {show(scale)}")
        vertices, faces = read_triangles(name, source)
        with np.errstate(over="ignore"):  # LARGEST finds it
            self._fill(name, vertices * factors, faces, source)

    @classmethod
    def from_arrays(cls, vertices: ArrayLike, faces: ArrayLike) -> Self:
        """Return the solid of vertices and triangles.

        `vertices`: vertices [m], (n, 3); `faces`: indices of the vertices of each triangle, counter-clockwise
        seen from outside, (m, 3).

        >>> vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
        >>> ps.Mesh.from_arrays(vertices, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
        Mesh(4 faces, volume 0.166667)
        """
        points = checks.array("mesh", "vertices", vertices, "an (n, 3) array", (None, 3))
        corners = checks.array("mesh", "faces", faces, "an (m, 3) array of indices", (None, 3))
        wrong = (corners < 0) | (corners >= len(points)) | (corners != np.floor(corners))
        if wrong.any():
            raise ModelError(f"mesh: faces must index {len(points)} vertices, got {show(corners[wrong][0])}")
        mesh = cls.__new__(cls)
        mesh._fill("mesh", points, corners.astype(np.int64), None)
        return mesh

    def _fill(self, name: str, vertices: Array, faces: Faces, path: Path | None) -> None:
        vertices, faces = _close(name, vertices, faces)
        origin = vertices.mean(axis=0)
        corners = vertices[faces] - origin
        a, b, c = corners.swapaxes(0, 1)
        D, s = (a * np.cross(b, c)).sum(axis=1), a + b + c
        if D.sum() < 0:  # all look inward
            faces, D = faces[:, ::-1].copy(), -D
        V = float(D.sum() / 6)  # (1)
        area = np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2
        if FLAT * area * np.abs(corners).max() >= V:
            raise ModelError(f"{name}: encloses no volume ({V:.3g})")
        g = product(D, s) / (24 * V)  # (2)
        C = sum(product(x.T * D, x) for x in (a, b, c, s))
        C = C / 120 - V * np.outer(g, g)  # (3)
        vertices.setflags(write=False)
        faces.setflags(write=False)
        vars(self).update(vertices=vertices, faces=faces, path=path)
        vars(self).update(_volume=V, _center=origin + g, _second=C)

    @property
    def volume(self) -> float:
        return self._volume

    @property
    def center(self) -> Array:
        return self._center.copy()

    def inertia(self, mass: float) -> Array:
        C, mass = self._second, checks.number("mesh", "mass", mass)
        return np.asarray(mass / self.volume * (np.trace(C) * np.eye(3) - C))  # (4)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "mesh", "vertices": self.vertices.tolist(), "faces": self.faces.tolist()}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mesh) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((len(self.vertices), len(self.faces), self.volume))

    def __repr__(self) -> str:
        source = "" if self.path is None else f"'{self.path}', "
        return f"Mesh({source}{len(self.faces)} faces, volume {self.volume:.6g})"


def _close(name: str, vertices: Array, faces: Faces) -> tuple[Array, Faces]:
    """Return the mesh with welded vertices and without unused ones; raise a ModelError if it is open."""
    if (extent := np.abs(vertices).max(initial=0.0)) > LARGEST:
        raise ModelError(f"{name}: coordinates must be at most {LARGEST:g}, got {extent:g}")
    exact = _weld(vertices, faces, 0.0)
    if not (fault := _fault(*exact)):
        return exact
    close = _weld(vertices, faces, WELD * np.abs(vertices - vertices[:1]).max(initial=0.0))
    if _fault(*close):
        raise ModelError(f"{name}: {fault}")
    return close


def _weld(vertices: Array, faces: Faces, tolerance: float) -> tuple[Array, Faces]:
    """Merge vertices that are equal: in each coordinate, no gap between neighbors above the tolerance."""
    cells = np.zeros(vertices.shape, dtype=np.int64)
    for k in range(3):
        order = np.argsort(vertices[:, k], kind="stable")
        cells[order[1:], k] = np.cumsum(np.diff(vertices[order, k]) > tolerance)
    _, first, cell = np.unique(cells, axis=0, return_index=True, return_inverse=True)
    faces = first[cell.reshape(-1)][faces]
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (c != a)]  # the others have no area
    used = np.unique(faces)
    return vertices[used], np.searchsorted(used, faces)


def _fault(vertices: Array, faces: Faces) -> str:
    """Return why the faces do not enclose a volume; empty if they do."""
    if len(faces) == 0:
        return "has no triangles"
    edges = faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    keys = edges.min(axis=1) * len(vertices) + edges.max(axis=1)
    _, first, edge, uses = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    direction = np.bincount(edge, weights=np.sign(edges[:, 1] - edges[:, 0]))
    for wrong, text in (
        (uses == 1, "is not closed, open edges"),
        (uses > 2, "is not a surface, edges with more than two faces"),
        (direction != 0, "is not oriented, edges that both faces use in the same direction"),
    ):
        if wrong.any():
            a, b = vertices[edges[first[np.argmax(wrong)]]]
            return f"{text}: {wrong.sum()}, one from {show(a)} to {show(b)}"
    return ""


def read_triangles(name: str, path: Path) -> tuple[Array, Faces]:
    """Read vertices and faces as they stand in the file."""
    reader = {".stl": _stl, ".obj": _obj}.get(path.suffix.lower())
    if reader is None:
        raise ModelError(f"{name}: ending '{path.suffix}' is not known, use .stl or .obj")
    try:
        if path.exists() and not path.is_file() and not path.is_dir():  # a FIFO would wait for ever
            raise OSError(22, "not a regular file")
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
            points.append(_numbers(where, word, rest[:3], float))  # a weight or a color may follow
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
