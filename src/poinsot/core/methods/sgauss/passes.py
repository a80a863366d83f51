"""Momenta and forces of a tree at the nodes of a step, and the mass matrix factored: O(n) each.

The coordinates z of the method are those of the joints, except that a ball joint has the attitude and the
angular velocity of its body in space: turning a body does not turn what hangs on it by ball joints, and the
mass matrix of a chain is better conditioned.

    V_c = (R^T w_p, R^T (v_p + w_p x r)),   V = V_c + S v             twist carried, and of the body   (1)
    H = I V + sum over the children,        p = S^T H + armature v    momenta outwards of the joint    (2)
    dl/dz = S^T (ad*_Vc H + G) + tau                                  forces, G wrenches outwards      (3)

The kinetic energy depends on z by what the parent carries into the subtree only: that is (3).  Across a ball
joint only the velocity v_c is carried, w_p -> 0 in (1), and only the force of H is summed in (2).  Its torque
tau acts on the parent by -tau; and turning the parent turns v_c, but not the momentum outwards, which is the
torque v_c x H on the parent.  The factors of the mass matrix are those of `variational`.
"""

from typing import NamedTuple

from poinsot.core.jit import Compiled, fused, jit
from poinsot.core.lie import mat3, quaternion, vec3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.quaternion import Quaternion
from poinsot.core.lie.vec3 import ZERO, Vec3, cross
from poinsot.core.methods.variational import increments, pivots
from poinsot.core.methods.variational import passes as sweeps
from poinsot.core.methods.variational import tables as variational
from poinsot.core.methods.variational.kinetic import coadjoint, times
from poinsot.core.methods.variational.passes import add_armature, carry, component, with_joint_velocity
from poinsot.core.methods.variational.tables import AFTER, POSE, TWIST, Pose, Site, Twist, tree_and_tables
from poinsot.core.numbers.arrays import (
    Numbers,
    Records,
    alike,
    doubles_in,
    flat,
    records,
    segment,
    typed,
    zero_in,
)
from poinsot.core.numbers.rows import get3, get4, put3, put4
from poinsot.core.tree.dynamics.kinematics import WRENCH, BodyWrench, placed, received
from poinsot.core.tree.joints import table
from poinsot.core.tree.joints.joint import OWN, At
from poinsot.core.tree.joints.table import SPHERICAL
from poinsot.core.tree.records import FORCE_INTS, Model, Placement, joint_at, own_of, unpack
from poinsot.core.tree.workspace import wrenches_in

MASS = variational.SIZE  # numbers of the factored mass matrix for each body, the world included


class Attitude(NamedTuple):
    """Axes of a body in space."""

    A: Mat3


class Spin(NamedTuple):
    """Attitude and angular velocity of a body in space."""

    Q: Quaternion
    w: Vec3


class NodeTables(NamedTuple):
    """Arrays with an entry for each body, the world included."""

    pose: Records  # Pose in the parent
    carried: Records  # Twist that the parent carries into the body
    twist: Records  # Twist of the body
    momentum: Records  # Wrench: H
    load: Records  # Wrench: G
    attitude: Records  # Attitude
    spin: Records  # Spin
    own: Numbers  # what joints keep


SPIN = Spin((1.0, 0.0, 0.0, 0.0), ZERO)
ATTITUDE = Attitude(mat3.IDENTITY)
PARTS = (POSE, TWIST, TWIST, WRENCH, WRENCH, ATTITUDE, SPIN)
SIZE = sum(len(flat(part)) for part in PARTS) + OWN


