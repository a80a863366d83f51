"""What the passes of a step keep for each body: poses, displacement, momenta, inertia, the joint's own."""

from typing import NamedTuple

from poinsot.core.jit import jit
from poinsot.core.lie import mat3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.quaternion import Quaternion
from poinsot.core.lie.vec3 import ZERO, Vec3
from poinsot.core.methods.variational.block import BLOCK
from poinsot.core.methods.variational.kinetic import ENDS
from poinsot.core.methods.variational.pivots import OWN
from poinsot.core.numbers.arrays import Numbers, Records, doubles_in, flat, records, segment, typed, zero_in
from poinsot.core.tree.dynamics.kinematics import WRENCH
from poinsot.core.tree.records import Model, Tree, unpack


class Pose(NamedTuple):
    """Pose of a body in its parent."""

    R: Mat3
    r: Vec3


class Displacement(NamedTuple):
    """Displacement of a body in the step."""

    Q: Quaternion
    d: Vec3


class Twist(NamedTuple):
    w: Vec3
    v: Vec3


class Site(NamedTuple):
    """A model and the workspace of its passes."""

    model: Model
    workspace: Numbers


class Tables(NamedTuple):
    """Arrays with an entry for each body, the world included."""

    before: Records  # Pose
    after: Records  # Pose
    displacement: Records  # Displacement
    ends: Records  # Ends
    block: Records  # Block
    wrench: Records  # Wrench
    twist: Records  # Twist
    own: Numbers  # workspace of the joints: OWN numbers each


BEFORE, AFTER = 0, 1  # the sides of a step
POSE, DISPLACEMENT, TWIST = Pose(mat3.ZERO, ZERO), Displacement((0.0, 0.0, 0.0, 0.0), ZERO), Twist(ZERO, ZERO)
SIZE = sum(len(flat(x)) for x in (POSE, POSE, DISPLACEMENT, ENDS, BLOCK, WRENCH, TWIST)) + OWN


@jit
def tables(workspace: Numbers, n: int) -> Tables:
    """Tables of n bodies in the first `SIZE (n + 1)` numbers of the workspace."""
    o = zero_in(workspace)
    pose, displacement, both, block = typed(POSE, o), typed(DISPLACEMENT, o), typed(ENDS, o), typed(BLOCK, o)
    wrench, twist = typed(WRENCH, o), typed(TWIST, o)
    m, width = n + 1, doubles_in(o)
    k1 = m * (doubles_in(pose) // width)
    k2 = k1 + k1
    k3 = k2 + m * (doubles_in(displacement) // width)
    k4 = k3 + m * (doubles_in(both) // width)
    k5 = k4 + m * (doubles_in(block) // width)
    k6 = k5 + m * (doubles_in(wrench) // width)
    k7 = k6 + m * (doubles_in(twist) // width)
    return Tables(
        records(workspace, 0, m, pose),
        records(workspace, k1, m, pose),
        records(workspace, k2, m, displacement),
        records(workspace, k3, m, both),
        records(workspace, k4, m, block),
        records(workspace, k5, m, wrench),
        records(workspace, k6, m, twist),
        records(workspace, k7, m * OWN, o),
    )


@jit
def tree_and_tables(site: Site) -> tuple[Tree, Tables]:
    """Views of the model and of the workspace."""
    tree = unpack(site.model)
    return tree, tables(site.workspace, tree.n)


@jit
def own_of(bodies: Tables, i: int) -> Numbers:
    """Workspace of the joint of body i, kept from pass to pass."""
    return segment(bodies.own, OWN * i, OWN)


@jit
def poses(bodies: Tables, side: int) -> Records:
    """Poses of the bodies in their parents, before or after the step."""
    return bodies.before if side == BEFORE else bodies.after
