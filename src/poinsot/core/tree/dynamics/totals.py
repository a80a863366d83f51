"""Totals of a tree: energies, momenta, mass and centre of mass, and what their rounding is compared with.

T = sum (w.J w + 2 w.(mc x v) + m v.v + a q.^2)/2       J about the origin, a the armature     (1)
V = -sum g.(m r + R mc)                                                                       (2)
p = sum R (m v + w x mc),   L = sum r x p_i + R (J w + mc x v)      about the origin of space  (3)
sizes of the terms:  sum |p_i|,   sum |J_c w| + |r + R c| |p_i|     J_c about the centre of mass  (4)
"""

from typing import NamedTuple

from poinsot.core.jit import fused, jit
from poinsot.core.lie import mat3, sym3
from poinsot.core.lie.vec3 import ZERO, Vec3, add, axpy, cross, dot, scale, sub
from poinsot.core.numbers.arrays import Floats, Numbers, alike, typed, zero_in
from poinsot.core.numbers.functions import maximum, sqrt
from poinsot.core.tree.dynamics.kinematics import Frame, frames
from poinsot.core.tree.inertia import Mass
from poinsot.core.tree.joints.joint import ARMATURE
from poinsot.core.tree.records import TreeRecord
from poinsot.core.tree.workspace import frames_in, joints_in


class Totals(NamedTuple):
    """Sums over all bodies, in space."""

    kinetic: float
    potential: float  # of gravity
    linear: Vec3  # momentum
    angular: Vec3  # momentum about the origin of space
    mass: float
    first: Vec3  # mass times centre of mass
    linear_terms: float  # (4)
    angular_terms: float
    spin: float  # square of the largest angular velocity of a body


TOTALS = Totals(0.0, 0.0, ZERO, ZERO, 0.0, ZERO, 0.0, 0.0, 0.0)


@jit
def with_body(x: Totals, body: Mass, F: Frame, g: Vec3, rotor: float) -> Totals:
    """Totals with one more body, and the energy of the armature of its joint."""
    m, mc, J = body
    spin = add(sym3.apply(J, F.w), cross(mc, F.v))  # about its origin
    momentum = axpy(m, F.v, cross(F.w, mc))
    kinetic = 0.5 * (dot(F.w, spin) + dot(F.v, momentum))  # (1)
    first = axpy(m, F.r, mat3.apply(F.R, mc))
    p = mat3.apply(F.R, momentum)
    angular = add(mat3.apply(F.R, spin), cross(F.r, p))  # (3)
    c = scale(1.0 / m if m > 0.0 else 0.0, mc)
    own, arm = sub(spin, cross(c, momentum)), add(F.r, mat3.apply(F.R, c))
    size = sqrt(dot(momentum, momentum))
    return Totals(
        x.kinetic + (kinetic + rotor),
        x.potential - dot(g, first),
        add(x.linear, p),
        add(x.angular, angular),
        x.mass + m,
        add(x.first, first),
        x.linear_terms + size,  # (4)
        x.angular_terms + sqrt(dot(own, own)) + sqrt(dot(arm, arm)) * size,
        maximum(x.spin, dot(F.w, F.w)),
    )  # (2)


@fused
def totals(tree: TreeRecord, q: Numbers, v: Numbers, workspace: Floats) -> Totals:
    """Totals at the coordinates q and velocities v."""
    o = zero_in(q)
    frame = frames_in(workspace, tree.n, o)
    frames(tree, q, v, frame, joints_in(workspace, tree.n, o))
    x = typed(TOTALS, o)
    for i in range(1, tree.n + 1):
        rotor = o
        if tree.parameters[i][ARMATURE] != 0.0:
            for j in range(tree.v[i], tree.v[i] + tree.count[i]):
                rotor = rotor + 0.5 * tree.parameters[i][ARMATURE] * (v[j] * v[j])
        x = alike(x, with_body(x, tree.mass[i], frame[i], tree.gravity, rotor))
    return x
