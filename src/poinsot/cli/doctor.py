"""`poinsot doctor`: what this installation is made of, where its kernels come from, and what is missing."""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

PROGRAMS = ("numpy", "scipy", "numba", "llvmlite", "click", "tqdm")
EXTRAS = {  # packages of each extra
    "plot": ("matplotlib",),
    "files": ("xarray", "h5netcdf", "h5py"),
    "video": ("imageio-ffmpeg",),
}
BASELINE = "from poinsot.core.target import baseline; print(*baseline())"
VARIABLES = (
    "POINSOT_CACHE_DIR",
    "NUMBA_DISABLE_JIT",
    "NUMBA_NUM_THREADS",
    "NUMBA_CPU_NAME",
    "OMP_NUM_THREADS",
)


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def command(as_json: bool) -> None:
    """Describe the installation: versions, compiled kernels, processors, and what is missing."""
    found = facts()
    click.echo(json.dumps(found) if as_json else "\n".join(lines(found)))


def facts() -> dict[str, Any]:
    """Return what is known of this installation; no compiler is loaded."""
    from poinsot.core import kernel_cache
    from poinsot.version import __version__
    from poinsot.view.browser import find
    from poinsot.warm.workers import processors

    versions = {name: version(name) for name in PROGRAMS}
    here = all(versions[name] for name in kernel_cache.COMPILERS)
    brought, own = kernel_cache.folders() if here else (None, None)
    return {
        "poinsot": __version__,
        "package": str(kernel_cache.PACKAGE),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "versions": versions,
        "baseline": baseline(),
        "digest": kernel_cache.digest() if here else None,
        "kernels": {"package": contents(brought), "cache": contents(own)},
        "cache": {"folder": str(kernel_cache.cache_home()), **contents(kernel_cache.cache_home(), "**/*")},
        "processors": {"usable": processors(), "all": os.cpu_count()},
        "variables": {name: os.environ[name] for name in VARIABLES if name in os.environ},
        "missing": {
            extra: [name for name in names if not version(name)]
            for extra, names in EXTRAS.items()
            if not all(map(version, names))
        },
        "browser": find(),
    }


def version(name: str) -> str | None:
    """Return the version of an installed package; None if it is not installed."""
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def baseline() -> str | None:
    """Return the processor that kernels are compiled for, as another process says; None if it cannot."""
    path = os.pathsep.join(place for place in sys.path if place)
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", BASELINE], env=environment, capture_output=True, text=True)
    return done.stdout.strip() or None


def contents(folder: Path | None, pattern: str = "*.kernel") -> dict[str, Any]:
    """Return how many files a folder has, and their size."""
    sizes = [path.stat().st_size for path in folder.glob(pattern) if path.is_file()] if folder else []
    return {"files": len(sizes), "bytes": sum(sizes)}


def lines(found: dict[str, Any]) -> Iterator[str]:
    """Yield the facts for people."""
    versions = ", ".join(f"{name} {number or 'missing'}" for name, number in found["versions"].items())
    package, cache = found["kernels"]["package"], found["kernels"]["cache"]
    yield f"poinsot {found['poinsot']} in {found['package']}"
    yield f"{found['python']} on {found['system']}; {versions}"
    if found["baseline"]:
        yield f"kernels are compiled for {found['baseline']}; digest of their source {found['digest']}"
    else:
        yield "kernels cannot be compiled: importing Numba fails (python -c 'import numba' says why)"
    yield f"kernels of this source: {amount(package)} in the package, {amount(cache)} in the user's cache"
    if not package["files"] and not cache["files"]:
        yield "  none: the first run of each method compiles for some seconds; `poinsot warm` does it now"
    yield f"cache: {found['cache']['folder']} ({amount(found['cache'])}, with those of older sources)"
    yield f"processors: {found['processors']['usable']} usable of {found['processors']['all']}"
    for name, value in found["variables"].items():
        yield f"{name}={value}"
    for extra, names in found["missing"].items():
        yield f"missing: {', '.join(names)} (pip install 'poinsot[{extra}]')"
    if found["browser"] is None:
        yield "missing: Chromium or Chrome, for films"


def amount(counted: dict[str, Any]) -> str:
    """Return number and size of files in words."""
    return f"{counted['files']} files, {counted['bytes'] / 1e6:.1f} MB" if counted["files"] else "none"
