"""The driver: what happens at a time point of a run, and in which order.

    breakpoint   impulses act, forces jump: the method restarts              Breakpoints.restart
    tick         inputs that the controller has decided begin to act          ControlLoop.act
    steps        compiled steps, up to the next breakpoint or tick            Steps.advance
      or event   steps without events, or one step: its events are located,   EventLoop.advance
                 reset, release, latch
    decision     the controller is called, if this is a tick                  ControlLoop.decide
    sample       the rows of the steps are recorded                           Recorder.record
    archive      at the end of a chunk, they are computed and written         Recorder.end_chunk
    progress     the bar moves; Ctrl-C and SIGTERM end the run                Progress

Each is a verb of a participant; one that is absent (no controller, no events, no breakpoint) has no line in
the table and costs nothing.  With t the time point,

    before    the state at t is sampled; the method has its memory of it, the controller its decision for it
    during    the inputs of t act, and forces are those after a jump at t, up to the next time point t'
    after     the state at t' is sampled, with the inputs that will act from t' on: that is why the controller
              decides before the sample, and its inputs act after it

A failed step, or a wrong answer of the controller, is raised as `Stopped` once the samples before it are
recorded.  Systems of `ps.analytical` are driven in the same way.
"""

import math
import time as clock
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

import numpy as np

from poinsot.compile.method_choice import system_for
from poinsot.mechanics.assembly import check_start, start_on_drives, start_on_loops
from poinsot.mechanics.breakpoints import breakpoints_of, jumps_ahead
from poinsot.model.checks import Array
from poinsot.model.controller import Controller
from poinsot.model.state import State
from poinsot.run.run import Run
from poinsot.simulation.control.control_loop import ControlLoop
from poinsot.simulation.engine import Engine, Stopped, resumes
from poinsot.simulation.event_loop import EventLoop
from poinsot.simulation.interrupts import Progress, end_process, interruptible
from poinsot.simulation.messages import Watch, step_error, warn_of_changes, warn_of_dampers
from poinsot.simulation.options import Plan
from poinsot.simulation.recorder import Earlier, Recorder
from poinsot.simulation.step_motion import LoopSwitches
from poinsot.simulation.stiffness import DAMPING, stiff_reason

R = TypeVar("R", bound=Recorder)
CHUNK = 0.1  # seconds between two checks for Ctrl-C
FIRST = 200  # steps in the first chunk of a run of one body
GROWTH = 8.0  # largest factor from one chunk to the next
MOST = 1 << 14  # samples in a chunk: what they are computed from is held for a chunk only


