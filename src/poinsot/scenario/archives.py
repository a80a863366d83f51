"""`ps.resume` and `ps.replay`: archives with the mechanism and the controller that their header names."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from poinsot.analytical.programs import system_of
from poinsot.analytical.system import Formulation, System
from poinsot.core.methods.method import Method
from poinsot.errors import ArchiveError, ModelError, PoinsotError
from poinsot.formats.data import event_of, from_data
from poinsot.formats.paths import PathLike
from poinsot.model import checks, plain
from poinsot.model.cascade import merge
from poinsot.model.controller import Controller
from poinsot.model.event import Event
from poinsot.model.feedback import Feedback
from poinsot.model.hand import hand_of
from poinsot.model.mechanism import Mechanism
from poinsot.model.programs.program import Program
from poinsot.run.archive.journal import journal
from poinsot.run.archive.reader import load_run
from poinsot.run.run import Run
from poinsot.scenario.files import scenario_from_text
from poinsot.scenario.scenario import Scenario, scenario
from poinsot.simulation.options import Record, RunOptions
from poinsot.simulation.recorder import with_records
from poinsot.simulation.replay import Replay, replay_run
from poinsot.simulation.resume import resume_run

PLACE = 7  # numbers of a pose
MOST_SAMPLES = 100_000  # of a run whose reference is computed again


def resume(
    path: PathLike,
    *,
    until: float | None = None,
    mechanism: Mechanism | None = None,
    system: System | Formulation | None = None,
    controller: Controller | Feedback | Sequence[Controller] | None = None,
    method: Method | None = None,
    record: Record | None = None,
    progress: bool = False,
    events: Sequence[Event] | None = None,
    same: bool = False,
) -> Run:
    """Go on with the run in an archive, after a crash or a stop or beyond its end, to the same bits.

    The samples are appended to the file.  A run of a scenario, or one made of data alone, needs only the
    path.  Python functions are given again; they must be those of the run, with all that they read.

    Parameters
    ----------
    path : archive that `ps.simulate(archive=...)` or `poinsot run --out` wrote
    until : end time [s].  Default: that of the run
    mechanism : that of the run, if its forces are Python functions
    system : that of the run, if it is one of `ps.analytical` made of Python functions
    controller : that of the run, or the list of those, if it had one that is not of the gallery
    method : that of the run, if it is one of your own (`ps.Method`)
    record : the functions that the run records, if it does
    progress : show a progress bar on stderr
    events : those of the run, if some of them are Python functions that are not of the gallery
    same : functions that cannot be compared (they read a file, say, or an object that cannot be pickled) are
        those of the run

    Raises
    ------
    StepError : If a step fails, as in `ps.simulate`.

    >>> s = ps.scenario("fast-top")
    >>> run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.01, until=1.0, archive="top.poinsot")
    >>> ps.resume("top.poinsot", until=2.0)
    Run(srkn4, step=0.01, 200 steps, 201 samples, t = 0 .. 2)
    """
    found = journal(path)
    if until is not None:
        until = checks.number("resume", "until", until)
    m, c, e = _problem(path, found.head, system if mechanism is None else mechanism, controller, events)
    options = RunOptions(until=until, controller=c, record=record, progress=progress, events=e, method=method)
    return resume_run(path, found, m, options, checks.flag("resume", "same", same))


def replay(
    path: PathLike,
    *,
    mechanism: Mechanism | None = None,
    system: System | Formulation | None = None,
    controller: Controller | Feedback | Sequence[Controller] | None = None,
    method: Method | None = None,
    events: Sequence[Event] | None = None,
) -> Replay:
    """Compute the run in an archive again, and compare every sample bit for bit.

    `path`: archive of a run; `mechanism`: that of the run, if its forces are Python functions; `system`: that
    of the run, if it is one of Python functions; `controller`: that of the run, if it had one that is not of
    the gallery; `method`: that of the run, if it is one of your own; `events`: those of the run, if some of
    them are Python functions that are not of the gallery.

    >>> s = ps.scenario("fast-top")
    >>> run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.01, until=1.0, archive="again.poinsot")
    >>> ps.replay("again.poinsot").identical
    True
    """
    found = journal(path)
    m, c, e = _problem(path, found.head, system if mechanism is None else mechanism, controller, events)
    return replay_run(path, found, m, RunOptions(controller=c, events=e, method=method))


def _problem(
    path: PathLike,
    head: Mapping[str, Any],
    mechanism: Mechanism | System | Formulation | None,
    controller: Controller | Feedback | Sequence[Controller] | None,
    events: Sequence[Event] | None,
) -> tuple[Mechanism | System, Controller | Feedback | None, Sequence[Event] | None]:
    """Return mechanism, controller and events: those given, else those of the data or the scenario."""
    if head.get("system"):
        return _system(path, head["system"], mechanism), merge(controller), events
    if mechanism is not None and not isinstance(mechanism, Mechanism):
        raise ArchiveError(f"resume: mechanism must be a Mechanism, got {checks.show(mechanism)}")
    controller = merge(controller)
    if controller is not None and not isinstance(controller, Controller | Feedback):
        raise ArchiveError(
            f"resume: controller must be a ps.Controller or a ps.Feedback, got {checks.show(controller)}"
        )
    made: Scenario | None = None
    hand = _hand(head) if controller is None else None
    if mechanism is None:
        mechanism = _from_data(head)
    known = [one for one in head.get("events") or () if "mode" not in one]  # a run adds those of modes itself
    if events is None and known:
        events = _events(path, known)
    lacks_events = events is None and known
    lacks_controller = controller is None and head.get("controller") and (hand is None or hand.beside)
    if mechanism is None or lacks_controller or lacks_events:
        made = from_scenario(path, head)
    if mechanism is None and made is not None:
        mechanism = made.mechanism
    if mechanism is None:
        labels = ", ".join(one for one in head["model"]["forces"] if isinstance(one, str))
        raise ArchiveError(
            f"{path}: the run had Python functions ({labels}): give them again with mechanism="
        )
    if controller is None and made is not None and head.get("controller"):
        controller = made.controller
    if made is not None and lacks_events:
        events = made.events
    if hand is not None:
        try:
            controller = hand_of(hand.text, controller)
        except (ValueError, PoinsotError) as error:
            raise ArchiveError(f"{path}: what was done by hand cannot be read: {error}") from None
    return mechanism, controller, events


class _HandText(NamedTuple):
    """What was done by hand in a live run; `beside`: a controller acted, too."""

    text: str
    beside: bool


def _hand(head: Mapping[str, Any]) -> _HandText | None:
    source = head.get("scenario")
    text = source.get("hand") if isinstance(source, Mapping) else None
    if not isinstance(text, str):
        return None
    with suppress(ValueError, TypeError, IndexError, KeyError):
        return _HandText(text, bool(plain.read(text)[3]))
    return _HandText(text, False)  # `hand_of` says what is wrong with it


def _system(path: PathLike, facts: Mapping[str, Any], given: Any) -> System:
    """Return the system of an archive: the one that was given, or that which is data."""
    usual = facts["answers"].get("places") == PLACE  # a picture of one point needs no function
    if given is None and facts.get("program") and usual:
        return system_of(Program.read(facts["program"]))
    if given is None and facts.get("program"):
        raise ArchiveError(f"{path}: the run is drawn by a Python function: give its system with system=")
    if given is None:
        raise ArchiveError(f"{path}: the run is that of a system of Python functions: give it with system=")
    found = given.system() if isinstance(given, Formulation) else given
    if not isinstance(found, System):
        raise ArchiveError(f"resume: system must be that of the run, got {checks.show(given)}")
    return found


def _events(path: PathLike, known: Sequence[Mapping[str, Any]]) -> list[Event] | None:
    """Return the events of the header if all of them are data; None if one has Python functions."""
    if not all("data" in one for one in known):
        return None
    try:
        return [event_of(one["data"]) for one in known]
    except PoinsotError as error:
        raise ArchiveError(f"{path}: the events of the run cannot be built: {error}") from None


def _from_data(head: Mapping[str, Any]) -> Mechanism | None:
    """Return the mechanism of the header if it is complete, without the forces of its controller."""
    held = set(map(str, head.get("held") or ()))
    forces = [one for one in head["model"].get("forces", ()) if not (isinstance(one, str) and one in held)]
    found = from_data({**head["model"], "forces": forces})
    found.origin = head.get("scenario")
    return None if found.missing else found


def from_scenario(path: PathLike, head: Mapping[str, Any]) -> Scenario | None:
    """Return the scenario that the header names; None if it names none."""
    source = head.get("scenario")
    if not isinstance(source, Mapping) or not isinstance(source.get("name"), str) or not source["name"]:
        return None
    try:
        parameters = plain.read(source["parameters"])
        if isinstance(source.get("text"), str):
            return scenario_from_text(source["name"], source["text"], parameters)
        return scenario(source["name"], **parameters)
    except (PoinsotError, ValueError, TypeError, KeyError) as error:
        first = str(error).split("\n")[0]
        raise ArchiveError(
            f"{path}: the scenario '{source['name']}' of the run cannot be built: {first}"
        ) from None


class RunForPage(NamedTuple):
    """A run for a page, and what to write above its report."""

    run: Run
    notes: str


def run_for_page(path: PathLike) -> RunForPage:
    """Return the run in an archive; that of a controlled scenario has "reference" and "error" as recorded."""
    run = load_run(path)
    control = run.trajectory.mechanism.control
    if not control.forces or run.trajectory.count > MOST_SAMPLES:
        return RunForPage(run, "")
    try:
        made = from_scenario(path, {"scenario": run.mechanism.origin})
    except ArchiveError:  # the scenario is no longer what it was: the run can be shown all the same
        return RunForPage(run, "")
    if made is None or made.controller is None or control.identity != made.controller.identity:
        return RunForPage(run, "")
    notes = made.story(run) if made.story is not None else ""
    if run.recorded:
        return RunForPage(run, notes)
    from poinsot.control import recording  # a page of a run without controller does without

    with suppress(ModelError):  # not a controller that tracks
        return RunForPage(with_records(run, recording(made.controller)), notes)
    return RunForPage(run, notes)
