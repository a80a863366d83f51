"""The Jacobian of the loop constraints: dphi/dt = Phi v, and entries for Python, for each number type.

    Phi_j = sum over the joints k from a link of constraint j to the world: S_k^T (its wrench in frame k)  (1)

Dual numbers give derivatives: if the tangents of q are dq/dt, those of Phi are dPhi/dt.
"""

from numba import int64, void

from poinsot.core.jit import Compiled, fused, jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.lie.vec3 import ZERO, cross, dot
from poinsot.core.numbers.arrays import Floats, Numbers, Records, alike, records, segment, typed, zero_in
from poinsot.core.tree.dynamics.aba import from_parent, linked
from poinsot.core.tree.dynamics.entries import X, family
from poinsot.core.tree.dynamics.kinematics import FRAME, WRENCH, BodyWrench, Frame, follow, frames
from poinsot.core.tree.joints import table as joints
from poinsot.core.tree.joints.joint import Acceleration
from poinsot.core.tree.loops import table
from poinsot.core.tree.loops.gear import add_gear, gear_rate, gear_residual
from poinsot.core.tree.records import MODEL, ModelPart, TreeRecord, joint_at, loops_in, own_of, unpack
from poinsot.core.tree.workspace import frames_in, joints_in, workspace_in


@jit
def below(P: Frame, F: Frame, x: BodyWrench) -> BodyWrench:
    """Wrench x on the link F, about the origin and in the axes of the link P."""
    force = mat3.apply_t(P.R, mat3.apply(F.R, x.force))
    arm = mat3.apply_t(P.R, vec3.sub(F.r, P.r))
    torque = vec3.add(mat3.apply_t(P.R, mat3.apply(F.R, x.torque)), cross(arm, force))
    return BodyWrench(torque, force)


@jit
def gather(
    tree: TreeRecord, q: Numbers, link: int, x: BodyWrench, frame: Records, row: Numbers, start: int
) -> None:
    """Add the joint forces of the wrench x on a link to row[start:]."""
    k = link
    while k > 0:
        for j in range(tree.count[k]):
            w, u = joints.column(joint_at(tree, k), q, j)
            at = start + tree.v[k] + j
            row[at] = row[at] + (dot(w, x.torque) + dot(u, x.force))  # (1)
        p = tree.parent[k]
        x = alike(x, below(frame[p], frame[k], x))
        k = p


@fused
def jacobian(
    tree: TreeRecord, loops: ModelPart, q: Numbers, v: Numbers, phi: Numbers, Phi: Numbers, workspace: Floats
) -> None:
    """Residuals phi (m numbers) and their Jacobian Phi (m * nv numbers, by rows) at the coordinates q."""
    o, m = zero_in(q), loops.ints[0]
    frame = frames_in(workspace, tree.n, o)
    frames(tree, q, v, frame, joints_in(workspace, tree.n, o))
    for i in range(m * tree.nv):
        Phi[i] = o
    for j in range(m):
        if table.is_gear(loops, j):
            phi[j] = o + gear_residual(tree, loops, j, q)
            add_gear(tree, loops, j, o + 1.0, Phi, j * tree.nv)
            continue
        phi[j] = o + table.residual(loops, j, frame)
        torque_a, force_a, torque_b, force_b = table.wrenches(loops, j, frame)
        a, b = table.links(loops, j)
        like = typed(WRENCH, o)
        gather(tree, q, a, alike(like, BodyWrench(torque_a, force_a)), frame, Phi, j * tree.nv)
        gather(tree, q, b, alike(like, BodyWrench(torque_b, force_b)), frame, Phi, j * tree.nv)


def _constraints(zero: Compiled) -> Compiled:
    def run(model, q, v, phi, Phi):  # type: ignore[no-untyped-def]
        tree, loops, o = unpack(model), loops_in(model), zero()
        m = loops.ints[0]
        Q, V = records(q, 0, tree.nq, o), records(v, 0, tree.nv, o)
        residuals, columns = records(phi, 0, m, o), records(Phi, 0, m * tree.nv, o)
        jacobian(tree, loops, Q, V, residuals, columns, model.workspace)

    return run


