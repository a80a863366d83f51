"""Runs of own systems with the discrete equations of their Lagrangian (`analytical.discrete`).

    variational, variational_midpoint        discrete Euler-Lagrange equations, order 2
    variational4, 6, 8                       symmetric compositions of `variational`
    sgauss1, ..., sgauss4                    symplectic Gauss, without constraints

The memory of a run holds the momenta, which are not computed again from the velocities.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.analytical.arguments import trusted
from poinsot.analytical.discrete import Discretization, Momentum, NoStepError, compose, gauss, variational
from poinsot.analytical.system import System as Equations
from poinsot.compile.time_loop import TimeLoop
from poinsot.core.body.time_loop import (
    COUNT,
    DONE,
    EVALUATIONS,
    EVERY,
    FRESH,
    INFINITE,
    OK,
    STALLED,
    STATUS,
    STEPS,
)
from poinsot.core.methods.method import Method
from poinsot.core.methods.parts.coefficients import KAHAN_LI6, SUZUKI4
from poinsot.elementary.power import pow as power
from poinsot.errors import ScenarioError
from poinsot.model.checks import Array

if TYPE_CHECKING:
    from poinsot.simulation.analytical import AnalyticalSystem

TRAPEZOIDAL = variational(middle=False)
_JUMP = 1.0 / (2.0 - power(2.0, 1.0 / 7.0))
EIGHT = [s * c for s in (_JUMP, 1.0 - 2.0 * _JUMP, _JUMP) for c in KAHAN_LI6.coefficients]  # Yoshida's triple
STEPS_OF: dict[str, Any] = {
    "variational": TRAPEZOIDAL,
    "variational_midpoint": variational(middle=True),
    "variational4": compose(TRAPEZOIDAL, SUZUKI4.coefficients),
    "variational6": compose(TRAPEZOIDAL, KAHAN_LI6.coefficients),
    "variational8": compose(TRAPEZOIDAL, EIGHT),
    **{f"sgauss{s}": gauss(s) for s in (1, 2, 3, 4)},
}


def refusal(equations: Equations, method: str, x: Array) -> str:
    """Return why a system has no discrete equations; empty: it has."""
    c = equations.coordinates
    if equations.lagrangian is None and equations.slopes is None:
        return "this system was written without a Lagrangian"
    n = c.A(x).shape[1]
    redundant = len(np.atleast_1d(c.constraints(x)))
    if n + np.linalg.matrix_rank(c.Phi(x)) * bool(redundant) != c.size:
        return "its velocities are non-holonomic"
    if method.startswith("sgauss") and (redundant or equations.loop is not None):
        return "sgauss needs minimal coordinates without constraints: use variational"
    return ""


class DiscreteTimeLoop(TimeLoop):
    """Makes the steps of the discrete equations, one by one."""

    def __init__(self, system: "AnalyticalSystem", method: Method, start: Array) -> None:
        blank = np.zeros(system.width + 1 + system.size)
        super().__init__(method.name, (), None, blank, work=system.width)  # type: ignore[arg-type]
        self.system, self.step = system, STEPS_OF[method.name]
        why = refusal(system.equations, method.name, start)
        if why:
            raise ScenarioError(f"method '{method.name}' cannot run this system: {why}")
        self.count = 0
        force = (lambda t, x, xi: system.input_force(t, x)) if system.inputs else None
        self.equations = Discretization(system.equations, force, start)

    def __call__(self, counters: Any, times: Array, memory: Array, out: Array) -> None:
        (begin, h), steps, every = times[:2].tolist(), int(counters[STEPS]), int(counters[EVERY])
        size, width, d = self.system.size, self.system.width, self.equations
        counters[STATUS] = OK
        with trusted(), np.errstate(all="ignore"):
            t, x, z = begin + int(counters[COUNT]) * h, memory[:size].copy(), memory[size:width]
            u = d.system.coordinates.rate(x, z)
            if counters[FRESH]:
                memory[width + 1 :] = d.slopes(t, x, u)[0]
            y, M = Momentum(x, u, memory[width + 1 :].copy(), float(memory[width])), d.mass(t, x, u)
            for i in range(steps):
                t = begin + (int(counters[COUNT]) + i) * h
                try:
                    y, M = self.step(d, t, h, y, M)
                except (NoStepError, np.linalg.LinAlgError):
                    counters[STATUS] = STALLED
                    break
                if not (np.isfinite(y.x).all() and np.isfinite(y.p).all()):
                    counters[STATUS] = INFINITE
                    break
                memory[:] = np.concatenate([y.x, d.velocities(y.x, y.u), [y.work], y.p])
                counters[DONE] += 1
                counters[EVALUATIONS] += 1
                if every and (i + 1) % every == 0:
                    row = (i + 1) // every - 1
                    out[row * (width + 1) : (row + 1) * (width + 1)] = memory[: width + 1]
