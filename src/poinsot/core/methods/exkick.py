"""EXKICK, EXK4, EXK6 and SRKN4: kicks and exact free flights; only the torque causes an error.

    exkick    K(1/2) F(1) K(1/2)                                                                  (1)
    exk4, exk6    exkick(c_s h) ... exkick(c_2 h) exkick(c_1 h), order 4 (Suzuki) and 6 (Kahan & Li)      (2)
    srkn4     K(b1) F(a1) K(b2) F(a2) K(b3) F(a3) K(b4) F(a3) K(b3) F(a2) K(b2) F(a1) K(b1)              (3)

K(b) is a kick over b h, F(a) a free flight over a h; time advances in the flights.  (3) is the splitting of
Blanes & Moan (2002); the torque of the last kick is reused in the first kick of the next step, so that a step
takes six evaluations.

The kicks of a step are summed in a `Gain`; at its end the invariants of flight, which the memory holds, have
changed by that, and the state is moved to them (`body.invariants`).
"""

from typing import NamedTuple

from poinsot.core.body.flight import flight
from poinsot.core.body.invariants import INVARIANTS, Gain, Invariants, gained, invariants_of, settled
from poinsot.core.body.kernel import BodyKernel, Stepped
from poinsot.core.body.load import load
from poinsot.core.body.records import LOAD, BodyState, BodySystem, Load
from poinsot.core.body.work import work_of_kick
from poinsot.core.jit import Compiled, jit
from poinsot.core.lie.vec3 import add, axpy, scale
from poinsot.core.methods.method import Kernels
from poinsot.core.methods.parts.body import composed_step
from poinsot.core.methods.parts.coefficients import KAHAN_LI6, SUZUKI4

B1, B2, B3 = 0.0829844064174052, 0.396309801498368, -0.0390563049223486
B4 = 1.0 - 2.0 * (B1 + B2 + B3)
A1, A2 = 0.245298957184271, 0.604872665711080
A3 = 0.5 - (A1 + A2)
C1, C2, C3 = A1, A1 + A2, 0.5  # time of the kicks


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
def remember(system: BodySystem, t: float, h: float, x: BodyState) -> Flying:
    """Load and invariants at the start."""
    return Flying(load(system, t, x), invariants_of(system.body, x))


@jit
def kick(
    system: BodySystem, s: float, f: Load, x: BodyState, gain: Gain, work: float
) -> tuple[BodyState, Gain, float]:
    """State after a kick over the time s, and the gain and the work with it."""
    k = scale(s, f.T)
    x1 = BodyState(x.q, add(x.P, k), x.r, axpy(s, f.F, x.p))
    return x1, gained(gain, k, x.P), work + work_of_kick(system, s, f, x)


def settling(parts: Compiled) -> Compiled:
    """Make a step of `parts`, kicks and flights with the memory `Kicked`."""

    @jit
    def step(system: BodySystem, t: float, h: float, x0: BodyState, memory: Flying) -> Stepped[Flying]:
        zero = 0.0 * x0.q[0]
        none = Gain((zero, zero, zero), zero)
        start = Kicked(memory.load, none)
        x, kicked, work, evaluations, iterations, failed = parts(system, t, h, x0, start)
        x, kept = settled(system.body, x0, x, memory.kept, kicked.gain)
        return x, Flying(kicked.load, kept), work, evaluations, iterations, failed

    return step


@jit
def exkick(system: BodySystem, t: float, h: float, x0: BodyState, m: Kicked) -> Stepped[Kicked]:
    x, gain, work = kick(system, 0.5 * h, m.load, x0, m.gain, 0.0)
    x = flight(system.body, x, h)
    f1 = load(system, t + h, x)
    x1, gain, work = kick(system, 0.5 * h, f1, x, gain, work)  # (1)
    return x1, Kicked(f1, gain), work, 1, 0, x1.q[0] != x1.q[0]  # a mask, which compositions need


class Flown(NamedTuple):
    """State after a part of the step, the load there, and what the kicks have added."""

    x: BodyState
    load: Load
    gain: Gain
    work: float


@jit
def kicked(system: BodySystem, b: float, f: Load, x: BodyState, gain: Gain, work: float) -> Flown:
    """Kick over b."""
    x1, gain1, work1 = kick(system, b, f, x, gain, work)
    return Flown(x1, f, gain1, work1)


@jit
def fly_and_kick(system: BodySystem, t: float, a: float, b: float, y: Flown) -> Flown:
    """Flight over a, then kick over b; t is the time at the end of the flight."""
    x = flight(system.body, y.x, a)
    return kicked(system, b, load(system, t, x), x, y.gain, y.work)


@jit
def srkn4(system: BodySystem, t: float, h: float, x0: BodyState, m: Kicked) -> Stepped[Kicked]:
    y = kicked(system, B1 * h, m.load, x0, m.gain, 0.0)  # (3)
    y = fly_and_kick(system, t + C1 * h, A1 * h, B2 * h, y)
    y = fly_and_kick(system, t + C2 * h, A2 * h, B3 * h, y)
    y = fly_and_kick(system, t + C3 * h, A3 * h, B4 * h, y)
    y = fly_and_kick(system, t + (1.0 - C2) * h, A3 * h, B3 * h, y)
    y = fly_and_kick(system, t + (1.0 - C1) * h, A2 * h, B2 * h, y)
    y = fly_and_kick(system, t + h, A1 * h, B1 * h, y)
    return y.x, Kicked(y.load, y.gain), y.work, 6, 0, False


PARTS = {
    "exkick": exkick,
    "exk4": composed_step(exkick, SUZUKI4.coefficients),  # (2)
    "exk6": composed_step(exkick, KAHAN_LI6.coefficients),
    "srkn4": srkn4,
}
KERNELS = {
    name: Kernels(body=BodyKernel(name, settling(parts), remember, MEMORY)) for name, parts in PARTS.items()
}
