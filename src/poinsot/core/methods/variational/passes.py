"""The passes of one step through a tree: outwards for motion, inwards for momenta, O(n) each.

Pose of body i in its parent (R, r) before the step and (R1, r1) after it; its displacement (Q, d) carries the
body frame before the step to the one after it, seen in the former:

    R1 = R D_R,   r1 = r + R D_r                                        D = (D_R, D_r) the joint's increment
    Q  = (R^T Q_p R) D_R,   d = (R^T Q_p R) D_r + R^T ((Q_p - 1) r + d_p)                         (1)

Wrenches (n, f) on the bodies, felt at the joints, inwards:

    g_i = S^T (n, f),   n_p += R n + r x R f,   f_p += R f                                       (2)
"""

import math
from typing import Any, NamedTuple

import numpy as np

from poinsot.core.jit import fused, jit
from poinsot.core.lie import mat3, quaternion, vec3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.quaternion import Quaternion
from poinsot.core.lie.vec3 import ZERO, Vec3, cross
from poinsot.core.methods.variational import pivots
from poinsot.core.methods.variational.block import BLOCK, add, rigid
from poinsot.core.methods.variational.increments import pose
from poinsot.core.methods.variational.kinetic import ENDS, displaced, ends, slope, times
from poinsot.core.methods.variational.pivots import OWN
from poinsot.core.numbers.arrays import doubles_in, flat, records, stretch, typed, zero_in
from poinsot.core.numbers.rows import get3, put3
from poinsot.core.tree.dynamics.kinematics import WRENCH, Wrench, received
from poinsot.core.tree.joints.joint import At
from poinsot.core.tree.joints.table import FREE, HELICAL, PRISMATIC, REVOLUTE, SPHERICAL
from poinsot.core.tree.records import Model, Tree, joint_at, unpack


class Pose(NamedTuple):
    """A body in its parent."""

    R: Mat3
    r: Vec3


class Moved(NamedTuple):
    """How far a body is displaced in the step."""

    Q: Quaternion
    d: Vec3


class Twist(NamedTuple):
    w: Vec3
    v: Vec3


class Site(NamedTuple):
    """A model and the workspace of the passes."""

    model: Model
    workspace: Any


class Tables(NamedTuple):
    """One row a body, the world included."""

    before: Any  # Pose
    after: Any  # Pose
    moved: Any  # Moved
    ends: Any  # Ends
    block: Any  # Block
    wrench: Any  # Wrench
    twist: Any  # Twist
    own: Any  # what joints keep between the passes: OWN numbers each


BEFORE, AFTER = 0, 1  # the sides of a step
NARROW = 0.05  # cosine of half the largest turn of a body in a step: 174 degrees
WHOLE = 2.0 * np.pi  # a hinge between two such bodies turns less than this
POSE, MOVED, TWIST = Pose(mat3.ZERO, ZERO), Moved((0.0, 0.0, 0.0, 0.0), ZERO), Twist(ZERO, ZERO)
SIZE = sum(len(flat(x)) for x in (POSE, POSE, MOVED, ENDS, BLOCK, WRENCH, TWIST)) + OWN


