"""Symmetric compositions: successive steps c_1 h, c_2 h, ... of a method of order 2 have a higher order.

SUZUKI4    z, z, 1 - 4z, z, z,   z = 1/(4 - 4^(1/3))                       order 4 (Suzuki 1990)
KAHAN_LI6  g1 g2 g3 g4 g5 g4 g3 g2 g1                                      order 6 (Kahan & Li 1997)
"""

from dataclasses import replace
from typing import Any, NamedTuple

from poinsot.core.body.kernel import BodyKernel, Stepped
from poinsot.core.body.records import State, System
from poinsot.core.jit import Compiled, jit
from poinsot.core.methods.method import Evaluations, Method
from poinsot.core.methods.parts.flying import settling
from poinsot.elementary.power import cbrt


class Composition(NamedTuple):
    """Fractions of a step in a composition, its order, and its citation."""

    order: int
    coefficients: tuple[float, ...]
    citation: str


_Z = 1.0 / (4.0 - cbrt(4.0))
SUZUKI4 = Composition(4, (_Z, _Z, 1.0 - 4.0 * _Z, _Z, _Z), "suzuki1990fractal")
_G1, _G2, _G3 = 0.39216144400731413928, 0.33259913678935943860, -0.70624617255763935981
_G4, _G5 = 0.082213596293550800230, 0.79854399093482996340
KAHAN_LI6 = Composition(6, (_G1, _G2, _G3, _G4, _G5, _G4, _G3, _G2, _G1), "kahan1997composition")


def composed_step(base: Compiled, coefficients: tuple[float, ...]) -> Compiled:
    """Make a step of successive steps c_i h of `base`, whose memory does not depend on h."""

    @jit
    def step(system: System, t: float, h: float, x: State, memory: Any) -> Stepped[Any]:
        evaluations, iterations, past, work = 0, 0, 0.0, 0.0 * x.q[0]
        failed = x.q[0] != x.q[0]
        for c in coefficients:
            x, memory, gain, more, again, stalled = base(system, t + past * h, c * h, x, memory)
            failed, work = failed | stalled, work + gain
            evaluations, iterations, past = evaluations + more, iterations + again, past + c
        return x, memory, work, evaluations, iterations, failed

    return step


def composed(base: Method, name: str, title: str, by: Composition, parts: Compiled | None = None) -> Method:
    """Compose a method of one body; its invariants are those of the base.

    Forces must not depend on the velocity: steps of order 2 that predict it are not time-symmetric.  The
    `parts` of a method of kicks and flights are composed in the place of its steps.
    """
    assert base.body is not None
    if parts is None:
        step = composed_step(base.body.step, by.coefficients)
    else:
        step = settling(composed_step(parts, by.coefficients))
    return replace(
        base,
        name=name,
        title=title,
        order=by.order,
        velocity_forces=False,
        evaluations=Evaluations(len(by.coefficients)),
        reference=by.citation,
        body=BodyKernel(name, step, base.body.remember, base.body.memory),
    )
