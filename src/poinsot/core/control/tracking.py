"""The tracking law of any tree: the input that brings a mechanism nearest to its template.

    particle, body   f_ = sum J^T F of the pairs,     M_ = sum J^T M J                                  (1)
    energies         c, s: least squares of  W J c = W A v_R,   W J s = W (A a_R + A' v_R - J' c)       (2)
                     F = D J e + M (J' e - J s) + C(x) J e,     e = v - c                               (3)

besides the stiffness; `pairs` has F, A and C, `least_constraint` the input.  c and s are Q v_R and
Q a_R + Q' v_R of a transport map Q with d_R V = -Q^T dV, so that the power of the stiffness is that of e:
the reference of a pair is its pose and two derivatives, no Jacobian.  W is 1 for whole poses and for the
joints of the mechanism.  Where (2) then has no solution, as for the point of a tool, W^T W = K and the map is
the second: the error coordinates are those that the potential depends on.

With loops and driven joints (`tracking_on_loops`), plant and template are those of `freedom`.

A completion of the template is a body template of the mechanism's own bodies with a reference at rest.
"""

from functools import cache
from typing import Any

import numpy as np
from numba import float64, int64

from poinsot.core.control import pairs as forces
from poinsot.core.control.freedom import carry, freedom, transform
from poinsot.core.control.least_constraint import least_constraint, regular
from poinsot.core.control.pairs import BODY, ENERGY2, PARTICLE, dot, product
from poinsot.core.control.plant import along, bodies, input_matrix, mechanics, moving, pairs, rate_along
from poinsot.core.control.records import (
    DECIDED,
    FREE_VELOCITY,
    LAW,
    NO_MAP,
    NOT_FINITE,
    PLANT_LAW,
    REFERENCE,
    SAMPLE,
    SINGULAR_PLANT,
    ZERO,
    PlantLaw,
    unpack,
)
from poinsot.core.jit import called, entry, jit, ready
from poinsot.core.lie import mat3, se3, vec3
from poinsot.core.lie.se3 import Twist
from poinsot.core.numbers import functions as functions  # compiles the primitives
from poinsot.core.numbers.arrays import Floats, records
from poinsot.core.tree.records import MODEL
from poinsot.elementary.matrices import factor_cholesky, least_squares

RANGE = 1e-9  # relative: what of the right sides of (2) may lie outside the range of W J


@jit
def samples_in(reference: Floats, count: int) -> Any:
    """The references of the pairs in a sample, which begins with its time."""
    return records(reference, 1, count, REFERENCE)


@jit
def _weigh(x: PlantLaw, number: int, weighted: bool, a: Twist) -> Twist:
    """W a of a pair."""
    return product(x.pair[number].root, a) if weighted else a


@jit
def _put(A: Any, row: int, j: int, a: Twist) -> None:
    """Write a twist to six rows of a column."""
    A[row, j], A[row + 1, j], A[row + 2, j] = a[0]
    A[row + 3, j], A[row + 4, j], A[row + 5, j] = a[1]


@called
def _solve(A: Any, b: Any, y: Floats) -> int:
    """Write the y of A y = b to y; return what is wrong if there is none, or if it is not the only one."""
    R, c, order = A.copy(), b.copy().reshape(-1), np.arange(A.shape[1])
    least_squares(R, c, order, y)
    if not regular(R, A.shape[1]):
        return FREE_VELOCITY
    worst, largest = 0.0, 1.0
    for i in range(A.shape[0]):
        off = -b[i, 0]
        for j in range(A.shape[1]):
            off += A[i, j] * y[j]
        worst, largest = max(worst, abs(off)), max(largest, abs(b[i, 0]))
    return DECIDED if worst <= RANGE * largest else NO_MAP


