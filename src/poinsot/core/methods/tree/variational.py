"""VARIATIONAL: the discrete Euler-Lagrange equations of any tree, loops included, in O(n).

The action of a step from q0 to q1 = q0 D (D the increments of the joints) is K(D) - V, with the discrete kinetic
energy of `discrete.kinetic` and the forces Q (gravity, potentials, and all others by d'Alembert's principle) at the
ends or in the middle.  With v = log(D)/h the discrete Legendre transforms are

    p0 = p-(D) - h/2 Q(t0, q0, v) - G(q0) L                      solved for D by Newton's method     (1)
    p1 = p+(D) + h/2 Q(t1, q1, v)                                                                   (2)
    phi(q1) = 0                                                  loops, with multipliers L           (3)

Midpoint: Q at (t0 + h/2, q0 exp(log(D)/2), v), shared between the ends as the midpoint moves with them:

    Q- = (1 + E)^-T Q,   Q+ = (1 + E^-1)^-T Q,   E = exp(log(D)/2)                                  (4)

so that it is the gradient of h V(q_mid) for a potential: symplectic, and stable for stiff springs.  It starts with
p = M(q) v and reports v = M(q)^-1 p.  The matrix of Newton's method is that of an articulated body without
symmetry (`discrete.pivots`); it is kept while corrections shrink fast.  Steps go from the extrapolated increments; if
that fails from none, then with halved corrections, and then the step fails.  `riqn` takes the mass matrix
at q0 for the Jacobian (Lee et al. 2018): cheaper, and lost where the step is not small.

Higher orders compose steps c_i h symmetrically; each keeps momentum and the symplectic form, and so do they.
"""

from typing import Any, NamedTuple

import numpy as np

from poinsot.core.discrete.passes import AFTER, BEFORE, SIZE, vanish
from poinsot.core.jit import called, fused, jit
from poinsot.core.methods.body.compositions import KAHAN_LI6, SUZUKI4
from poinsot.core.methods.method import Method
from poinsot.core.methods.tree.kernel import Kernel, Shape
from poinsot.core.methods.tree.loads import loads, stiffnesses
from poinsot.core.methods.tree.problem import Problem, copy
from poinsot.core.methods.tree.ties import size, spread
from poinsot.core.methods.tree.tools import INERTIA, tools
from poinsot.core.numbers.arrays import stretch, zero_in
from poinsot.core.numbers.functions import magnitude
from poinsot.core.tree.joints.table import FREE, PRISMATIC
from poinsot.core.tree.records import Tree, unpack

MAX_ITERATIONS, HALVINGS = 30, 12
DONE = 1e-13  # a correction (radians, lengths of the mechanism) after which nothing is left
LEFT = 1e-15  # what a correction leaves, judged from the rate of contraction
ROUNDING = 1e-9  # a correction that stops shrinking above this is divergence
FAST = 0.02  # contraction for which the old factors are good enough
HISTORY = 3  # increments of so many steps make the guess
KNOWN, LENGTH, HEAD = 0, 1, 2  # places in memory: steps known, length of the mechanism; then the momentum
AUTO, SE3, PRODUCT = 0, 1, 2
KINETIC, MIDPOINT, RIQN, STAGES = 0, 1, 2, 3  # places in the table; the stages follow


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


def space(shape: Shape) -> int:
    nq, nv, m = shape.nq, shape.nv, shape.rows
    return SIZE * (shape.bodies + 1) + 3 * nq + 7 * nv + 1 + m + size(m, nv)


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
        stretch(space, end, space.size - end),
    )


@fused
def remember(p: Problem, t: float, h: float, y: Any, memory: Any, space: Any) -> None:
    """p = M v, and the length that a correction of a translation is compared with."""
    tree = unpack(p.ints, p.floats)
    vanish(memory, memory.size)
    p.field.place(p.ints, p.floats, space, y, BEFORE)
    p.field.legendre(p.ints, p.floats, space, stretch(y, p.nq, p.nv), stretch(memory, HEAD, p.nv))
    largest = 0.0
    for i in range(1, tree.n + 1):
        r, body = tree.placement[i].r, tree.mass[i]
        largest = max(largest, r[0] * r[0] + r[1] * r[1] + r[2] * r[2])
        if body.m > 0.0:
            largest = max(largest, (body.J[0] + body.J[3] + body.J[5]) / body.m)
    memory[LENGTH] = zero_in(y) + (np.sqrt(largest) if largest > 0.0 else 1.0)


