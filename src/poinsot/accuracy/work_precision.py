"""Work and precision: what accuracy costs, for chosen methods and steps, against one exact.

    c = ps.compare("fast-top", methods=["nmb", "srkn4"], steps=[0.02, 0.01])
    print(c); c.plot("fast-top.svg"); c.to_csv("fast-top.csv"); c.reach(1e-4, 1e-8)

Errors are the angle between the attitudes at the end, in radians (in trees also the distance of the centres
of mass, in metres; the largest over the bodies); work is torque evaluations and the
time of the run without setting up (one thread).
"""

import csv
import math
import os
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from poinsot import html
from poinsot.accuracy.reference import Reference, apart, reference
from poinsot.compile.method_choice import by_name, compiled, objection
from poinsot.core.methods import ALL
from poinsot.core.methods.method import Method
from poinsot.errors import ScenarioError, StepError
from poinsot.model.mechanism import Mechanism, check_parts
from poinsot.model.state import State
from poinsot.simulation.breakpoints import ON_STEP
from poinsot.simulation.simulate import completed, simulate

MOST_WORK = 8_000_000  # evaluations a run of the automatic ladder may take
TARGETS = (1e-4, 1e-8, 1e-11)  # errors that the automatic ladder wants to reach
CONVERGING = 0.01  # an error from which on the order tells what is needed
COARSEST = 16  # steps of the first run of the ladder
COLUMNS = ("method", "order", "step", "steps", "evaluations", "seconds", "error", "note")


class Problem(Protocol):
    """What is compared: a scenario is one."""

    @property
    def name(self) -> str: ...
    @property
    def mechanism(self) -> Mechanism: ...
    @property
    def start(self) -> State: ...
    @property
    def step(self) -> float: ...  # divides the times of all events
    @property
    def until(self) -> float: ...


@dataclass(frozen=True)
class Row:
    """One run."""

    method: str
    order: int | None
    step: float
    steps: int
    evaluations: int
    seconds: float
    error: float  # of the attitude at the end, rad; nan if the run failed
    note: str = ""


@dataclass(frozen=True, eq=False)
class Comparison:
    """`print` shows a table; `reach` says what a wanted accuracy costs."""

    scenario: str
    until: float
    reference_error: float
    rows: tuple[Row, ...]
    skipped: dict[str, str]  # methods that cannot run the scenario, and why

    @property
    def methods(self) -> list[str]:
        return list(dict.fromkeys(row.method for row in self.rows))

    def reach(self, *targets: float) -> dict[str, dict[float, float]]:
        """Torque evaluations to reach each error, by method, interpolated between runs; nan: out of reach.

        A method that makes no evaluations (a free body) is counted in steps.
        """
        return {name: {target: self._work(name, target) for target in targets} for name in self.methods}

    def _work(self, name: str, target: float) -> float:
        mine = [row for row in self.rows if row.method == name and math.isfinite(row.error)]
        mine.sort(key=lambda row: row.steps)
        previous: Row | None = None
        for row in mine:
            work = max(row.evaluations, row.steps)
            if row.error <= target:
                if previous is None or previous.error <= row.error:
                    return float(work)
                before = max(previous.evaluations, previous.steps)
                low, high = max(row.error, 1e-300), previous.error
                share = math.log(high / target) / math.log(high / low)
                return float(before * (work / before) ** share)
            previous = row
        return math.nan

    def __str__(self) -> str:
        wide = 1 + max([8, *map(len, self.methods)])
        lines = [
            f"{self.scenario}: attitude error at t = {self.until:g} "
            f"(reference known to {max(self.reference_error, 1e-16):.0e} rad)",
            f"{'method':{wide}}{'step':>12}{'evaluations':>13}{'ms':>10}{'error rad':>12}{'order':>8}",
        ]
        last: Row | None = None
        for row in self.rows:
            order = ""
            if last is not None and last.method == row.method and 0 < row.error < last.error:
                order = f"{math.log(last.error / row.error) / math.log(last.step / row.step):.2f}"
            error = f"{row.error:.2e}" if math.isfinite(row.error) else row.note
            cost = f"{row.evaluations:13d}{1e3 * row.seconds:10.3f}"
            lines.append(f"{row.method:{wide}}{row.step:12.6g}{cost}{error:>12}{order:>8}")
            last = row
        lines += [f"{name}: {why}" for name, why in self.skipped.items()]
        return "\n".join(lines)

    def to_csv(self, path: str | os.PathLike[str]) -> Path:
        target = Path(path)
        with target.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(COLUMNS)
            writer.writerows([getattr(row, name) for name in COLUMNS] for row in self.rows)
        return target

    def _table(self) -> str:
        rows = [
            (
                row.method,
                f"{row.step:.6g}",
                row.evaluations,
                f"{1e3 * row.seconds:.3f}",
                f"{row.error:.2e}" if math.isfinite(row.error) else row.note,
            )
            for row in self.rows
        ]
        return html.table(("method", "step", "evaluations", "ms", "error rad"), rows)

    def _title(self) -> str:
        known = f"reference known to {max(self.reference_error, 1e-16):.0e} rad"
        return f"{self.scenario}: attitude error at t = {self.until:g} ({known})"

    def _repr_html_(self) -> str:
        skipped = "".join(html.tag("div", html.text(f"{name}: {why}")) for name, why in self.skipped.items())
        return f"<div>{html.tag('b', html.text(self._title()))}{self._table()}{skipped}</div>"

    def to_html(self, path: str | os.PathLike[str], *targets: float, command: str = "") -> Path:
        """A report: what accuracy costs, as a figure and tables; `targets`: errors whose cost is wanted."""
        from poinsot.view.page import write
        from poinsot.view.report import Section, document, picture

        wanted = targets or TARGETS
        costs = [
            (name, *(f"{cost:.3g}" if math.isfinite(cost) else "-" for cost in one.values()))
            for name, one in self.reach(*wanted).items()
        ]
        head = ["evaluations to reach", *(f"{target:.0e} rad" for target in wanted)]
        skipped = "".join(html.tag("p", html.text(f"{name}: {why}")) for name, why in self.skipped.items())
        sections = [
            Section("figure", "What accuracy costs", picture(self.plot(), "work and precision")),
            Section("reach", "What a wanted accuracy costs", html.table(head, costs)),
            Section("runs", "All runs", html.tag("div", self._table(), class_="scroll")),
        ]
        if skipped:
            sections.append(Section("skipped", "Methods that cannot run it", skipped))
        introduction = html.tag("p", html.text(self._title()))
        introduction += html.tag("pre", html.text(command)) if command else ""
        return write(path, document(f"Methods on {self.scenario}", introduction, sections))

    def plot(self, path: str | os.PathLike[str] | None = None) -> Any:
        """Error against evaluations and against CPU time; written to `path` if given."""
        from poinsot.plots.work_precision import work_precision_figure

        curves = {name: [row for row in self.rows if row.method == name] for name in self.methods}
        return work_precision_figure(self.scenario, curves, path)


