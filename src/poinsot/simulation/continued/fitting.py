"""Whether mechanism, controller and functions are those of an archive; an error names what is not."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from poinsot.compile.catalogue import by_name
from poinsot.compile.method_choice import compiled
from poinsot.compile.system import CompiledMechanism
from poinsot.core.methods.method import Method
from poinsot.errors import ArchiveError, ArchiveWarning, warn
from poinsot.formats.data import to_data
from poinsot.formats.paths import PathLike
from poinsot.model.controller import Controller
from poinsot.model.event import Event
from poinsot.model.feedback import Feedback
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.run import provenance
from poinsot.run.archive.journal import Journal
from poinsot.run.archive.records import fingerprint_of, functions_of
from poinsot.simulation.options import Plan, Record, events_data, functions_by_name, planned


class Problem(NamedTuple):
    """A run of an archive, ready to be computed."""

    plan: Plan
    system: CompiledMechanism
    method: Method


def differences(head: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """Return the versions on which bits depend that are not those of the archive: (there, here)."""
    here, there = provenance.versions(), head["versions"]
    names = [*there, *(name for name in here if name not in there)]
    pairs = {name: (str(there.get(name, "")), str(here.get(name, ""))) for name in names}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def fitting(
    path: PathLike,
    found: Journal,
    mechanism: Mechanism,
    controller: Controller | Feedback | None,
    record: Record | None,
    state: State,
    steps: int,
    until: float | None,
    replayed: bool = False,
    events: Sequence[Event] | None = None,
) -> Problem:
    """Return the run of an archive from a state on; an ArchiveError names what is not that of the archive."""
    head = found.head
    _check_controller(path, head, controller)
    if not replayed:
        _check_record(path, head, functions_by_name(record))
    _check_functions(path, head, mechanism)
    arguments = mechanism, state, head["step"], None, steps, head["every"], controller, record, path
    plan = planned(*arguments, progress=False, events=events).changed(until=until)
    _check_events(path, head, plan)
    method = by_name(head["method"])
    system, _, _ = compiled(plan.mechanism, method.label)
    others = differences(head)
    if "source" in others:
        if replayed:
            if not _same_model(head, plan.mechanism):
                raise ArchiveError(f"{path}: the mechanism is not that of the archive")
            return Problem(plan, system, method)
        there, here = others["source"]
        version = head["versions"].get("poinsot", "?")
        raise ArchiveError(
            f"{path}: the archive was computed by Poinsot {version} with other kernels "
            f"(source {there}, here {here}): the memory of the method '{method.label}' cannot be used; "
            "start a new run from its end instead"
        )
    expected = head.get("fingerprint") or (state.memory.fingerprint if state.memory is not None else "")
    if expected and expected != system.fingerprint:
        raise ArchiveError(
            f"{path}: the mechanism is not that of the archive: bodies, joints or forces differ"
        )
    if others and not replayed:
        text = ", ".join(f"{name} {there}, here {here}" for name, (there, here) in others.items())
        warn(f"{path}: the archive was computed with {text}: the bits may differ", ArchiveWarning)
    return Problem(plan, system, method)


def _same_model(head: Mapping[str, Any], mechanism: Mechanism) -> bool:
    return bool(to_data(mechanism) == head["model"])


def _check_controller(
    path: PathLike, head: Mapping[str, Any], controller: Controller | Feedback | None
) -> None:
    known = head.get("controller")
    name = (known or {}).get("name", "")
    if known and controller is None:
        raise ArchiveError(f"{path}: the run had the controller '{name}': give it again with controller=")
    if controller is not None and not known:
        raise ArchiveError(f"{path}: the run had no controller, got '{controller.name}'")
    if controller is not None and known and known.get("identity") != controller.identity:
        raise ArchiveError(f"{path}: the controller '{controller.name}' is not that of the archive, '{name}'")


def _check_events(path: PathLike, head: Mapping[str, Any], plan: Plan) -> None:
    given = {one["name"]: one for one in events_data(plan)}
    known = {one["name"]: one for one in head.get("events") or ()}
    for name, one in known.items():
        if name not in given:
            raise ArchiveError(f"{path}: the run had the event '{name}': give it again with events=")
        if any(one[key] not in ("", given[name][key]) for key in given[name] if key in one):
            raise ArchiveError(f"{path}: the event '{name}' is not that of the archive")
    for name in given:
        if name not in known:
            raise ArchiveError(f"{path}: the run had no event '{name}'")


def _check_record(path: PathLike, head: Mapping[str, Any], record: Record) -> None:
    known = head.get("record") or {}
    for name, digest in known.items():
        if name not in record:
            raise ArchiveError(f"{path}: the run recorded '{name}': give its function again with record=")
        if digest and digest != fingerprint_of(record[name]):
            raise ArchiveError(f"{path}: the function of record '{name}' is not that of the archive")


def _check_functions(path: PathLike, head: Mapping[str, Any], mechanism: Mechanism) -> None:
    given = functions_of(mechanism)
    waiting = list(given)
    for one in head.get("functions") or []:
        same = [other for other in waiting if other["label"] == one["label"]]
        if not same:
            raise ArchiveError(
                f"{path}: the run had {one['label']}, a Python function: give it again with mechanism="
            )
        exact = [other for other in same if other["digest"] == one["digest"]]
        if not exact and "source" not in differences(head):
            raise ArchiveError(f"{path}: the function of {one['label']} is not that of the archive")
        waiting.remove((exact or same)[0])
