"""Events during a run: found in every step, to rounding, on the dense output (`compile.own_step`).

With g the function of an event, the motion is on one *side* of it: g > 0 or g < 0.  In a step from 0 to h,

    an event is the first s after which g(s) is on the other side                                     (1)

It is bracketed by the beginning, the middle and the end of the step; if all three are on one side but the
parabola through them comes close to zero, by the extremum of g (a graze).  The bracket is closed to rounding
(`roots`).  Where g(s) = 0 exactly, (2) tells a crossing from a touch, which is no event.

All events are located on the motion before any reset.  Those that lie together with one that resets the state
or ends the run, to rounding, fire there, each once: resets act in the order of the list, each on what the one
before left, and the end of the run comes last.

An event that opens or closes loops resets the state, and the motion goes on with another system (see
`LoopSwitches`).  After a reset, and where g is zero at the start, the side is that to which the motion goes,

    sign of 2 d g' = 4 g(d) - 3 g(0) - g(2d),     d = h / 4096,                                       (2)

or of g'' where g' vanishes: the value of g itself is rounding there.  If g(d) - g(0) has another sign, the
motion turns before d, and d is halved; if it has that sign for all d, g has a zero of higher order.  A reset
that makes g jump leaves it on the side where it is then.

A step with a reset ends with a step of the rest of its length, so that samples keep their times, and the
method starts anew from there.  Both steps keep what the method carries of its sums (Kahan): in a motion that
repeats itself, the rounding that would be lost with it is the same each time, and adds up.  Everything
depends only on the memory at the beginning of the step, and on the sides, which it keeps: runs split, resume
and replay to the same bits.
"""

import json
import time as clock
from typing import Any, NamedTuple

import numpy as np

from poinsot.compile.system import CompiledMechanism
from poinsot.errors import PoinsotError
from poinsot.mechanics.assembly import check_start, latch_loops, start_on_drives, start_on_loops
from poinsot.mechanics.modes import JointModes, Margin
from poinsot.model.checks import show
from poinsot.model.loop_history import NONE_OPEN, Open
from poinsot.model.state import State, view
from poinsot.run.events import Firing
from poinsot.simulation.engine import Engine, Stopped
from poinsot.simulation.options import Plan
from poinsot.simulation.recorder import Recorder
from poinsot.simulation.roots import extremum, root
from poinsot.simulation.sieve import Sieve
from poinsot.simulation.step_motion import Fault, StepMotion

LEAVING = 2.0**-12  # d of (2), in steps
FLAT = 1e-7  # g' of (2) vanishes if it is smaller than g'', in terms of d
HALVINGS = 20  # of d
TOGETHER = 2.0**-40  # events so few steps apart, or after the start, lie together
MOST = 1000  # events in one step
MOST_CHANGES = 20_000  # the same with modes, whose impacts end by a rule of their own
CLOSEST = 2.0**-20  # steps between two resets by one event
TINY = 5e-324  # the smallest positive number
FEWEST, FEW, MANY = 4, 8, 2048  # steps that are worth the sieve, that are made at once at first, and at most
AGAIN = 0.004  # seconds of steps that are made again if the sieve finds something
LONGEST = 64  # steps that are made one by one if each of them may hold an event


class Crossing(NamedTuple):
    """An event in a step: which one, and where."""

    s: float
    number: int


class Pace:
    """How many steps are made at once: up to where the next event is expected, then more and more."""

    def __init__(self) -> None:
        self.most, self.expected, self.since, self.grown = FEW, 0, 0, FEW
        self.alone, self.failed = 0, 0

    def take(self, room: int) -> int:
        """Return the number of steps to make: 1 if the next may hold an event."""
        if self.alone:
            self.alone -= 1
            return 1
        return min(room, self.most)

    def count(self, made: int, clear: int, seconds: float) -> None:
        """Count steps of which the first ones were clear; all of them took so many seconds."""
        largest = max(FEW, min(MANY, int(made * AGAIN / max(seconds, 1e-9))))
        self.failed = 0 if clear else self.failed + 1
        self.since += clear
        if clear < made:  # the next is expected after as many steps
            self.expected, self.since, self.grown = self.since, 0, FEW
            self.alone = 1 if clear else min(2**self.failed - 2, LONGEST)
        elif self.since >= self.expected:
            self.grown = min(2 * self.grown, largest)
        ahead = self.expected - self.since
        self.most = max(FEW, min(ahead, largest)) if ahead > 0 else self.grown


