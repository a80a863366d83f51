"""The end of a step of the Gauss methods: y1 = y0 + h sum_k b_k F_k, compensated.

A body that falls has the same increments in each step, and so the same rounding: of

    dv = h sum_k b_k F_k                                                                           (1)

and of h^2 sum b a F in the coordinates.  Where these differ, the energy has a trend, and a ball that bounces
comes too late by the square of the number of its bounces.  So the last stages of velocities along lengths are

    V_k = (v0 + (dv/2 + carry)) + h sum_l (a_kl - b_l/2) F_l                                       (2)

with the float dv by which v rises, and a sum that is odd about the middle of the step (`tableau`).  Lengths
rise by h times the mean of their slopes, with the rounding of this product.
"""

from poinsot.core.jit import jit
from poinsot.core.methods.gauss.tableau import ODD, B, exact_mean
from poinsot.core.methods.implicit.compensation import rise, rise_exactly
from poinsot.core.methods.implicit.stages import odd, total
from poinsot.core.numbers.arrays import Numbers
from poinsot.core.tree.joints.units import FIRST_LENGTH_Q, FIRST_LENGTH_V, LENGTHS
from poinsot.core.tree.problem import TreeProblem
from poinsot.core.tree.records import unpack


@jit
def raised(h: float, F: float, rows: Numbers) -> float:
    """What a number rises in a step: (1)."""
    return h * total(rows[B] * F)


@jit
def about_middle(
    p: TreeProblem, h: float, y: Numbers, carry: Numbers, Y: Numbers, F: Numbers, rows: Numbers
) -> None:
    """Stages of the velocities along lengths, once more: (2)."""
    tree = unpack(p.model)
    for b in range(1, tree.n + 1):
        first = p.nq + tree.v[b] + FIRST_LENGTH_V[tree.kind[b]]
        for i in range(first, first + LENGTHS[tree.kind[b]]):
            Y[i] = (y[i] + (0.5 * raised(h, F[i], rows) + carry[i])) + h * odd(rows, ODD, F[i])


@jit
def finish(p: TreeProblem, h: float, y: Numbers, carry: Numbers, F: Numbers, rows: Numbers) -> None:
    """The sums over the stages, compensated; lengths with the rounding of h times their mean."""
    tree, done = unpack(p.model), 0
    for b in range(1, tree.n + 1):
        if LENGTHS[tree.kind[b]] > 0:
            first = tree.q[b] + FIRST_LENGTH_Q[tree.kind[b]]
            for i in range(done, first):
                rise(y, carry, i, raised(h, F[i], rows))
            done = first + LENGTHS[tree.kind[b]]
            for i in range(first, done):
                rise_exactly(y, carry, i, h, exact_mean(rows, F[i]))
    for i in range(done, p.nq + p.nv + 1):
        rise(y, carry, i, raised(h, F[i], rows))
