"""The midpoint of a step, for each joint, and the action of a force there on both ends.

    q_mid = q exp(d/2) for rotations and angles, and the mean of positions                       (1)
    (1 + E)^-T Q = (Q + k d x Q)/2,   k = tan(t/4)/t,   t = |d|,   E the rotation by d/2           (2)

for a torque Q of a spherical joint.  A force on the position of a free joint is rotated from the axes at the
midpoint to those of the end on which it acts, by -d/2, and halved.  Forces of other joints are halved.
"""

from poinsot.core.jit import fused, jit
from poinsot.core.lie import mat3, quaternion, so3, vec3
from poinsot.core.lie.series import sinc
from poinsot.core.lie.vec3 import Vec3, cross, dot
from poinsot.core.numbers.arrays import Numbers
from poinsot.core.numbers.rows import get3, get4, put3, put4
from poinsot.core.tree.joints.table import FREE, SPHERICAL
from poinsot.core.tree.records import Model, unpack


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
