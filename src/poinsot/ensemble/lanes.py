"""The compiled time loop for members that differ in numbers only: one at a time, or four in lanes.

A lane has the bits of the scalar computation (`core.numbers.v4d`), whatever the other lanes hold.  Where a
step of any of four members fails, all four are run again on their own: a failed neighbor changes nothing.
What this loop cannot do (controllers, events, loops, drives, impulses, functions in Python) `simulate` does.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import float64

from poinsot.compile.method_choice import system_for
from poinsot.compile.one_body import OneBody
from poinsot.compile.system import CompiledMechanism
from poinsot.core.body.time_loop import COUNT, DONE, EVERY, FRESH, OK, STATUS, STEPS, Counters
from poinsot.core.methods.method import Method
from poinsot.core.numbers.v4d import LANES, v4d
from poinsot.core.numbers.zero import DOUBLES
from poinsot.ensemble.problem import Case, Reduction
from poinsot.ensemble.reductions import BY_SAMPLES, Results
from poinsot.mechanics.assembly import check_start
from poinsot.model.checks import Array
from poinsot.model.forces.drive import Drive
from poinsot.model.forces.impulse import Impulse
from poinsot.model.state import State
from poinsot.simulation.options import count_steps

ROWS = 1 << 12  # samples in a call: what they are computed from is held for a call only


class Plain(NamedTuple):
    """A member that the compiled loop can run, and what it has in common with those in its lanes."""

    system: CompiledMechanism
    method: Method
    start: State
    step: float
    steps: int

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for members that can share a call."""
        alike = isinstance(self.system, OneBody) and not self.system.forces
        one: object = OneBody if alike else id(self.system)
        return one, self.method.label, self.start.time, self.step, self.steps


def plain_case(case: Case, reductions: Mapping[str, Reduction]) -> Plain | None:
    """Return what the compiled loop needs of a member; None if `simulate` has to run it."""
    m, o = case.mechanism, case.options
    forces = m.forces
    if o.controller is not None or o.events or m.loops or not set(reductions.values()) <= set(BY_SAMPLES):
        return None
    if any(isinstance(one, Impulse | Drive) or one.switches for one in forces):
        return None
    if any(not getattr(one, "compiled", True) for one in forces) or (case.method == "auto" and forces):
        return None  # `auto` looks at the stiffness of forces at the start
    system, method, _ = system_for(m, case.method)
    if method.step is not None:
        return None
    step, steps = count_steps(case.start, o.step, o.until, None)
    return Plain(system, method, case.start, step, steps)


