"""The names of Numba and llvmlite that are not public, and that code generators need.

Another minor release may change them: `versions` says which are allowed, `self_test` tries what we rely on.
"""

from llvmlite import ir
from numba.core import cgutils
from numba.core.base import BaseContext
from numba.core.errors import NumbaError, TypingError, UnsupportedBytecodeError
from numba.core.imputils import impl_ret_borrowed
from numba.core.typeconv import Conversion
from numba.core.typing.templates import Signature
from numba.np.arrayobj import populate_array

from poinsot.core.numba_parts.versions import check

__all__ = [
    "BaseContext",
    "Conversion",
    "NumbaError",
    "Signature",
    "TypingError",
    "UnsupportedBytecodeError",
    "cgutils",
    "impl_ret_borrowed",
    "ir",
    "populate_array",
]

check()
