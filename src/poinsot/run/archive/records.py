"""The contents of the blocks of an archive: header, samples, checkpoints, end.

A file cannot hold a controller, but what its inputs act on is data (joints, or wrenches fixed in bodies): the
page of a loaded run draws their forces, and a run goes on from the loaded mechanism with a controller that is
given again.  Recorded quantities (`simulate(record=...)`) are arrays of numbers as text in the last block.
"""

import base64
import math
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from poinsot.compile.catalogue import facts_of
from poinsot.core.methods.method import Method
from poinsot.diagnostics.system_trajectory import SystemTrajectory
from poinsot.diagnostics.trajectory import Samples, Trajectory
from poinsot.errors import ArchiveError
from poinsot.formats.data import from_data, to_data
from poinsot.formats.expressions.forces import own_formula
from poinsot.model.checks import Array
from poinsot.model.identity import identity_of
from poinsot.model.inputs.control import control_of
from poinsot.model.inputs.hold import Held, Hold, HoldWrench
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import MethodMemory, State

if TYPE_CHECKING:
    from poinsot.run.run import Run

FORMAT = 2
KINDS = {"f": "<f8", "i": "<i8", "u": "<u8", "b": "|b1"}  # of arrays that a file can hold
NO_CHECKPOINT: dict[str, Any] = {}  # of samples in the middle of a saved run


class Facts(NamedTuple):
    """What the header of an archive says of a run that has just begun; a Run has the same attributes."""

    trajectory: Trajectory
    method: Method
    step: float
    every: int
    versions: Mapping[str, str]
    reason: str
    command: str
    until: float | None


def header(run: "Facts | Run", more: Mapping[str, Any]) -> dict[str, Any]:
    """Return the first block of an archive; `more` has what only the running simulation knows."""
    x = run.trajectory
    control = x.mechanism.control
    return {
        "format": FORMAT,
        "model": to_data(x.mechanism),
        "method": run.method.label,
        "own_method": own_method_data(run.method),
        "step": run.step,
        "every": run.every,
        "start": float(x.time[0]),
        "nq": x.q.shape[1],
        "nv": x.v.shape[1],
        "versions": dict(run.versions),
        "reason": run.reason,
        "forces": list(x.forces),
        "command": run.command,
        "driven": list(x.file_columns),
        "until": run.until,
        "fingerprint": "",
        "scenario": x.mechanism.origin,
        "functions": functions_of(x.mechanism),
        "inputs": inputs_data(x.mechanism),
        "held": [force.label for force in control.forces],
        "controller": {"identity": control.identity} if control.forces else None,
        **({"system": x.facts.data()} if isinstance(x, SystemTrajectory) and x.facts is not None else {}),
        **more,
    }


def own_method_data(method: Method) -> dict[str, Any] | None:
    """Return what identifies an own method, with its facts; None of one of the catalogue."""
    return None if method.step is None else {**facts_of(method), "digest": fingerprint_of(method.step)}


def functions_of(mechanism: Mechanism) -> list[dict[str, str]]:
    """Return label and digest of each force that is given by a Python function."""
    found = []
    for force in mechanism.forces:
        given = [getattr(force, name, None) for name in ("function", "potential")]
        functions = [one for one in given if one is not None and own_formula(one, {}) is None]
        if functions:
            found.append({"label": force.label, "digest": " ".join(map(fingerprint_of, functions))})
    return found


def fingerprint_of(function: Any) -> str:
    """Return the digest of anything that can be called; empty if it cannot be compared."""
    found = identity_of(function)
    return "" if found.unknown else found.digest


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


def state_of_checkpoint(data: Mapping[str, Any]) -> State:
    """Return the state of a checkpoint: the inverse of `checkpoint`."""
    memory = data["memory"]
    if memory is not None:
        memory = MethodMemory(**{**memory, "cell": base64.b64decode(memory["cell"], validate=True)})
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
        "reason": run.reason,
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


def check_header(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the header, or raise a ValueError that names the field that is missing or of the wrong type."""
    if data.get("kind") == "ensemble":
        raise ArchiveError("this is the file of an ensemble, not of a run: read it with ps.load")
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
    "own_method": dict,
    "system": dict,
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
    "reason": "",
    "stopped": "",
    "recorded": {},
}


def check_ending(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the last block; fields that are missing or of the wrong type are left out."""
    kinds = {name: (int, float) if name == "seconds" else type(value) for name, value in ENDING.items()}
    return {name: data[name] for name, kind in kinds.items() if isinstance(data.get(name), kind)}


def inputs_data(mechanism: Mechanism) -> list[dict[str, Any]]:
    """Return the inputs of the controller of a mechanism as data, in their order."""
    return [_input_data(force) for force in mechanism.control.holds(mechanism)]


def _input_data(force: Held) -> dict[str, Any]:
    if isinstance(force, Hold):
        return {"joint": force.joint, "components": list(force.components)}
    return {"body": force.body, "name": force.key, "wrenches": force.wrenches.tolist()}


def mechanism_of(head: Mapping[str, Any]) -> Mechanism:
    """Return the mechanism of a header, with the inputs of its controller, which are held."""
    m = from_data(head["model"])
    identity = str((head.get("controller") or {}).get("identity", ""))
    found = [_held(one, m) for one in head.get("inputs") or ()]
    control = control_of(found, m)
    if control.names != tuple(head.get("driven", ()))[: len(control.names)]:
        raise ValueError("the inputs in the header are not those of the samples")
    if found:
        m.control = control._replace(identity=identity)
    there = Counter(force.label for force in found)
    missing = []
    for label in m.missing:
        if there[label]:
            there[label] -= 1
        else:
            missing.append(label)
    m.missing = tuple(missing)
    return m


def _held(data: Mapping[str, Any], m: Mechanism) -> Held:
    """Return the force of an input of the header; raise a ValueError or a ModelError if there is none."""
    if "joint" in data:
        components = tuple(data["components"])
        if not set(components) <= set(range(m.link(data["joint"]).joint.nv)):
            raise ValueError("an input in the header is at no joint")
        return Hold(data["joint"], components)
    wrenches = np.array(data["wrenches"], dtype=float)
    if wrenches.ndim != 2 or wrenches.shape[1] != 6 or not np.isfinite(wrenches).all():
        raise ValueError("an input in the header has no wrenches")
    m.link(data["body"])
    return HoldWrench(data["body"], str(data["name"]), wrenches)


def recorded_data(recorded: Mapping[str, Array]) -> dict[str, Any]:
    """Return arrays as data, without those that do not hold real numbers or truth values."""
    return {
        name: {
            "kind": KINDS[table.dtype.kind],
            "shape": list(table.shape),
            "values": base64.b64encode(table.astype(KINDS[table.dtype.kind]).tobytes()).decode(),
        }
        for name, table in recorded.items()
        if table.dtype.kind in KINDS
    }


def recorded_of(data: object, count: int) -> dict[str, Array]:
    """Return the arrays of their data; those that do not fit the number of samples are left out."""
    found = {}
    for name, one in (data if isinstance(data, Mapping) else {}).items():
        try:
            shape, values = tuple(map(int, one["shape"])), base64.b64decode(one["values"], validate=True)
            if one["kind"] not in KINDS.values() or shape[0] != count or min(shape) < 0:
                continue
            if math.prod(shape) * np.dtype(one["kind"]).itemsize == len(values):
                found[str(name)] = np.frombuffer(values, one["kind"]).reshape(shape)
        except (KeyError, TypeError, ValueError, IndexError, OverflowError):
            continue
    return found
