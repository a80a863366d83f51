"""A run as labelled arrays: an xarray Dataset, and a NetCDF file of it (extra `files`)."""

import io
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import ModelError, ScenarioError
from poinsot.formats.paths import PathLike, file_path, replaced, writing

if TYPE_CHECKING:
    from poinsot.run.run import Run

CHUNK = 2**19  # bytes of a chunk: two fit into the cache that HDF5 has for each variable
SPARE = 2**22  # bytes that HDF5 may need for each variable besides its samples
QUANTITIES = {"quaternion": "wxyz", "position": "axis", "angular_velocity": "axis", "velocity": "axis"}


def contents(run: "Run") -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return the variables with their axes, the coordinates, and the attributes."""
    scalars = {
        "kinetic": run.kinetic,
        "potential": run.potential,
        "energy": run.energy,
        "work": run.work,
    }
    data: dict[str, Any] = {name: ("time", x) for name, x in scalars.items()}
    data["angular_momentum"] = (("time", "axis"), run.angular_momentum)
    data["linear_momentum"] = (("time", "axis"), run.linear_momentum)
    for quantity, axis in QUANTITIES.items():
        stacked = np.stack([getattr(run, quantity)(name) for name in run.mechanism.names], axis=1)
        data[quantity] = (("time", "body", axis), stacked)
    if run.trajectory.driven:
        data["input"] = (("time", "driven"), run.trajectory.inputs)
    coordinates = {
        "time": run.time,
        **({"driven": list(run.trajectory.driven)} if run.trajectory.driven else {}),
        "body": run.mechanism.names,
        "axis": list("xyz"),
        "wxyz": list("wxyz"),
    }
    return data, coordinates, {"method": run.method.label, "step": run.step, **run.versions}


def dataset(run: "Run") -> Any:
    """Return a run as an xarray Dataset."""
    try:
        import xarray
    except ImportError:
        raise ModelError("to_xarray needs xarray: pip install 'poinsot[files]'") from None
    return xarray.Dataset(*contents(run))


def to_netcdf(parts: "Iterable[Run]", path: PathLike) -> Path:
    """Write the parts of a run to a NetCDF file; an existing file is replaced by a complete one.

    HDF5 crashes the process if the disk is full: space is reserved before it writes.
    """
    target, begun = file_path(path), iter(parts)
    first, second = next(begun), next(begun, None)
    data = first.to_xarray()
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
            _append(fresh, len(first.time), second, begun)
    return target


def _chunks(data: Any) -> dict[str, Any]:
    """Return the chunks of all variables with a time: as many samples as make `CHUNK` bytes."""
    found = {}
    for name, values in data.variables.items():
        if "time" in values.dims:
            row = values.nbytes // len(data["time"])
            found[name] = {"chunksizes": (max(1, CHUNK // row), *values.shape[1:])}
    return found


def _append(path: Path, at: int, part: "Run | None", rest: "Iterator[Run]") -> None:
    """Add parts to a file that has `at` samples."""
    import h5netcdf

    needed = path.stat().st_size
    with h5netcdf.File(path, "a") as file:
        needed += SPARE * len(file.variables)
        while part is not None:
            data, end = part.to_xarray(), at + len(part.time)
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
