"""A run as a CSV table: one line per sample, one column per number, with all digits."""

import csv
from pathlib import Path
from typing import Any

import numpy as np

from poinsot.formats.paths import PathLike, file_path, writing

PARTS = {
    "quaternion": ("w", "x", "y", "z"),
    "position": ("x", "y", "z"),
    "angular_velocity": ("x", "y", "z"),
    "velocity": ("x", "y", "z"),
}


def to_csv(run: Any, path: PathLike) -> Path:
    """Write a run to a CSV file, with columns such as `top.quaternion.w`."""
    names, columns = ["time", "kinetic", "potential"], [run.time, run.kinetic, run.potential]
    for quantity in ("angular_momentum", "linear_momentum"):
        names += [f"{quantity}.{axis}" for axis in "xyz"]
        columns += list(getattr(run, quantity).T)
    for body in run.mechanism.names:
        for quantity, axes in PARTS.items():
            names += [f"{body}.{quantity}.{axis}" for axis in axes]
            columns += list(getattr(run, quantity)(body).T)
    target = file_path(path)
    with writing(target), target.open("w", newline="", encoding="utf-8", errors="replace") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows(np.stack(columns, axis=1).tolist())
    return target