@called
def residual(p: Problem, t: float, h: float, q: Any, momentum: Any, L: Any, space: Any, options: Options):  # type: ignore[no-untyped-def]
    """g = -h (1), and the gaps (3): (False where a body turns too far, size of both, power)."""
    on, m, nv = desk(p, space), p.rows[0], p.nv
    g = on.g
    power = zero_in(g)
    if options.midpoint or p.seats[0] == 1:
        p.field.logarithms(p.ints, p.floats, on.inc, on.d)
        for j in range(nv):
            on.x[p.nq + j] = on.d[j] / h
        if options.midpoint:
            p.field.middle(p.ints, p.floats, q, on.d, on.x)
            p.field.place(p.ints, p.floats, space, on.x, AFTER)
            power = loads(p, space, t + 0.5 * h, on.x, AFTER, on.Q1)
            p.field.shared(p.ints, p.floats, on.d, on.Q1, on.Q)  # (4)
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
        p.field.read(p.ints, p.floats, space, p.rows, p.marks, on.ties, AFTER, p.work)  # (3)
        gap = spread(on.ties, m, nv).gap
        for j in range(m):
            total += magnitude(gap[j]) * magnitude(gap[j])
    for j in range(nv):
        total += magnitude(g[j]) * magnitude(g[j])
    return fine, total, power


@jit
def largest(tree: Tree, y: Any, length: float) -> float:
    """The largest correction, translations in units of `length`."""
    found = 0.0
    for i in range(1, tree.n + 1):
        kind, b = tree.kind[i], tree.v[i]
        for j in range(tree.count[i]):
            straight = kind == PRISMATIC or (kind == FREE and j > 2)
            here = magnitude(y[b + j]) / (length if straight else 1.0)
            if not here <= found:
                found = here
    return found


@fused
def corrected(p: Problem, length: float, space: Any, options: Options, anew: bool) -> float:
    """g becomes the correction of the increments, and dL of `ties` that of the multipliers; its size."""
    on = desk(p, space)
    right = BEFORE if options.riqn else AFTER
    if anew:
        what = INERTIA if options.riqn else int(options.product)
        p.field.factor(p.ints, p.floats, space, what, BEFORE, right, on.k)
        if p.rows[0] > 0:
            p.field.prepare(p.ints, p.floats, space, p.rows, on.ties, BEFORE, right)
    p.field.solve(p.ints, p.floats, space, BEFORE, right, on.g)
    if p.rows[0] > 0:
        p.field.correct(p.ints, p.floats, space, p.rows, on.ties, right, on.g)
    return largest(unpack(p.ints, p.floats), on.g, length)


@jit
def moved(p: Problem, L: Any, space: Any, s: float) -> None:
    """Increments and multipliers after s times the correction."""
    on, m = desk(p, space), p.rows[0]
    for j in range(p.nv):
        on.d[j] = s * on.g[j]
    p.field.turn(p.ints, p.floats, on.inc, on.d)
    change = spread(on.ties, m, p.nv).change
    for j in range(m):
        L[j] = L[j] + s * change[j]


@jit
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