class CompiledLoop:
    """A compiled time loop with its arrays, for one thread; `number` is float64 or v4d."""

    def __init__(self, first: Plain, number: Any) -> None:
        self.lanes, self.loop = DOUBLES[number], first.system.time_loop(first.method, number)
        self.width = first.system.width
        self.blank = np.repeat(self.loop.blank[:, None], self.lanes, axis=1)
        self.memory = np.zeros(self.blank.size)
        self.counters = np.zeros(len(Counters), dtype=np.int64)
        self.times = np.array([0.0, 0.0, -np.inf, np.inf])
        self.out = np.zeros(0)

    def run(
        self, members: Sequence[Plain], every: int | None, names: tuple[str, ...], stop: Any
    ) -> list[Results] | None:
        """Return the results of as many members as there are lanes; None if a step of one of them failed."""
        first, lanes = members[0], self.lanes
        if isinstance(first.system, OneBody):
            self.loop.model[:] = np.stack([one.system.numbers for one in members], axis=1).reshape(-1)  # type: ignore[attr-defined]
        table = self.memory.reshape(-1, lanes)
        table[:] = self.blank
        for k, one in enumerate(members):
            table[: self.width, k] = one.system.to_core(one.start.q, one.start.v)
        each = 1 if names else every
        kept: list[Array] = []  # rows (samples, width, lanes)
        found: list[Results] = [{} for _ in members]
        self._extend(members, table[None, : self.width], 0, names, found)
        self.times[:2] = first.start.time, first.step
        done = 0
        while done < first.steps:
            if stop is not None and stop.is_set():
                raise KeyboardInterrupt
            part = min(first.steps - done, ROWS * (each or 1))
            rows = self._go(done, part, each)
            if rows is None:
                return None
            self._extend(members, rows, done + 1, names, found)
            if every is not None and len(rows):
                at = np.arange(done // (each or 1) + 1, done // (each or 1) + 1 + len(rows)) * (each or 1)
                kept.append(rows[at % every == 0])
            done += part
        if not first.steps:
            self._go(0, 0, None)
        last = table[None, : self.width].copy()
        for k, one in enumerate(members):
            self._finish(one, last[:, :, k], [x[:, :, k] for x in kept], every, found[k])
        return found

    def _go(self, done: int, steps: int, every: int | None) -> Array | None:
        """Make steps; return the rows of their samples, None if a step failed."""
        count, columns = steps // every if every else 0, self.width + 1
        if len(self.out) != count * columns * self.lanes:
            self.out = np.empty(count * columns * self.lanes)
        counters = self.counters
        counters[FRESH], counters[COUNT], counters[STEPS], counters[EVERY] = (
            done == 0,
            done,
            steps,
            every or 0,
        )
        counters[STATUS:] = 0
        self.loop(counters, self.times, self.memory, self.out)
        if counters[STATUS] != OK or counters[DONE] != steps:
            return None
        return self.out.reshape(count, columns, self.lanes)[:, : self.width]

    def _extend(
        self, members: Sequence[Plain], rows: Array, first: int, names: tuple[str, ...], found: list[Results]
    ) -> None:
        """Let reductions include the samples of more steps, from number `first` on."""
        for k, one in enumerate(members if names else ()):
            time: Array = one.start.time + np.arange(first, first + len(rows), dtype=float) * one.step
            q, v = one.system.from_core(rows[:, :, k]) if first else (one.start.q[None], one.start.v[None])
            for name in names:
                BY_SAMPLES[name](one.system.mechanism, time, q, v, found[k])

    def _finish(self, one: Plain, last: Array, rows: list[Array], every: int | None, found: Results) -> None:
        """Add the final state and the samples of a member."""
        q, v = one.system.from_core(last)
        q, v = (q, v) if one.steps else (one.start.q[None], one.start.v[None])
        end = one.start.time + one.steps * one.step
        found |= {"final_time": np.array(end), "final_q": q[0], "final_v": v[0]}
        if every is None:
            return
        Q, V = one.system.from_core(np.concatenate([last[:0], *rows]))
        steps = [0, *range(every, one.steps + 1, every)]
        parts = [(one.start.q[None], one.start.v[None]), (Q, V)]
        if steps[-1] != one.steps:
            steps, parts = [*steps, one.steps], [*parts, (q, v)]
        found["time"] = one.start.time + np.array(steps) * one.step
        found["q"], found["v"] = (np.concatenate([part[i] for part in parts]) for i in (0, 1))


class CompiledLoops:
    """The compiled loops of one thread, by what their members have in common."""

    def __init__(self, every: int | None, names: tuple[str, ...], lanes: bool, stop: Any = None) -> None:
        self.every, self.names, self.lanes, self.stop = every, names, lanes, stop
        self.loops: dict[tuple[object, ...], tuple[CompiledLoop, CompiledMechanism]] = {}
        self.in_lanes = 0  # members that have run in lanes

    def run(self, members: Mapping[int, Plain]) -> tuple[dict[int, Results], list[int]]:
        """Run members by number; return their results, and those of which a step failed."""
        groups: dict[tuple[object, ...], list[int]] = {}
        for k, one in members.items():
            groups.setdefault(one.key, []).append(k)
        found: dict[int, Results] = {}
        failed: list[int] = []
        for numbers in groups.values():
            first = members[numbers[0]]
            wide = self.lanes and first.method.lanes and (len(numbers) > 1 or (first.key, v4d) in self.loops)
            size = LANES if wide else 1
            for begin in range(0, len(numbers), size):
                part = numbers[begin : begin + size]
                alone = [[k] for k in part]
                results = self._call([members[k] for k in part], v4d) if wide else None
                if results is not None:
                    found.update(zip(part, results, strict=False))
                    self.in_lanes += len(part)
                    continue
                for (k,) in alone:
                    single = self._call([members[k]], float64)
                    if single is None:
                        failed.append(k)
                    else:
                        found[k] = single[0]
        return found, failed

    def _call(self, members: list[Plain], number: Any) -> list[Results] | None:
        first = members[0]
        key = (first.key, number)
        if key not in self.loops:
            if len(self.loops) >= LANES:
                self.loops.clear()
            self.loops[key] = CompiledLoop(first, number), first.system
        loop, _ = self.loops[key]
        full = members + members[-1:] * (loop.lanes - len(members))  # unused lanes repeat the last member
        return loop.run(full, self.every, self.names, self.stop)


def check_plain(one: Plain) -> None:
    """Raise a ModelError unless a run can begin at the start of a member."""
    check_start(one.system, one.start)
