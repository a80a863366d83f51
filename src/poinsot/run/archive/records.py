"""The contents of the blocks of an archive: header, samples, checkpoints, end."""

import base64
from collections.abc import Mapping
from typing import Any

import numpy as np

from poinsot.core.methods.method import Method
from poinsot.diagnostics.trajectory import Samples, Trajectory
from poinsot.errors import ModelError
from poinsot.formats.data import to_data
from poinsot.formats.expressions.forces import kept
from poinsot.model.checks import Array
from poinsot.model.controller import CONTROLLED
from poinsot.model.identity import digest_of_callable
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import Memory, State
from poinsot.run.archive.inputs import inputs_data
from poinsot.run.archive.recorded import recorded_data

FORMAT = 2
NO_CHECKPOINT: dict[str, Any] = {}  # of samples in the middle of a saved run


def header(
    run: Trajectory,
    method: Method,
    step: float,
    every: int,
    versions: Mapping[str, str],
    reason: str = "",
    command: str = "",
    until: float | None = None,
    fingerprint: str = "",
    more: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the first block of an archive; `more` has what only the running simulation knows."""
    return {
        "format": FORMAT,
        "model": to_data(run.mechanism),
        "method": method.label,
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
        "until": until,
        "fingerprint": fingerprint,
        "scenario": run.mechanism.origin,
        "functions": functions_of(run.mechanism),
        "inputs": inputs_data(run.mechanism),
        "held": [force.label for force in run.mechanism.forces if isinstance(force, CONTROLLED)],
        "controller": next(
            ({"identity": force.identity} for force in run.mechanism.forces if isinstance(force, CONTROLLED)),
            None,
        ),
        **(more or {}),
    }


def functions_of(mechanism: Mechanism) -> list[dict[str, str]]:
    """Return label and digest of each force that is given by a Python function."""
    found = []
    for force in mechanism.forces:
        given = [getattr(force, name, None) for name in ("function", "potential")]
        functions = [one for one in given if one is not None and kept(one, {}) is None]
        if functions:
            found.append({"label": force.label, "digest": " ".join(map(fingerprint_of, functions))})
    return found


def fingerprint_of(function: Any) -> str:
    """Return the digest of anything that can be called; empty if it reaches too much to have one."""
    try:
        return digest_of_callable(function)
    except ModelError:
        return ""


def sample_rows(part: Samples, driven: bool) -> Array:
    """Return a row per sample: time, q, v, work, potential of the user's forces, inputs of a controller."""
    columns = [part.time[:, None], part.q, part.v, part.work[:, None], part.applied_potential[:, None]]
    return np.concatenate([*columns, part.inputs] if driven else columns, axis=1)


def row_width(head: Mapping[str, Any]) -> int:
    """Return how many numbers a sample has."""
    return int(head["nq"] + head["nv"] + 3 + len(head.get("driven", ())))


def columns(rows: Array, head: Mapping[str, Any]) -> Samples:
    """Return samples from their rows, without a copy: the inverse of `sample_rows`."""
    places = np.cumsum([1, head["nq"], head["nv"], 1, 1])
    time, q, v, work, potential, inputs = np.split(rows, places, axis=1)
    return Samples(time[:, 0], q, v, work[:, 0], potential[:, 0], inputs)


def checkpoint(state: State, cost: Mapping[str, float] | None = None) -> dict[str, Any]:
    """Return a state with the memory of its method, as data, and what the run cost up to there."""
    memory = None
    if state.memory is not None:
        memory = {**state.memory._asdict(), "cell": base64.b64encode(state.memory.cell).decode()}
    return {
        "time": state.time,
        "q": state.q.tolist(),
        "v": state.v.tolist(),
        "memory": memory,
        **(cost or {}),
    }


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
        **({"stopped": run.stopped} if run.stopped else {}),
        **({"recorded": recorded_data(run.recorded)} if run.recorded else {}),
    }


FIELDS: dict[str, type | tuple[type, ...]] = {
    "format": int,
    "model": dict,
    "method": str,
    "step": (int, float),
    "every": int,
    "start": (int, float),
    "nq": int,
    "nv": int,
    "versions": dict,
    "reason": str,
    "forces": list,
}


def checked_header(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the header, or raise a ValueError that names the field that is missing or of the wrong type."""
    for name, kind in FIELDS.items():
        found = data.get(name)
        if not isinstance(found, kind) or isinstance(found, bool):
            raise ValueError(f"the header has no valid '{name}'")
    if not 1 <= data["format"] <= FORMAT:
        raise ValueError(f"unknown format {data['format']}")
    counts = data["every"] >= 1 and data["nq"] >= 0 and data["nv"] >= 0
    texts = all(isinstance(x, str) for pair in data["versions"].items() for x in pair)
    flags = len(data["forces"]) == 2 and all(isinstance(x, bool) for x in data["forces"])
    driven, command = data.get("driven", []), data.get("command", "")
    inputs = isinstance(driven, list) and all(isinstance(x, str) for x in driven) and isinstance(command, str)
    _check_problem(data)
    until = data.get("until")
    asked = until is None or (isinstance(until, int | float) and not isinstance(until, bool))
    if not (counts and texts and flags and inputs and asked):
        raise ValueError("the header has fields of the wrong kind")
    return data


PROBLEM: dict[str, type] = {
    "scenario": dict,
    "controller": dict,
    "record": dict,
    "functions": list,
    "inputs": list,
    "held": list,
    "events": list,
    "open": list,
    "fingerprint": str,
    "steps": int,
    "first": int,
}


def _check_problem(data: Mapping[str, Any]) -> None:
    """Raise a ValueError unless what resuming and replaying need is missing or of the right kind."""
    found = {name: data[name] for name in PROBLEM if data.get(name) is not None}
    good = all(isinstance(x, PROBLEM[name]) and not isinstance(x, bool) for name, x in found.items())
    if good:
        functions = found.get("functions", [])
        good = all(isinstance(one, dict) and {"label", "digest"} <= set(one) for one in functions)
        good = good and all(
            isinstance(one, dict)
            and isinstance(one.get("name"), str)
            and all(isinstance(one.get(key, []), list) for key in ("release", "latch"))
            for one in found.get("events", [])
        )
        tables = [found.get(name, {}) for name in ("scenario", "controller", "record")]
        texts = [*found.get("held", []), *(x for one in tables for x in one.values())]
        texts += [x for one in functions if good for x in one.values()]
        good = good and all(isinstance(x, str) for x in texts)
    if not good:
        raise ValueError("the header has fields of the wrong kind")


ENDING: dict[str, Any] = {
    "steps": 0,
    "evaluations": 0,
    "iterations": 0,
    "seconds": 0.0,
    "interrupted": True,
    "stopped": "",
    "recorded": {},
}


def checked_ending(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the last block; fields that are missing or of the wrong type are left out."""
    kinds = {name: (int, float) if name == "seconds" else type(value) for name, value in ENDING.items()}
    return {name: data[name] for name, kind in kinds.items() if isinstance(data.get(name), kind)}
