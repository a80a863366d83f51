"""Inverse dynamics of a tree: the recursive Newton-Euler algorithm (Featherstone 2008, section 5.3).

    outwards   acceleration of each body from that of its parent and v. of its joint             (1)
               wrench on each body: I (alpha, a) + bias - applied wrench                         (2)
    inwards    tau = S^T wrench + armature v., and the wrench is added to that of the parent     (3)

The wrench of (3) is the one that the parent exerts on the child through the joint, about the origin of the
child's frame and in its axes.
"""

from poinsot.core.jit import fused
from poinsot.core.lie import mat3, vec3
from poinsot.core.lie.vec3 import ZERO, dot
from poinsot.core.numbers.arrays import Floats, Numbers, Records, zero_in
from poinsot.core.tree.dynamics.aba import from_parent, linked
from poinsot.core.tree.dynamics.kinematics import BodyWrench, received
from poinsot.core.tree.inertia import accelerated, rigid
from poinsot.core.tree.joints import table
from poinsot.core.tree.joints.joint import ARMATURE, Acceleration, LinkMotion
from poinsot.core.tree.records import TreeRecord, armature_force, joint_at, own_of
from poinsot.core.tree.workspace import workspace_in


@fused
def rnea(
    tree: TreeRecord,
    q: Numbers,
    v: Numbers,
    a: Numbers,
    forced: bool,
    wrench: Records,
    tau: Numbers,
    joint: Records,
    workspace: Floats,
) -> None:
    """Joint forces tau and wrenches `joint` (n + 1) through the joints for the accelerations a.
    If `forced`, `wrench` holds the applied wrenches."""
    link, _, acceleration, joints, _, _, _ = workspace_in(workspace, tree.n, zero_in(q))
    link[0] = LinkMotion(mat3.IDENTITY, ZERO, ZERO, ZERO, ZERO)
    acceleration[0] = Acceleration(ZERO, vec3.neg(tree.gravity))

    for i in range(1, tree.n + 1):
        motion = table.motion(joint_at(tree, i), q, v, own_of(joints, i))
        link[i] = linked(tree.placement[i], motion, link[tree.parent[i]].w)
        x = from_parent(acceleration[tree.parent[i]], link[i])
        alpha, linear = x.alpha, x.a
        for j in range(tree.count[i]):
            w, u = table.column(joint_at(tree, i), q, j)
            alpha = vec3.axpy(a[tree.v[i] + j], w, alpha)  # (1)
            linear = vec3.axpy(a[tree.v[i] + j], u, linear)
        acceleration[i] = Acceleration(alpha, linear)
        needed = accelerated(rigid(tree.mass[i], link[i].w), alpha, linear)
        joint[i] = BodyWrench(needed.n, needed.f)  # (2)
        if forced:
            joint[i] = BodyWrench(vec3.sub(needed.n, wrench[i].torque), vec3.sub(needed.f, wrench[i].force))

    for i in range(tree.n, 0, -1):
        for j in range(tree.count[i]):
            w, u = table.column(joint_at(tree, i), q, j)
            tau[tree.v[i] + j] = dot(w, joint[i].torque) + dot(u, joint[i].force)  # (3)
        if tree.parameters[i][ARMATURE] != 0.0:
            for j in range(tree.count[i]):
                tau[tree.v[i] + j] = tau[tree.v[i] + j] + armature_force(tree, i, j, v, a)
        p = tree.parent[i]
        if p > 0:
            joint[p] = received(link[i].R, link[i].r, joint[p], joint[i])
