"""What a controller held at the samples of a run.

The inputs of a continuous law at the samples of a run.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poinsot.compile.laws import ContinuousCall
from poinsot.core.control.records import DECIDED
from poinsot.model.checks import Array
from poinsot.model.inputs.feedback import FeedbackForce
from poinsot.model.loop_history import Open
from poinsot.model.state import State


class WaitingRows(NamedTuple):
    """Samples whose quantities have not been computed yet."""

    rows: Array
    steps: range
    inputs: Array  # that act there
    following: Array | None  # that act from the last row on
    open: Open  # loops


def held_inputs(waiting: Sequence[WaitingRows]) -> Array:
    """Return the inputs at rows: those that were held, and after a tick at the last row the next."""
    inputs = np.repeat([one.inputs for one in waiting], [len(one.rows) for one in waiting], axis=0)
    last = -1
    for one in waiting:
        last += len(one.rows)
        if one.following is not None:
            inputs[last] = one.following
    return inputs


class InputLog:
    """The inputs that a controller set, tick by tick, since the samples were last collected."""

    def __init__(self, tick: int, u: Array) -> None:
        self.first, self.rows = tick, np.array([u], dtype=float)
        self.last = tick  # the last tick that is known

    def reserve(self, tick: int) -> None:
        """Make room for the inputs up to a tick."""
        more = tick - self.first + 1 - len(self.rows)
        if more > 0:
            self.rows = np.vstack([self.rows, np.zeros((max(more, len(self.rows)), self.rows.shape[1]))])

    def note(self, tick: int, u: Array | Sequence[float]) -> None:
        """Note the inputs from a tick on."""
        self.reserve(tick)
        self.rows[tick - self.first], self.last = u, tick

    def at(self, ticks: NDArray[np.int64]) -> Array:
        """Return the inputs that act from these ticks on; a tick that is not known yet has the last ones."""
        return np.asarray(self.rows[np.minimum(ticks, self.last) - self.first])

    def forget(self) -> None:
        """Forget all but the last inputs."""
        self.rows, self.first = self.rows[self.last - self.first][None].copy(), self.last


def law_inputs(law: FeedbackForce, time: Array, q: Array, v: Array) -> Array:
    """Return the inputs of a law at states; NaN where it cannot be evaluated."""
    u = np.empty((len(time), sum(law.counts)))
    call = None if law.compiled is None else ContinuousCall(law.compiled)
    for k in range(len(time)):
        if call is not None and call(time[k], q[k], v[k]) == DECIDED:
            u[k] = call.u
        else:
            u[k] = law.recorded_inputs(State(float(time[k]), q[k], v[k]))
    return u
