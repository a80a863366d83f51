"""Collects the samples of a run, writes them to its archive, and makes a Run of them."""

import os
import platform
import time as clock
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from poinsot.core.jit import digest
from poinsot.diagnostics.trajectory import Forces, Trajectory
from poinsot.errors import ScenarioError
from poinsot.model.checks import Array
from poinsot.model.controller import Held
from poinsot.model.snapshot import Sampled
from poinsot.model.state import State
from poinsot.run import provenance
from poinsot.run.archive.blocks import Writer
from poinsot.run.run import Run, checkpoint, ending, header, sample_rows
from poinsot.simulation.engine import Engine
from poinsot.version import __version__


def versions() -> dict[str, str]:
    """What the bits of a run depend on."""
    return {
        "poinsot": __version__, "source": digest(), "numba": numba.__version__, "numpy": np.__version__,
        "python": platform.python_version(), "machine": platform.machine(),
    }  # fmt: skip


class Recorder:
    """The samples so far: the start first."""

    def __init__(
        self, engine: Engine, every: int, reason: str, start: State, archive: str | os.PathLike[str] | None
    ) -> None:
        self.engine, self.every, self.reason = engine, every, reason
        m = engine.system.mechanism
        outer = any(not force.inside(m) for force in m.forces)
        self.forces = Forces(outer, bool(engine.system.impulses))
        self.driven = tuple(
            force.joint for force in m.forces if isinstance(force, Held) for _ in force.components
        )
        self.begun, self.begin = clock.perf_counter(), engine.count
        here = np.array([start.time]), start.q[None], start.v[None], np.array([engine.work])
        self.parts = [self._part(*here, self._inputs(np.array([engine.count])))]
        self.writer = Writer(archive) if archive is not None else None
        if self.writer is not None:
            said = provenance.command.get()
            self.writer.data(
                "H", header(self.parts[0], engine.method, engine.h, every, versions(), reason, said)
            )
            self.writer.samples(sample_rows(self.parts[0]))

    def _inputs(self, counts: NDArray[np.int64]) -> Array:
        """What a controller holds from each of these steps on."""
        engine = self.engine
        rows = np.tile(engine.held, (len(counts), 1))
        if engine.wanted is not None and counts[-1] == engine.count:
            rows[-1] = engine.wanted
        return rows

    def _part(self, time: Array, q: Array, v: Array, work: Array, inputs: Array) -> Trajectory:
        system = self.engine.system
        potential = np.zeros(len(time))
        kept = [force for force in system.forces if force.conservative]
        if kept:
            x = Sampled(system.mechanism, q, v)
            for force in kept:
                potential += force.energy(x)
        return Trajectory(
            system.mechanism, time, q.copy(), v.copy(), work, potential, self.forces, inputs, self.driven
        )

    def add(self, rows: Array, counts: NDArray[np.int64]) -> None:
        """Rows of the engine, at these numbers of steps."""
        engine = self.engine
        if not len(rows):
            return
        time = np.asarray(engine.origin + counts * engine.h, dtype=np.float64)
        q, v = engine.system.from_core(rows[:, :-1])
        self.parts.append(self._part(time, q, v, rows[:, -1].copy(), self._inputs(counts)))
        if self.writer is not None:
            self.writer.samples(sample_rows(self.parts[-1]))
            self.writer.data("C", checkpoint(engine.state()))

    def finish(self, record: Mapping[str, Callable[[State], Any]] | None, interrupted: bool = False) -> Run:
        """The run up to where the engine stands."""
        engine = self.engine
        final = engine.state()
        if interrupted and final.time > self.parts[-1].time[-1]:
            self.add(engine.sample(), np.array([engine.count]))
        time, q, v, work, potential, inputs = (
            np.concatenate([getattr(part, name) for part in self.parts])
            for name in ("time", "q", "v", "work", "applied_potential", "inputs")
        )
        whole = Trajectory(
            engine.system.mechanism, time, q, v, work, potential, self.forces, inputs, self.driven
        )
        run = Run(
            trajectory=whole, method=engine.method, step=engine.h, steps=engine.count - self.begin,
            every=self.every, evaluations=engine.evaluations, iterations=engine.iterations,
            seconds=clock.perf_counter() - self.begun, final=final, versions=versions(), reason=self.reason,
            interrupted=interrupted, command=provenance.command.get(),
        )  # fmt: skip
        if self.writer is not None:
            self.writer.data("C", checkpoint(final))
            self.writer.data("E", ending(run))
        return replace(run, recorded=_recorded(whole, record)) if record else run

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()


def _recorded(run: Trajectory, record: Mapping[str, Callable[[State], Any]]) -> dict[str, Array]:
    """The user's functions of the state at each sample."""
    states = [State(float(t), q, v) for t, q, v in zip(run.time, run.q, run.v, strict=True)]
    result = {}
    for name, function in record.items():
        try:
            result[name] = np.array([function(state) for state in states])
        except Exception as error:
            raise ScenarioError(f"record '{name}': {type(error).__name__}: {error}") from error
    return result
