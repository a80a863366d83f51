"""When the sweeps of an implicit method end: changes of the velocities, each relative to its own scale.

Velocities of a joint with the same unit (turning or sliding) have one scale s, in a step h with the
accelerations a,

    s^2 = max of v^2 + (h a)^2 over the joint + SLOWEST^2 times the largest one of this unit            (1)
    change = mean of (dv/s)^2                                                                       (2)

where a joint turns at least as fast as those that carry it.  So the same motion has the same sweeps in any
unit of time, length or mass, and slow joints are as accurate as fast ones.  Sweeps end when the error that is
left, change times the rate of contraction, is negligible, or when changes stop shrinking at ROUNDING.

If they stop before, it may still be rounding, which is not small for thin bodies, near an equilibrium, or far
from the origin; or the iteration diverges.  The kinetic energies T decide, which weigh the spin of a thin
body as little as the others feel it.  Sweeps end when the energy of the change stops shrinking and is below
that of the motion or of the noise in the accelerations,

    T(dv) < STALLED^2 T(v)   or   T(dv) < MARGIN^2 T(h a(t~, y~) - h a(t, y))                        (3)

for t~ and y~ a few last bits beside t and y.  An angle is not known better than to the last bit of one
radian, a length not better than to that of the size of the mechanism.
"""

import math
from typing import TypeAlias

from poinsot.core.jit import called, jit
from poinsot.core.lie import mat3, sym3
from poinsot.core.lie.vec3 import ZERO, add, axpy, cross, dot
from poinsot.core.numbers.arrays import Numbers, segment, zero_in
from poinsot.core.numbers.functions import maximum
from poinsot.core.tree.joints import table
from poinsot.core.tree.joints.joint import ARMATURE, Acceleration
from poinsot.core.tree.joints.units import FIRST_TURN, LENGTHS_Q, LENGTHS_V
from poinsot.core.tree.problem import TreeProblem, evaluate
from poinsot.core.tree.records import TreeRecord, joint_at, own_of, unpack
from poinsot.core.tree.workspace import workspace_in

NEGLIGIBLE = 1e-16  # relative error of the velocities at which the sweeps end
ROUNDING = 1e-12  # a change that stops shrinking below this is rounding
SLOWEST = 1e-3  # of (1): slower joints have the scale of this part of the fastest one
STALLED, MARGIN = 1e-11, 100.0  # of (3)
BITS = 2.0  # of (3): numbers change by so many last bits, or up to twice as many
EPS = 2.0**-52
TINY = 1e-290  # s^2 of a joint at rest
GOLDEN = 0.6180339887498949
Near: TypeAlias = tuple[Numbers, Numbers]  # workspace: a state beside another one, and its slope


@jit
def extent(tree: TreeRecord) -> float:
    """Size of the mechanism: its largest link or radius of gyration, or 0."""
    largest = 0.0
    for i in range(1, tree.n + 1):
        r, body = tree.placement[i].r, tree.mass[i]
        largest = max(largest, r[0] * r[0] + r[1] * r[1] + r[2] * r[2])
        if body.m > 0.0:
            largest = max(largest, (body.J[0] + body.J[3] + body.J[5]) / body.m)
    return math.sqrt(largest)


@jit
def shared(tree: TreeRecord, x: Numbers) -> tuple[float, float]:
    """Replace x by its maximum over each joint and unit; return the maxima of both units over all joints.
    Angular velocities include those of the joints that carry this one."""
    turning, sliding = zero_in(x), zero_in(x)
    for i in range(1, tree.n + 1):
        kind, b = tree.kind[i], tree.v[i]
        turn, slide, carrier = zero_in(x), zero_in(x), tree.parent[i]
        while carrier > 0 and FIRST_TURN[tree.kind[carrier]] < 0:
            carrier = tree.parent[carrier]
        if carrier > 0:
            turn = x[tree.v[carrier] + FIRST_TURN[tree.kind[carrier]]]
        for j in range(tree.count[i]):
            if LENGTHS_V[kind, j] > 0.0:
                slide = maximum(slide, x[b + j])
            else:
                turn = maximum(turn, x[b + j])
        for j in range(tree.count[i]):
            x[b + j] = slide if LENGTHS_V[kind, j] > 0.0 else turn
        turning, sliding = maximum(turning, turn), maximum(sliding, slide)
    return turning, sliding


