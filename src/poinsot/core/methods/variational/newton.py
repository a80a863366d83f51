"""Newton's method for the equations of a variational step, for values and then for tangents.

    D <- D exp(s y),   L <- L + s dL,     (y, dL) the correction, s = 1, or halved to descend        (1)
    D <- D exp(dy),    L <- L + d(dL)     tangents of the correction alone, for dual numbers       (2)

The matrix is reused while corrections shrink fast.  Iterations end when the next correction is negligible, or
the error after this one as estimated from the rate of contraction, which is known from the second correction
on: forces outside the matrix converge linearly.  Relative to the momentum, the residual of a small step is
never small.
"""

import numpy as np

from poinsot.core.jit import Compiled, called, jit
from poinsot.core.methods.variational.compiled import NUDGE
from poinsot.core.methods.variational.corrections import largest, relative
from poinsot.core.methods.variational.equations import Equations, apply_correction, residual, restore, save
from poinsot.core.methods.variational.tables import arrays, loop_arrays
from poinsot.core.numbers.arrays import zero_in
from poinsot.core.numbers.functions import magnitude, steepness, tangents
from poinsot.core.tree.problem import copy
from poinsot.core.tree.records import unpack

MAX_ITERATIONS, HALVINGS = 60, 12
NEGLIGIBLE = 5e-15  # correction relative to the increment, or estimated error after one
ROUNDING = 1e-9  # a correction (radians, lengths of the mechanism) that stops shrinking above this diverges
STILL, FLOOR = 0.25, 1e-14  # corrections below this floor that shrink by less are rounding
FAST = 0.02  # contraction for which the matrix is reused
CLOSE, HERE = 1e-4, 1e-8  # first and other corrections for which it is reused in any case
DONE = 1e-13  # correction of tangents with which their iteration ends


@jit
def still(rate: float, size: float) -> bool:
    """True if what is left of the corrections is rounding."""
    return (rate >= STILL and size <= FLOOR) or (rate >= 1.0 and size <= ROUNDING)


@jit
def descend(e: Equations, merit: float, size: float, damped: bool) -> tuple[float, bool, float, float]:
    """Apply the correction, halved where it does not descend: (s or 0, valid, merit, power)."""
    if damped:
        save(e)
    s = 1.0
    for _ in range(HALVINGS):
        apply_correction(e, s)  # (1)
        valid, new, power = residual(e)
        if not damped or (valid and (new < (1.0 - 0.5 * s) * merit or size < ROUNDING)):
            return s, valid, new, power
        restore(e)
        s *= 0.5
    return 0.0, valid, new, power


def newton_with(correction: Compiled) -> Compiled:
    """Make Newton's method with a function of `corrections`."""

    @called
    def newton(e: Equations, length: float, damped: bool) -> tuple[int, bool, float]:
        """Solve the equations from the present increments; return (corrections, solved, power)."""
        valid, merit, power = residual(e)
        p, arr, last, refactor = e.p, arrays(e.p, e.workspace), np.inf, True
        for iteration in range(1, MAX_ITERATIONS + 1):
            if not valid or not merit < np.inf:
                return iteration, False, power
            copy(arr.g, arr.r, p.nv)
            correction(e, refactor)
            size = magnitude(largest(unpack(p.model), arr.g, length))
            if not size < np.inf:
                return iteration, False, power
            part = magnitude(relative(p, arr.g, arr.s, iteration == 1))
            if not refactor and part <= NEGLIGIBLE:  # the last one was good
                copy(arr.r, arr.g, p.nv)
                return iteration - 1, valid, power
            s, valid, merit, power = descend(e, merit, size, damped)
            if s == 0.0:
                return iteration, False, power
            rate = part / last  # 0 if it is not known
            known = iteration > 1 and s == 1.0
            if part <= NEGLIGIBLE or (known and (part * rate <= NEGLIGIBLE or still(rate, size))):
                return iteration, valid, power
            away = rate > FAST and size > HERE if known else size > CLOSE
            refactor = not e.options.riqn and (damped or away)
            last = part
        return MAX_ITERATIONS, False, power

    return newton


def tangents_with(correction: Compiled) -> Compiled:
    """Make the iteration for tangents with a function of `corrections`."""

    @called
    def solve_tangents(e: Equations) -> float:
        """Solve (2) for the tangents of dual numbers; their values keep their bits.  Return the power."""
        p, arr, power, last = e.p, arrays(e.p, e.workspace), zero_in(e.q), np.inf
        change = loop_arrays(arr.loops, p.constraints, p.nv).change
        for iteration in range(MAX_ITERATIONS):
            correction(e, iteration == 0)
            size = 0.0
            for j in range(p.nv):
                arr.d[j] = tangents(arr.g[j])
                size = max(size, steepness(arr.d[j]))
            for j in range(p.constraints):
                e.L[j] = e.L[j] + tangents(change[j])
            p.passes.joints(NUDGE, p.model, arr.inc, arr.d, arr.d)  # (2)
            _, _, power = residual(e)
            if size <= DONE or (last < np.inf and (size * size <= NEGLIGIBLE * last or size >= 0.5 * last)):
                break
            last = size
        return power

    return solve_tangents
