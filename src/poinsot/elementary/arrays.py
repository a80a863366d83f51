"""`ArrayLike` of NumPy, under its own name where `help` shows it.

That of NumPy is a union, which `help` and `inspect.signature` write out in five lines; here it is a name.
Type checkers see that of NumPy.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.typing import ArrayLike as ArrayLike
else:

    class ArrayLike:
        """A number, nested sequences of numbers, or an array."""

    ArrayLike.__module__ = "builtins"  # shown without a module before it