@fused
def newton(  # type: ignore[no-untyped-def]
    p: Problem, t: float, h: float, q: Any, momentum: Any, L: Any, length: float, space: Any,
    options: Options, damped: bool,
):  # fmt: skip
    """Solve (1) and (3) from the increments at hand: (corrections, solved, power)."""
    fine, merit, power = residual(p, t, h, q, momentum, L, space, options)
    last, anew = np.inf, True
    for iteration in range(1, MAX_ITERATIONS + 1):
        if not fine or not merit < np.inf:
            return iteration, False, power
        found = corrected(p, length, space, options, anew)
        if not found < np.inf:
            return iteration, False, power
        if damped:
            shelve(p, L, space, False)
        s, better = 1.0, False
        for _ in range(HALVINGS):
            moved(p, L, space, s)
            fine, new, power = residual(p, t, h, q, momentum, L, space, options)
            better = not damped or (fine and (new < (1.0 - 0.5 * s) * merit or found < ROUNDING))
            if better:
                break
            shelve(p, L, space, True)
            s *= 0.5
        if not better:
            return iteration, False, power
        merit = new
        rate = found / last if last < np.inf else 1.0
        if s == 1.0 and (found <= DONE or (found * rate <= LEFT) or (rate >= 0.5 and found <= ROUNDING)):
            return iteration, fine, power
        anew = not options.riqn and (damped or rate > FAST)
        last = found
    return MAX_ITERATIONS, False, power


@fused
def guess(p: Problem, h: float, v: Any, known: float, old: Any, space: Any) -> None:
    """Increments extrapolated from those of the last steps, or the start of a motion with v."""
    on, n = desk(p, space), p.nv
    for j in range(n):
        if known < 0.5:
            on.d[j] = h * v[j]
        elif known < 1.5:
            on.d[j] = old[j] + 0.0
        elif known < 2.5:
            on.d[j] = 2.0 * old[j] - old[n + j]
        else:
            on.d[j] = 3.0 * (old[j] - old[n + j]) + old[2 * n + j]
    p.field.clear(p.ints, p.floats, on.inc)
    p.field.turn(p.ints, p.floats, on.inc, on.d)


@fused
def velocities(p: Problem, v: Any, momentum: Any, space: Any) -> None:
    """v = M^-1 p after the step; with loops (2) of `ties`: p and v are projected."""
    on, m = desk(p, space), p.rows[0]
    vanish(on.k, p.nv)
    p.field.factor(p.ints, p.floats, space, INERTIA, AFTER, AFTER, on.k)
    if m > 0:
        p.field.prepare(p.ints, p.floats, space, p.rows, on.ties, AFTER, AFTER)
    copy(momentum, v, p.nv)
    p.field.solve(p.ints, p.floats, space, AFTER, AFTER, v)
    if m > 0:
        x = spread(on.ties, m, p.nv)
        vanish(x.gap, m)
        p.field.correct(p.ints, p.floats, space, p.rows, on.ties, AFTER, v)
        p.field.push(p.ints, p.floats, space, p.rows, on.ties, AFTER, x.change, momentum)


@fused
def substep(  # type: ignore[no-untyped-def]
    p: Problem, t: float, h: float, y: Any, momentum: Any, old: Any, L: Any, known: float, length: float,
    space: Any, options: Options,
):  # fmt: skip
    """One step of order 2: (corrections, failed)."""
    nq, nv, on = p.nq, p.nv, desk(p, space)
    q, v = stretch(y, 0, nq), stretch(y, nq, nv)
    p.field.place(p.ints, p.floats, space, q, BEFORE)
    stiffnesses(p, h, options.midpoint, on.k, nv)
    if not options.midpoint:
        loads(p, space, t, y, BEFORE, on.Q)
        for j in range(nv):
            on.Q[j] = 0.5 * on.Q[j]
    if p.rows[0] > 0:
        p.field.read(p.ints, p.floats, space, p.rows, p.marks, on.ties, BEFORE, p.work)
    corrections, solved, power = 0, False, zero_in(y)
    for attempt in range(3):
        if attempt == 0:
            guess(p, h, v, known, old, space)
        else:
            p.field.clear(p.ints, p.floats, on.inc)
            vanish(L, p.rows[0])
        more, solved, power = newton(p, t, h, q, momentum, L, length, space, options, attempt == 2)
        corrections += more
        if solved:
            break
    if not solved:
        return corrections, True
    p.field.logarithms(p.ints, p.floats, on.inc, on.d)
    for j in range(nv):  # the increments of this step become those of the last one
        old[2 * nv + j] = old[nv + j]
        old[nv + j] = old[j]
        old[j] = on.d[j]
    p.field.generalised(p.ints, p.floats, space, AFTER, on.g)
    p.field.append(p.ints, p.floats, q, on.inc)
    if options.midpoint:
        for j in range(nv):
            on.d[j] = -on.d[j]
        p.field.shared(p.ints, p.floats, on.d, on.Q1, on.Q)  # (4)
        work = h * power
    else:
        copy(q, on.x, nq)
        for j in range(nv):
            on.x[nq + j] = on.d[j] / h
        work = 0.5 * h * (power + loads(p, space, t + h, on.x, AFTER, on.Q))
        for j in range(nv):
            on.Q[j] = 0.5 * on.Q[j]
    for j in range(nv):
        momentum[j] = on.g[j] / h + h * on.Q[j]  # (2)
    velocities(p, v, momentum, space)
    y[nq + nv] = y[nq + nv] + work
    return corrections, False


