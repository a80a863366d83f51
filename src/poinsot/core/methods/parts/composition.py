"""Kernels of symmetric compositions: successive steps c_1 h, c_2 h, ... of a method for one body."""

from typing import Any

from poinsot.core.body.kernel import BodyKernel, Stepped
from poinsot.core.body.records import State, System
from poinsot.core.jit import Compiled, jit
from poinsot.core.methods.method import Kernels
from poinsot.core.methods.parts.coefficients import Composition
from poinsot.core.methods.parts.flying import settling


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


def composed(name: str, base: Kernels, by: Composition, parts: Compiled | None = None) -> dict[str, Kernels]:
    """Compose a method of one body.

    The `parts` of a method of kicks and flights are composed in the place of its steps.
    """
    body = base.body
    assert body is not None
    if parts is None:
        step = composed_step(body.step, by.coefficients)
    else:
        step = settling(composed_step(parts, by.coefficients))
    return {name: Kernels(body=BodyKernel(name, step, body.remember, body.memory))}