@jit
def tables(workspace: Numbers, n: int) -> NodeTables:
    """Tables of n bodies in `SIZE (n + 1)` numbers of the workspace."""
    o = zero_in(workspace)
    pose, twist, wrench = typed(POSE, o), typed(TWIST, o), typed(WRENCH, o)
    attitude, spin = typed(ATTITUDE, o), typed(SPIN, o)
    m, width = n + 1, doubles_in(o)
    k1 = m * (doubles_in(pose) // width)
    k2 = k1 + m * (doubles_in(twist) // width)
    k3 = k2 + m * (doubles_in(twist) // width)
    k4 = k3 + m * (doubles_in(wrench) // width)
    k5 = k4 + m * (doubles_in(wrench) // width)
    k6 = k5 + m * (doubles_in(attitude) // width)
    k7 = k6 + m * (doubles_in(spin) // width)
    return NodeTables(
        records(workspace, 0, m, pose),
        records(workspace, k1, m, twist),
        records(workspace, k2, m, twist),
        records(workspace, k3, m, wrench),
        records(workspace, k4, m, wrench),
        records(workspace, k5, m, attitude),
        records(workspace, k6, m, spin),
        records(workspace, k7, m * OWN, o),
    )


@jit
def posed(frame: Placement, at: At, z: Numbers, own: Numbers, A: Mat3) -> tuple[Pose, Mat3]:
    """Pose of a body in its parent, whose axes are A, and its own axes."""
    if at.kind == SPHERICAL:
        axes = quaternion.matrix(get4(z, at.q))
        return Pose(mat3.mul(mat3.transpose(A), axes), alike(axes[:3], frame.r)), axes
    R, r = placed(frame, table.motion(at, z, z, own))
    return Pose(R, r), mat3.mul(A, R)


@jit
def pushed(pose: Pose, parent: BodyWrench, force: Vec3) -> BodyWrench:
    """Sum of the wrench on a parent and of a force at the origin of its child."""
    f = mat3.apply(pose.R, force)
    return BodyWrench(vec3.add(parent.torque, cross(pose.r, f)), vec3.add(parent.force, f))


@fused
def momenta(
    model: Model,
    t: float,
    z: Numbers,
    x: Numbers,
    places: Numbers,
    p: Numbers,
    f: Numbers,
    force: Compiled,
    user: Compiled,
    workspace: Numbers,
) -> float:
    """p and f = dl/dz + forces at the coordinates z; the power of all forces without a potential."""
    tree = unpack(model)
    at = tables(workspace, tree.n)
    o = zero_in(z)
    for j in range(tree.nv):
        p[j] = o
        f[j] = o
    forced = model.ints[model.ints[FORCE_INTS]] > 0
    power = o
    if forced:
        relative(model, places, z, x, workspace)
        power = force(t, x, f, user, model)
    outer = wrenches_in(model.workspace, tree.n, o)
    v = segment(z, tree.nq, tree.nv)
    at.twist[0] = TWIST
    at.attitude[0] = ATTITUDE
    for i in range(1, tree.n + 1):
        joint, parent = joint_at(tree, i), tree.parent[i]
        pose, axes = posed(tree.placement[i], joint, z, own_of(at.own, i), at.attitude[parent].A)
        at.pose[i] = pose
        at.attitude[i] = Attitude(axes)
        along = carry(pose, at.twist[parent])  # (1)
        if joint.kind == SPHERICAL:
            along = alike(along, Twist(ZERO, along.v))
        here = with_joint_velocity(joint, along, v)
        at.carried[i] = along
        at.twist[i] = here
        n, push = times(tree.mass[i], (here.w, here.v))
        at.momentum[i] = BodyWrench(n, push)
        g = mat3.apply_t(axes, tree.gravity)
        torque, weight = cross(tree.mass[i].mc, g), vec3.scale(tree.mass[i].m, g)
        if forced:
            torque, weight = vec3.add(torque, outer[i].torque), vec3.add(weight, outer[i].force)
        at.load[i] = BodyWrench(torque, weight)
    for i in range(tree.n, 0, -1):
        H, G, pose, joint = at.momentum[i], at.load[i], at.pose[i], joint_at(tree, i)
        component(joint, H.torque, H.force, p)  # (2)
        along, parent, ball = at.carried[i], tree.parent[i], joint.kind == SPHERICAL
        tau = get3(f, joint.v) if ball else (o, o, o)
        n, push = coadjoint((along.w, along.v), (H.torque, H.force))
        component(joint, vec3.add(G.torque, n), vec3.add(G.force, push), f)  # (3)
        if parent > 0:
            if ball:
                G = BodyWrench(vec3.sub(cross(along.v, H.force), tau), G.force)
                at.momentum[parent] = pushed(pose, at.momentum[parent], H.force)
            else:
                at.momentum[parent] = received(pose.R, pose.r, at.momentum[parent], H)
            at.load[parent] = received(pose.R, pose.r, at.load[parent], G)
    add_armature(tree, v, False, p)
    return power


@jit
def turned(frame: Spin, place: Quaternion, at: At, x: Numbers, nq: int) -> Spin:
    """Attitude and angular velocity of a body from those of its parent, in coordinates of the joint."""
    Q = quaternion.compose(place, increments.pose(at, x)[0])
    carried = quaternion.apply(quaternion.inverse(Q), frame.w)
    here = with_joint_velocity(at, Twist(carried, carried), segment(x, nq, x.size - nq))
    return Spin(quaternion.compose(frame.Q, Q), here.w)


@fused
def relative(model: Model, places: Numbers, z: Numbers, x: Numbers, workspace: Numbers) -> None:
    """x = (q, v, W) of the joints from the coordinates z of the method."""
    tree = unpack(model)
    at = tables(workspace, tree.n)
    at.spin[0] = SPIN
    for i in range(tree.nq + tree.nv + 1):
        x[i] = z[i]
    for i in range(1, tree.n + 1):
        joint, parent = joint_at(tree, i), at.spin[tree.parent[i]]
        place = get4(places, 4 * (i - 1))
        if joint.kind == SPHERICAL:
            Q, w = get4(z, joint.q), get3(z, tree.nq + joint.v)
            back = quaternion.inverse(quaternion.compose(parent.Q, place))
            put4(x, joint.q, quaternion.compose(back, Q))
            carried = quaternion.apply(quaternion.compose(quaternion.inverse(Q), parent.Q), parent.w)
            put3(x, tree.nq + joint.v, vec3.sub(w, carried))
            at.spin[i] = Spin(Q, w)
        else:
            at.spin[i] = turned(parent, place, joint, z, tree.nq)


@fused
def absolute(model: Model, places: Numbers, x: Numbers, z: Numbers, workspace: Numbers) -> None:
    """Coordinates z of the method from those of the joints."""
    tree = unpack(model)
    at = tables(workspace, tree.n)
    at.spin[0] = SPIN
    for i in range(tree.nq + tree.nv + 1):
        z[i] = x[i]
    for i in range(1, tree.n + 1):
        joint = joint_at(tree, i)
        here = turned(at.spin[tree.parent[i]], get4(places, 4 * (i - 1)), joint, x, tree.nq)
        at.spin[i] = here
        if joint.kind == SPHERICAL:
            put4(z, joint.q, here.Q)
            put3(z, tree.nq + joint.v, here.w)


@fused
def factor(site: Site, z: Numbers, zeros: Numbers, workspace: Numbers) -> None:
    """Factors of the mass matrix at the coordinates z."""
    tree, bodies = tree_and_tables(site)
    at = tables(workspace, tree.n)
    at.attitude[0] = ATTITUDE
    for i in range(1, tree.n + 1):
        joint, A = joint_at(tree, i), at.attitude[tree.parent[i]].A
        pose, axes = posed(tree.placement[i], joint, z, own_of(at.own, i), A)
        bodies.after[i] = pose
        at.attitude[i] = Attitude(axes)
    sweeps.inertias(site)
    sweeps.factor(site, AFTER, AFTER, zeros)


@fused
def solve(site: Site, g: Numbers) -> None:
    """g <- M^-1 g with the factors, in the coordinates of the method."""
    tree, bodies = tree_and_tables(site)
    pose = bodies.after
    bodies.twist[0] = TWIST
    for i in range(tree.n + 1):
        bodies.wrench[i] = WRENCH
    for i in range(tree.n, 0, -1):
        joint, p = joint_at(tree, i), tree.parent[i]
        x = pivots.backward(joint, g, bodies.wrench[i], variational.own_of(bodies, i))
        if joint.kind == SPHERICAL:
            bodies.wrench[p] = pushed(pose[i], bodies.wrench[p], x.force)
        else:
            bodies.wrench[p] = received(pose[i].R, pose[i].r, bodies.wrench[p], x)
    for i in range(1, tree.n + 1):
        joint, carried = joint_at(tree, i), carry(pose[i], bodies.twist[tree.parent[i]])
        w, v = pivots.forward(joint, g, carried.w, carried.v, variational.own_of(bodies, i))
        bodies.twist[i] = Twist(w, v)
        if joint.kind == SPHERICAL:
            put3(g, joint.v, w)
