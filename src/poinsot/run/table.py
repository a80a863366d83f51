"""A run as one flat table with units: a CSV file, written part by part, or a pandas DataFrame."""

import csv
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.diagnostics.quantities import input_columns, recorded_columns, run_columns
from poinsot.diagnostics.system_trajectory import SystemTrajectory
from poinsot.errors import ModelError
from poinsot.formats.paths import PathLike, file_path, writing
from poinsot.model.checks import Array

if TYPE_CHECKING:
    from poinsot.run.run import Run

XYZ = ("x", "y", "z")
BODY = {
    "quaternion": ("", ("w", *XYZ)),
    "position": ("m", XYZ),
    "angular_velocity": ("rad/s", XYZ),
    "velocity": ("m/s", XYZ),
}
MOMENTA = {"angular_momentum": "kg m²/s", "linear_momentum": "kg m/s"}
WRENCHES = {f"{part}.{c}": unit for part, unit in (("torque", "N m"), ("force", "N")) for c in XYZ}
Columns = dict[str, tuple[str, Array]]  # unit and values (n,) by name


def columns(run: "Run", reactions: bool) -> Columns:
    """Return all columns but the time, those of joints first."""
    x = run.trajectory
    found: Columns = {one.label: (one.unit, one.values(x)) for one in run_columns(x)}
    found |= {one.label: (one.unit, one.values(x)) for one in input_columns(x)}
    for name, (table, labels, unit) in recorded_columns(run, len(x.time)).items():
        for label, values in zip(labels, table.T, strict=True):
            found[f"recorded.{name}.{label}" if label else f"recorded.{name}"] = unit, values
    if isinstance(x, SystemTrajectory):
        return {**found, **_of_system(x)}
    if reactions:
        for name, wrench in run.reactions.items():
            for (part, unit), values in zip(WRENCHES.items(), wrench.T, strict=True):
                found[f"{name}.reaction.{part}"] = unit, values
    found |= {name: ("J", getattr(run, name)) for name in ("kinetic", "potential", "energy", "work")}
    for name, unit in MOMENTA.items():
        found |= {f"{name}.{c}": (unit, getattr(run, name)[:, i]) for i, c in enumerate(XYZ)}
    for body in run.mechanism.names:
        for name, (unit, parts) in BODY.items():
            values = getattr(run, name)(body)
            found |= {f"{body}.{name}.{c}": (unit, values[:, i]) for i, c in enumerate(parts)}
    return found


def _of_system(x: SystemTrajectory) -> Columns:
    """Return the energies and the work of a system, and its multipliers."""
    assert x.facts is not None
    found = {
        name: ("J", x.answer(name)[:, 0]) for name in ("energy", "hamiltonian") if name in x.facts.widths
    }
    found["work"] = ("J", x.work)
    if "multipliers" in x.facts.widths:
        found |= {f"multiplier.{i + 1}": ("", one) for i, one in enumerate(x.answer("multipliers").T)}
    return found


def to_csv(parts: "Iterable[Run]", path: PathLike, reactions: bool = False) -> Path:
    """Write the parts of a run to a CSV file: a line per sample, after a line of names with units."""
    begun = iter(parts)
    first = next(begun)  # before the file is opened: it may be an archive that cannot be read
    head = {"time": ("s", first.time), **columns(first, reactions)}
    target = file_path(path)
    with writing(target), target.open("w", newline="", encoding="utf-8", errors="replace") as file:
        writer = csv.writer(file)
        writer.writerow(f"{name} [{unit}]" if unit else name for name, (unit, _) in head.items())
        del head
        for part in chain([first], begun):
            table = [part.time, *(values for _, values in columns(part, reactions).values())]
            writer.writerows(np.stack(table, axis=1).tolist())
    return target


def frame(run: "Run", reactions: bool = False) -> Any:
    """Return a run as a pandas DataFrame."""
    try:
        import pandas
    except ImportError:
        raise ModelError("to_pandas needs pandas: pip install 'poinsot[files]'") from None
    found = columns(run, reactions)
    made = pandas.DataFrame(
        {name: values for name, (_, values) in found.items()}, index=pandas.Index(run.time, name="time")
    )
    made.attrs["units"] = {"time": "s", **{name: unit for name, (unit, _) in found.items()}}
    return made
