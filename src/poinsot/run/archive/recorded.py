"""Recorded quantities (`simulate(record=...)`) in the last block of an archive: arrays of numbers as text."""

import base64
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from poinsot.model.checks import Array

KINDS = {"f": "<f8", "i": "<i8", "u": "<u8", "b": "|b1"}  # of arrays that a file can hold


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
