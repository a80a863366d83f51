"""The sweeps of the symplectic Gauss methods: residual (3) and correction (6) of the stages, see `sgauss`."""

from poinsot.core.jit import called, jit
from poinsot.core.methods.sgauss import chart, swing
from poinsot.core.methods.sgauss.arrays import THIN, StageStep, arrays, axes, group, remembered
from poinsot.core.methods.sgauss.passes import MASS, SIZE
from poinsot.core.methods.sgauss.stages import (
    ANGLES,
    ENDS,
    LANES,
    MEAN,
    NODE_ANGLES,
    STAGES,
    T_INVERSE,
    USED,
    B,
    C,
    T,
    at_stage,
    groups,
    mixed,
    odd,
    over_stages,
    stage_zero,
    summed,
    weights,
)
from poinsot.core.numbers.arrays import Numbers, segment, zero_in
from poinsot.core.numbers.functions import magnitude, maximum, minimum, where
from poinsot.core.tree.records import TreeRecord, joint_at, unpack

SLENDER = 0.01  # light and heavy inertias of a body, below which its twists wait for the rest


@jit
def factor(s: StageStep, k: int, z: Numbers, zeros: Numbers) -> None:
    """Factors of the mass matrix of group k at the coordinates z."""
    p, arr, m = s.p, arrays(s), s.p.model.ints[0] + 1
    p.passes.factor(p.model, z, zeros, group(arr.masses, k, MASS * m), group(arr.tables, k, SIZE * m))


@jit
def opened(tree: TreeRecord, theta: Numbers, charts: Numbers) -> None:
    """Charts of the joints at Theta."""
    stage = swing.charts(charts, tree.n + 1)
    for i in range(1, tree.n + 1):
        chart.unfold(joint_at(tree, i), i, 1.0, theta, stage)


@called
def unfold(s: StageStep, angles: int, charts: Numbers, ends: bool) -> None:
    """Delta, Theta and charts at the nodes of the rows `angles`, and the middle of the step, for V."""
    arr, tree, nv, h, y, rows = arrays(s), unpack(s.p.model), s.p.nv, s.h, s.y, s.rows
    size = tree.n + 1
    for j in range(nv):
        arr.delta[j] = h * summed(rows, B, arr.V, j, nv, y)  # (1)
    for k in range(groups(y)):
        theta = group(arr.theta, k, nv)
        for j in range(nv):
            theta[j] = h * mixed(rows, angles, arr.V, j, nv, k, y)
        opened(tree, theta, group(charts, k, swing.SIZE * size))
    if ends:  # a lane has Theta = Delta/2
        for i in range(swing.SIZE * size):
            arr.ends[i] = at_stage(charts, i, swing.SIZE * size, LANES - 1, y)
    centre(s, ends)


@called
def centre(s: StageStep, ends: bool) -> None:
    """The middle of the step for Delta, and the charts at its end unless they are known (`ends`)."""
    arr, past, tree = arrays(s), remembered(s), unpack(s.p.model)
    charts = swing.charts(arr.ends, tree.n + 1)
    for i in range(1, tree.n + 1):
        if not ends:
            chart.unfold(joint_at(tree, i), i, 0.5, arr.delta, charts)
        chart.middle(joint_at(tree, i), axes(past, i), charts[i], past.z, arr.delta, arr.centre)


