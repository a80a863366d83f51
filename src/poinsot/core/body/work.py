"""The work of forces without a potential, summed step by step.

    W1 = W0 + h/24 (9 f1 + 19 f0 - 5 f_1 + f_2)         f the power at the ends of steps           (1)

(Adams-Moulton, order 4).  The first two steps, also after a breakpoint, use the formulas of order 2 and 3,
because fewer values of the power are available: the error of the work is O(h^3), also with methods of
higher order.
"""

from typing import NamedTuple

from poinsot.core.body.load import power
from poinsot.core.body.records import State, System
from poinsot.core.jit import Compiled, jit
from poinsot.core.numbers.functions import where


class Work(NamedTuple):
    """The work and the powers that (1) needs."""

    work: float
    f0: float  # power now, one step and two steps ago
    f1: float
    f2: float
    valid: float  # how many of these powers are valid


WORK = Work(0.0, 0.0, 0.0, 0.0, 0.0)


@jit
def add_work(system: System, force: Compiled, t: float, h: float, x: State, w: Work) -> Work:
    """Add the work of a step of length h that ended in x; h = 0 starts anew with the power at x."""
    f = power(system, force, t, x)
    if h == 0.0:
        return Work(w.work, f, f, f, 1.0 + 0.0 * f)
    two = 0.5 * (f + w.f0)
    three = (5.0 * f + 8.0 * w.f0 - w.f1) / 12.0
    four = (9.0 * f + 19.0 * w.f0 - 5.0 * w.f1 + w.f2) / 24.0  # (1)
    mean = where(w.valid >= 3.0, four, where(w.valid >= 2.0, three, two))
    return Work(w.work + h * mean, f, w.f0, w.f1, w.valid + 1.0)
