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

from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from poinsot.elementary.linear import product
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.shapes.mesh_files import Faces, read
from poinsot.model.shapes.solids import Solid

WELD = 1e-7  # of the size: the rounding of float32, in which STL files are written
LARGEST = 1e50  # coordinate: its fifth power, in (3), is still a number
FLAT = 1e-14  # volume relative to size times area: rounding in (1)


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Mesh(Solid):
    """A solid of uniform density inside a closed triangle mesh.

    Parameters
    ----------
    path : path-like
        STL (text or binary) or OBJ file.
    scale : array_like, shape () or (3,), default 1.0
        Factors from the unit of the file to metres: one number or one for each axis, not zero.

    Attributes
    ----------
    vertices : ndarray, shape (n, 3)
        Vertices in metres.
    faces : ndarray of int, shape (m, 3)
        Indices of the vertices of each triangle, counter-clockwise seen from outside.
    path : Path or None
        File that the mesh was read from.

    Raises
    ------
    ModelError
        If the file cannot be read, or the mesh is not closed, not oriented or encloses no volume.

    See Also
    --------
    Mesh.from_arrays : the same from arrays.

    Examples
    --------
    >>> import poinsot as ps
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
        vertices, faces = read(name, source)
        with np.errstate(over="ignore"):  # LARGEST finds it
            self._fill(name, vertices * factors, faces, source)

    @classmethod
    def from_arrays(cls, vertices: ArrayLike, faces: ArrayLike) -> Self:
        """Return the solid of vertices and triangles.

        Parameters
        ----------
        vertices : array_like, shape (n, 3)
            Vertices in metres.
        faces : array_like of int, shape (m, 3)
            Indices of the vertices of each triangle, counter-clockwise seen from outside.

        Returns
        -------
        Mesh
            The mesh.

        Raises
        ------
        ModelError
            If an index is out of range, or the mesh is not closed, not oriented or encloses no volume.

        Examples
        --------
        >>> import poinsot as ps
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
        vertices, faces = _closed(name, vertices, faces)
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


def _closed(name: str, vertices: Array, faces: Faces) -> tuple[Array, Faces]:
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
    """Merge vertices that are equal: in each coordinate, no gap between neighbours above the tolerance."""
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
