"""Forward dynamics of a tree: the articulated-body algorithm (Featherstone 2008, section 7.3).

    outwards   pose, velocity, and inertia of each body alone                                  (1)
    inwards    I_p += inertia and bias of body i transmitted through its joint                 (2)
    outwards   acceleration of each joint from that of its parent                              (3)

Accelerations are those of the body origins (not spatial), in body frames; gravity is an upward
acceleration of the world.
"""

from poinsot.core.jit import fused, jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.lie.vec3 import ZERO, Vec3, cross
from poinsot.core.numbers.arrays import Floats, Numbers, Records, zero_in
from poinsot.core.tree.dynamics.kinematics import placed
from poinsot.core.tree.inertia import add, loaded, rigid
from poinsot.core.tree.joints import table
from poinsot.core.tree.joints.joint import Acceleration, JointMotion, LinkMotion
from poinsot.core.tree.records import Placement, TreeRecord, joint_at, own_of
from poinsot.core.tree.workspace import workspace_in


@jit
def linked(place: Placement, joint: JointMotion, w_parent: Vec3) -> LinkMotion:
    """Pose and motion of a body from its joint and the angular velocity of its parent."""
    _, _, w, v, zeta, beta = joint
    R, r = placed(place, joint)
    carried = mat3.apply_t(R, w_parent)
    centrifugal = mat3.apply_t(R, cross(w_parent, cross(w_parent, r)))
    coriolis = vec3.scale(2.0, cross(carried, v))
    zeta = vec3.add(zeta, cross(carried, w))
    beta = vec3.add(vec3.add(beta, centrifugal), coriolis)
    return LinkMotion(R, r, vec3.add(carried, w), zeta, beta)


@jit
def from_parent(x: Acceleration, link: LinkMotion) -> Acceleration:
    """Acceleration of a body whose parent has the acceleration x, at zero joint acceleration."""
    alpha = vec3.add(mat3.apply_t(link.R, x.alpha), link.zeta)
    a = vec3.add(mat3.apply_t(link.R, vec3.add(x.a, cross(x.alpha, link.r))), link.beta)
    return Acceleration(alpha, a)


@fused
def aba(
    tree: TreeRecord,
    q: Numbers,
    v: Numbers,
    tau: Numbers,
    forced: bool,
    wrench: Records,
    out: Numbers,
    workspace: Floats,
) -> None:
    """Joint accelerations `out` from q, v, joint forces tau and, if `forced`, wrenches on the bodies.
    `out` may be the array tau: a joint reads its numbers before it writes them."""
    link, inertia, acceleration, joints, _, _, _ = workspace_in(workspace, tree.n, zero_in(q))
    link[0] = LinkMotion(mat3.IDENTITY, ZERO, ZERO, ZERO, ZERO)
    acceleration[0] = Acceleration(ZERO, vec3.neg(tree.gravity))

    for i in range(1, tree.n + 1):  # (1)
        joint = table.motion(joint_at(tree, i), q, v, own_of(joints, i))
        link[i] = linked(tree.placement[i], joint, link[tree.parent[i]].w)
        inertia[i] = rigid(tree.mass[i], link[i].w)
        if forced:
            inertia[i] = loaded(inertia[i], wrench[i].torque, wrench[i].force)

    for i in range(tree.n, 0, -1):  # (2)
        transmitted = table.transmit(joint_at(tree, i), inertia[i], link[i], tau, own_of(joints, i))
        p = tree.parent[i]
        if p > 0:
            inertia[p] = add(inertia[p], transmitted)

    for i in range(1, tree.n + 1):  # (3)
        x = from_parent(acceleration[tree.parent[i]], link[i])
        acceleration[i] = table.accelerate(joint_at(tree, i), x, own_of(joints, i), out)
