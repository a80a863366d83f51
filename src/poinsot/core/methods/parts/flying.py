"""Methods of kicks and exact flights: what they remember, and how a step ends.

A step consists of kicks and flights.  Its kicks are summed in a `Gain`; at its end the invariants of flight,
which the memory holds, have changed by that, and the state is moved to them (`body.invariants`).
"""

from typing import NamedTuple

from poinsot.core.body.invariants import INVARIANTS, Gain, Invariants, gained, invariants_of, settled
from poinsot.core.body.kernel import Stepped
from poinsot.core.body.load import load
from poinsot.core.body.records import LOAD, Load, State, System
from poinsot.core.body.work import work_of_kick
from poinsot.core.jit import Compiled, jit
from poinsot.core.lie.vec3 import add, axpy, scale


class Flying(NamedTuple):
    """Memory between two steps."""

    load: Load
    kept: Invariants


class Kicked(NamedTuple):
    """Memory between the kicks of a step."""

    load: Load
    gain: Gain


MEMORY = Flying(LOAD, INVARIANTS)


@jit
def remember(system: System, t: float, h: float, x: State) -> Flying:
    """Load and invariants at the start."""
    return Flying(load(system, t, x), invariants_of(system.body, x))


@jit
def kick(system: System, s: float, f: Load, x: State, gain: Gain, work: float) -> tuple[State, Gain, float]:
    """State after a kick over the time s, and the gain and the work with it."""
    k = scale(s, f.T)
    x1 = State(x.q, add(x.P, k), x.r, axpy(s, f.F, x.p))
    return x1, gained(gain, k, x.P), work + work_of_kick(system, s, f, x)


def settling(parts: Compiled) -> Compiled:
    """Make a step of `parts`, kicks and flights with the memory `Kicked`."""

    @jit
    def step(system: System, t: float, h: float, x0: State, memory: Flying) -> Stepped[Flying]:
        zero = 0.0 * x0.q[0]
        none = Gain((zero, zero, zero), zero)
        start = Kicked(memory.load, none)
        x, kicked, work, evaluations, iterations, failed = parts(system, t, h, x0, start)
        x, kept = settled(system.body, x0, x, memory.kept, kicked.gain)
        return x, Flying(kicked.load, kept), work, evaluations, iterations, failed

    return step
