"""The equations of a variational step and their arrays.

    p0 = p-(D) - Q- - G(q0) L,     phi(q1) = 0                                                  (1)

for the increments D and the multipliers L.  `variational` solves them.  The row of a driven joint is that its
increment is the given one (`drives`).
"""

from typing import NamedTuple

from poinsot.core.jit import called, jit
from poinsot.core.methods.variational.compiled import LOGARITHMS, MIDDLE, SHARED, UPDATE
from poinsot.core.methods.variational.loads import forced, loads
from poinsot.core.methods.variational.loops import loop_arrays, size_in_kernel
from poinsot.core.methods.variational.tables import AFTER, BEFORE, SIZE
from poinsot.core.numbers.arrays import Numbers, segment, zero_in
from poinsot.core.numbers.functions import magnitude
from poinsot.core.tree.problem import Problem, copy
from poinsot.core.tree.records import unpack

ROWS = 10  # arrays of the length of v


class Options(NamedTuple):
    """Options of a step."""

    product: bool  # kinetic term of R3 x SO(3), else of SE(3)
    midpoint: bool  # forces at the midpoint, else at the ends
    riqn: bool  # matrix of Newton's method: the mass matrix at q0


class Arrays(NamedTuple):
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
    impulse: Numbers  # and the row of (1) that they do not solve
    loops: Numbers  # workspace of `loops`
    matrix: Numbers  # workspace of the dense matrix


@jit
def arrays(p: Problem, workspace: Numbers) -> Arrays:
    """Views of the arrays in the workspace."""
    nq, nv, m = p.nq, p.nv, p.constraints
    x = SIZE * (p.model.ints[0] + 1)
    inc = x + nq + nv + 1
    saved = inc + nq
    g = saved + nq + nv + m
    end = g + ROWS * nv
    return Arrays(
        segment(workspace, x, nq + nv + 1),
        segment(workspace, inc, nq),
        segment(workspace, saved, nq + nv + m),
        segment(workspace, g, nv),
        segment(workspace, g + nv, nv),
        segment(workspace, g + 2 * nv, nv),
        segment(workspace, g + 3 * nv, nv),
        segment(workspace, g + 4 * nv, nv),
        segment(workspace, g + 5 * nv, nv),
        segment(workspace, g + 6 * nv, nv),
        segment(workspace, g + 7 * nv, nv),
        segment(workspace, g + 8 * nv, nv),
        segment(workspace, g + 9 * nv, nv),
        segment(workspace, end, size_in_kernel(m, nv)),
        segment(workspace, end + size_in_kernel(m, nv), workspace.size - end - size_in_kernel(m, nv)),
    )


@called
def residual(
    p: Problem,
    t: float,
    h: float,
    q: Numbers,
    momentum: Numbers,
    L: Numbers,
    workspace: Numbers,
    options: Options,
) -> tuple[bool, float, float]:
    """Compute g = -h (1) and the loop residuals; return (valid, their squared size, power).

    `valid` is False if a body rotates too far.
    """
    arr, m, nv = arrays(p, workspace), p.constraints, p.nv
    g = arr.g
    power = zero_in(g)
    if options.midpoint or forced(p):
        p.passes.joints(LOGARITHMS, p.model, arr.inc, arr.d, arr.d)
        for j in range(nv):
            arr.x[p.nq + j] = arr.d[j] / h
        if options.midpoint:
            p.passes.joints(MIDDLE, p.model, q, arr.d, arr.x)
            p.passes.place(p.model, workspace, arr.x, AFTER)
            power = loads(p, workspace, t + 0.5 * h, arr.x, AFTER, arr.Q1)
            p.passes.joints(SHARED, p.model, arr.d, arr.Q1, arr.Q)
        else:
            copy(q, arr.x, p.nq)
            power = loads(p, workspace, t, arr.x, BEFORE, arr.Q)
            for j in range(nv):
                arr.Q[j] = 0.5 * arr.Q[j]
    valid = p.passes.move(p.model, workspace, arr.inc, options.product, g)
    for j in range(nv):
        g[j] = h * momentum[j] + h * h * arr.Q[j] - g[j]  # (1)
    total = 0.0
    if m > 0:
        p.passes.push(p.model, workspace, arr.loops, BEFORE, L, g)
        p.passes.read(p.model, workspace, arr.loops, AFTER)  # (1)
        phi = loop_arrays(arr.loops, m, nv).residual
        for j in range(m):
            total += magnitude(phi[j]) * magnitude(phi[j])
    if p.driven:
        tree = unpack(p.model)
        for i in range(1, tree.n + 1):
            if tree.driven[i] == 1:
                k = tree.v[i]
                arr.impulse[k] = g[k]
                g[k] = arr.increment[k] - arr.inc[tree.q[i]]
    for j in range(nv):
        total += magnitude(g[j]) * magnitude(g[j])
    return valid, total, power


@called
def apply_correction(p: Problem, L: Numbers, workspace: Numbers, s: float) -> None:
    """Add s times the correction to increments and multipliers."""
    arr, m = arrays(p, workspace), p.constraints
    for j in range(p.nv):
        arr.d[j] = s * arr.g[j]
    p.passes.joints(UPDATE, p.model, arr.inc, arr.d, arr.d)
    change = loop_arrays(arr.loops, m, p.nv).change
    for j in range(m):
        L[j] = L[j] + s * change[j]


@called
def save(p: Problem, L: Numbers, workspace: Numbers) -> None:
    """Save increments, correction and multipliers."""
    arr, nq, nv, m = arrays(p, workspace), p.nq, p.nv, p.constraints
    copy(arr.inc, arr.saved, nq)
    copy(arr.g, segment(arr.saved, nq, nv), nv)
    copy(L, segment(arr.saved, nq + nv, m), m)


@called
def restore(p: Problem, L: Numbers, workspace: Numbers) -> None:
    """Restore what `save` has saved."""
    arr, nq, nv, m = arrays(p, workspace), p.nq, p.nv, p.constraints
    copy(arr.saved, arr.inc, nq)
    copy(segment(arr.saved, nq, nv), arr.g, nv)
    copy(segment(arr.saved, nq + nv, m), L, m)
