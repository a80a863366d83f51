"""A user's own Lagrangian in SymPy: derived, printed, compiled, simulated (needs the extra `symbolic`)."""

from poinsot.errors import PoinsotError

try:
    import sympy as _sympy
except ImportError:
    raise PoinsotError("ps.symbolic needs SymPy: pip install poinsot[symbolic]") from None

from poinsot.symbolic.frames import moving_frame
from poinsot.symbolic.groups import Ad, ad, exp, hat, log, vee
from poinsot.symbolic.system import System
from poinsot.symbolic.trees import of

__all__ = ["Ad", "System", "ad", "exp", "hat", "log", "moving_frame", "of", "vee"]

del _sympy, PoinsotError


def __dir__() -> list[str]:
    return __all__
