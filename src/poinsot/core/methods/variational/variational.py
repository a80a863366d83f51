"""VARIATIONAL: the discrete Euler-Lagrange equations of any tree, loops included, in O(n).

The action of a step from q0 to q1 = q0 D (D the increments of the joints) is K(D) - V, with the discrete
kinetic energy of `discrete.kinetic` and the forces Q (gravity, potentials, and all others by d'Alembert's
principle) at the ends or in the middle.  With v = log(D)/h the discrete Legendre transforms are

    p0 = p-(D) - h/2 Q(t0, q0, v) - G(q0) L                      solved for D by Newton's method     (1)
    p1 = p+(D) + h/2 Q(t1, q1, v)                                                                   (2)
    phi(q1) = 0                                                  loops, with multipliers L           (3)

Midpoint: Q at (t0 + h/2, q0 exp(log(D)/2), v), shared between the ends as the midpoint moves with them:

    Q- = (1 + E)^-T Q,   Q+ = (1 + E^-1)^-T Q,   E = exp(log(D)/2)                                  (4)

so that it is the gradient of h V(q_mid) for a potential: symplectic, and stable for stiff springs.  The
motion starts with p = M(q) v and reports v = M(q)^-1 p.  Newton's matrix is that of an articulated body
without symmetry (`discrete.pivots`); it is kept while corrections shrink fast.  Steps start from the
extrapolated increments; if that fails from none, then with halved corrections, then with a dense matrix that
knows stiff forces between bodies, and then the step fails.  `riqn` takes the mass matrix at q0 (Lee et al.
2016): cheaper, and lost where the step is not small.

Higher orders compose steps c_i h symmetrically; each keeps momentum and the symplectic form, and so do they.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from poinsot.core.jit import called, fused, jit
from poinsot.core.methods.method import Method
from poinsot.core.methods.parts.composition import KAHAN_LI6, SUZUKI4
from poinsot.core.methods.variational.compiled import (
    APPEND,
    CLEAR,
    INERTIA,
    LOGARITHMS,
    SHARED,
    TURN,
    tools,
    tools_type,
)
from poinsot.core.methods.variational.corrections import articulated, dense, matrix_size
from poinsot.core.methods.variational.equations import Options, desk
from poinsot.core.methods.variational.loads import loads, stiffnesses
from poinsot.core.methods.variational.loops import size, spread
from poinsot.core.methods.variational.newton import solver_with
from poinsot.core.methods.variational.passes import AFTER, BEFORE, SIZE, vanish
from poinsot.core.numbers.arrays import stretch, zero_in
from poinsot.core.numbers.functions import has_tangents, magnitude
from poinsot.core.tree.joints.table import FREE
from poinsot.core.tree.kernel import Kernel, Shape
from poinsot.core.tree.problem import Problem, copy
from poinsot.core.tree.records import Tree, unpack

HISTORY = 3  # increments of so many steps make the guess
KNOWN, LENGTH, HEAD = 0, 1, 2  # places in memory: steps known, length of the mechanism; then the momentum
AUTO, HINGED, FLYING = 0, 1, 2  # the kinetic term of SE(3) or of R3 x SO(3)
KINETIC, MIDPOINT, RIQN, STAGES = 0, 1, 2, 3  # places in the table; the stages follow


def space(shape: Shape) -> int:
    nq, nv, m = shape.nq, shape.nv, shape.rows
    return SIZE * (shape.bodies + 1) + 3 * nq + 7 * nv + 1 + m + size(m, nv)


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
    p.field.joints(CLEAR, p.ints, p.floats, on.inc, on.inc, on.inc)
    p.field.joints(TURN, p.ints, p.floats, on.inc, on.d, on.d)


@called
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


@jit
def flies(tree: Tree) -> bool:
    """True if a body is free of the world."""
    found = False
    for i in range(1, tree.n + 1):
        found = found or tree.kind[i] == FREE
    return found


def step_with(correction: Any) -> Any:
    """The step whose increments are corrected in this way."""
    newton, followed = solver_with(correction)

    @called
    def substep(  # type: ignore[no-untyped-def]
        p: Problem, t: float, h: float, y: Any, momentum: Any, old: Any, L: Any, known: float, length: float,
        space: Any, options: Options,
    ):  # fmt: skip
        """One step of order 2: (corrections, failed)."""
        nq, nv, on = p.nq, p.nv, desk(p, space)
        q, v = stretch(y, 0, nq), stretch(y, nq, nv)
        p.field.place(p.ints, p.floats, space, q, BEFORE)
        stiffnesses(p, h, options.midpoint, on.k, nv)
        if not options.midpoint and p.seats[0] == 0:  # gravity alone; other forces may depend on the velocity
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
                p.field.joints(CLEAR, p.ints, p.floats, on.inc, on.inc, on.inc)
                vanish(L, p.rows[0])
            more, solved, power = newton(p, t, h, q, momentum, L, length, space, options, attempt == 2)
            corrections += more
            if solved:
                break
        if not solved:
            return corrections, True
        if has_tangents(zero_in(y)):
            power = followed(p, t, h, q, momentum, L, space, options)
        p.field.joints(LOGARITHMS, p.ints, p.floats, on.inc, on.d, on.d)
        for j in range(nv):  # the increments of this step become those of the last one
            old[2 * nv + j] = old[nv + j]
            old[nv + j] = old[j]
            old[j] = on.d[j]
        copy(on.g, on.k, nv)  # what the last correction has left of (1): it must not get lost
        p.field.generalised(p.ints, p.floats, space, AFTER, on.g)
        p.field.joints(APPEND, p.ints, p.floats, q, on.inc, on.inc)
        if options.midpoint:
            for j in range(nv):
                on.d[j] = -on.d[j]
            p.field.joints(SHARED, p.ints, p.floats, on.d, on.Q1, on.Q)  # (4)
            work = h * power
        else:
            copy(q, on.x, nq)
            for j in range(nv):
                on.x[nq + j] = on.d[j] / h
            work = 0.5 * h * (power + loads(p, space, t + h, on.x, AFTER, on.Q))
            for j in range(nv):
                on.Q[j] = 0.5 * on.Q[j]
        for j in range(nv):
            momentum[j] = (on.g[j] + on.k[j]) / h + h * on.Q[j]  # (2)
        velocities(p, v, momentum, space)
        y[nq + nv] = y[nq + nv] + work
        return corrections, False

    @fused
    def step(p: Problem, t: float, h: float, y: Any, memory: Any, space: Any, table: Any):  # type: ignore[no-untyped-def]
        nv, m, stages = p.nv, p.rows[0], int(table[STAGES])
        old = HEAD + nv  # the increments of the last steps, then the multipliers
        multipliers = old + HISTORY * stages * nv
        fly = m == 0 and flies(unpack(p.ints, p.floats))  # held by loops, a free body does not fly
        options = Options(
            table[KINETIC] == FLYING or (table[KINETIC] == AUTO and fly),
            table[MIDPOINT] != 0.0,
            table[RIQN] != 0.0,
        )
        known, length = magnitude(memory[KNOWN]), magnitude(memory[LENGTH])
        momentum = stretch(memory, HEAD, nv)
        iterations, failed, past = 0, False, 0.0
        for i in range(stages):
            c = table[STAGES + 1 + i]
            more, failed = substep(
                p, t + past * h, c * h, y, momentum,
                stretch(memory, old + HISTORY * i * nv, HISTORY * nv),
                stretch(memory, multipliers + i * m, m), known, length, space, options,
            )  # fmt: skip
            iterations, past = iterations + more, past + c
            if failed:
                break
        if not failed and known < HISTORY:
            memory[KNOWN] = memory[KNOWN] + 1.0
        return iterations + stages, iterations, failed

    return step


def memory_of(stages: int) -> Any:
    def memory(shape: Shape) -> int:
        return HEAD + shape.nv + stages * (HISTORY * shape.nv + shape.rows)

    return memory


def dense_space(shape: Shape) -> int:
    return space(shape) + matrix_size(shape.rows, shape.nv)


STEP, DENSE = step_with(articulated), step_with(dense)


def kernel(kinetic: int, midpoint: bool, riqn: bool, coefficients: tuple[float, ...]) -> Kernel:
    """The kernel of these options; where its matrix does not lead to the solution, the dense one may."""
    table = np.array([kinetic, midpoint, riqn, len(coefficients), *coefficients], dtype=np.float64)
    one = Kernel(
        name="variational", step=STEP, remember=remember, memory=memory_of(len(coefficients)), space=space,
        table=table, groups=True, simple=True, tools=tools, tools_type=tools_type,
    )  # fmt: skip
    if riqn:
        return one
    return replace(one, fallback=replace(one, name="variational_dense", step=DENSE, space=dense_space))


ONE = (1.0,)
DISCRETE, RIQN_PAPER = "marsden2001discrete", "lee2016linear"


def _method(
    name: str, title: str, order: int, kernel: Kernel, variant: bool = False, reference: str = DISCRETE
) -> Method:
    return Method(
        name=name, title=title, order=order, scope="tree", symplectic=True, reversible=True,
        keeps=("momentum",), implicit=True, velocity_forces=True, reference=reference, turn=1.5,
        lanes=False, loops=True, variant=variant, tree=kernel,
    )  # fmt: skip


METHODS = (
    _method("variational", "Variational, trapezoidal", 2, kernel(AUTO, False, False, ONE)),
    _method("variational_midpoint", "Variational, midpoint", 2, kernel(AUTO, True, False, ONE)),
    _method("variational_se3", "Variational, SE(3)", 2, kernel(HINGED, False, False, ONE), True),
    _method("variational_product", "Variational, R3 x SO(3)", 2, kernel(FLYING, False, False, ONE), True),
    _method("variational_riqn", "Variational, RIQN", 2, kernel(AUTO, False, True, ONE), True, RIQN_PAPER),
    _method("variational4", "Variational, order 4", 4, kernel(AUTO, False, False, SUZUKI4)),
    _method("variational6", "Variational, order 6", 6, kernel(AUTO, False, False, KAHAN_LI6)),
)  # fmt: skip