@called
def evaluate(s: StageStep, time: float, k: int, V: Numbers) -> None:
    """p^ = D^T p, X f and F of group k at (Theta, V), with the charts at Theta: (2)."""
    p, arr, past, tree, nq, nv = s.p, arrays(s), remembered(s), unpack(s.p.model), s.p.nq, s.p.nv
    n, size = nq + nv + 1, tree.n + 1
    z, theta, F = group(arr.z, k, n), group(arr.theta, k, nv), group(arr.F, k, nv)
    x, momentum, f, v = group(arr.x, k, n), group(arr.p, k, nv), group(arr.f, k, nv), segment(z, nq, nv)
    charts = swing.charts(group(arr.charts, k, swing.SIZE * size), size)
    for i in range(1, size):
        at, A = joint_at(tree, i), axes(past, i)
        chart.place(at, A, charts[i], arr.centre, theta, z)
        chart.move(at, A, charts[i], z, V, v)
    tables, places = group(arr.tables, k, SIZE * size), group(arr.places, k, 4 * tree.n)
    clipped = minimum(maximum(time, p.first), p.last)
    z[n - 1] = p.passes.momenta(p.model, clipped, z, x, places, momentum, f, p.force, p.user, tables)
    for i in range(1, size):
        chart.pull(joint_at(tree, i), axes(past, i), charts[i], z, nq, V, momentum, f, F)


@called
def residual(s: StageStep, ends: bool) -> tuple[float, float]:
    """T^-1 r of (3) in `r`, in idle lanes that of the velocity at the end: (energy of the motion, work)."""
    arr, past, tree, nq, nv = arrays(s), remembered(s), unpack(s.p.model), s.p.nq, s.p.nv
    h, y, rows = s.h, s.y, s.rows
    charts = swing.charts(arr.ends, tree.n + 1)
    unfold(s, ANGLES, arr.charts, ends)
    for k in range(groups(y)):
        time, V = stage_zero(y) + s.t + h * weights(rows, C, k, y), group(arr.V, k, nv)
        evaluate(s, time, k, V)
    for j in range(nv):
        arr.J[j] = h * summed(rows, B, arr.f, j, nv, y)
    for i in range(1, tree.n + 1):
        chart.ends(joint_at(tree, i), charts[i], past.p, past.p_carry, arr.J, arr.pi, arr.pi1)  # (4)
    motion, o, n = zero_in(y), stage_zero(y), nq + nv + 1
    for k in range(groups(y)):
        r, momentum, V, part = group(arr.f, k, nv), group(arr.p, k, nv), group(arr.V, k, nv), o
        for j in range(nv):
            r[j] = (arr.pi[j] - momentum[j]) + h * odd(rows, arr.F, j, nv, k, y)
            part = part + momentum[j] * V[j]
        motion = motion + over_stages(part, y)
    for k in range(groups(y)):
        P, momentum, used = group(arr.r, k, nv), group(arr.p, k, nv), weights(rows, USED, k, y) > 0.5
        for j in range(nv):
            stage = mixed(rows, T_INVERSE, arr.f, j, nv, k, y)
            P[j] = where(used, stage, arr.pi1[j] - momentum[j] if ends else o)
    return magnitude(motion), h * summed(rows, B, arr.z, n - 1, n, y)


@jit
def no_masses() -> float:
    """`masses` before the first sweep."""
    return 0.0


@called
def masses(s: StageStep) -> float:
    """Factors of M(q_l) of (6) for the motion V."""
    arr, past, tree, nq, nv, y = arrays(s), remembered(s), unpack(s.p.model), s.p.nq, s.p.nv, s.y
    n, size, ends = nq + nv + 1, tree.n + 1, int(s.rows[LANES * STAGES]) < LANES
    unfold(s, NODE_ANGLES, arr.node_charts, ends)
    for k in range(groups(y)):
        z, theta, zeros = group(arr.node, k, n), group(arr.theta, k, nv), group(arr.F, k, nv)
        charts = swing.charts(group(arr.node_charts, k, swing.SIZE * size), size)
        for j in range(nv):
            zeros[j] = stage_zero(y)
        for i in range(1, size):
            chart.place(joint_at(tree, i), axes(past, i), charts[i], arr.centre, theta, z)
        factor(s, k, z, zeros)
    return 0.0


@jit
def around(x: Numbers, rows: Numbers, row: int, X: Numbers, j: int, n: int, y: Numbers) -> float:
    """Third component of the product of x and the sum of X over the stages."""
    return x[j] * summed(rows, row, X, j + 1, n, y) - x[j + 1] * summed(rows, row, X, j, n, y)


