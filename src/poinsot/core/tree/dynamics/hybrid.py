"""Hybrid dynamics of a tree: some joints are driven, others follow forces (Featherstone 2008, section 9.2).

A driven joint has a given acceleration.  To the articulated-body algorithm (`aba`) it is rigid, with an
acceleration of its own that stands beside zeta and beta:

    outwards   (zeta, beta) += S v.                                                              (1)
    inwards    the whole inertia and bias of body i pass through its joint                        (2)
    outwards   v. as given;   tau = S^T (I (alpha, a) + p) + armature v. - forces at the joint      (3)

(3) is the force of the drive: what it exerts besides the other forces at its joint.  Nothing is divided by
the inertia at a driven joint, which may be zero.
"""

from poinsot.core.jit import fused, jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.lie.vec3 import ZERO, dot
from poinsot.core.numbers.arrays import Floats, Numbers, Records, alike, zero_in
from poinsot.core.tree.dynamics.aba import from_parent, linked
from poinsot.core.tree.inertia import accelerated, add, loaded, rigid, shift
from poinsot.core.tree.joints import table
from poinsot.core.tree.joints.joint import Acceleration, LinkMotion
from poinsot.core.tree.records import TreeRecord, armature_force, joint_at, own_of
from poinsot.core.tree.workspace import workspace_in


@jit
def driven_link(tree: TreeRecord, i: int, q: Numbers, a: Numbers, link: LinkMotion) -> LinkMotion:
    """Link of body i with the acceleration (1) of its joint."""
    zeta, beta = link.zeta, link.beta
    for j in range(tree.count[i]):
        w, u = table.column(joint_at(tree, i), q, j)
        zeta = alike(zeta, vec3.axpy(a[tree.v[i] + j], w, zeta))
        beta = alike(beta, vec3.axpy(a[tree.v[i] + j], u, beta))
    return LinkMotion(link.R, link.r, link.w, zeta, beta)


@fused
def hybrid(
    tree: TreeRecord,
    q: Numbers,
    v: Numbers,
    a: Numbers,
    tau: Numbers,
    forced: bool,
    wrench: Records,
    workspace: Floats,
) -> float:
    """Replace joint forces tau by accelerations, at driven joints those in a; return the power of the drives.
    If `forced`, `wrench` holds the applied wrenches."""
    o = zero_in(q)
    link, inertia, acceleration, joints, _, _, _ = workspace_in(workspace, tree.n, o)
    link[0] = LinkMotion(mat3.IDENTITY, ZERO, ZERO, ZERO, ZERO)
    acceleration[0] = Acceleration(ZERO, vec3.neg(tree.gravity))

    for i in range(1, tree.n + 1):
        motion = table.motion(joint_at(tree, i), q, v, own_of(joints, i))
        link[i] = linked(tree.placement[i], motion, link[tree.parent[i]].w)
        if tree.driven[i] == 1:
            link[i] = driven_link(tree, i, q, a, link[i])  # (1)
        inertia[i] = rigid(tree.mass[i], link[i].w)
        if forced:
            inertia[i] = loaded(inertia[i], wrench[i].torque, wrench[i].force)

    for i in range(tree.n, 0, -1):
        p = tree.parent[i]
        if tree.driven[i] == 1:
            if p > 0:
                whole = accelerated(inertia[i], link[i].zeta, link[i].beta)  # (2)
                inertia[p] = add(inertia[p], shift(link[i].R, link[i].r, whole))
        else:
            transmitted = table.transmit(joint_at(tree, i), inertia[i], link[i], tau, own_of(joints, i))
            if p > 0:
                inertia[p] = add(inertia[p], transmitted)

    power = o
    for i in range(1, tree.n + 1):
        x = from_parent(acceleration[tree.parent[i]], link[i])
        if tree.driven[i] == 1:
            needed = accelerated(inertia[i], x.alpha, x.a)
            for j in range(tree.count[i]):
                w, u = table.column(joint_at(tree, i), q, j)
                k = tree.v[i] + j
                rotor = armature_force(tree, i, j, v, a)
                power = power + (dot(w, needed.n) + dot(u, needed.f) + rotor - tau[k]) * v[k]  # (3)
                tau[k] = a[k]
            acceleration[i] = x
        else:
            acceleration[i] = table.accelerate(joint_at(tree, i), x, own_of(joints, i), tau)
    return power
