"""The memory and the workspace of a step of the symplectic Gauss methods, as arrays with names."""

from typing import NamedTuple

from poinsot.core.jit import jit
from poinsot.core.lie.vec3 import Vec3
from poinsot.core.methods.sgauss.passes import MASS, SIZE
from poinsot.core.methods.sgauss.stages import LANES, MOST, groups, stage_numbers, stage_zero
from poinsot.core.numbers.arrays import Numbers, segment
from poinsot.core.numbers.rows import get3
from poinsot.core.tree.kernel import Shape
from poinsot.core.tree.problem import Problem

HISTORY, HEAD = 0, 1  # in the memory: number of past steps, then the arrays of `Memory`
OF_STAGE, OF_STEP = 9, 5  # arrays of nv numbers: of each stage, and of the step


def memory(shape: Shape) -> int:
    return HEAD + (2 + MOST + 2 * LANES) * shape.nv + 2 * shape.nq + 7 * shape.bodies


def workspace(shape: Shape) -> int:
    stage = (SIZE + MASS) * (shape.bodies + 1) + 3 * shape.n + 4 * shape.bodies + OF_STAGE * shape.nv
    return LANES * stage + OF_STEP * shape.nv + shape.nq


class Memory(NamedTuple):
    """What a step knows of those before it."""

    p: Numbers
    p_carry: Numbers
    ends: Numbers  # velocities now and at the start of the last steps
    z: Numbers  # coordinates
    z_carry: Numbers
    e1: Numbers  # V minus its extrapolation, in the last step
    e2: Numbers  # and in the one before
    axes: Numbers  # of the twists: e of `chart`, for each body
    places: Numbers  # attitude of the joint frame in the parent


class Arrays(NamedTuple):
    """The workspace of a step."""

    tables: Numbers  # of the passes, for each stage
    masses: Numbers
    x: Numbers  # (q, v, W) of the joints
    z: Numbers  # (z, v, W) of the method
    node: Numbers  # the same where the masses are
    places: Numbers
    theta: Numbers
    node_theta: Numbers
    V: Numbers  # the unknowns
    V0: Numbers  # their extrapolation
    U: Numbers  # V at the quadrature nodes
    p: Numbers
    f: Numbers
    F: Numbers
    r: Numbers
    delta: Numbers  # of the step
    J: Numbers
    p1: Numbers
    pi: Numbers
    pi1: Numbers
    centre: Numbers


@jit
def remembered(p: Problem, memory: Numbers) -> Memory:
    nq, nv, bodies = p.nq, p.nv, p.model.ints[0]
    a = HEAD + (2 + MOST) * nv
    b = a + 2 * nq
    c = b + 2 * LANES * nv
    return Memory(
        segment(memory, HEAD, nv),
        segment(memory, HEAD + nv, nv),
        segment(memory, HEAD + 2 * nv, MOST * nv),
        segment(memory, a, nq),
        segment(memory, a + nq, nq),
        stage_numbers(memory, b, nv, memory),
        stage_numbers(memory, b + LANES * nv, nv, memory),
        segment(memory, c, 3 * bodies),
        segment(memory, c + 3 * bodies, 4 * bodies),
    )


@jit
def axis(past: Memory, i: int) -> Vec3:
    """Axis e of the twist of body i."""
    return get3(past.axes, 3 * (i - 1))


@jit
def arrays(p: Problem, space: Numbers) -> Arrays:
    n, nv, bodies = p.nq + p.nv + 1, p.nv, p.model.ints[0] + 1
    a = LANES * SIZE * bodies
    b = a + LANES * MASS * bodies
    c, m = b + LANES * (3 * n + 4 * (bodies - 1)), LANES * nv
    e = c + OF_STAGE * m
    return Arrays(
        stage_numbers(space, 0, SIZE * bodies, space),
        stage_numbers(space, a, MASS * bodies, space),
        stage_numbers(space, b, n, space),
        stage_numbers(space, b + LANES * n, n, space),
        stage_numbers(space, b + LANES * 2 * n, n, space),
        stage_numbers(space, b + LANES * 3 * n, 4 * (bodies - 1), space),
        stage_numbers(space, c, nv, space),
        stage_numbers(space, c + m, nv, space),
        stage_numbers(space, c + 2 * m, nv, space),
        stage_numbers(space, c + 3 * m, nv, space),
        stage_numbers(space, c + 4 * m, nv, space),
        stage_numbers(space, c + 5 * m, nv, space),
        stage_numbers(space, c + 6 * m, nv, space),
        stage_numbers(space, c + 7 * m, nv, space),
        stage_numbers(space, c + 8 * m, nv, space),
        segment(space, e, nv),
        segment(space, e + nv, nv),
        segment(space, e + 2 * nv, nv),
        segment(space, e + 3 * nv, nv),
        segment(space, e + 4 * nv, nv),
        segment(space, e + 5 * nv, p.nq),
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
