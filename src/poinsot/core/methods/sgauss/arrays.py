"""The memory and the workspace of a step of the symplectic Gauss methods, as arrays with names."""

from typing import NamedTuple

from poinsot.core.jit import jit
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.methods.sgauss import swing
from poinsot.core.methods.sgauss.passes import MASS, SIZE
from poinsot.core.methods.sgauss.stages import LANES, MOST, groups, stage_zero
from poinsot.core.numbers.arrays import Numbers, segment, views, zero_in
from poinsot.core.numbers.rows import get9
from poinsot.core.tree.kernel import ProblemSize
from poinsot.core.tree.problem import TreeProblem

HISTORY, THIN, RATE, HEAD = 0, 1, 2, 3  # in the memory: steps, thinnest body, contraction; then `StageMemory`


class StageStep(NamedTuple):
    """Everything that a step depends on."""

    p: TreeProblem
    t: float
    h: float
    y: Numbers
    memory: Numbers
    workspace: Numbers
    rows: Numbers  # coefficients of `stages`


class StageMemory(NamedTuple):
    """What a step knows of those before it."""

    p: Numbers
    p_carry: Numbers
    ends: Numbers  # velocities now and at the start of the last steps
    z: Numbers  # coordinates
    z_carry: Numbers
    e1: Numbers  # of stages: V minus its extrapolation, in the last step
    e2: Numbers  # in the one before
    e3: Numbers  # and before that
    axes: Numbers  # A of `chart`, for each body
    places: Numbers  # attitude of the joint frame in the parent
    twists: Numbers  # 1/inertia about the axis of the twist; zero for joints without one


class StageArrays(NamedTuple):
    """The workspace of a step: arrays of the stages, from `delta` on of the step."""

    tables: Numbers  # of the passes
    masses: Numbers
    x: Numbers  # (q, v, W) of the joints
    z: Numbers  # (z, v, W) of the method
    node: Numbers  # the same where the masses are
    places: Numbers
    charts: Numbers  # of ball joints at the stages
    node_charts: Numbers  # where the masses are
    theta: Numbers
    V: Numbers  # the unknowns
    V0: Numbers  # their extrapolation
    U: Numbers  # of the differences of `newton`, in place of V
    p: Numbers
    f: Numbers
    F: Numbers
    r: Numbers
    delta: Numbers
    J: Numbers
    pi: Numbers
    pi1: Numbers
    centre: Numbers
    ends: Numbers  # charts of ball joints at Delta/2
    right: Numbers  # of `newton`: right-hand side


def memory_counts(nq: int, nv: int, bodies: int, g: int) -> StageMemory:
    """Lengths of the arrays, in g groups of stages."""
    return StageMemory(nv, nv, MOST * nv, nq, nq, g * nv, g * nv, g * nv, 9 * bodies, 4 * bodies, bodies)


def array_counts(nq: int, nv: int, bodies: int, g: int) -> StageArrays:
    n, v, m, chart = g * (nq + nv + 1), g * nv, g * (bodies + 1), swing.SIZE * (bodies + 1)
    return StageArrays(
        SIZE * m, MASS * m, n, n, n, 4 * g * bodies, g * chart, g * chart, v, v, v, v, v, v, v, v,
        nv, nv, nv, nv, nq, chart, LANES * nv,
    )  # fmt: skip


def memory(shape: ProblemSize) -> int:
    return HEAD + sum(memory_counts(shape.nq, shape.nv, shape.bodies, LANES))


def workspace(shape: ProblemSize) -> int:
    return sum(array_counts(shape.nq, shape.nv, shape.bodies, LANES))


_memory, _arrays = jit(memory_counts), jit(array_counts)


@jit
def remembered(s: StageStep) -> StageMemory:
    o, x, p = zero_in(s.y), stage_zero(s.y), s.p
    likes = StageMemory(o, o, o, o, o, x, x, x, o, o, o)
    return views(s.memory, HEAD, likes, _memory(p.nq, p.nv, p.model.ints[0], groups(s.y)))


@jit
def axes(past: StageMemory, i: int) -> Mat3:
    """A of `chart` for body i."""
    return get9(past.axes, 9 * (i - 1))


@jit
def arrays(s: StageStep) -> StageArrays:
    o, x, p = zero_in(s.y), stage_zero(s.y), s.p
    likes = StageArrays(x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, o, o, o, o, o, o, o)
    return views(s.workspace, 0, likes, _arrays(p.nq, p.nv, p.model.ints[0], groups(s.y)))


@jit
def group(X: Numbers, k: int, n: int) -> Numbers:
    """Numbers of the stages of group k."""
    return segment(X, k * n, n)


@jit
def spread(s: StageStep) -> None:
    """Attitudes of the joint frames for all stages."""
    arr, past, n = arrays(s), remembered(s), 4 * s.p.model.ints[0]
    for k in range(groups(s.y)):
        places = group(arr.places, k, n)
        for i in range(n):
            places[i] = stage_zero(s.y) + past.places[i]
