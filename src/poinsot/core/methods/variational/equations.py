"""The equations of a variational step and their arrays.

    p0 = p-(D) - Q- - G(q0) L,     phi(q1) = 0                                                  (1)

for the increments D and the multipliers L; see `variational`, which solves them.
"""

from typing import Any, NamedTuple

from poinsot.core.jit import called, jit
from poinsot.core.methods.variational.compiled import LOGARITHMS, MIDDLE, SHARED, TURN
from poinsot.core.methods.variational.loads import loads
from poinsot.core.methods.variational.loops import needed, spread
from poinsot.core.methods.variational.passes import AFTER, BEFORE, SIZE
from poinsot.core.numbers.arrays import stretch, zero_in
from poinsot.core.numbers.functions import magnitude
from poinsot.core.tree.problem import Problem, copy


class Options(NamedTuple):
    product: bool
    midpoint: bool
    riqn: bool


class Desk(NamedTuple):
    """Arrays that a step works on, after the rows of the bodies."""

    x: Any  # (q, v, W) to ask forces at
    inc: Any  # increments, like q
    saved: Any  # increments, correction and multipliers before a correction
    g: Any  # residual, then correction
    d: Any  # logarithms of the increments
    Q: Any  # forces on this end of the step
    Q1: Any  # forces in its middle
    k: Any  # stiffnesses of joints
    ties: Any  # scratch of `ties`
    shelf: Any  # the dense matrix, if there is one


@jit
def desk(p: Problem, space: Any) -> Desk:
    nq, nv, m = p.nq, p.nv, p.rows[0]
    x = SIZE * (p.ints[0] + 1)
    inc = x + nq + nv + 1
    saved = inc + nq
    g = saved + nq + nv + m
    end = g + 5 * nv
    return Desk(
        stretch(space, x, nq + nv + 1),
        stretch(space, inc, nq),
        stretch(space, saved, nq + nv + m),
        stretch(space, g, nv),
        stretch(space, g + nv, nv),
        stretch(space, g + 2 * nv, nv),
        stretch(space, g + 3 * nv, nv),
        stretch(space, g + 4 * nv, nv),
        stretch(space, end, needed(m, nv)),
        stretch(space, end + needed(m, nv), space.size - end - needed(m, nv)),
    )


@called
def residual(p: Problem, t: float, h: float, q: Any, momentum: Any, L: Any, space: Any, options: Options):  # type: ignore[no-untyped-def]
    """g = -h (1), and the gaps: (False where a body turns too far, size of both, power)."""
    on, m, nv = desk(p, space), p.rows[0], p.nv
    g = on.g
    power = zero_in(g)
    if options.midpoint or p.seats[0] == 1:
        p.field.joints(LOGARITHMS, p.ints, p.floats, on.inc, on.d, on.d)
        for j in range(nv):
            on.x[p.nq + j] = on.d[j] / h
        if options.midpoint:
            p.field.joints(MIDDLE, p.ints, p.floats, q, on.d, on.x)
            p.field.place(p.ints, p.floats, space, on.x, AFTER)
            power = loads(p, space, t + 0.5 * h, on.x, AFTER, on.Q1)
            p.field.joints(SHARED, p.ints, p.floats, on.d, on.Q1, on.Q)
        else:
            copy(q, on.x, p.nq)
            power = loads(p, space, t, on.x, BEFORE, on.Q)
            for j in range(nv):
                on.Q[j] = 0.5 * on.Q[j]
    fine = p.field.move(p.ints, p.floats, space, on.inc, options.product, g)
    for j in range(nv):
        g[j] = h * momentum[j] + h * h * on.Q[j] - g[j]  # (1)
    total = 0.0
    if m > 0:
        p.field.push(p.ints, p.floats, space, p.rows, on.ties, BEFORE, L, g)
        p.field.read(p.ints, p.floats, space, p.rows, p.marks, on.ties, AFTER, p.work)  # (1)
        gap = spread(on.ties, m, nv).gap
        for j in range(m):
            total += magnitude(gap[j]) * magnitude(gap[j])
    for j in range(nv):
        total += magnitude(g[j]) * magnitude(g[j])
    return fine, total, power


@called
def moved(p: Problem, L: Any, space: Any, s: float) -> None:
    """Increments and multipliers after s times the correction."""
    on, m = desk(p, space), p.rows[0]
    for j in range(p.nv):
        on.d[j] = s * on.g[j]
    p.field.joints(TURN, p.ints, p.floats, on.inc, on.d, on.d)
    change = spread(on.ties, m, p.nv).change
    for j in range(m):
        L[j] = L[j] + s * change[j]


@called
def shelve(p: Problem, L: Any, space: Any, back: bool) -> None:
    """Increments, correction and multipliers to the shelf, or back."""
    on, nq, nv, m = desk(p, space), p.nq, p.nv, p.rows[0]
    g, held = stretch(on.saved, nq, nv), stretch(on.saved, nq + nv, m)
    if back:
        copy(on.saved, on.inc, nq)
        copy(g, on.g, nv)
        copy(held, L, m)
    else:
        copy(on.inc, on.saved, nq)
        copy(on.g, g, nv)
        copy(L, held, m)