def measured(
    s: Problem,
    methods: Sequence[str] | None = None,
    steps: Sequence[float] | None = None,
    say: Callable[[str], None] = lambda text: None,
    targets: Sequence[float] = TARGETS,
) -> Comparison:
    """Run a problem with `methods` (default: all that can) and `steps` (default: a ladder of halvings).

    The ladder of a method ends when it has reached all of `targets`, or those that it can with bearable work.
    """
    check_parts(s.mechanism)
    wanted = [by_name(name) for name in methods] if methods is not None else list(ALL)
    able = [method for method in wanted if not objection(method, s.mechanism)]
    skipped = {method.name: objection(method, s.mechanism) for method in wanted if method not in able}
    if not able:
        raise ScenarioError(f"none of the methods can run {s.name}: " + "; ".join(skipped.values()))
    if steps is not None and (not steps or not all(math.isfinite(h) and h > 0 for h in steps)):
        raise ScenarioError(f"steps must be positive numbers, got {list(steps)}")
    say("computing the reference")
    exact = reference(s.mechanism, s.start, s.until, s.step)
    rows: list[Row] = []
    for method in able:
        say(method.name)
        compiled(s.mechanism, method.name)[0].time_loop(method)  # compiled before anything is timed
        rows += _ladder(s, method, exact, steps, [max(3 * exact.error, target) for target in targets])
    return Comparison(s.name, s.until, exact.error, tuple(rows), skipped)


def _ladder(
    s: Problem, method: Method, exact: Reference, steps: Iterable[float] | None, targets: Sequence[float]
) -> list[Row]:
    """Runs from coarse to fine; the automatic ladder ends where the reference or the work does."""
    if steps is not None:
        return [_row(s, method, h, exact) for h in sorted(steps, reverse=True)]
    rows: list[Row] = []
    span, count = s.until - s.start.time, COARSEST
    whole = max(1, round(span / s.step))  # events lie on multiples of the scenario's step
    while whole % count and count < whole:
        count += 1
    while True:
        rows.append(_row(s, method, span / count, exact))
        work, error = max(rows[-1].evaluations, rows[-1].steps), rows[-1].error
        left = [target for target in targets if not error <= target]
        power = 1 / (method.order or 1)
        if error < CONVERGING:
            left = [target for target in left if work * (error / target) ** power <= MOST_WORK]
        if not left or 2 * work > MOST_WORK:
            return rows
        count *= 2


def _row(s: Problem, method: Method, h: float, exact: Reference) -> Row:
    exact_count = (s.until - s.start.time) / h
    count = max(1, round(exact_count))
    nothing = Row(method.name, method.order, h, count, 0, 0.0, math.nan)
    if abs(exact_count - count) > ON_STEP:  # it would end at another time than the reference
        return replace(nothing, note="end off step")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # large steps are part of the comparison
            run = completed(simulate(s.mechanism, s.start, method.name, step=h, steps=count, every=count))
    except StepError:
        return replace(nothing, note="failed")
    except ScenarioError as complaint:  # an event that does not lie on this step
        if "does not lie on a step" not in str(complaint):
            raise
        return replace(nothing, note="event off step")
    error = apart(s.mechanism, run.final.q, exact.q)
    return replace(nothing, evaluations=run.evaluations, seconds=run.seconds, error=error)
