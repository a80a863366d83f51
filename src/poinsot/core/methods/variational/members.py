"""Newton's method of a variational step for four members of an ensemble: the members are the lanes.

Every member has the iterations of `newton`, and their bits.  One that has converged keeps its increments
while the others go on, so that its residual, its momenta and its forces, which are computed again, are the
same; one that keeps its matrix keeps it while the others compute theirs.  Where the first attempt of a member
fails, the step fails.
"""

import numpy as np

from poinsot.core.jit import called
from poinsot.core.methods.variational.compiled import INERTIA, UPDATE
from poinsot.core.methods.variational.corrections import largest, relative
from poinsot.core.methods.variational.equations import Equations, residual
from poinsot.core.methods.variational.newton import (
    CLOSE,
    FAST,
    FLOOR,
    HERE,
    MAX_ITERATIONS,
    NEGLIGIBLE,
    ROUNDING,
    STILL,
)
from poinsot.core.methods.variational.pivots import OWN
from poinsot.core.methods.variational.tables import AFTER, BEFORE, arrays, tables, workspace
from poinsot.core.numbers.arrays import zero_in
from poinsot.core.numbers.functions import some, where
from poinsot.core.tree.kernel import ProblemSize
from poinsot.core.tree.problem import copy
from poinsot.core.tree.records import unpack


@called
def correct(e: Equations, waits: float, stale: float) -> None:
    """Replace g by the correction, with a new matrix for members whose matrix is stale (1)."""
    p, arr, riqn = e.p, arrays(e.p, e.workspace), e.options.riqn
    right, n = BEFORE if riqn else AFTER, p.model.ints[0]
    if some(stale > 0.5):
        own, mixed = tables(e.workspace, n).own, some((waits > 0.5) & (stale < 0.5))
        if mixed:
            copy(own, arr.matrix, OWN * (n + 1))
        matrix = INERTIA if riqn else int(e.options.product)
        p.passes.factor(p.model, e.workspace, matrix, BEFORE, right, arr.k)
        if mixed:
            for i in range(OWN * (n + 1)):
                own[i] = where(stale > 0.5, own[i], arr.matrix[i])
    p.passes.solve(p.model, e.workspace, BEFORE, right, arr.g)


@called
def newton_of_members(e: Equations, length: float) -> tuple[int, bool, float]:
    """Solve the equations from the present increments; return (corrections, solved, power)."""
    p, arr, o = e.p, arrays(e.p, e.workspace), zero_in(e.q)
    last, waits, stale = o + np.inf, o + 1.0, o + 1.0
    valid, merit, power = residual(e)
    for iteration in range(1, MAX_ITERATIONS + 1):
        if not valid or not merit < np.inf:
            return iteration, False, power
        copy(arr.g, arr.r, p.nv)
        correct(e, waits, stale)
        size, part = largest(unpack(p.model), arr.g, length), relative(p, arr.g, arr.s, iteration == 1)
        if some((size == np.inf) | (size != size)):
            return iteration, False, power
        waits = where((stale < 0.5) & (part <= NEGLIGIBLE), o, waits)  # the last one was good
        if not some(waits > 0.5):
            copy(arr.r, arr.g, p.nv)
            return iteration - 1, True, power
        copy(arr.inc, arr.saved, p.nq)
        p.passes.joints(UPDATE, p.model, arr.inc, arr.g, arr.g)
        for i in range(p.nq):
            arr.inc[i] = where(waits > 0.5, arr.inc[i], arr.saved[i])
        valid, merit, power = residual(e)
        rate, known = part / last, iteration > 1
        ended, away = part <= NEGLIGIBLE, size > CLOSE
        if known:
            still = ((rate >= STILL) & (size <= FLOOR)) | ((rate >= 1.0) & (size <= ROUNDING))
            ended, away = ended | (part * rate <= NEGLIGIBLE) | still, (rate > FAST) & (size > HERE)
        waits = where(ended, o, waits)
        if not some(waits > 0.5):
            return iteration, valid, power
        stale = where(away & (waits > 0.5), o + (0.0 if e.options.riqn else 1.0), o)
        last = part
    return MAX_ITERATIONS, False, power


def members_workspace(shape: ProblemSize) -> int:
    """Numbers of the workspace of a step: the factors of all joints are in the place of a dense matrix."""
    return workspace(shape) + OWN * (shape.bodies + 1)
