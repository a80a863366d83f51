"""Where a run comes from: versions of the programs, and the shell command that is being executed."""

import platform
from contextvars import ContextVar
from functools import cache

import numpy as np

from poinsot.core import kernel_cache
from poinsot.core.numba_parts.versions import versions as compilers
from poinsot.version import __version__

command: ContextVar[str] = ContextVar("command", default="")


@cache
def versions() -> dict[str, str]:
    """Return the versions on which the bits of a run depend."""
    return {
        "poinsot": __version__,
        "source": kernel_cache.digest(),
        "numba": compilers()["numba"],
        "numpy": np.__version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
    }
