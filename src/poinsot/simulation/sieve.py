"""The sieve: which of many steps may hold an event.

Steps are made many at a time, with the state after each.  The functions of the events are looked at after
each step and in its middle, on the cubic through both ends: with q' = B(q) v,

    q(h/2) = (q0 + q1)/2 + h (q0' - q1')/8,       q'(h/2) = 3 (q1 - q0)/(2 h) - (q0' + q1')/4        (1)

With y0, ym, y1 the values there, positive on the side of the motion, a step may hold an event unless

    min(y0, ym, y1) > |y0 - 2 ym + y1|                                                               (2)

This holds for every change of sign, and for every parabola that `roots.extremum` would look at, whose middle
is at most 0.56 of the right side.  A step may also hold one if the velocity in its middle is far from the
mean of its ends: steps of this length do not resolve the motion.

Only a step that may hold an event is made alone, and its events are located on the motion of the method
itself (`event_loop`): what the sieve computes changes no bit of a run.

Expressions are evaluated by NumPy, at all states at once.  A function in Python is called at each; one that
takes long is compiled if it can be, for as long as it reads the same values.
"""

import time as clock
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from poinsot.compile.functions.events import over_states
from poinsot.diagnostics.motions import Motions
from poinsot.formats.expressions.states import StateArrays
from poinsot.model.checks import EPSILON, Array
from poinsot.model.event import value
from poinsot.model.identity import source_digest
from poinsot.model.mechanism import Mechanism
from poinsot.model.rotations import compose, inverse, matrix, times, transpose
from poinsot.model.state import view
from poinsot.simulation.engine import Engine
from poinsot.simulation.options import Plan

WORTH = 0.5  # seconds in a function in Python, after which it is compiled
FEW = 256  # states of a call that are not worth a look at what the function reads
RESOLVED = 1 / 16  # of the largest velocity: how far that in the middle may be from the mean
ROUNDING = 8 * EPSILON


