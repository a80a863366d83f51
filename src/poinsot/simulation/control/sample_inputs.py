"""The inputs of a controller at the samples of a run: those that it held, or those of a continuous law."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

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
