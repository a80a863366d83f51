"""A mechanism as compiled laws see it: M dv/dt + f = B u, and the motion of its bodies and pairs.

With the pose (Q, a) of body b in link k, the twists x of both, and the columns S of the joint of link k,

    J = Ad((Q, a)^-1) S,      J' = Ad((Q, a)^-1) S' + ad_d J,      d = Ad((Q, a)^-1) x_k - x_b          (1)

of body b, and of a pair the motion of body b relative to a (`control.templates.motion_error`).  M and f come
from the compiled algorithms of the mechanism, whose calls are in the words of the law.

    ints      what `HEAD` says; link of each body; bodies a and b of each pair (-1: world); body of each input
              (-1: none); number and list (nv) of the velocities that move each pair
    numbers   axes and origin (12) of each body in its link; the pairs; unit forces (nv) and wrench (6) of
              each input; Z (rows, nu), b; then what the law adds
    words     the calls of inverse dynamics and of the mass matrix, which read and write the room
    room      t, q, v, f, M; then as `Places` says
"""

from typing import Any, NamedTuple

from numba import float64, int64, types

from poinsot.compile.functions.laws.pair_law import PAIR, Motion
from poinsot.compile.functions.laws.twists import ad, add, axpy, carried_back, dot, six, sub
from poinsot.core.call import call_from
from poinsot.core.jit import called, jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.numbers.arrays import alike, records, segment
from poinsot.core.numbers.dual4 import dual
from poinsot.core.numbers.rows import get3, get9, put3, put9
from poinsot.core.numbers.v4d import from_lanes, lane
from poinsot.core.tree.dynamics import states
from poinsot.core.tree.dynamics.kinematics import frames
from poinsot.core.tree.forces.table import force_type, user_type
from poinsot.core.tree.joints import table
from poinsot.core.tree.records import joint_at, unpack
from poinsot.core.tree.workspace import frames_in, joints_in

HEAD = 8
# OWN of the pairs are those of the template, SEEN of them have stiffness and come first; SPLIT of the words
KIND, NU, ROWS, BODIES, PAIRS, OWN, SEEN, SPLIT = range(HEAD)
WEIGHT = PAIR + 72  # numbers of a pair: those of `pair_law`; the unit matrix and the root of K (6, 6)
MOTION = 24  # numbers of a motion: pose, twist, bias
X = float64[::1]
INVERSE = types.FunctionType(
    int64(force_type(float64), user_type(float64), int64, X, X, X, X, X, X, X, *states.AFTER)
)
MASS = types.FunctionType(int64(int64, X, X, *states.AFTER))


class Places(NamedTuple):
    """Where things begin in the room of a law."""

    q: int
    v: int
    f: int
    M: int
    columns: int  # S and S' of each velocity, 12 numbers
    duals: int  # q with its rate
    rates: int  # dq/dt
    bodies: int  # of each: J and J' (12 numbers of each velocity), motion
    pairs: int  # the same


def places_of(nq: int, nv: int, bodies: int) -> Places:
    """Return the places in the room; t is at 0."""
    f = 1 + nq + nv
    columns = f + nv + nv * nv
    duals = columns + 12 * nv
    first = duals + 6 * nq
    each = 12 * nv + MOTION
    return Places(1, 1 + nq, f, f + nv, columns, duals, duals + 5 * nq, first, first + bodies * each)


def room_size(nq: int, nv: int, bodies: int, pairs: int) -> int:
    """Return the size of the room of a law."""
    return places_of(nq, nv, bodies).pairs + pairs * (12 * nv + MOTION)


places = jit(places_of)


@jit
def _put6(x: Any, k: int, a: Any) -> None:
    put3(x, k, a[0])
    put3(x, k + 3, a[1])


@jit
def motion_at(room: Any, k: int) -> Motion:
    """Return the motion of a body or a pair, whose numbers begin at k."""
    return Motion(get9(room, k), get3(room, k + 9), six(room, k + 12), six(room, k + 18))


@jit
def _store(room: Any, k: int, R: Any, r: Any, twist: Any) -> None:
    put9(room, k, R)
    put3(room, k + 9, r)
    _put6(room, k + 12, twist)


@called
def plant(words: Any, split: int, t: float, q: Any, v: Any, room: Any) -> bool:
    """Write f and M to the room; return whether the state is valid."""
    room[0] = t
    for i in range(q.size):
        room[1 + i] = q[i]
    for i in range(v.size):
        room[1 + q.size + i] = v[i]
    valid: bool = call_from(segment(words, 0, split), INVERSE) < 0
    return call_from(segment(words, split, words.size - split), MASS) < 0 and valid


