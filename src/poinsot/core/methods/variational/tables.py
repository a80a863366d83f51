"""The workspace of a step: tables of the bodies, arrays of the equations, of loops and of a dense matrix."""

from typing import NamedTuple

from poinsot.core.jit import jit
from poinsot.core.lie import mat3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.quaternion import Quaternion
from poinsot.core.lie.vec3 import ZERO, Vec3
from poinsot.core.methods.variational.block import BLOCK
from poinsot.core.methods.variational.kinetic import ENDS
from poinsot.core.methods.variational.pivots import OWN
from poinsot.core.numbers.arrays import Numbers, Records, flat, segment, segments, typed, views, zero_in
from poinsot.core.tree.dynamics.kinematics import WRENCH
from poinsot.core.tree.kernel import ProblemSize
from poinsot.core.tree.problem import TreeProblem
from poinsot.core.tree.records import Model, TreeRecord, unpack


class Pose(NamedTuple):
    """Pose of a body in its parent."""

    R: Mat3
    r: Vec3


class Displacement(NamedTuple):
    """Displacement of a body in the step."""

    Q: Quaternion
    d: Vec3


class Twist(NamedTuple):
    w: Vec3
    v: Vec3


class Site(NamedTuple):
    """A model and the workspace of its passes."""

    model: Model
    workspace: Numbers


class StepTables(NamedTuple):
    """Arrays with an entry for each body, the world included."""

    before: Records  # Pose
    after: Records  # Pose
    displacement: Records  # Displacement
    ends: Records  # Ends
    block: Records  # Block
    wrench: Records  # Wrench
    twist: Records  # Twist
    own: Numbers  # workspace of the joints: OWN numbers each


BEFORE, AFTER = 0, 1  # the sides of a step
WRENCHES = 12  # numbers of the two wrenches of a constraint
POSE, DISPLACEMENT, TWIST = Pose(mat3.ZERO, ZERO), Displacement((0.0, 0.0, 0.0, 0.0), ZERO), Twist(ZERO, ZERO)
TABLES = StepTables(POSE, POSE, DISPLACEMENT, ENDS, BLOCK, WRENCH, TWIST, 0.0)
SIZE = len(flat(TABLES)) - 1 + OWN


@jit
def tables(workspace: Numbers, n: int) -> StepTables:
    """Tables of n bodies in the first `SIZE (n + 1)` numbers of the workspace."""
    m = n + 1
    likes = typed(TABLES, zero_in(workspace))
    return views(workspace, 0, likes, StepTables(m, m, m, m, m, m, m, m * OWN))


class LoopArrays(NamedTuple):
    """Workspace of `loops` for m constraints on nv velocities."""

    wrenches: Numbers  # (2, m, 12) wrenches of the constraints before and after the step
    residual: Numbers  # (m)
    weight: Numbers  # (m)
    change: Numbers  # (m) dL
    rhs: Numbers  # (m)
    Z: Numbers  # (m, nv)
    S: Numbers  # (m, m)
    rows: Numbers  # (m) pivots of S,
    columns: Numbers  # (m)
    rank: Numbers  # (1) and its rank


class StepArrays(NamedTuple):
    """Arrays in the workspace, after the tables of the bodies."""

    x: Numbers  # (q, v, W) at which forces are evaluated
    inc: Numbers  # increments, like q
    saved: Numbers  # copy of increments, correction and multipliers
    g: Numbers  # residual, then correction
    d: Numbers  # logarithms of the increments
    Q: Numbers  # generalised forces on one end of the step
    Q1: Numbers  # generalised forces at the midpoint
    k: Numbers  # stiffnesses of the joints
    r: Numbers  # copy of the residual
    s: Numbers  # scales of the increments
    increment: Numbers  # of driven joints, like v: given increments,
    velocity: Numbers  # given velocities at the end of the step,
    impulse: Numbers  # and the row of (1) of `equations` that they do not solve
    loops: Numbers  # `LoopArrays`
    matrix: Numbers  # `MatrixArrays`, if the matrix is dense


class MatrixArrays(NamedTuple):
    """A dense matrix for n unknowns."""

    A: Numbers  # (n, n)
    rows: Numbers  # (n) pivots,
    columns: Numbers  # (n)
    rank: Numbers  # (1) and its rank
    rhs: Numbers  # (n)
    y: Numbers  # (n)
    left: Numbers  # (n) scales of rows
    right: Numbers  # (n) and columns


def loop_counts(m: int, nv: int) -> LoopArrays:
    """Lengths of the arrays."""
    return LoopArrays(2 * m * WRENCHES, m, m, m, m, m * nv, m * m, m, m, 1)


def matrix_counts(n: int) -> MatrixArrays:
    return MatrixArrays(n * n, n, n, 1, n, n, n, n)


def array_counts(nq: int, nv: int, m: int, loops: int, matrix: int) -> StepArrays:
    n, copy = nq + nv + 1, nq + nv + m
    return StepArrays(n, nq, copy, nv, nv, nv, nv, nv, nv, nv, nv, nv, nv, loops, matrix)


def workspace(shape: ProblemSize, dense: bool = False) -> int:
    """Numbers of the workspace of a step."""
    nq, nv, m = shape.nq, shape.nv, shape.constraints
    matrix = sum(matrix_counts(nv + m)) if dense else 0
    return SIZE * (shape.bodies + 1) + sum(array_counts(nq, nv, m, sum(loop_counts(m, nv)), matrix))


_loops, _matrix, _arrays = jit(loop_counts), jit(matrix_counts), jit(array_counts)


@jit
def arrays(p: TreeProblem, workspace: Numbers) -> StepArrays:
    """Arrays in the workspace; that of the matrix may not be there."""
    m, start = p.constraints, SIZE * (p.model.ints[0] + 1)
    counts = _arrays(p.nq, p.nv, m, sum(_loops(m, p.nv)), sum(_matrix(p.nv + m)))
    return segments(workspace, start, counts)


@jit
def loop_arrays(workspace: Numbers, m: int, nv: int) -> LoopArrays:
    return segments(workspace, 0, _loops(m, nv))


@jit
def matrix_arrays(workspace: Numbers, n: int) -> MatrixArrays:
    return segments(workspace, 0, _matrix(n))


@jit
def tree_and_tables(site: Site) -> tuple[TreeRecord, StepTables]:
    """Views of the model and of the workspace."""
    tree = unpack(site.model)
    return tree, tables(site.workspace, tree.n)


@jit
def own_of(bodies: StepTables, i: int) -> Numbers:
    """Workspace of the joint of body i, kept from pass to pass."""
    return segment(bodies.own, OWN * i, OWN)


@jit
def poses(bodies: StepTables, side: int) -> Records:
    """Poses of the bodies in their parents, before or after the step."""
    return bodies.before if side == BEFORE else bodies.after
