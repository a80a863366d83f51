"""Spy plots: the nonzero entries of a matrix, and their sizes."""

from typing import Any

import numpy as np

from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError
from poinsot.formats.paths import PathLike
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.mechanism import Mechanism
from poinsot.plots.figure import GRAY, new_figure, write


def mass_pattern(mechanism: Mechanism) -> Array:
    """Return the pattern of the mass matrix of a tree: 1 between a joint and those that carry it."""
    carriers: dict[str, set[str]] = {}
    for link in mechanism.links:
        carriers[link.name] = {link.name} | carriers.get(link.parent, set())
    owner = [link.name for link in mechanism.links for _ in range(link.joint.nv)]
    related = [[a in carriers[b] or b in carriers[a] for b in owner] for a in owner]
    return np.array(related, dtype=float).reshape(len(owner), len(owner))


def spy_figure(matrix: ArrayLike, title: str = "", path: PathLike | None = None) -> Any:
    """Draw the sizes of the entries on a logarithmic scale; zeros stay white."""
    M = np.abs(np.asarray(matrix, dtype=float))
    if M.ndim != 2 or not M.size:
        raise ModelError(f"spy plot: expected a matrix, got an array of shape {M.shape}")
    figure = new_figure(5.6, 5.0)
    axes = figure.subplots()
    shown = np.where(M > 0, np.log10(np.where(M > 0, M, 1.0)), np.nan)
    picture = axes.imshow(shown, cmap="viridis_r", interpolation="nearest")
    filled = 100 * np.count_nonzero(M) / M.size
    axes.set_title(title or f"{M.shape[0]} x {M.shape[1]}", fontsize=11, loc="left")
    axes.set_xlabel(f"{np.count_nonzero(M)} nonzero entries, {filled:.3g} % of the matrix", fontsize=9)
    axes.tick_params(colors=GRAY, labelsize=8)
    if np.nanmax(shown) > np.nanmin(shown):
        figure.colorbar(picture, ax=axes, shrink=0.8, label="log10 of the size")
    if path is not None:
        write(figure, path)
    return figure


def spy(matrix: ArrayLike, *, title: str = "", path: PathLike | None = None) -> Any:
    """Draw where a matrix has entries, and how large they are.  Returns the figure.  No window is opened.

    `matrix`: matrix; zeros stay white, (m, n); `title`: title of the figure (default: the shape of the
    matrix); `path`: file to write the figure to, which ends in .svg, .png or .pdf (default: no file is
    written).

    The matrix B of a pendulum of four links (figure 3.1 of the moving-frame thesis):

    >>> half = (0, 0, -0.5)
    >>> rods = [ps.analytical.Link(k - 1, 1.0, np.eye(3), half, half) for k in range(4)]
    >>> chain = ps.analytical.MovingFrame(rods)
    >>> B = chain.pattern(np.tile([1.0, 0, 0, 0], 4))
    >>> B.shape, ps.spy(B, title="B of four links").axes[0].get_xlabel()
    ((24, 12), '144 nonzero entries, 50 % of the matrix')
    """
    M = checks.array("spy", "matrix", matrix, "a matrix", (None, None))
    words = checks.text("spy", "title", title).encode("utf-8", "replace").decode("utf-8")
    return spy_figure(M, words, path)