class Sieve:
    """Looks at the functions of the events of a run, at many states."""

    def __init__(self, plan: Plan, engine: Engine[Any]) -> None:
        self.plan, self.engine, self.joints = plan, engine, _rotations(plan.mechanism)
        self.spent = [0.0] * len(plan.events)  # seconds in functions in Python
        self.digests: dict[int, str] = {}  # of those that are compiled
        self.looks = plan.equations is None or engine.system.slides > 0  # q' = v, or joints: (1) holds

    def clear(self, origin: float, h: float, counts: Array, rows: Array, sides: Sequence[int]) -> int:
        """Return the number of steps before the first that may hold an event.

        `rows` are those of the engine after so many steps from the origin, before the first and after each.
        """
        if not self.looks:
            return 0
        grid: Array = origin + counts * h
        q, v = self.engine.system.from_core(rows[:, :-1])
        q_half, v_half = self._middle(q, v, h)
        far = np.abs(v_half - (v[:-1] + v[1:]) / 2).max(axis=1, initial=0.0)
        open = RESOLVED * np.abs(v).max(initial=0.0) + ROUNDING * np.abs(q).max(initial=0.0) / h
        may = ~(far <= open)
        n = len(may)
        pairs = (grid, grid[:-1] + h / 2), (q, q_half), (v, v_half)
        t, q, v = map(np.concatenate, pairs)
        whole = StateArrays(t, q, v, Motions(self.plan.mechanism, q, v))
        for i, side in enumerate(sides):
            y = self._values(i, whole)
            if side == 0:
                may |= (y[1 : n + 1] != 0.0) | (y[n + 1 :] != 0.0)
                continue
            y0, y1, ym = side * y[:n], side * y[1 : n + 1], side * y[n + 1 :]
            may |= ~(np.minimum(np.minimum(y0, y1), ym) > np.abs(y0 - 2 * ym + y1))  # (2); also if it is NaN
        return int(may.argmax()) if may.any() else n

    def _values(self, i: int, states: StateArrays) -> Array:
        """Return the values of the function of event i; NaN where it has none."""
        event, function = self.plan.events[i], self.plan.event_functions[i]
        many: Callable[[StateArrays], Array] | None = getattr(function, "many", None)
        if many is not None:
            with np.errstate(all="ignore"):
                return many(states)
        if self.spent[i] > WORTH and len(states.time) > FEW:
            found = self._compiled(i, states)
            if found is not None:
                return found
        states.q.flags.writeable = states.v.flags.writeable = False
        m = self.plan.mechanism
        begun, each = clock.perf_counter(), zip(states.time.tolist(), states.q, states.v, strict=True)
        values = [value(event, function, view(t, q, v, None, m)) for t, q, v in each]
        self.spent[i] += clock.perf_counter() - begun
        return np.array([np.nan if isinstance(y, str) else y for y in values])

    def _compiled(self, i: int, states: StateArrays) -> Array | None:
        """Return the values by the compiled function; None if there is none, or if it is another by now."""
        function, out = self.plan.event_functions[i], np.empty(len(states.time))
        try:
            digest = source_digest(function)
            run = over_states(function, self.digests.setdefault(i, digest))
            if run is not None and digest == self.digests[i]:
                run(states.time, states.q.reshape(-1), states.v.reshape(-1), out)
                return out
        except Exception:  # of the user's function: Python says which
            return None
        self.spent[i] = -np.inf
        return None

    def _middle(self, q: Array, v: Array, h: float) -> tuple[Array, Array]:
        """Return coordinates and velocities in the middle of all steps, by (1)."""
        rate = self._rates(q, v)
        half = (q[:-1] + q[1:]) / 2 + h / 8 * (rate[:-1] - rate[1:])
        speed = 1.5 / h * (q[1:] - q[:-1]) - (rate[:-1] + rate[1:]) / 4
        if not self.joints:
            return half, speed
        return self._velocities(half, speed)

    def _rates(self, q: Array, v: Array) -> Array:
        """Return B(q) v."""
        if not self.joints:
            return v
        found = np.empty(q.shape)
        for at, along, place in self.joints:
            if place is None:
                found[:, at] = v[:, along]
                continue
            turn = slice(at.start + place, at.start + place + 4)
            w = v[:, along.start : along.start + 3]
            found[:, turn] = compose(q[:, turn], np.insert(w / 2, 0, 0.0, axis=1))
            if place:
                u = v[:, along.start + 3 : along.stop]
                found[:, at.start : turn.start] = times(matrix(q[:, turn]), u)
        return found

    def _velocities(self, q: Array, rate: Array) -> tuple[Array, Array]:
        """Return q with unit quaternions, and the velocities v of which these are the rates."""
        found = np.empty((len(q), self.plan.mechanism.lengths[1]))
        for at, along, place in self.joints:
            if place is None:
                found[:, along] = rate[:, at]
                continue
            turn = slice(at.start + place, at.start + place + 4)
            size = np.sqrt((q[:, turn] ** 2).sum(axis=1, keepdims=True))
            q[:, turn] /= size
            spin = compose(inverse(q[:, turn]), rate[:, turn] / size)
            found[:, along.start : along.start + 3] = 2 * spin[:, 1:]
            if place:
                R = matrix(q[:, turn])
                found[:, along.start + 3 : along.stop] = times(transpose(R), rate[:, at.start : turn.start])
        return q, found


def _rotations(mechanism: Mechanism) -> list[tuple[slice, slice, int | None]]:
    """Return where each joint is in q and v, and its quaternion in it; nothing if there is no quaternion."""
    found, nq, nv = [], 0, 0
    for link in mechanism.links:
        joint = link.joint
        found.append((slice(nq, nq + joint.nq), slice(nv, nv + joint.nv), joint.quaternion))
        nq, nv = nq + joint.nq, nv + joint.nv
    return found if any(place is not None for _, _, place in found) else []
