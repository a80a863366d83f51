"""Functions of the user at the samples of a run."""

from dataclasses import replace

import numpy as np

from poinsot.errors import RecordError
from poinsot.run.run import Run
from poinsot.simulation.options import Record


def recorded(run: Run, record: Record) -> Run:
    """Return the run with the user's functions of the state at each sample."""
    values = {}
    for name, function in record.items():
        try:
            states = (state for part in run.trajectory.parts() for state in part.states())
            values[name] = np.array([function(state) for state in states])
        except Exception as error:
            raise RecordError(f"record '{name}': {type(error).__name__}: {error}", run) from error
    return replace(run, recorded=values)
