"""The vector field of a tree with loops or contacts, for methods that ask for a field.

    M a = f + Phi^T lam,    Phi a + Phi. v = 0                                                          (1)

a is the acceleration nearest to a0, that without constraints, in the metric of M = L L^T.  With z_j = L^-1
Phi_j^T and c_j = d2phi_j/dt2 at a0,

    a = a0 + L^-T x,    z_j.x = -c_j,    x as short as possible                                         (2)

The rows are made orthogonal to each other, the longest first, each twice (Gram and Schmidt); a row that is
shorter than CUT times its weight by then follows from the others.  Driven joints have no part in (2): their
rows of M are those of the identity.  The constraints do no work, so that the drives exert, besides what they
do without constraints, the power

    v^T M (a - a0)                                                                                      (3)

After each step the state is put onto the constraints, by the same rule: the coordinates move by L^-T x with
z_j.x = -phi_j, for the rows with a residual, until they are closed, and the velocities with z_j.x = -Phi_j v.
Both are moves along the constraints where the state arrives, by multipliers mu (two for each row),

    L^-T x = M^-1 Phi^T mu                                                                              (4)

which symmetric methods ask for (`CLOSE`), to make the same move where the step begins (`SHIFT`).
"""

from functools import cache
from typing import NamedTuple

from numba import float64, types

from poinsot.core.jit import Compiled, called, entry, jit, ready
from poinsot.core.numbers.arrays import Numbers, segment, segments, zero_in
from poinsot.core.numbers.functions import magnitude, sqrt
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.drives import (
    counts_in_kernel,
    drive_counts,
    drive_workspace,
    field_with,
    stand_still,
)
from poinsot.core.tree.dynamics.aba import aba
from poinsot.core.tree.dynamics.crba import crba
from poinsot.core.tree.dynamics.hybrid import hybrid
from poinsot.core.tree.field import CLOSE, MOVES, RATE, SHIFT, field_type, load
from poinsot.core.tree.joints import table
from poinsot.core.tree.loops.entries import jacobian, second_derivatives
from poinsot.core.tree.loops.table import has_residual
from poinsot.core.tree.problem import copy
from poinsot.core.tree.records import LOOP_INTS, Model, any_driven, joint_at, loops_in, unpack
from poinsot.core.tree.workspace import workspace_in, wrenches_in

CUT = 1e-8  # of a row, relative to its weight
ROUNDS = 24  # of a projection


class ClosedWorkspace(NamedTuple):
    """Workspace of the field, besides that of the algorithms and of driven trees."""

    M: Numbers  # (nv * nv)
    L: Numbers  # its factor
    Z: Numbers  # (m * nv): Phi, then z
    c: Numbers  # (m)
    phi: Numbers  # (m)
    still: Numbers  # (nv): zeros
    x: Numbers  # (nv)
    mu: Numbers  # (m): multipliers of x
    moved: Numbers  # (m): those of the coordinates
    R: Numbers  # (m * m): rows, by the orthogonal ones
    pivots: Numbers  # (m): places of the orthogonal rows
    along: Numbers  # (m): x along these
    state: Numbers  # (nq + nv): q and v before they are put onto the constraints


def closed_counts(nq: int, nv: int, m: int) -> ClosedWorkspace:
    """Lengths of its arrays."""
    return ClosedWorkspace(nv * nv, nv * nv, m * nv, m, m, nv, nv, m, m, m * m, m, m, nq + nv)


counts_of_rows = jit(closed_counts)


def workspace_size(nq: int, nv: int, m: int) -> int:
    """Numbers that a model with m constraints needs beyond those of the algorithms."""
    return sum(drive_counts(nq, nv)) + sum(closed_counts(nq, nv, m))


@jit
def closed_workspace(model: Model, o: float) -> ClosedWorkspace:
    nq, nv, m = model.ints[1], model.ints[2], model.ints[model.ints[LOOP_INTS]]
    rest, used = workspace_in(model.workspace, model.ints[0], o).rest, counts_in_kernel(nq, nv)
    return segments(rest, used.state + used.a, counts_of_rows(nq, nv, m))


@called
def rows_at(model: Model, q: Numbers, v: Numbers, w: ClosedWorkspace) -> None:
    """Residuals phi, and Phi in the place of z."""
    jacobian(unpack(model), loops_in(model), q, v, w.phi, w.Z, model.workspace)


