"""The middle of a step, joint by joint, and how a force there acts on both ends.

    q_mid = q exp(d/2) for rotations and angles, and the mean of positions                       (1)
    (1 + E)^-T Q = (Q + k d x Q)/2,   k = tan(t/4)/t,   t = |d|,   E the rotation by d/2           (2)

for a torque Q of a spherical joint; a force on the position of a free joint is turned from the axes in the
middle to those at the end of the step that it acts on, by -d/2.  Angles and ways take half of it.
"""

from typing import Any

from poinsot.core.jit import fused, jit
from poinsot.core.lie import mat3, quaternion, so3, vec3
from poinsot.core.lie.series import sinc
from poinsot.core.lie.vec3 import Vec3, cross, dot
from poinsot.core.numbers.rows import get3, get4, put3, put4
from poinsot.core.tree.joints.table import FREE, SPHERICAL
from poinsot.core.tree.records import Model, unpack


@fused
def middle(model: Model, q: Any, d: Any, x: Any) -> None:
    """(1): x = q_mid."""
    tree = unpack(model)
    for i in range(1, tree.n + 1):
        a, b = tree.q[i], tree.v[i]
        if tree.kind[i] == SPHERICAL:
            put4(x, a, quaternion.compose(get4(q, a), quaternion.exp(vec3.scale(0.5, get3(d, b)))))
        elif tree.kind[i] == FREE:
            w, before = get3(d, b), get4(q, a + 3)
            way = vec3.scale(0.5, so3.dexp(w, get3(d, b + 3)))
            put3(x, a, vec3.add(get3(q, a), mat3.apply(quaternion.matrix(before), way)))
            put4(x, a + 3, quaternion.compose(before, quaternion.exp(vec3.scale(0.5, w))))
        else:
            x[a] = q[a] + 0.5 * d[b]


@jit
def half(d: Vec3, Q: Vec3) -> Vec3:
    """(2), with tan(t/4)/t = sin(t/2)/(t (1 + cos(t/2)))."""
    z = 0.25 * dot(d, d)
    s = sinc(z)  # sin(t/2)/(t/2)
    c = 1.0 - 0.5 * z * sinc(0.25 * z) * sinc(0.25 * z)  # cos(t/2)
    return vec3.scale(0.5, vec3.axpy(0.5 * s / (1.0 + c), cross(d, Q), Q))


@fused
def shared(model: Model, d: Any, Q: Any, out: Any) -> None:
    """The share of the beginning of the step; that of its end with -d."""
    tree = unpack(model)
    for i in range(1, tree.n + 1):
        b = tree.v[i]
        if tree.kind[i] == SPHERICAL:
            put3(out, b, half(get3(d, b), get3(Q, b)))
        elif tree.kind[i] == FREE:
            w = get3(d, b)
            put3(out, b, half(w, get3(Q, b)))
            turned = quaternion.apply(quaternion.exp(vec3.scale(0.5, w)), get3(Q, b + 3))
            put3(out, b + 3, vec3.scale(0.5, turned))
        else:
            out[b] = 0.5 * Q[b]
