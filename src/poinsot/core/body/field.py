"""The equations of motion of one body as a vector field, also for solvers outside this package.

y = (q, P, r, p):   q. = q (0, w)/2,   P. = P x w + T,   r. = mobility p,   p. = F           (1)
"""

from functools import cache

from numba import float64, int64, void

from poinsot.core.body.load import force_type, load, velocity
from poinsot.core.body.records import BODY, STATE, BodyState, BodySystem
from poinsot.core.body.work import power
from poinsot.core.jit import Compiled, entry, jit, ready
from poinsot.core.lie import quaternion
from poinsot.core.lie.vec3 import add, cross, scale
from poinsot.core.numbers.arrays import records

X = float64[::1]


@jit
def field(system: BodySystem, t: float, x: BodyState) -> tuple[BodyState, float]:
    """Rates of change of the state (1) and of the work."""
    w, f = velocity(system.body, x), load(system, t, x)
    rate = BodyState(quaternion.rate(x.q, w), add(cross(x.P, w), f.T), scale(system.body.mobility, x.p), f.F)
    return rate, power(system, x, f)


@cache
def vector_field() -> Compiled:
    """Compiled f(force, forced, first, last, body, t, y, out): out = (1) at t, clipped to first .. last."""

    def evaluate(force, forced, first, last, body, t, y, out):  # type: ignore[no-untyped-def]
        system = BodySystem(records(body, 0, 1, BODY)[0], force, forced == 1, force, False, first, last)
        slot = records(out, 0, 1, STATE)
        slot[0], _ = field(system, t, records(y, 0, 1, STATE)[0])

    signature = void(force_type(float64), int64, float64, float64, X, float64, X, X)
    return ready(entry("field.1", signature)(evaluate))