@called
def _columns(tree: Any, q: Any, v: Any, room: Any, at: Places) -> None:
    """Write the columns of all joints and their rates to the room."""
    rate = segment(room, at.rates, tree.nq)
    duals = records(room, at.duals, tree.nq, dual(0.0, from_lanes(0.0, 0.0, 0.0, 0.0)))
    for i in range(1, tree.n + 1):
        table.rate(joint_at(tree, i), q, v, rate)
    for i in range(tree.nq):
        duals[i] = dual(q[i], from_lanes(rate[i], 0.0, 0.0, 0.0))
    zero = dual(0.0, from_lanes(0.0, 0.0, 0.0, 0.0))
    zeros = zero, zero, zero
    for i in range(1, tree.n + 1):
        for j in range(tree.count[i]):
            w, u = alike((zeros, zeros), table.column(joint_at(tree, i), duals, j))
            k = at.columns + 12 * (tree.v[i] + j)
            for c in range(3):
                x, y = w[c], u[c]
                room[k + c], room[k + 3 + c] = x.value, y.value
                room[k + 6 + c], room[k + 9 + c] = lane(x.tangent, 0), lane(y.tangent, 0)


@called
def bodies(model: Any, ints: Any, x: Any, q: Any, v: Any, room: Any) -> None:
    """Write the motions of all bodies of the law to the room, equation (1)."""
    tree = unpack(model)
    at, nv = places(tree.nq, tree.nv, ints[BODIES]), tree.nv
    frame, joints = frames_in(model.workspace, tree.n, 0.0), joints_in(model.workspace, tree.n, 0.0)
    frames(tree, q, v, frame, joints)
    _columns(tree, q, v, room, at)
    for number in range(ints[BODIES]):
        k, J = ints[HEAD + number], at.bodies + number * (12 * nv + MOTION)
        B, origin, F = get9(x, 12 * number), get3(x, 12 * number + 9), frame[ints[HEAD + number]]
        R, r = mat3.mul(F.R, B), vec3.add(F.r, mat3.apply(F.R, origin))
        twist = carried_back(B, origin, (F.w, F.v))
        _store(room, J + 12 * nv, R, r, twist)
        for i in range(12 * nv):
            room[J + i] = 0.0
        while k > 0:
            F = frame[k]
            Q, arm = mat3.mul(mat3.transpose(F.R), R), mat3.apply_t(F.R, vec3.sub(r, F.r))
            d = sub(carried_back(Q, arm, (F.w, F.v)), twist)
            for i in range(tree.v[k], tree.v[k] + tree.count[k]):
                S = at.columns + 12 * i
                column = carried_back(Q, arm, six(room, S))
                _put6(room, J + 12 * i, column)
                _put6(room, J + 12 * i + 6, add(ad(d, column), carried_back(Q, arm, six(room, S + 6))))  # (1)
            k = tree.parent[k]


@jit
def moving(ints: Any, nv: int, number: int) -> Any:
    """Return the velocities that move a pair: all others have no column in its J, which stays zero."""
    k = HEAD + ints[BODIES] + 2 * ints[PAIRS] + ints[NU] + number * (nv + 1)
    return segment(ints, k + 1, ints[k])


@called
def pairs(ints: Any, nv: int, v: Any, room: Any, at: Places) -> None:
    """Write the motions of all pairs to the room."""
    each, first = 12 * nv + MOTION, HEAD + ints[BODIES]
    for number in range(ints[PAIRS]):
        a, b = ints[first + 2 * number], at.bodies + each * ints[first + 2 * number + 1]
        J, here, active = at.pairs + each * number, motion_at(room, b + 12 * nv), moving(ints, nv, number)
        bias = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        R, r, twist = here.R, here.r, here.twist
        if a >= 0:
            a = at.bodies + each * a
            base = motion_at(room, a + 12 * nv)
            R = mat3.mul(mat3.transpose(base.R), here.R)
            r = mat3.apply_t(base.R, vec3.sub(here.r, base.r))
            twist = sub(here.twist, carried_back(R, r, base.twist))
        for n in range(active.size):
            i = 12 * active[n]
            column, rate = six(room, b + i), six(room, b + i + 6)
            if a >= 0:
                P = carried_back(R, r, six(room, a + i))
                column = sub(column, P)
                rate = add(sub(rate, carried_back(R, r, six(room, a + i + 6))), ad(twist, P))
            _put6(room, J + i, column)
            _put6(room, J + i + 6, rate)
            bias = axpy(v[active[n]], rate, bias)
        _store(room, J + 12 * nv, R, r, twist)
        _put6(room, J + 12 * nv + 18, bias)


@called
def input_matrix(ints: Any, x: Any, nv: int, room: Any, at: Places, B: Any) -> None:
    """Write the input matrix to B (nv, nu)."""
    first = 12 * ints[BODIES] + WEIGHT * ints[PAIRS]
    for j in range(ints[NU]):
        k = first + (nv + 6) * j
        body = ints[HEAD + ints[BODIES] + 2 * ints[PAIRS] + j]
        for i in range(nv):
            B[i, j] = x[k + i]
            if body >= 0:
                B[i, j] += dot(x, k + nv, six(room, at.bodies + body * (12 * nv + MOTION) + 12 * i))


@jit
def limits_place(ints: Any, nv: int) -> int:
    """Return where the limits begin in the numbers."""
    place: int = 12 * ints[BODIES] + WEIGHT * ints[PAIRS] + (nv + 6) * ints[NU]
    return place
