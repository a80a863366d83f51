"""Functions of `core.lie` on NumPy arrays with any leading axes: the tables `so3`, `se3` and `quaternion`.

    @by_kernel(so3.exp, VECTOR, MATRIX, u="Rotation vectors [rad]")      name, kernel, kinds and text
    def exp(u: ArrayLike) -> Array: ...                                  u (..., 3) -> (..., 3, 3)

Each has one compiled loop over rows, which calls the kernel that the integrators use, so there is one formula
for both.  It is compiled at the first call (half a second, once on each machine).
"""

import inspect
import reprlib
from collections.abc import Callable, Sequence
from functools import wraps
from math import prod
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numba import float64, int64, void
from numpy.typing import NDArray

from poinsot.core.jit import entry, ready
from poinsot.core.lie import mat3, quaternion, vec3
from poinsot.core.numbers.arrays import records
from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError

Array = NDArray[np.float64]
X = float64[::1]
Function = TypeVar("Function", bound=Callable[..., Any])


class ValueKind(NamedTuple):
    """Layout of a value: its shape for the user, the tuple that the kernel takes, and what it is."""

    shape: tuple[int, ...]
    like: Any
    text: str

    @property
    def axes(self) -> str:
        return f"({', '.join(['...', *map(str, self.shape)])})"

    @property
    def numbers(self) -> tuple[int, ...]:
        """Shape of the value in the compiled loop: a pose is the row (R, p)."""
        return (12,) if self.shape == (4, 4) else self.shape


VECTOR = ValueKind((3,), vec3.ZERO, "Vectors")
MATRIX = ValueKind((3, 3), mat3.IDENTITY, "Rotation matrices")
QUATERNION = ValueKind((4,), quaternion.IDENTITY, "Unit quaternions (w, x, y, z)")
TWIST = ValueKind((6,), (vec3.ZERO, vec3.ZERO), "Twists (w, v), angular part first [rad, m]")
POSE = ValueKind((4, 4), (mat3.IDENTITY, vec3.ZERO), "Poses ((R, p), (0, 1))")

BATCHED: dict[str, Any] = {}  # the loops, by the public names of their functions


def real_array(name: str, value: ArrayLike, shape: tuple[int, ...]) -> Array:
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


def _numbers(name: str, value: ArrayLike, kind: ValueKind) -> Array:
    """Return a value as the loop takes it; poses (..., 4, 4) as rows (R, p) of 12 numbers."""
    x = real_array(name, value, kind.shape)
    if kind.shape != (4, 4):
        return x
    return np.concatenate([x[..., :3, :3].reshape(*x.shape[:-2], 9), x[..., :3, 3]], axis=-1)


def _value(rows: Array, kind: ValueKind) -> Array:
    """Return what the loop gave as the user's value; rows (R, p) as poses (..., 4, 4)."""
    if kind.shape != (4, 4):
        return rows
    T = np.zeros((*rows.shape[:-1], 4, 4))
    T[..., :3, :3] = rows[..., :9].reshape(*rows.shape[:-1], 3, 3)
    T[..., :3, 3] = rows[..., 9:]
    T[..., 3, 3] = 1.0
    return T


def _rows_loop(kernel: Any, inputs: Sequence[ValueKind], output: ValueKind) -> tuple[Any, Any]:
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


def _run(
    name: str, compiled: Any, arrays: Sequence[Array], inputs: Sequence[ValueKind], output: ValueKind
) -> Array:
    """Run a loop over arrays whose leading axes broadcast."""
    both = list(zip(arrays, inputs, strict=True))
    leading = [array.shape[: array.ndim - len(kind.numbers)] for array, kind in both]
    try:
        lead = np.broadcast_shapes(*leading)
    except ValueError:
        raise ModelError(f"{name}: leading axes {leading} do not broadcast") from None
    flat = [np.array(np.broadcast_to(x, lead + kind.numbers), order="C").reshape(-1) for x, kind in both]
    out = np.empty(lead + output.numbers)
    ready(compiled)(*flat, out.reshape(-1), prod(lead))
    return out


def described(*kinds: ValueKind, **texts: str) -> Callable[[Function], Function]:
    """Return a decorator that completes a docstring with shapes and arguments.

    `*kinds`: kinds of the arguments, then that of the result; `**texts`: what an argument is, where its kind
    does not say it.  A second argument with the default None makes it an operator: f(x) is a matrix.
    """
    *inputs, output = kinds

    def decorate(function: Function) -> Function:
        parameters = inspect.signature(function).parameters
        operator = [*parameters.values()][-1].default is None
        text, _, example = inspect.cleandoc(function.__doc__ or "").partition(">>>")
        first, _, rest = text.strip().partition("\n")
        shape = f"(..., {output.shape[0]}, {output.shape[0]}) or {output.axes}" if operator else output.axes
        lines = ["Parameters\n----------"]
        for i, (name, kind) in enumerate(zip(parameters, inputs, strict=True)):
            more = ", to apply the matrix to" if operator and i else ""
            lines.append(f"{name} : {texts.get(name, kind.text)}{more}, {kind.axes}.")
        parts = [
            f"{first[:-1]}, {shape}.",
            rest.strip(),
            "\n".join(lines),
            f">>>{example}" if example else "",
        ]
        function.__doc__ = "\n\n".join(filter(None, parts)) + "\n"
        return function

    return decorate


def by_kernel(kernel: Any, *kinds: ValueKind, loop: str = "", **texts: str) -> Callable[[Function], Function]:
    """Return a decorator that gives a function its body, a compiled loop over a kernel, and its docstring.
    `kernel`: function of `core.lie`; `loop`: name of a loop to share; the rest as of `described`."""
    *inputs, output = kinds

    def decorate(function: Function) -> Function:
        name = f"{function.__module__.rsplit('.', 1)[-1]}.{function.__name__}"
        if not loop:
            body, types = _rows_loop(kernel, inputs, output)
            BATCHED[name] = entry(f"lie.{name}", types)(body)
        compiled, signature = BATCHED[loop or name], inspect.signature(function)
        operator = [*signature.parameters.values()][-1].default is None

        def run(*arrays: Array) -> Array:
            return _run(name, compiled, arrays, inputs, output)

        @wraps(function)
        def call(*values: Any, **named: Any) -> Array:
            if named or len(values) != len(inputs):
                values = signature.bind(*values, **named).args
            arrays = [
                _numbers(name, x, kind)
                for i, (x, kind) in enumerate(zip(values, inputs, strict=False))
                if not (operator and i and x is None)
            ]
            if operator and len(arrays) == 1:
                return np.swapaxes(run(arrays[0][..., None, :], np.eye(output.shape[0])), -1, -2)
            return _value(run(*arrays), output)

        return described(*kinds, **texts)(call)  # type: ignore[return-value] # it is called as the function is

    return decorate
