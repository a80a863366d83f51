"""The sweeps of the symplectic Gauss methods: residual (3) and correction (6) of the stages, see `sgauss`."""

from poinsot.core.jit import called, jit
from poinsot.core.methods.sgauss import chart
from poinsot.core.methods.sgauss.arrays import Arrays, arrays, axis, group, remembered
from poinsot.core.methods.sgauss.passes import MASS, SIZE
from poinsot.core.methods.sgauss.stages import (
    ANGLES,
    FORCES,
    IDLE,
    INVERSE,
    MOMENTA,
    NODE_ANGLES,
    USED,
    VALUES,
    WEIGHTS,
    B,
    C,
    T,
    groups,
    mixed,
    stage_zero,
    summed,
    weights,
)
from poinsot.core.numbers.arrays import Numbers
from poinsot.core.numbers.functions import magnitude, maximum, minimum, where
from poinsot.core.tree.problem import Problem
from poinsot.core.tree.records import joint_at, unpack


@jit
def factor(p: Problem, arr: Arrays, k: int, z: Numbers, zeros: Numbers) -> None:
    """Factors of the mass matrix of group k at the coordinates z."""
    m = p.model.ints[0] + 1
    p.passes.factor(p.model, z, zeros, group(arr.masses, k, MASS * m), group(arr.tables, k, SIZE * m))


@called
def masses(p: Problem, h: float, y: Numbers, memory: Numbers, workspace: Numbers, rows: Numbers) -> None:
    """Factors of M(q_l) of (6) for the motion V."""
    arr, past, tree, nq, nv = arrays(p, workspace), remembered(p, memory), unpack(p.model), p.nq, p.nv
    n = nq + nv + 1
    for j in range(nv):
        arr.delta[j] = h * summed(rows, B, arr.V, j, nv, y)
    for i in range(1, tree.n + 1):
        chart.middle(joint_at(tree, i), axis(past, i), past.z, arr.delta, arr.centre)
    for k in range(groups(y)):
        z, theta, zeros = group(arr.node, k, n), group(arr.node_theta, k, nv), group(arr.F, k, nv)
        for j in range(nv):
            theta[j] = h * mixed(rows, NODE_ANGLES, arr.V, j, nv, k, y)
            zeros[j] = stage_zero(y)
        for i in range(1, tree.n + 1):
            chart.place(joint_at(tree, i), axis(past, i), arr.centre, theta, group(arr.V, k, nv), z, nq)
        factor(p, arr, k, z, zeros)


@called
def sweep(
    p: Problem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers, rows: Numbers
) -> tuple[float, float, float]:
    """Momenta and forces at V, and the correction r of V: (energy of the change, of the motion, work)."""
    arr, past, tree, nq, nv = arrays(p, workspace), remembered(p, memory), unpack(p.model), p.nq, p.nv
    n, size = nq + nv + 1, tree.n + 1
    for j in range(nv):
        arr.delta[j] = h * summed(rows, B, arr.V, j, nv, y)  # (1)
    for i in range(1, tree.n + 1):
        chart.middle(joint_at(tree, i), axis(past, i), past.z, arr.delta, arr.centre)
    for k in range(groups(y)):
        z, theta, U = group(arr.z, k, n), group(arr.theta, k, nv), group(arr.U, k, nv)
        x, momentum, f = group(arr.x, k, n), group(arr.p, k, nv), group(arr.f, k, nv)
        for j in range(nv):
            theta[j] = h * mixed(rows, ANGLES, arr.V, j, nv, k, y)
            U[j] = mixed(rows, VALUES, arr.V, j, nv, k, y)
        for i in range(1, tree.n + 1):
            chart.place(joint_at(tree, i), axis(past, i), arr.centre, theta, U, z, nq)  # (2)
        time = stage_zero(y) + minimum(maximum(t + h * weights(rows, C, k, y), p.first), p.last)
        tables, places = group(arr.tables, k, SIZE * size), group(arr.places, k, 4 * tree.n)
        z[n - 1] = p.passes.momenta(p.model, time, z, x, places, momentum, f, p.force, p.user, tables)
        for i in range(1, tree.n + 1):
            chart.pull(joint_at(tree, i), axis(past, i), z, nq, theta, U, momentum, f, group(arr.F, k, nv))
    for j in range(nv):
        arr.J[j] = h * summed(rows, WEIGHTS, arr.f, j, nv, y)
    for i in range(1, tree.n + 1):
        chart.end(joint_at(tree, i), axis(past, i), arr.delta, past.p, arr.J, arr.p1, arr.pi, arr.pi1)  # (4)
    change, motion, o = stage_zero(y), stage_zero(y), stage_zero(y)
    for k in range(groups(y)):
        r, momentum, U = group(arr.r, k, nv), group(arr.p, k, nv), group(arr.U, k, nv)
        used, idle = weights(rows, USED, k, y) > 0.5, weights(rows, IDLE, k, y) > 0.5
        for j in range(nv):
            found = mixed(rows, MOMENTA, arr.p, j, nv, k, y)
            residual = (arr.pi[j] - found) + h * mixed(rows, FORCES, arr.F, j, nv, k, y)  # (3)
            r[j] = where(used, residual, where(idle, arr.pi1[j] - momentum[j], o))
            motion = motion + momentum[j] * U[j]
    for k in range(groups(y)):  # (6)
        z, theta = group(arr.node, k, n), group(arr.node_theta, k, nv)
        P, F, f = group(arr.p, k, nv), group(arr.F, k, nv), group(arr.f, k, nv)
        for j in range(nv):
            P[j] = mixed(rows, INVERSE, arr.r, j, nv, k, y)
        for i in range(1, tree.n + 1):
            chart.lift(joint_at(tree, i), axis(past, i), z, theta, P)
        for j in range(nv):
            f[j] = P[j]
        p.passes.solve(p.model, f, group(arr.masses, k, MASS * size))
        for j in range(nv):
            change = change + f[j] * P[j]
        for i in range(1, tree.n + 1):
            chart.lower(joint_at(tree, i), axis(past, i), z, theta, f, F)
    for k in range(groups(y)):
        W = group(arr.r, k, nv)
        for j in range(nv):
            W[j] = mixed(rows, T, arr.F, j, nv, k, y)
    return magnitude(change), magnitude(motion), h * summed(rows, WEIGHTS, arr.z, n - 1, n, y)


@called
def correct(p: Problem, h: float, y: Numbers, memory: Numbers, workspace: Numbers, rows: Numbers) -> None:
    """V <- V + r."""
    arr, past, tree, nv = arrays(p, workspace), remembered(p, memory), unpack(p.model), p.nv
    for j in range(nv):
        arr.pi[j] = h * summed(rows, B, arr.r, j, nv, y)
    for k in range(groups(y)):
        W, V = group(arr.r, k, nv), group(arr.V, k, nv)
        for i in range(1, tree.n + 1):
            chart.correct(joint_at(tree, i), axis(past, i), arr.pi, W, V)