@called
def _transport(x: PlantLaw, nv: int, reference: Floats, c: Floats, s: Floats) -> int:
    """Write c and s of equation (2); return what is wrong if there are none."""
    seen, first, sample = x.seen, x.link.size, samples_in(reference, x.seen)
    if 6 * seen < nv:
        return FREE_VELOCITY
    A, b, d, status = np.empty((6 * seen, nv)), np.empty((6 * seen, 1)), np.empty((6 * seen, 1)), NO_MAP
    for weighted in (False, True):
        centered = weighted or x.kind == ENERGY2
        for number in range(seen):
            at = x.motion[first + number]
            E = forces.back(at, sample[number])
            y, z = forces.transported(x.pair[number], centered, at, sample[number], E)
            _put(b, 6 * number, 0, _weigh(x, number, weighted, y))
            _put(d, 6 * number, 0, _weigh(x, number, weighted, z))
            for j in range(nv):
                column = x.jacobian[(first + number) * nv + j].x
                _put(A, 6 * number, j, _weigh(x, number, weighted, column))
        status = _solve(A, b, c)
        if status == DECIDED:
            for number in range(seen):
                (r, o), k = _weigh(x, number, weighted, rate_along(x, first + number, c)), 6 * number
                for i in range(3):
                    d[k + i, 0] -= r[i]
                    d[k + 3 + i, 0] -= o[i]
            status = _solve(A, d, s)
            if status == DECIDED:
                return status
    return status


@jit
def _force(x: PlantLaw, number: int, sample: Any, s: Floats) -> Twist:
    """F of a pair."""
    first = x.link.size
    pair, at = x.pair[number], x.motion[first + number]
    if number >= x.own:  # of the completion
        return forces.body(pair, at, ZERO, ZERO)
    E = forces.back(at, sample[number])
    F = forces.stiffness(pair, E)
    if x.kind == PARTICLE:
        return se3.add(F, forces.particle(pair, at, sample[number]))
    if x.kind == BODY:
        y, z = forces.transported(pair, False, at, sample[number], E)
        return se3.add(F, forces.body(pair, at, y, z))
    y = along(x, first + number, x.error)
    z = se3.sub(rate_along(x, first + number, x.error), along(x, first + number, s))
    F = se3.add(F, se3.add(product(pair.D, y), product(pair.M, z)))
    return se3.add(F, forces.connection(pair.M, at.twist, y))  # (3)


