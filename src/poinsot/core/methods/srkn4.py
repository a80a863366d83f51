"""SRKN4: Blanes & Moan's Runge-Kutta-Nystrom splitting of order 4 with exact free flight.

    K(b1) F(a1) K(b2) F(a2) K(b3) F(a3) K(b4) F(a3) K(b3) F(a2) K(b2) F(a1) K(b1)              (1)

K(b) is a kick over b h, F(a) a free flight over a h; time advances in the flights.  The torque of the last
kick is reused in the first kick of the next step, so that a step takes six evaluations.
"""

from typing import NamedTuple

from poinsot.core.body.flight import flight
from poinsot.core.body.invariants import Gain
from poinsot.core.body.kernel import BodyKernel, Stepped
from poinsot.core.body.load import load
from poinsot.core.body.records import Load, State, System
from poinsot.core.jit import jit
from poinsot.core.methods.method import Kernels
from poinsot.core.methods.parts.flying import MEMORY, Kicked, kick, remember, settling

B1, B2, B3 = 0.0829844064174052, 0.396309801498368, -0.0390563049223486
B4 = 1.0 - 2.0 * (B1 + B2 + B3)
A1, A2 = 0.245298957184271, 0.604872665711080
A3 = 0.5 - (A1 + A2)
C1, C2, C3 = A1, A1 + A2, 0.5  # time of the kicks


class Flown(NamedTuple):
    """State after a part of the step, the load there, and what the kicks have added."""

    x: State
    load: Load
    gain: Gain
    work: float


@jit
def kicked(system: System, b: float, f: Load, x: State, gain: Gain, work: float) -> Flown:
    """Kick over b."""
    x1, gain1, work1 = kick(system, b, f, x, gain, work)
    return Flown(x1, f, gain1, work1)


@jit
def fly_and_kick(system: System, t: float, a: float, b: float, y: Flown) -> Flown:
    """Flight over a, then kick over b; t is the time at the end of the flight."""
    x = flight(system.body, y.x, a)
    return kicked(system, b, load(system, t, x), x, y.gain, y.work)


@jit
def parts(system: System, t: float, h: float, x0: State, m: Kicked) -> Stepped[Kicked]:
    y = kicked(system, B1 * h, m.load, x0, m.gain, 0.0)  # (1)
    y = fly_and_kick(system, t + C1 * h, A1 * h, B2 * h, y)
    y = fly_and_kick(system, t + C2 * h, A2 * h, B3 * h, y)
    y = fly_and_kick(system, t + C3 * h, A3 * h, B4 * h, y)
    y = fly_and_kick(system, t + (1.0 - C2) * h, A3 * h, B3 * h, y)
    y = fly_and_kick(system, t + (1.0 - C1) * h, A2 * h, B2 * h, y)
    y = fly_and_kick(system, t + h, A1 * h, B1 * h, y)
    return y.x, Kicked(y.load, y.gain), y.work, 6, 0, False


KERNELS = {"srkn4": Kernels(body=BodyKernel("srkn4", settling(parts), remember, MEMORY))}
