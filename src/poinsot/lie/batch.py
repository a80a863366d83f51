"""Functions of `core.lie` on NumPy arrays with any leading axes: one compiled loop over rows for each.

    function = batched("so3.exp", so3.exp, inputs=[VECTOR], output=MATRIX)
    function(u)                          u (..., 3) -> (..., 3, 3)

The loop calls the kernel that the integrators use, so there is one formula for both.  It is
compiled at the first call (half a second, once on each machine).
"""

import reprlib
from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numba import float64, int64, void
from numpy.typing import ArrayLike, NDArray

from poinsot.core.jit import entry, ready
from poinsot.core.lie import mat3, quaternion, vec3
from poinsot.core.numbers.arrays import records
from poinsot.errors import ModelError

Array = NDArray[np.float64]
X = float64[::1]


class Kind(NamedTuple):
    """Layout of a value: its shape for the user, and the tuple that the kernel takes."""

    shape: tuple[int, ...]
    like: Any


VECTOR = Kind((3,), vec3.ZERO)
MATRIX = Kind((3, 3), mat3.IDENTITY)
QUATERNION = Kind((4,), quaternion.IDENTITY)
TWIST = Kind((6,), (vec3.ZERO, vec3.ZERO))
POSE = Kind((12,), (mat3.IDENTITY, vec3.ZERO))

BATCHED: dict[str, Any] = {}  # the loops, by the public names of their functions


def checked(name: str, value: ArrayLike, shape: tuple[int, ...]) -> Array:
    """Return the value as an array (..., *shape); raise a ModelError that names the function."""
    try:
        array = np.asarray(value)
        if array.dtype.kind not in "iufb" or isinstance(value, np.ma.MaskedArray):
            raise TypeError
        array = array.astype(np.float64)
    except Exception:  # ragged lists, and whatever `__array__` of a foreign object raises
        raise ModelError(f"{name}: expected real numbers, got {reprlib.repr(value)}") from None
    if array.ndim < len(shape) or array.shape[array.ndim - len(shape) :] != shape:
        wanted = ", ".join(["...", *map(str, shape)])
        raise ModelError(f"{name}: expected an array ({wanted}), got {array.shape}")
    return array


def _rows_loop(kernel: Any, inputs: Sequence[Kind], output: Kind) -> tuple[Any, Any]:
    """Return the loop over rows for a kernel of one or two arguments, and its signature."""
    result = output.like
    if len(inputs) == 1:
        (one,) = (kind.like for kind in inputs)

        def single(x: Any, out: Any, n: int) -> None:
            a, r = records(x, 0, n, one), records(out, 0, n, result)
            for i in range(n):
                r[i] = kernel(a[i])

        return single, void(X, X, int64)
    first, second = (kind.like for kind in inputs)

    def double(x: Any, y: Any, out: Any, n: int) -> None:
        a, b, r = records(x, 0, n, first), records(y, 0, n, second), records(out, 0, n, result)
        for i in range(n):
            r[i] = kernel(a[i], b[i])

    return double, void(X, X, X, int64)


def batched(name: str, kernel: Any, inputs: Sequence[Kind], output: Kind) -> Callable[..., Array]:
    """Return a kernel as a function of arrays; `name` is its public name, for the cache and for messages."""
    function, signature = _rows_loop(kernel, inputs, output)
    compiled = BATCHED[name] = entry(f"lie.{name}", signature)(function)

    def call(*values: ArrayLike) -> Array:
        arrays = [checked(name, value, kind.shape) for value, kind in zip(values, inputs, strict=True)]
        leading = [
            array.shape[: array.ndim - len(kind.shape)] for array, kind in zip(arrays, inputs, strict=True)
        ]
        try:
            lead = np.broadcast_shapes(*leading)
        except ValueError:
            raise ModelError(f"{name}: leading axes {leading} do not broadcast") from None
        flat = [
            np.array(np.broadcast_to(array, lead + kind.shape), order="C").reshape(-1)
            for array, kind in zip(arrays, inputs, strict=True)
        ]
        out = np.empty(lead + output.shape)
        ready(compiled)(*flat, out.reshape(-1), prod(lead))
        return out

    return call


def operator_of(name: str, kernel: Any, at: Kind, on: Kind) -> Callable[..., Array]:
    """Return a kernel f(x, y) that is linear in y as a function: f(x) gives the matrix, f(x, y) the value."""
    applied = batched(name, kernel, [at, on], on)

    def matrix_or_value(x: ArrayLike, y: ArrayLike | None = None) -> Array:
        if y is not None:
            return applied(x, y)
        spread = checked(name, x, at.shape)[..., None, :]
        return np.swapaxes(applied(spread, np.eye(on.shape[0])), -1, -2)

    return matrix_or_value
