"""The loop constraints at a state, with their forces and projections by linear algebra.

    Phi v = 0                                        velocities that keep the loops closed         (1)
    M a = f + Phi^T lam,   Phi a + Phi. v = 0        accelerations                                 (2)

With M = L L^T and B = Phi L^-T = U S V^T both are least-squares problems in the metric of the mass matrix:

    v - L^-T B^+ B L^T v                             the nearest velocity with (1)                 (3)
    lam = -(B B^T)^+ (Phi a0 + Phi. v),  M a0 = f    the smallest multipliers with (2)             (4)

Redundant constraints (a planar loop of hinges has three) are singular values below `CUT` times the largest.
Rows of B that are below `CUT` with the weights of `compile.loops` are rounding: they are zero.
"""

from functools import cached_property

import numpy as np

from poinsot.compile.tree import Tree
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.loops import entries
from poinsot.mechanics.algorithms import mass_matrix, rates
from poinsot.model.checks import Array

CUT = 1e-10


class LoopConstraints:
    """The loop constraints of a tree at the coordinates q: residuals and their Jacobian Phi."""

    def __init__(self, tree: Tree, q: Array) -> None:
        self.tree, self.q = tree, np.array(q)
        m, n = len(tree.constraints), tree.nv
        self.residuals, self.Phi = np.zeros(m), np.zeros((m, n))
        entries.constraints()(tree.model(), self.q, np.zeros(n), self.residuals, self.Phi.reshape(-1))

    @cached_property
    def _parts(self) -> tuple[Array, Array, Array, Array]:
        """Factors L, U, S, V^T of B, without redundant constraints."""
        L: Array = np.asarray(np.linalg.cholesky(mass_matrix(self.tree, self.q)), dtype=np.float64)
        B = np.linalg.solve(L, self.Phi.T).T
        weights = np.array([one.weight for one in self.tree.constraints])
        B[weights * np.linalg.norm(B, axis=1) < CUT] = 0.0
        U, S, Vt = np.linalg.svd(B, full_matrices=False)
        r = int(np.sum(CUT * S.max(initial=0.0) < S))
        return L, U[:, :r], S[:r], Vt[:r]

    @property
    def rank(self) -> int:
        """Number of constraints that are independent of each other."""
        return len(self._parts[2])

    def correction(self, x: Array) -> Array:
        """Return the smallest u with Phi u = -x, for the part of x in the range of Phi."""
        L, U, S, Vt = self._parts
        return np.asarray(-np.linalg.solve(L.T, Vt.T @ ((U.T @ x) / S)))

    def projected(self, v: Array) -> Array:
        """Return the nearest velocity that keeps the loops closed (3)."""
        return np.asarray(v + self.correction(self.Phi @ v))

    def bias(self, v: Array) -> Array:
        """Return Phi. v, the acceleration of the residuals at zero joint acceleration (dual numbers)."""
        width = DOUBLES[dual4]
        m, n = self.Phi.shape
        q, phi, Phi = np.zeros((len(self.q), width)), np.zeros(m * width), np.zeros((m, n, width))
        q[:, 0], q[:, 1] = self.q, rates(self.tree, self.q, v)
        model = self.tree.model(dual4)
        entries.constraints(dual4)(model, q.reshape(-1), np.zeros(n * width), phi, Phi.reshape(-1))
        return np.asarray(Phi[:, :, 1] @ v)

    def multipliers(self, v: Array, free: Array) -> Array:
        """Return lam of (4), where `free` is the acceleration without loops."""
        _, U, S, _ = self._parts
        return np.asarray(-U @ ((U.T @ (self.Phi @ free + self.bias(v))) / S**2))

    def accelerated(self, v: Array, free: Array) -> Array:
        """Return the acceleration with loops (2); the part along the constraints is set, not subtracted."""
        return np.asarray(free + self.correction(self.Phi @ free + self.bias(v)))

    def unloaded(self, tau: Array) -> Array:
        """Return the smallest joint forces with the same effect, without the part that the loops carry."""
        L, _, _, Vt = self._parts
        y = np.linalg.solve(L, tau)
        return np.asarray(L @ (y - Vt.T @ (Vt @ y)))


def gaps(tree: Tree, residuals: Array) -> Array:
    """Convert loop residuals (..., constraints) to physical gaps.

    They differ for distances only: the residual is (d^2 - l^2)/2l, the gap d - l.
    """
    found = np.array(residuals)
    for j, one in enumerate(tree.constraints):
        if one.kind == "distance":
            l = one.numbers[6]
            found[..., j] = np.sqrt(np.maximum(l * l + 2 * l * found[..., j], 0.0)) - l
    return found


def gaps_along(tree: Tree, q: Array) -> Array:
    """Return the physical gaps (n, constraints) at n sets of coordinates."""
    out = np.zeros((len(q), len(tree.constraints)))
    v, flat = np.zeros(tree.nv), np.array(q, order="C").reshape(-1)
    entries.residuals()(tree.model(), len(q), flat, v, out.reshape(-1))
    return gaps(tree, out)


def constraint_wrenches(tree: Tree, q: Array) -> Array:
    """Return the wrenches (constraints, 2, 6) of multipliers 1 on the links, body frames, about origins."""
    out, n = np.zeros((len(tree.constraints), 2, 6)), tree.nv
    entries.wrenches()(tree.model(), np.array(q), np.zeros(n), out.reshape(-1))
    return out


def link_wrenches(tree: Tree, q: Array, lam: Array) -> Array:
    """Return the wrenches (n + 1, 6) of all multipliers on the links."""
    total = np.zeros((tree.links + 1, 6))
    links = np.array([one.links for one in tree.constraints])
    np.add.at(total, links, lam[:, None, None] * constraint_wrenches(tree, q))
    return total
