"""A run as a NetCDF file, for xarray (extra `files`)."""

import io
from pathlib import Path

from poinsot.errors import ScenarioError
from poinsot.formats.paths import PathLike, file_path, replaced, writing
from poinsot.run.run import Run


def to_netcdf(run: Run, path: PathLike) -> Path:
    """Write all samples of a run to a NetCDF file; an existing file is replaced by a complete one."""
    target, data = file_path(path), run.to_xarray()
    try:
        import h5netcdf  # noqa: F401 - xarray says of its absence only that an import failed
    except ImportError:
        raise ScenarioError("NetCDF files need h5netcdf: pip install 'poinsot[files]'") from None
    whole = io.BytesIO()  # in memory first: HDF5 crashes the process if the disk is full
    data.to_netcdf(whole, engine="h5netcdf")
    with writing(target), replaced(target) as fresh:
        fresh.write_bytes(whole.getbuffer())
    return target
