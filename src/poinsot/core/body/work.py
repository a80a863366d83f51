"""The work of forces without a potential, summed step by step.

    W1 = W0 + h/24 (9 f1 + 19 f0 - 5 f_1 + f_2)         f the power at the ends of steps           (1)

(Adams-Moulton, order 4).  The first two steps, and those after a jump of the force, use its members
of order 2 and 3, for which the power was not yet known often enough: the work is right to O(h^3), also
under methods of higher order.
"""

from typing import Any, NamedTuple

from poinsot.core.body.load import power
from poinsot.core.body.records import State, System
from poinsot.core.jit import jit
from poinsot.core.numbers.functions import where


class Work(NamedTuple):
    work: float
    f0: float  # power now, one and two steps ago
    f1: float
    f2: float
    known: float  # how many of them are known


WORK = Work(0.0, 0.0, 0.0, 0.0, 0.0)


@jit
def worked(system: System, force: Any, t: float, h: float, x: State, w: Work) -> Work:
    """After a step of length h that ended in x; h = 0 only notes the power and forgets the past."""
    f = power(system, force, t, x)
    if h == 0.0:
        return Work(w.work, f, f, f, 1.0 + 0.0 * f)
    two = 0.5 * (f + w.f0)
    three = (5.0 * f + 8.0 * w.f0 - w.f1) / 12.0
    four = (9.0 * f + 19.0 * w.f0 - 5.0 * w.f1 + w.f2) / 24.0  # (1)
    mean = where(w.known >= 3.0, four, where(w.known >= 2.0, three, two))
    return Work(w.work + h * mean, f, w.f0, w.f1, w.known + 1.0)
