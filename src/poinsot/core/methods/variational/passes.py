"""The passes of one step through a tree: outwards for motion, inwards for momenta, O(n) each.

The pose of body i in its parent is (R, r) before the step and (R1, r1) after it; its displacement (Q, d)
takes the body frame before the step to the one after it, in the axes of the former:

    R1 = R D_R,   r1 = r + R D_r                                        D = (D_R, D_r) the joint's increment
    Q  = (R^T Q_p R) D_R,   d = (R^T Q_p R) D_r + R^T ((Q_p - 1) r + d_p)                         (1)

Joint forces g of wrenches (n, f) on the bodies, inwards (the momenta of armatures, a v or a D/h, are added):

    g_i = S^T (n, f),   n_p += R n + r x R f,   f_p += R f                                       (2)
"""

import math

import numpy as np

from poinsot.core.jit import fused, jit
from poinsot.core.lie import mat3, quaternion, vec3
from poinsot.core.lie.vec3 import Vec3, cross
from poinsot.core.methods.variational import pivots
from poinsot.core.methods.variational.block import add, rigid
from poinsot.core.methods.variational.increments import pose
from poinsot.core.methods.variational.kinetic import displaced, ends, slope, times
from poinsot.core.methods.variational.tables import (
    BEFORE,
    TWIST,
    Displacement,
    Pose,
    Site,
    Twist,
    own_of,
    poses,
    tree_and_tables,
)
from poinsot.core.numbers.arrays import Numbers, Records, zero_in
from poinsot.core.numbers.functions import some
from poinsot.core.numbers.rows import get3, put3
from poinsot.core.tree.dynamics.kinematics import WRENCH, BodyWrench, received
from poinsot.core.tree.joints.joint import ARMATURE, At
from poinsot.core.tree.joints.table import FREE, HELICAL, PRISMATIC, REVOLUTE, SPHERICAL
from poinsot.core.tree.records import TreeRecord, joint_at

MIN_COSINE = 0.05  # of half the largest rotation of a body in a step, 174 degrees
FULL_TURN = 2.0 * np.pi  # a hinge between two such bodies rotates less than this


@fused
def place(site: Site, q: Numbers, side: int) -> None:
    """Compute the poses in the parents at the coordinates q."""
    tree, bodies = tree_and_tables(site)
    target = poses(bodies, side)
    for i in range(1, tree.n + 1):
        Q, p = pose(joint_at(tree, i), q)
        frame = tree.placement[i]
        target[i] = Pose(mat3.mul(frame.R, quaternion.matrix(Q)), vec3.add(frame.r, mat3.apply(frame.R, p)))


@fused
def displace(site: Site, inc: Numbers) -> bool:
    """Compute the displacements (1); return False if a rotation is too large.

    A body must rotate by less than half a turn, where the logarithm ends, and a hinge by less than a full
    turn: a full turn more changes only its angle, or the sign of Q, and no motion does that in a step.
    """
    tree, bodies = tree_and_tables(site)
    before, after, displacement = bodies.before, bodies.after, bodies.displacement
    o = zero_in(inc)
    displacement[0] = Displacement((o + 1.0, o, o, o), (o, o, o))
    valid = True
    for i in range(1, tree.n + 1):
        D, translation = pose(joint_at(tree, i), inc)
        R, r = before[i]
        Qp, dp = displacement[tree.parent[i]]
        u = mat3.apply_t(R, (Qp[1], Qp[2], Qp[3]))
        C = (Qp[0], u[0], u[1], u[2])
        Q = quaternion.compose(C, D)
        if tree.kind[i] == SPHERICAL or tree.kind[i] == FREE:  # D and -D are the same
            Q = quaternion.where(Q[0] < 0.0, (-Q[0], -Q[1], -Q[2], -Q[3]), Q)
        carried = mat3.apply_t(R, vec3.add(displaced(Qp, r), dp))
        displacement[i] = Displacement(Q, vec3.add(quaternion.apply(C, translation), carried))
        after[i] = Pose(mat3.mul(R, quaternion.matrix(D)), vec3.add(r, mat3.apply(R, translation)))
        hinged = tree.kind[i] == REVOLUTE or tree.kind[i] == HELICAL
        valid = valid and not some(Q[0] <= MIN_COSINE)  # NaN is seen in the residual
        valid = valid and not (hinged and some(abs(inc[tree.q[i]]) >= FULL_TURN))
    return valid


@fused
def momenta(site: Site, product: bool) -> None:
    """Compute the momenta times h of all bodies at both ends of the step."""
    tree, bodies = tree_and_tables(site)
    for i in range(1, tree.n + 1):
        bodies.ends[i] = ends(product, tree.mass[i], bodies.displacement[i].Q, bodies.displacement[i].d)


@jit
def component(at: At, n: Vec3, f: Vec3, g: Numbers) -> None:
    """g <- g + S^T (n, f)."""
    b = at.v
    if at.kind == SPHERICAL:
        put3(g, b, vec3.add(get3(g, b), n))
    elif at.kind == FREE:
        put3(g, b, vec3.add(get3(g, b), n))
        put3(g, b + 3, vec3.add(get3(g, b + 3), f))
    elif at.kind == REVOLUTE:
        g[b] = g[b] + n[2]
    elif at.kind == PRISMATIC:
        g[b] = g[b] + f[2]
    elif at.kind == HELICAL:
        g[b] = g[b] + (n[2] + at.parameters[0] * f[2])


@jit
def set_zero(g: Numbers, n: int) -> None:
    """g <- 0, n numbers."""
    o = zero_in(g)
    for j in range(n):
        g[j] = o


