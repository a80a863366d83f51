"""The rows of loops at a state, and what follows from them by linear algebra: forces and projections.

    Phi v = 0                                        velocities that keep the loops closed         (1)
    M a = f + Phi^T lam,   Phi a + Phi. v = 0        accelerations                                 (2)

With M = L L^T and B = Phi L^-T = U S V^T both are least-squares problems in the metric of the mass matrix:

    v - L^-T B^+ B L^T v                             the nearest velocity with (1)                 (3)
    lam = -(B B^T)^+ (Phi a0 + Phi. v),  M a0 = f    the smallest multipliers with (2)             (4)

Redundant rows (a planar loop of hinges has three) are singular values below `CUT` times the largest.  Rows of
B that are below `CUT` with the weights of `row_weights` are rounding: they are zero.
"""

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numba import float64

from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.dynamics.entries import mass
from poinsot.core.tree.field import RATE, field
from poinsot.core.tree.forces import table as forces
from poinsot.core.tree.loops import entries, table
from poinsot.model.checks import Array

if TYPE_CHECKING:
    from poinsot.compile.tree import Tree

CUT = 1e-10


def rates(tree: "Tree", q: Array, v: Array) -> Array:
    """dq/dt."""
    y, f = np.concatenate([q, v, [0.0]]), np.zeros(tree.width + 1)
    functions = forces.no_forces(), forces.no_functions()
    arrays = tree.ints, tree.floats, np.zeros(2, dtype=np.int32), np.zeros(1), tree.workspace(float64)
    field()(RATE, 0.0, y, f, *functions, *arrays)
    return f[: len(q)]


def mass_matrix(tree: "Tree", q: Array) -> Array:
    """(nv, nv)."""
    n = tree.mechanism.lengths[1]
    M = np.zeros((n, n))
    mass()(tree.ints, tree.floats, np.array(q), np.zeros(n), M.reshape(-1), tree.workspace(float64))
    return M


class Closure:
    """The loops of a tree at the coordinates q."""

    def __init__(self, tree: "Tree", q: Array) -> None:
        self.tree, self.q = tree, np.array(q)
        m, n = tree.shape.rows, tree.mechanism.lengths[1]
        self.gaps, self.Phi = np.zeros(m), np.zeros((m, n))
        out = self.gaps, self.Phi.reshape(-1), tree.workspace(float64)
        entries.closed()(tree.ints, tree.floats, *tree.closures, self.q, np.zeros(n), *out)

    @cached_property
    def _parts(self) -> tuple[Array, Array, Array, Array]:
        """L, U, S, V^T of B, without what is redundant."""
        L: Array = np.asarray(np.linalg.cholesky(mass_matrix(self.tree, self.q)), dtype=np.float64)
        B = np.linalg.solve(L, self.Phi.T).T
        weights = self.tree.closures[1][: len(B)]
        B[weights * np.linalg.norm(B, axis=1) < CUT] = 0.0
        U, S, Vt = np.linalg.svd(B, full_matrices=False)
        r = int(np.sum(CUT * S.max(initial=0.0) < S))
        return L, U[:, :r], S[:r], Vt[:r]

    @property
    def rank(self) -> int:
        """Rows that are independent of each other."""
        return len(self._parts[2])

    def correction(self, x: Array) -> Array:
        """The smallest u with Phi u = -x, for as much of x as can be reached."""
        L, U, S, Vt = self._parts
        return np.asarray(-np.linalg.solve(L.T, Vt.T @ ((U.T @ x) / S)))

    def projected(self, v: Array) -> Array:
        """(3)"""
        return np.asarray(v + self.correction(self.Phi @ v))

    def bias(self, v: Array) -> Array:
        """Phi. v: what the gaps accelerate with where joints do not (dual numbers)."""
        tree, width = self.tree, DOUBLES[dual4]
        m, n = self.Phi.shape
        q, phi, Phi = np.zeros((len(self.q), width)), np.zeros(m * width), np.zeros((m, n, width))
        q[:, 0], q[:, 1] = self.q, rates(tree, self.q, v)
        out = phi, Phi.reshape(-1), tree.workspace(dual4)
        flat = q.reshape(-1)
        entries.closed(dual4)(tree.ints, tree.floats, *tree.closures, flat, np.zeros(n * width), *out)
        return np.asarray(Phi[:, :, 1] @ v)

    def multipliers(self, v: Array, free: Array) -> Array:
        """(4): lam, where `free` is the acceleration without loops."""
        _, U, S, _ = self._parts
        return np.asarray(-U @ ((U.T @ (self.Phi @ free + self.bias(v))) / S**2))

    def accelerated(self, v: Array, free: Array) -> Array:
        """(2): the acceleration with loops; the part along the rows is set, not subtracted."""
        return np.asarray(free + self.correction(self.Phi @ free + self.bias(v)))

    def unloaded(self, tau: Array) -> Array:
        """Joint forces without what the loops can carry: the smallest that do the same."""
        L, _, _, Vt = self._parts
        y = np.linalg.solve(L, tau)
        return np.asarray(L @ (y - Vt.T @ (Vt @ y)))


def measured(tree: "Tree", gaps: Array) -> Array:
    """Gaps (..., rows) as people measure them: of a distance not its row (d^2 - l^2)/2l, but d - l."""
    found, (rows, marks) = np.array(gaps), tree.closures
    for j, (kind, _, _, k) in enumerate(rows[table.HEAD :].reshape(-1, table.ROW)):
        if kind == table.DISTANCE:
            l = marks[k + 6]
            found[..., j] = np.sqrt(np.maximum(l * l + 2 * l * found[..., j], 0.0)) - l
    return found


def row_wrenches(tree: "Tree", q: Array) -> Array:
    """(rows, 2, 6): what a multiplier 1 of each row does to its links a and b, body frames, about origins."""
    out, n = np.zeros((tree.shape.rows, 2, 6)), tree.mechanism.lengths[1]
    entries.pushed()(
        tree.ints, tree.floats, *tree.closures, np.array(q), np.zeros(n), out.reshape(-1),
        tree.workspace(float64),
    )  # fmt: skip
    return out


def wrenches(tree: "Tree", q: Array, lam: Array) -> Array:
    """(n + 1, 6): of all multipliers on the links."""
    total = np.zeros((int(tree.ints[0]) + 1, 6))
    links = tree.closures[0][table.HEAD :].reshape(-1, table.ROW)[:, 1:3]
    np.add.at(total, links, lam[:, None, None] * row_wrenches(tree, q))
    return total


def gaps_along(tree: "Tree", q: Array) -> Array:
    """(n, rows): the gaps at many coordinates."""
    out = np.zeros((len(q), tree.shape.rows))
    n = np.zeros(tree.mechanism.lengths[1])
    flat, work = np.array(q, order="C").reshape(-1), tree.workspace(float64)
    entries.gaps()(tree.ints, tree.floats, *tree.closures, len(q), flat, n, out.reshape(-1), work)
    return out
