"""A run as a NetCDF file, for xarray (extra `files`)."""

import io
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from poinsot.errors import ScenarioError
from poinsot.formats.paths import PathLike, file_path, replaced, writing
from poinsot.run.run import Run

SPARE = 2**20  # bytes that HDF5 may need besides the samples


def to_netcdf(parts: Iterable[Run], path: PathLike) -> Path:
    """Write the parts of a run to a NetCDF file; an existing file is replaced by a complete one.

    HDF5 crashes the process if the disk is full: space is reserved before it writes.
    """
    target, begun = file_path(path), iter(parts)
    first, second = next(begun), next(begun, None)
    data, more = first.to_xarray(), {} if second is None else {"unlimited_dims": ["time"]}
    try:
        import h5netcdf  # noqa: F401 - xarray says of its absence only that an import failed
    except ImportError:
        raise ScenarioError("NetCDF files need h5netcdf: pip install 'poinsot[files]'") from None
    whole = io.BytesIO()
    data.to_netcdf(whole, engine="h5netcdf", **more)
    with writing(target), replaced(target) as fresh:
        fresh.write_bytes(whole.getbuffer())
        if second is not None:
            _append(fresh, len(first.time), second, begun)
    return target


def _append(path: Path, at: int, part: Run | None, rest: Iterator[Run]) -> None:
    """Add parts to a file that has `at` samples."""
    import h5netcdf

    while part is not None:
        data, end = part.to_xarray(), at + len(part.time)
        _reserve(path, 2 * data.nbytes + SPARE)
        with h5netcdf.File(path, "a") as file:
            file.resize_dimension("time", end)
            for name, values in data.variables.items():
                if "time" in values.dims:
                    file.variables[name][at:end] = values.values
        del data, values, part  # before the next part is read
        at, part = end, next(rest, None)


def _reserve(path: Path, size: int) -> None:
    """Let the file system keep space at the end of a file, or raise OSError."""
    if hasattr(os, "posix_fallocate"):
        with path.open("r+b") as file:
            os.posix_fallocate(file.fileno(), 0, path.stat().st_size + size)
