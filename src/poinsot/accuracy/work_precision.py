"""Work-precision comparisons: what accuracy costs with different methods and steps.

    c = ps.compare("fast-top", methods=["nmb", "srkn4"], steps=[0.02, 0.01])
    print(c); c.plot("fast-top.svg"); c.to_csv("fast-top.csv"); c.reach(1e-4, 1e-8)

The error of a run is its distance from a reference solution at the end (`diagnostics.distance.apart`): the
largest angle between the two attitudes of a body [rad], or distance of its centers of mass in the length that
`Comparison.unit` names.  Work is the number of torque evaluations, and the time of the run on one thread
without setting up: the first run of a method is made twice, and the second is timed.
"""

import math
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from poinsot.accuracy.comparison import TARGETS, Comparison, Row, positive
from poinsot.accuracy.reference import ReferenceSolution, reference_solution
from poinsot.compile.catalogue import by_name
from poinsot.compile.method_choice import objection
from poinsot.core.methods import ALL
from poinsot.core.methods.method import Method
from poinsot.diagnostics.distance import apart, error_unit, scales_at
from poinsot.errors import ScenarioError, StepError
from poinsot.mechanics.breakpoints import ON_STEP, OffStepError
from poinsot.model.checks import show
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_problem
from poinsot.model.state import State
from poinsot.simulation.driver import require_end
from poinsot.simulation.options import count_steps
from poinsot.simulation.simulate import simulate

MOST_WORK = 8_000_000  # largest number of evaluations of a run of the automatic ladder
CONVERGING = 0.01  # error below which the order predicts the work that is needed
COARSEST = 16  # number of steps of the first run of the ladder


class Problem(Protocol):
    """What methods are compared on; a Scenario is one."""

    @property
    def name(self) -> str: ...
    @property
    def mechanism(self) -> Mechanism: ...
    @property
    def start(self) -> State: ...
    @property
    def step(self) -> float: ...  # divides the times of all breakpoints
    @property
    def until(self) -> float: ...


def measure(
    s: Problem,
    methods: Sequence[str | Method] | None = None,
    steps: Sequence[float] | None = None,
    say: Callable[[str], None] = lambda text: None,
    targets: Sequence[float] = TARGETS,
    progress: bool = False,
) -> Comparison:
    """Run a problem with `methods` (default: all that can) and `steps` (default: a ladder of halvings).

    The ladder of a method ends when it has reached all `targets`, or all that it can reach with a reasonable
    amount of work.  A bar on stderr shows the progress if it is wanted.
    """
    check_problem(s.mechanism, s.start)
    wanted = [by_name(name) for name in methods] if methods is not None else list(ALL)
    able = [method for method in wanted if not objection(method, s.mechanism)]
    skipped = {method.label: objection(method, s.mechanism) for method in wanted if method not in able}
    if not able:
        raise ScenarioError(f"none of the methods can run {s.name}: " + "; ".join(skipped.values()))
    if steps is not None:
        steps = positive("steps", steps)
        for h in steps:
            count_steps(s.start, h, s.until, None)
    targets = positive("targets", targets)
    say = _announce(say)
    count_steps(s.start, s.step, s.until, None)
    say("computing the reference solution")
    with _bar(1 + len(able), progress) as bar:
        bar.set_description("reference solution")
        solution = reference_solution(s.mechanism, s.start, s.until, s.step)
        wanted_errors = [max(3 * solution.error, target) for target in targets]
        rows: list[Row] = []
        for method in able:
            say(method.label)
            bar.update()
            bar.set_description(method.label)
            rows += _ladder(s, method, solution, steps, wanted_errors)
    unit = error_unit(s.mechanism, scales_at(s.mechanism, s.start, s.until - s.start.time))
    return Comparison(s.name, s.until, solution.error, tuple(rows), skipped, unit)


def _bar(total: int, progress: bool) -> Any:
    """Return a progress bar on stderr, which shows nothing unless it is wanted."""
    from tqdm import tqdm

    return tqdm(total=total, unit=" methods", leave=False, disable=not progress, file=sys.stderr)


def _announce(say: Callable[[str], None]) -> Callable[[str], None]:
    """Return the function that tells of progress; an error that it raises names it."""
    if not callable(say):
        raise ScenarioError(f"compare: say must be a function of a text, got {show(say)}")

    def tell(text: str) -> None:
        try:
            say(text)
        except Exception as error:
            raise ScenarioError(f"compare: say raised {type(error).__name__}: {error}") from error

    return tell


def _ladder(
    s: Problem,
    method: Method,
    solution: ReferenceSolution,
    steps: Iterable[float] | None,
    targets: Sequence[float],
) -> list[Row]:
    """Return runs from coarse to fine steps; the automatic ladder is limited by `targets` and by the work."""
    rows: list[Row] = []
    span, count = s.until - s.start.time, COARSEST
    whole = max(1, round(span / s.step))  # breakpoints lie on multiples of the scenario's step
    while whole % count and count < whole:
        count += 1
    given = None if steps is None else sorted(steps, reverse=True)
    _row(s, method, given[0] if given else span / count, solution)  # compiles and loads: it is not timed
    if given is not None:
        return [_row(s, method, h, solution) for h in given]
    while True:
        rows.append(_row(s, method, span / count, solution))
        work, error = max(rows[-1].evaluations, rows[-1].steps), rows[-1].error
        left = [target for target in targets if not error <= target]
        power = 1 / (method.order or 1)
        if error < CONVERGING:
            left = [target for target in left if work * (error / target) ** power <= MOST_WORK]
        if not left or 2 * work > MOST_WORK:
            return rows
        count *= 2


def _row(s: Problem, method: Method, h: float, solution: ReferenceSolution) -> Row:
    """Run the problem with one method and one step."""
    quotient = (s.until - s.start.time) / h
    count = max(1, round(quotient))
    nothing = Row(method.label, method.order, h, count, 0, 0.0, math.nan)
    if abs(quotient - count) > ON_STEP:  # the run would end at another time than the reference solution
        return replace(nothing, note="end off step")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # large steps are part of the comparison
            run = require_end(simulate(s.mechanism, s.start, method, step=h, steps=count, every=count))
    except StepError:
        return replace(nothing, note="failed")
    except OffStepError:
        return replace(nothing, note="breakpoint off step")
    scales = scales_at(s.mechanism, s.start, s.until - s.start.time)
    error = apart(s.mechanism, scales, run.final, State(s.until, solution.q, solution.v))
    return replace(nothing, evaluations=run.evaluations, seconds=run.seconds, error=error)
