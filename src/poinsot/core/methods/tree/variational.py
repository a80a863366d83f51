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

from poinsot.core.discrete.increments import append, clear, logarithms, turn
from poinsot.core.discrete.passes import (
    SIZE,
    Tables,
    displace,
    factor,
    inertias,
    legendre,
    momenta,
    momenta_after,
    momenta_before,
    place,
    slopes,
    solve,
    tables,
    vanish,
)
from poinsot.core.dynamics.workspace import frames_in
from poinsot.core.jit import fused, jit
from poinsot.core.methods.body.compositions import KAHAN_LI6, SUZUKI4
from poinsot.core.methods.method import Method
from poinsot.core.methods.tree.kernel import Kernel, Shape
from poinsot.core.methods.tree.loads import loads, stiffnesses
from poinsot.core.methods.tree.middle import middle, shared
from poinsot.core.methods.tree.problem import Problem, copy
from poinsot.core.methods.tree.ties import WRENCHES, Ties, apply, correct, prepare, read, ties
from poinsot.core.methods.tree.ties import size as ties_size
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
KNOWN, LENGTH, HEAD = 0, 1, 2  # places in memory: steps known, length of the mechanism
AUTO, SE3, PRODUCT = 0, 1, 2
KINETIC, MIDPOINT, RIQN, STAGES = 0, 1, 2, 3  # places in the table; the stages follow


class Desk(NamedTuple):
    """What a step works on."""

    at: Tables
    x: Any  # (q, v, W) to ask forces at
    inc: Any  # increments, like q
    saved: Any  # the same before a correction
    g: Any  # residual, correction
    d: Any  # logarithms of the increments
    p: Any  # momentum
    Q: Any  # forces at the beginning of the step, times the share of this end
    Q1: Any  # at its end
    k: Any  # stiffnesses of joints
    ties: Ties


@fused
def remember(p: Problem, t: float, h: float, y: Any, memory: Any, space: Any) -> None:
    """p = M v, and the length that a correction of a translation is compared with."""
    o = zero_in(y)
    tree = unpack(p.ints, p.floats)
    vanish(memory, memory.size)
    at = tables(space, tree.n)
    place(tree, y, at.before)
    legendre(tree, at.before, stretch(y, p.nq, p.nv), at, stretch(memory, HEAD, p.nv))
    largest = 0.0
    for i in range(1, tree.n + 1):
        r, body = tree.placement[i].r, tree.mass[i]
        largest = max(largest, r[0] * r[0] + r[1] * r[1] + r[2] * r[2])
        if body.m > 0.0:
            largest = max(largest, (body.J[0] + body.J[3] + body.J[5]) / body.m)
    memory[LENGTH] = o + (np.sqrt(largest) if largest > 0.0 else 1.0)


@fused
def residual(p: Problem, tree: Tree, t: float, h: float, q: Any, desk: Desk, product: bool, mid: bool):  # type: ignore[no-untyped-def]
    """g = -h (1), and the gaps (3): (False where a body turns too far, size of both, power)."""
    at, g, x = desk.at, desk.g, desk.ties
    power = zero_in(g)
    if p.seats[0] == 1 or mid:
        logarithms(tree, desk.inc, desk.d)
        for j in range(tree.nv):
            desk.x[tree.nq + j] = desk.d[j] / h
        if mid:
            middle(tree, q, desk.d, desk.x)
            place(tree, desk.x, at.after)
            power = loads(p, tree, t + 0.5 * h, desk.x, at.after, at, desk.Q1)
            shared(tree, desk.d, desk.Q1, desk.Q)  # (4)
        else:
            copy(q, desk.x, tree.nq)
            power = loads(p, tree, t, desk.x, at.before, at, desk.Q)
            for j in range(tree.nv):
                desk.Q[j] = 0.5 * desk.Q[j]
    fine = displace(tree, desk.inc, at)
    momenta(tree, product, at)
    momenta_before(tree, at, g)
    for j in range(tree.nv):
        g[j] = h * desk.p[j] + h * h * desk.Q[j] - g[j]  # (1)
    if x.m > 0:
        apply(p, tree, at.before, x.start, x.L, x.m, at, g)
        read(p, tree, at.after, frames_in(p.work, tree.n, zero_in(g)), x.end, x.gap, x.m)  # (3)
    total = 0.0
    for j in range(tree.nv):
        total += magnitude(g[j]) * magnitude(g[j])
    for j in range(x.m):
        total += magnitude(x.gap[j]) * magnitude(x.gap[j])
    return fine, total, power


@jit
def largest(tree: Tree, y: Any, length: float) -> float:
    """The largest correction, translations in units of `length`."""
    size = 0.0
    for i in range(1, tree.n + 1):
        kind, b = tree.kind[i], tree.v[i]
        for j in range(tree.count[i]):
            straight = kind == PRISMATIC or (kind == FREE and j > 2)
            here = magnitude(y[b + j]) / (length if straight else 1.0)
            if not here <= size:
                size = here
    return size


