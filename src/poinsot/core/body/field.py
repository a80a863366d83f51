"""The equations of motion of one body as a vector field, also for solvers outside this package.

y = (q, P, r, p):   q. = q (0, w)/2,   P. = P x w + T,   r. = mobility p,   p. = F           (1)
"""

from functools import cache

from numba import float64, int64, void

from poinsot.core.body.load import force_type, load, velocity
from poinsot.core.body.records import BODY, STATE, State, System
from poinsot.core.jit import Compiled, entry, jit, ready
from poinsot.core.lie import quaternion
from poinsot.core.lie.vec3 import add, cross, scale
from poinsot.core.numbers.arrays import records

X = float64[::1]


@jit
def field(system: System, t: float, x: State) -> State:
    """Rate of change (1) of the state."""
    w, f = velocity(system.body, x), load(system, t, x)
    return State(quaternion.rate(x.q, w), add(cross(x.P, w), f.T), scale(system.body.mobility, x.p), f.F)


@cache
def vector_field() -> Compiled:
    """Compiled f(force, forced, first, last, body, t, y, out): out = (1) at t, clipped to first .. last."""

    def evaluate(force, forced, first, last, body, t, y, out):  # type: ignore[no-untyped-def]
        system = System(records(body, 0, 1, BODY)[0], force, forced == 1, first, last)
        slot = records(out, 0, 1, STATE)
        slot[0] = field(system, t, records(y, 0, 1, STATE)[0])

    signature = void(force_type(float64), int64, float64, float64, X, float64, X, X)
    return ready(entry("field.1", signature)(evaluate))
