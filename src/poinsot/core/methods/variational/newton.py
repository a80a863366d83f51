"""Newton's method for the equations of a variational step, for values and then for tangents.

    D <- D exp(s y),   L <- L + s dL,     (y, dL) the correction, s = 1, or halved until it helps    (1)
    D <- D exp(dy),    L <- L + d(dL)     tangents of the correction alone, for dual numbers       (2)

The matrix is kept while corrections shrink fast.  Iterations end on the size of the correction, and on what
it leaves at the measured rate: a residual relative to the momentum would never be small at small steps.
"""

from typing import Any

import numpy as np

from poinsot.core.jit import called
from poinsot.core.methods.variational.compiled import NUDGE
from poinsot.core.methods.variational.corrections import largest
from poinsot.core.methods.variational.equations import Options, arrays, moved, residual, restore, save
from poinsot.core.methods.variational.loops import loop_arrays
from poinsot.core.numbers.arrays import zero_in
from poinsot.core.numbers.functions import steepness, tangents
from poinsot.core.tree.problem import Problem
from poinsot.core.tree.records import unpack

MAX_ITERATIONS, HALVINGS = 30, 12
DONE = 1e-13  # a correction (radians, lengths of the mechanism) after which nothing is left
LEFT = 1e-15  # what a correction leaves, judged from the rate of contraction
ROUNDING = 1e-9  # a correction that stops shrinking above this is divergence
FAST = 0.02  # contraction for which the old factors are good enough


def solver_with(correction: Any) -> Any:
    """`newton` and `followed` with this correction (`corrections`)."""

    @called
    def newton(  # type: ignore[no-untyped-def]
        p: Problem,
        t: float,
        h: float,
        q: Any,
        momentum: Any,
        L: Any,
        length: float,
        workspace: Any,
        options: Options,
        damped: bool,
    ):
        """Solve the equations from the increments at hand: (corrections, solved, power)."""
        fine, merit, power = residual(p, t, h, q, momentum, L, workspace, options)
        last, anew = np.inf, True
        for iteration in range(1, MAX_ITERATIONS + 1):
            if not fine or not merit < np.inf:
                return iteration, False, power
            correction(p, t, h, q, momentum, L, workspace, options, anew)
            found = largest(unpack(p.model), arrays(p, workspace).g, length)
            if not found < np.inf:
                return iteration, False, power
            if damped:
                save(p, L, workspace)
            s, better = 1.0, False
            for _ in range(HALVINGS):
                moved(p, L, workspace, s)  # (1)
                fine, new, power = residual(p, t, h, q, momentum, L, workspace, options)
                better = not damped or (fine and (new < (1.0 - 0.5 * s) * merit or found < ROUNDING))
                if better:
                    break
                restore(p, L, workspace)
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

    @called
    def followed(  # type: ignore[no-untyped-def]
        p: Problem, t: float, h: float, q: Any, momentum: Any, L: Any, workspace: Any, options: Options
    ):
        """(2): solve for the tangents of dual numbers as well; values keep the bits of floats."""
        on, m, power, last = arrays(p, workspace), p.constraints, zero_in(q), np.inf
        change = loop_arrays(on.loops, m, p.nv).change
        for iteration in range(MAX_ITERATIONS):
            correction(p, t, h, q, momentum, L, workspace, options, iteration == 0)
            found = 0.0
            for j in range(p.nv):
                on.d[j] = tangents(on.g[j])
                found = max(found, steepness(on.d[j]))
            for j in range(m):
                L[j] = L[j] + tangents(change[j])
            p.passes.joints(NUDGE, p.model, on.inc, on.d, on.d)  # (2)
            _, _, power = residual(p, t, h, q, momentum, L, workspace, options)
            if found <= DONE or (last < np.inf and (found * found <= LEFT * last or found >= 0.5 * last)):
                break
            last = found
        return power

    return newton, followed
