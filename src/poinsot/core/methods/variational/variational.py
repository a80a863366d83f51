"""VARIATIONAL: the discrete Euler-Lagrange equations of any tree, loops included, in O(n).

The action of a step from q0 to q1 = q0 D (D the increments of the joints) is K(D) - V, with the discrete
kinetic energy of `kinetic` and the forces Q (gravity, potentials, and all others by d'Alembert's
principle) at the ends or in the middle.  With v = log(D)/h the discrete Legendre transforms are

    p0 = p-(D) - h/2 Q(t0, q0, v) - G(q0) L                      solved for D by Newton's method     (1)
    p1 = p+(D) + h/2 Q(t1, q1, v)                                                                   (2)
    phi(q1) = 0                                                  loops, with multipliers L           (3)

Midpoint: Q at (t0 + h/2, q0 exp(log(D)/2), v) is divided between the ends, as the midpoint moves with them:

    Q- = (1 + E)^-T Q,   Q+ = (1 + E^-1)^-T Q,   E = exp(log(D)/2)                                  (4)

so that it is the gradient of h V(q_mid) for a potential: symplectic, and stable for stiff springs.  The
motion starts with p = M(q) v and reports v = M(q)^-1 p.  The matrix of Newton's method is that of an
articulated body without symmetry (`pivots`); it is reused while corrections shrink fast.  Newton's method
starts from extrapolated increments; if it fails, from zero increments, then with halved corrections, then
with a dense matrix that includes stiff forces between bodies.  `riqn` uses the mass matrix at q0 (Lee et al.
2016), which is cheaper and fails if the step is not small.

Higher orders are symmetric compositions of steps c_i h; they conserve momentum and the symplectic form, too.
"""

from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from poinsot.core.jit import Compiled, called, fused, jit
from poinsot.core.methods.method import Kernels
from poinsot.core.methods.parts.coefficients import KAHAN_LI6, ONE, SUZUKI4, Composition
from poinsot.core.methods.sgauss.sgauss import kernel as sgauss
from poinsot.core.methods.variational.compiled import (
    APPEND,
    CLEAR,
    INERTIA,
    LOGARITHMS,
    SHARED,
    UPDATE,
    passes,
    passes_type,
)  # fmt: skip
from poinsot.core.methods.variational.corrections import articulated, dense, length_of
from poinsot.core.methods.variational.drives import (
    DRIVABLE,
    aim,
    set_increments,
    set_velocities,
    stiffen,
    work,
)  # fmt: skip
from poinsot.core.methods.variational.equations import Equations, Options
from poinsot.core.methods.variational.increments import JOINTS
from poinsot.core.methods.variational.loads import forced, loads, stiffnesses
from poinsot.core.methods.variational.members import members_workspace, newton_of_members
from poinsot.core.methods.variational.newton import newton_with, tangents_with
from poinsot.core.methods.variational.passes import add_armature, set_zero
from poinsot.core.methods.variational.tables import AFTER, BEFORE, arrays, loop_arrays, workspace
from poinsot.core.numbers.arrays import Numbers, segment, segments, zero_in
from poinsot.core.numbers.functions import has_tangents, magnitude, maximum
from poinsot.core.tree.joints.table import FREE
from poinsot.core.tree.kernel import ProblemSize, Size, TreeKernel, TreeStepped
from poinsot.core.tree.problem import TreeProblem, copy, slot
from poinsot.core.tree.records import TreeRecord, unpack

HISTORY = 3  # number of steps whose increments are extrapolated
STEPS, LENGTH, HEAD = 0, 1, 2  # in the memory: number of past steps, length of the mechanism; then p
AUTO, HINGED, FLYING = 0, 1, 2  # the kinetic term of SE(3) or of R3 x SO(3)
KINETIC, MIDPOINT, RIQN, STAGES = 0, 1, 2, 3  # in the coefficients; those of the composition follow


@fused
def remember(p: TreeProblem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers) -> None:
    """Set p = M v, and the length to which corrections of translations are relative."""
    tree = unpack(p.model)
    set_zero(memory, memory.size)
    p.passes.place(p.model, workspace, y, BEFORE)
    p.passes.legendre(p.model, workspace, segment(y, p.nq, p.nv), segment(memory, HEAD, p.nv))
    memory[LENGTH] = length_of(tree, h, y)


@called
def guess(p: TreeProblem, h: float, v: Numbers, steps: float, previous: Numbers, workspace: Numbers) -> None:
    """Extrapolate the increments of the last steps, or take h v if there are none."""
    arr, n = arrays(p, workspace), p.nv
    for j in range(n):
        if steps < 0.5:
            arr.d[j] = h * v[j]
        elif steps < 1.5:
            arr.d[j] = previous[j] + 0.0
        elif steps < 2.5:
            arr.d[j] = 2.0 * previous[j] - previous[n + j]
        else:
            arr.d[j] = 3.0 * (previous[j] - previous[n + j]) + previous[2 * n + j]
    p.passes.joints(CLEAR, p.model, arr.inc, arr.inc, arr.inc)
    p.passes.joints(UPDATE, p.model, arr.inc, arr.d, arr.d)


