"""What a step on a tree needs to know besides the state, and the verbs that methods share.

The state is y = (q, v, W), see `field`.  A slope k = (v, v., W.) has the same length as the v part twice
and one: it says how q moves in the units of v.

    evaluate(p, ALL, t, y, f)      the vector field, f = dy/dt
    slope(p, t, y, k)              the same as a slope
    turn(p, y, u)                  q <- q exp(u), joint by joint
    push(p, y, s, k)               v <- v + s v.,  W <- W + s W.
"""

from typing import Any, NamedTuple

from poinsot.core.jit import called, jit
from poinsot.core.numbers.arrays import stretch, zero_in
from poinsot.core.numbers.functions import maximum, minimum
from poinsot.core.tree.field import ALL
from poinsot.core.tree.joints import table
from poinsot.core.tree.records import unpack


class Problem(NamedTuple):
    field: Any  # function types of `field` (or the method's own tools) and of `forces.table`
    force: Any
    user: Any
    ints: Any  # the tree
    floats: Any
    seats: Any  # the forces
    data: Any
    rows: Any  # the closures of loops
    marks: Any
    work: Any
    first: float  # times are clipped to first .. last: a force that jumps at a step boundary is
    last: float  # seen from the right side of the jump
    nq: int
    nv: int


@jit
def evaluate(p: Problem, part: int, t: float, y: Any, f: Any) -> None:
    time = zero_in(y) + minimum(maximum(t, p.first), p.last)
    p.field(part, time, y, f, p.force, p.user, p.ints, p.floats, p.seats, p.data, p.work)


@called
def slope(p: Problem, t: float, y: Any, k: Any, f: Any) -> None:
    """k at the state y; f is scratch for one state."""
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
def turn(p: Problem, y: Any, u: Any) -> None:
    tree = unpack(p.ints, p.floats)
    for i in range(1, tree.n + 1):
        table.move(tree.kind[i], tree.count[i], y, tree.q[i], u, tree.v[i])


@jit
def push(p: Problem, y: Any, s: float, k: Any) -> None:
    for j in range(p.nv + 1):
        y[p.nq + j] = y[p.nq + j] + s * k[p.nv + j]


@called
def uncurl(p: Problem, u: Any, k: Any) -> None:
    """The first part of k <- dexpinv_(-u) of it, joint by joint."""
    tree = unpack(p.ints, p.floats)
    for i in range(1, tree.n + 1):
        table.uncurl(tree.kind[i], u, tree.v[i], k)


@called
def unit(p: Problem, y: Any) -> None:
    """Quaternions brought back to unit length."""
    tree = unpack(p.ints, p.floats)
    for i in range(1, tree.n + 1):
        table.unit(tree.kind[i], y, tree.q[i])


@jit
def after(space: Any, start: int) -> Any:
    """The rest of the scratch."""
    return stretch(space, start, space.size - start)


@jit
def slot(space: Any, i: int, n: int) -> Any:
    """Number i of the scratch arrays of length n."""
    return stretch(space, i * n, n)
