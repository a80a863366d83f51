"""What Poinsot assumes of Numba and llvmlite, tried: `poinsot doctor` runs it, and `make test-numba`.

    for name, fault in outcomes(): ...     fault is "" where the assumption holds

Each check compiles a few lines, which takes a second or two; nothing is kept on disk.
"""

import os
import tempfile
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numba import float64, types

from poinsot.core import kernel_cache
from poinsot.core.call import Call
from poinsot.core.jit import COMPILED, checked, entry, jit, ready
from poinsot.core.numba_parts.target import OPTIONS, Dispatcher, baseline, njit
from poinsot.core.numbers import functions as functions  # registers the primitives
from poinsot.core.numbers.arrays import alike, records
from poinsot.core.numbers.dual4 import dual
from poinsot.core.numbers.v4d import from_lanes, lane
from poinsot.elementary.trigonometry import sincos


class TwoNumbers(NamedTuple):
    """A record of two numbers."""

    a: float
    b: float


def _no_operation_is_fused() -> bool:
    a = 1.0 + 2.0**-30  # a^2 = 1 + 2^-29 + 2^-60, whose last bit only a fused operation sees

    def difference(a, c):  # type: ignore[no-untyped-def]
        return a * a + c

    return bool(njit(**OPTIONS)(difference)(a, -(1.0 + 2.0**-29)) == 0.0)


def _helpers_are_inlined() -> bool:
    @jit
    def twice(x):  # type: ignore[no-untyped-def]
        return x + x

    def outer(x):  # type: ignore[no-untyped-def]
        return twice(twice(x))

    compiled = njit(**OPTIONS)(outer)
    right = compiled(1.5) == 6.0
    (code,) = compiled.inspect_asm().values()
    return right and "twice" not in code.split("cfunc")[0]


def _lanes_are_numbers() -> bool:
    def third(a, b):  # type: ignore[no-untyped-def]
        return lane(from_lanes(a, b, a, b) * 2.0 + from_lanes(b, b, b, b), 1)

    return bool(njit(**OPTIONS)(third)(1.0, 3.0) == 9.0)


def _duals_differentiate() -> bool:
    def slope(x):  # type: ignore[no-untyped-def]
        y = dual(x, from_lanes(1.0, 0.0, 0.0, 0.0))
        return lane((y * y * y).tangent, 0)

    return bool(njit(**OPTIONS)(slope)(2.0) == 12.0)


def _records_are_views() -> bool:
    def swap(buffer):  # type: ignore[no-untyped-def]
        rows = records(buffer, 0, 2, TwoNumbers(0.0, 0.0))
        first = rows[0]
        rows[0] = rows[1]
        rows[1] = alike(first, TwoNumbers(first.b, first.a))

    buffer = np.array([1.0, 2.0, 3.0, 4.0])
    njit(**OPTIONS)(swap)(buffer)
    return buffer.tolist() == [3.0, 4.0, 2.0, 1.0]


def _formulas_are_ours() -> bool:
    def both(x):  # type: ignore[no-untyped-def]
        return sincos(x)

    return tuple(njit(**OPTIONS)(both)(0.7)) == tuple(sincos(0.7))


def _a_wrong_index_raises() -> bool:
    reads = checked(lambda x, i: x[i])

    def outer(x, i):  # type: ignore[no-untyped-def]
        return reads(x, i)

    try:
        njit(**OPTIONS)(outer)(np.zeros(3), 5)
    except IndexError:
        return True
    return False


def _entries_take_functions() -> bool:
    kind = types.FunctionType(float64(float64))
    half = ready(_entry("half", float64(float64))(lambda x: 0.5 * x))
    apply = ready(_entry("apply", float64(kind, float64))(lambda f, x: f(f(x))))
    return apply(half, 8.0) == 2.0 and Call(apply, half, 8.0)() == 2.0


def _kernels_are_found_on_disk() -> bool:
    def third(x):  # type: ignore[no-untyped-def]
        return x / 3.0

    before = len(kernel_cache.loaded)
    made = [ready(_entry("third", float64(float64))(third)) for _ in range(2)]
    return len(kernel_cache.loaded) == before + 1 and made[0](1.0) == made[1](1.0) == 1.0 / 3.0


def _code_is_for_the_baseline() -> bool:
    def one(x):  # type: ignore[no-untyped-def]
        return x + 1.0

    compiled = njit(**OPTIONS)(one)
    found = compiled(1.0) == 2.0 and isinstance(compiled, Dispatcher)
    (result,) = compiled.overloads.values()
    return found and result.library.codegen.magic_tuple()[1] == baseline()[0]


def _entry(name: str, signature: Any) -> Callable[..., Any]:
    return entry(f"self_test.{name}", signature)


def _symbols_have_numbers_of_their_own() -> bool:
    def twice(x):  # type: ignore[no-untyped-def]
        return x + x

    compiled = njit(**OPTIONS)(twice)
    compiled(1.5)
    (found,) = compiled.overloads.values()
    return int(found.fndesc.unique_name.rpartition("$")[2]) > 1 << 32  # Numba counts from 1


CHECKS: tuple[Callable[[], bool], ...] = (
    _no_operation_is_fused,
    _helpers_are_inlined,
    _lanes_are_numbers,
    _duals_differentiate,
    _records_are_views,
    _formulas_are_ours,
    _a_wrong_index_raises,
    _entries_take_functions,
    _kernels_are_found_on_disk,
    _code_is_for_the_baseline,
    _symbols_have_numbers_of_their_own,
)


def outcomes() -> Iterator[tuple[str, str]]:
    """Yield each assumption in words, and what is wrong with it: "" where it holds."""
    if not COMPILED:
        return
    home = os.environ.get("POINSOT_CACHE_DIR")
    with tempfile.TemporaryDirectory(prefix="poinsot-self-test-") as folder:
        os.environ["POINSOT_CACHE_DIR"] = folder
        kernel_cache.cache_folder.cache_clear()
        try:
            for check in CHECKS:
                yield check.__name__[1:].replace("_", " "), _fault(check)
        finally:
            os.environ.pop("POINSOT_CACHE_DIR")
            if home is not None:
                os.environ["POINSOT_CACHE_DIR"] = home
            kernel_cache.cache_folder.cache_clear()


def _fault(check: Callable[[], bool]) -> str:
    try:
        return "" if check() else "it does not hold"
    except Exception as error:
        return f"{type(error).__name__}: {error}".splitlines()[0]
