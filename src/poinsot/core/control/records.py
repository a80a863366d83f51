"""The data and the workspace of a law in flat arrays, and views of them as records.

    ints      kind of the law, rows of its limits; of a law with a plant also the number of its bodies, of its
              pairs, of those of the template, and of those with stiffness (they come first); then the link of
              each body, bodies a and b of each pair (-1: world), body of each input (-1: none), and for each
              pair how many velocities move it, and which (nv)
    numbers   placement of each body in its link; pairs; unit forces (nv) of each input, its wrench; limits;
              what the law adds: factors of the metric (nv) or nothing, or two gains (nv, nv)
    limits    Z (rows, nu) and b of Z u <= b; smallest and largest value of each input; cosine and sine of the
              largest tilt of a tilting rotor, zero for other inputs

Python packs what `unpack` views; every law has the arguments

    decide(reference, q, v, u, tau, law, model[, plant]) -> DECIDED, or what is wrong

and writes its inputs u, and the joint forces B u to tau unless tau is empty.  `reference` is the time, then
what the law knows of its reference there: a sample.
"""

from typing import Any, NamedTuple

from numba import float64, int64, types

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.se3 import Pose, Twist
from poinsot.core.lie.vec3 import Vec3
from poinsot.core.numbers.arrays import Floats, Records, doubles_in, flat, records, segment
from poinsot.core.numbers.dual4 import dual
from poinsot.core.numbers.v4d import from_lanes
from poinsot.core.tree.dynamics import states
from poinsot.core.tree.forces.table import force_type, user_type
from poinsot.core.tree.records import MODEL, Placement

DECIDED, NOT_FINITE = 1, 0
NOT_DEFINITE, SINGULAR_PLANT, EXCLUDED, ENDLESS, NO_MAP, FREE_VELOCITY, IRREGULAR, OUTSIDE = range(-1, -9, -1)
HEAD = 6  # ints before the lists
X, I = float64[::1], int64[::1]


class Law(NamedTuple):
    """Data and workspace of a law: an argument of every entry."""

    ints: Any
    numbers: Floats
    workspace: Floats


class PlantFunctions(NamedTuple):
    """The compiled algorithms of the mechanism of a law, and its forces."""

    inverse: Any  # `states.inverses`
    mass: Any  # `states.masses`
    force: Any
    user: Any


INVERSE = types.FunctionType(
    int64(force_type(float64), user_type(float64), int64, X, X, X, X, X, X, X, *states.AFTER)
)
MASS = types.FunctionType(int64(int64, X, X, *states.AFTER))
LAW = types.NamedTuple((I, X, X), Law)
PLANT = types.NamedTuple((INVERSE, MASS, force_type(float64), user_type(float64)), PlantFunctions)
PLAIN_LAW = int64(X, X, X, X, X, LAW, MODEL)
PLANT_LAW = int64(X, X, X, X, X, LAW, MODEL, PLANT)
REFERENCE_WORD, Q_WORD, V_WORD, U_WORD, TAU_WORD = range(2, 12, 2)  # in the block of a call (`core.call`)


class Moments(NamedTuple):
    """A 4x4 matrix of moments [[A, c], [c^T, m]]."""

    A: Mat3
    c: Vec3
    m: float


class PairData(NamedTuple):
    """What a template has between two bodies; `root` is W with W^T W = Vee(stiffness)."""

    inertia: Moments
    damping: Moments
    stiffness: Moments
    M: Any  # Vee(inertia), six rows
    D: Any  # Vee(damping)
    center: Vec3  # of stiffness
    root: Any


class ReferencePose(NamedTuple):
    """Pose of a reference, with two derivatives by the time."""

    pose: Pose
    rate: Pose
    second: Pose


class PairMotion(NamedTuple):
    """Motion of a body or a pair: pose, twist and rate of the twist at zero acceleration."""

    R: Mat3
    r: Vec3
    twist: Twist
    bias: Twist


class MovingColumn(NamedTuple):
    """A column of a Jacobian, and its rate."""

    x: Twist
    rate: Twist


class Limits(NamedTuple):
    """Limits Z u <= b, and low <= u <= high; a tilting rotor has two numbers, and its largest tilt."""

    Z: Floats  # (rows, nu)
    b: Floats
    low: Floats
    high: Floats
    tilt: Floats  # its cosine and sine, of others zero


ZERO: Twist = (vec3.ZERO, vec3.ZERO)
MATRIX6 = ZERO, ZERO, ZERO, ZERO, ZERO, ZERO
MOMENTS = Moments(mat3.ZERO, vec3.ZERO, 0.0)
PAIR = PairData(MOMENTS, MOMENTS, MOMENTS, MATRIX6, MATRIX6, vec3.ZERO, MATRIX6)
REFERENCE = ReferencePose((mat3.ZERO, vec3.ZERO), (mat3.ZERO, vec3.ZERO), (mat3.ZERO, vec3.ZERO))
MOTION, COLUMN = PairMotion(mat3.ZERO, vec3.ZERO, ZERO, ZERO), MovingColumn(ZERO, ZERO)
PLACEMENT = Placement(mat3.ZERO, vec3.ZERO)
SAMPLE = len(flat(REFERENCE))  # numbers of the reference of a pair
DUAL = 5  # doubles


