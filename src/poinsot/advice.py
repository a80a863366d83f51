"""Which method and which step for a wanted accuracy: measured on the problem itself.

A run with the step h and one with h/2 differ by (1 - 2^-p) of the error of the first, p the order of
the method.  The step follows from that, and is measured again until it keeps what it promises:

    E(h) = |x_h - x_h/2| / (1 - 2^-p),      h' = h (0.7 accuracy / E(h))^(1/p)                    (1)
"""

import math
import warnings
from dataclasses import dataclass

import numpy as np

from poinsot.choice import advised
from poinsot.core.methods.method import Method
from poinsot.errors import ScenarioError, StepError
from poinsot.model import checks
from poinsot.model.compile import compile_body
from poinsot.model.mechanism import Mechanism
from poinsot.model.rotations import compose, inverse
from poinsot.model.state import State
from poinsot.simulate import simulate

ROUNDS = 12
FINEST = 2_000_000  # steps that a measurement may take


@dataclass(frozen=True)
class Advice:
    """`step` with `method` gives the attitude at the end within `error` radians, measured."""

    method: str
    step: float
    error: float
    evaluations: int  # of the run that is advised
    reason: str

    def __str__(self) -> str:
        return (
            f"{self.method} with step={self.step:.3g}: attitude within {self.error:.1e} rad at the end, "
            f"{self.evaluations} torque evaluations ({self.reason})"
        )


def advise(mechanism: Mechanism, start: State, until: float, accuracy: float = 1e-6) -> Advice:
    """A method and a step that reach an accuracy (radians of attitude at the end), by measurement."""
    checks.number("advise", "accuracy", accuracy, positive=True)
    span = checks.number("advise", "until", until) - start.time
    if span <= 0:
        raise ScenarioError(f"until must lie after the start, t = {start.time:g}, got {until:g}")
    body = compile_body(mechanism)
    method, reason = advised(body)
    count = max(8, math.ceil(span * _rate(mechanism, start)))  # about a radian a step
    for _ in range(ROUNDS):
        error, evaluations = _measured(mechanism, start, method, span, count)
        if error <= accuracy:
            return Advice(method.name, span / count, error, evaluations, reason.removeprefix("auto: "))
        order = method.order or 1
        grown = count * (error / (0.7 * accuracy)) ** (1 / order) if math.isfinite(error) else 2 * count
        count = math.ceil(min(max(grown, 1.05 * count), 16 * count))  # (1)
        if count > FINEST:
            break
    raise ScenarioError(
        f"{method.name} does not reach {accuracy:g} rad at t = {until:g} in {FINEST} steps: "
        f"the last measured error was {error:.1e}; take a shorter time or less accuracy"
    )


def _rate(mechanism: Mechanism, start: State) -> float:
    speeds = np.abs(start.v)
    return float(max(speeds.max(initial=0.0), math.sqrt(float(np.linalg.norm(mechanism.gravity)))))


def _measured(
    mechanism: Mechanism, start: State, method: Method, span: float, count: int
) -> tuple[float, int]:
    """(1): E(h) for so many steps, and what the run costs; infinite if it fails."""
    ends = []
    for n in (count, 2 * count):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ends.append(simulate(mechanism, start, method.name, step=span / n, steps=n, every=n))
        except StepError:
            return math.inf, 0
        except ScenarioError as complaint:
            if "does not lie on a step" in str(complaint):
                return math.inf, 0
            raise
    name = mechanism.names[0]
    a, b = (run.quaternion(name)[-1] for run in ends)
    q = compose(inverse(a), b)
    apart = 2 * math.atan2(float(np.linalg.norm(q[1:])), abs(float(q[0])))
    return apart / (1 - 2.0 ** -(method.order or 1)), ends[0].evaluations
