"""Newton's method for the equations of a variational step, for values and then for tangents.

    D <- D exp(s y),   L <- L + s dL,     (y, dL) the correction, s = 1, or halved to descend        (1)
    D <- D exp(dy),    L <- L + d(dL)     tangents of the correction alone, for dual numbers       (2)

The matrix is reused while corrections shrink fast.  Iterations end when the next correction is negligible, or
the error after this one as estimated from the rate of contraction, which is known from the second correction
on: forces outside the matrix converge linearly.  Relative to the momentum, the residual of a small step is
never small.
"""

import numpy as np

from poinsot.core.jit import Compiled, called
from poinsot.core.methods.variational.compiled import NUDGE
from poinsot.core.methods.variational.corrections import largest, relative
from poinsot.core.methods.variational.equations import (
    Options,
    apply_correction,
    arrays,
    residual,
    restore,
    save,
)
from poinsot.core.methods.variational.loops import loop_arrays
from poinsot.core.numbers.arrays import Numbers, zero_in
from poinsot.core.numbers.functions import steepness, tangents
from poinsot.core.tree.problem import Problem, copy
from poinsot.core.tree.records import unpack

MAX_ITERATIONS, HALVINGS = 60, 12
NEGLIGIBLE = 5e-15  # correction relative to the increment, or estimated error after one
ROUNDING = 1e-9  # a correction (radians, lengths of the mechanism) that stops shrinking above this diverges
STILL, FLOOR = 0.25, 1e-14  # corrections below this floor that shrink by less are rounding
FAST = 0.02  # contraction for which the matrix is reused
CLOSE, HERE = 1e-4, 1e-8  # first and other corrections for which it is reused in any case
DONE = 1e-13  # correction of tangents with which their iteration ends


def solver_with(correction: Compiled) -> tuple[Compiled, Compiled]:
    """Make `newton` and `solve_tangents` with a function of `corrections`."""

    @called
    def newton(
        p: Problem,
        t: float,
        h: float,
        q: Numbers,
        momentum: Numbers,
        L: Numbers,
        length: float,
        workspace: Numbers,
        options: Options,
        damped: bool,
    ) -> tuple[int, bool, float]:
        """Solve the equations from the present increments; return (corrections, solved, power)."""
        valid, merit, power = residual(p, t, h, q, momentum, L, workspace, options)
        arr, last, refactor = arrays(p, workspace), np.inf, True
        for iteration in range(1, MAX_ITERATIONS + 1):
            if not valid or not merit < np.inf:
                return iteration, False, power
            copy(arr.g, arr.r, p.nv)
            correction(p, t, h, q, momentum, L, workspace, options, refactor)
            size = largest(unpack(p.model), arr.g, length)
            if not size < np.inf:
                return iteration, False, power
            part = relative(p, arr.g, arr.s, iteration == 1)
            if not refactor and part <= NEGLIGIBLE:  # the last one was good
                copy(arr.r, arr.g, p.nv)
                return iteration - 1, valid, power
            if damped:
                save(p, L, workspace)
            s, accepted = 1.0, False
            for _ in range(HALVINGS):
                apply_correction(p, L, workspace, s)  # (1)
                valid, new, power = residual(p, t, h, q, momentum, L, workspace, options)
                accepted = not damped or (valid and (new < (1.0 - 0.5 * s) * merit or size < ROUNDING))
                if accepted:
                    break
                restore(p, L, workspace)
                s *= 0.5
            if not accepted:
                return iteration, False, power
            merit = new
            rate = part / last  # 0 if it is not known
            known = iteration > 1 and s == 1.0
            still = (rate >= STILL and size <= FLOOR) or (rate >= 1.0 and size <= ROUNDING)
            if part <= NEGLIGIBLE or (known and (part * rate <= NEGLIGIBLE or still)):
                return iteration, valid, power
            away = rate > FAST and size > HERE if known else size > CLOSE
            refactor = not options.riqn and (damped or away)
            last = part
        return MAX_ITERATIONS, False, power

    @called
    def solve_tangents(
        p: Problem,
        t: float,
        h: float,
        q: Numbers,
        momentum: Numbers,
        L: Numbers,
        workspace: Numbers,
        options: Options,
    ) -> float:
        """Solve (2) for the tangents of dual numbers; their values keep their bits.  Return the power."""
        arr, m, power, last = arrays(p, workspace), p.constraints, zero_in(q), np.inf
        change = loop_arrays(arr.loops, m, p.nv).change
        for iteration in range(MAX_ITERATIONS):
            correction(p, t, h, q, momentum, L, workspace, options, iteration == 0)
            size = 0.0
            for j in range(p.nv):
                arr.d[j] = tangents(arr.g[j])
                size = max(size, steepness(arr.d[j]))
            for j in range(m):
                L[j] = L[j] + tangents(change[j])
            p.passes.joints(NUDGE, p.model, arr.inc, arr.d, arr.d)  # (2)
            _, _, power = residual(p, t, h, q, momentum, L, workspace, options)
            if size <= DONE or (last < np.inf and (size * size <= NEGLIGIBLE * last or size >= 0.5 * last)):
                break
            last = size
        return power

    return newton, solve_tangents