@fused
def corrected(p: Problem, tree: Tree, desk: Desk, product: bool, riqn: bool, anew: bool) -> None:
    """g becomes the correction of the increments, ties.change that of the multipliers."""
    at = desk.at
    after = at.before if riqn else at.after
    if anew:
        if riqn:
            inertias(tree, at)
        else:
            slopes(tree, product, at)
        factor(tree, desk.k, at.before, after, at)
        if desk.ties.m > 0:
            prepare(p, tree, at.before, after, at, desk.ties)
    solve(tree, at.before, after, at, desk.g)
    if desk.ties.m > 0:
        correct(p, tree, at, desk.ties, desk.g)


@jit
def moved(tree: Tree, desk: Desk, s: float) -> None:
    """Increments and multipliers after s times the correction."""
    x = desk.ties
    for j in range(tree.nv):
        desk.d[j] = s * desk.g[j]
    turn(tree, desk.inc, desk.d)
    for j in range(x.m):
        x.L[j] = x.L[j] + s * x.change[j]


@fused
def newton(  # type: ignore[no-untyped-def]
    p: Problem, tree: Tree, t: float, h: float, q: Any, desk: Desk, length: float,
    product: bool, mid: bool, riqn: bool, damped: bool,
):  # fmt: skip
    """Solve (1) and (3) from the increments at hand: (corrections, solved, power)."""
    fine, merit, power = residual(p, tree, t, h, q, desk, product, mid)
    last, anew = np.inf, True
    step = desk.saved
    for iteration in range(1, MAX_ITERATIONS + 1):
        if not fine or not merit < np.inf:
            return iteration, False, power
        corrected(p, tree, desk, product, riqn, anew)
        size = largest(tree, desk.g, length)
        if not size < np.inf:
            return iteration, False, power
        if damped:
            copy(desk.inc, step, tree.nq)
            copy(desk.g, stretch(step, tree.nq, tree.nv), tree.nv)
            copy(desk.ties.L, stretch(step, tree.nq + tree.nv, desk.ties.m), desk.ties.m)
            s, better = 1.0, False
            for _ in range(HALVINGS):
                moved(tree, desk, s)
                fine, new, power = residual(p, tree, t, h, q, desk, product, mid)
                better = fine and (new < (1.0 - 0.5 * s) * merit or size < ROUNDING)
                if better:
                    break
                copy(step, desk.inc, tree.nq)
                copy(stretch(step, tree.nq, tree.nv), desk.g, tree.nv)
                copy(stretch(step, tree.nq + tree.nv, desk.ties.m), desk.ties.L, desk.ties.m)
                s *= 0.5
            if not better:
                return iteration, False, power
            merit = new
            if s < 1.0:
                last = np.inf
                continue
        else:
            moved(tree, desk, 1.0)
            fine, merit, power = residual(p, tree, t, h, q, desk, product, mid)
        rate = size / last if last < np.inf else 1.0
        if size <= DONE or (rate < 0.5 and size * rate <= LEFT) or (rate >= 0.5 and size <= ROUNDING):
            return iteration, fine, power
        anew = not riqn and (damped or rate > FAST)
        last = size
    return MAX_ITERATIONS, False, power


@fused
def guess(tree: Tree, desk: Desk, h: float, v: Any, known: float, old: Any) -> None:
    """Increments extrapolated from those of the last steps, or the start of a motion with v."""
    n = tree.nv
    for j in range(n):
        if known < 0.5:
            desk.d[j] = h * v[j]
        elif known < 1.5:
            desk.d[j] = old[j] + 0.0
        elif known < 2.5:
            desk.d[j] = 2.0 * old[j] - old[n + j]
        else:
            desk.d[j] = 3.0 * (old[j] - old[n + j]) + old[2 * n + j]
    clear(tree, desk.inc)
    turn(tree, desk.inc, desk.d)


@fused
def velocities(p: Problem, tree: Tree, v: Any, desk: Desk) -> None:
    """v = M^-1 p at the poses after the step; with loops (2) of `ties`: p and v are projected."""
    at, x, m = desk.at, desk.ties, desk.ties.m
    after = at.after
    vanish(desk.k, tree.nv)
    inertias(tree, at)
    factor(tree, desk.k, after, after, at)
    if m == 0:
        copy(desk.p, v, tree.nv)
        solve(tree, after, after, at, v)
        return
    copy(x.end, x.start, WRENCHES * m)
    vanish(x.gap, m)
    prepare(p, tree, after, after, at, x)
    copy(desk.p, v, tree.nv)
    solve(tree, after, after, at, v)
    correct(p, tree, at, x, v)
    apply(p, tree, after, x.end, x.change, x.m, at, desk.p)