@jit
def flies(tree: Tree) -> bool:
    """True if a body is free of the world."""
    for i in range(1, tree.n + 1):
        if tree.kind[i] == FREE:
            return True
    return False


@fused
def step(p: Problem, t: float, h: float, y: Any, memory: Any, space: Any, table: Any):  # type: ignore[no-untyped-def]
    nv, m, stages = p.nv, p.rows[0], int(table[STAGES])
    old = HEAD + nv  # the increments of the last steps, then the multipliers
    multipliers = old + HISTORY * stages * nv
    fly = m == 0 and flies(unpack(p.ints, p.floats))  # held by loops, a free body does not fly
    options = Options(
        table[KINETIC] == PRODUCT or (table[KINETIC] == AUTO and fly), table[MIDPOINT] != 0.0, table[RIQN] != 0.0
    )
    known, length = magnitude(memory[KNOWN]), magnitude(memory[LENGTH])
    iterations, failed, past = 0, False, 0.0
    for i in range(stages):
        c = table[STAGES + 1 + i]
        more, failed = substep(
            p, t + past * h, c * h, y, stretch(memory, HEAD, nv),
            stretch(memory, old + HISTORY * i * nv, HISTORY * nv), stretch(memory, multipliers + i * m, m),
            known, length, space, options,
        )  # fmt: skip
        iterations, past = iterations + more, past + c
        if failed:
            break
    if not failed and known < HISTORY:
        memory[KNOWN] = memory[KNOWN] + 1.0
    return iterations + stages, iterations, failed


def memory_of(stages: int) -> Any:
    def memory(shape: Shape) -> int:
        return HEAD + shape.nv + stages * (HISTORY * shape.nv + shape.rows)

    return memory


def kernel(kinetic: int, midpoint: bool, riqn: bool, coefficients: tuple[float, ...]) -> Kernel:
    table = np.array([kinetic, midpoint, riqn, len(coefficients), *coefficients], dtype=np.float64)
    return Kernel(
        name="variational", step=step, remember=remember, memory=memory_of(len(coefficients)), space=space,
        table=table, groups=True, simple=True, tools=tools,
    )  # fmt: skip


def _method(name: str, title: str, order: int, kernel: Kernel) -> Method:
    return Method(
        name=name, title=title, order=order, scope="tree", symplectic=True, reversible=True,
        keeps=("momentum",), implicit=True, velocity_forces=True, reference="marsden2001discrete", turn=1.5,
        lanes=False, loops=True, tree=kernel,
    )  # fmt: skip


ONE = (1.0,)
METHODS = (
    _method("variational", "Variational, trapezoidal", 2, kernel(AUTO, False, False, ONE)),
    _method("variational_midpoint", "Variational, midpoint", 2, kernel(AUTO, True, False, ONE)),
    _method("variational_se3", "Variational, SE(3) for every body", 2, kernel(SE3, False, False, ONE)),
    _method("variational_product", "Variational, R3 x SO(3)", 2, kernel(PRODUCT, False, False, ONE)),
    _method("variational_riqn", "Variational, RIQN solver", 2, kernel(AUTO, False, True, ONE)),
    _method("variational4", "Variational, composed to order 4", 4, kernel(AUTO, False, False, SUZUKI4)),
    _method("variational6", "Variational, composed to order 6", 6, kernel(AUTO, False, False, KAHAN_LI6)),
)  # fmt: skip