@called
def velocities(p: TreeProblem, v: Numbers, momentum: Numbers, workspace: Numbers) -> None:
    """Compute v = M^-1 p after the step; with loops, project p and v by (2) of `loops`."""
    arr, m = arrays(p, workspace), p.constraints
    set_zero(arr.k, p.nv)
    if p.driven:
        stiffen(p, arr.k)
    p.passes.factor(p.model, workspace, INERTIA, AFTER, AFTER, arr.k)
    if m > 0:
        p.passes.prepare(p.model, workspace, arr.loops, AFTER, AFTER)
    copy(momentum, v, p.nv)
    if p.driven:
        set_velocities(p, v, workspace)
    p.passes.solve(p.model, workspace, AFTER, AFTER, v)
    if m > 0:
        x = loop_arrays(arr.loops, m, p.nv)
        set_zero(x.residual, m)
        p.passes.correct(p.model, workspace, arr.loops, AFTER, v)
        p.passes.push(p.model, workspace, arr.loops, AFTER, x.change, momentum)


@jit
def flies(tree: TreeRecord) -> bool:
    """True if the tree has a free joint."""
    found = False
    for i in range(1, tree.n + 1):
        found = found or tree.kind[i] == FREE
    return found


@jit
def begin(e: Equations, y: Numbers) -> None:
    """Poses, stiffnesses, drives, gravity and loops at the beginning of a step."""
    p, workspace, midpoint, arr = e.p, e.workspace, e.options.midpoint, arrays(e.p, e.workspace)
    p.passes.place(p.model, workspace, e.q, BEFORE)
    stiffnesses(p, e.h, midpoint, arr.k, p.nv)
    if p.driven:
        stiffen(p, arr.k)
        aim(p, e.t, e.h, workspace)
    if not midpoint and not forced(p):  # gravity does not depend on the velocity
        loads(p, workspace, e.t, y, BEFORE, arr.Q)
        for j in range(p.nv):
            arr.Q[j] = 0.5 * arr.Q[j]
    if p.constraints > 0:
        p.passes.read(p.model, workspace, arr.loops, BEFORE)


@jit
def start(e: Equations, v: Numbers, steps: float, previous: Numbers, attempt: int) -> None:
    """Increments and their scales before an attempt to solve the equations."""
    p, arr = e.p, arrays(e.p, e.workspace)
    if attempt == 0:
        guess(p, e.h, v, steps, previous, e.workspace)
    else:
        p.passes.joints(CLEAR, p.model, arr.inc, arr.inc, arr.inc)
        set_zero(e.L, p.constraints)
    if p.driven:
        set_increments(p, e.workspace)
    for j in range(p.nv):
        known = abs(arr.d[j]) if attempt == 0 else zero_in(v)
        arr.s[j] = maximum(known, abs(e.h * v[j]))


@jit
def finish(e: Equations, y: Numbers, previous: Numbers, power: float) -> None:
    """State and momentum (2) at the end of the step."""
    p, h, q, workspace, nq, nv = e.p, e.h, e.q, e.workspace, e.p.nq, e.p.nv
    arr, v = arrays(p, workspace), segment(y, nq, nv)
    p.passes.joints(LOGARITHMS, p.model, arr.inc, arr.d, arr.d)
    for j in range(nv):  # shift the history of increments
        previous[2 * nv + j] = previous[nv + j]
        previous[nv + j] = previous[j]
        previous[j] = arr.d[j]
    copy(arr.g, arr.k, nv)  # the residual of (1) after the last correction, which is not lost
    p.passes.generalised(p.model, workspace, AFTER, arr.g)
    add_armature(unpack(p.model), arr.inc, True, arr.g)
    p.passes.joints(APPEND, p.model, q, arr.inc, arr.inc)
    if e.options.midpoint:
        for j in range(nv):
            arr.d[j] = -arr.d[j]
        p.passes.joints(SHARED, p.model, arr.d, arr.Q1, arr.Q)  # (4)
        done = h * power
    else:
        copy(q, arr.x, nq)
        for j in range(nv):
            arr.x[nq + j] = arr.d[j] / h
        done = 0.5 * h * (power + loads(p, workspace, e.t + h, arr.x, AFTER, arr.Q))
        for j in range(nv):
            arr.Q[j] = 0.5 * arr.Q[j]
    for j in range(nv):
        e.momentum[j] = (arr.g[j] + arr.k[j]) / h + h * arr.Q[j]  # (2)
    velocities(p, v, e.momentum, workspace)
    if p.driven:
        done = done + work(p, h, q, v, e.momentum, workspace)
    y[nq + nv] = y[nq + nv] + done


class SubstepMemory(NamedTuple):
    """The memory of a step, after the number of past steps and the length of the mechanism."""

    momentum: Numbers
    previous: Numbers  # increments of the last steps, for each substep
    L: Numbers  # multipliers