class Chunk:
    """The number of steps that take about `CHUNK` seconds, measured during the run."""

    def __init__(self, bodies: int) -> None:
        self.steps, self.begun, self.made = max(1, FIRST // max(1, bodies)), clock.perf_counter(), 0
        self.over = False

    def count(self, steps: int, short: bool) -> None:
        """Count steps and adapt the length at the end of a chunk; short stretches together make one."""
        self.made += steps
        self.over = not short or self.made >= self.steps
        if self.over:
            now = clock.perf_counter()
            factor = CHUNK / max(now - self.begun, 1e-6) * self.made / self.steps
            self.steps = max(1, int(self.steps * min(GROWTH, factor)))
            self.begun, self.made = now, 0


class Position:
    """Steps so far, and the stretch of steps that is being made."""

    def __init__(self, total: int, every: int, bodies: int, slow: bool = False) -> None:
        self.total, self.every = total, every  # steps of the run, steps between two samples
        self.slow = slow  # True: what cannot be repeated does not run ahead of the next sample
        self.waits = False  # True: a stretch ends at the next sample
        self.chunk = Chunk(bodies)
        self.done = 0  # steps before the stretch
        self.border = total  # step of the next breakpoint, or the last
        self.at_breakpoint = False
        self.made = 0  # steps of the stretch
        self.rows: Array = np.empty((0, 0))  # samples in it
        self.last = 0  # count of the engine at the last of them

    @property
    def at_end(self) -> bool:
        """True if the stretch ends the run."""
        return self.done + self.made >= self.total

    @property
    def end(self) -> int:
        """Step at which a stretch ends at the latest."""
        if not self.waits:
            return self.border
        return min(self.border, self.done + self.every - self.done % self.every)


class Breakpoints:
    """Impulses and jumps of forces, which lie on steps."""

    def __init__(self, plan: Plan, engine: Engine[Any], here: Position) -> None:
        self.engine, self.here = engine, here
        h, total = engine.clock.step, here.total
        start = engine.clock.origin + engine.clock.count * h
        self.points = breakpoints_of(plan.mechanism, start, h, total)
        self.jumps = jumps_ahead(plan.mechanism, self.points, start, h, total)
        self.borders = sorted({*self.points, total})
        if self.points or self.jumps:
            here.border = 0  # the first is still to be found

    def restart(self) -> None:
        """Restart the method at a breakpoint, and look for the next."""
        here = self.here
        here.at_breakpoint = here.done in self.points
        if here.done < here.border:
            return
        if here.at_breakpoint:
            self.engine.restart(self.points[here.done])
        here.border = next(step for step in self.borders if step > here.done)
        if self.jumps:
            ahead = (before for step, before in self.jumps if step >= here.border)
            self.engine.status.last = next(ahead, math.inf)


class Steps:
    """Compiled steps, many of them with their samples in one call."""

    def __init__(self, engine: Engine[Any], here: Position, control: ControlLoop | None) -> None:
        self.engine, self.here = engine, here
        self.control = control if control is not None and not control.installed else None

    def advance(self) -> None:
        """Make steps up to the next breakpoint or tick, at most a chunk."""
        here, engine, every = self.here, self.engine, self.here.every
        due, left, most = every - here.done % every, here.end - here.done, here.chunk.steps
        if self.control is not None:
            left = min(left, self.control.period - engine.clock.count % self.control.period)
        if due == every <= min(left, most):  # many samples in one call
            here.rows = engine.go(min(left, most, MOST * every) // every * every, every)
            here.made = engine.clock.count - engine.clock.begin
            here.last = engine.clock.begin + every * len(here.rows)
        else:
            here.rows = engine.go(min(due, left, most), 0)
            here.made, here.last = engine.clock.count - engine.clock.begin, engine.clock.count
            if engine.status.stopped is None and (here.made == due or here.at_end):
                here.rows = engine.sample()
        here.chunk.count(here.made, short=self.control is not None)


def passes(
    plan: Plan, engine: Engine[Any], recorder: Recorder, control: ControlLoop | None, progress: Progress
) -> Iterator[int]:
    """Make the steps of a plan, one pass through the table at a time; yield the number of steps of each."""
    here, breakpoints = recorder.here, Breakpoints(plan, engine, recorder.here)
    if control is not None:
        if not plan.events and plan.equations is None and engine.method.step is None:
            control.install(progress)  # ticks are in the time loop
        if here.total:
            control.decide()
    if plan.events:
        recorder.events = EventLoop(plan, engine, recorder)
    recorder.begin()
    if engine.status.stopped is not None:
        raise engine.status.stopped
    ahead = control is None and not plan.events and not breakpoints.points and not breakpoints.jumps
    here.waits = here.slow and not ahead
    yield 0

    def decide() -> None:
        if control is not None and not here.at_end:  # a tick at the end belongs to the run that goes on
            control.decide()

    table: list[Callable[[], object]] = [
        *([breakpoints.restart] if breakpoints.points or breakpoints.jumps else []),
        *([control.act] if control is not None else []),
        Steps(engine, here, control).advance if recorder.events is None else recorder.events.advance,
        *([decide] if control is not None else []),
        recorder.record,
        recorder.end_chunk,
    ]
    while here.done < here.total and engine.clock.ended is None:
        for act in table:
            act()
        if engine.clock.ended is None:
            here.done += here.made
        yield here.made


def drive(
    plan: Plan, engine: Engine[Any], recorder: Recorder, control: ControlLoop | None, progress: Progress
) -> None:
    """Make all steps of a plan; `progress` is called after each stretch of steps and may interrupt."""
    for made in passes(plan, engine, recorder, control, progress):
        if made and engine.clock.ended is None:
            progress(made)


class Job(NamedTuple):
    """A plan with the engine that makes its steps."""

    plan: Plan
    engine: Engine[Any]
    start: State  # on the drives and loops of the mechanism
    reason: str = ""  # why it has this method and step, if they were not given
    switches: LoopSwitches | None = None
    watch: Watch | None = None  # warns of what is wrong with a run

    def participants(self, recorder: type[R], slow: bool = False) -> tuple[R, ControlLoop | None]:
        """Return a recorder, and the control loop if there is a controller.

        `slow`: controllers, events and breakpoints do not run ahead of the next sample.
        """
        plan, engine = self.plan, self.engine
        here = Position(plan.steps, plan.every, len(plan.mechanism.links), slow)
        controller = plan.controller
        control = ControlLoop(controller, engine, here) if isinstance(controller, Controller) else None
        return recorder(plan, engine, here, self.start, self.reason, control, self.switches), control


def make_job(plan: Plan, method: str, why: str = "") -> Job:
    """Return the job of a mechanism and a method; `why` says why it has this step, if it was not given."""
    whole, how, reason = system_for(plan.mechanism, method)  # once; forces are data from here on
    start = plan.start
    check_start(whole, start)
    if method == "auto" and plan.mechanism.forces and not resumes(whole, how, plan.step, start):
        why_stiff = stiff_reason(plan.mechanism, whole, how, start, plan.step, plan.steps)
        if why_stiff:
            (whole, how, _), reason = system_for(plan.mechanism, DAMPING), why_stiff
    switches = LoopSwitches(plan, whole, how, start) if plan.events and plan.switches_loops else None
    system = whole if switches is None else switches.system(switches.open)
    fresh = start.memory is None or not resumes(system, how, plan.step, start)
    if fresh and system.drives:
        start = start_on_drives(system, start)
    if system.mechanism.loops and fresh:
        start = start_on_loops(system, start)
    watch = Watch(whole, how, plan.step, start, switches is not None)
    return Job(plan, Engine(system, how, plan.step, start), start, why or reason, switches, watch)


def complete(job: Job, earlier: Earlier | None = None) -> Run:
    """Make all steps of a job and return the run, with the warnings of its watch."""
    plan, engine = job.plan, job.engine
    identity = plan.mechanism.control.identity
    if not identity and plan.controller is not None:
        identity = plan.controller.identity  # a system of `ps.analytical`
    recorder, control = job.participants(Recorder)
    with recorder:
        if earlier is not None:
            recorder.resume(earlier)
        try:
            with interruptible(plan.progress, plan.steps) as progress:
                drive(plan, engine, recorder, control, progress)
        except KeyboardInterrupt as stop:
            alone = plan.equations is not None and not progress.arrived
            if progress.inside or alone or not recorder.has_begun:
                raise  # to the run outside; by the equations themselves; before there is anything to return
            run = recorder.run(interrupted=True)
            end_process(stop)
            return run
        except Stopped as stop:
            raise step_error(stop, engine, recorder.run(interrupted=True)) from None
        run = recorder.run()
        if plan.controller is not None and (control is None or control.law is None):
            warn_of_changes(plan.controller, identity)
        if job.watch is not None:
            job.watch.check(run)
            warn_of_dampers(plan.mechanism, engine, job.start)
        return run


def require_end(run: Run) -> Run:
    """Return the run if it reached its end; raise KeyboardInterrupt if Ctrl-C ended it."""
    if run.interrupted:
        raise KeyboardInterrupt
    return run
