"""Advice on method and step for a required accuracy, from estimates on the problem itself.

A run with the step h and one with h/2 differ by (1 - 2^-p) times the error of the first, with p the order of
the method.  From this follows a new step, whose error is estimated again until it meets the accuracy:

    E(h) = |x_h - x_h/2| / (1 - 2^-p),      h' = h (AIM accuracy / E(h))^(1/p)                    (1)

If a method would need far more steps than it began with, one of higher order takes its place.
"""

import itertools
import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from poinsot.compile.catalogue import by_name
from poinsot.compile.method_choice import choose, objection, system_for
from poinsot.core.methods.method import Method
from poinsot.diagnostics.distance import apart, scales_of
from poinsot.errors import EventError, ScenarioError, StepError
from poinsot.model import checks
from poinsot.model.controller import Controller
from poinsot.model.event import Event
from poinsot.model.feedback import Feedback
from poinsot.model.forces.impulse import Impulse
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_problem
from poinsot.model.state import State
from poinsot.run.run import Run
from poinsot.simulation.driver import Job, complete, make_job, require_end
from poinsot.simulation.messages import top_speed
from poinsot.simulation.options import RunOptions, make_plan

ROUNDS = 12
FINEST = 2_000_000  # largest number of steps of a measurement
AIM, ACCEPTED = 0.4, 0.7  # parts of the accuracy: E(h) is known to leading order
NOISE = 1e-8  # an error below this that more steps do not make smaller is rounding
FAR = 2.5  # times 4^p: the factor to the number of steps beyond which a method of higher order is better
MANY = 1000  # steps of a run that looks inside the steps of others
SAMPLES = 1000  # of a run, from which the scales of the motion are taken
STRONGER = ("exk6", "gauss4", "sgauss4", "variational4", "variational6")  # the first that can


