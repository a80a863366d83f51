"""Driven joints in a variational step: a joint that moves as f(t) has no equation of its own.

    D = f(t1) - f(t0) in place of its row of the discrete Euler-Lagrange equations,    v1 = f'(t1)      (1)

To Newton's method it is a joint of infinite stiffness (`RIGID`, see `pivots`), whose right side is the
correction of its increment.  The row that it does not solve is the impulse of the drive at the beginning of
the step; with the one at its end, where the velocity is put onto the drive, the work in the step is

    J0 = p-(D) - p0 - Q- - G(q0) L,   J1 = M v1 - p1,   W = (J0 + J1) . (f(t1) - f(t0))/h                (2)

Only joints with one coordinate can be driven here; `compile` makes chains of them of joints with several.
"""

from poinsot.core.jit import called, jit
from poinsot.core.methods.variational.pivots import RIGID
from poinsot.core.methods.variational.tables import BEFORE, arrays
from poinsot.core.numbers.arrays import Numbers, segment, zero_in
from poinsot.core.tree.problem import TreeProblem
from poinsot.core.tree.records import unpack

DRIVABLE = ("revolute", "prismatic", "helical")


@jit
def stiffen(p: TreeProblem, k: Numbers) -> None:
    """Give driven joints infinite stiffness."""
    tree = unpack(p.model)
    for i in range(1, tree.n + 1):
        if tree.driven[i] == 1:
            k[tree.v[i]] = zero_in(k) + RIGID


@called
def aim(p: TreeProblem, t: float, h: float, workspace: Numbers) -> None:
    """Compute the increments and the velocities (1) of the step."""
    arr, tree, o = arrays(p, workspace), unpack(p.model), zero_in(workspace)
    x, v = segment(arr.x, 0, p.nq), segment(arr.x, p.nq, p.nv)
    p.passes.drive(o + t, x, v, arr.d, p.model)
    for i in range(1, tree.n + 1):
        if tree.driven[i] == 1:
            arr.increment[tree.v[i]] = x[tree.q[i]]
    p.passes.drive(o + (t + h), x, v, arr.d, p.model)
    for i in range(1, tree.n + 1):
        if tree.driven[i] == 1:
            k = tree.v[i]
            arr.increment[k] = x[tree.q[i]] - arr.increment[k]  # (1)
            arr.velocity[k] = v[k]


@jit
def set_increments(p: TreeProblem, workspace: Numbers) -> None:
    """Give driven joints their increments (1)."""
    arr, tree = arrays(p, workspace), unpack(p.model)
    for i in range(1, tree.n + 1):
        if tree.driven[i] == 1:
            arr.inc[tree.q[i]] = arr.increment[tree.v[i]]


@jit
def set_velocities(p: TreeProblem, v: Numbers, workspace: Numbers) -> None:
    """Give driven joints their velocities (1) at the end of the step."""
    arr, tree = arrays(p, workspace), unpack(p.model)
    for i in range(1, tree.n + 1):
        if tree.driven[i] == 1:
            v[tree.v[i]] = arr.velocity[tree.v[i]]


@called
def work(p: TreeProblem, h: float, q: Numbers, v: Numbers, momentum: Numbers, workspace: Numbers) -> float:
    """Work (2) of the drives; their momenta become those of the motion."""
    arr, tree, total = arrays(p, workspace), unpack(p.model), zero_in(workspace)
    p.passes.place(p.model, workspace, q, BEFORE)
    p.passes.legendre(p.model, workspace, v, arr.d)
    for i in range(1, tree.n + 1):
        if tree.driven[i] == 1:
            k = tree.v[i]
            J = (arr.d[k] - momentum[k]) - arr.impulse[k] / h
            total = total + J * (arr.increment[k] / h)
            momentum[k] = arr.d[k]
    return total
