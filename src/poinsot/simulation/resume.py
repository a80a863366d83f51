"""Going on with the run of an archive: after a crash or a stop, or further than it was planned.

Mechanism, controller and functions must be those of the archive; an error names what is not, and what cannot
be compared (`model.identity`).
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple, NoReturn

from poinsot.analytical import System as Equations
from poinsot.compile.catalogue import OWN, by_name, label_of
from poinsot.compile.method_choice import system_for
from poinsot.core.methods.method import Method
from poinsot.diagnostics.system_trajectory import facts_of
from poinsot.diagnostics.trajectory import GrowingSamples, Samples
from poinsot.errors import ArchiveError, ArchiveWarning, warn
from poinsot.formats.data import to_data
from poinsot.formats.paths import PathLike
from poinsot.model.checks import show
from poinsot.model.controller import Controller
from poinsot.model.feedback import Feedback
from poinsot.model.identity import identity_of
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.run import provenance
from poinsot.run.archive.journal import Journal
from poinsot.run.archive.reader import load_run
from poinsot.run.archive.records import functions_of
from poinsot.run.run import Run
from poinsot.simulation.analytical import AnalyticalSystem, system_job
from poinsot.simulation.driver import Job, complete
from poinsot.simulation.engine import Engine
from poinsot.simulation.messages import Watch
from poinsot.simulation.options import (
    Plan,
    Record,
    RunOptions,
    count_steps,
    events_data,
    functions_by_name,
    make_plan,
)
from poinsot.simulation.recorder import Earlier, with_records
from poinsot.simulation.step_motion import LoopSwitches

OF_A_CONTROLLER = (
    "controller's "  # labels of the forces that a controller holds begin so (`model.inputs.hold`)
)


def steps_of(found: Journal, until: float | None) -> int:
    """Return how many steps the whole run has, from its start until its end or until another time."""
    head = found.last
    start = State(float(head["start"]), [], [])  # type: ignore[arg-type]
    end = until if until is not None else head.get("until")
    if end is None:
        return int(head.get("steps") or found.point.done)
    return count_steps(start, head["step"], end, None)[1]


def resume_run(
    path: PathLike, found: Journal, mechanism: Mechanism | Equations, options: RunOptions, same: bool = False
) -> Run:
    """Go on with a run in its archive; return it from its first sample on (`same`: as in `problem_of`)."""
    until = options.until
    if found.stopped and found.end is not None:
        if until is not None and until > found.point.state.time:
            raise ArchiveError(
                f"{path}: the event '{found.stopped}' ended the run; start a new run from its end instead"
            )
        return load_run(path)
    point, total = found.point, steps_of(found, until)
    if until is not None and total < max(point.done, found.end or 0):
        raise ArchiveError(
            f"{path}: the archive goes until t = {point.state.time:g} already, beyond until = {until:g}"
        )
    held = [label for label in found.head.get("held") or () if str(label).startswith(OF_A_CONTROLLER)]
    if (held or isinstance(options.controller, Controller)) and total > point.done:
        point = found.before  # at the planned end the controller was not called
        if point.end:
            raise ArchiveError(
                f"{path}: the file holds no state before the end of a controlled run (run.save keeps its end "
                "only): write the run with archive= to resume it"
            )
    if found.samples is not None:
        found.samples.count = point.samples
    end = until if until is not None else found.last.get("until")
    left = replace(options, until=end, steps=max(0, total - point.done))
    plan, system, method = problem_of(path, found.head, mechanism, point.state, left, same=same)
    if found.end is not None and total <= found.end:
        run = load_run(path)
        return with_records(run, options.record) if options.record else run
    switches = LoopSwitches(plan, system, method, point.state) if plan.switches_loops else None
    here = system if switches is None else switches.system(switches.open)
    engine = Engine(here, method, plan.step, point.state)
    if engine.status.fresh and point.state.memory is not None:
        raise ArchiveError(f"{path}: the memory of the method '{method.label}' in the archive does not fit")
    watch = Watch(system, method, plan.step, point.state) if plan.equations is None else None
    if plan.equations is not None:
        found = _without_answers(found)
    first = engine.clock.count - point.done
    happened = found.firings[: point.firings]
    open = tuple(map(str, found.head.get("open") or ()))
    earlier = Earlier(found.samples, found.start, first, point.cost, point.size, happened, open)
    reason = str(found.head["reason"])
    return complete(Job(plan, engine, point.state, reason, switches, watch), earlier)


def _without_answers(found: Journal) -> Journal:
    """Return the samples of a system without its answers, which it gives again."""
    k = int(found.head["system"]["inputs"])

    def narrow(part: Samples) -> Samples:
        return part._replace(inputs=part.inputs[:, :k])

    samples = None
    if found.samples is not None:
        whole = found.samples.finish()
        samples = GrowingSamples(narrow(whole), len(whole.time))
    return found._replace(samples=samples, start=narrow(found.start))


class ArchivedProblem(NamedTuple):
    """A run of an archive, ready to be computed."""

    plan: Plan
    system: Any  # compiled
    method: Method


def differences(head: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """Return the versions on which bits depend that are not those of the archive: (there, here)."""
    here, there = provenance.versions(), head["versions"]
    names = [*there, *(name for name in here if name not in there)]
    pairs = {name: (str(there.get(name, "")), str(here.get(name, ""))) for name in names}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def problem_of(
    path: PathLike,
    head: Mapping[str, Any],
    mechanism: Mechanism | Equations,
    state: State,
    options: RunOptions,
    replayed: bool = False,
    same: bool = False,
) -> ArchivedProblem:
    """Return the run of an archive from a state on; an ArchiveError names what is not that of the archive.

    The options are those of the user, with the number of steps that are left; `until` is only kept.  With
    `same`, functions that cannot be compared are those of the archive.  Digests of another version of Poinsot
    are not compared: a run that goes on is refused below, and a replay compares the bits.
    """
    checks = _Checks(path, head, same or replayed, "source" not in differences(head))
    checks.controller(options.controller)
    checks.method(options.method)
    if not replayed:
        checks.record(functions_by_name(options.record))
    known = replace(options, step=head["step"], every=head["every"], archive=path, until=None)
    if isinstance(mechanism, Equations):
        job = system_job(mechanism, state, str(head["method"]), known)
        plan, system, method = job.plan.change(until=options.until), job.engine.system, job.engine.method
        checks.system(system, state)
        _check_source(path, head, method, replayed)
        return ArchivedProblem(plan, system, method)
    checks.functions(mechanism)
    plan = make_plan(mechanism, state, known).change(until=options.until)
    checks.events(plan)
    method = by_name(head["method"])
    system, _, _ = system_for(plan.mechanism, method.label)
    others = differences(head)
    if "source" in others:
        if replayed:
            if not to_data(plan.mechanism) == head["model"]:
                raise ArchiveError(f"{path}: the mechanism is not that of the archive")
            return ArchivedProblem(plan, system, method)
        _check_source(path, head, method, replayed)
    expected = head.get("fingerprint") or (state.memory.fingerprint if state.memory is not None else "")
    if expected and expected != system.fingerprint:
        raise ArchiveError(
            f"{path}: the mechanism is not that of the archive: bodies, joints or forces differ"
        )
    if others and not replayed:
        text = ", ".join(f"{name} {there}, here {here}" for name, (there, here) in others.items())
        warn(f"{path}: the archive was computed with {text}: the bits may differ", ArchiveWarning)
    return ArchivedProblem(plan, system, method)


def _check_source(path: PathLike, head: Mapping[str, Any], method: Method, replayed: bool) -> None:
    """Raise an ArchiveError if other kernels wrote the archive, and the run is to go on."""
    others = differences(head)
    if replayed or "source" not in others:
        return
    there, here = others["source"]
    version = head["versions"].get("poinsot", "?")
    raise ArchiveError(
        f"{path}: the archive was computed by Poinsot {version} with other kernels "
        f"(source {there}, here {here}): the memory of the method '{method.label}' cannot be used; "
        "start a new run from its end instead"
    )


class _Checks(NamedTuple):
    """Compares what the user gives with what the header of an archive says."""

    path: PathLike
    head: Mapping[str, Any]
    same: bool  # what cannot be compared is the same
    comparable: bool  # digests mean the same there and here

    def _fail(self, what: str) -> NoReturn:
        raise ArchiveError(f"{self.path}: {what}")

    def _compare(self, what: str, there: str, function: Any, digest: str = "") -> None:
        """Compare a function with a digest; `digest` is its own, if it has more than the function."""
        found = identity_of(function)
        if (found.unknown or not there) and not self.same:
            reason = found.unknown or "what it reads"
            self._fail(
                f"{what} cannot be compared with that of the archive ({reason} has no value): "
                "give same=True if it is the same"
            )
        if there and self.comparable and there != (digest or found.digest):
            self._fail(f"{what} is not that of the archive")

    def controller(self, given: Controller | Feedback | None) -> None:
        known = self.head.get("controller")
        name = (known or {}).get("name", "")
        if known and given is None:
            what = f"the controller '{name}'" if name else "a controller"
            self._fail(f"the run had {what}: give it again with controller=")
        if given is not None and not known:
            self._fail(f"the run had no controller, got '{given.name}'")
        if given is not None and known:
            self._compare(
                f"the controller '{given.name}'", known.get("identity"), given.function, given.identity
            )

    def method(self, given: Method | None) -> None:
        """Compare an own method, and let it be found by its name."""
        name, known = str(self.head["method"]), self.head.get("own_method")
        if given is not None and (not isinstance(given, Method) or given.label != name):
            self._fail(f"the method of the run is '{name}', got {show(label_of(given))}")
        if not known:
            return
        found = given or OWN.get(name)
        if found is None:
            self._fail(f"the run has a method of its own, '{name}': give it again with method=")
        self._compare(f"the method '{name}'", known.get("digest"), found.step)
        OWN[name] = found

    def system(self, given: AnalyticalSystem, at: State) -> None:
        state = at.time, at.q, at.v, 0
        start, known = self.head["system"], facts_of(given.equations, *state)
        if start["answers"] != known.widths or start["coordinates"] != list(known.coordinates):
            self._fail("the system is not drawn or named as that of the archive")
        there, unknown = self.head.get("fingerprint", ""), identity_of(given.equations.acceleration).unknown
        if there == given.fingerprint or not self.comparable:
            return
        if given.equations.program is None and unknown:
            if not self.same:
                self._fail(
                    f"the system cannot be compared with that of the archive ({unknown} has no value): "
                    "give same=True if it is the same"
                )
            vars(given)["fingerprint"] = there  # the user says so
            return
        self._fail("the system is not that of the archive")

    def events(self, plan: Plan) -> None:
        given = {one["name"]: one for one in events_data(plan)}
        known = {one["name"]: one for one in self.head.get("events") or ()}
        functions = zip(plan.events, plan.event_functions, plan.event_resets, strict=True)
        by_name = {str(event.name): (function, reset) for event, function, reset in functions}
        for name, one in known.items():
            if name not in given:
                self._fail(f"the run had the event '{name}': give it again with events=")
            for key in given[name].keys() & one.keys() - {"digest", "reset"}:
                if one[key] != given[name][key]:
                    self._fail(f"the event '{name}' is not that of the archive")
            for key, function in zip(("digest", "reset"), by_name[name], strict=True):
                there = one.get(key, "" if function is not None else "none")
                if "none" in (there, function or "none"):  # there may be no reset
                    if (there == "none") != (function is None):
                        self._fail(f"the event '{name}' is not that of the archive")
                else:
                    self._compare(f"the event '{name}'", there, function)
        for name in given:
            if name not in known:
                self._fail(f"the run had no event '{name}'")

    def record(self, given: Record) -> None:
        for name, digest in (self.head.get("record") or {}).items():
            if name not in given:
                self._fail(f"the run recorded '{name}': give its function again with record=")
            self._compare(f"the function of record '{name}'", digest, given[name])

    def functions(self, mechanism: Mechanism) -> None:
        waiting = functions_of(mechanism)
        for one in self.head.get("functions") or []:
            same = [other for other in waiting if other["label"] == one["label"]]
            if not same:
                self._fail(f"the run had {one['label']}, a Python function: give it again with mechanism=")
            exact = [other for other in same if other["digest"] == one["digest"]]
            if not exact and self.comparable:
                self._fail(f"the function of {one['label']} is not that of the archive")
            waiting.remove((exact or same)[0])
