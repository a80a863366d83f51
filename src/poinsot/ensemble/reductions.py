"""What is kept of a member: its final state always, samples with `every`, and reductions of its run.

    extrema    smallest and largest of each coordinate and velocity over all steps
    flip       time of the step after which a hinge has first turned beyond 180 degrees; NaN: none has
    settle     time from which on the kinetic energy is below 1e-4 of its largest value; NaN: it is not
    events     times of the events, by name
    report     band and slope of energy and momenta, as `run.report()` measures them
    function   of the Run of the member, with a sample at each step (or each `every`): returns numbers

Results are arrays by name.  Those of different lengths (times of events) are filled up with NaN.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from poinsot.ensemble.problem import Case, Reduction
from poinsot.errors import ScenarioError
from poinsot.model.checks import Array, error_line, show, suggestion
from poinsot.model.joints import Revolute
from poinsot.model.mechanism import Mechanism
from poinsot.run.run import Run
from poinsot.simulation.options import recorded_numbers

Results = dict[str, Array]
SETTLED = 1e-4
RARELY = 1 << 52  # steps: more than a run has
DRIFTS = ("energy", "angular_momentum", "linear_momentum", "orthogonality")
TAKEN = ("final_time", "final_q", "final_v", "time", "q", "v", "member", "reason", "failed")


def extend_extrema(mechanism: Mechanism, time: Array, q: Array, v: Array, found: Results) -> None:
    """Let the smallest and largest numbers include more samples."""
    for name, x in (("q", q), ("v", v)):
        for word, pick in (("lowest", np.minimum), ("highest", np.maximum)):
            part, own = pick.reduce(x, axis=0), f"{word}_{name}"
            found[own] = pick(found[own], part) if own in found else part


def extend_flip(mechanism: Mechanism, time: Array, q: Array, v: Array, found: Results) -> None:
    """Let the time of the first flip be one of these samples, if there was none before."""
    if np.isfinite(found.setdefault("flip", np.array(np.nan))):
        return
    turned = (np.abs(q[:, hinges(mechanism)]) > np.pi).any(axis=1)
    if turned.any():
        found["flip"] = np.array(time[int(turned.argmax())])


def hinges(mechanism: Mechanism) -> list[int]:
    """Return the places of the angles of revolute joints in q."""
    links = [link for link in mechanism.links if isinstance(link.joint, Revolute)]
    return [mechanism.slices(link.name)[0].start for link in links]


Extend = Callable[[Mechanism, Array, Array, Array, Results], None]
BY_SAMPLES: dict[str, Extend] = {"extrema": extend_extrema, "flip": extend_flip}  # part by part


def _by_samples(name: str) -> Callable[[Run], Results]:
    def reduce(run: Run) -> Results:
        found: Results = {}
        BY_SAMPLES[name](run.mechanism, run.time, run.trajectory.q, run.trajectory.v, found)
        return found

    return reduce


def _time_to_rest(run: Run) -> Results:
    moves = np.flatnonzero(run.kinetic > SETTLED * run.kinetic.max())
    last = int(moves[-1]) + 1 if len(moves) else 0
    return {"settle": np.array(run.time[last] if last < len(run.time) else np.nan)}


def _events(run: Run) -> Results:
    return {f"events.{name}": np.array(one.times, dtype=float) for name, one in run.events.items()}


def _report(run: Run) -> Results:
    report, found = run.report(), {}
    for name in DRIFTS:
        drift = getattr(report, name)
        found[f"report.{name}.band"], found[f"report.{name}.slope"] = (
            np.array(drift.band),
            np.array(drift.slope),
        )
    return found


NAMED: dict[str, Callable[[Run], Results]] = {
    **{name: _by_samples(name) for name in BY_SAMPLES},
    "settle": _time_to_rest,
    "events": _events,
    "report": _report,
}


def reductions_of(given: Any) -> dict[str, Reduction]:
    """Return the reductions by name, from a name, a function, a list of these, or functions by name."""
    if given is None:
        return {}
    if isinstance(given, str) or callable(given):
        given = [given]
    if isinstance(given, Mapping):
        pairs: Iterable[tuple[Any, Any]] = given.items()
    elif isinstance(given, Sequence):
        pairs = [(getattr(one, "__name__", one), one) for one in given]
    else:
        raise ScenarioError(f"reduce must be names or functions of a run, got {show(given)}")
    found: dict[str, Reduction] = {}
    for name, one in pairs:
        if isinstance(one, str) and one not in NAMED:
            hint = suggestion(one, NAMED) or f": one of {', '.join(NAMED)}, or a function of the run"
            raise ScenarioError(f"reduce: unknown {show(one)}{hint}")
        if not isinstance(name, str) or not (isinstance(one, str) or callable(one)):
            raise ScenarioError(f"reduce must be names or functions of a run, got {show(one)}")
        if name in TAKEN:
            raise ScenarioError(f"reduce: the name '{name}' is taken: give your function another one")
        found[name] = one
    return found


def reduce_run(case: Case, every: int | None, reductions: Mapping[str, Reduction]) -> Results:
    """Run a member and return its results; `every`: steps between two samples that are kept."""
    needs_steps = bool(reductions)
    run = case.run(1 if needs_steps and every is None else every or RARELY)
    found = {"final_time": np.array(run.final.time), "final_q": run.final.q, "final_v": run.final.v}
    if every is not None:
        found |= {"time": run.time, "q": run.trajectory.q, "v": run.trajectory.v}
    for name, one in reductions.items():
        found |= NAMED[one](run) if isinstance(one, str) else {name: _numbers_of(name, one, run)}
    return found


def _numbers_of(name: str, function: Callable[[Run], Any], run: Run) -> Array:
    try:
        return np.asarray(recorded_numbers(name, [function(run)])[0], dtype=float)
    except Exception as error:
        raise ScenarioError(f"reduce '{name}': {error_line(error)}") from None
