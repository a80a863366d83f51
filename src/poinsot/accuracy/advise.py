"""Advice on method and step for a required accuracy, from measurements on the problem itself.

A run with the step h and one with h/2 differ by (1 - 2^-p) times the error of the first, with p the order of
the method.  From this follows a new step, whose error is measured again until it meets the accuracy:

    E(h) = |x_h - x_h/2| / (1 - 2^-p),      h' = h (0.6 accuracy / E(h))^(1/p)                    (1)
"""

import math
import warnings
from dataclasses import dataclass
from fractions import Fraction

from poinsot.accuracy.reference import apart, scales_of
from poinsot.compile.method_choice import chosen, compiled
from poinsot.core.methods.method import Method
from poinsot.errors import ScenarioError, StepError
from poinsot.model import checks
from poinsot.model.forces.impulse import Impulse
from poinsot.model.mechanism import Mechanism, check_problem
from poinsot.model.state import State
from poinsot.simulation.simulate import completed, simulate
from poinsot.simulation.warnings import top_speed

ROUNDS = 12
FINEST = 2_000_000  # largest number of steps of a measurement


@dataclass(frozen=True)
class Advice:
    """A method and a step that reach an accuracy, from `ps.advise`.

    Parameters
    ----------
    method : str
        Name of the method.
    step : float
        Step size in s.
    error : float
        Measured error of the state at the end: angles in rad, the rest relative to the motion.
    evaluations : int
        Number of force evaluations of a run with this method and step.
    reason : str
        Why this method was chosen.

    Examples
    --------
    >>> import poinsot as ps
    >>> s = ps.scenario("dzhanibekov")
    >>> advice = ps.advise(s.mechanism, s.start, until=1.0, accuracy=1e-4)
    >>> advice.method, advice.error <= 1e-4
    ('srkn4', True)
    """

    method: str
    step: float
    error: float
    evaluations: int
    reason: str

    def __str__(self) -> str:
        return (
            f"{self.method} with step={self.step:.3g}: the state within {self.error:.1e} at the end, "
            f"{self.evaluations} torque evaluations ({self.reason})"
        )


def advise(mechanism: Mechanism, start: State, until: float, accuracy: float = 1e-6) -> Advice:
    """Choose a method and a step that reach an accuracy, by measurement.

    Parameters
    ----------
    mechanism : Mechanism
        The mechanism to simulate.
    start : State
        Initial state.
    until : float
        End time in s.
    accuracy : float, default 1e-6
        Largest error of the state at the end: angles in rad, positions and velocities relative to the motion.

    Returns
    -------
    Advice
        Method, step, and the error that was measured with them.

    Raises
    ------
    ScenarioError
        If `until` does not lie after the start, or the accuracy is out of reach.
    ModelError
        If `accuracy` is not a positive number.

    Examples
    --------
    >>> import poinsot as ps
    >>> s = ps.scenario("dzhanibekov")
    >>> advice = ps.advise(s.mechanism, s.start, until=1.0, accuracy=1e-4)
    >>> run = ps.simulate(s.mechanism, s.start, advice.method, step=advice.step, until=1.0)
    >>> run.method.name
    'srkn4'
    """
    check_problem(mechanism, start)
    checks.number("advise", "accuracy", accuracy, positive=True)
    span = checks.number("advise", "until", until) - start.time
    if span <= 0:
        raise ScenarioError(f"until must lie after the start, t = {start.time:g}, got {until:g}")
    method, reason = chosen("auto", mechanism)
    base = _base(mechanism, start.time, span)
    speed = top_speed(compiled(mechanism)[0], start.q[None], start.v[None])
    wanted = min(max(8.0, span * speed), FINEST / 16)  # about a radian a step
    best: Advice | None = None
    for _ in range(ROUNDS):
        count = base * math.ceil(wanted / base)
        error, evaluations = _measured(mechanism, start, method, span, count)
        if error <= accuracy and (best is None or span / count > best.step):
            best = Advice(method.name, span / count, error, evaluations, reason.removeprefix("auto: "))
        if accuracy / 4 <= error <= accuracy or (error < accuracy and count <= 8 + base):
            break
        factor = max(error, 1e-16) / (0.6 * accuracy) if math.isfinite(error) else 4.0
        wanted = count * min(max(factor ** (1 / (method.order or 1)), 0.25), 16.0)  # (1)
        if wanted > FINEST or (best is not None and wanted >= span / best.step):
            break
    if best is None:
        raise ScenarioError(
            f"{method.name} does not reach {accuracy:g} at t = {until:g}: the last measured error was "
            f"{error:.1e} with {count} steps; choose a smaller until or a larger accuracy"
        )
    return best


def _base(mechanism: Mechanism, begin: float, span: float) -> int:
    """Return a number of steps; its multiples put every breakpoint on a step."""
    times = [force.time for force in mechanism.forces if isinstance(force, Impulse)]
    times += [time for force in mechanism.forces for time in force.switches]
    inside = [(time - begin) / span for time in times if begin < time < begin + span]
    return math.lcm(*(Fraction(share).limit_denominator(10_000).denominator for share in inside))


def _measured(
    mechanism: Mechanism, start: State, method: Method, span: float, count: int
) -> tuple[float, int]:
    """Return E(h) of (1) for `count` steps (infinite if a run fails), and the evaluations of the run."""
    ends = []
    for n in (count, 2 * count):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                run = simulate(mechanism, start, method.name, step=span / n, steps=n, every=n)
                ends.append(completed(run))
        except StepError:
            return math.inf, 0
    off = apart(mechanism, scales_of(mechanism, start, span), ends[0].final, ends[1].final)
    return off / (1 - 2.0 ** -(method.order or 1)), ends[0].evaluations
