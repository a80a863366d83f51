"""`ps.compare`: work and precision of methods on a scenario, or on a mechanism of one's own."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from poinsot.accuracy.work_precision import TARGETS, Comparison, measured
from poinsot.errors import ScenarioError
from poinsot.gallery.scenario import Scenario, scenario
from poinsot.model.checks import show
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State


class Own(NamedTuple):
    """A problem that is not in the gallery."""

    name: str
    mechanism: Mechanism
    start: State
    step: float
    until: float


def compare(
    which: str | Scenario | Mechanism,
    methods: Sequence[str] | str | None = None,
    steps: Sequence[float] | float | None = None,
    *,
    start: State | None = None,
    until: float | None = None,
    step: float | None = None,
    say: Callable[[str], None] = lambda text: None,
    targets: Sequence[float] = TARGETS,
) -> Comparison:
    """Run a scenario with `methods` (default: all that can) and `steps` (default: a ladder of halvings).

    A mechanism needs `start`, `until` and a `step` that divides the time and the times of all events.
    """
    names = [methods] if isinstance(methods, str) else methods
    ladder = [steps] if isinstance(steps, int | float) else steps
    if isinstance(which, Mechanism):
        if start is None or until is None or step is None:
            raise ScenarioError("to compare on a mechanism give start=, until= and step= too")
        return measured(Own("mechanism", which, start, step, until), names, ladder, say, targets)
    problem = scenario(which) if isinstance(which, str) else which
    if not isinstance(problem, Scenario):
        raise ScenarioError(f"compare takes a scenario or a mechanism, got {show(which)}")
    if problem.controller is not None:
        raise ScenarioError(
            f"scenario '{problem.name}' has a controller, which would see another motion with each method: "
            "compare works on motions without one"
        )
    return measured(problem, names, ladder, say, targets)
