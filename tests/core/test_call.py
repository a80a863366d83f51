"""`core.call`: a prepared call does what Numba's own call does, and nothing is typed or looked up in it."""

from collections import namedtuple

import numpy as np
import pytest
from numba import float64, int32, int64, types

from poinsot.core import call as calls
from poinsot.core.call import MISFIT, Call
from poinsot.core.jit import COMPILED, entry, foreign, pointer, ready

X = float64[::1]
POWER = float64(float64, int64)
Packed = namedtuple("Packed", "ints floats")
SIGNATURE = int64(
    types.FunctionType(POWER), int64, float64, int32, X, types.NamedTuple((int32[::1], X), Packed), X
)


@pytest.fixture(scope="module")
def weighted():
    def run(f, n, x, sign, a, pair, out):
        for i in range(out.size):
            out[i] = f(x, n) * a[i] + pair.floats[i] * pair.ints[i] * sign
        return out.size

    return ready(entry("tests.weighted", SIGNATURE)(run))


def power(x, n):
    if n < 0:
        raise ValueError("negative")
    return x**n


def arguments(n=2):
    pair = Packed(np.array([1, 2, 3], dtype=np.int32), np.array([0.5, 0.25, 0.125]))
    function = foreign(power, POWER)
    return [function, n, 1.5, -1, np.arange(3.0), pair, np.zeros(3)]


EXPECTED = 1.5**2 * np.arange(3.0) - np.array([0.5, 0.5, 0.375])


def test_a_call_gives_every_argument(weighted):
    given = arguments()
    assert Call(weighted, *given)() == 3
    assert (given[-1] == EXPECTED).all()


def test_a_function_may_be_a_pointer(weighted):
    """As in the passes of the variational methods, which are functions in a tuple."""
    given = arguments()
    if COMPILED:
        given[0] = pointer(ready(entry("tests.power", POWER)(lambda x, n: x**n)), POWER)
    Call(weighted, *given)()
    assert (given[-1] == EXPECTED).all()


def test_an_exception_of_a_function_arrives(weighted):
    with pytest.raises(ValueError, match="negative"):
        Call(weighted, *arguments(n=-1))()


def test_arrays_and_counts_can_be_replaced(weighted):
    call, other = Call(weighted, *arguments(n=3)), np.zeros(2)
    call.count(1, 2)
    call.point(6, other)
    assert call() == 2
    assert (other == EXPECTED[:2]).all()


def test_arrays_can_be_given_to_the_call(weighted):
    call = Call(weighted, *arguments(), given=(4, 6))
    a, out = np.arange(3.0), np.zeros(3)
    a.flags.writeable = False
    assert call.call(call.block, a, out) == 3
    assert (out == EXPECTED).all()
    assert call.call(call.block, np.zeros(4), out) == MISFIT
    assert call.call(call.block, a, np.zeros(2)) == MISFIT
    if COMPILED:
        assert call.call(call.block, np.zeros(6)[::2], out) == MISFIT, "it is not contiguous"
    assert (out == EXPECTED).all()


@pytest.mark.skipif(not COMPILED, reason="about compiled code")
def test_an_array_of_another_type_is_refused(weighted):
    for i, wrong in ((4, np.zeros(3, dtype=int)), (6, np.zeros(6)[::2]), (6, np.zeros((3, 1)))):
        given = arguments()
        given[i] = wrong
        with pytest.raises(AssertionError):
            Call(weighted, *given)


@pytest.mark.skipif(not COMPILED, reason="about compiled code")
def test_a_call_looks_nothing_up(weighted, monkeypatch):
    """No address, no type: they were found when the call was made."""
    call = Call(weighted, *arguments())
    call()

    def forbidden(*arguments, **options):
        raise AssertionError("looked up")

    monkeypatch.setattr(calls, "_addresses", forbidden)
    monkeypatch.setattr(calls, "_caller", forbidden)
    monkeypatch.setattr(type(weighted), "_compile_for_args", forbidden)
    monkeypatch.setattr(type(weighted), "get_compile_result", forbidden)
    assert call() == 3