@jit
def enlarge(tree: TreeRecord, x: Numbers, part: float) -> None:
    """Add this part of the largest one of its unit to each x, which `shared` has shared."""
    turning, sliding = shared(tree, x)
    for i in range(1, tree.n + 1):
        for j in range(tree.count[i]):
            largest = sliding if LENGTHS_V[tree.kind[i], j] > 0.0 else turning
            x[tree.v[i] + j] = x[tree.v[i] + j] + part * largest


@called
def weigh(p: TreeProblem, h: float, v: Numbers, a: Numbers, weight: Numbers) -> None:
    """weight = 1/s^2 of (1) for each velocity; those of equations without joints are on their own."""
    for j in range(p.nv):
        weight[j] = v[j] * v[j] + (h * a[j]) * (h * a[j])
    enlarge(unpack(p.model), weight, SLOWEST * SLOWEST)
    for j in range(p.nv):
        weight[j] = 1.0 / (weight[j] + TINY)


@jit
def change_of(p: TreeProblem, d: Numbers, weight: Numbers) -> float:
    """(2) of the changes d."""
    change = zero_in(d)
    for j in range(p.nv):
        change = change + d[j] * d[j] * weight[j]
    return change * (1.0 / p.nv)


@called
def energy(p: TreeProblem, y: Numbers, d: Numbers, weight: Numbers) -> float:
    """Twice the kinetic energy of the velocities d at the poses of the last evaluation of the field.
    Equations without joints have (2) instead."""
    tree, found = unpack(p.model), zero_in(d)
    if tree.n == 0:
        return change_of(p, d, weight)
    links, _, twists, joints, _, _, _ = workspace_in(p.model.workspace, tree.n, found)
    twists[0] = Acceleration(ZERO, ZERO)
    for i in range(1, tree.n + 1):
        link, base = links[i], twists[tree.parent[i]]
        joint = table.motion(joint_at(tree, i), y, d, own_of(joints, i))
        w = add(mat3.apply_t(link.R, base.alpha), joint[2])
        v = add(mat3.apply_t(link.R, add(base.a, cross(base.alpha, link.r))), joint[3])
        twists[i] = Acceleration(w, v)
        m, mc, J = tree.mass[i]
        for j in range(tree.v[i], tree.v[i] + tree.count[i]):
            found = found + tree.parameters[i][ARMATURE] * d[j] * d[j]
        found = found + dot(w, add(sym3.apply(J, w), cross(mc, v))) + dot(v, axpy(m, v, cross(w, mc)))
    return found


@jit
def bits(i: int) -> float:
    """Relative change of number i in (3), of either sign."""
    place = 2.0 * (i * GOLDEN - math.floor(i * GOLDEN)) - 1.0
    return BITS * EPS * (place + math.copysign(1.0, place))


@called
def rounding(
    p: TreeProblem, part: int, h: float, t: float, y: Numbers, f: Numbers, near: Near, weight: Numbers
) -> float:
    """Twice the bound of noise in (3), where f is this part of the field at (t, y)."""
    tree, (Y, F) = unpack(p.model), near
    length = extent(tree)
    for i in range(p.nq + p.nv + 1):
        Y[i] = y[i] + bits(i) * y[i]
    for b in range(1, tree.n + 1):
        for j in range((p.nq if b == tree.n else tree.q[b + 1]) - tree.q[b]):
            i = tree.q[b] + j
            unit = length if LENGTHS_Q[tree.kind[b], j] > 0.0 else 1.0
            Y[i] = y[i] + bits(i) * (abs(y[i]) + unit)
    evaluate(p, part, t + BITS * EPS * t, Y, F)
    a = segment(F, p.nq, p.nv)
    for j in range(p.nv):
        a[j] = (MARGIN * h) * (a[j] - f[p.nq + j])
    return energy(p, Y, a, weight)
