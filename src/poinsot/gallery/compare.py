"""`ps.compare`: work and precision of methods on a scenario, by name."""

from collections.abc import Callable, Sequence

from poinsot.gallery.scenario import Scenario, scenario
from poinsot.work_precision import Comparison, measured


def compare(
    which: str | Scenario,
    methods: Sequence[str] | None = None,
    steps: Sequence[float] | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> Comparison:
    """Run a scenario with `methods` (default: all that can) and `steps` (default: a ladder of halvings)."""
    return measured(scenario(which) if isinstance(which, str) else which, methods, steps, say)
