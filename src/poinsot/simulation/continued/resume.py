"""Going on with the run of an archive: after a crash or a stop, or further than it was planned."""

from collections.abc import Sequence

from poinsot.errors import ArchiveError
from poinsot.formats.paths import PathLike
from poinsot.model.controller import Controller
from poinsot.model.event import Event
from poinsot.model.feedback import Feedback
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.run.archive.journal import Journal
from poinsot.run.archive.reader import load
from poinsot.run.run import Run
from poinsot.simulation.continued.fitting import fitting
from poinsot.simulation.events.loop_switches import LoopSwitches
from poinsot.simulation.options import Record, counted
from poinsot.simulation.recorded import recorded
from poinsot.simulation.recorder import Earlier, Recorder
from poinsot.simulation.running import finished
from poinsot.simulation.warnings import Watch


def steps_of(found: Journal, until: float | None) -> int:
    """Return how many steps the whole run has, from its start until its end or until another time."""
    head = found.last
    start = State(float(head["start"]), [], [])  # type: ignore[arg-type]
    end = until if until is not None else head.get("until")
    if end is None:
        return int(head.get("steps") or found.point.done)
    return counted(start, head["step"], end, None)[1]


def resumed(
    path: PathLike,
    found: Journal,
    mechanism: Mechanism,
    controller: Controller | Feedback | None,
    record: Record | None,
    until: float | None,
    progress: bool = False,
    events: Sequence[Event] | None = None,
) -> Run:
    """Go on with a run in its archive; return it from its first sample on."""
    if found.stopped and found.end is not None:
        if until is not None and until > found.point.state.time:
            raise ArchiveError(
                f"{path}: the event '{found.stopped}' ended the run; start a new run from its end instead"
            )
        return load(path)
    point, total = found.point, steps_of(found, until)
    if until is not None and total < max(point.done, found.end or 0):
        raise ArchiveError(
            f"{path}: the archive goes until t = {point.state.time:g} already, beyond until = {until:g}"
        )
    if isinstance(controller, Controller) and total > point.done:
        point = found.before  # at the planned end the controller was not called
        if point.end:
            raise ArchiveError(
                f"{path}: the archive holds no state before its end, where its controller acts on"
            )
    if found.samples is not None:
        found.samples.count = point.samples
    end = until if until is not None else found.last.get("until")
    problem = fitting(
        path,
        found,
        mechanism,
        controller,
        record,
        point.state,
        max(0, total - point.done),
        end,
        events=events,
    )
    if found.end is not None and total <= found.end:
        run = load(path)
        return recorded(run, record) if record else run
    plan, system, method = problem
    plan = plan.changed(progress=progress)
    switches = LoopSwitches(plan, system, method)
    engine = switches.engine(point.state)
    if engine.fresh and point.state.memory is not None:
        raise ArchiveError(f"{path}: the memory of the method '{method.label}' in the archive does not fit")
    watch = Watch(system, method, plan.step, point.state)
    first = engine.count - point.done
    happened = found.firings[: point.firings]
    open = tuple(map(str, found.head.get("open") or ()))
    earlier = Earlier(found.samples, found.start, first, point.cost, point.size, happened, open)
    recorder = Recorder(engine, plan, str(found.head["reason"]), point.state, earlier)
    return finished(recorder, engine, plan, watch, switches)
