"""A mechanism as laws see it: M dv/dt + f = B u, and the motion of its bodies and pairs.

With the pose (Q, a) of body b in link k, the twists x of both, and the columns S of the joint of link k,

    J = Ad((Q, a)^-1) S,      J' = Ad((Q, a)^-1) S' + ad_d J,      d = Ad((Q, a)^-1) x_k - x_b          (1)

of body b, and of a pair the motion of body b relative to a, with P = Ad(G^-1) of its pose G,

    J = J_b - P J_a,          J' = J_b' - P J_a' + ad_x P J_a                                           (2)
"""

from typing import Any

from poinsot.core.control.least_constraint import finite
from poinsot.core.control.pairs import dot
from poinsot.core.control.records import COLUMN, ZERO, MovingColumn, PairMotion, PlantFunctions, PlantLaw
from poinsot.core.jit import called, jit
from poinsot.core.lie import mat3, se3, vec3
from poinsot.core.lie.se3 import Twist
from poinsot.core.numbers.arrays import Floats, alike, segment
from poinsot.core.numbers.dual4 import dual
from poinsot.core.numbers.v4d import from_lanes, lane
from poinsot.core.tree.dynamics.kinematics import frames
from poinsot.core.tree.joints import table
from poinsot.core.tree.records import Model, TreeRecord, joint_at
from poinsot.core.tree.records import unpack as unpack_tree
from poinsot.core.tree.workspace import frames_in, joints_in


@called
def mechanics(x: PlantLaw, t: float, q: Floats, v: Floats, model: Model, plant: PlantFunctions) -> bool:
    """Write M and f to the workspace; return whether the state is finite."""
    if not (finite(q) and finite(v)):
        return False
    x.time[0] = t
    nothing = segment(q, 0, 0)
    force, user, scratch = plant.force, plant.user, x.scratch
    plant.inverse(force, user, 1, x.time, q, v, nothing, nothing, x.f, nothing, model, scratch)
    plant.mass(1, q, x.M, model, scratch)
    for i in range(v.size):
        x.f[i] -= x.expected[i]
    return True


@called
def _columns(x: PlantLaw, tree: TreeRecord, q: Floats, v: Floats) -> None:
    """Write the columns of all joints and their rates to the workspace."""
    zero = dual(0.0, from_lanes(0.0, 0.0, 0.0, 0.0))
    zeros = zero, zero, zero
    for i in range(1, tree.n + 1):
        table.rate(joint_at(tree, i), q, v, x.rates)
    for i in range(tree.nq):
        x.duals[i] = dual(q[i], from_lanes(x.rates[i], 0.0, 0.0, 0.0))
    for i in range(1, tree.n + 1):
        for j in range(tree.count[i]):
            w, u = alike((zeros, zeros), table.column(joint_at(tree, i), x.duals, j))
            (a, b, c), (d, e, f) = w, u
            value = (a.value, b.value, c.value), (d.value, e.value, f.value)
            turn = lane(a.tangent, 0), lane(b.tangent, 0), lane(c.tangent, 0)
            rate = turn, (lane(d.tangent, 0), lane(e.tangent, 0), lane(f.tangent, 0))
            x.column[tree.v[i] + j] = MovingColumn(value, rate)


@called
def bodies(x: PlantLaw, q: Floats, v: Floats, model: Model) -> None:
    """Write the motions of all bodies of the law to the workspace, equation (1)."""
    tree = unpack_tree(model)
    nv = tree.nv
    frame, joints = frames_in(model.workspace, tree.n, 0.0), joints_in(model.workspace, tree.n, 0.0)
    frames(tree, q, v, frame, joints)
    _columns(x, tree, q, v)
    for number in range(x.link.size):
        k, J = x.link[number], number * nv
        at, F = x.placement[number], frame[k]
        R, r = mat3.mul(F.R, at.R), vec3.add(F.r, mat3.apply(F.R, at.r))
        twist = se3.Ad_inverse((at.R, at.r), (F.w, F.v))
        x.motion[number] = PairMotion(R, r, twist, ZERO)
        for i in range(nv):
            x.jacobian[J + i] = COLUMN
        while k > 0:
            F = frame[k]
            G = mat3.mul(mat3.transpose(F.R), R), mat3.apply_t(F.R, vec3.sub(r, F.r))
            d = se3.sub(se3.Ad_inverse(G, (F.w, F.v)), twist)
            for i in range(tree.v[k], tree.v[k] + tree.count[k]):
                S = x.column[i]
                column = se3.Ad_inverse(G, S.x)
                x.jacobian[J + i] = MovingColumn(
                    column, se3.add(se3.ad(d, column), se3.Ad_inverse(G, S.rate))
                )
            k = tree.parent[k]


@jit
def moving(x: PlantLaw, nv: int, number: int) -> Any:
    """The velocities that move a pair: all others have no column in its J, which stays zero."""
    k = number * (nv + 1)
    return segment(x.moving, k + 1, x.moving[k])


@called
def pairs(x: PlantLaw, v: Floats) -> None:
    """Write the motions of all pairs to the workspace, equation (2)."""
    nv, first = v.size, x.link.size
    for number in range(x.ends.size // 2):
        a, b = x.ends[2 * number], x.ends[2 * number + 1]
        J, here, active = (first + number) * nv, x.motion[b], moving(x, nv, number)
        R, r, twist, bias = here.R, here.r, here.twist, ZERO
        if a >= 0:
            base = x.motion[a]
            R = mat3.mul(mat3.transpose(base.R), here.R)
            r = mat3.apply_t(base.R, vec3.sub(here.r, base.r))
            twist = se3.sub(here.twist, se3.Ad_inverse((R, r), base.twist))
        for n in range(active.size):
            i = active[n]
            at = x.jacobian[b * nv + i]
            column, rate = at.x, at.rate
            if a >= 0:
                other = x.jacobian[a * nv + i]
                P = se3.Ad_inverse((R, r), other.x)
                column = se3.sub(column, P)
                rate = se3.add(se3.sub(rate, se3.Ad_inverse((R, r), other.rate)), se3.ad(twist, P))
            x.jacobian[J + i] = MovingColumn(column, rate)
            bias = se3.axpy_twist(v[i], rate, bias)
        x.motion[first + number] = PairMotion(R, r, twist, bias)


@jit
def along(x: PlantLaw, number: int, y: Floats) -> Twist:
    """J y of a body or pair."""
    total = ZERO
    for i in range(y.size):
        total = se3.axpy_twist(y[i], x.jacobian[number * y.size + i].x, total)
    return total


@jit
def rate_along(x: PlantLaw, number: int, y: Floats) -> Twist:
    """J' y of a body or pair."""
    total = ZERO
    for i in range(y.size):
        total = se3.axpy_twist(y[i], x.jacobian[number * y.size + i].rate, total)
    return total


@called
def input_matrix(x: PlantLaw, nv: int, nu: int) -> Any:
    """Write the input matrix to the workspace, and return it as a matrix (nv, nu)."""
    B = x.B.reshape((nv, nu))
    for j in range(nu):
        for i in range(nv):
            B[i, j] = x.unit[j * nv + i]
            if x.on[j] >= 0:
                B[i, j] += dot(x.wrench[j], x.jacobian[x.on[j] * nv + i].x)
    return B
