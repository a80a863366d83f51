"""`ps.ensemble`: run many members of a problem, on all cores, each with the bits of its own run."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np

from poinsot.core.methods.method import Method
from poinsot.core.numbers.v4d import LANES
from poinsot.elementary.arrays import ArrayLike
from poinsot.ensemble.cautions import give
from poinsot.ensemble.conductor import conduct
from poinsot.ensemble.ensemble import Ensemble
from poinsot.ensemble.journal import FORMAT, KIND, Journal, digest_of, plain_json
from poinsot.ensemble.lanes import plain_case
from poinsot.ensemble.members import Members, members_of, members_of_starts
from poinsot.ensemble.pools import make_pool, tell
from poinsot.ensemble.problem import Problem, given_of, problem_of
from poinsot.ensemble.reductions import reductions_of
from poinsot.ensemble.table import Table
from poinsot.errors import PoinsotError, ScenarioError
from poinsot.formats.data import event_data, to_data
from poinsot.formats.paths import PathLike
from poinsot.model import checks, plain
from poinsot.model.checks import show
from poinsot.model.controller import Controller
from poinsot.model.event import Event
from poinsot.model.feedback import Feedback
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.run.provenance import command, versions
from poinsot.run.run import Run
from poinsot.scenario.scenario import Scenario, scenario
from poinsot.simulation.simulate import compilation_notice

NO_PATH = ("unknown", "not known", "leads nowhere", "is a group", "has the components")  # in messages


def ensemble(
    mechanism: Mechanism | Scenario | PathLike,
    *,
    starts: tuple[ArrayLike, ArrayLike] | Sequence[State] | None = None,
    vary: Mapping[str, Any] | Any = None,
    zip: bool = False,
    samples: int | None = None,
    seed: int = 0,
    design: str = "random",
    start: State | None = None,
    method: str | Method | None = None,
    step: float | None = None,
    until: float | None = None,
    every: int | None = None,
    controller: Controller | Feedback | Sequence[Controller] | None = None,
    events: Sequence[Event] | None = None,
    reduce: str | Callable[[Run], Any] | Sequence[Any] | Mapping[str, Any] | None = None,
    executor: str | Executor | Any = None,
    workers: int | None = None,
    lanes: bool = True,
    archive: PathLike | None = None,
    progress: bool | None = None,
) -> Ensemble:
    """Run many members of a problem: other starts, or other values of its parameters.

    Every member has the bits of its own `ps.simulate`, wherever it ran: in a lane of a SIMD register, in a
    thread, in a process, on another machine.  Members that fail do not stop the others.

    Parameters
    ----------
    mechanism : A mechanism, a Scenario, or the name or file of one.
    starts : What varies: arrays q (members, nq) and v (members, nv), or a list of States.
    vary : What varies: values by path, such as {"bodies.lower.mass": [1.0, 2.0]}, which make a grid; texts
        "linspace(0, 1, 5)", "geomspace(...)" for values, and "uniform(low, high)", "normal(mean, deviation)",
        "lognormal", "loguniform", "exponential", "triangular" for draws; or a table: a CSV file, a DataFrame,
        a Dataset.  Default: `[sweep]` of the scenario file.
    zip : Pair the values of all paths, in place of a grid.
    samples : Number of members that are drawn (for each point of a grid).
    seed : Of the draws; the draw of a member depends on the seed, the path and its number only.
    design : "random", "sobol" or "latin": how draws fill their space.
    start : Initial state of a mechanism of which values vary.  Default: zero, or that of the scenario.
    method, step, until : As in `ps.simulate`.  Default: those of the scenario.
    every : Steps between two samples that are kept.  Default: only final states are.
    controller, events : As in `ps.simulate`.  Default: those of the scenario.
    reduce : What is kept besides: "extrema", "events", "report", and functions of the Run of a member that
        return numbers, alone, in a list or by name.
    executor : "threads", "processes", an Executor of concurrent.futures, or a Dask client or its executor.
        Default: threads, or processes where Python functions are called.
    workers : Number of threads or processes.  Default: one for each processor.
    lanes : Run four members at once in SIMD lanes where the method can.
    archive : File to which results are written as members finish; the same call goes on with it.
    progress : Show a progress bar on stderr.  Default: on a terminal, if it takes longer than two seconds.

    Examples
    --------
    >>> import numpy as np
    >>> s = ps.scenario("double-pendulum")
    >>> q = np.column_stack([np.linspace(0.1, 3.0, 8), np.zeros(8)])
    >>> e = ps.ensemble(s, starts=(q, np.zeros((8, 2))), method="rk4", step=0.01, until=1.0)
    >>> e.final_q.shape, e.failed
    ((8, 2), {})

    Masses drawn at random; the largest angle of each member is all that is kept:

    >>> e = ps.ensemble(
    ...     "double-pendulum", vary={"bodies.lower.mass": "uniform(0.5, 1.5)"}, samples=4, seed=7,
    ...     method="rk4", step=0.01, until=1.0, reduce="extrema",
    ... )
    >>> e["highest_q"].shape
    (4, 2)
    """
    options = dict(method=method, step=step, until=until, every=every, controller=controller, events=events)
    reductions = reductions_of(reduce)
    if start is not None and not isinstance(start, State):
        raise ScenarioError(f"start must be a State: m.state({{...}}), got {show(start)}")
    lanes, count = checks.flag("ensemble", "lanes", lanes), _workers(workers)
    if progress is not None:
        progress = checks.flag("ensemble", "progress", progress)
    problem = problem_of(mechanism, start, given_of(options), reductions)
    with compilation_notice(quiet=progress is False):
        members = _members(
            problem, mechanism, starts, dict(vary=vary, zip=zip, samples=samples, seed=seed, design=design)
        )
        group = _first(problem, members, lanes)
        table, head = Table(members.count), header(problem, members)
        pool = make_pool(problem, executor, count, lanes)
        tell(pool.note)
        kept = None if archive is None else Journal(archive, head, members, table)
        if hasattr(pool, "prepare") and len(table.rest):
            pool.prepare(members.take(table.rest[:1]))
        done = conduct(pool, members, table, kept, progress, group)
    give(done.cautions, members.count)
    note = f"{done.lanes} of {members.count} members in lanes, {done.seconds:.3g} s; {pool.note}".rstrip("; ")
    if done.interrupted:
        go_on = "e.save(PATH), and the same call with archive=PATH" if kept is None else "the same call"
        left = f"interrupted, {len(table.rest)} of {members.count} members were not run: {go_on} goes on"
        tell(left)
        note = f"{note}; {left}"
    return Ensemble(problem, members, table, head, note)


def _workers(workers: int | None) -> int | None:
    return None if workers is None else checks.whole("ensemble", "workers", workers, 1, 10_000)


def _members(problem: Problem, given: Any, starts: Any, how: dict[str, Any]) -> Members:
    """Return the members of starts, of values, or of the table [sweep] of a scenario."""
    if starts is not None:
        if how["vary"] is not None:
            raise ScenarioError(
                "give either starts= or vary=: a start varies by its path, such as start.arm.angle"
            )
        return members_of_starts(starts, problem.base.mechanism)
    if how["vary"] is None:
        found = given if isinstance(given, Scenario) else None
        if found is None and isinstance(problem.source, str):
            found = scenario(problem.source)
        if found is None or not found.sweep:
            raise ScenarioError("an ensemble needs starts= or vary=, or a scenario file with a table [sweep]")
        asked = {key: how[key] for key in ("samples",) if how[key] is not None}
        how = {**dict(found.sweep), **asked}
        return members_of(how.pop("vary"), **how)
    return members_of(how.pop("vary"), **how)


def _first(problem: Problem, members: Members, lanes: bool) -> int:
    """Check the paths and the draws before anything runs; return how many members share a call."""
    draws = members.draws
    try:
        case = problem.case(members, 0)
    except PoinsotError as error:
        if draws:
            raise ScenarioError(f"member 0: {error}") from None
        if any(words in str(error) for words in NO_PATH):
            raise
        return 1  # a value that is wrong: the member will fail, the others may not
    for path in draws:
        column = np.asarray(members.columns[path])
        for k in {int(column.argmin()), int(column.argmax())}:
            try:
                problem.case(members, k)
            except PoinsotError as error:
                raise ScenarioError(
                    f"vary '{path}': its draws are impossible, as that of member {k}, "
                    f"{show(float(column[k]))}: {error}"
                ) from None
    found = plain_case(case, problem.reductions)
    return LANES if found is not None and found.method.lanes and lanes else 1


def header(problem: Problem, members: Members) -> dict[str, Any]:
    """Return the header of the file of an ensemble: what it is, and how to run a member again."""
    g, data = problem.given, None
    functions = problem.functions or g.controller is not None
    if not functions and all(event_data(one) is not None for one in g.events or ()):
        source: Any = problem.source
        if isinstance(source, Mechanism):
            model = to_data(source)
            lost = any(isinstance(one, str) for one in model["forces"])
            source = None if lost else {"model": model}
        start = problem.start
        data = source and {
            "source": source,
            "parameters": plain.write(dict(problem.parameters)),
            "start": None if start is None else [start.time, start.q.tolist(), start.v.tolist()],
            "given": {"method": g.method, "step": g.step, "until": g.until, "every": g.every},
            "events": None if g.events is None else [event_data(one) for one in g.events],
            "reductions": dict(problem.reductions),
        }
    return {
        "kind": KIND,
        "format": FORMAT,
        "count": members.count,
        "identity": problem.identity(),
        "values": digest_of(members),
        "source": versions()["source"],
        "versions": dict(versions()),
        "command": command.get(),
        "problem": data if plain_json(data) else None,
    }
