"""The loop constraints at a state, with their forces and projections by linear algebra.

    Phi v = 0                                        velocities that keep the loops closed         (1)
    M a = f + Phi^T lam,   Phi a + Phi. v = 0        accelerations                                 (2)

All answers are nearest points in the metric of the mass matrix M = L L^T:

    u = arg min |L^T (u - target)|,   Phi u = -x                                                   (3)
    L^-1 Phi^T lam = L^T (a - a0),  M a0 = f,  lam the smallest                                    (4)

Which constraints are independent is a question of geometry.  With the mass matrix G = K K^T of links that
weigh the same (`compile.loops.geometric_masses`) and the weights W that belong to it,

    W Phi K^-T = U S V^T                                                                           (5)

and redundant constraints (a planar loop of hinges has three) are singular values below `CUT` times the
largest; rows below `CUT` are rounding.  V = (V1, V0) gives all solutions u = K^-T (V0 y - V1 S^-1 U^T W x),
and (3) is a least-squares problem for y.  Its rows, and those of (4), are as different as the masses:
Householder's method with exchanged rows and columns is accurate for any ratio (Cox and Higham 1998).

A driven joint adds a row to Phi for each of its velocities, u_j = that of the target, and its force, what the
drive exerts more than without loops, to lam.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from poinsot.compile.loops import link_sizes
from poinsot.compile.tree import Tree
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.solve.dense import cholesky, least_squares, product, solve_lower, solve_upper, svd
from poinsot.core.tree.loops import entries
from poinsot.elementary.linear import dot, norm
from poinsot.errors import ModelError
from poinsot.mechanics.algorithms import acceleration, mass_matrix, rates
from poinsot.mechanics.arguments import guard, tree_of
from poinsot.model.checks import Array
from poinsot.model.loop_history import LoopHistory
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State

CUT = 1e-10
SMALL = 1e-6  # accelerations of a constraint, relative to those of the mechanism, that are not looked at


def _factor(M: Array) -> Array:
    """Return the factor L of a mass matrix; raise a ModelError if rounding leaves it no positive pivots."""
    try:
        return cholesky(M)
    except np.linalg.LinAlgError:
        raise ModelError(
            "the mass matrix is not positive definite: masses, or lengths of bodies and loops, "
            "differ by too many orders of magnitude"
        ) from None


def dual_tables(y: Array, dy: Array) -> list[Array]:
    """Return numbers y as rows of doubles, with as many columns of dy at a time as they have tangents."""
    width, found = DOUBLES[dual4], []
    for first in range(0, dy.shape[1], width - 1):
        seeds, table = dy[:, first : first + width - 1], np.zeros((len(y), width))
        table[:, 0], table[:, 1 : 1 + seeds.shape[1]] = y, seeds
        found.append(table)
    return found


class LoopConstraints:
    """The loop constraints of a tree at the coordinates q: residuals and their Jacobian Phi.
    With `positions`, constraints of velocities only (of contacts) have no rows: they are zero."""

    def __init__(self, tree: Tree, q: Array, positions: bool = False) -> None:
        self.tree, self.q = tree, np.array(q)
        m, n = len(tree.constraints), tree.nv
        self.residuals, self.Phi = np.zeros(m), np.zeros((m, n))
        entries.constraints()(tree.model(), self.q, np.zeros(n), self.residuals, self.Phi.reshape(-1))
        if positions:
            self.Phi[[one.of_velocities for one in tree.constraints]] = 0.0
        self.driven = tree.driven_coordinates[1]
        self._rows = np.vstack([self.Phi, np.eye(n)[self.driven]])

    @cached_property
    def _geometry(self) -> tuple[Array, Array, Array]:
        """K^-1, W and the rows of W Phi K^-T without rounding."""
        model, weights = self.tree.geometry()
        K = _factor(mass_matrix(self.tree, self.q, model))
        inverse = solve_lower(K, np.eye(len(K)))
        of_drives = inverse.T[self.driven]
        sizes = np.sqrt((of_drives * of_drives).sum(axis=1))
        weights = np.concatenate([weights, 1.0 / sizes])
        B = weights[:, None] * product(self._rows, inverse.T)
        B[(B * B).sum(axis=1) < CUT * CUT] = 0.0
        return inverse, weights, B

    @cached_property
    def _parts(self) -> tuple[Array, Array, Array, int]:
        """Factors U, S, V^T of (5), and the rank."""
        U, S, Vt = svd(self._geometry[2])
        return U, S, Vt, int(np.sum(CUT * S.max(initial=0.0) < S))

    @cached_property
    def _L(self) -> Array:
        """Factor L of the mass matrix."""
        return _factor(mass_matrix(self.tree, self.q))

    @property
    def rank(self) -> int:
        """Number of constraints, with those of drives, that are independent of each other."""
        return self._parts[3]

    @property
    def freedom(self) -> Array:
        """Velocities that keep the loops closed and driven joints where they are, as columns: a basis."""
        return product(self._geometry[0].T, self._parts[2][self.rank :].T)

    def check_freedom(self) -> None:
        """Raise a ModelError if nothing can move."""
        if self.rank == self.tree.nv:
            raise ModelError("the loops and drives leave no degree of freedom")

    def parts_in_freedom(self) -> Array:
        """Return the part of each velocity's unit vector that lies in the freedom (nv, n): lengths 0 to 1."""
        inverse = self._geometry[0].T
        sizes = np.sqrt((inverse * inverse).sum(axis=1))
        return np.asarray(self.freedom / sizes[:, None])

    def nearest(self, target: Array, x: Array, held: Array | None = None) -> Array:
        """Return the u nearest to a target with Phi u = -x (3), for the part of x in the range of Phi.
        Of driven joints u is `held`; default: that of the target."""
        (inverse, weights, _), (U, S, Vt, r) = self._geometry, self._parts
        given = target[self.driven] if held is None else held
        rows = weights * np.concatenate([x, -given])
        u = -product(inverse.T, product(Vt[:r].T, product(U[:, :r].T, rows) / S[:r]))
        if r < len(Vt):
            N = self.freedom
            u = u + product(N, least_squares(product(self._L.T, N), product(self._L.T, target - u)))
        u[self.driven] = given
        return u

    def distance(self, v: Array, other: Array) -> float:
        """Return the distance of two velocities relative to the second, in the metric of the mass matrix."""
        return norm(product(self._L.T, v - other)) / (norm(product(self._L.T, other)) or 1.0)

    def correction(self, x: Array) -> Array:
        """Return the smallest u with Phi u = -x, for the part of x in the range of Phi."""
        return self.nearest(np.zeros(self.tree.nv), x)

    def project(self, v: Array) -> Array:
        """Return the nearest velocity that keeps the loops closed (1)."""
        return self.nearest(v, np.zeros(len(self.residuals)))

    def bias(self, v: Array) -> Array:
        """Return Phi. v, the acceleration of the residuals at zero joint acceleration."""
        out, n = np.zeros(len(self.residuals)), self.tree.nv
        entries.seconds()(self.tree.model(), self.q, np.array(v), np.zeros(n), out)
        return out

    def unreachable(self, v: Array) -> Array:
        """Return the part of the bias that no acceleration can balance, relative to its terms.

        It is zero, except where the rank falls (a change point): there the velocities with (1) are more than
        those of motions, which also satisfy y^T Phi. v = 0 for all y with y^T Phi = 0.
        """
        (inverse, weights, _), (U, _, _, r) = self._geometry, self._parts
        rate = self.jacobian_along(rates(self.tree, self.q, v)[:, None])[:, :, 0]
        slope = weights[:, None] * np.vstack([rate, np.zeros((len(self.driven), len(v)))])
        missed = np.eye(len(U)) - product(U[:, :r], U[:, :r].T)
        terms, speed = product(np.abs(slope), np.abs(v)), solve_upper(inverse.T, v)
        shortest = float(link_sizes(self.tree.layout, self.tree.constraints)[1:].min())
        sizes = np.maximum(product(np.abs(missed), terms), SMALL * dot(speed, speed) / shortest)
        found = np.abs(product(missed, product(slope, v))) / np.where(sizes > 0.0, sizes, 1.0)
        return np.asarray(found[: len(self.residuals)])

    def jacobian_along(self, dq: Array) -> Array:
        """Return the derivatives (m, nv, k) of Phi along the columns of dq (nq, k), by dual numbers."""
        (m, n), width, model = self.Phi.shape, DOUBLES[dual4], self.tree.model(dual4)
        parts = [np.zeros((m, n, 0))]
        for q in dual_tables(self.q, dq):
            phi, Phi = np.zeros(m * width), np.zeros((m, n, width))
            entries.constraints(dual4)(model, q.reshape(-1), np.zeros(n * width), phi, Phi.reshape(-1))
            parts.append(Phi[:, :, 1:])
        return np.concatenate(parts, axis=2)[:, :, : dq.shape[1]]

    def seconds_along(self, v: Array, a: Array, dy: Array) -> Array:
        """Return the derivatives (m, k) of the second derivatives of the residuals by the time, at the
        velocities v and the accelerations a, along the columns of dy = (dq, dv)."""
        m, width, nq, model = len(self.residuals), DOUBLES[dual4], len(self.q), self.tree.model(dual4)
        rate, parts = np.zeros((len(a), width)), [np.zeros((m, 0))]
        rate[:, 0] = a
        for y in dual_tables(np.concatenate([self.q, v]), dy):
            out, state = np.zeros((m, width)), (y[:nq].reshape(-1), y[nq:].reshape(-1))
            entries.seconds(dual4)(model, *state, rate.reshape(-1), out.reshape(-1))
            parts.append(out[:, 1:])
        return np.concatenate(parts, axis=1)[:, : dy.shape[1]]

    def multipliers(self, v: Array, free: Array) -> Array:
        """Return lam of (4), where `free` is the acceleration without loops."""
        return self.all_multipliers(v, free)[: len(self.residuals)]

    def all_multipliers(self, v: Array, free: Array) -> Array:
        """Return lam of (4), then what each drive exerts more than without loops."""
        _, weights, B = self._geometry
        U = svd(B / weights[:, None])[0][:, : self.rank]
        forces = solve_lower(self._L, product(self._rows.T, U))
        return product(U, least_squares(forces, product(self._L.T, self.accelerate(v, free) - free)))

    def accelerate(self, v: Array, free: Array) -> Array:
        """Return the acceleration with loops (2), where `free` is that without."""
        return self.nearest(free, self.bias(v))

    def unload(self, tau: Array) -> Array:
        """Return the smallest joint forces with the same effect, without the part that the loops carry."""
        free = solve_upper(self._L.T, solve_lower(self._L, tau))
        return product(self._L, product(self._L.T, self.project(free)))


