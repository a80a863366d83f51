"""The result of a comparison: its table, as text, HTML, CSV and figure."""

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from poinsot import html
from poinsot.errors import ScenarioError
from poinsot.formats.paths import PathLike, file_path, writing
from poinsot.model.checks import real, show

COLUMNS = ("method", "order", "step", "steps", "evaluations", "seconds", "error", "note")
AT_REFERENCE = "at the reference"
ROUNDING = 2.0**-52  # no reference solution is better than this
TARGETS = (1e-4, 1e-8, 1e-11)  # errors at which the automatic ladder ends


@dataclass(frozen=True)
class Row:
    """One run of a comparison.

    Parameters
    ----------
    method : Name of the method.
    order : Order of the method; None: exact.
    step : Step size [s].
    steps : Number of steps.
    evaluations : Number of torque evaluations.
    seconds : Time that the run took to compute [s].
    error : Error of the state at the end, in the unit of the comparison; nan without a run.
    note : Why there was no run.

    >>> s = ps.scenario("dzhanibekov", until=1.0)
    >>> ps.compare(s, "srkn4", [0.1]).rows[0].steps
    10
    """

    method: str
    order: int | None
    step: float
    steps: int
    evaluations: int
    seconds: float
    error: float
    note: str = ""


@dataclass(frozen=True, eq=False)
class Comparison:
    """Errors and costs of methods on one problem, from `ps.compare`; `print` shows a table.

    Parameters
    ----------
    scenario : Name of the problem.
    until : Time at which the errors are measured [s].
    reference_error : Error of the reference solution, in `unit`.
    rows : The runs, by method and from large to small steps.
    skipped : Methods that cannot run the problem, and why.
    unit : What errors are counted in: angles in rad, distances in m or in the length that is named, such as
        "rad or 0.5 m"; velocities are relative to those of the start.

    >>> s = ps.scenario("dzhanibekov", until=1.0)
    >>> comparison = ps.compare(s, "srkn4", [0.1, 0.05])
    >>> [row.step for row in comparison.rows]
    [0.1, 0.05]
    """

    scenario: str
    until: float
    reference_error: float
    rows: tuple[Row, ...]
    skipped: dict[str, str]
    unit: str = "rad"

    @property
    def methods(self) -> list[str]:
        """Names of the methods that were run."""
        return list(dict.fromkeys(row.method for row in self.rows))

    def reach(self, *targets: float) -> dict[str, dict[float, float]]:
        """Return the number of torque evaluations that each method needs to reach given errors.

        A method that makes no evaluations (on a free body) is counted in steps.  By method and by target:
        evaluations, interpolated between the runs; nan if no run reached it.  `*targets`: errors to reach
        in
        `unit`.
        """
        wanted = positive("reach", targets) if targets else []
        return {name: {target: self._work(name, target) for target in wanted} for name in self.methods}

    def _work(self, name: str, target: float) -> float:
        """Return the evaluations that a method needs to reach one target."""
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
            self._title(),
            f"{'method':{wide}}{'step':>12}{'evaluations':>13}{'ms':>10}{'error':>18}{'order':>8}",
        ]
        last: Row | None = None
        for row in self.rows:
            order = ""
            if (
                last is not None
                and last.method == row.method
                and self._exceeds(row)
                and row.error < last.error
            ):
                order = f"{math.log(last.error / row.error) / math.log(last.step / row.step):.2f}"
            error = self._error(row)
            cost = f"{row.evaluations:13d}{1e3 * row.seconds:10.3f}"
            lines.append(f"{row.method:{wide}}{row.step:12.6g}{cost}{error:>18}{order:>8}")
            last = row
        lines += [f"{name}: {why}" for name, why in self.skipped.items()]
        return "\n".join(lines)

    def to_csv(self, path: PathLike) -> Path:
        """Write all runs to a CSV file.  Returns the path of the file.  `path`: file to write."""
        target = file_path(path)
        with writing(target), target.open("w", newline="", encoding="utf-8", errors="replace") as file:
            writer = csv.writer(file)
            writer.writerow(COLUMNS)
            writer.writerows([getattr(row, name) for name in COLUMNS] for row in self.rows)
        return target

    def _table(self) -> str:
        """Return the runs as an HTML table."""
        rows = [
            (
                row.method,
                f"{row.step:.6g}",
                row.evaluations,
                f"{1e3 * row.seconds:.3f}",
                self._error(row),
            )
            for row in self.rows
        ]
        return html.table(("method", "step", "evaluations", "ms", "error"), rows)

    def _title(self) -> str:
        """Return the heading of the table."""
        known = f"reference solution accurate to {max(self.reference_error, ROUNDING):.0e}"
        return f"{self.scenario}: error at t = {self.until:g} in {self.unit} ({known})"

    def _exceeds(self, row: Row) -> bool:
        """Return whether the error of a run exceeds that of the reference solution."""
        return row.error > max(self.reference_error, ROUNDING)

    def _error(self, row: Row) -> str:
        """Return the error of a run as text."""
        if not math.isfinite(row.error):
            return row.note
        return f"{row.error:.2e}" if self._exceeds(row) else AT_REFERENCE

    def _repr_html_(self) -> str:
        skipped = "".join(html.tag("div", html.text(f"{name}: {why}")) for name, why in self.skipped.items())
        return f"<div>{html.tag('b', html.text(self._title()))}{self._table()}{skipped}</div>"

    def to_html(self, path: PathLike, *targets: float, command: str = "") -> Path:
        """Write a report of the comparison as one HTML file, with a figure and tables.

        Returns the path of the file.  `path`: file to write; `*targets`: errors whose cost is shown
        (default: 1e-4, 1e-8 and 1e-11); `command`: command that made the comparison, to be shown.
        """
        from poinsot.view.page import write
        from poinsot.view.report import Section, document, picture

        if not isinstance(command, str):
            raise ScenarioError(f"compare: command must be a text, got {show(command)}")
        wanted = positive("targets", targets or TARGETS)
        costs = [
            (name, *(f"{cost:.3g}" if math.isfinite(cost) else "-" for cost in one.values()))
            for name, one in self.reach(*wanted).items()
        ]
        head = ["evaluations to reach", *(f"{target:.0e}" for target in wanted)]
        skipped = "".join(html.tag("p", html.text(f"{name}: {why}")) for name, why in self.skipped.items())
        sections = [
            Section("figure", "What accuracy costs", picture(self.plot(), "work-precision diagram")),
            Section("reach", "Cost of a given accuracy", html.table(head, costs)),
            Section("runs", "All runs", html.tag("div", self._table(), class_="scroll")),
        ]
        if skipped:
            sections.append(Section("skipped", "Methods that cannot run this problem", skipped))
        introduction = html.tag("p", html.text(self._title()))
        introduction += html.tag("pre", html.text(command)) if command else ""
        return write(path, document(f"Methods on {self.scenario}", introduction, sections))

    def plot(self, path: PathLike | None = None) -> Any:
        """Draw error against torque evaluations and against time.  Returns the figure.

        `path`: file to write the figure to, which ends in .svg, .png or .pdf (default: no file is written).
        """
        from poinsot.plots.work_precision import work_precision_figure

        curves = {name: [row for row in self.rows if row.method == name] for name in self.methods}
        return work_precision_figure(self.scenario, curves, path, self.unit, self.reference_error)


def positive(what: str, values: Sequence[float]) -> list[float]:
    """Return a list of positive numbers; anything else is an error."""
    found = real(values)
    if found.ndim != 1 or not found.size or not (np.isfinite(found) & (found > 0)).all():
        raise ScenarioError(f"compare: {what} must be positive numbers, got {show(values)}")
    return list(found.tolist())
