"""The inputs of a continuous law at the samples of a run."""

import numpy as np

from poinsot.compile.functions.laws.acting import decider
from poinsot.compile.functions.laws.compiled_law import LawCall
from poinsot.model.checks import Array
from poinsot.model.inputs.feedback import FeedbackForce
from poinsot.model.state import State


def law_inputs(law: FeedbackForce, time: Array, q: Array, v: Array) -> Array:
    """Return the inputs of a law at states; a compiled law leaves some to that in Python."""
    decided, u = np.zeros(len(time), dtype=np.int64), np.empty((len(time), sum(law.counts)))
    if law.compiled is not None:
        held = LawCall(law.compiled.law)  # its block has addresses of what it owns
        decider()(held.call.block, law.compiled.table, time, np.array(q), np.array(v), u, decided)
    for k in np.flatnonzero(decided == 0):
        u[k] = law.recorded_inputs(State(float(time[k]), q[k], v[k]))
    return u
