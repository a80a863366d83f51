"""What a step on a tree needs to know besides the state, and the verbs that methods share.

The state is y = (q, v, W), see `field`.  A slope k = (v, v., W.) has the same length as the v part twice
and one: it says how q moves in the units of v.

    evaluate(p, ALL, t, y, f)      the vector field, f = dy/dt
    slope(p, t, y, k)              the same as a slope
    move(p, y, u)                  q <- q exp(u), joint by joint
    push(p, y, s, k)               v <- v + s v.,  W <- W + s W.
    stage(p, y, s, k, Y, u)        both from y, along one slope
"""

from typing import Any, NamedTuple

from poinsot.core.jit import called, jit
from poinsot.core.numbers.arrays import stretch, zero_in
from poinsot.core.numbers.functions import maximum, minimum
from poinsot.core.tree.field import ALL
from poinsot.core.tree.joints import table
from poinsot.core.tree.records import Model, joint_at, unpack


class Problem(NamedTuple):
    field: Any  # function type of `field`
    passes: Any  # or the method's own functions in its place
    force: Any  # function types of `forces.table`
    user: Any
    model: Model
    first: float  # times are clipped to first .. last: a force that jumps at a step boundary is
    last: float  # seen from the right side of the jump
    nq: int
    nv: int
    constraints: int  # of loops


@jit
def evaluate(p: Problem, part: int, t: float, y: Any, f: Any) -> None:
    time = zero_in(y) + minimum(maximum(t, p.first), p.last)
    p.field(part, time, y, f, p.force, p.user, p.model)


@called
def slope(p: Problem, t: float, y: Any, k: Any, f: Any) -> None:
    """k at the state y; f is workspace for one state."""
    evaluate(p, ALL, t, y, f)
    for j in range(p.nv):
        k[j] = y[p.nq + j]
    for j in range(p.nv + 1):
        k[p.nv + j] = f[p.nq + j]


@jit
def copy(source: Any, target: Any, n: int) -> None:
    for i in range(n):
        target[i] = source[i]


@jit
def combine(u: Any, s: float, a: Any, n: int) -> None:
    """u <- u + s a."""
    for j in range(n):
        u[j] = u[j] + s * a[j]


@jit
def scale(u: Any, s: float, a: Any, n: int) -> None:
    """u <- s a."""
    for j in range(n):
        u[j] = s * a[j]


@called
def move(p: Problem, y: Any, u: Any) -> None:
    tree = unpack(p.model)
    for i in range(1, tree.n + 1):
        table.move(joint_at(tree, i), y, u)


@jit
def push(p: Problem, y: Any, s: float, k: Any) -> None:
    for j in range(p.nv + 1):
        y[p.nq + j] = y[p.nq + j] + s * k[p.nv + j]


@jit
def stage(p: Problem, y: Any, s: float, k: Any, Y: Any, u: Any) -> None:
    """Y = y moved by s k; u = s v of the slope."""
    copy(y, Y, p.nq + p.nv + 1)
    scale(u, s, k, p.nv)
    move(p, Y, u)
    push(p, Y, s, k)


@called
def dexpinv(p: Problem, u: Any, k: Any) -> None:
    """The first part of k <- dexpinv_(-u) of it, joint by joint."""
    tree = unpack(p.model)
    for i in range(1, tree.n + 1):
        table.dexpinv(joint_at(tree, i), u, k)


@called
def unit(p: Problem, y: Any) -> None:
    """Quaternions brought back to unit length."""
    tree = unpack(p.model)
    for i in range(1, tree.n + 1):
        table.unit(joint_at(tree, i), y)


@jit
def after(workspace: Any, start: int) -> Any:
    """The rest of the workspace."""
    return stretch(workspace, start, workspace.size - start)


@jit
def slot(workspace: Any, i: int, n: int) -> Any:
    """Number i of the arrays of length n in the workspace."""
    return stretch(workspace, i * n, n)


@jit
def states(workspace: Any, n: int) -> tuple[Any, Any, Any, Any]:
    """Three arrays of the length of a state, and the rest, for slopes."""
    return slot(workspace, 0, n), slot(workspace, 1, n), slot(workspace, 2, n), after(workspace, 3 * n)
