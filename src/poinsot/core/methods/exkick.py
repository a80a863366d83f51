"""EXKICK: half kick, exact free flight, half kick.

    kick(h/2)  flight(h)  kick(h/2)                                                         (1)

The method is exact for a free body of any inertia; only the torque causes an error.
"""

from poinsot.core.body.flight import flight
from poinsot.core.body.kernel import BodyKernel, Stepped
from poinsot.core.body.load import load
from poinsot.core.body.records import State, System
from poinsot.core.jit import jit
from poinsot.core.methods.method import Kernels
from poinsot.core.methods.parts.flying import MEMORY, Kicked, kick, remember, settling


@jit
def parts(system: System, t: float, h: float, x0: State, m: Kicked) -> Stepped[Kicked]:
    x, gain, work = kick(system, 0.5 * h, m.load, x0, m.gain, 0.0)
    x = flight(system.body, x, h)
    f1 = load(system, t + h, x)
    x1, gain, work = kick(system, 0.5 * h, f1, x, gain, work)  # (1)
    return x1, Kicked(f1, gain), work, 1, 0, x1.q[0] != x1.q[0]  # a mask, which compositions need


KERNELS = {"exkick": Kernels(body=BodyKernel("exkick", settling(parts), remember, MEMORY))}