@jit
def kick(s: StageStep) -> None:
    """Add (7) to the residual of the twists; keep it in `pi`."""
    arr, tree, nv, y, rows = arrays(s), unpack(s.p.model), s.p.nv, s.y, s.rows
    for i in range(1, tree.n + 1):
        at = joint_at(tree, i)
        if chart.turns(at):
            arr.pi[at.v] = around(arr.delta, rows, MEAN, arr.r, at.v, nv, y)
            for k in range(groups(y)):
                P = group(arr.r, k, nv)
                P[at.v + 2] = P[at.v + 2] + weights(rows, ENDS, k, y) * arr.pi[at.v]


@jit
def missed(s: StageStep) -> float:
    """Energy of what the correction would change in J along the light axes: (7) without the turn of p1."""
    arr, past, tree, energy = arrays(s), remembered(s), unpack(s.p.model), 0.0
    for i in range(1, tree.n + 1):
        at = joint_at(tree, i)
        if chart.turns(at):
            turn = s.h * around(arr.pi1, s.rows, B, arr.r, at.v, s.p.nv, s.y)
            left = magnitude(arr.pi[at.v] - turn)
            energy += left * left * magnitude(past.twists[i - 1])
    return energy


@called
def sweep(s: StageStep, factored: float) -> tuple[float, float, float]:
    """The correction (6) of V in place of T^-1 r in `r`; return energies: its own, its twists', `missed`."""
    p, arr, past, tree, nq, nv, y = s.p, arrays(s), remembered(s), unpack(s.p.model), s.p.nq, s.p.nv, s.y
    n, size, change, twists = nq + nv + 1, tree.n + 1, zero_in(y), zero_in(y)
    kick(s)
    for k in range(groups(y)):
        z, P, F, f = group(arr.node, k, n), group(arr.r, k, nv), group(arr.F, k, nv), group(arr.f, k, nv)
        charts = swing.charts(group(arr.node_charts, k, swing.SIZE * size), size)
        for i in range(1, size):
            chart.lift(joint_at(tree, i), axes(past, i), charts[i], z, P)
        for j in range(nv):
            f[j] = P[j]
        p.passes.solve(p.model, f, group(arr.masses, k, MASS * size))
        part = stage_zero(y)
        for j in range(nv):
            part = part + f[j] * P[j]
        change = change + over_stages(part, y)
        if s.memory[THIN] < SLENDER:
            part = stage_zero(y)
            for i in range(1, size):
                if chart.turns(joint_at(tree, i)):
                    part = part + chart.twisting(joint_at(tree, i), axes(past, i), P, f)
            twists = twists + over_stages(part, y)
        for i in range(1, size):
            chart.lower(joint_at(tree, i), axes(past, i), charts[i], z, f, F)
    for k in range(groups(y)):
        W = group(arr.r, k, nv)
        for j in range(nv):
            W[j] = mixed(s.rows, T, arr.F, j, nv, k, y)
    return magnitude(change), magnitude(twists), missed(s)


@called
def hold(s: StageStep) -> None:
    """The correction in `r` without the twists."""
    arr, tree = arrays(s), unpack(s.p.model)
    for k in range(groups(s.y)):
        for i in range(1, tree.n + 1):
            chart.swing_only(joint_at(tree, i), group(arr.r, k, s.p.nv))


@called
def correct(s: StageStep) -> None:
    """V <- V + r."""
    arr, tree, nv = arrays(s), unpack(s.p.model), s.p.nv
    for j in range(nv):
        arr.pi[j] = s.h * summed(s.rows, B, arr.r, j, nv, s.y)
    for k in range(groups(s.y)):
        W, V = group(arr.r, k, nv), group(arr.V, k, nv)
        for i in range(1, tree.n + 1):
            chart.correct(joint_at(tree, i), arr.pi, W, V)
