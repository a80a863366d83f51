"""Increments D of the joints in a step, q1 = q0 D, stored like the coordinates q.

    one number                revolute and helical joints: angle; prismatic joints: displacement
    quaternion                spherical joints
    position and quaternion   free joints, in the child frame at the beginning of the step

No other kinds occur (`JOINTS`): `compile` replaces universal, cylindrical and planar joints by chains of
these, with the same numbers in q and v.  Increments are multiplied and never computed as differences of
coordinates, which would cost digits of the momenta (increment / step).

The midpoint of a step, for each joint, and the action of a force there on both ends:

    q_mid = q exp(d/2) for rotations and angles, and the mean of positions                       (1)
    (1 + E)^-T Q = (Q + k d x Q)/2,   k = tan(t/4)/t,   t = |d|,   E the rotation by d/2           (2)

for a torque Q of a spherical joint.  A force on the position of a free joint is rotated from the axes at the
midpoint to those of the end on which it acts, by -d/2, and halved.  Forces of other joints are halved.
"""

import math
from typing import TypeAlias

from poinsot.core.jit import fused, jit
from poinsot.core.lie import mat3, quaternion, so3, vec3
from poinsot.core.lie.quaternion import Quaternion
from poinsot.core.lie.series import sinc
from poinsot.core.lie.vec3 import Vec3, cross, dot
from poinsot.core.numbers.arrays import Numbers, zero_in
from poinsot.core.numbers.rows import get3, get4, put3, put4
from poinsot.core.numbers.trigonometry import sincos
from poinsot.core.tree.joints import table
from poinsot.core.tree.joints.joint import At
from poinsot.core.tree.joints.table import FREE, HELICAL, PRISMATIC, REVOLUTE, SPHERICAL
from poinsot.core.tree.records import Model, joint_at, unpack

JOINTS = ("revolute", "prismatic", "helical", "spherical", "free")
Step: TypeAlias = tuple[Quaternion, Vec3]


@fused
def pose(at: At, inc: Numbers) -> Step:
    """Increment of a joint as a rigid motion of the child frame."""
    o = zero_in(inc)
    if at.kind == SPHERICAL:
        return get4(inc, at.q), (o, o, o)
    elif at.kind == REVOLUTE:
        s, c = sincos(0.5 * inc[at.q])
        return (c, o, o, s), (o, o, o)
    elif at.kind == PRISMATIC:
        return (o + 1.0, o, o, o), (o, o, inc[at.q])
    elif at.kind == HELICAL:
        s, c = sincos(0.5 * inc[at.q])
        return (c, o, o, s), (o, o, at.parameters[0] * inc[at.q])
    elif at.kind == FREE:
        return get4(inc, at.q + 3), get3(inc, at.q)
    else:
        return (o + math.nan, o, o, o), (o, o, o)


@fused
def clear(model: Model, inc: Numbers) -> None:
    """Set all increments to the identity."""
    tree = unpack(model)
    o = zero_in(inc)
    for j in range(tree.nq):
        inc[j] = o
    for i in range(1, tree.n + 1):
        if tree.kind[i] == SPHERICAL:
            inc[tree.q[i]] = o + 1.0
        elif tree.kind[i] == FREE:
            inc[tree.q[i] + 3] = o + 1.0


@fused
def update(model: Model, inc: Numbers, u: Numbers) -> None:
    """D <- D exp(u) for each joint, u in the units of v; normalise quaternions."""
    tree = unpack(model)
    for i in range(1, tree.n + 1):
        table.move(joint_at(tree, i), inc, u)
        table.unit(joint_at(tree, i), inc)


@fused
def nudge(model: Model, inc: Numbers, u: Numbers) -> None:
    """D <- D exp(u) for u with zero values and nonzero tangents: the values of D keep their bits."""
    tree = unpack(model)
    for i in range(1, tree.n + 1):
        table.move(joint_at(tree, i), inc, u)


@fused
def logarithms(model: Model, inc: Numbers, u: Numbers) -> None:
    """Compute u with D = exp(u)."""
    tree = unpack(model)
    for i in range(1, tree.n + 1):
        a, b = tree.q[i], tree.v[i]
        if tree.kind[i] == SPHERICAL:
            put3(u, b, quaternion.log(get4(inc, a)))
        elif tree.kind[i] == FREE:
            w = quaternion.log(get4(inc, a + 3))
            put3(u, b, w)
            put3(u, b + 3, so3.dexpinv(w, get3(inc, a)))
        else:
            u[b] = inc[a]


@fused
def append(model: Model, q: Numbers, inc: Numbers) -> None:
    """q <- q D for each joint."""
    tree = unpack(model)
    for i in range(1, tree.n + 1):
        a = tree.q[i]
        if tree.kind[i] == SPHERICAL:
            put4(q, a, quaternion.unit(quaternion.compose(get4(q, a), get4(inc, a))))
        elif tree.kind[i] == FREE:
            rotation = get4(q, a + 3)
            translation = mat3.apply(quaternion.matrix(rotation), get3(inc, a))
            put3(q, a, vec3.add(get3(q, a), translation))
            put4(q, a + 3, quaternion.unit(quaternion.compose(rotation, get4(inc, a + 3))))
        else:
            q[a] = q[a] + inc[a]


@fused
def middle(model: Model, q: Numbers, d: Numbers, x: Numbers) -> None:
    """Compute x = q_mid of (1)."""
    tree = unpack(model)
    for i in range(1, tree.n + 1):
        a, b = tree.q[i], tree.v[i]
        if tree.kind[i] == SPHERICAL:
            put4(x, a, quaternion.compose(get4(q, a), quaternion.exp(vec3.scale(0.5, get3(d, b)))))
        elif tree.kind[i] == FREE:
            w, rotation = get3(d, b), get4(q, a + 3)
            translation = vec3.scale(0.5, so3.dexp(w, get3(d, b + 3)))
            put3(x, a, vec3.add(get3(q, a), mat3.apply(quaternion.matrix(rotation), translation)))
            put4(x, a + 3, quaternion.compose(rotation, quaternion.exp(vec3.scale(0.5, w))))
        else:
            x[a] = q[a] + 0.5 * d[b]


@jit
def half(d: Vec3, Q: Vec3) -> Vec3:
    """Half (2) of a torque, with tan(t/4)/t = sin(t/2)/(t (1 + cos(t/2)))."""
    z = 0.25 * dot(d, d)
    s = sinc(z)  # sin(t/2)/(t/2)
    c = 1.0 - 0.5 * z * sinc(0.25 * z) * sinc(0.25 * z)  # cos(t/2)
    return vec3.scale(0.5, vec3.axpy(0.5 * s / (1.0 + c), cross(d, Q), Q))


@fused
def shared(model: Model, d: Numbers, Q: Numbers, out: Numbers) -> None:
    """Part of Q that acts on the beginning of the step; with -d, the part on its end."""
    tree = unpack(model)
    for i in range(1, tree.n + 1):
        b = tree.v[i]
        if tree.kind[i] == SPHERICAL:
            put3(out, b, half(get3(d, b), get3(Q, b)))
        elif tree.kind[i] == FREE:
            w = get3(d, b)
            put3(out, b, half(w, get3(Q, b)))
            force = quaternion.apply(quaternion.exp(vec3.scale(0.5, w)), get3(Q, b + 3))
            put3(out, b + 3, vec3.scale(0.5, force))
        else:
            out[b] = 0.5 * Q[b]
