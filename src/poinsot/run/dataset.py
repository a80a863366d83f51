"""A run as labelled arrays: an xarray Dataset, and a NetCDF file of it (extra `files`)."""

import io
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.diagnostics.quantities import columns_of, input_columns, recorded_columns
from poinsot.diagnostics.system_trajectory import SystemTrajectory
from poinsot.errors import ModelError, ScenarioError
from poinsot.formats.paths import PathLike, file_path, replaced, writing
from poinsot.run.table import MOMENTA, WRENCHES, columns

if TYPE_CHECKING:
    from poinsot.run.run import Run

CHUNK = 2**19  # bytes of a chunk: two fit into the cache that HDF5 has for each variable
SPARE = 2**22  # bytes that HDF5 may need for each variable besides its samples
QUANTITIES = {
    "quaternion": ("wxyz", ""),
    "position": ("axis", "m"),
    "angular_velocity": ("axis", "rad/s"),
    "velocity": ("axis", "m/s"),
}
Variables = dict[str, tuple[Any, ...]]  # axes, values and attributes by name


def contents(run: "Run", reactions: bool = False) -> tuple[Variables, dict[str, Any], dict[str, Any]]:
    """Return the variables with their axes and units, the coordinates, and the attributes."""
    attributes = {"method": run.method.label, "step": run.step, **run.versions}
    clock = ("time", run.time, {"long_name": "time [s]"})  # "units" would make xarray decode them
    if isinstance(run.trajectory, SystemTrajectory):  # a variable each
        flat = {name.replace("/", "_"): one for name, one in columns(run, False).items()}
        found = {name: ("time", x, {"units": unit} if unit else {}) for name, (unit, x) in flat.items()}
        return found, {"time": clock}, attributes
    data: Variables = {
        name: ("time", getattr(run, name), {"units": "J"})
        for name in ("kinetic", "potential", "energy", "work")
    }
    for name, unit in MOMENTA.items():
        data[name] = (("time", "axis"), getattr(run, name), {"units": unit})
    for quantity, (axis, unit) in QUANTITIES.items():
        stacked = np.stack([getattr(run, quantity)(name) for name in run.mechanism.names], axis=1)
        data[quantity] = (("time", "body", axis), stacked, {"units": unit} if unit else {})
    coordinates: dict[str, Any] = {
        "time": clock,
        "body": run.mechanism.names,
        "axis": list("xyz"),
        "wxyz": list("wxyz"),
    }
    _add_joints(run, data, coordinates)
    for name, (table, labels, unit) in recorded_columns(run, len(run.time)).items():
        own = f"recorded.{name.replace('/', '_')}"  # no name in a NetCDF file has a slash
        axes = "time" if table.shape[1] == 1 else ("time", f"{own}.part")
        data[own] = (axes, table[:, 0] if axes == "time" else table, {"units": unit} if unit else {})
        coordinates |= {} if axes == "time" else {f"{own}.part": list(labels)}
    if reactions:
        data["reaction"] = (("time", "joint", "wrench"), np.stack(list(run.reactions.values()), axis=1))
        coordinates |= {"joint": list(run.reactions), "wrench": list(WRENCHES)}
    return data, coordinates, attributes


def _add_joints(run: "Run", data: Variables, coordinates: dict[str, Any]) -> None:
    """Add coordinates and rates of joints, and inputs: the axis of each has names and units."""
    joints = columns_of(run.mechanism)
    for name, axis, array, found in (
        ("joint_coordinate", "coordinate", "q", [one for one in joints if one.array == "q"]),
        ("joint_rate", "rate", "v", [one for one in joints if one.array == "v"]),
        ("input", "driven", "inputs", input_columns(run.trajectory)),
    ):
        if found:
            data[name] = (("time", axis), getattr(run.trajectory, array))
            coordinates[axis] = [one.owner if axis == "driven" else one.label for one in found]
            coordinates[f"{axis}_units"] = (axis, [one.unit for one in found])


def dataset(run: "Run", reactions: bool = False) -> Any:
    """Return a run as an xarray Dataset."""
    try:
        import xarray
    except ImportError:
        raise ModelError("to_xarray needs xarray: pip install 'poinsot[files]'") from None
    return xarray.Dataset(*contents(run, reactions))


def to_netcdf(parts: "Iterable[Run]", path: PathLike, reactions: bool = False) -> Path:
    """Write the parts of a run to a NetCDF file; an existing file is replaced by a complete one.

    HDF5 crashes the process if the disk is full: space is reserved before it writes.
    """
    target, begun = file_path(path), iter(parts)
    first, second = next(begun), next(begun, None)
    data = dataset(first, reactions)
    try:
        import h5netcdf  # noqa: F401 - xarray says of its absence only that an import failed
    except ImportError:
        raise ScenarioError("NetCDF files need h5netcdf: pip install 'poinsot[files]'") from None
    more = {} if second is None else {"unlimited_dims": ["time"], "encoding": _chunks(data)}
    whole = io.BytesIO()
    data.to_netcdf(whole, engine="h5netcdf", **more)
    with writing(target), replaced(target) as fresh:
        fresh.write_bytes(whole.getbuffer())
        if second is not None:
            _append(fresh, len(first.time), second, begun, reactions)
    return target


def _chunks(data: Any) -> dict[str, Any]:
    """Return the chunks of all variables with a time: as many samples as make `CHUNK` bytes."""
    found = {}
    for name, values in data.variables.items():
        if "time" in values.dims:
            row = values.nbytes // len(data["time"])
            found[name] = {"chunksizes": (max(1, CHUNK // row), *values.shape[1:])}
    return found


def _append(path: Path, at: int, part: "Run | None", rest: "Iterator[Run]", reactions: bool) -> None:
    """Add parts to a file that has `at` samples."""
    import h5netcdf

    needed = path.stat().st_size
    with h5netcdf.File(path, "a") as file:
        needed += SPARE * len(file.variables)
        while part is not None:
            data, end = dataset(part, reactions), at + len(part.time)
            needed += data.nbytes + data.nbytes // 50
            _reserve(path, needed)
            file.resize_dimension("time", end)
            for name, values in data.variables.items():
                if "time" in values.dims:
                    file.variables[name][at:end] = values.values
            del data, values, part  # before the next part is read
            at, part = end, next(rest, None)
    h5netcdf.File(path, "a").close()  # gives back what was reserved and not needed


def _reserve(path: Path, size: int) -> None:
    """Let the file system keep space for a file up to a size, or raise OSError."""
    if hasattr(os, "posix_fallocate"):
        with path.open("r+b") as file:
            os.posix_fallocate(file.fileno(), 0, size)