def _residuals(zero: Compiled) -> Compiled:
    def run(model, count, q, v, phi):  # type: ignore[no-untyped-def]
        tree, loops, o = unpack(model), loops_in(model), zero()
        m, V = loops.ints[0], records(v, 0, tree.nv, o)
        Q, out = records(q, 0, count * tree.nq, o), records(phi, 0, count * m, o)
        frame, own = frames_in(model.workspace, tree.n, o), joints_in(model.workspace, tree.n, o)
        for i in range(count):
            frames(tree, segment(Q, i * tree.nq, tree.nq), V, frame, own)
            for j in range(m):
                if table.is_gear(loops, j):
                    out[i * m + j] = o + gear_residual(tree, loops, j, segment(Q, i * tree.nq, tree.nq))
                else:
                    out[i * m + j] = o + table.residual(loops, j, frame)

    return run


@fused
def second_derivatives(
    tree: TreeRecord, loops: ModelPart, q: Numbers, v: Numbers, a: Numbers, out: Numbers, workspace: Floats
) -> None:
    """Second derivatives of the residuals by the time (m numbers), at the joint accelerations a."""
    o = zero_in(q)
    w = workspace_in(workspace, tree.n, o)
    w.frame[0], w.acceleration[0] = FRAME, Acceleration(ZERO, ZERO)
    for i in range(1, tree.n + 1):
        at, p = joint_at(tree, i), tree.parent[i]
        motion = joints.motion(at, q, v, own_of(w.joints, i))
        w.frame[i] = follow(w.frame[p], tree.placement[i], motion)
        x = from_parent(w.acceleration[p], linked(tree.placement[i], motion, w.frame[p].w))
        alpha, linear = x.alpha, x.a
        for j in range(tree.count[i]):
            turn, push = joints.column(at, q, j)
            alpha = vec3.axpy(a[tree.v[i] + j], turn, alpha)
            linear = vec3.axpy(a[tree.v[i] + j], push, linear)
        w.acceleration[i] = Acceleration(alpha, linear)
    for j in range(loops.ints[0]):
        if table.is_gear(loops, j):
            out[j] = o + gear_rate(tree, loops, j, a)
        else:
            out[j] = o + table.second(loops, j, w.frame, w.acceleration)


def _seconds(zero: Compiled) -> Compiled:
    def run(model, q, v, a, out):  # type: ignore[no-untyped-def]
        tree, loops, o = unpack(model), loops_in(model), zero()
        Q, V, A = records(q, 0, tree.nq, o), records(v, 0, tree.nv, o), records(a, 0, tree.nv, o)
        second_derivatives(tree, loops, Q, V, A, records(out, 0, loops.ints[0], o), model.workspace)

    return run


def _wrenches(zero: Compiled) -> Compiled:
    def run(model, q, v, out):  # type: ignore[no-untyped-def]
        tree, loops, o = unpack(model), loops_in(model), zero()
        Q, V = records(q, 0, tree.nq, o), records(v, 0, tree.nv, o)
        frame, X = frames_in(model.workspace, tree.n, o), records(out, 0, 12 * loops.ints[0], o)
        frames(tree, Q, V, frame, joints_in(model.workspace, tree.n, o))
        for j in range(loops.ints[0]):
            pair = table.wrenches(loops, j, frame)
            for i in range(4):
                for k in range(3):
                    X[12 * j + 3 * i + k] = o + pair[i][k]

    return run


# q, v, phi (out), Phi (out)
constraints = family("constraints", void(MODEL, X, X, X, X), _constraints)
# number of states, their q, one v, phi of each (out)
residuals = family("residuals", void(MODEL, int64, X, X, X), _residuals)
# q, v, dv/dt, second derivatives of phi by the time (out)
seconds = family("loop_seconds", void(MODEL, X, X, X, X), _seconds)
# q, v, wrenches of each constraint on its two links (12 numbers each, out)
wrenches = family("loop_wrenches", void(MODEL, X, X, X), _wrenches)
