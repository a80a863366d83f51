"""`ps.compare`: what accuracy costs with different methods on a scenario or a mechanism."""

import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from poinsot.accuracy.comparison import TARGETS, Comparison
from poinsot.accuracy.work_precision import measure
from poinsot.core.methods.method import Method
from poinsot.errors import ScenarioError
from poinsot.model import checks
from poinsot.model.checks import show
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.scenario.scenario import Scenario, scenario
from poinsot.view.page import in_notebook


class OwnProblem(NamedTuple):
    """A problem that is not in the gallery: a mechanism of the user."""

    name: str
    mechanism: Mechanism
    start: State
    step: float
    until: float


def compare(
    which: str | Scenario | Mechanism,
    methods: Sequence[str | Method] | str | Method | None = None,
    steps: Sequence[float] | float | None = None,
    *,
    start: State | None = None,
    until: float | None = None,
    step: float | None = None,
    say: Callable[[str], None] = lambda text: None,
    targets: Sequence[float] = TARGETS,
    progress: bool | None = None,
) -> Comparison:
    """Compare what accuracy costs with different methods and steps on one problem.

    Each run is compared with a reference solution at the end, on which two unrelated methods agree.

    Parameters
    ----------
    which : name of a scenario, a scenario, or a mechanism, which needs `start`, `until` and `step`
    methods : one or several, by name or from `ps.method`.  Default: all that can run the problem
    steps : one or several step sizes [s].  Default: for each method a ladder of halvings, until all `targets`
        are reached
    start : initial state of a mechanism
    until : end time of a mechanism [s]
    step : for a mechanism: a step [s] that divides the duration and the times of all impulses and jumps
    say : called with a string before each part of the work.  Default: nothing is said
    targets : errors at which the ladder of a method ends, in the unit that `Comparison.unit` names
    progress : show a progress bar on stderr.  Default: in a notebook, and where stderr is a terminal

    >>> s = ps.scenario("dzhanibekov", until=1.0)
    >>> comparison = ps.compare(s, "srkn4", [0.1, 0.05])
    >>> comparison.methods, len(comparison.rows)
    (['srkn4'], 2)
    >>> bool(comparison.rows[0].error < 1e-10)  # a free body moves exactly
    True
    """
    names = [methods] if isinstance(methods, str | Method) else methods
    if names is not None and not isinstance(names, Sequence):
        raise ScenarioError(f"compare: methods must be names of methods, got {show(methods)}")
    shown = in_notebook() or sys.stderr.isatty()
    bar = shown if progress is None else checks.flag("compare", "progress", progress)
    ladder = [steps] if isinstance(steps, int | float) else steps
    if isinstance(which, Mechanism):
        if start is None or until is None or step is None:
            raise ScenarioError("to compare methods on a mechanism, give start=, until= and step= as well")
        return measure(OwnProblem("mechanism", which, start, step, until), names, ladder, say, targets, bar)
    problem = scenario(which) if isinstance(which, str) else which
    if not isinstance(problem, Scenario):
        raise ScenarioError(f"compare takes a scenario or a mechanism, got {show(which)}")
    if getattr(problem, "events", ()):
        raise ScenarioError(
            f"scenario '{problem.name}' has events, which no reference solution has: "
            "compare takes scenarios without events"
        )
    if problem.controller is not None:
        raise ScenarioError(
            f"scenario '{problem.name}' has a controller, which would act differently with each method: "
            "compare takes scenarios without a controller"
        )
    return measure(problem, names, ladder, say, targets, bar)
