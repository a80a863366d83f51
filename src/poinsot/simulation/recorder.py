"""Collects the samples of a run, writes them to its archive, and returns them as a Run."""

import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from poinsot.compile.cache import tree_for, with_open
from poinsot.compile.tree import Tree
from poinsot.diagnostics.system_trajectory import SystemTrajectory, system_trajectory
from poinsot.diagnostics.trajectory import Forces, GrowingSamples, Samples, Trajectory, trajectory_of
from poinsot.errors import RecordError
from poinsot.mechanics.drive_forces import drive_forces
from poinsot.model.checks import Array
from poinsot.model.forces.drive import Drive
from poinsot.model.loop_history import NONE_OPEN, Open
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.run import provenance
from poinsot.run.archive import records
from poinsot.run.archive.stored import LARGE, StoredSamples, StoredTrajectory
from poinsot.run.archive.writer import Writer
from poinsot.run.events import Firing, Switch, event_records, firing_data
from poinsot.run.run import Run
from poinsot.simulation.control.sample_inputs import WaitingRows, held_inputs, law_inputs
from poinsot.simulation.engine import Engine
from poinsot.simulation.options import Plan, Record, events_data, record_fault, recorded_numbers
from poinsot.simulation.step_motion import LoopSwitches

if TYPE_CHECKING:
    from poinsot.simulation.control.control_loop import ControlLoop
    from poinsot.simulation.driver import Position
    from poinsot.simulation.event_loop import EventLoop

NO_INPUTS = np.zeros(0)


class Earlier(NamedTuple):
    """What an archive holds of a run that is resumed."""

    samples: GrowingSamples | None  # None: they stay in the file
    start: Samples  # the first of them
    first: int  # steps of the engine before the run
    cost: Mapping[str, float]  # evaluations, iterations, seconds
    size: int  # of the file up to the samples
    firings: Sequence[Firing] = ()
    open: Sequence[str] = ()  # loops at the start


