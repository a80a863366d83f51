"""A time loop with the ticks of a compiled law inside it."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poinsot.compile.functions.laws.law import Q_ARGUMENT, V_ARGUMENT
from poinsot.compile.functions.laws.ticks import (
    APPLIED,
    ASK,
    BEGIN,
    EACH,
    NODE,
    NODES,
    NQ,
    NV,
    PERIOD,
    ROW,
    TOTAL,
    WIDTH,
    caller,
    ticking,
)
from poinsot.compile.time_loop import TimeLoop
from poinsot.compile.tree import Tree
from poinsot.core.body.time_loop import COUNT, DONE, EVERY, FRESH, STEPS
from poinsot.core.call import Call
from poinsot.model.checks import Array

if TYPE_CHECKING:
    from poinsot.simulation.control.control_loop import ControlLoop


class Ticking(TimeLoop):
    """A time loop of a mechanism that calls the compiled law of its controller at the ticks inside a call."""

    def __init__(self, loop: TimeLoop, control: "ControlLoop") -> None:
        self.loop, self.control, self.work = loop, control, loop.work
        system = control.engine.system
        assert isinstance(system, Tree), "controllers run on trees"
        self.places = np.array(system.hold_places, dtype=np.int64)
        self.floats, self.plan = system.floats, np.zeros(NV + 1, dtype=np.int64)
        self.plan[[PERIOD, NQ, NV]] = control.period, system.nq, system.nv

    def memory(self, x: Array) -> Array:
        return self.loop.memory(x)

    def fallback(self) -> TimeLoop | None:
        other = self.loop.fallback()
        return None if other is None else Ticking(other, self.control)

    def __call__(self, counters: NDArray[np.int64], times: Array, memory: Array, out: Array) -> None:
        control, plan = self.control, self.plan
        engine, log, period = control.engine, control.log, control.period
        begin, steps, every = int(counters[COUNT]), int(counters[STEPS]), int(counters[EVERY])
        last = (begin + max(steps - 1, 0)) // period  # the last tick inside the call
        log.reserve(last)
        first, nodes = control.nodes(begin // period, last)
        plan[[TOTAL, EACH, BEGIN, NODE, NODES, ROW]] = steps, every, begin, first, len(nodes), log.first
        plan[APPLIED], plan[WIDTH] = control.applied, nodes.shape[1]
        engine.system.hold(engine.inputs)
        inner = self.loop.aimed(counters, times, memory, out)
        assert control.law is not None, "the law is compiled"
        law, nq, nv = control.law.call, plan[NQ], plan[NV]
        law.point(Q_ARGUMENT, memory[:nq])
        law.point(V_ARGUMENT, memory[nq : nq + nv])
        arrays = inner.block, counters, memory, out, law.block, nodes.reshape(-1), self.places
        step = caller(inner.entry.signature_wanted)  # type: ignore[attr-defined]
        run = Call(ticking(), step, *arrays, self.floats, log.rows.reshape(-1), plan)
        while run() == ASK:
            count = begin + int(counters[DONE])
            u = control.asked(count, memory)
            log.note(count // period, u)
            engine.system.hold(u)
            plan[APPLIED], counters[FRESH] = count, 1
        control.applied = int(plan[APPLIED])
        log.last = max(log.last, control.applied // period)
        engine.inputs = log.rows[log.last - log.first].copy()
        counters[COUNT], counters[STEPS], counters[EVERY] = begin, steps, every
