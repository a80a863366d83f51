"""The equations of a variational step and their arrays.

    p0 = p-(D) - Q- - G(q0) L,     phi(q1) = 0                                                  (1)

for the increments D and the multipliers L; see `variational`, which solves them.
"""

from typing import Any, NamedTuple

from poinsot.core.jit import called, jit
from poinsot.core.methods.variational.compiled import LOGARITHMS, MIDDLE, SHARED, UPDATE
from poinsot.core.methods.variational.loads import forced, loads
from poinsot.core.methods.variational.loops import loop_arrays, needed
from poinsot.core.methods.variational.passes import AFTER, BEFORE, SIZE
from poinsot.core.numbers.arrays import stretch, zero_in
from poinsot.core.numbers.functions import magnitude
from poinsot.core.tree.problem import Problem, copy


class Options(NamedTuple):
    product: bool
    midpoint: bool
    riqn: bool


class Arrays(NamedTuple):
    """Arrays that a step works on, after the tables of the bodies."""

    x: Any  # (q, v, W) to ask forces at
    inc: Any  # increments, like q
    saved: Any  # increments, correction and multipliers before a correction
    g: Any  # residual, then correction
    d: Any  # logarithms of the increments
    Q: Any  # forces on this end of the step
    Q1: Any  # forces in its middle
    k: Any  # stiffnesses of joints
    loops: Any  # workspace of `loops`
    matrix: Any  # the dense matrix, if there is one


@jit
def arrays(p: Problem, workspace: Any) -> Arrays:
    nq, nv, m = p.nq, p.nv, p.constraints
    x = SIZE * (p.model.ints[0] + 1)
    inc = x + nq + nv + 1
    saved = inc + nq
    g = saved + nq + nv + m
    end = g + 5 * nv
    return Arrays(
        stretch(workspace, x, nq + nv + 1),
        stretch(workspace, inc, nq),
        stretch(workspace, saved, nq + nv + m),
        stretch(workspace, g, nv),
        stretch(workspace, g + nv, nv),
        stretch(workspace, g + 2 * nv, nv),
        stretch(workspace, g + 3 * nv, nv),
        stretch(workspace, g + 4 * nv, nv),
        stretch(workspace, end, needed(m, nv)),
        stretch(workspace, end + needed(m, nv), workspace.size - end - needed(m, nv)),
    )


@called
def residual(p: Problem, t: float, h: float, q: Any, momentum: Any, L: Any, workspace: Any, options: Options):  # type: ignore[no-untyped-def]
    """g = -h (1), and the gaps: (False where a body turns too far, size of both, power)."""
    on, m, nv = arrays(p, workspace), p.constraints, p.nv
    g = on.g
    power = zero_in(g)
    if options.midpoint or forced(p):
        p.passes.joints(LOGARITHMS, p.model, on.inc, on.d, on.d)
        for j in range(nv):
            on.x[p.nq + j] = on.d[j] / h
        if options.midpoint:
            p.passes.joints(MIDDLE, p.model, q, on.d, on.x)
            p.passes.place(p.model, workspace, on.x, AFTER)
            power = loads(p, workspace, t + 0.5 * h, on.x, AFTER, on.Q1)
            p.passes.joints(SHARED, p.model, on.d, on.Q1, on.Q)
        else:
            copy(q, on.x, p.nq)
            power = loads(p, workspace, t, on.x, BEFORE, on.Q)
            for j in range(nv):
                on.Q[j] = 0.5 * on.Q[j]
    fine = p.passes.move(p.model, workspace, on.inc, options.product, g)
    for j in range(nv):
        g[j] = h * momentum[j] + h * h * on.Q[j] - g[j]  # (1)
    total = 0.0
    if m > 0:
        p.passes.push(p.model, workspace, on.loops, BEFORE, L, g)
        p.passes.read(p.model, workspace, on.loops, AFTER)  # (1)
        gap = loop_arrays(on.loops, m, nv).residual
        for j in range(m):
            total += magnitude(gap[j]) * magnitude(gap[j])
    for j in range(nv):
        total += magnitude(g[j]) * magnitude(g[j])
    return fine, total, power


@called
def moved(p: Problem, L: Any, workspace: Any, s: float) -> None:
    """Increments and multipliers after s times the correction."""
    on, m = arrays(p, workspace), p.constraints
    for j in range(p.nv):
        on.d[j] = s * on.g[j]
    p.passes.joints(UPDATE, p.model, on.inc, on.d, on.d)
    change = loop_arrays(on.loops, m, p.nv).change
    for j in range(m):
        L[j] = L[j] + s * change[j]


@called
def save(p: Problem, L: Any, workspace: Any) -> None:
    """Keep increments, correction and multipliers."""
    on, nq, nv, m = arrays(p, workspace), p.nq, p.nv, p.constraints
    copy(on.inc, on.saved, nq)
    copy(on.g, stretch(on.saved, nq, nv), nv)
    copy(L, stretch(on.saved, nq + nv, m), m)


@called
def restore(p: Problem, L: Any, workspace: Any) -> None:
    """Take back what `save` has kept."""
    on, nq, nv, m = arrays(p, workspace), p.nq, p.nv, p.constraints
    copy(on.saved, on.inc, nq)
    copy(stretch(on.saved, nq, nv), on.g, nv)
    copy(stretch(on.saved, nq + nv, m), L, m)
