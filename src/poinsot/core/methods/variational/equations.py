"""The equations of a variational step.

    p0 = p-(D) - Q- - G(q0) L,     phi(q1) = 0                                                  (1)

for the increments D and the multipliers L.  `variational` solves them.  The row of a driven joint is that its
increment is the given one (`drives`).
"""

from typing import NamedTuple

from poinsot.core.jit import called
from poinsot.core.methods.variational.compiled import LOGARITHMS, MIDDLE, SHARED, UPDATE
from poinsot.core.methods.variational.loads import forced, loads
from poinsot.core.methods.variational.passes import add_armature
from poinsot.core.methods.variational.tables import AFTER, BEFORE, arrays, loop_arrays
from poinsot.core.numbers.arrays import Numbers, segments, zero_in
from poinsot.core.numbers.functions import magnitude
from poinsot.core.tree.loops.gear import combination, gear_residual
from poinsot.core.tree.loops.table import is_gear
from poinsot.core.tree.problem import TreeProblem, combine, copy
from poinsot.core.tree.records import loops_in, unpack


class Options(NamedTuple):
    """Options of a step."""

    product: bool  # kinetic term of R3 x SO(3), else of SE(3)
    midpoint: bool  # forces at the midpoint, else at the ends
    riqn: bool  # matrix of Newton's method: the mass matrix at q0


class Equations(NamedTuple):
    """The equations of a step: what they depend on besides the unknowns, and their multipliers."""

    p: TreeProblem
    t: float
    h: float
    q: Numbers
    momentum: Numbers
    L: Numbers  # the multipliers
    workspace: Numbers
    options: Options


@called
def residual(e: Equations) -> tuple[bool, float, float]:
    """Compute g = -h (1) and the loop residuals; return (valid, their squared size, power).
    `valid` is False if a body rotates too far."""
    p, h, workspace, options = e.p, e.h, e.workspace, e.options
    arr, m, nv = arrays(p, workspace), p.constraints, p.nv
    g = arr.g
    power = zero_in(g)
    if options.midpoint or forced(p):
        p.passes.joints(LOGARITHMS, p.model, arr.inc, arr.d, arr.d)
        for j in range(nv):
            arr.x[p.nq + j] = arr.d[j] / h
        if options.midpoint:
            p.passes.joints(MIDDLE, p.model, e.q, arr.d, arr.x)
            p.passes.place(p.model, workspace, arr.x, AFTER)
            power = loads(p, workspace, e.t + 0.5 * h, arr.x, AFTER, arr.Q1)
            p.passes.joints(SHARED, p.model, arr.d, arr.Q1, arr.Q)
        else:
            copy(e.q, arr.x, p.nq)
            power = loads(p, workspace, e.t, arr.x, BEFORE, arr.Q)
            for j in range(nv):
                arr.Q[j] = 0.5 * arr.Q[j]
    valid = p.passes.displace(p.model, workspace, arr.inc, options.product, g)
    add_armature(unpack(p.model), arr.inc, True, g)
    for j in range(nv):
        g[j] = h * e.momentum[j] + h * h * arr.Q[j] - g[j]  # (1)
    total = 0.0
    if m > 0:
        p.passes.push(p.model, workspace, arr.loops, BEFORE, e.L, g)
        p.passes.read(p.model, workspace, arr.loops, AFTER)  # (1)
        phi = loop_arrays(arr.loops, m, nv).residual
        tree, loops = unpack(p.model), loops_in(p.model)
        for j in range(m):
            if is_gear(loops, j):
                phi[j] = gear_residual(tree, loops, j, e.q) + combination(loops, j, tree.q, arr.inc)
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
def apply_correction(e: Equations, s: float) -> None:
    """Add s times the correction to increments and multipliers."""
    p, arr = e.p, arrays(e.p, e.workspace)
    for j in range(p.nv):
        arr.d[j] = s * arr.g[j]
    p.passes.joints(UPDATE, p.model, arr.inc, arr.d, arr.d)
    combine(e.L, s, loop_arrays(arr.loops, p.constraints, p.nv).change, p.constraints)


class Unknowns(NamedTuple):
    """Copy of increments, correction and multipliers."""

    inc: Numbers
    g: Numbers
    L: Numbers


@called
def save(e: Equations) -> None:
    """Save increments, correction and multipliers."""
    p, arr = e.p, arrays(e.p, e.workspace)
    x = segments(arr.saved, 0, Unknowns(p.nq, p.nv, p.constraints))
    copy(arr.inc, x.inc, p.nq)
    copy(arr.g, x.g, p.nv)
    copy(e.L, x.L, p.constraints)


@called
def restore(e: Equations) -> None:
    """Restore what `save` has saved."""
    p, arr = e.p, arrays(e.p, e.workspace)
    x = segments(arr.saved, 0, Unknowns(p.nq, p.nv, p.constraints))
    copy(x.inc, arr.inc, p.nq)
    copy(x.g, arr.g, p.nv)
    copy(x.L, e.L, p.constraints)
