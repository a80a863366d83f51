"""Generalised forces at a configuration: gravity, forces that are data, the user's functions.

    Q = S^T sum of the wrenches outwards + joint forces                                          (1)

Forces are asked at the state x = (q, v, W) of the core.  Q goes with the velocities v as momenta do.
"""

from typing import Any

from poinsot.core.jit import called, fused, jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.lie.vec3 import ZERO, cross
from poinsot.core.methods.variational.passes import Site, Twist, gather, opened, poses, vanish
from poinsot.core.numbers.arrays import zero_in
from poinsot.core.numbers.functions import maximum, minimum
from poinsot.core.tree.dynamics.kinematics import WRENCH, Wrench
from poinsot.core.tree.forces.table import (
    BALL_EULER,
    BALL_LOG,
    BALL_TRACE,
    ELEMENT,
    HEAD,
    JOINT_DAMPER,
    JOINT_SPRING,
)
from poinsot.core.tree.problem import Problem
from poinsot.core.tree.records import FORCE_INTS, forces_in
from poinsot.core.tree.workspace import wrenches_in


@fused
def weigh(site: Site, forced: bool, side: int, Q: Any) -> None:
    """(1): gravity, and the wrenches that forces have left in the workspace."""
    tree, at = opened(site)
    pose, outer = poses(at, side), wrenches_in(site.model.workspace, tree.n, zero_in(Q))
    at.twist[0], at.wrench[0] = Twist(ZERO, tree.gravity), WRENCH
    for i in range(1, tree.n + 1):
        down = mat3.apply_t(pose[i].R, at.twist[tree.parent[i]].v)
        at.twist[i] = Twist(ZERO, down)
        n, f = cross(tree.mass[i].mc, down), vec3.scale(tree.mass[i].m, down)
        if forced:
            n, f = vec3.add(n, outer[i].torque), vec3.add(f, outer[i].force)
        at.wrench[i] = Wrench(n, f)
    gather(tree, pose, at.wrench, Q)


@jit
def forced(p: Problem) -> bool:
    """True if any force but gravity acts."""
    return p.model.ints[p.model.ints[FORCE_INTS]] == 1


@called
def loads(p: Problem, workspace: Any, t: float, x: Any, side: int, Q: Any) -> float:
    """(1) with the poses that belong to x; the power of all forces without a potential."""
    o = zero_in(x)
    power = o
    vanish(Q, p.nv)
    if forced(p):
        time = o + minimum(maximum(t, p.first), p.last)
        power = p.force(time, x, Q, p.user, p.model)
    p.passes.weigh(p.model, workspace, forced(p), side, Q)
    return power


@called
def stiffnesses(p: Problem, h: float, midpoint: bool, k: Any, nv: int) -> None:
    """What joint springs and dampers add to the pivots, for Newton's method: h^2/4 and h/2 of them."""
    vanish(k, nv)
    share = 0.25 * h * h if midpoint else 0.0
    ints, floats = forces_in(p.model)
    for e in range(ints[1]):
        kind, a, b = ints[HEAD + ELEMENT * e], ints[HEAD + ELEMENT * e + 1], ints[HEAD + ELEMENT * e + 2]
        x = ints[HEAD + ELEMENT * e + 3]
        if kind == JOINT_SPRING:
            k[b] = k[b] + share * floats[x]
        elif kind == JOINT_DAMPER and a == b:
            k[b] = k[b] + 0.5 * h * floats[x]
        elif kind in (BALL_LOG, BALL_EULER):
            k[b] = k[b] + share * floats[x + 4]
        elif kind == BALL_TRACE:  # about tr(K) 1 - K of the spring's K near rest, its mean
            k[b] = k[b] + share * 2.0 / 3.0 * (floats[x + 4] + floats[x + 7] + floats[x + 9])
