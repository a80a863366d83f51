"""The compiled time loop for members that differ in numbers only: one at a time, or four in lanes.

Four bodies may differ in mass and inertia, four trees without forces in masses, placements and gravity.

A lane has the bits of the scalar computation (`core.numbers.v4d`), whatever the other lanes hold.  Where a
step of any of four members fails, all four are run again on their own: a failed neighbor changes nothing.
What this loop cannot do (controllers, events, modes, loops, drives, impulses, functions in Python) is for
`simulate`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import float64
from numpy.typing import NDArray

from poinsot.compile.method_choice import system_for
from poinsot.compile.one_body import OneBody
from poinsot.compile.system import CompiledMechanism
from poinsot.compile.tree import Tree, put_members
from poinsot.core.body.time_loop import COUNT, DONE, EVERY, FRESH, OK, STATUS, STEPS, Counters
from poinsot.core.methods.method import Method
from poinsot.core.numbers.v4d import LANES, v4d
from poinsot.core.numbers.zero import DOUBLES
from poinsot.ensemble.cautions import Held, look
from poinsot.ensemble.members import Numbers
from poinsot.ensemble.problem import Case, Reduction
from poinsot.ensemble.reductions import BY_SAMPLES, Results
from poinsot.model.checks import UNIT, Array
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
        system, tree = self.system, self.method.lanes and self.method.tree
        one: object = None
        if isinstance(system, OneBody):
            one = None if system.forces else OneBody
        elif isinstance(system, Tree) and tree and tree.passes is None and not tree.masses:
            one = system.family
        return one or id(system), self.method.label, self.start.time, self.step, self.steps


class Block(NamedTuple):
    """Members that can share calls: the first of them, and the starts of all."""

    first: Plain
    systems: Sequence[CompiledMechanism]  # of each member; one: of all
    q: Array
    v: Array

    def system(self, k: int) -> CompiledMechanism:
        """Return the system of a member."""
        return self.systems[k if len(self.systems) > 1 else 0]

    def to_core(self) -> Array:
        """Return the starts (members, width) in the numbers of the core."""
        if len(self.systems) > 1:
            return np.stack([one.to_core(*x) for one, *x in zip(self.systems, self.q, self.v, strict=True)])
        if isinstance(self.systems[0], OneBody):
            return self.systems[0].to_core(self.q, self.v)
        return np.hstack([self.q, self.v])

    def from_core(self, x: Array, members: Sequence[int]) -> tuple[Array, Array]:
        """Return q and v of states (members, samples, width) of the core."""
        if len(self.systems) == 1:
            q, v = self.systems[0].from_core(x.reshape(-1, x.shape[-1]))
            return q.reshape(*x.shape[:2], q.shape[-1]), v.reshape(*x.shape[:2], v.shape[-1])
        parts = [self.systems[k].from_core(one) for k, one in zip(members, x, strict=True)]
        return np.stack([q for q, _ in parts]), np.stack([v for _, v in parts])


def plain_case(case: Case, reductions: Mapping[str, Reduction]) -> Plain | None:
    """Return what the compiled loop needs of a member; None if `simulate` has to run it."""
    m, o = case.mechanism, case.options
    forces = m.forces
    if o.controller is not None or o.events or m.loops or not set(reductions.values()) <= set(BY_SAMPLES):
        return None
    if any(
        isinstance(one, Impulse | Drive) or one.switches or getattr(one, "exact", False) for one in forces
    ):
        return None
    if any(not getattr(one, "compiled", True) for one in forces) or (case.method == "auto" and forces):
        return None  # `auto` looks at the stiffness of forces at the start
    system, method, _ = system_for(m, case.method)
    if method.step is not None or (isinstance(system, Tree) and system.constraints):
        return None
    step, steps = count_steps(case.start, o.step, o.until, None)
    return Plain(system, method, case.start, step, steps)


def fits(system: CompiledMechanism, q: Array, v: Array) -> NDArray[np.bool_]:
    """Return which starts are known to be good at a glance; `check_start` looks at the others."""
    m = system.mechanism
    found: NDArray[np.bool_] = np.asarray(np.isfinite(np.hstack([q, v])).all(axis=1))
    if m.forces or (isinstance(system, Tree) and not system.plain.solid):
        return np.zeros(len(q), dtype=bool)
    for link in m.links:
        if link.joint.quaternion is not None:
            at = m.slices(link.name)[0].start + link.joint.quaternion
            found &= np.abs(np.sqrt((q[:, at : at + 4] ** 2).sum(axis=1)) - 1.0) <= UNIT / 2
    return found


class CompiledLoop:
    """A compiled time loop with its arrays, for one thread; `number` is float64 or v4d."""

    def __init__(self, first: Plain, number: Any, varied: bool) -> None:
        """Take a member, the number type, and whether the trees of members vary."""
        self.lanes, system = DOUBLES[number], first.system
        if varied and isinstance(system, Tree):
            self.loop = system.members_loop(first.method)
        else:
            self.loop = system.time_loop(first.method, number)
        self.system, self.width, self.tree = system, system.width, isinstance(system, Tree)
        self.blank = np.repeat(self.loop.blank[:, None], self.lanes, axis=1)
        self.memory = np.zeros(self.blank.size)
        self.table = self.memory.reshape(-1, self.lanes)
        self.counters = np.zeros(len(Counters), dtype=np.int64)
        self.times = np.array([0.0, 0.0, -np.inf, np.inf])
        self.out = np.zeros(0)
        self.bodies: list[Any] = []  # whose numbers are in the model

    def run(
        self,
        first: Plain,
        x: Array,
        bodies: list[Any],
        every: int | None,
        use: Callable[[int, Array], None],
    ) -> Array | None:
        """Return the final states (lanes, width) of starts x; None if a step of one of them failed.

        `use` is called with the number of the first step and the rows (samples, width, lanes) of each call.
        """
        if bodies and bodies != self.bodies:
            if self.tree:
                put_members(self.loop.model, bodies)
            else:
                self.loop.model[:] = np.stack([one.numbers for one in bodies], axis=1).reshape(-1)
            self.bodies = bodies
        self.table[:] = self.blank
        self.table[: self.width] = x.T
        self.times[:2] = first.start.time, first.step
        done = 0
        while done < first.steps or done == 0:
            part = min(first.steps - done, ROWS * (every or 1))
            if not self._go(done, part, every):
                return None
            if len(self.out) or not every:
                use(done + (every or 1), self.out.reshape(-1, self.width + 1, self.lanes)[:, : self.width])
            done += max(part, 1)
        return self.table[: self.width].T.copy()

    def _go(self, done: int, steps: int, every: int | None) -> bool:
        """Make steps; return whether all of them were made."""
        count = (steps // every if every else 0) * (self.width + 1) * self.lanes
        if len(self.out) != count:
            self.out = np.empty(count)
        counters = self.counters
        counters[FRESH], counters[COUNT], counters[STEPS], counters[EVERY] = (
            done == 0,
            done,
            steps,
            every or 0,
        )
        counters[STATUS:] = 0
        self.loop(counters, self.times, self.memory, self.out)
        return bool(counters[STATUS] == OK and counters[DONE] == steps)


class CompiledLoops:
    """The compiled loops of one thread, by what their members have in common."""

    def __init__(self, every: int | None, names: tuple[str, ...], lanes: bool, stop: Any = None) -> None:
        self.every, self.names, self.lanes, self.stop = every, names, lanes, stop
        self.loops: dict[tuple[object, ...], CompiledLoop] = {}
        self.in_lanes = 0  # members that have run in lanes
        self.shared: Plain | None = None  # a member of those that differ in their starts only

    def run(self, block: Block) -> tuple[dict[str, Array], list[int], list[tuple[int, Held]]]:
        """Run members: results of those that are good, places of the others in the block, and warnings."""
        first, count = block.first, len(block.q)
        varied = isinstance(first.system, Tree) and len(block.systems) > 1
        wide = self.lanes and first.method.lanes and (count > 1 or self._key(first, v4d, False) in self.loops)
        x, size = block.to_core(), LANES if wide else 1
        four = self._loop(first, v4d, varied) if wide else None
        last = np.empty_like(x)
        rows: list[list[Array]] = [[] for _ in range(count)]  # of each member, that are kept
        found: list[Results] = [{} for _ in range(count)]
        bad: list[int] = []
        self._reduce(block, range(count), block.q[:, None], block.v[:, None], 0, found)
        for begin in range(0, count, size):
            part = list(range(begin, min(begin + size, count)))
            if four is not None and self._call(four, block, part, x, last, rows, found):
                self.in_lanes += len(part)
                continue
            for k in part:
                alone = self._loop(first._replace(system=block.system(k)), float64)
                bad += [] if self._call(alone, block, [k], x, last, rows, found) else [k]
        good = np.array([k for k in range(count) if k not in set(bad)], dtype=np.int64)
        columns = self._columns(block, good, last, rows, found)
        return columns, bad, self._look(block, good, columns) if len(good) else []

    def _look(self, block: Block, good: Numbers, columns: dict[str, Array]) -> list[tuple[int, Held]]:
        """Return the warnings of members, with their places in the block."""
        first, systems = block.first, [block.system(k) for k in (good if len(block.systems) > 1 else [0])]
        times = first.start.time, float(columns["final_time"][0])
        q, v = (np.stack([getattr(block, x)[good], columns[f"final_{x}"]]) for x in "qv")
        return [(int(good[k]), one) for k, one in look(systems, first.method, first.step, times, q, v)]

    def _key(self, first: Plain, number: Any, varied: bool) -> tuple[object, ...]:
        own = isinstance(first.system, Tree) and not varied  # a loop knows its tree
        return first.key, DOUBLES[number], id(first.system) if own else None

    def _loop(self, first: Plain, number: Any, varied: bool = False) -> CompiledLoop:
        """Return the compiled loop of members with the same key."""
        key = self._key(first, number, varied)
        if key not in self.loops:
            if len(self.loops) >= LANES:
                self.loops.clear()
            self.loops[key] = CompiledLoop(first, number, varied)
        return self.loops[key]

    def _call(
        self, loop: CompiledLoop, block: Block, part: list[int], x: Array, last: Array,
        rows: list[list[Array]], found: list[Results],
    ) -> bool:  # fmt: skip
        """Run as many members as there are lanes; return whether all steps were made."""
        first, full = block.first, part + part[-1:] * (loop.lanes - len(part))  # unused lanes repeat the last
        bodies: list[Any] = []
        if len(block.systems) > 1:
            bodies = [block.systems[k] for k in full] if loop.lanes > 1 or not loop.tree else []
        elif not loop.tree:
            bodies = [*block.systems] * loop.lanes
        each, fresh = 1 if self.names else self.every, [dict(found[k]) for k in part if self.names]
        kept: list[Array] = []

        def use(step: int, samples: Array) -> None:
            self._check()
            states = np.moveaxis(samples, -1, 0)[: len(part)].copy()
            if self.names:
                q, v = block.from_core(states, part)
                self._reduce(block, part, q, v, step, fresh)
            if self.every is not None:
                steps = step + np.arange(len(samples)) * (each or 1)
                kept.append(states[:, steps % self.every == 0])

        final = loop.run(first, x[full], bodies, each, use if each else lambda step, samples: self._check())
        if final is None:
            return False
        last[part] = final[: len(part)]
        for i, k in enumerate(part if each else ()):
            found[k] = fresh[i] if fresh else {}
            rows[k] = [one[i] for one in kept]
        return True

    def _check(self) -> None:
        """End the work where it is to stop."""
        if self.stop is not None and self.stop.is_set():
            raise KeyboardInterrupt

    def _reduce(
        self, block: Block, part: Sequence[int], q: Array, v: Array, step: int, found: list[Results]
    ) -> None:
        """Let reductions include the samples of more steps, from number `step` on."""
        if not self.names:
            return
        first = block.first
        time: Array = first.start.time + np.arange(step, step + q.shape[1], dtype=float) * first.step
        for i, k in enumerate(part):
            for name in self.names:
                BY_SAMPLES[name](block.system(k).mechanism, time, q[i], v[i], found[i])

    def _columns(
        self, block: Block, good: Numbers, last: Array, rows: list[list[Array]], found: list[Results]
    ) -> dict[str, Array]:
        """Return the results of members, by name."""
        first, members = block.first, good.tolist()
        if not members:
            return {}
        q, v = block.from_core(last[good][:, None], members)
        if not first.steps:
            q, v = block.q[good][:, None], block.v[good][:, None]
        end = first.start.time + first.steps * first.step
        columns = {"final_time": np.full(len(good), end), "final_q": q[:, 0], "final_v": v[:, 0]}
        columns |= {name: np.stack([found[k][name] for k in members]) for name in found[members[0]]}
        if self.every is not None:
            steps = [0, *range(self.every, first.steps + 1, self.every)]
            inner = np.stack([np.concatenate([last[:0], *rows[k]]) for k in members])
            Q, V = block.from_core(inner, members)
            parts = [(block.q[good][:, None], block.v[good][:, None]), (Q, V)]
            if steps[-1] != first.steps:
                steps, parts = [*steps, first.steps], [*parts, (q, v)]
            times = first.start.time + np.array(steps, dtype=float) * first.step
            columns["time"] = np.tile(times, (len(good), 1))
            columns["q"], columns["v"] = (np.concatenate([one[i] for one in parts], axis=1) for i in (0, 1))
        return columns