@jit
def tables(space: Any, n: int) -> Tables:
    """The tables of n bodies in `SIZE (n + 1)` numbers of the workspace."""
    o = zero_in(space)
    pose, moved, both, block = typed(POSE, o), typed(MOVED, o), typed(ENDS, o), typed(BLOCK, o)
    wrench, twist = typed(WRENCH, o), typed(TWIST, o)
    m, width = n + 1, doubles_in(o)
    k1 = m * (doubles_in(pose) // width)
    k2 = k1 + k1
    k3 = k2 + m * (doubles_in(moved) // width)
    k4 = k3 + m * (doubles_in(both) // width)
    k5 = k4 + m * (doubles_in(block) // width)
    k6 = k5 + m * (doubles_in(wrench) // width)
    k7 = k6 + m * (doubles_in(twist) // width)
    return Tables(
        records(space, 0, m, pose),
        records(space, k1, m, pose),
        records(space, k2, m, moved),
        records(space, k3, m, both),
        records(space, k4, m, block),
        records(space, k5, m, wrench),
        records(space, k6, m, twist),
        records(space, k7, m * OWN, o),
    )


@jit
def opened(site: Site) -> tuple[Tree, Tables]:
    tree = unpack(site.model)
    return tree, tables(site.workspace, tree.n)


@jit
def own_of(at: Tables, i: int) -> Any:
    """What the joint below body i keeps between the passes."""
    return stretch(at.own, OWN * i, OWN)


@jit
def poses(at: Tables, side: int) -> Any:
    """Of the bodies in their parents, before or after the step."""
    return at.before if side == BEFORE else at.after


@fused
def place(site: Site, q: Any, side: int) -> None:
    """Poses in the parents at the coordinates q."""
    tree, at = opened(site)
    there = poses(at, side)
    for i in range(1, tree.n + 1):
        Q, p = pose(joint_at(tree, i), q)
        frame = tree.placement[i]
        there[i] = Pose(mat3.mul(frame.R, quaternion.matrix(Q)), vec3.add(frame.r, mat3.apply(frame.R, p)))


@fused
def displace(site: Site, inc: Any) -> bool:
    """(1); False if a body turns by half a turn, where the logarithm ends, or a hinge by a whole one more.

    Such a turn of a hinge more changes the angle only, or the sign of Q: no motion leads there in one step.
    """
    tree, at = opened(site)
    before, after, moved = at.before, at.after, at.moved
    o = zero_in(inc)
    moved[0] = Moved((o + 1.0, o, o, o), (o, o, o))
    fine = True
    for i in range(1, tree.n + 1):
        D, way = pose(joint_at(tree, i), inc)
        R, r = before[i]
        Qp, dp = moved[tree.parent[i]]
        u = mat3.apply_t(R, (Qp[1], Qp[2], Qp[3]))
        C = (Qp[0], u[0], u[1], u[2])
        Q = quaternion.compose(C, D)
        if (tree.kind[i] == SPHERICAL or tree.kind[i] == FREE) and Q[0] < 0.0:  # D and -D are the same
            Q = (-Q[0], -Q[1], -Q[2], -Q[3])
        carried = mat3.apply_t(R, vec3.add(displaced(Qp, r), dp))
        moved[i] = Moved(Q, vec3.add(quaternion.apply(C, way), carried))
        after[i] = Pose(mat3.mul(R, quaternion.matrix(D)), vec3.add(r, mat3.apply(R, way)))
        hinged = tree.kind[i] == REVOLUTE or tree.kind[i] == HELICAL
        fine = fine and Q[0] > NARROW and (not hinged or abs(inc[tree.q[i]]) < WHOLE)
    return fine


@fused
def momenta(site: Site, product: bool) -> None:
    """Momenta times h at both ends of the step."""
    tree, at = opened(site)
    for i in range(1, tree.n + 1):
        at.ends[i] = ends(product, tree.mass[i], at.moved[i].Q, at.moved[i].d)


@jit
def component(at: At, n: Vec3, f: Vec3, g: Any) -> None:
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
def vanish(g: Any, n: int) -> None:
    o = zero_in(g)
    for j in range(n):
        g[j] = o


@fused
def gather(tree: Tree, pose: Any, wrench: Any, g: Any) -> None:
    """(2): g <- g + S^T of all wrenches outwards of the joint; the wrenches are used up."""
    for i in range(tree.n, 0, -1):
        component(joint_at(tree, i), wrench[i].torque, wrench[i].force, g)
        p = tree.parent[i]
        wrench[p] = received(pose[i].R, pose[i].r, wrench[p], wrench[i])


@fused
def generalised(site: Site, side: int, g: Any) -> None:
    """g = generalised momenta times h before or after the step."""
    tree, at = opened(site)
    at.wrench[0] = WRENCH
    for i in range(1, tree.n + 1):
        x = at.ends[i]
        at.wrench[i] = Wrench(x.n0, x.f0) if side == BEFORE else Wrench(x.n1, x.f1)
    vanish(g, tree.nv)
    gather(tree, poses(at, side), at.wrench, g)


@jit
def carry(pose: Pose, x: Twist) -> Twist:
    """A twist (or variation) of the parent, at the origin and in the axes of the body."""
    return Twist(mat3.apply_t(pose.R, x.w), mat3.apply_t(pose.R, vec3.add(x.v, cross(x.w, pose.r))))


@jit
def joined(at: At, x: Twist, v: Any) -> Twist:
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
def legendre(site: Site, v: Any, p: Any) -> None:
    """p = M v at the poses before the step: where the discrete motion starts."""
    tree, at = opened(site)
    before = at.before
    at.twist[0] = TWIST
    at.wrench[0] = WRENCH
    for i in range(1, tree.n + 1):
        x = joined(joint_at(tree, i), carry(before[i], at.twist[tree.parent[i]]), v)
        at.twist[i] = x
        n, f = times(tree.mass[i], (x.w, x.v))
        at.wrench[i] = Wrench(n, f)
    vanish(p, tree.nv)
    gather(tree, before, at.wrench, p)


@fused
def slopes(site: Site, product: bool) -> None:
    tree, at = opened(site)
    for i in range(1, tree.n + 1):
        at.block[i] = slope(product, tree.mass[i], at.moved[i].Q, at.moved[i].d)


@fused
def inertias(site: Site) -> None:
    """In the place of slopes: the mass matrix."""
    tree, at = opened(site)
    for i in range(1, tree.n + 1):
        at.block[i] = rigid(tree.mass[i])


@fused
def factor(site: Site, left: int, right: int, stiffness: Any) -> None:
    """Eliminate all joints, outer ones first; wrenches at the poses `left`, variations at `right`."""
    tree, at = opened(site)
    before, after = poses(at, left), poses(at, right)
    for i in range(tree.n, 0, -1):
        R, r = before[i]
        R1, r1 = after[i]
        k = stiffness[tree.v[i]]
        felt = pivots.eliminate(joint_at(tree, i), at.block[i], k, own_of(at, i), R, r, R1, r1)
        p = tree.parent[i]
        if p > 0:
            at.block[p] = add(at.block[p], felt)


@fused
def solve(site: Site, left: int, right: int, g: Any) -> None:
    """g <- J^-1 g with the factors; the twists of the bodies become their variations."""
    tree, at = opened(site)
    before, after = poses(at, left), poses(at, right)
    at.twist[0] = TWIST
    for i in range(tree.n + 1):
        at.wrench[i] = WRENCH
    for i in range(tree.n, 0, -1):
        x = pivots.backward(joint_at(tree, i), g, at.wrench[i], own_of(at, i))
        p = tree.parent[i]
        at.wrench[p] = received(before[i].R, before[i].r, at.wrench[p], x)
    for i in range(1, tree.n + 1):
        carried = carry(after[i], at.twist[tree.parent[i]])
        w, v = pivots.forward(joint_at(tree, i), g, carried.w, carried.v, own_of(at, i))
        at.twist[i] = Twist(w, v)
