"""Simplified Newton method for the velocity stages of Gauss methods, where fixed-point iteration diverges.

The stages V = v0 + h A v.(Q, V), with Q following V, are corrected by dV from the residual r,

    (1 - h A x D_v - h^2 A^2 x D_q) dV = r                                                      (1)

where D_v = dv./dv and D_q = dv./dq along dq = rate(q, dv) are evaluated at the start of the step by
differences in four lanes.  In the basis of the eigenvectors of A (A T = T diag(lambda)) this separates into
systems of the size of v, one for each conjugate pair:

    (1 - h lambda D_v - h^2 lambda^2 D_q) w = T^-1 r,      dV = T w                             (2)
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from poinsot.core.jit import called
from poinsot.core.methods.implicit.stopping import extent, shared
from poinsot.core.numbers.arrays import Floats, Numbers, segment
from poinsot.core.numbers.v4d import LANES, from_lanes, lane
from poinsot.core.solve import lu
from poinsot.core.tree.field import ALL, RATE
from poinsot.core.tree.joints.units import LENGTHS_V
from poinsot.core.tree.problem import TreeProblem, evaluate
from poinsot.core.tree.records import unpack
from poinsot.elementary import linear

STEP = 1e-7  # relative step of the differences; seven digits suffice for a simplified method
SYSTEM = 3 + 4 * LANES  # numbers of a system: weight, lambda, row of T^-1 and column of T as complex pairs
Factors: TypeAlias = tuple[NDArray[np.complex128], NDArray[np.int64]]  # of the systems (2), and their pivots


def stiff_table(a: NDArray[np.float64]) -> NDArray[np.float64]:
    """Systems (2) for the coefficients a: their number, then weight, lambda, T^-1 and T of each."""
    s = len(a)
    values, T = linear.eig(a)
    inverse = linear.inverse(T)
    systems = []
    for k, value in enumerate(values):
        if value.imag < -1e-12:
            continue  # the conjugate of another one
        row, column = np.zeros((LANES, 2)), np.zeros((LANES, 2))
        row[:s] = np.column_stack([inverse[k].real, inverse[k].imag])
        column[:s] = np.column_stack([T[:, k].real, T[:, k].imag])
        column[s:] = column[s - 1]
        weight = 2.0 if value.imag > 1e-12 else 1.0
        systems.append(np.concatenate([[weight, value.real, value.imag], row.ravel(), column.ravel()]))
    return np.concatenate([[len(systems)], *systems])


@called
def difference(
    p: TreeProblem,
    t: float,
    y: Numbers,
    Y: Numbers,
    F: Numbers,
    along_q: bool,
    d: Numbers,
    D: Numbers,
    base: Numbers,
) -> None:
    """Matrix D_q or D_v of (1) by differences with the steps d, four columns at a time."""
    nq, nv = p.nq, p.nv
    o = from_lanes(0.0, 0.0, 0.0, 0.0)
    for first in range(0, nv, LANES):
        for i in range(nq + nv + 1):
            Y[i] = o + y[i]
        for j in range(nv):
            k = j - first
            unit = from_lanes(
                1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0, 1.0 if k == 3 else 0.0
            )
            Y[nq + j] = d[j] * unit if along_q else y[nq + j] + d[j] * unit
        if along_q:
            evaluate(p, RATE, t, Y, F)
            for i in range(nq):
                Y[i] = y[i] + F[i]
            for j in range(nv):
                Y[nq + j] = o + y[nq + j]
        evaluate(p, ALL, t, Y, F)
        for i in range(nv):
            for k in range(min(LANES, nv - first)):
                D[i, first + k] = (lane(F[nq + i], k) - base[i]) / d[first + k]


@called
def steps(p: TreeProblem, h: float, v: Numbers, a: Numbers) -> tuple[Floats, Floats]:
    """Steps of the differences along q and v: parts of a radian or of the mechanism, and of the motion."""
    tree = unpack(p.model)
    length = extent(tree)
    along_q, along_v = np.full(p.nv, STEP), np.empty(p.nv)
    for j in range(p.nv):
        along_v[j] = max(abs(v[j]), abs(h * a[j]))
    fastest = shared(tree, along_v)
    for i in range(1, tree.n + 1):
        for j in range(tree.count[i]):
            k, slides = tree.v[i] + j, LENGTHS_V[tree.kind[i], j] > 0.0
            if slides and length > 0.0:
                along_q[k] = STEP * length
            along_v[k] = STEP * fastest[1 if slides else 0]
            if along_v[k] == 0.0:  # at rest
                along_v[k] = along_q[k] / h
    return along_q, along_v


@called
def prepare(
    p: TreeProblem, t: float, h: float, y: Numbers, Y: Numbers, F: Numbers, table: Numbers
) -> Factors:
    """Factors of (2) at the start of a step."""
    nq, nv, count = p.nq, p.nv, int(table[0])
    for i in range(nq + nv + 1):
        Y[i] = y[i] + from_lanes(0.0, 0.0, 0.0, 0.0)
    evaluate(p, ALL, t, Y, F)
    base = np.empty(nv)
    for i in range(nv):
        base[i] = lane(F[nq + i], 0)
    along_q, along_v = steps(p, h, segment(y, nq, nv), base)
    Dv, Dq = np.empty((nv, nv)), np.empty((nv, nv))
    difference(p, t, y, Y, F, False, along_v, Dv, base)
    difference(p, t, y, Y, F, True, along_q, Dq, base)
    factors, pivots = np.empty((count, nv, nv), np.complex128), np.empty((count, nv), np.int64)
    for k in range(count):
        start = 1 + SYSTEM * k
        scale = h * complex(table[start + 1], table[start + 2])
        for i in range(nv):
            for j in range(nv):
                factors[k, i, j] = -scale * (Dv[i, j] + scale * Dq[i, j])
            factors[k, i, i] += 1.0
        lu.factor(factors[k], pivots[k])
    return factors, pivots


@called
def newton(p: TreeProblem, residual: Numbers, factored: Factors, d: Numbers, table: Numbers) -> None:
    """Corrections d of the velocity stages by (2) for the residual (nv, 4)."""
    factors, pivots = factored
    nv = p.nv
    dV = np.zeros((nv, LANES))
    b = np.empty(nv, np.complex128)
    for k in range(factors.shape[0]):
        start = 1 + SYSTEM * k
        weight, row, column = table[start], start + 3, start + 3 + 2 * LANES
        for j in range(nv):
            b[j] = 0.0
            for i in range(LANES):
                b[j] += complex(table[row + 2 * i], table[row + 2 * i + 1]) * residual[j, i]
        lu.solve(factors[k], pivots[k], b)
        for j in range(nv):
            for i in range(LANES):
                real, imag = table[column + 2 * i], table[column + 2 * i + 1]
                dV[j, i] += weight * (real * b[j].real - imag * b[j].imag)
    for j in range(nv):
        d[j] = from_lanes(dV[j, 0], dV[j, 1], dV[j, 2], dV[j, 3])