class EventLoop(StepMotion):
    """Looks for events in the steps of one engine."""

    def __init__(self, plan: Plan, engine: Engine[Any], recorder: Recorder) -> None:
        super().__init__(plan, engine, recorder.control, recorder.switches)
        self.here = recorder.here
        self.resets = plan.event_resets
        self.names = [str(event.name) for event in self.events]
        self.sides: list[int] = [0] * len(self.events)
        self.firings: list[Firing] = []  # since they were last taken
        self.sieve, self.pace = Sieve(plan, engine), Pace()
        self.margins = {i: one for i, one in enumerate(self.functions) if isinstance(one, Margin)}
        self.modes = JointModes(engine.system) if self.margins else None
        for margin in self.margins.values():
            margin.modes = self.modes
        kept = self._known_sides()
        if kept is None:
            self.known = False  # the sides at the start are found in the first step
        else:
            self.sides, self.known = kept, True
        engine.notes.sides = self._text

    def _known_sides(self) -> list[int] | None:
        """Return the sides in the state from which the run continues; None if it has none of these events."""
        try:
            known = json.loads(self.engine.notes.sides())
            sides = [int(known["sides"][name]) for name in self.names]
            if self.modes is not None:
                self.modes.restore(known["modes"])
        except (ValueError, TypeError, KeyError):
            return None
        return sides

    def _text(self) -> str:
        """Return the sides and the open loops as text, for the memory of a state."""
        if not self.known:
            return ""
        sides = dict(zip(self.names, self.sides, strict=True))
        modes = {} if self.modes is None else {"modes": self.modes.data()}
        return json.dumps({"sides": sides, "open": sorted(self.open_in_engine), **modes})

    @property
    def open_in_engine(self) -> Open:
        """The loops that are open in the system of the engine."""
        return NONE_OPEN if self.switches is None else self.switches.open

    def take(self) -> list[Firing]:
        """Return the events since the last call."""
        found, self.firings = self.firings, []
        return found

    # sides

    def _leaving(self, i: int, s: float) -> int:
        """Return the side to which the motion leaves, by (2)."""
        d, first = LEAVING * self.h, 0
        for _ in range(HALVINGS):
            g0, g1, g2 = (self._g(i, s + k * d) for k in (0, 1, 2))
            slope, bend = 4 * g1 - 3 * g0 - g2, g0 - 2 * g1 + g2
            side, gone = _sign(slope if abs(slope) > FLAT * abs(bend) else bend), _sign(g1 - g0)
            if side == gone:
                return side
            first, d = first or gone, d / 2
        return first

    def _side(self, i: int, s: float) -> int:
        """Return the side of a state."""
        if i in self.margins:
            return 1
        return _sign(self._g(i, s)) or self._leaving(i, s)

    @property
    def _near(self) -> float:
        """The time between two events that lie together."""
        return max(TOGETHER * self.h, 4 * float(np.spacing(abs(self.t))))

    def _side_after(self, i: int, s: float) -> int:
        """Return the side at the start of a motion: an event at the start itself has happened already."""
        if i in self.margins:  # it is in the mode that it has
            return 1
        g, d = self._g(i, s), LEAVING * self.h
        side, leaving = _sign(g), self._leaving(i, s)
        speed = abs(self._g(i, s + d) - g) / d
        return leaving if side == 0 or (leaving and abs(g) <= self._near * speed) else side

    # a step

    def advance(self) -> None:
        """Make steps without events; or one step, whose events may reset the state or end the run."""
        here, engine = self.here, self.engine
        if self._pass_clear():
            here.chunk.count(here.made, short=True)
            return
        here.made, here.last = 1, engine.clock.count + 1
        self.step()
        wanted = (here.done + 1) % here.every == 0 or here.at_end
        here.rows = engine.sample() if engine.status.stopped is None and wanted else engine.space.none
        here.chunk.count(1, short=True)

    def _pass_clear(self) -> bool:
        """Make steps, with their samples, up to the first that may hold an event; False if it is the next."""
        here, engine, every = self.here, self.engine, self.here.every
        n = self.pace.take(self._steps_ahead())
        if n < FEWEST or not self.known or engine.status.before is not None:
            return False
        mark, begun, clear = engine.mark(), clock.perf_counter(), 0
        rows = np.concatenate([engine.sample(), engine.go(n, 1)])
        seconds = clock.perf_counter() - begun
        stopped = engine.status.stopped
        if stopped is None:
            counts = np.arange(mark.clock.count, mark.clock.count + n + 1, dtype=np.float64)
            try:
                clear = self.sieve.clear(mark.clock.origin, mark.clock.step, counts, rows, self.sides)
            except BaseException as error:  # Ctrl-C in the function of an event
                stopped = error
        if clear < n:
            engine.rewind(mark)
            if clear:
                engine.go(clear, 0)
        self.pace.count(n, clear, seconds)
        first = every - here.done % every  # row of the next sample
        here.made, here.rows = clear, rows[first : clear + 1 : every]
        here.last = mark.clock.count + first + every * (len(here.rows) - 1)
        if stopped is not None and not isinstance(stopped, Stopped):  # Ctrl-C in a function of the user
            engine.status.stopped = stopped
            return True
        return clear > 0

    def _steps_ahead(self) -> int:
        """Return the number of steps up to the next breakpoint, tick or sample between samples, the last."""
        here, control = self.here, self.control
        left = here.end - here.done
        if here.done + left == here.total and here.total % here.every:
            left -= 1
        if control is not None:
            left = min(left, control.period - self.engine.clock.count % control.period)
        return left

    def step(self) -> None:
        """Make a step of the engine; record its events, and let them reset or end it."""
        engine, now, status = self.engine, self.engine.clock, self.engine.status
        memory, count, fresh, before = engine.memory.copy(), now.count, status.fresh, status.before
        t = now.time()
        if self.modes is not None and not self.known:
            self.modes.begin(engine.here())
        engine.go(1, 0)
        if status.stopped is not None:
            return
        taken, sides, known = len(self.firings), [*self.sides], self.known
        modes = None if self.modes is None else self.modes.data()
        try:
            self.end = now.time()
            self._begin(memory, fresh, t, now.step)
            if not self.known:
                self.sides = [self._side_after(i, 0.0) for i in range(len(self.events))]
                self.known = True
            elif before is not None:  # an impulse: what it makes jump is no event
                self.sides = [self._side(i, 0.0) for i in range(len(self.events))]
            self.memories[self.h] = engine.memory.copy()
            self._look()
        except BaseException as error:  # also Ctrl-C in a function of the user
            del self.firings[taken:]
            self.sides, self.known = sides, known
            engine.memory[:], now.count, status.fresh, status.before = memory, count, fresh, before
            if self.modes is not None and modes is not None:
                self.modes.restore(modes)
            self._go_on(self.open_in_engine)
            status.stopped = Stopped(event=str(error)) if isinstance(error, Fault) else error

    def _look(self) -> None:
        """Find all events of a step, in order; then set the sides at its end."""
        s, resets = 0.0, 0
        ahead: dict[int, float | None] = {}  # the next crossing of each event, on the present motion
        last: dict[int, float] = {}  # where an event reset the state in this step
        settled: set[int] = set()  # events so close to the end of the step that g is rounding up to there
        for _ in range(MOST_CHANGES if self.margins else MOST):
            for i in range(len(self.events)):
                if i not in ahead:
                    ahead[i] = None if i in settled or self._idle(i) else self._crossing(i, s)
            s, now = self._next([Crossing(at, i) for i, at in ahead.items() if at is not None])
            if not now:
                break
            stop, reset = self._fire(now, s)
            for i in now if reset else ():
                if i in last and i not in self.margins and s - last[i] <= CLOSEST * self.h:
                    raise Fault(self._without_end(i, s))
                last[i] = s
            resets += reset
            if stop:
                self._switch()
                self.engine.end(self._state(s).time, self._memory_at(s))
                return
            if self.h - s <= CLOSEST * self.h:
                settled |= set(now)
            ahead = {} if reset else {i: at for i, at in ahead.items() if i not in now}
        else:
            raise Fault(self._without_end(now[0], s))
        if resets:
            memory = self._memory_at(self.h)
            self._switch()
            self.engine.replace(memory, self.fresh and self.base == self.h)
        for i in range(len(self.events)):
            if self.sides[i] == 0 or self._idle(i):
                self.sides[i] = self._side(i, self.h)

    def _next(self, found: list[Crossing]) -> tuple[float, list[int]]:
        """Return the place of the next crossing, and the events that cross there, in the order of the list.

        What lies together with an event that resets the state or ends the run crosses with it.
        """
        if not found:
            return 0.0, []
        first = min(found)
        group = [one for one in found if one.s - first.s <= self._near and self._fires(one.number)]
        if first not in group or not any(self._acts(one.number) for one in group):
            group = [one for one in found if one.s == first.s]
        return max(group).s, sorted(one.number for one in group)

    def _fires(self, i: int) -> bool:
        """Return whether event i happens where g leaves its present side."""
        return self.events[i].direction in (0, -self.sides[i])

    def _resets(self, i: int) -> bool:
        event = self.events[i]
        return bool(event.reset is not None or event.release or event.latch or i in self.margins)

    def _acts(self, i: int) -> bool:
        return self.events[i].stop or self._resets(i)

    def _open_after(self, i: int) -> Open:
        """Return the loops that are open after event i."""
        return self.open.union(self.events[i].release or ()).difference(self.events[i].latch or ())

    def _idle(self, i: int) -> bool:
        """Return whether an event does not happen: it opens and closes loops, and these are so already."""
        return bool(self.events[i].release or self.events[i].latch) and self._open_after(i) == self.open

    def _switch(self) -> None:
        """Let the engine go on with the loops that are open now."""
        if self.switches is not None and self.open != self.switches.open:
            self.switches.open = self.open
            self.engine.switch(self.system)

    def _without_end(self, i: int, s: float) -> str:
        return (
            f"the event '{self.names[i]}' fires infinitely often (Zeno) at t = {self.t + s:.9g}: the times "
            "between its resets go to zero; end the run before that, by an event with stop=True"
        )

    def _crossing(self, i: int, a: float) -> float | None:
        """Return the first place from a on after which g is on the other side; None if it does not change."""
        at = self._zero(i, a)
        if at is not None and self._g(i, at) == 0.0 and self._leaving(i, at) != -self.sides[i]:
            return self._zero(i, at, TINY)  # a touch, or the beginning of zeros
        return at

    def _zero(self, i: int, a: float, zero: float = 0.0) -> float | None:
        """Return the first place from a on at which g leaves its side; None if it stays to the end.

        With `zero`, zeros are on the side: they have this value there.
        """
        side, b = self.sides[i], self.h
        if side == 0 or a >= b:
            return None

        def g(s: float) -> float:
            return self._g(i, s) or side * zero

        m = a + (b - a) / 2
        ends = [(a, side * g(a)), (m, side * g(m)), (b, side * g(b))]
        if a < m < b and ends[1][1] <= 0:
            return root(g, side, a, m)
        if ends[2][1] <= 0:
            return root(g, side, m if a < m < b and ends[1][1] > 0 else a, b)
        lowest = extremum(g, side, ends) if a < m < b else None
        return None if lowest is None else root(g, side, a, lowest)

    def _fire(self, crossed: list[int], s: float) -> tuple[bool, bool]:
        """Record the events that cross at a place; return whether one ends the run, and whether one resets.

        An event that does not want this direction changes its side only.
        """
        numbers = [i for i in crossed if self._fires(i)]
        reset = any(map(self._resets, numbers))
        located, sides = self._state(s), range(len(self.events))
        values = [self._g(i, s) for i in sides] if reset else []
        idle = [self._idle(i) for i in sides]
        for i in (one for one in numbers if one not in self.margins):
            before, after = located, None
            if self._resets(i):
                before, work = self._state(s), self._memory_at(s)[self.own.time_loop.work]
                after = self._after(i, before)
                row = np.append(self.system.to_core(after.q, after.v), work)
                self._begin(self.own.begin(row), True, self.t, self.h, s)
                self.states[s] = after
            self.firings.append(Firing(self.names[i], before, after))
        if reset and self.modes is not None:
            self._change_modes(self.modes, [i for i in numbers if i in self.margins], s)
        for i in sides:
            if not reset:
                self.sides[i] = -self.sides[i] if i in crossed else self.sides[i]
            elif i in self.margins or idle[i] or self._g(i, s) != values[i]:
                self.sides[i] = self._side_after(i, s)
            elif i in crossed:
                self.sides[i] = self._leaving(i, s)
        return any(self.events[i].stop for i in numbers), reset

    def _change_modes(self, modes: JointModes, numbers: list[int], s: float) -> None:
        """Change the modes of joints at a place, where these margins have ended or another event reset it."""
        before, work = self._state(s), self._memory_at(s)[self.own.time_loop.work]
        if not numbers:
            modes.begin(before)
            return
        shortest = max(CLOSEST * self.h, self._near)
        try:
            q, v, more = modes.resolve(before, [self.margins[i] for i in numbers], 4 * shortest)
        except PoinsotError as error:
            raise Fault(str(error)) from None
        row = np.append(self.system.to_core(q, v), work + more)
        self._begin(self.own.begin(row), True, self.t, self.h, s)
        self.states[s] = after = view(before.time, q, v, None, self.system.mechanism)
        self.firings += [Firing(self.names[i], before, after) for i in numbers]

    def _after(self, i: int, before: State) -> State:
        """Return the state after event i, checked and projected onto the loops."""
        event, found = self.events[i], self._reset(i, before)
        open = self._open_after(i)
        who = f"the reset of event '{self.names[i]}'" if event.reset else f"the event '{self.names[i]}'"
        if open != self.open:
            self._go_on(open)
        try:
            if not isinstance(self.system, CompiledMechanism):
                self.system.check_state(found)
                return view(before.time, found.q, found.v, None, self.system.mechanism)
            check_start(self.system, found)
            found = start_on_drives(self.system, found)
            if self.system.mechanism.loops:
                found = latch_loops(self.system, found) if event.latch else start_on_loops(self.system, found)
        except PoinsotError as error:
            raise Fault(f"{who}: {error}") from None
        return view(before.time, found.q, found.v, None, self.system.mechanism)

    def _reset(self, i: int, before: State) -> State:
        """Return what the reset of event i gives; the state itself if it has none."""
        who, reset = f"the reset of event '{self.names[i]}'", self.resets[i]
        if reset is None:
            return before
        try:
            found = reset(before.time, view(before.time, before.q, before.v, None, self.system.mechanism))
        except Exception as error:
            raise Fault(
                f"{who} raised {type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
            ) from None
        if not isinstance(found, State):
            raise Fault(f"{who} must return a State, got {show(found)}")
        return State(before.time, found.q, found.v)


def _sign(x: float) -> int:
    return (x > 0) - (x < 0)
