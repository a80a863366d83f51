"""The start of symplectic Gauss methods: memory before the first step, and prediction of the stages."""

import numpy as np

from poinsot.core.jit import called
from poinsot.core.lie import mat3, quaternion, sym3, vec3
from poinsot.core.methods.sgauss import chart, swing
from poinsot.core.methods.sgauss.arrays import HISTORY, RATE, THIN, arrays, axes, group, remembered, spread
from poinsot.core.methods.sgauss.passes import SIZE
from poinsot.core.methods.sgauss.stages import (
    ANGLES,
    EXTRAPOLATION,
    MOST,
    B,
    at_stage,
    groups,
    mixed,
    stage_zero,
    summed,
    weights,
)
from poinsot.core.numbers.arrays import Numbers, zero_in
from poinsot.core.numbers.functions import magnitude, maximum, minimum
from poinsot.core.numbers.rows import get3, get4, put3, put4
from poinsot.core.tree.joints.table import FREE
from poinsot.core.tree.problem import Problem
from poinsot.core.tree.records import Tree, joint_at, unpack


@called
def light_axes(tree: Tree, frames: Numbers, twists: Numbers) -> float:
    """Axes of the bodies with what they carry as mass points; the last is that of the smallest inertia.

    `twists` are 1/inertia about it.  Return the smallest ratio of this inertia to those across it, of bodies
    on ball joints.
    """
    masses, inertia = np.zeros(tree.n + 1), np.zeros((tree.n + 1, 6))
    for i in range(tree.n, 0, -1):
        m, _, J = tree.mass[i]
        masses[i] += m
        for k in range(6):
            inertia[i, k] += J[k]
        if tree.parent[i] > 0:
            x, y, z = tree.placement[i].r
            masses[tree.parent[i]] += masses[i]
            point = (y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y)
            for k in range(6):
                inertia[tree.parent[i], k] += masses[i] * point[k]
    thin = 1.0
    for i in range(1, tree.n + 1):
        J = (inertia[i, 0], inertia[i, 1], inertia[i, 2], inertia[i, 3], inertia[i, 4], inertia[i, 5])
        e = sym3.lightest(J)
        light, total = vec3.dot(e, sym3.apply(J, e)), J[0] + J[3] + J[5]
        if chart.turns(joint_at(tree, i)) and total > 0.0:
            thin = min(thin, max(2.0 * light / (total - light), 0.0))
            twists[i - 1] = zero_in(frames) + (1.0 / light if light > 0.0 else 0.0)
        A = sym3.frame(e)
        for k in range(9):
            frames[9 * (i - 1) + k] = zero_in(frames) + A[k]
    return thin


@called
def remember(p: Problem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers) -> None:
    """Coordinates z and momenta p = M v at the start, and the axes of the twists."""
    arr, past, tree, o = arrays(p, workspace), remembered(p, memory), unpack(p.model), stage_zero(y)
    nq, nv, n, tables = p.nq, p.nv, p.nq + p.nv + 1, group(arr.tables, 0, SIZE * (p.model.ints[0] + 1))
    x, z, momentum, f = group(arr.x, 0, n), group(arr.z, 0, n), group(arr.p, 0, nv), group(arr.f, 0, nv)
    for i in range(memory.size):
        memory[i] = zero_in(y)
    memory[THIN] = zero_in(y) + light_axes(tree, past.axes, past.twists)
    memory[RATE] = zero_in(y) + 1.0
    for i in range(1, tree.n + 1):
        put4(past.places, 4 * (i - 1), quaternion.from_matrix(tree.placement[i].R))
    spread(p, past, arr, y)
    for i in range(n):
        x[i] = o + y[i]
    places = group(arr.places, 0, 4 * tree.n)
    p.passes.absolute(p.model, places, x, z, tables)
    time = o + minimum(maximum(t, p.first), p.last)
    p.passes.momenta(p.model, time, z, x, places, momentum, f, p.force, p.user, tables)
    for j in range(nq):
        past.z[j] = at_stage(arr.z, j, n, 0, y)
    for j in range(nv):
        past.p[j] = at_stage(arr.p, j, nv, 0, y)
    for i in range(1, tree.n + 1):
        if chart.turns(joint_at(tree, i)):
            put3(past.p, tree.v[i], mat3.apply_t(axes(past, i), get3(past.p, tree.v[i])))
        if tree.kind[i] == FREE:  # in the axes of the joint frame
            b = tree.v[i] + 3
            put3(past.p, b, quaternion.apply(get4(y, tree.q[i] + 3), get3(past.p, b)))
    for j in range(nv):
        past.ends[j] = at_stage(arr.z, nq + j, n, 0, y)


@called
def extrapolate(
    p: Problem, h: float, y: Numbers, memory: Numbers, workspace: Numbers, rows: Numbers, known: int
) -> None:
    """V0 of (8) from `known` velocities; the charts are those of V = v, which is smooth and suffices."""
    arr, past, tree, nq, nv = arrays(p, workspace), remembered(p, memory), unpack(p.model), p.nq, p.nv
    n, row = nq + nv + 1, EXTRAPOLATION + MOST * (known - 1)
    for k in range(groups(y)):
        v, V = group(arr.r, k, nv), group(arr.V, k, nv)
        for j in range(nv):
            v[j] = weights(rows, row, k, y) * past.ends[j]
            for m in range(1, known):
                v[j] = v[j] + weights(rows, row + m, k, y) * past.ends[m * nv + j]
            V[j] = v[j]
    size = tree.n + 1
    ends = swing.charts(arr.ends, size)
    for i in range(1, size):
        at, A = joint_at(tree, i), axes(past, i)
        if chart.turns(at):
            for k in range(groups(y)):
                V = group(arr.V, k, nv)
                put3(V, at.v, mat3.apply_t(A, get3(V, at.v)))
            for j in range(at.v, at.v + 3):
                arr.delta[j] = h * summed(rows, B, arr.V, j, nv, y)
            if at.kind == FREE:
                chart.unfold(at, i, 0.5, arr.delta, ends)
                chart.middle(at, A, ends[i], past.z, arr.delta, arr.centre)
            for k in range(groups(y)):
                theta = group(arr.theta, k, nv)
                for j in range(at.v, at.v + 3):
                    theta[j] = h * mixed(rows, ANGLES, arr.V, j, nv, k, y)
            for k in range(groups(y)):
                z, theta, V = group(arr.z, k, n), group(arr.theta, k, nv), group(arr.V, k, nv)
                C = swing.chart(get3(theta, at.v))
                if at.kind == FREE:
                    chart.place(at, A, C, arr.centre, theta, z)
                chart.lower(at, A, C, z, group(arr.r, k, nv), V)
    for j in range(arr.V.size):
        arr.V0[j] = arr.V[j]


@called
def predict(p: Problem, h: float, y: Numbers, memory: Numbers, workspace: Numbers, rows: Numbers) -> None:
    """V of (8)."""
    arr, past, steps = arrays(p, workspace), remembered(p, memory), int(magnitude(memory[HISTORY]))
    extrapolate(p, h, y, memory, workspace, rows, min(steps + 1, MOST))
    if steps > MOST + 2:
        for j in range(arr.V.size):
            arr.V[j] = arr.V[j] + (3.0 * (past.e1[j] - past.e2[j]) + past.e3[j])
