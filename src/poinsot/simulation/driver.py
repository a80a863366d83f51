"""The driver: makes all steps of a run in chunks, and passes the samples to the recorder.

Breakpoints and the ticks of a controller divide the run into segments; at each of them the method restarts.
"""

import math
import time as clock
from collections.abc import Iterable, Iterator, Mapping
from heapq import merge
from itertools import groupby, pairwise

from poinsot.compile.system import CompiledMechanism
from poinsot.mechanics.breakpoints import Breakpoint, breakpoints_of, jumps_ahead
from poinsot.simulation.control.control_loop import ControlLoop
from poinsot.simulation.engine import Engine
from poinsot.simulation.events.event_loop import EventLoop
from poinsot.simulation.events.loop_switches import LoopSwitches
from poinsot.simulation.interrupts import Progress
from poinsot.simulation.options import Plan
from poinsot.simulation.recorder import Recorder

CHUNK = 0.1  # seconds between two checks for Ctrl-C
FIRST = 200  # steps in the first chunk of a run of one body
MOST = 1 << 14  # samples in a chunk: what they are computed from is held for a chunk only
GROWTH = 8.0  # largest factor from one chunk to the next


class Chunk:
    """The number of steps that take about `CHUNK` seconds, measured during the run."""

    def __init__(self, bodies: int) -> None:
        self.steps, self.begun, self.made = max(1, FIRST // bodies), clock.perf_counter(), 0

    def over(self, steps: int) -> bool:
        """Count `steps` short segments as one chunk; return True at its end."""
        self.made += steps
        return self.made >= self.steps

    def done(self, steps: int) -> None:
        """Adapt the length of the chunk; `steps`, or as many as were counted, were made."""
        now = clock.perf_counter()
        factor = CHUNK / max(now - self.begun, 1e-6) * max(steps, self.made) / self.steps
        self.steps = max(1, int(self.steps * min(GROWTH, factor)))
        self.begun, self.made = now, 0


def drive(
    engine: Engine[CompiledMechanism],
    recorder: Recorder,
    plan: Plan,
    switches: LoopSwitches,
    control: ControlLoop | None,
    progress: Progress,
) -> None:
    """Make all steps and record the samples; `progress` is called after each chunk and may interrupt."""
    total, every, done = plan.steps, plan.every, 0
    start = engine.origin + engine.count * engine.h
    points = breakpoints_of(plan.mechanism, start, engine.h, total)
    jumps = jumps_ahead(plan.mechanism, points, start, engine.h, total)
    inside = control is not None and not plan.events  # ticks are in the time loop
    ticks = control.ticks(total) if control is not None and not inside else range(0)
    if control is not None and inside:
        control.install(progress)
    if control is not None and total > 0:
        control.decide()
    events = EventLoop(plan, engine, switches) if plan.events else None
    recorder.begin()
    chunk = Chunk(len(plan.mechanism.links))
    if engine.stopped is not None:
        raise engine.stopped
    for begin, end in pairwise(_borders(points, ticks, total)):
        if begin in points:
            engine.restart(points[begin])
        if jumps:
            engine.last = next((before for step, before in jumps if step >= end), math.inf)
        while done < end:
            if control is not None and engine.next_inputs is not None:
                if done not in points:
                    engine.refresh()
                control.apply()
            due, left = every - done % every, end - done
            if events is not None:
                n, last = 1, engine.count + 1
                events.step()
                recorder.happened(events.taken())
                rows = (
                    engine.sample()
                    if engine.stopped is None and (due == 1 or done + 1 == total)
                    else engine.no_rows
                )
                if engine.ended is not None:
                    recorder.end(engine.sample(), engine.ended)
                    return
            elif due == every <= min(left, chunk.steps):  # many samples in one call
                n = min(left, chunk.steps, MOST * every) // every * every
                rows, n = engine.go(n, every), engine.count - engine.begin
                last = engine.begin + every * len(rows)
            else:
                rows = engine.go(min(due, left, chunk.steps), 0)
                n = engine.count - engine.begin
                if engine.stopped is None and (n == due or done + n == total):
                    rows = engine.sample()
                last = engine.count
            here = done + n
            if control is not None and engine.stopped is None and (inside or here == end) and here < total:
                control.decide()
            recorder.add(rows, last, every)
            if engine.stopped is not None:
                raise engine.stopped
            done += n
            if inside or (control is None and events is None) or chunk.over(n):
                chunk.done(n)
                recorder.flush()
            progress(n)


def _borders(points: Mapping[int, Breakpoint], ticks: Iterable[int], total: int) -> Iterator[int]:
    """Yield the first step, the steps at which a segment ends, and the last, each once."""
    if not points and isinstance(ticks, range):
        return iter([*([0] if not ticks or ticks[0] > 0 else []), *ticks, *([total] if total > 0 else [])])
    return (step for step, _ in groupby(merge(sorted({*points, 0, total}), ticks)))
