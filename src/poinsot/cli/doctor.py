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

from poinsot.cli.options import AS_JSON
from poinsot.core.numba_parts.versions import COMPILERS, complaint, remark

PROGRAMS = ("numpy", "scipy", *COMPILERS, "click", "tqdm")
EXTRAS = {  # packages of each extra
    "plot": ("matplotlib",),
    "live": ("websockets",),
    "files": ("pandas", "xarray", "h5netcdf", "h5py"),
    "video": ("imageio-ffmpeg", "websockets"),
}
BASELINE = "from poinsot.core.numba_parts.target import baseline; print(*baseline())"
SELF_TEST = """
import json
from poinsot.core.numba_parts.self_test import outcomes
print(json.dumps(dict(outcomes())))
"""
VARIABLES = (
    "POINSOT_CACHE_DIR",
    "NUMBA_DISABLE_JIT",
    "NUMBA_NUM_THREADS",
    "NUMBA_CPU_NAME",
    "OMP_NUM_THREADS",
)


@click.command("doctor")
@AS_JSON
def doctor(as_json: bool) -> None:
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
    here = all(versions[name] for name in COMPILERS)
    brought, own = kernel_cache.folders() if here else (None, None)
    return {
        "poinsot": __version__,
        "package": str(kernel_cache.PACKAGE),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "versions": versions,
        "baseline": output_of(BASELINE),
        "compiler": complaint(versions["numba"]) if versions["numba"] else remark(),
        "self_test": json.loads(output_of(SELF_TEST) or "null"),
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


def output_of(script: str) -> str | None:
    """Return what another process prints, in which a compiler may be loaded; None if it fails."""
    path = os.pathsep.join(place for place in sys.path if place)
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
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
    if found["compiler"]:
        yield found["compiler"]
    if found["self_test"] is not None:
        faults, total = {k: v for k, v in found["self_test"].items() if v}, len(found["self_test"])
        yield f"self-test of the compiler: {total - len(faults)} of {total} assumptions hold"
        yield from (f"  fails: {name} ({fault})" for name, fault in faults.items())
    yield f"kernels: {amount(package)} in the package, {amount(cache)} in the user's cache"
    if not package["files"] and not cache["files"]:
        yield "  none: the first run of each method compiles for some seconds; `poinsot warm` does it now"
    yield f"cache: {found['cache']['folder']} ({amount(found['cache'])}, with those of other compilers)"
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
