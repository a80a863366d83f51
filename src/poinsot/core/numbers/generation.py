"""Types of Numba and LLVM in the code generators of the number types."""

from collections.abc import Callable
from typing import Any, TypeAlias

from numba import types

from poinsot.core.numba_parts.internals import BaseContext, Signature, ir

Builder: TypeAlias = ir.IRBuilder
Context: TypeAlias = BaseContext
Value: TypeAlias = ir.Value
Type: TypeAlias = types.Type
Implementation: TypeAlias = Callable[..., Any] | None  # of an overload; None: not for these types
Intrinsic: TypeAlias = tuple[Signature, Callable[..., Value]]  # the signature and the generator of the code
