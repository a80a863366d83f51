"""Where a run comes from: versions of the programs, and the shell command that is being executed."""

import platform
from contextvars import ContextVar
from functools import cache

import numpy as np

from poinsot.version import __version__

command: ContextVar[str] = ContextVar("command", default="")


@cache
def versions() -> dict[str, str]:
    """Return the versions on which the bits of a run depend."""
    import numba

    from poinsot.core.kernel_cache import digest

    return {
        "poinsot": __version__,
        "source": digest(),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
    }
