"""The memory and the workspace of a step of the symplectic Gauss methods, as arrays with names."""

from typing import NamedTuple

from poinsot.core.jit import jit
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.methods.sgauss import swing
from poinsot.core.methods.sgauss.passes import MASS, SIZE
from poinsot.core.methods.sgauss.stages import LANES, MOST, groups, stage_numbers, stage_zero
from poinsot.core.numbers.arrays import Numbers, segment
from poinsot.core.numbers.rows import get9
from poinsot.core.tree.kernel import Shape
from poinsot.core.tree.problem import Problem

HISTORY, THIN, RATE, HEAD = 0, 1, 2, 3  # in the memory: steps, thinnest body, contraction; then `Memory`
OF_STAGE, OF_STEP = 8, 4  # arrays of nv numbers: of each stage, and of the step


def memory(shape: Shape) -> int:
    return HEAD + (2 + MOST + 3 * LANES) * shape.nv + 2 * shape.nq + 14 * shape.bodies


def workspace(shape: Shape) -> int:
    bodies = shape.bodies + 1
    stage = (SIZE + MASS + 2 * swing.SIZE + 4) * bodies + 3 * shape.n + OF_STAGE * shape.nv
    return LANES * stage + OF_STEP * shape.nv + shape.nq + swing.SIZE * bodies


class Memory(NamedTuple):
    """What a step knows of those before it."""

    p: Numbers
    p_carry: Numbers
    ends: Numbers  # velocities now and at the start of the last steps
    z: Numbers  # coordinates
    z_carry: Numbers
    e1: Numbers  # V minus its extrapolation, in the last step
    e2: Numbers  # in the one before
    e3: Numbers  # and before that
    axes: Numbers  # A of `chart`, for each body
    places: Numbers  # attitude of the joint frame in the parent
    twists: Numbers  # 1/inertia about the axis of the twist; zero for joints without one


class Arrays(NamedTuple):
    """The workspace of a step."""

    tables: Numbers  # of the passes, for each stage
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
    delta: Numbers  # of the step
    J: Numbers
    pi: Numbers
    pi1: Numbers
    centre: Numbers
    ends: Numbers  # charts of ball joints at Delta/2


@jit
def remembered(p: Problem, memory: Numbers) -> Memory:
    nq, nv, bodies = p.nq, p.nv, p.model.ints[0]
    a = HEAD + (2 + MOST) * nv
    b = a + 2 * nq
    c = b + 3 * LANES * nv
    return Memory(
        segment(memory, HEAD, nv),
        segment(memory, HEAD + nv, nv),
        segment(memory, HEAD + 2 * nv, MOST * nv),
        segment(memory, a, nq),
        segment(memory, a + nq, nq),
        stage_numbers(memory, b, nv, memory),
        stage_numbers(memory, b + LANES * nv, nv, memory),
        stage_numbers(memory, b + 2 * LANES * nv, nv, memory),
        segment(memory, c, 9 * bodies),
        segment(memory, c + 9 * bodies, 4 * bodies),
        segment(memory, c + 13 * bodies, bodies),
    )


@jit
def axes(past: Memory, i: int) -> Mat3:
    """A of `chart` for body i."""
    return get9(past.axes, 9 * (i - 1))


@jit
def arrays(p: Problem, space: Numbers) -> Arrays:
    n, nv, bodies = p.nq + p.nv + 1, p.nv, p.model.ints[0] + 1
    a = LANES * SIZE * bodies
    b = a + LANES * MASS * bodies
    c = b + 3 * LANES * n
    d = c + LANES * 4 * bodies
    e, m = d + 2 * LANES * swing.SIZE * bodies, LANES * nv
    f = e + OF_STAGE * m
    return Arrays(
        stage_numbers(space, 0, SIZE * bodies, space),
        stage_numbers(space, a, MASS * bodies, space),
        stage_numbers(space, b, n, space),
        stage_numbers(space, b + LANES * n, n, space),
        stage_numbers(space, b + 2 * LANES * n, n, space),
        stage_numbers(space, c, 4 * (bodies - 1), space),
        stage_numbers(space, d, swing.SIZE * bodies, space),
        stage_numbers(space, d + LANES * swing.SIZE * bodies, swing.SIZE * bodies, space),
        stage_numbers(space, e, nv, space),
        stage_numbers(space, e + m, nv, space),
        stage_numbers(space, e + 2 * m, nv, space),
        stage_numbers(space, e + 3 * m, nv, space),
        stage_numbers(space, e + 4 * m, nv, space),
        stage_numbers(space, e + 5 * m, nv, space),
        stage_numbers(space, e + 6 * m, nv, space),
        stage_numbers(space, e + 7 * m, nv, space),
        segment(space, f, nv),
        segment(space, f + nv, nv),
        segment(space, f + 2 * nv, nv),
        segment(space, f + 3 * nv, nv),
        segment(space, f + 4 * nv, p.nq),
        segment(space, f + 4 * nv + p.nq, swing.SIZE * bodies),
    )


@jit
def group(X: Numbers, k: int, n: int) -> Numbers:
    """Numbers of the stages of group k."""
    return segment(X, k * n, n)


@jit
def spread(p: Problem, past: Memory, arr: Arrays, y: Numbers) -> None:
    """Attitudes of the joint frames for all stages."""
    for k in range(groups(y)):
        places = group(arr.places, k, 4 * p.model.ints[0])
        for i in range(4 * p.model.ints[0]):
            places[i] = stage_zero(y) + past.places[i]