@called
def _template(x: PlantLaw, reference: Floats, v: Floats) -> int:
    """Write M_, f_ and e of the template to the workspace; return what is wrong if there is no map."""
    nv, first, sample = v.size, x.link.size, samples_in(reference, x.own)
    c, s = np.zeros(nv), np.zeros(nv)
    M, f = x.wanted_mass.reshape((nv, nv)), x.wanted_force
    for i in range(nv):
        f[i], x.error[i] = 0.0, 0.0
        for j in range(nv):
            M[i, j] = 0.0
    if x.kind > BODY:
        status = _transport(x, nv, reference, c, s)
        if status != DECIDED:
            return status
        for i in range(nv):
            x.error[i] = v[i] - c[i]
    for number in range(x.ends.size // 2):
        F, J, active = _force(x, number, sample, s), (first + number) * nv, moving(x, nv, number)
        for k in range(active.size):
            i = active[k]
            f[i] += dot(x.jacobian[J + i].x, F)  # (1)
            column = product(x.pair[number].M, x.jacobian[J + i].x)
            for l in range(k + 1):
                j = active[l]
                M[i, j] += dot(x.jacobian[J + j].x, column)
    for i in range(nv):
        for j in range(i):
            M[j, i] = M[i, j]
    return DECIDED


def _decide(reference, q, v, u, tau, law, model, plant):  # type: ignore[no-untyped-def]
    nv, nu = v.size, u.size
    x = unpack(law, q.size, nv, nu)
    if not mechanics(x, reference[0], q, v, model, plant):
        return NOT_FINITE
    bodies(x, q, v, model)
    pairs(x, v)
    status = _template(x, reference, v)
    if status != DECIDED:
        return status
    M, M_, B = x.M.reshape((nv, nv)), x.wanted_mass.reshape((nv, nv)), input_matrix(x, nv, nu)
    status = least_constraint(M, x.f, B, M_, x.wanted_force, x.more, x.limits, u, x.active)
    for i in range(tau.size):
        tau[i] = 0.0
        for j in range(nu):
            tau[i] += B[i, j] * u[j]
    return status


@jit
def _drives_in(reference: Floats, first: int, count: int) -> Floats:
    """The accelerations of drives, which follow the pairs of a sample in groups like theirs."""
    found, each = np.empty(count), SAMPLE // 3
    for k in range(count):
        found[k] = reference[first + SAMPLE * (k // each) + 2 * each + k % each]
    return found


def _decide_within(reference, q, v, u, tau, law, model, plant):  # type: ignore[no-untyped-def]
    nv, nu = v.size, u.size
    x = unpack(law, q.size, nv, nu)
    if not mechanics(x, reference[0], q, v, model, plant):
        return NOT_FINITE
    bodies(x, q, v, model)
    pairs(x, v)
    status = _template(x, reference, v)
    if status != DECIDED:
        return status
    M, M_, B = x.M.reshape((nv, nv)), x.wanted_mass.reshape((nv, nv)), input_matrix(x, nv, nu)
    L = M.copy()
    if factor_cholesky(L) > 0:
        return SINGULAR_PLANT
    drives = _drives_in(reference, 1 + SAMPLE * x.own, int(x.more[0]))
    N, a = freedom(L, q, v, drives, model)
    wanted, plain = transform(N, transform(N, M_).T.copy()), np.eye(N.shape[1])
    f, f_, no_factors = carry(N, M, a, x.f), carry(N, M_, a, x.wanted_force), np.empty(0)
    status = least_constraint(plain, f, transform(N, B), wanted, f_, no_factors, x.limits, u, x.active)
    for i in range(tau.size):
        tau[i] = 0.0
        for j in range(nu):
            tau[i] += B[i, j] * u[j]
    return status


@jit
def _energies(x: PlantLaw, number: int, sample: Any) -> Any:
    """Potential, kinetic energy and twice the dissipation of the error of a pair."""
    pair, at, there = x.pair[number], x.motion[x.link.size + number], sample[number]
    Y, y = mat3.sub(at.R, there.pose[0]), vec3.sub(at.r, there.pose[1])
    V = 0.5 * forces.square(Y, y, pair.stiffness)
    if x.kind == PARTICLE:
        turn = mat3.mul(at.R, mat3.cross(at.twist[0], mat3.IDENTITY))
        Y = mat3.sub(turn, there.rate[0])
        y = vec3.sub(mat3.apply(at.R, at.twist[1]), there.rate[1])
        return V, 0.5 * forces.square(Y, y, pair.inertia), forces.square(Y, y, pair.damping)
    e = along(x, x.link.size + number, x.error)
    if x.kind == BODY:
        c, _ = forces.transported(pair, False, at, there, forces.back(at, there))
        e = se3.sub(at.twist, c)
    return V, 0.5 * dot(e, product(pair.M, e)), dot(e, product(pair.D, e))


def _evaluate(reference, q, v, energies, law, model):  # type: ignore[no-untyped-def]
    x = unpack(law, q.size, v.size, 0)
    bodies(x, q, v, model)
    pairs(x, v)
    status = _template(x, reference, v)
    sample = samples_in(reference, x.own)
    for number in range(x.own):
        V, T, lost = _energies(x, number, sample)
        energies[0] += V
        energies[1] += T
        energies[2] += lost
    return status


X = float64[::1]
_tracking = entry("control.tracking", PLANT_LAW)(_decide)
_constrained = entry("control.constrained", PLANT_LAW)(_decide_within)
_wanted = entry("control.template", int64(X, X, X, X, LAW, MODEL))(_evaluate)


@cache
def tracking() -> Any:
    """Return the compiled tracking law of a tree."""
    return ready(_tracking)


@cache
def tracking_on_loops() -> Any:
    """Return the compiled tracking law of a mechanism with loops or driven joints."""
    return ready(_constrained)


@cache
def template() -> Any:
    """Return evaluate(reference, q, v, energies, law, model) -> status: it writes M_ and f_ of a law without
    inputs to its workspace, and adds potential, kinetic energy and twice the dissipation to `energies`."""
    return ready(_wanted)
