"""Steps of the Gauss methods on constraints, by symmetric projection (Hairer, Lubich and Wanner, V.4.1).

    Y0 = y0 + D(y0) mu,    Y1 = step of Y0,    y1 = Y1 + D(y1) mu  on the constraints                   (1)

D = M^-1 Phi^T, with multipliers mu of coordinates and of velocities (`tree.loops.field`).  The same mu at
both ends makes the step symmetric in time, which a projection of the end alone is not.  The projection of Y1
has the multipliers nu(mu) = nu(0) - mu + O(h mu), so that

    mu <- (mu + nu)/2                                                                                   (2)

is a simplified Newton method for nu = mu, whose first guess extrapolates the last two steps.  The end is on
the constraints whatever mu is.
"""

from typing import Any

import numpy as np

from poinsot.core.jit import Compiled, called, jit
from poinsot.core.methods.gauss.finish import finish
from poinsot.core.methods.gauss.tableau import FACTS
from poinsot.core.methods.implicit.stopping import EPS
from poinsot.core.numbers.arrays import Numbers
from poinsot.core.numbers.v4d import lane
from poinsot.core.tree.field import CLOSE, SHIFT
from poinsot.core.tree.problem import TreeProblem, copy
from poinsot.core.tree.records import loops_in

MAX_ROUNDS = 30  # of (2)
ROUNDING, SLOW = 1e-13, 0.2  # of (2): squares below, that shrink less, are rounding


@jit
def ask(p: TreeProblem, part: int, t: float, y: Numbers, mu: Numbers, Y: Numbers) -> None:
    """`CLOSE` or `SHIFT` a state of floats."""
    n = p.nq + p.nv + 1
    for i in range(n):
        Y[i] = 0.0 * mu[0] + y[i]
    p.field(part, 0.0 * mu[0] + t, Y, mu, p.force, p.user, p.model)
    for i in range(n):
        y[i] = lane(Y[i], 0)


@jit
def apart(p: TreeProblem, h: float, x: Any) -> float:
    """Square of nu - mu, by the motion that it is, relative to that of the step."""
    m, found = p.constraints, 0.0
    weights = loops_in(p.model).floats
    for j in range(m):
        move, push = lane(x.nu[j] - x.mu[j], 0) / h, lane(x.nu[m + j] - x.mu[m + j], 0)
        found += (move * move + push * push) / (weights[j] * weights[j])
    energy = lane(x.nu[2 * m], 0)
    return found / energy if energy > 0.0 else found


@jit
def predict(g: Any, history: float, past: Any) -> None:
    """First guess of mu."""
    for j in range(2 * g.p.constraints):
        guess = past.mu1[j] if history > 0.0 else 0.0
        if history > 1.0:
            guess += past.mu1[j] - past.mu2[j]
        g.x.mu[j] = 0.0 * g.rows[0] + guess


def project_with(iterate: Compiled) -> Compiled:
    """Make the steps (1) of sweeps."""

    @called
    def project(g: Any, factored: Any) -> tuple[int, bool]:
        """Step from y to y; return (sweeps, converged)."""
        p, x, n, count, last = g.p, g.x, g.p.nq + g.p.nv + 1, 0, np.inf
        goal = max(EPS, lane(g.rows[FACTS], 1))
        copy(g.y, x.start, n)
        copy(g.carry, x.kept, n)
        ask(p, SHIFT, g.t, g.y, x.mu, x.end)
        for _ in range(MAX_ROUNDS):
            sweeps, converged = iterate(g, factored)
            count += sweeps + 1
            if not converged:
                return count - 1, False
            finish(p, g.h, g.y, g.carry, x.F, g.rows)
            ask(p, CLOSE, g.t + g.h, g.y, x.nu, x.end)
            size = apart(p, g.h, x)
            if size <= goal * goal or not size < (last if size > ROUNDING * ROUNDING else SLOW * last):
                break
            last = size
            for j in range(2 * p.constraints):
                x.mu[j] = 0.5 * (x.mu[j] + x.nu[j])  # (2)
            copy(x.start, g.y, n)
            copy(x.kept, g.carry, n)
            ask(p, SHIFT, g.t, g.y, x.mu, x.end)
        return count - 1, True

    return project
