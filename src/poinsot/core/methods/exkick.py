"""EXKICK: half kick, exact free flight, half kick.

    kick(h/2)  flight(h)  kick(h/2)                                                         (1)

The method is exact for a free body of any inertia; only the torque causes an error.
"""

from poinsot.core.body.flight import flight
from poinsot.core.body.kernel import BodyKernel, Stepped
from poinsot.core.body.load import load
from poinsot.core.body.records import Load, State, System
from poinsot.core.jit import jit
from poinsot.core.methods.method import Evaluations, Method
from poinsot.core.methods.parts.kick import MEMORY, kick, remember


@jit
def step(system: System, t: float, h: float, x0: State, f0: Load) -> Stepped[Load]:
    x = flight(system.body, kick(0.5 * h, f0, x0), h)
    f1 = load(system, t + h, x)
    x1 = kick(0.5 * h, f1, x)  # (1)
    return x1, f1, 1, 0, x1.q[0] != x1.q[0]  # a mask, which compositions need


METHOD = Method(
    name="exkick",
    title="Kick, exact flight, kick",
    order=2,
    scope="body",
    symplectic=True,
    reversible=True,
    keeps=("energy", "momentum"),
    implicit=False,
    velocity_forces=False,
    evaluations=Evaluations(1),
    reference="celledoni2008exact",
    turn=None,
    body=BodyKernel("exkick", step, remember, MEMORY),
)