def gaps(tree: Tree, residuals: Array) -> Array:
    """Convert loop residuals (..., constraints) to physical gaps.
    They differ for distances only: the residual is (d^2 - l^2)/2l, the gap d - l."""
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


def closed_gaps(tree: Tree, time: Array, q: Array, loops: LoopHistory) -> Array:
    """Return the sizes (n, constraints) of the gaps of closed loops at n samples; zero for open ones."""
    found = np.abs(gaps_along(tree, q))
    for name, part in tree.loop_slices.items() if loops else ():
        found[:, part] *= loops.is_closed(time, name)[:, None]
    return found


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


@guard
def multipliers(mechanism: Mechanism, state: State) -> dict[str, Array]:
    """Return the constraint forces (Lagrange multipliers) that keep the loops closed, by loop [N, N m].

    A loop has one for each of its constraints, in the order of the table in `model.loops`.  Where constraints
    are redundant they are not unique; the smallest are returned.

    >>> m = ps.Mechanism(gravity=(0, 0, -10))
    >>> m.add("bob", ps.Sphere(0.1).body(mass=2.0), ps.Free())
    Mechanism(bob)
    >>> m.close(ps.Loop("world", "bob", ps.Distance(1.0), name="rope"))
    Mechanism(bob)
    >>> ps.dynamics.multipliers(m, m.state({"bob": dict(position=(0, 0, -1))}))
    {'rope': array([-20.])}
    """
    tree = tree_of(mechanism, state)
    if not mechanism.loops:
        return {}
    free = acceleration(tree, state.time, state.q, state.v)
    return _by_loop(tree, LoopConstraints(tree, state.q).multipliers(state.v, free))


