"""A run as a table of text: one line a sample, one column a number, all digits."""

import csv
import os
from pathlib import Path
from typing import Any

import numpy as np

from poinsot.errors import ScenarioError

PARTS = {
    "quaternion": ("w", "x", "y", "z"),
    "position": ("x", "y", "z"),
    "angular_velocity": ("x", "y", "z"),
    "velocity": ("x", "y", "z"),
}


def to_csv(run: Any, path: str | os.PathLike[str]) -> Path:
    """Columns are named like `top.quaternion.w`."""
    names, columns = ["time", "kinetic", "potential"], [run.time, run.kinetic, run.potential]
    for word in ("angular_momentum", "linear_momentum"):
        names += [f"{word}.{axis}" for axis in "xyz"]
        columns += list(getattr(run, word).T)
    for body in run.mechanism.names:
        for word, axes in PARTS.items():
            names += [f"{body}.{word}.{axis}" for axis in axes]
            columns += list(getattr(run, word)(body).T)
    target = Path(path)
    try:
        with target.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(names)
            writer.writerows(np.stack(columns, axis=1).tolist())
    except OSError as error:
        raise ScenarioError(f"{target}: cannot be written: {error.strerror}") from None
    return target