@fused
def gather(tree: TreeRecord, pose: Records, wrench: Records, g: Numbers) -> None:
    """Add the joint forces (2) of all wrenches to g; the wrenches are overwritten."""
    for i in range(tree.n, 0, -1):
        component(joint_at(tree, i), wrench[i].torque, wrench[i].force, g)
        p = tree.parent[i]
        wrench[p] = received(pose[i].R, pose[i].r, wrench[p], wrench[i])


@jit
def add_armature(tree: TreeRecord, x: Numbers, increments: bool, p: Numbers) -> None:
    """p <- p + a x, the momenta of armatures, for velocities x or increments of joints."""
    for i in range(1, tree.n + 1):
        if tree.parameters[i][ARMATURE] != 0.0:
            k = tree.v[i]
            p[k] = p[k] + tree.parameters[i][ARMATURE] * x[tree.q[i] if increments else k]


@fused
def generalised(site: Site, side: int, g: Numbers) -> None:
    """Compute g = generalised momenta times h before or after the step."""
    tree, bodies = tree_and_tables(site)
    bodies.wrench[0] = WRENCH
    for i in range(1, tree.n + 1):
        x = bodies.ends[i]
        bodies.wrench[i] = BodyWrench(x.n0, x.f0) if side == BEFORE else BodyWrench(x.n1, x.f1)
    set_zero(g, tree.nv)
    gather(tree, poses(bodies, side), bodies.wrench, g)


@jit
def carry(pose: Pose, x: Twist) -> Twist:
    """Twist (or variation) of the parent at the origin and in the axes of the body."""
    return Twist(mat3.apply_t(pose.R, x.w), mat3.apply_t(pose.R, vec3.add(x.v, cross(x.w, pose.r))))


@jit
def with_joint_velocity(at: At, x: Twist, v: Numbers) -> Twist:
    """x + S v."""
    b = at.v
    if at.kind == SPHERICAL:
        return Twist(vec3.add(x.w, get3(v, b)), x.v)
    elif at.kind == FREE:
        return Twist(vec3.add(x.w, get3(v, b)), vec3.add(x.v, get3(v, b + 3)))
    elif at.kind == REVOLUTE:
        return Twist((x.w[0], x.w[1], x.w[2] + v[b]), x.v)
    elif at.kind == PRISMATIC:
        return Twist(x.w, (x.v[0], x.v[1], x.v[2] + v[b]))
    elif at.kind == HELICAL:
        slide = at.parameters[0] * v[b]
        return Twist((x.w[0], x.w[1], x.w[2] + v[b]), (x.v[0], x.v[1], x.v[2] + slide))
    else:
        return Twist((x.w[0] + math.nan, x.w[1], x.w[2]), x.v)


@fused
def legendre(site: Site, v: Numbers, p: Numbers) -> None:
    """Compute p = M v at the poses before the step, the start of the discrete motion."""
    tree, bodies = tree_and_tables(site)
    before = bodies.before
    bodies.twist[0] = TWIST
    bodies.wrench[0] = WRENCH
    for i in range(1, tree.n + 1):
        x = with_joint_velocity(joint_at(tree, i), carry(before[i], bodies.twist[tree.parent[i]]), v)
        bodies.twist[i] = x
        n, f = times(tree.mass[i], (x.w, x.v))
        bodies.wrench[i] = BodyWrench(n, f)
    set_zero(p, tree.nv)
    gather(tree, before, bodies.wrench, p)
    add_armature(tree, v, False, p)


@fused
def slopes(site: Site, product: bool) -> None:
    """Compute the slopes of the discrete kinetic energy of all bodies."""
    tree, bodies = tree_and_tables(site)
    for i in range(1, tree.n + 1):
        bodies.block[i] = slope(product, tree.mass[i], bodies.displacement[i].Q, bodies.displacement[i].d)


@fused
def inertias(site: Site) -> None:
    """Use the inertias of the bodies instead of slopes, for the mass matrix."""
    tree, bodies = tree_and_tables(site)
    for i in range(1, tree.n + 1):
        bodies.block[i] = rigid(tree.mass[i])


@fused
def factor(site: Site, left: int, right: int, stiffness: Numbers) -> None:
    """Eliminate all joints, inwards; wrenches are at the poses `left`, variations at `right`."""
    tree, bodies = tree_and_tables(site)
    before, after = poses(bodies, left), poses(bodies, right)
    for i in range(tree.n, 0, -1):
        R, r = before[i]
        R1, r1 = after[i]
        k = stiffness[tree.v[i]] + tree.parameters[i][ARMATURE]
        transmitted = pivots.eliminate(joint_at(tree, i), bodies.block[i], k, own_of(bodies, i), R, r, R1, r1)
        p = tree.parent[i]
        if p > 0:
            bodies.block[p] = add(bodies.block[p], transmitted)


@fused
def solve(site: Site, left: int, right: int, g: Numbers) -> None:
    """g <- J^-1 g with the factors; compute the variations of the bodies as twists."""
    tree, bodies = tree_and_tables(site)
    before, after = poses(bodies, left), poses(bodies, right)
    bodies.twist[0] = TWIST
    for i in range(tree.n + 1):
        bodies.wrench[i] = WRENCH
    for i in range(tree.n, 0, -1):
        x = pivots.backward(joint_at(tree, i), g, bodies.wrench[i], own_of(bodies, i))
        p = tree.parent[i]
        bodies.wrench[p] = received(before[i].R, before[i].r, bodies.wrench[p], x)
    for i in range(1, tree.n + 1):
        carried = carry(after[i], bodies.twist[tree.parent[i]])
        w, v = pivots.forward(joint_at(tree, i), g, carried.w, carried.v, own_of(bodies, i))
        bodies.twist[i] = Twist(w, v)
