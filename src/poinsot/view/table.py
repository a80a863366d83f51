"""A run as a table: a CSV file or a NetCDF file, written part by part."""

import csv
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import numpy as np

from poinsot.diagnostics.trajectory import Trajectory
from poinsot.formats.paths import PathLike, file_path, writing
from poinsot.model.checks import Array

PARTS = {
    "quaternion": ("w", "x", "y", "z"),
    "position": ("x", "y", "z"),
    "angular_velocity": ("x", "y", "z"),
    "velocity": ("x", "y", "z"),
}


def to_csv(parts: Iterable[Trajectory], path: PathLike) -> Path:
    """Write the parts of a run to a CSV file: a line per sample, with columns such as `top.quaternion.w`."""
    begun = iter(parts)
    first = next(begun)  # before the file is opened: it may be an archive that cannot be read
    target = file_path(path)
    with writing(target), target.open("w", newline="", encoding="utf-8", errors="replace") as file:
        writer = csv.writer(file)
        writer.writerow(_names(first))
        for part in chain([first], begun):
            writer.writerows(_table(part).tolist())
    return target


def _names(run: Trajectory) -> list[str]:
    """Return the names of the columns."""
    names = ["time", "kinetic", "potential"]
    names += [f"{quantity}.{axis}" for quantity in ("angular_momentum", "linear_momentum") for axis in "xyz"]
    for body in run.mechanism.names:
        names += [f"{body}.{quantity}.{axis}" for quantity, axes in PARTS.items() for axis in axes]
    return names


def _table(run: Trajectory) -> Array:
    """Return all columns, with all digits."""
    columns = [run.time, run.kinetic, run.potential, *run.angular_momentum.T, *run.linear_momentum.T]
    for body in run.mechanism.names:
        for quantity in PARTS:
            columns += list(getattr(run.motions[body], quantity).T)
    return np.stack(columns, axis=1)
