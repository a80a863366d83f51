"""Meshes with fewer faces for pictures: vertices in the same cell of a grid are merged."""

import numpy as np
from numpy.typing import NDArray

from poinsot.model.checks import Array

Faces = NDArray[np.int64]


def coarse(vertices: Array, faces: Faces, most: int) -> tuple[Array, Faces]:
    """Return a mesh of at most `most` faces: the mesh itself, or merged on the finest grid that suffices."""
    cells = 512
    found = vertices, faces
    while len(found[1]) > most:
        found = _merged(vertices, faces, cells)
        cells //= 2
    return found


def _merged(vertices: Array, faces: Faces, cells: int) -> tuple[Array, Faces]:
    """Merge the vertices on a grid of `cells` cells along the longest side."""
    low, size = vertices.min(axis=0), np.ptp(vertices, axis=0).max()
    grid = np.floor((vertices - low) * (cells / size)).astype(np.int64)
    _, cell, count = np.unique(grid, axis=0, return_inverse=True, return_counts=True)
    cell = cell.reshape(-1)
    middle = np.stack([np.bincount(cell, vertices[:, k]) / count for k in range(3)], axis=1)
    merged = cell[faces]
    a, b, c = merged.T
    return middle, merged[(a != b) & (b != c) & (c != a)]