class Recorder:
    """Holds the samples so far, the start first; closes its archive at the end of a `with` block."""

    def __init__(
        self,
        plan: Plan,
        engine: Engine[Any],
        here: "Position",
        start: State,
        reason: str = "",
        control: "ControlLoop | None" = None,
        switches: LoopSwitches | None = None,
    ) -> None:
        self.plan, self.engine, self.here, self.start, self.reason = plan, engine, here, start, reason
        self.control, self.switches = control, switches
        self.events: EventLoop | None = None  # from the first step on
        self.versions, self.command = dict(provenance.versions()), provenance.command.get()
        m = plan.mechanism
        outer = not m.control.inside or any(not force.inside(m) for force in m.forces)
        resets = any(event.reset is not None or event.latch for event in plan.events)
        self.forces = Forces(outer, bool(engine.system.impulses) or resets)
        self.law = m.control.law
        self.driven = m.control.names + tuple(
            one.joint for one in engine.system.drives for _ in range(_count(m, one))
        )
        self.equations = plan.equations
        if self.equations is not None and plan.controller is not None:
            self.driven = tuple(one.key for one in engine.system.inputs for _ in range(one.size))
        self.trees: dict[Open, Tree] = {}  # for the forces of drives
        self.conservative = any(force.conservative for force in engine.system.forces)
        self.begun, self.first = clock.perf_counter(), engine.clock.count
        self.samples: GrowingSamples | None = None  # from the first sample after the start on
        self.stored = False  # True: the samples are in the archive only
        self.last = start.time  # time of the last sample
        self.writer: Writer | None = None
        self.waiting: list[WaitingRows] = []
        self.firings: list[Firing] = []  # events so far
        self.written = 0  # of them in the archive
        self.earlier: Earlier | None = None
        self.blank: SystemTrajectory | None = None  # of a system: some of its samples
        self.open = tuple(sorted(self.open_loops))  # at the start

    def resume(self, earlier: Earlier) -> None:
        """Go on in the archive of a run, after its samples."""
        assert self.plan.archive is not None
        self.earlier, self.open = earlier, tuple(earlier.open)
        self.first, self.samples, self.stored = earlier.first, earlier.samples, earlier.samples is None
        self.first_sample, self.firings = earlier.start, list(earlier.firings)
        self.written = len(self.firings)
        self.writer = Writer(self.plan.archive, resumed=True)

    @property
    def has_begun(self) -> bool:
        """True if the start is recorded."""
        return "first_sample" in vars(self)

    @property
    def open_loops(self) -> Open:
        """Loops that are open now."""
        return NONE_OPEN if self.switches is None else self.switches.open

    def header(self, part: Samples) -> dict[str, Any]:
        """Return the header of the archive."""
        engine, plan = self.engine, self.plan
        first = self._trajectory(part)
        more: dict[str, Any] = {"steps": engine.clock.count - self.first + plan.steps, "first": self.first}
        more["record"] = {name: records.fingerprint_of(function) for name, function in plan.record.items()}
        if plan.events:
            more["events"], more["open"] = events_data(plan), list(self.open)
        if plan.controller is not None:
            identity = plan.mechanism.control.identity or plan.controller.identity
            more["controller"] = {"name": plan.controller.name, "identity": identity}
        whole = engine.system if self.switches is None else self.switches.system(NONE_OPEN)
        more["fingerprint"] = whole.fingerprint
        step, every, versions = engine.clock.step, plan.every, self.versions
        facts = engine.method, step, every, versions, self.reason, self.command, plan.until
        return records.header(records.Facts(first, *facts), more)

    def cost(self) -> dict[str, float]:
        """Return what the run has cost so far."""
        engine, before = self.engine, self.earlier.cost if self.earlier is not None else {}
        return {
            "evaluations": engine.status.evaluations + int(before.get("evaluations", 0)),
            "iterations": engine.status.iterations + int(before.get("iterations", 0)),
            "seconds": clock.perf_counter() - self.begun + float(before.get("seconds", 0.0)),
        }

    def begin(self) -> None:
        """Record the start; the controller has been called there."""
        engine, start = self.engine, self.start
        if self.earlier is not None:
            assert self.writer is not None
            self.writer.cut(self.earlier.size)
            self.writer.data("H", self.header(self.earlier.start))
            return
        here = np.array([start.time]), start.q[None], start.v[None]
        u = NO_INPUTS if self.control is None else self.control.ahead()
        inputs = law_inputs(self.law, *here) if self.law is not None else np.array([u])
        part = self._part(
            *here,
            engine.memory[engine.time_loop.work : engine.time_loop.work + 1].copy(),
            inputs,
            [self.open_loops],
        )
        self.first_sample = part
        if self.plan.archive is not None:
            self.writer = Writer(self.plan.archive)
            self.writer.data("H", self.header(part))
            memory = None if engine.status.fresh else start.memory
            self._write(part, State(start.time, start.q, start.v, memory))

    def __enter__(self) -> "Recorder":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.writer is not None:
            self.writer.close()

    def _tree(self, open: Open) -> Tree:
        """Return the tree for the forces of drives: its own, where a controller writes what it holds."""
        if open not in self.trees:
            self.trees[open] = tree_for(with_open(self.plan.mechanism, open))
        return self.trees[open]

    def _part(
        self, time: Array, q: Array, v: Array, work: Array, inputs: Array, opens: Sequence[Open]
    ) -> Samples:
        """Return samples with the forces of drives and the potential; `opens` has the open loops of each."""
        if self.engine.system.drives:
            held = inputs[:, :0] if self.law is not None else inputs
            forces, begin = [np.zeros((0, len(self.driven) - inputs.shape[1]))], 0
            for open, same in groupby(opens):
                part = slice(begin, begin + len(list(same)))
                forces.append(drive_forces(self._tree(open), time[part], q[part], v[part], held[part]))
                begin = part.stop
            inputs = np.hstack([inputs, np.concatenate(forces)])
        potential = self.engine.system.potential(q, v) if self.conservative else np.zeros(len(q))
        return Samples(time, q, v, work, potential, inputs)

    def _growing(self) -> GrowingSamples:
        """Return all samples so far."""
        if self.samples is None:
            self.samples = GrowingSamples(self.first_sample, 2 + self.plan.steps // self.plan.every)
        return self.samples

    def keep(self, part: Samples) -> None:
        """Add samples to those so far; those of a large run stay in its archive."""
        self.last = float(part.time[-1])
        if self.stored:
            return
        self._growing().add(part)
        large = self._growing().nbytes > LARGE and self.equations is None
        self.stored = self.writer is not None and large
        if self.stored:
            self.samples = None

    def record(self) -> None:
        """Record the events and the rows of the last steps; raise `Stopped` if a step failed."""
        if self.events is not None:
            self.firings += self.events.take()
        if self.engine.clock.ended is not None:
            self._end(self.engine.sample(), self.engine.clock.ended)
            return
        self.add(self.here.rows, self.here.last)
        if self.engine.status.stopped is not None:
            raise self.engine.status.stopped

    def add(self, rows: Array, last: int) -> None:
        """Record rows of the engine, the last of them after step number `last`, at the next `flush`."""
        if len(rows):
            every, control = self.plan.every, self.control
            inputs, following = NO_INPUTS, None
            if control is not None:
                following = control.next_inputs if last == self.engine.clock.count else None
                inputs = control.inputs
            steps = range(last - every * (len(rows) - 1), last + 1, every)
            self.waiting.append(WaitingRows(rows, steps, inputs, following, self.open_loops))

    def end_chunk(self) -> None:
        """Write the samples of a chunk to the archive, if it is over."""
        if self.here.chunk.over:
            self.flush()

    def _end(self, row: Array, time: float) -> None:
        """Record the state at which an event ended the run, between two steps."""
        self.flush()
        q, v = self.engine.system.from_core(row[:, :-1])
        times = np.array([time])
        u = NO_INPUTS if self.control is None else self.control.inputs
        inputs = law_inputs(self.law, times, q, v) if self.law is not None else np.array([u])
        part = self._part(times, q, v, row[:, -1], inputs, [self.open_loops])
        self.keep(part)
        if self.writer is not None:
            self._write(part, self.engine.state())

    def flush(self) -> None:
        """Compute what belongs to the rows since the last call, and write them to the archive."""
        if not self.waiting:
            return
        engine, waiting = self.engine, self.waiting
        self.waiting = []
        counts = np.concatenate([np.array(one.steps) for one in waiting])
        rows = np.concatenate([one.rows for one in waiting]) if len(waiting) > 1 else waiting[0].rows
        q, v = engine.system.from_core(rows[:, :-1])
        inputs = np.zeros((len(rows), 0))
        if self.control is not None:
            inputs = self.control.inputs_at(counts) if self.control.installed else held_inputs(waiting)
        time = np.asarray(engine.clock.origin + counts * engine.clock.step, dtype=np.float64)
        if self.law is not None:
            inputs = law_inputs(self.law, time, q, v)
        opens = [one.open for one in waiting for _ in one.rows]
        part = self._part(time, q, v, rows[:, -1], inputs, opens)
        self.keep(part)
        if self.writer is not None:
            self._write(part, engine.state())

    def _trajectory(self, samples: Samples) -> Trajectory:
        """Return samples with the mechanism or the system that they belong to."""
        if self.equations is None:
            return trajectory_of(samples, self.plan.mechanism, self.forces, self.driven)
        if self.blank is None:
            self.blank = system_trajectory(self.equations, self.start, samples, self.driven)
        return self.blank.with_samples(samples)

    def _whole(self) -> Trajectory:
        """Return the trajectory of all samples, in memory or in the archive."""
        mechanism = self.plan.mechanism
        if not self.stored:
            return self._trajectory(self._growing().finish())
        assert self.plan.archive is not None
        head = self.header(self.first_sample)
        return StoredTrajectory(StoredSamples(self.plan.archive), head, mechanism, self.forces)

    def _write(self, part: Samples, state: State) -> None:
        """Write samples and the state at the last of them in one block."""
        assert self.writer is not None
        here = records.checkpoint(state, self.cost())
        if len(self.firings) > self.written:
            here["events"] = firing_data(self.firings[self.written :])
            self.written = len(self.firings)
        self.writer.samples(self.file_rows(part), here)

    def file_rows(self, part: Samples) -> Array:
        """Return samples as rows of a file; those of a system have its answers."""
        if self.equations is None:
            return records.sample_rows(part, bool(self.driven))
        return records.sample_rows(self._trajectory(part).file_samples, True)

    def _ending_event(self) -> str:
        """Return the name of the event that ended the run; empty if none did."""
        ending = {event.name for event in self.plan.events if event.stop}
        if self.engine.clock.ended is None:
            return ""
        return next(one.name for one in reversed(self.firings) if one.name in ending)

    def _falls(self) -> list[str]:
        """Return where the method did not converge, and what continued the run; and what runs in Python."""
        label, last = self.engine.method.label, dict(self.engine.status.falls)  # the last one of each time
        falls = [f"{label}{when} continues with {title}" for when, title in last.items()]
        if own := getattr(self.engine.time_loop, "in_python", ""):
            falls.append(f"the step of {label} runs in Python: {own}")
        if self.law is not None and self.law.in_python:
            falls.append(f"the {self.law.label} runs in Python: {self.law.in_python}")
        return falls

    def run(self, interrupted: bool = False) -> Run:
        """Return the run up to the current state of the engine."""
        self.flush()
        engine = self.engine
        final = engine.state()
        if interrupted and final.time > self.last:
            self.add(engine.sample(), engine.clock.count)
            self.flush()
        cost, stopped, whole = self.cost(), self._ending_event(), self._whole()
        switches = map(Switch.of, events_data(self.plan)) if self.plan.events else ()
        run = Run(
            trajectory=whole,
            method=engine.method,
            step=engine.clock.step,
            steps=engine.clock.count - self.first,
            every=self.plan.every,
            **cost,  # type: ignore[arg-type]
            final=final,
            versions=self.versions,
            reason="; ".join(filter(None, [self.reason, *self._falls()])),
            interrupted=interrupted,
            command=self.command,
            until=self.plan.until,
            events=event_records(switches, self.firings) if switches or self.firings else {},
            stopped=stopped,
            open_loops=self.open,
            system=self.equations,
        )
        if self.writer is not None and (self.last != final.time or len(self.firings) > self.written):
            self._write(whole.part(0, 0).samples, final)
        try:
            if self.plan.record:
                run = with_records(run, self.plan.record)
        finally:  # also where a function of the user raises
            if self.writer is not None:
                self.writer.data("E", records.ending(run))
        return run


def _count(mechanism: Mechanism, drive: Drive) -> int:
    """Return the number of velocities of a driven joint."""
    return mechanism.link(drive.joint).joint.nv


def with_records(run: Run, record: Record) -> Run:
    """Return the run with the user's functions of the state at each sample."""
    values = {}
    for name, function in record.items():
        try:
            states = (state for part in run.trajectory.parts() for state in part.states())
            values[name] = recorded_numbers(name, [function(state.time, state) for state in states])
        except Exception as error:
            raise RecordError(record_fault(name, error), run=run) from error
    return replace(run, recorded=values)