@fused
def substep(  # type: ignore[no-untyped-def]
    p: Problem, tree: Tree, t: float, h: float, y: Any, memory: Any, old: Any, desk: Desk,
    product: bool, mid: bool, riqn: bool,
):  # fmt: skip
    """One step of order 2: (residuals, corrections, failed)."""
    at, nq, nv, x = desk.at, tree.nq, tree.nv, desk.ties
    q, v = stretch(y, 0, nq), stretch(y, nq, nv)
    place(tree, q, at.before)
    stiffnesses(p, h, mid, desk.k, nv)
    free = p.seats[0] == 0
    if free and not mid:
        loads(p, tree, t, y, at.before, at, desk.Q)
        for j in range(nv):
            desk.Q[j] = 0.5 * desk.Q[j]
    if x.m > 0:
        read(p, tree, at.before, frames_in(p.work, tree.n, zero_in(y)), x.start, x.gap, x.m)
    length, known = magnitude(memory[LENGTH]), magnitude(memory[KNOWN])
    corrections, solved, power = 0, False, zero_in(y)
    for attempt in range(3):
        if attempt == 0:
            guess(tree, desk, h, v, known, old)
        else:
            clear(tree, desk.inc)
            vanish(x.L, x.m)
        more, solved, power = newton(p, tree, t, h, q, desk, length, product, mid, riqn, attempt == 2)
        corrections += more
        if solved or (attempt == 0 and riqn):
            break
    if not solved:
        return corrections + 1, corrections, True
    momenta_after(tree, at, desk.g)
    logarithms(tree, desk.inc, desk.d)
    for j in range(nv):  # the increments of this step become those of the last one
        old[2 * nv + j] = old[nv + j]
        old[nv + j] = old[j]
        old[j] = desk.d[j]
    append(tree, q, desk.inc)
    if mid:
        for j in range(nv):
            desk.d[j] = -desk.d[j]
        shared(tree, desk.d, desk.Q1, desk.Q)  # (4)
        power = h * power
    else:
        copy(q, desk.x, nq)
        for j in range(nv):
            desk.x[nq + j] = desk.d[j] / h
        power = 0.5 * h * (power + loads(p, tree, t + h, desk.x, at.after, at, desk.Q))
        for j in range(nv):
            desk.Q[j] = 0.5 * desk.Q[j]
    for j in range(nv):
        desk.p[j] = desk.g[j] / h + h * desk.Q[j]  # (2)
    velocities(p, tree, v, desk)
    y[nq + nv] = y[nq + nv] + power
    return corrections + 1, corrections, False


@jit
def flies(tree: Tree, m: int) -> bool:
    """True if a body is free of the world and no loop holds it."""
    for i in range(1, tree.n + 1):
        if tree.kind[i] == FREE and m == 0:
            return True
    return False


@fused
def step(p: Problem, t: float, h: float, y: Any, memory: Any, space: Any, table: Any):  # type: ignore[no-untyped-def]
    tree = unpack(p.ints, p.floats)
    nq, nv, m = p.nq, p.nv, p.rows[0]
    start = SIZE * (tree.n + 1)
    stages = int(table[STAGES])
    old = stretch(memory, HEAD + nv, HISTORY * stages * nv)
    L = stretch(memory, HEAD + nv + HISTORY * stages * nv, stages * m)
    state = start + 2 * nq + nv + 1
    rest = stretch(space, state + nq + 6 * nv + m, ties_size(m, nv))
    product = table[KINETIC] == PRODUCT or (table[KINETIC] == AUTO and flies(tree, m))
    evaluations, iterations, failed, past = 0, 0, False, 0.0
    for i in range(stages):
        desk = Desk(
            tables(space, tree.n),
            stretch(space, start, nq + nv + 1),
            stretch(space, start + nq + nv + 1, nq),
            stretch(space, state, nq + nv + m),
            stretch(space, state + nq + nv + m, nv),
            stretch(space, state + nq + 2 * nv + m, nv),
            stretch(memory, HEAD, nv),
            stretch(space, state + nq + 3 * nv + m, nv),
            stretch(space, state + nq + 4 * nv + m, nv),
            stretch(space, state + nq + 5 * nv + m, nv),
            ties(rest, m, nv, stretch(L, i * m, m)),
        )
        c = table[STAGES + 1 + i]
        more, again, failed = substep(
            p, tree, t + past * h, c * h, y, memory, stretch(old, HISTORY * i * nv, HISTORY * nv), desk,
            product, table[MIDPOINT] != 0.0, table[RIQN] != 0.0,
        )  # fmt: skip
        evaluations, iterations, past = evaluations + more, iterations + again, past + c
        if failed:
            break
    if not failed and magnitude(memory[KNOWN]) < HISTORY:
        memory[KNOWN] = memory[KNOWN] + 1.0
    return evaluations, iterations, failed


STAGES_MOST = 9


def memory_of(stages: int) -> Any:
    def memory(shape: Shape) -> int:
        return HEAD + shape.nv + stages * (HISTORY * shape.nv + shape.rows)

    return memory


def space(shape: Shape) -> int:
    nq, nv, m = shape.nq, shape.nv, shape.rows
    state = SIZE * (shape.bodies + 1) + 2 * nq + nv + 1
    return state + nq + 6 * nv + m + m * (30 + nv + m) + 1


def kernel(kinetic: int, midpoint: bool, riqn: bool, coefficients: tuple[float, ...]) -> Kernel:
    table = np.array([kinetic, midpoint, riqn, len(coefficients), *coefficients], dtype=np.float64)
    return Kernel(
        name="variational", step=step, remember=remember, memory=memory_of(len(coefficients)), space=space,
        table=table, groups=True, simple=True,
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