def memory_counts(nv: int, m: int, stages: int) -> SubstepMemory:
    """Lengths of the arrays."""
    return SubstepMemory(nv, HISTORY * stages * nv, stages * m)


_counts = jit(memory_counts)


def substep_with(correction: Compiled) -> Compiled:
    """Make a substep with a function of `corrections`."""
    newton, solve_tangents = newton_with(correction), tangents_with(correction)

    @called
    def substep(e: Equations, y: Numbers, previous: Numbers, steps: float, length: float) -> tuple[int, bool]:
        """One step of order 2; return (corrections, failed)."""
        begin(e, y)
        corrections, solved, power = 0, False, zero_in(y)
        for attempt in range(3):
            start(e, segment(y, e.p.nq, e.p.nv), steps, previous, attempt)
            more, solved, power = newton(e, magnitude(length), attempt == 2)  # (1), (3)
            corrections += more
            if solved:
                break
        if not solved:
            return corrections, True
        if has_tangents(zero_in(y)):
            power = solve_tangents(e)
        finish(e, y, previous, power)
        return corrections, False

    return substep


@called
def substep_of_members(
    e: Equations, y: Numbers, previous: Numbers, steps: float, length: float
) -> tuple[int, bool]:
    """One step of order 2 of four members; if one fails, it is for the scalar kernel (`members`)."""
    begin(e, y)
    start(e, segment(y, e.p.nq, e.p.nv), steps, previous, 0)
    corrections, solved, power = newton_of_members(e, length)  # (1)
    if solved:
        finish(e, y, previous, power)
    return corrections, not solved


def step_with(substep: Compiled) -> Compiled:
    """Make a step of substeps."""

    @fused
    def step(
        p: TreeProblem,
        t: float,
        h: float,
        y: Numbers,
        memory: Numbers,
        workspace: Numbers,
        coefficients: Numbers,
    ) -> TreeStepped:
        nv, m, stages = p.nv, p.constraints, int(coefficients[STAGES])
        past = segments(memory, HEAD, _counts(nv, m, stages))
        fly = m == 0 and flies(unpack(p.model))  # a free body in a loop does not fly
        options = Options(
            coefficients[KINETIC] == FLYING or (coefficients[KINETIC] == AUTO and fly),
            coefficients[MIDPOINT] != 0.0,
            coefficients[RIQN] != 0.0,
        )
        steps, length, q = magnitude(memory[STEPS]), memory[LENGTH], segment(y, 0, p.nq)
        iterations, failed, done = 0, False, 0.0
        for i in range(stages):
            c, previous = coefficients[STAGES + 1 + i], slot(past.previous, i, HISTORY * nv)
            e = Equations(p, t + done * h, c * h, q, past.momentum, slot(past.L, i, m), workspace, options)
            more, failed = substep(e, y, previous, steps, length)
            iterations, done = iterations + more, done + c
            if failed:
                break
        if not failed and steps < HISTORY:
            memory[STEPS] = memory[STEPS] + 1.0
        return iterations + stages, iterations, failed

    return step


def memory_of(stages: int) -> Size:
    """`memory` of a composition of so many steps."""

    def memory(shape: ProblemSize) -> int:
        return HEAD + sum(memory_counts(shape.nv, shape.constraints, stages))

    return memory


STEP, DENSE = step_with(substep_with(articulated)), step_with(substep_with(dense))
MEMBERS = step_with(substep_of_members)


def kernel(kinetic: int = AUTO, midpoint: bool = False, riqn: bool = False, by: Composition = ONE) -> Kernels:
    """Kernel with these options, and the kernel with a dense matrix as its fallback."""
    substeps = by.coefficients
    one = TreeKernel(
        name="variational",
        step=STEP,
        remember=remember,
        memory=memory_of(len(substeps)),
        workspace=workspace,
        coefficients=np.array([kinetic, midpoint, riqn, len(substeps), *substeps], dtype=np.float64),
        groups=True,
        joints=JOINTS,
        passes=passes,
        passes_type=passes_type,
        drivable=DRIVABLE,
    )
    four = replace(one, name="variational_members", step=MEMBERS, workspace=members_workspace, drivable=None)
    one = replace(one, members=four)
    if riqn:
        return Kernels(tree=one)
    fallback = replace(one, name="variational_dense", step=DENSE, workspace=partial(workspace, dense=True))
    return Kernels(tree=replace(one, fallback=fallback))


KERNELS = {
    "variational": kernel(),
    "variational_midpoint": kernel(midpoint=True),
    "variational_se3": kernel(HINGED),
    "variational_product": kernel(FLYING),
    "variational_riqn": kernel(riqn=True),
    "variational4": Kernels(tree=sgauss(2), loops=kernel(by=SUZUKI4).tree),
    "variational6": Kernels(tree=sgauss(3), loops=kernel(by=KAHAN_LI6).tree),
    "variational8": Kernels(tree=sgauss(4)),
}
