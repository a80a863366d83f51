"""Where a run comes from: versions, and the command of the shell that is at work."""

import platform
from contextvars import ContextVar
from functools import cache

import numba
import numpy as np

from poinsot.core.kernel_cache import digest
from poinsot.version import __version__

command: ContextVar[str] = ContextVar("command", default="")


@cache
def versions() -> dict[str, str]:
    """What the bits of a run depend on."""
    return {
        "poinsot": __version__,
        "source": digest(),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
    }