@called
def factor(model: Model, q: Numbers, w: ClosedWorkspace) -> None:
    """Mass matrix and its factor; driven joints as if they had unit mass of their own."""
    tree = unpack(model)
    n = tree.nv
    crba(tree, q, w.still, w.M, model.workspace)
    for i in range(n * n):
        w.L[i] = w.M[i]
    for b in range(1, tree.n + 1):
        if tree.driven[b] == 1:
            for i in range(tree.v[b], tree.v[b] + tree.count[b]):
                for j in range(n):
                    w.L[i * n + j], w.L[j * n + i] = 0.0 * w.M[0], 0.0 * w.M[0]
                w.L[i * n + i] = 0.0 * w.M[0] + 1.0
    for j in range(n):
        for k in range(j):
            for i in range(j, n):
                w.L[i * n + j] = w.L[i * n + j] - w.L[i * n + k] * w.L[j * n + k]
        s = 1.0 / sqrt(w.L[j * n + j])
        for i in range(j, n):
            w.L[i * n + j] = w.L[i * n + j] * s


@jit
def halve(model: Model, w: ClosedWorkspace, m: int) -> None:
    """Rows z = L^-1 Phi^T, in place of Phi, without driven joints."""
    tree = unpack(model)
    n = tree.nv
    for b in range(1, tree.n + 1):
        if tree.driven[b] == 1:
            for i in range(tree.v[b], tree.v[b] + tree.count[b]):
                for j in range(m):
                    w.Z[j * n + i] = 0.0 * w.Z[0]
    for j in range(m):
        z = segment(w.Z, j * n, n)
        for i in range(n):
            s = z[i]
            for k in range(i):
                s = s - w.L[i * n + k] * z[k]
            z[i] = s / w.L[i * n + i]


@jit
def product(a: Numbers, b: Numbers, n: int) -> float:
    s = zero_in(a)
    for i in range(n):
        s = s + a[i] * b[i]
    return s


@jit
def lift(w: ClosedWorkspace, n: int) -> None:
    """x <- L^-T x."""
    for k in range(n):
        i = n - 1 - k
        s = w.x[i]
        for j in range(i + 1, n):
            s = s - w.L[j * n + i] * w.x[j]
        w.x[i] = s / w.L[i * n + i]


@jit
def combine(w: ClosedWorkspace, mu: Numbers, n: int, m: int) -> None:
    """x <- sum of mu_j z_j."""
    for i in range(n):
        w.x[i] = zero_in(w.x)
        for j in range(m):
            w.x[i] = w.x[i] + mu[j] * w.Z[j * n + i]


@called
def orthogonalize(w: ClosedWorkspace, m: int, n: int) -> int:
    """Make the rows orthogonal, those with a weight in phi; c and x follow.  Return how many there are."""
    o = zero_in(w.x)
    for i in range(m * m):
        w.R[i] = o
    for k in range(m):
        best, r = CUT, -1
        for j in range(m):
            z = segment(w.Z, j * n, n)
            size = magnitude(w.phi[j]) * sqrt(magnitude(product(z, z, n)))
            if size > best:
                best, r = size, j
        if r < 0:
            return k
        z = segment(w.Z, r * n, n)
        length = sqrt(product(z, z, n))
        s = 1.0 / length
        for i in range(n):
            z[i] = s * z[i]
        along = -s * w.c[r]
        for i in range(n):
            w.x[i] = w.x[i] + along * z[i]
        w.phi[r], w.pivots[k], w.along[k], w.R[r * m + k] = o, o + r, along, length
        for j in range(m):
            if magnitude(w.phi[j]) > 0.0:
                y = segment(w.Z, j * n, n)
                for _ in range(2):
                    d = product(y, z, n)
                    w.R[j * m + k] = w.R[j * m + k] + d
                    w.c[j] = w.c[j] + d * along
                    for i in range(n):
                        y[i] = y[i] - d * z[i]
    return m


@called
def shortest(model: Model, w: ClosedWorkspace, m: int, rows: int) -> None:
    """Add x of (2) for c to that of the multipliers mu, where Z has m rows of Phi, and mu follows: (4).
    `rows`: 1 if only those with a residual count."""
    n, loops, o = model.ints[2], loops_in(model), zero_in(w.x)
    halve(model, w, m)
    combine(w, w.mu, n, m)
    for j in range(m):
        w.phi[j] = o + (loops.floats[j] if rows == 0 or has_residual(loops, j) else 0.0)
    count = orthogonalize(w, m, n)
    for k in range(count - 1, -1, -1):
        r = int(magnitude(w.pivots[k]))
        more = w.along[k] / w.R[r * m + k]
        w.mu[r] = w.mu[r] + more
        for j in range(k):
            w.along[j] = w.along[j] - more * w.R[r * m + j]
    lift(w, n)


