"""`ps.resume` and `ps.replay`: archives with the mechanism and the controller that their header names."""

from collections.abc import Mapping, Sequence
from typing import Any

from poinsot.errors import ArchiveError, PoinsotError
from poinsot.formats.data import from_data
from poinsot.formats.events import event_of
from poinsot.formats.paths import PathLike
from poinsot.gallery.files import scenario_from_text
from poinsot.gallery.scenario import Scenario, scenario
from poinsot.model import checks, plain
from poinsot.model.controller import Controller
from poinsot.model.event import Event
from poinsot.model.feedback import Feedback
from poinsot.model.mechanism import Mechanism
from poinsot.run.archive.journal import journal
from poinsot.run.run import Run
from poinsot.simulation.continued.replay import Replay, replayed
from poinsot.simulation.continued.resume import resumed
from poinsot.simulation.options import Record


def resume(
    path: PathLike,
    until: float | None = None,
    mechanism: Mechanism | None = None,
    controller: Controller | Feedback | None = None,
    record: Record | None = None,
    progress: bool = False,
    events: Sequence[Event] | None = None,
) -> Run:
    """Go on with the run in an archive, after a crash or a stop or beyond its end, to the same bits.

    The samples are appended to the file.  A run of a scenario, or one made of data alone, needs only the
    path.  Python functions are given again; they must be those of the run.

    Parameters
    ----------
    path : str or path-like
        Archive that `ps.simulate(archive=...)` or `poinsot run --out` wrote.
    until : float, optional
        End time in s.  Default: that of the run.
    mechanism : Mechanism, optional
        The mechanism of the run, if its forces are Python functions.
    controller : Controller or Feedback, optional
        The controller of the run, if it had one that is not of the gallery.
    record : mapping of str to callable, optional
        The functions that the run records, if it does.
    progress : bool, default False
        Show a progress bar on stderr.
    events : sequence of Event, optional
        The events of the run, if some of them are Python functions that are not of the gallery.

    Returns
    -------
    Run
        The whole run, from its first sample on.

    Raises
    ------
    ArchiveError
        If the file cannot be read or written, another process writes to it, it was computed by other kernels,
        or a function is missing or not that of the run.
    StepError
        If a step fails, as in `ps.simulate`.

    Examples
    --------
    >>> import poinsot as ps
    >>> s = ps.scenario("fast-top")
    >>> run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.01, until=1.0, archive="top.poinsot")
    >>> ps.resume("top.poinsot", until=2.0)
    Run(srkn4, step=0.01, 200 steps, 201 samples, t = 0 .. 2)
    """
    found = journal(path)
    if until is not None:
        until = checks.number("resume", "until", until)
    m, c, e = _problem(path, found.head, mechanism, controller, events)
    return resumed(path, found, m, c, record, until, progress, e)


def replay(
    path: PathLike,
    mechanism: Mechanism | None = None,
    controller: Controller | Feedback | None = None,
    events: Sequence[Event] | None = None,
) -> Replay:
    """Compute the run in an archive again, and compare every sample bit for bit.

    Parameters
    ----------
    path : str or path-like
        Archive of a run.
    mechanism : Mechanism, optional
        The mechanism of the run, if its forces are Python functions.
    controller : Controller or Feedback, optional
        The controller of the run, if it had one that is not of the gallery.
    events : sequence of Event, optional
        The events of the run, if some of them are Python functions that are not of the gallery.

    Returns
    -------
    Replay
        `identical`, `first_difference` and what else differs; `print` shows it.

    Raises
    ------
    ArchiveError
        If the file cannot be read, or a function is missing or not that of the run.

    Examples
    --------
    >>> import poinsot as ps
    >>> s = ps.scenario("fast-top")
    >>> run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.01, until=1.0, archive="again.poinsot")
    >>> ps.replay("again.poinsot").identical
    True
    """
    found = journal(path)
    m, c, e = _problem(path, found.head, mechanism, controller, events)
    return replayed(path, found, m, c, e)


def _problem(
    path: PathLike,
    head: Mapping[str, Any],
    mechanism: Mechanism | None,
    controller: Controller | Feedback | None,
    events: Sequence[Event] | None,
) -> tuple[Mechanism, Controller | Feedback | None, Sequence[Event] | None]:
    """Return mechanism, controller and events: those given, else those of the data or the scenario."""
    if mechanism is not None and not isinstance(mechanism, Mechanism):
        raise ArchiveError(f"resume: mechanism must be a Mechanism, got {checks.show(mechanism)}")
    if controller is not None and not isinstance(controller, Controller | Feedback):
        raise ArchiveError(
            f"resume: controller must be a ps.Controller or a ps.Feedback, got {checks.show(controller)}"
        )
    made: Scenario | None = None
    if mechanism is None:
        mechanism = _from_data(head)
    if events is None and head.get("events"):
        events = _events(path, head["events"])
    lacks_events = events is None and head.get("events")
    if mechanism is None or (controller is None and head.get("controller")) or lacks_events:
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
    return mechanism, controller, events


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
    if not isinstance(source, Mapping) or not isinstance(source.get("name"), str):
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
