"""Simplified Newton method for the stages of symplectic Gauss methods, where the sweeps do not contract.

With the momenta p^ = D^T p and forces F of `chart` as functions of (Theta, V), the residual (3) of `sgauss`
has the slope

    -dr = [M + C x (M_+ - M_-) + h A x (p^_Theta - F_V) - h^2 B x F_Theta] dV                        (1)
    A_kl = int_0^c_k phi_l,   B_kl = int (1 - Phi_k/b_k) Phi_l,   C_kl = 1/b_k int (t - 1/2) phi_k phi_l

where M is the mean of the mass matrices M_-, M_+ at the ends of the step, and the slopes are differences at
its middle, four columns at a time.  Stiff springs and dampers are in F_Theta and F_V.  Like (6), (1) is
solved in the basis of the eigenvectors T of `stages`.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from poinsot.core.jit import called, jit
from poinsot.core.lie.vec3 import dot
from poinsot.core.methods.sgauss import swing
from poinsot.core.methods.sgauss.arrays import StageStep, arrays, group
from poinsot.core.methods.sgauss.stages import (
    COUPLINGS,
    EYE,
    LANES,
    MATRICES,
    STAGES,
    B,
    T,
    at_stage,
    groups,
    mixed,
    stage_zero,
    summed,
    weights,
)
from poinsot.core.methods.sgauss.sweeps import centre, evaluate, opened
from poinsot.core.numbers.arrays import segment
from poinsot.core.solve import lu
from poinsot.core.solve.lu import as_float
from poinsot.core.tree.joints.table import FREE, PRISMATIC
from poinsot.core.tree.records import TreeRecord, joint_at, unpack

STEP = 1e-7  # of the differences, in radians and in lengths of the mechanism
Matrix: TypeAlias = NDArray[np.float64]
Factors: TypeAlias = tuple[Matrix, NDArray[np.int64], Matrix]  # of (1), its pivots, and M


@jit
def no_factors() -> Factors:
    """Factors before the first sweep."""
    return np.empty((0, 0)), np.empty(0, np.int64), np.empty((0, 0))


@called
def steps(tree: TreeRecord, d: Matrix) -> None:
    """Differences of the coordinates: an angle, or a length that follows the size of the mechanism."""
    size = 0.0
    for i in range(1, tree.n + 1):
        m, mc, J = tree.mass[i]
        size = max(size, dot(tree.placement[i].r, tree.placement[i].r))
        if m > 0.0:
            size = max(size, max(dot(mc, mc) / (m * m), (J[0] + J[3] + J[5]) / m))
    for i in range(1, tree.n + 1):
        at = joint_at(tree, i)
        for j in range(at.nv):
            slides = at.kind == PRISMATIC or (at.kind == FREE and j > 2)
            d[at.v + j] = STEP * np.sqrt(size) if slides and size > 0.0 else STEP


class Difference(NamedTuple):
    """What is changed: at Theta = `side` Delta, a coordinate (`along`) or a velocity by d."""

    side: float
    along: bool
    still: bool  # the velocities are zero besides
    d: Matrix


@called
def columns(s: StageStep, t: float, change: Difference, momenta: Matrix, forces: Matrix) -> None:
    """p^ and F with one coordinate or velocity after the other changed."""
    arr, tree, nv, y = arrays(s), unpack(s.p.model), s.p.nv, s.y
    for first in range(0, nv, LANES):
        for k in range(groups(y)):
            theta, U = group(arr.theta, k, nv), group(arr.U, k, nv)
            for j in range(nv):
                theta[j] = stage_zero(y) + change.side * arr.delta[j]
                U[j] = stage_zero(y) + (0.0 if change.still else 1.0 / s.h) * arr.delta[j]
            for l in range(min(LANES, nv - first)):
                j = first + l
                rise = change.d[j] * weights(s.rows, EYE + l, k, y)
                if change.along:
                    theta[j] = theta[j] + rise
                else:
                    U[j] = U[j] + rise
            opened(tree, theta, group(arr.charts, k, swing.SIZE * (tree.n + 1)))
            evaluate(s, stage_zero(y) + t, k, U)
        for l in range(min(LANES, nv - first)):
            for i in range(nv):
                momenta[i, first + l] = as_float(at_stage(arr.p, i, nv, l, y))
                forces[i, first + l] = as_float(at_stage(arr.F, i, nv, l, y))


@called
def prepare(s: StageStep) -> Factors:
    """Factors of (1) for the motion V."""
    arr, nv, h, rows, stages = arrays(s), s.p.nv, s.h, s.rows, int(s.rows[LANES * STAGES])
    for j in range(nv):
        arr.delta[j] = h * summed(rows, B, arr.V, j, nv, s.y)
    centre(s, False)
    d, speed, unit, middle = np.empty(nv), np.empty(nv), np.ones(nv), s.t + 0.5 * h
    steps(unpack(s.p.model), d)
    for j in range(nv):
        speed[j] = d[j] / h
    P, F = np.empty((5, nv, nv)), np.empty((5, nv, nv))
    for case in range(5):  # at both ends, at the middle, and there with other coordinates and velocities
        side = -0.5 if case == 0 else 0.5 if case == 1 else 0.0
        rise = unit if case < 2 else 0.0 * d if case == 2 else d if case == 3 else speed
        columns(s, middle, Difference(side, case == 3, case < 2, rise), P[case], F[case])
    first, last, p_0, f_0, p_q, f_q, f_v = P[0], P[1], P[2], F[2], P[3], F[3], F[4]
    mass, A, pivots = (
        np.empty((nv, nv)),
        np.empty((stages * nv, stages * nv)),
        np.empty(stages * nv, np.int64),
    )
    for i in range(nv):
        for j in range(nv):
            mass[i, j] = 0.5 * (first[i, j] + last[i, j])
            damping = (p_q[i, j] - p_0[i, j]) / d[j] - (f_v[i, j] - f_0[i, j]) / speed[j]
            stiffness = (f_q[i, j] - f_0[i, j]) / d[j]
            for a in range(stages):
                for b in range(stages):
                    k = MATRICES + COUPLINGS * (LANES * a + b)
                    slope = rows[k] * (last[i, j] - first[i, j]) + h * rows[k + 1] * damping  # (1)
                    slope -= h * h * rows[k + 2] * stiffness
                    A[a * nv + i, b * nv + j] = slope + (mass[i, j] if a == b else 0.0)
    lu.factor(A, pivots)
    return A, pivots, mass


@called
def newton(s: StageStep, factored: Factors) -> tuple[float, float, float]:
    """The correction of V by (1), in place of T^-1 r in `r`; return the energy of the change, and zeros."""
    A, pivots, mass = factored
    arr, nv, y, rows, stages = arrays(s), s.p.nv, s.y, s.rows, int(s.rows[LANES * STAGES])
    b = arr.right
    for a in range(stages):
        for j in range(nv):
            b[a * nv + j] = at_stage(arr.r, j, nv, a, y)
    lu.solve(A, pivots, segment(b, 0, stages * nv))
    for k in range(groups(y)):
        F = group(arr.F, k, nv)
        for j in range(nv):
            F[j] = stage_zero(y)
            for a in range(stages):
                F[j] = F[j] + weights(rows, EYE + a, k, y) * b[a * nv + j]
    change = 0.0
    for a in range(stages):
        energy = 0.0
        for i in range(nv):
            for j in range(nv):
                energy += as_float(b[a * nv + i]) * mass[i, j] * as_float(b[a * nv + j])
        change = max(change, energy)
    for k in range(groups(y)):
        W = group(arr.r, k, nv)
        for j in range(nv):
            W[j] = mixed(rows, T, arr.F, j, nv, k, y)
    return change, 0.0, 0.0