@jit
def forget(w: ClosedWorkspace, m: int) -> None:
    """mu <- 0."""
    for j in range(m):
        w.mu[j] = zero_in(w.mu)


@called
def close(model: Model, y: Numbers, w: ClosedWorkspace) -> None:
    """Put a state onto the constraints; `moved` and mu are the multipliers."""
    tree, loops, before, last = unpack(model), loops_in(model), 0.0, 0.0
    nq, nv, m = tree.nq, tree.nv, loops.ints[0]
    q, v = segment(y, 0, nq), segment(y, nq, nv)
    copy(y, w.state, nq + nv)
    forget(w, m)
    for k in range(ROUNDS):
        rows_at(model, q, v, w)
        size = 0.0
        for j in range(m):
            w.c[j] = w.phi[j]
            size = max(size, loops.floats[j] * magnitude(w.c[j]))
        if k > 2 and not size < 0.5 * before:  # directions, and tangents of dual numbers, are a round behind
            break
        before, last = last, size
        factor(model, q, w)
        shortest(model, w, m, 1)
        copy(w.state, q, nq)
        for i in range(1, tree.n + 1):
            table.move(joint_at(tree, i), q, w.x)
            table.unit(joint_at(tree, i), q)
    copy(w.mu, w.moved, m)
    forget(w, m)
    factor(model, q, w)
    for _ in range(2):
        rows_at(model, q, v, w)
        for j in range(m):
            w.c[j] = product(segment(w.Z, j * nv, nv), v, nv)
        shortest(model, w, m, 0)
        for i in range(nv):
            v[i] = w.state[nq + i] + w.x[i]


@called
def shift(model: Model, y: Numbers, mu: Numbers, w: ClosedWorkspace) -> None:
    """Move a state along the constraints, by multipliers of the coordinates and then of the velocities."""
    tree, m = unpack(model), loops_in(model).ints[0]
    nq, nv = tree.nq, tree.nv
    q, v = segment(y, 0, nq), segment(y, nq, nv)
    rows_at(model, q, v, w)
    factor(model, q, w)
    halve(model, w, m)
    combine(w, segment(mu, m, m), nv, m)
    lift(w, nv)
    for i in range(nv):
        v[i] = v[i] + w.x[i]
    combine(w, mu, nv, m)
    lift(w, nv)
    for i in range(1, tree.n + 1):
        table.move(joint_at(tree, i), q, w.x)


def _field(part, t, y, f, force, user, model):  # type: ignore[no-untyped-def]
    tree, loops = unpack(model), loops_in(model)
    nq, nv, o, m = tree.nq, tree.nv, zero_in(y), loops.ints[0]
    q, v, w = segment(y, 0, nq), segment(y, nq, nv), closed_workspace(model, o)
    if part == SHIFT:
        shift(model, y, f, w)
    elif part in MOVES:
        close(model, y, w)
        if part == CLOSE:
            copy(w.moved, f, m)
            copy(w.mu, segment(f, m, m), m)
            f[2 * m] = o
            for i in range(nv):
                f[2 * m] = f[2 * m] + v[i] * product(segment(w.M, i * nv, nv), v, nv)
    else:
        for i in range(1, tree.n + 1):
            table.rate(joint_at(tree, i), q, v, f)
    if part not in MOVES and part != RATE:
        tau = segment(f, nq, nv)
        power, loaded = load(part, t, y, tau, force, user, model)
        wrench, driven = wrenches_in(model.workspace, tree.n, o), any_driven(tree)
        if driven:
            given = drive_workspace(model, o).a
            power = power + hybrid(tree, q, v, given, tau, loaded, wrench, model.workspace)
        else:
            aba(tree, q, v, tau, loaded, wrench, tau, model.workspace)
        rows_at(model, q, v, w)
        second_derivatives(tree, loops, q, v, tau, w.c, model.workspace)
        factor(model, q, w)
        forget(w, m)
        shortest(model, w, m, 0)
        for i in range(nv):
            tau[i] = tau[i] + w.x[i]
        if driven:
            for i in range(nv):
                power = power + v[i] * product(segment(w.M, i * nv, nv), w.x, nv)  # (3)
        f[nq + nv] = power


@cache
def closed_field(number: types.Type = float64) -> Compiled:
    """Compiled field of a tree with loops, which is on its drives if it has some."""
    return ready(entry(f"tree.closed.{DOUBLES[number]}", field_type(number).signature)(_field))


@cache
def closed_held_field(number: types.Type = float64) -> Compiled:
    """The same where joints are held."""
    name, signature = f"tree.closed_held.{DOUBLES[number]}", field_type(number).signature
    return ready(entry(name, signature)(field_with(stand_still, number, closed_field(number))))
