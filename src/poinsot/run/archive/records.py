"""The contents of the blocks of an archive: header, samples, checkpoints, end."""

import base64
from collections.abc import Mapping
from typing import Any

import numpy as np

from poinsot.core.methods.method import Method
from poinsot.diagnostics.trajectory import Samples, Trajectory
from poinsot.formats.data import to_data
from poinsot.model.checks import Array
from poinsot.model.state import Memory, State


def header(
    run: Trajectory,
    method: Method,
    step: float,
    every: int,
    versions: Mapping[str, str],
    reason: str = "",
    command: str = "",
) -> dict[str, Any]:
    """Return the first block of an archive."""
    return {
        "format": 1,
        "model": to_data(run.mechanism),
        "method": method.name,
        "step": step,
        "every": every,
        "start": float(run.time[0]),
        "nq": run.q.shape[1],
        "nv": run.v.shape[1],
        "versions": dict(versions),
        "reason": reason,
        "forces": list(run.forces),
        "command": command,
        "driven": list(run.driven),
    }


def sample_rows(part: Samples, driven: bool) -> Array:
    """Return a row per sample: time, q, v, work, potential of the user's forces, inputs of a controller."""
    columns = [part.time[:, None], part.q, part.v, part.work[:, None], part.applied_potential[:, None]]
    return np.concatenate([*columns, part.inputs] if driven else columns, axis=1)


def checkpoint(state: State) -> dict[str, Any]:
    """Return a state with the memory of its method, as data."""
    memory = None
    if state.memory is not None:
        memory = {**state.memory._asdict(), "cell": base64.b64encode(state.memory.cell).decode()}
    return {"time": state.time, "q": state.q.tolist(), "v": state.v.tolist(), "memory": memory}


def restored(data: Mapping[str, Any]) -> State:
    """Return the state of a checkpoint: the inverse of `checkpoint`."""
    memory = data["memory"]
    if memory is not None:
        memory = Memory(**{**memory, "cell": base64.b64decode(memory["cell"], validate=True)})
    return State(
        float(data["time"]), np.array(data["q"], dtype=float), np.array(data["v"], dtype=float), memory
    )


def ending(run: Any) -> dict[str, Any]:
    """Return the last block of a finished run."""
    return {
        "steps": run.steps,
        "evaluations": run.evaluations,
        "iterations": run.iterations,
        "seconds": run.seconds,
        "interrupted": run.interrupted,
    }