def _by_loop(tree: Tree, x: Array) -> dict[str, Array]:
    """Split numbers, one for each constraint, by loops."""
    return {name: x[part] for name, part in tree.loop_slices.items()}


class LoopResiduals(NamedTuple):
    """Residuals of the loop constraints of a mechanism at a state.

    The residual of a constraint is zero where its loop is closed.  It is the gap along a direction for a
    point, the deviation of a cosine for an angle, and (d² - l²)/2l for a distance d that should be l, which
    is the gap d - l to first order.

    Attributes
    ----------
    residuals : residuals of the constraints of each loop [m, rad]
    rates : their time derivatives [m/s, rad/s]
    rank : number of independent constraints
    redundant : number of constraints that follow from the others
    freedom : degrees of freedom: velocities less independent constraints
    """

    residuals: dict[str, Array]
    rates: dict[str, Array]
    rank: int
    redundant: int
    freedom: int

    def __str__(self) -> str:
        worst = max((float(np.abs(x).max()) for x in self.residuals.values()), default=0.0)
        return (
            f"{len(self.residuals)} loops, {self.rank} independent constraints, {self.redundant} redundant, "
            f"{self.freedom} degrees of freedom, largest residual {worst:.1e}"
        )


def loop_constraints(mechanism: Mechanism, state: State) -> LoopResiduals:
    """Return the residuals of the loop constraints, and the degrees of freedom that loops and drives leave.

    >>> m = ps.Mechanism().add("bob", ps.Sphere(0.1).body(mass=2.0), ps.Free())
    >>> m.close(ps.Loop("world", "bob", ps.Distance(1.0), name="rope"))
    Mechanism(bob)
    >>> found = ps.dynamics.loop_constraints(m, m.state({"bob": dict(position=(0, 0, -2))}))
    >>> found.residuals, found.freedom
    ({'rope': array([1.5])}, 5)
    """
    tree, n = tree_of(mechanism, state), len(state.v)
    if not mechanism.loops:
        return LoopResiduals({}, {}, 0, 0, n - len(tree.driven_coordinates[1]))
    here = LoopConstraints(tree, state.q)
    rates = here.Phi @ state.v
    r = here.rank - len(here.driven)  # of the loops beside the drives
    gone = len(rates) - r
    return LoopResiduals(_by_loop(tree, here.residuals), _by_loop(tree, rates), r, gone, n - here.rank)
