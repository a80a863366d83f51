"""Generalised forces at a configuration: gravity, forces that are data, the user's functions.

    Q = S^T (sum of the wrenches on the subtree) + joint forces                                  (1)

Forces are evaluated at the state x = (q, v, W).  Q is dual to the velocities v, like momenta.
"""

from poinsot.core.jit import called, fused, jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.lie.vec3 import ZERO, cross
from poinsot.core.methods.variational.passes import gather, set_zero
from poinsot.core.methods.variational.tables import Site, Twist, poses, tree_and_tables
from poinsot.core.numbers.arrays import Numbers, zero_in
from poinsot.core.numbers.functions import maximum, minimum
from poinsot.core.tree.dynamics.kinematics import WRENCH, BodyWrench
from poinsot.core.tree.forces.kinds import BALL_EULER, BALL_LOG, BALL_TRACE, JOINT_DAMPER, JOINT_SPRING
from poinsot.core.tree.forces.table import ELEMENT, HEAD
from poinsot.core.tree.problem import TreeProblem
from poinsot.core.tree.records import FORCE_INTS, forces_in
from poinsot.core.tree.workspace import wrenches_in


@fused
def weigh(site: Site, forced: bool, side: int, Q: Numbers) -> None:
    """Add gravity and the applied wrenches in the workspace to Q: (1)."""
    tree, bodies = tree_and_tables(site)
    pose, applied = poses(bodies, side), wrenches_in(site.model.workspace, tree.n, zero_in(Q))
    bodies.twist[0], bodies.wrench[0] = Twist(ZERO, tree.gravity), WRENCH
    for i in range(1, tree.n + 1):
        gravity = mat3.apply_t(pose[i].R, bodies.twist[tree.parent[i]].v)
        bodies.twist[i] = Twist(ZERO, gravity)
        n, f = cross(tree.mass[i].mc, gravity), vec3.scale(tree.mass[i].m, gravity)
        if forced:
            n, f = vec3.add(n, applied[i].torque), vec3.add(f, applied[i].force)
        bodies.wrench[i] = BodyWrench(n, f)
    gather(tree, pose, bodies.wrench, Q)


@jit
def forced(p: TreeProblem) -> bool:
    """True if there are forces other than gravity."""
    return p.model.ints[p.model.ints[FORCE_INTS]] > 0


@called
def loads(p: TreeProblem, workspace: Numbers, t: float, x: Numbers, side: int, Q: Numbers) -> float:
    """Compute Q (1) at the poses of x; return the power of all forces without a potential."""
    o = zero_in(x)
    power = o
    set_zero(Q, p.nv)
    if forced(p):
        time = o + minimum(maximum(t, p.first), p.last)
        power = p.force(time, x, Q, p.user, p.model)
    p.passes.weigh(p.model, workspace, forced(p), side, Q)
    return power


@called
def stiffnesses(p: TreeProblem, h: float, midpoint: bool, k: Numbers, nv: int) -> None:
    """Terms k of joint springs (h^2/4) and dampers (h/2) in the pivots of Newton's method."""
    set_zero(k, nv)
    weight = 0.25 * h * h if midpoint else 0.0
    ints, floats = forces_in(p.model)
    for e in range(ints[1]):
        kind, a, b = ints[HEAD + ELEMENT * e], ints[HEAD + ELEMENT * e + 1], ints[HEAD + ELEMENT * e + 2]
        x = ints[HEAD + ELEMENT * e + 3]
        if kind == JOINT_SPRING:
            k[b] = k[b] + weight * floats[x]
        elif kind == JOINT_DAMPER and a == b:
            k[b] = k[b] + 0.5 * h * floats[x]
        elif kind in (BALL_LOG, BALL_EULER):
            k[b] = k[b] + weight * floats[x + 4]
        elif kind == BALL_TRACE:  # the mean of tr(K) 1 - K, the stiffness near rest
            k[b] = k[b] + weight * 2.0 / 3.0 * (floats[x + 4] + floats[x + 7] + floats[x + 9])
