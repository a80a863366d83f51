"""Events during a run: found in every step, to rounding, on the dense output (`compile.own_step`).

With g the function of an event, the motion is on one *side* of it: g > 0 or g < 0.  In a step from 0 to h,

    an event is the first s at which g(s) is no longer on the side of the motion                     (1)

It is bracketed by the beginning, the middle and the end of the step; if all three are on one side but the
parabola through them comes close to zero, by the extremum of g (a graze).  The bracket is closed to rounding
(`roots`).

An event that opens or closes loops resets the state, and the motion goes on with another system
(`loop_switches`).  After a reset, and where g is zero at the start, the side is that to which the motion
leaves,

    sign of 2 d g' = 4 g(d) - 3 g(0) - g(2d),     d = h / 4096,                                       (2)

or of g'' where g' vanishes: the value of g itself is rounding there.  A step with a reset ends with a step of
the rest of its length, so that samples keep their times, and the method starts anew from there.  Both steps
keep what the method carries of its sums (Kahan): in a motion that repeats itself, the rounding that would be
lost with it is the same each time, and adds up.  Everything depends only on the memory at the beginning of
the step, and on the sides, which it keeps: runs split, resume and replay to the same bits.
"""

import json
from typing import NamedTuple

import numpy as np

from poinsot.compile.system import CompiledMechanism
from poinsot.errors import PoinsotError
from poinsot.mechanics.start import check_start, closed_start, driven_start, latched
from poinsot.model.checks import show
from poinsot.model.loop_history import Open
from poinsot.model.state import State
from poinsot.run.events import Firing
from poinsot.simulation.engine import Engine, Stopped
from poinsot.simulation.events.loop_switches import LoopSwitches
from poinsot.simulation.events.roots import extremum, root
from poinsot.simulation.events.step_motion import Fault, StepMotion
from poinsot.simulation.options import Plan

LEAVING = 2.0**-12  # d of (2), in steps
FLAT = 1e-7  # g' of (2) vanishes if it is smaller than g'', in terms of d
AT_START = 2.0**-40  # an event so few steps after the start lies at the start
MOST = 1000  # events in one step
CLOSEST = 2.0**-20  # steps between two resets by one event


class Fired(NamedTuple):
    """An event in a step: which one, and where."""

    s: float
    number: int


