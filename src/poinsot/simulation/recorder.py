"""Collects the samples of a run, writes them to its archive, and returns them as a Run."""

import time as clock
from dataclasses import replace
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from poinsot.compile.functions.tracked import DECIDED, decider
from poinsot.compile.system import CompiledMechanism
from poinsot.diagnostics.growing import GrowingSamples, trajectory_of
from poinsot.diagnostics.trajectory import Forces, Samples
from poinsot.errors import RecordError
from poinsot.model.checks import Array
from poinsot.model.controller import CONTROLLED
from poinsot.model.inputs.feedback import FeedbackForce
from poinsot.model.state import State
from poinsot.run import provenance
from poinsot.run.archive import records
from poinsot.run.archive.writer import Writer
from poinsot.run.run import Run
from poinsot.simulation.engine import Engine
from poinsot.simulation.options import Plan, Record


class Recorder:
    """Holds the samples so far, the start first; closes its archive at the end of a `with` block."""

    def __init__(self, engine: Engine[CompiledMechanism], plan: Plan, reason: str, start: State) -> None:
        self.engine, self.plan, self.reason, self.start = engine, plan, reason, start
        self.versions, self.command = dict(provenance.versions()), provenance.command.get()
        m = engine.system.mechanism
        outer = any(not force.inside(m) for force in m.forces)
        self.forces = Forces(outer, bool(engine.system.impulses))
        controlled = [force for force in m.forces if isinstance(force, CONTROLLED)]
        self.driven = tuple(name for force in controlled for name in force.names)
        self.laws = [force for force in controlled if isinstance(force, FeedbackForce)]
        self.begun, self.first = clock.perf_counter(), engine.count
        self.conservative = any(force.conservative for force in engine.system.forces)
        self.samples: GrowingSamples | None = None  # from the first sample after the start on
        self.writer: Writer | None = None

    def begin(self) -> None:
        """Record the start; the controller has been called there."""
        engine, start = self.engine, self.start
        here = (
            np.array([start.time]),
            start.q[None],
            start.v[None],
            engine.memory[engine.time_loop.work : engine.time_loop.work + 1].copy(),
        )
        part = self._part(*here, self._inputs(np.array([engine.count]), *here[:3]))
        self.first_sample = part
        if self.plan.archive is not None:
            self.writer = Writer(self.plan.archive)
            first = trajectory_of(part, engine.system.mechanism, self.forces, self.driven)
            facts = self.versions, self.reason, self.command, self.plan.until
            self.writer.data("H", records.header(first, engine.method, engine.h, self.plan.every, *facts))
            memory = None if engine.fresh else start.memory
            self._write(part, State(start.time, start.q, start.v, memory))

    def __enter__(self) -> "Recorder":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.writer is not None:
            self.writer.close()

    def _inputs(self, counts: NDArray[np.int64], time: Array, q: Array, v: Array) -> Array:
        """Return the inputs from each of these steps on: held by a controller, or of a continuous law."""
        engine = self.engine
        if self.laws:
            return np.array([self._law_inputs(*row) for row in zip(time.tolist(), q, v, strict=True)])
        rows = np.tile(engine.inputs, (len(counts), 1))
        if engine.next_inputs is not None and counts[-1] == engine.count:
            rows[-1] = engine.next_inputs
        return rows

    def _law_inputs(self, t: float, q: Array, v: Array) -> Array:
        """Return the input of the continuous law at a state."""
        law = self.laws[0]
        if law.numbers is not None:
            u = np.empty(sum(law.counts))
            if decider()(law.numbers, t, q.copy(), v.copy(), u) == DECIDED:
                return u
        return law.recorded_inputs(State(t, q, v))

    def _part(self, time: Array, q: Array, v: Array, work: Array, inputs: Array) -> Samples:
        potential = self.engine.system.potential(q, v) if self.conservative else np.zeros(len(q))
        return Samples(time, q, v, work, potential, inputs)

    def _grown(self) -> GrowingSamples:
        """Return all samples so far."""
        if self.samples is None:
            self.samples = GrowingSamples(self.first_sample, 2 + self.plan.steps // self.plan.every)
        return self.samples

    def add(self, rows: Array, counts: NDArray[np.int64]) -> None:
        """Record rows of the engine; `counts` are the numbers of their steps."""
        engine = self.engine
        if not len(rows):
            return
        time = np.asarray(engine.origin + counts * engine.h, dtype=np.float64)
        q, v = engine.system.from_core(rows[:, :-1])
        part = self._part(time, q, v, rows[:, -1], self._inputs(counts, time, q, v))
        self._grown().add(part)
        if self.writer is not None:
            self._write(part, engine.state())

    def _write(self, part: Samples, state: State) -> None:
        """Write samples and the state at the last of them in one block."""
        assert self.writer is not None
        self.writer.samples(records.sample_rows(part, bool(self.driven)), records.checkpoint(state))

    def run(self, interrupted: bool = False) -> Run:
        """Return the run up to the current state of the engine."""
        engine, samples = self.engine, self._grown()
        final = engine.state()
        if interrupted and final.time > samples.last():
            self.add(engine.sample(), np.array([engine.count]))
        whole = trajectory_of(samples.finished(), engine.system.mechanism, self.forces, self.driven)
        run = Run(
            trajectory=whole,
            method=engine.method,
            step=engine.h,
            steps=engine.count - self.first,
            every=self.plan.every,
            evaluations=engine.evaluations,
            iterations=engine.iterations,
            seconds=clock.perf_counter() - self.begun,
            final=final,
            versions=self.versions,
            reason=self.reason,
            interrupted=interrupted,
            command=self.command,
            until=self.plan.until,
        )
        if self.writer is not None:
            if whole.time[-1] != final.time:
                self._write(whole.samples.part(0, 0), final)
            self.writer.data("E", records.ending(run))
        return recorded(run, self.plan.record) if self.plan.record else run


def recorded(run: Run, record: Record) -> Run:
    """Return the run with the user's functions of the state at each sample."""
    states, values = run.trajectory.states(), {}
    for name, function in record.items():
        try:
            values[name] = np.array([function(state) for state in states])
        except Exception as error:
            raise RecordError(f"record '{name}': {type(error).__name__}: {error}", run) from error
    return replace(run, recorded=values)
