"""Types of Numba and LLVM in the code generators of the number types."""

from collections.abc import Callable
from typing import Any, TypeAlias

from llvmlite import ir
from numba import types
from numba.core.base import BaseContext
from numba.core.typing.templates import Signature

Builder: TypeAlias = ir.IRBuilder
Context: TypeAlias = BaseContext
Value: TypeAlias = ir.Value
Type: TypeAlias = types.Type
Implementation: TypeAlias = Callable[..., Any] | None  # of an overload; None: not for these types
Intrinsic: TypeAlias = tuple[Signature, Callable[..., Value]]  # the signature and the generator of the code