class EventLoop(StepMotion):
    """Looks for events in the steps of one engine."""

    def __init__(self, plan: Plan, engine: Engine[CompiledMechanism], switches: LoopSwitches) -> None:
        super().__init__(plan, engine, switches)
        self.resets = plan.event_resets
        self.names = [str(event.name) for event in self.events]
        self.sides: list[int] = [0] * len(self.events)
        self.firings: list[Firing] = []  # since they were last taken
        kept = self._kept()
        if kept is None:
            self.known = False  # the sides at the start are found in the first step
        else:
            self.sides, self.known = kept, True
        engine.sides = self._written

    def _kept(self) -> list[int] | None:
        """Return the sides in the state from which the run continues; None if it has none of these events."""
        try:
            found = json.loads(self.engine.kept_sides)["sides"]
            return [int(found[name]) for name in self.names]
        except (ValueError, TypeError, KeyError):
            return None

    def _written(self) -> str:
        """Return the sides and the open loops as text, for the memory of a state."""
        if not self.known:
            return ""
        sides = dict(zip(self.names, self.sides, strict=True))
        return json.dumps({"sides": sides, "open": sorted(self.engine.open)})

    def taken(self) -> list[Firing]:
        """Return the events since the last call."""
        found, self.firings = self.firings, []
        return found

    # sides

    def _leaving(self, i: int, s: float) -> int:
        """Return the side to which the motion leaves, by (2)."""
        d = LEAVING * self.h
        g0, g1, g2 = (self._g(i, s + k * d) for k in (0, 1, 2))
        slope, bend = 4 * g1 - 3 * g0 - g2, g0 - 2 * g1 + g2
        return _sign(slope if abs(slope) > FLAT * abs(bend) else bend)

    def _side(self, i: int, s: float) -> int:
        """Return the side of a state."""
        return _sign(self._g(i, s)) or self._leaving(i, s)

    def _start_side(self, i: int) -> int:
        """Return the side at the start of a run: an event at the start itself has happened already."""
        g = self._g(i, 0.0)
        side, leaving = _sign(g), self._leaving(i, 0.0)
        d = LEAVING * self.h
        speed = abs(self._g(i, d) - g) / d
        near = max(AT_START * self.h, 4 * float(np.spacing(abs(self.t))))
        return leaving if side == 0 or (leaving and abs(g) <= near * speed) else side

    # a step

    def step(self) -> None:
        """Make a step of the engine; record its events, and let them reset or end it."""
        engine = self.engine
        struck = engine.before is not None
        memory, count, fresh = engine.memory.copy(), engine.count, engine.fresh
        t, before = engine.time(), engine.before
        engine.go(1, 0)
        if engine.stopped is not None:
            return
        taken = len(self.firings)
        try:
            self.end = engine.time()
            self._begin(memory, fresh, t, engine.h)
            if not self.known:
                self.sides = [self._start_side(i) for i in range(len(self.events))]
                self.known = True
            elif struck:  # an impulse: what it makes jump is no event
                self.sides = [self._side(i, 0.0) for i in range(len(self.events))]
            self.memories[self.h] = engine.memory.copy()
            self._look()
        except Fault as fault:
            del self.firings[taken:]
            engine.memory[:], engine.count, engine.fresh, engine.before = memory, count, fresh, before
            self._go_on(engine.open)
            engine.stopped = Stopped(event=str(fault))

    def _look(self) -> None:
        """Find all events of a step, in order; then set the sides at its end."""
        s, resets = 0.0, 0
        last: dict[int, float] = {}  # where an event reset the state in this step
        settled: set[int] = set()  # events so close to the end of the step that g is rounding up to there
        for _ in range(MOST):
            free = (i for i in range(len(self.events)) if i not in settled and not self._idle(i))
            found = [Fired(at, i) for i in free if (at := self._first(i, s)) is not None]
            if not found:
                break
            s = min(found).s
            now = [i for at, i in sorted(found) if at == s]
            stop, reset = self._fire(now, s)
            for i in now if reset else ():
                if i in last and s - last[i] <= CLOSEST * self.h:
                    raise Fault(self._without_end(i, s))
                last[i] = s
            resets += reset
            if stop:
                self._switch()
                self.engine.end(self._state(s).time, self._memory_at(s))
                return
            if self.h - s <= CLOSEST * self.h:
                settled |= set(now)
        else:
            raise Fault(self._without_end(now[0], s))
        if resets:
            memory = self._memory_at(self.h)
            self._switch()
            self.engine.replace(memory, self.fresh and self.base == self.h)
        for i in range(len(self.events)):
            if i not in settled:
                self.sides[i] = self._side(i, self.h)

    def _switched(self, i: int) -> Open:
        """Return the loops that are open after event i."""
        return self.open.union(self.events[i].release or ()).difference(self.events[i].latch or ())

    def _idle(self, i: int) -> bool:
        """Return whether an event does not happen: it opens and closes loops, and these are so already."""
        return bool(self.events[i].release or self.events[i].latch) and self._switched(i) == self.open

    def _switch(self) -> None:
        """Let the engine go on with the loops that are open now."""
        if self.open != self.engine.open:
            self.engine.switch(self.system, self.open)

    def _without_end(self, i: int, s: float) -> str:
        return (
            f"the event '{self.names[i]}' fires without end at t = {self.t + s:.9g}: the times between its "
            "resets go to zero; end the run before that, by an event with stop=True"
        )

    def _first(self, i: int, a: float) -> float | None:
        """Return the first place from a on at which event i fires by (1); None if it does not."""
        side, h = self.sides[i], self.h
        wanted = self.events[i].direction
        while a < h:
            at = self._crossing(i, a, side)
            if at is None:
                return None
            if wanted == 0 or wanted == -side:
                return at
            a, side = at, -side
        return None

    def _crossing(self, i: int, a: float, side: int) -> float | None:
        """Return the first place from a on at which g leaves its side; None if it stays to the end."""

        def g(s: float) -> float:
            return self._g(i, s)

        b = self.h
        m = a + (b - a) / 2
        ends = [(a, side * g(a)), (m, side * g(m)), (b, side * g(b))]
        if side == 0:
            return None
        if a < m < b and ends[1][1] <= 0:
            return root(g, side, a, m)
        if ends[2][1] <= 0:
            return root(g, side, m if a < m < b and ends[1][1] > 0 else a, b)
        lowest = extremum(g, side, ends) if a < m < b else None
        return None if lowest is None else root(g, side, a, lowest)

    def _fire(self, numbers: list[int], s: float) -> tuple[bool, bool]:
        """Record events at a place of the step; return whether one ends the run, and whether one resets."""
        stop = reset = False
        for i in numbers:
            event, before = self.events[i], self._state(s)
            after = None
            if event.reset is not None or event.release or event.latch:
                work = self._memory_at(s)[self.own.time_loop.work]
                after, reset = self._after(i, before), True
                row = np.append(self.system.to_core(after.q, after.v), work)
                self._begin(self.own.begun(row), True, self.t, self.h, s)
                self.states[s] = after
            self.firings.append(Firing(self.names[i], before, after))
            stop = stop or event.stop
        for i in range(len(self.events)):
            if i not in numbers:
                self.sides[i] = self._side(i, s)
            elif reset or self._g(i, s) == 0.0:
                self.sides[i] = self._leaving(i, s)
            else:
                self.sides[i] = -self.sides[i]
        return stop, reset

    def _after(self, i: int, before: State) -> State:
        """Return the state after event i, checked and projected onto the loops."""
        event, found = self.events[i], self._reset(i, before)
        open = self._switched(i)
        who = f"the reset of event '{self.names[i]}'" if event.reset else f"the event '{self.names[i]}'"
        if open != self.open:
            self._go_on(open)
        try:
            check_start(self.system, found)
            found = driven_start(self.system, found)
            if self.system.mechanism.loops:
                found = latched(self.system, found) if event.latch else closed_start(self.system, found)
        except PoinsotError as error:
            raise Fault(f"{who}: {error}") from None
        return State(before.time, found.q, found.v)

    def _reset(self, i: int, before: State) -> State:
        """Return what the reset of event i gives; the state itself if it has none."""
        who, reset = f"the reset of event '{self.names[i]}'", self.resets[i]
        if reset is None:
            return before
        try:
            found = reset(State(before.time, before.q, before.v))
        except Exception as error:
            raise Fault(
                f"{who} raised {type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
            ) from None
        if not isinstance(found, State):
            raise Fault(f"{who} must return a State, got {show(found)}")
        return State(before.time, found.q, found.v)


def _sign(x: float) -> int:
    return (x > 0) - (x < 0)
