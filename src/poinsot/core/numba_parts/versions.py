"""The releases of Numba that Poinsot is tested with.  (This file needs no compiler.)"""

import platform
import sys
from functools import cache

COMPILERS = ("numba", "llvmlite")
ALLOWED = ((0, 67), (0, 68))  # minor releases: `make test-numba` tests the older one
WANTED = "numba>=0.67,<0.69"  # the same in pyproject.toml


class CompilerError(ImportError):
    """Numba is missing, or a release of it that Poinsot does not know."""


@cache
def versions() -> dict[str, str]:
    """Return the versions of what compiles; in a program that carries them without records: imported."""
    from importlib import import_module, metadata

    found = {}
    for name in COMPILERS:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = import_module(name).__version__
    return found


def complaint(version: str) -> str:
    """Return what is wrong with a release of Numba and what to install; "" if nothing is."""
    numbers = version.split(".")[:2]
    if all(one.isdigit() for one in numbers) and tuple(map(int, numbers)) in ALLOWED:
        return ""
    minors = " or ".join(f"{major}.{minor}" for major, minor in ALLOWED)
    return f"Poinsot compiles with Numba {minors}, and {version} is installed: pip install '{WANTED}'"


def check() -> None:
    """Raise a CompilerError if this release of Numba is not allowed."""
    wrong = complaint(versions()["numba"])
    if wrong:
        raise CompilerError(wrong)


def remark() -> str:
    """Return why there may be no Numba for this machine; "" if there is no reason."""
    if sys.platform == "darwin" and platform.machine() == "x86_64":
        return (
            "Numba has no wheels for Macs with Intel processors any more: install it with conda "
            f"(conda install '{WANTED}'), or run Poinsot in a Linux container"
        )
    return ""