@jit
def take(x: Floats, k: int, count: int, like: Any) -> Any:
    """`count` records from x[k] on, and the place after them."""
    return records(x, k, count, like), k + count * doubles_in(like)


@jit
def limits_at(x: Floats, k: int, rows: int, nu: int) -> Any:
    """The limits that begin at x[k], and the place after them."""
    Z, k = take(x, k, rows * nu, 0.0)
    b, k = take(x, k, rows, 0.0)
    low, k = take(x, k, nu, 0.0)
    high, k = take(x, k, nu, 0.0)
    tilt, k = take(x, k, nu, 0.0)
    return Limits(Z, b, low, high, tilt), k


class PlantLaw(NamedTuple):
    """View of a law that needs the mechanics of its mechanism."""

    kind: int
    own: int  # pairs of the template
    seen: int  # of them with stiffness
    link: Any
    ends: Any
    on: Any
    moving: Any
    placement: Records
    pair: Records
    unit: Floats
    wrench: Records
    limits: Limits
    more: Floats
    time: Floats  # from here on workspace
    f: Floats
    expected: Floats  # joint forces besides those of the mechanism
    M: Floats
    B: Floats
    wanted_mass: Floats  # of the template
    wanted_force: Floats
    error: Floats  # in the velocities
    active: Floats  # 1 for rows of the limits that hold with equality
    rates: Floats  # dq/dt
    duals: Records  # q with its rate
    column: Records  # of each velocity in its link
    motion: Records  # of the bodies, then of the pairs
    jacobian: Records  # (bodies + pairs, nv)
    scratch: Floats


@jit
def unpack(law: Law, nq: int, nv: int, nu: int) -> PlantLaw:
    """View of a law with a plant."""
    ints, x, w = law.ints, law.numbers, law.workspace
    rows, bodies, pairs = ints[1], ints[2], ints[3]
    moved = HEAD + bodies + 2 * pairs + nu
    placement, k = take(x, 0, bodies, PLACEMENT)
    pair, k = take(x, k, pairs, PAIR)
    unit, k = take(x, k, nu * nv, 0.0)
    wrench, k = take(x, k, nu, ZERO)
    limits, k = limits_at(x, k, rows, nu)
    time, j = take(w, 0, 1, 0.0)
    f, j = take(w, j, nv, 0.0)
    expected, j = take(w, j, nv, 0.0)
    M, j = take(w, j, nv * nv, 0.0)
    B, j = take(w, j, nv * nu, 0.0)
    wanted_mass, j = take(w, j, nv * nv, 0.0)
    wanted_force, j = take(w, j, nv, 0.0)
    error, j = take(w, j, nv, 0.0)
    active, j = take(w, j, rows, 0.0)
    rates, j = take(w, j, nq, 0.0)
    duals = records(w, j, nq, dual(0.0, from_lanes(0.0, 0.0, 0.0, 0.0)))
    column, j = take(w, j + DUAL * nq, nv, COLUMN)
    motion, j = take(w, j, bodies + pairs, MOTION)
    jacobian, j = take(w, j, (bodies + pairs) * nv, COLUMN)
    return PlantLaw(
        ints[0],
        ints[4],
        ints[5],
        segment(ints, HEAD, bodies),
        segment(ints, HEAD + bodies, 2 * pairs),
        segment(ints, HEAD + bodies + 2 * pairs, nu),
        segment(ints, moved, pairs * (nv + 1)),
        placement,
        pair,
        unit,
        wrench,
        limits,
        segment(x, k, x.size - k),
        time,
        f,
        expected,
        M,
        B,
        wanted_mass,
        wanted_force,
        error,
        active,
        rates,
        duals,
        column,
        motion,
        jacobian,
        segment(w, j, w.size - j),
    )


class Work(NamedTuple):
    """Places in the workspace of a law with a plant that Python reads and writes."""

    f: slice
    expected: slice
    M: slice
    B: slice
    wanted_mass: slice
    wanted_force: slice
    error: slice
    active: slice


def work_places(nv: int, nu: int, rows: int) -> Work:
    """Return the places in the order of `unpack`."""
    ends, found = 1, []
    for size in (nv, nv, nv * nv, nv * nu, nv * nv, nv, nv, rows):
        found.append(slice(ends, ends + size))
        ends += size
    return Work(*found)


def workspace_size(nq: int, nv: int, nu: int, rows: int, count: int, links: int) -> int:
    """Return the size of the workspace; `count` is the number of bodies and pairs."""
    each = len(flat(MOTION)) + nv * len(flat(COLUMN))
    before = work_places(nv, nu, rows).active.stop + (1 + DUAL) * nq + nv * len(flat(COLUMN))
    return before + count * each + states.scratch_size(nq, nv, links, 1)