@dataclass(frozen=True)
class Advice:
    """A method and a step that reach an accuracy, from `ps.advise`.

    Parameters
    ----------
    method : Name of the method.
    step : Step size [s].
    error : Estimated error of the state at the end: angles [rad], the rest relative to the motion.
    evaluations : Number of force evaluations of a run with this method and step.
    reason : Why this method was chosen.

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
            f"{self.method} with step={self.step:.3g}: the state within an estimated {self.error:.1e} at the "
            f"end, {self.evaluations} torque evaluations ({self.reason})"
        )


def advise(mechanism: Mechanism, start: State, until: float, *, accuracy: float = 1e-6) -> Advice:
    """Choose a method and a step that reach an accuracy, by a few runs.

    Returns method, step, and the error that was estimated for them, which is at most 0.7 of the accuracy.
    What lasts less than a thousandth of the run may be missed: declare it, by `switches=` of a force.
    `mechanism`: the mechanism to simulate; `start`: initial state; `until`: end time [s]; `accuracy`: largest
    error of the state at the end: angles [rad], positions relative to half the extent of the motion,
    velocities and angular velocities relative to the largest.

    >>> s = ps.scenario("dzhanibekov")
    >>> advice = ps.advise(s.mechanism, s.start, until=1.0, accuracy=1e-4)
    >>> run = ps.simulate(s.mechanism, s.start, advice.method, step=advice.step, until=1.0)
    >>> run.method.name
    'srkn4'
    """
    return advise_step(mechanism, start, "auto", accuracy, RunOptions(until=until), who="advise")


@dataclass(frozen=True, eq=False)
class Question:
    """What advice is sought for: a run of `span` seconds."""

    mechanism: Mechanism
    start: State
    span: float
    accuracy: float
    controller: Controller | Feedback | None
    events: Sequence[Event] | None

    def base(self) -> int:
        """Return a number of steps; its multiples put every breakpoint and every tick on a step."""
        forces, begin = self.mechanism.forces, self.start.time
        times = [force.time for force in forces if isinstance(force, Impulse)]
        times += [time for force in forces for time in force.switches]
        shares = [(time - begin) / self.span for time in times if begin < time < begin + self.span]
        if isinstance(self.controller, Controller):
            shares.append(self.controller.period / self.span)
        return math.lcm(*(Fraction(share).limit_denominator(10_000).denominator for share in shares))

    def measure(self, method: Method, count: int) -> tuple[float, int]:
        """Return E(h) of (1) for `count` steps (infinite if a run fails), and the evaluations of the run.

        Two runs may agree because both have missed what happens inside their steps: before E(h) is accepted,
        a third run with at least three times as many steps confirms it.
        """
        try:
            run, fine = (self._run(method, count * k) for k in (1, 2))
            off = self.apart(run, fine) / (1 - 2.0 ** -(method.order or 1))
            if off <= ACCEPTED * self.accuracy:
                inside = max(3, MANY // count | 1)  # odd: other places than those of the two
                off = max(off, self.apart(run, self._run(method, count * inside)))
        except EventError:
            raise  # no step is to blame
        except StepError:
            return math.inf, 0
        return off, run.evaluations

    def _run(self, method: Method, count: int) -> Run:
        """Make the run with `count` steps; about `SAMPLES` of them are recorded.

        The number of steps between two samples has no divisor in common with `count`, so that samples
        do not fall on the same phase of a motion that repeats itself.
        """
        every = next(k for k in itertools.count(max(1, count // SAMPLES)) if math.gcd(k, count) == 1)
        options = RunOptions(self.span / count, None, count, every, self.controller, events=self.events)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return require_end(complete(self.job(method, options)))

    def job(self, method: Method, options: RunOptions) -> Job:
        """Return the job of a run."""
        return make_job(make_plan(self.mechanism, self.start, options), method.label)

    def apart(self, run: Run, fine: Run) -> float:
        """Return the distance of the ends of two runs, relative to the motion of the finer one."""
        motion = fine.trajectory
        scales = scales_of(self.mechanism, motion.q, motion.v, run.step)
        late = abs(run.final.time - fine.final.time) / self.span  # an event ended the runs
        return max(apart(self.mechanism, scales, run.final, fine.final), late)


class Failure(NamedTuple):
    """Why a method does not reach an accuracy."""

    text: str
    rounding: bool  # more steps make the error no smaller


def advise_step(
    mechanism: Mechanism, start: State, name: str, accuracy: float, options: RunOptions, who: str = "simulate"
) -> Advice:
    """Choose a step, and a method if the name is "auto"; `who` is named in errors."""
    controller, events = options.controller, options.events
    check_problem(mechanism, start)
    span = span_of(start, accuracy, options.until, who)
    question = Question(mechanism, start, span, accuracy, controller, events)
    one_step = RunOptions(span, None, 1, controller=controller, events=events)
    plan = make_plan(mechanism, start, one_step)
    first, reason = choose(name, plan.mechanism)
    able = (by_name(one) for one in STRONGER) if name == "auto" else ()
    order = first.order or 1
    others = [one for one in able if (one.order or 0) > order and not objection(one, plan.mechanism)]
    speed = top_speed(system_for(plan.mechanism)[0], start.q[None], start.v[None])
    wanted = min(max(8.0, span * speed), FINEST / 16)  # about a radian a step
    return search(question, [first, *others], reason.removeprefix("auto: "), wanted)


def span_of(start: State, accuracy: float, until: float | None, who: str = "simulate") -> float:
    """Return how long a run lasts for whose accuracy advice is sought; a ScenarioError says what is wrong."""
    checks.number(who, "accuracy", accuracy, positive=True)
    if until is None:
        raise ScenarioError("accuracy= needs the end of the run: until=TIME")
    span = checks.number(who, "until", until) - start.time
    if span <= 0:
        raise ScenarioError(f"until must lie after the start, t = {start.time:g}, got {until:g}")
    return span


def search(question: Question, methods: Sequence[Method], reason: str, wanted: float) -> Advice:
    """Return advice for the first of some methods that reaches the accuracy, from `wanted` steps on."""
    first, base = methods[0], question.base()
    failed = Failure("", rounding=False)
    for method in methods:
        found = _search(question, method, wanted, base, last=method is methods[-1])
        if isinstance(found, Advice):
            why = reason if method is first else "of higher order, for this accuracy"
            return Advice(found.method, found.step, found.error, found.evaluations, why)
        failed = found
        if failed.rounding:
            break
    raise ScenarioError(
        f"{method.label} does not reach {question.accuracy:g} at "
        f"t = {question.start.time + question.span:g}: {failed.text}; "
        "choose a smaller until or a larger accuracy"
    )


def _search(question: Question, method: Method, wanted: float, base: int, last: bool) -> Advice | Failure:
    """Return advice for a method; or what was measured last, if it does not reach the accuracy.

    Unless it is the last method, it may not need many times the steps that it began with.
    """
    best: Advice | None = None
    accuracy, order = question.accuracy, method.order or 1
    most = FINEST if last else min(FINEST, FAR * 4.0**order * base * math.ceil(wanted / base))
    error, count, good, bad = math.inf, 0, math.inf, 0.0  # numbers of steps that suffice, and that do not
    rounding, worse = False, (math.inf, 0.0)  # number of steps and error of the last round
    for _ in range(ROUNDS):
        count = base * math.ceil(wanted / base)
        error, evaluations = question.measure(method, count)
        if error <= ACCEPTED * accuracy:
            if count < good:
                best, good = Advice(method.label, question.span / count, error, evaluations, ""), count
            if error >= accuracy / 4 or count <= 8 + base:
                break
        else:
            bad = max(bad, count)
        rounding = count >= 1.9 * worse[0] and error > worse[1] / 1.9 and error < NOISE
        if rounding:
            break
        worse = count, error
        factor = max(error, 1e-16) / (AIM * accuracy) if math.isfinite(error) else 4.0**order
        wanted = count * factor ** (1 / order)  # (1)
        if wanted > most or good <= 1.2 * bad or good - bad <= base:
            break
        wanted = min(max(wanted, count / 4), 16.0 * count)
        if not bad < base * math.ceil(wanted / base) < good:
            wanted = math.sqrt(max(bad, 1.0) * good) if good < math.inf else 1.2 * bad
    return best or Failure(f"the last estimated error was {error:.1e} with {count} steps", rounding)
