"""The record of a problem on a tree, and the operations that methods share.

The state is y = (q, v, W), see `field`.  A slope k = (v, v., W.) has 2 nv + 1 numbers: it gives the rate of
q in the units of v.

    evaluate(p, ALL, t, y, f)      the vector field, f = dy/dt
    slope(p, t, y, k)              the same as a slope
    move(p, y, u)                  q <- q exp(u) for each joint
    push(p, y, s, k)               v <- v + s v.,  W <- W + s W.
    stage(p, y, s, k, Y, u)        Y = y moved and pushed by s k
"""

from typing import Any, NamedTuple, TypeAlias

from poinsot.core.jit import Compiled, called, jit
from poinsot.core.numbers.arrays import Numbers, segment, zero_in
from poinsot.core.numbers.functions import maximum, minimum
from poinsot.core.tree.field import ALL
from poinsot.core.tree.joints import table
from poinsot.core.tree.records import Model, joint_at, unpack

Passes: TypeAlias = Any  # a record of functions of the method


class TreeProblem(NamedTuple):
    """Everything a step depends on besides the state."""

    field: Compiled  # see `field`
    passes: Passes  # of a method that replaces the field
    force: Compiled  # see `forces.table`
    user: Compiled
    model: Model
    first: float  # times are clipped to first .. last: at a breakpoint, a step sees the force
    last: float  # on its own side of the jump
    nq: int
    nv: int
    constraints: int  # number of loop constraints
    driven: bool  # a joint moves as a function of time (`drives`)


@jit
def evaluate(p: TreeProblem, part: int, t: float, y: Numbers, f: Numbers) -> None:
    """f = dy/dt, or the part of it that is dq/dt."""
    time = zero_in(y) + minimum(maximum(t, p.first), p.last)
    p.field(part, time, y, f, p.force, p.user, p.model)


@called
def slope(p: TreeProblem, t: float, y: Numbers, k: Numbers, f: Numbers) -> None:
    """Slope k at the state y; f is workspace of the length of a state."""
    evaluate(p, ALL, t, y, f)
    for j in range(p.nv):
        k[j] = y[p.nq + j]
    for j in range(p.nv + 1):
        k[p.nv + j] = f[p.nq + j]


@jit
def copy(source: Numbers, target: Numbers, n: int) -> None:
    """target <- source, n numbers."""
    for i in range(n):
        target[i] = source[i]


@jit
def combine(u: Numbers, s: float, a: Numbers, n: int) -> None:
    """u <- u + s a."""
    for j in range(n):
        u[j] = u[j] + s * a[j]


@jit
def scale(u: Numbers, s: float, a: Numbers, n: int) -> None:
    """u <- s a."""
    for j in range(n):
        u[j] = s * a[j]


@called
def move(p: TreeProblem, y: Numbers, u: Numbers) -> None:
    """q <- q exp(u) for each joint."""
    tree = unpack(p.model)
    for i in range(1, tree.n + 1):
        table.move(joint_at(tree, i), y, u)


@jit
def push(p: TreeProblem, y: Numbers, s: float, k: Numbers) -> None:
    """v <- v + s v.,  W <- W + s W."""
    for j in range(p.nv + 1):
        y[p.nq + j] = y[p.nq + j] + s * k[p.nv + j]


@jit
def stage(p: TreeProblem, y: Numbers, s: float, k: Numbers, Y: Numbers, u: Numbers) -> None:
    """Y = y moved and pushed by s k; u becomes s v of the slope."""
    copy(y, Y, p.nq + p.nv + 1)
    scale(u, s, k, p.nv)
    move(p, Y, u)
    push(p, Y, s, k)


@called
def dexpinv(p: TreeProblem, u: Numbers, k: Numbers) -> None:
    """Replace the first part v of k by dexpinv_(-u) v, for each joint."""
    tree = unpack(p.model)
    for i in range(1, tree.n + 1):
        table.dexpinv(joint_at(tree, i), u, k)


@called
def dexp(p: TreeProblem, u: Numbers, x: Numbers) -> None:
    """Replace the velocities x by dexp_(-u) x, for each joint."""
    tree = unpack(p.model)
    for i in range(1, tree.n + 1):
        table.dexp(joint_at(tree, i), u, x)


@called
def unit(p: TreeProblem, y: Numbers) -> None:
    """Normalise all quaternions of q."""
    tree = unpack(p.model)
    for i in range(1, tree.n + 1):
        table.unit(joint_at(tree, i), y)


@jit
def after(workspace: Numbers, start: int) -> Numbers:
    """Rest of the workspace from number `start`."""
    return segment(workspace, start, workspace.size - start)


@jit
def slot(workspace: Numbers, i: int, n: int) -> Numbers:
    """i-th array of length n in the workspace."""
    return segment(workspace, i * n, n)


@jit
def states(workspace: Numbers, n: int) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Three arrays of the length of a state, and the rest of the workspace, for slopes."""
    return slot(workspace, 0, n), slot(workspace, 1, n), slot(workspace, 2, n), after(workspace, 3 * n)
