"""A lane of a v4d carries the bits of the scalar run, whatever its neighbours do.

One generic function is compiled for float64 and for v4d and run over the same memory: row i of the
scalar run is lane i % 4 of register i // 4.  The rows are all pairs of edge values, then random
numbers of all sizes, so that neighbouring lanes take different sides of every choice.
"""

import math
from typing import NamedTuple

import numpy as np
import pytest

from poinsot.core.jit import COMPILED, OPTIONS, jit
from poinsot.core.numba_parts.target import njit
from poinsot.core.numbers import mathematics  # noqa: F401 - registers math.* and powers
from poinsot.core.numbers import v4d as v4
from poinsot.core.numbers.arrays import alike, records
from poinsot.core.numbers.functions import maximum, minimum, nearest, some, sqrt, where
from poinsot.core.numbers.trigonometry import atan, sincos
from support.sample import sample

pytestmark = pytest.mark.skipif(not COMPILED, reason="lanes exist in compiled code only")

EDGE = [0.0, -0.0, 1.0, -1.0, 0.5, 3.0, -7.0, 5e-324, -1e-310, 1e-160, 1e5, -1.00001e5, 1e22, -1.7e308]
EDGE += [math.pi, math.nextafter(0.75 * math.pi, 0), math.inf, -math.inf, math.nan, 1e308]
RANDOM = np.random.default_rng(4)
PAIRS = np.array(np.meshgrid(EDGE, EDGE)).reshape(2, -1)
ROWS = np.hstack([PAIRS, RANDOM.normal(size=(2, 800)) * 10.0 ** RANDOM.integers(-9, 9, size=(2, 800))])
MOST = 12  # results of one function


@jit
def single():
    return 1.0


@jit
def four():
    return v4.from_lanes(1.0, 1.0, 1.0, 1.0)


def run(function, like, rows):
    """The doubles that `function(x, y)` leaves in memory, register by register."""
    function = njit(**OPTIONS)(function)

    @njit(**OPTIONS)
    def loop(x, y, out, n):
        result = function(like(), like())
        a, b, r = records(x, 0, n, like()), records(y, 0, n, like()), records(out, 0, n, result)
        for i in range(n):
            r[i] = function(a[i], b[i])
        return len(result)

    lanes = 4 if like is four else 1
    registers, out = rows.shape[1] // lanes, np.zeros(MOST * rows.shape[1])
    width = lanes * loop(rows[0].copy(), rows[1].copy(), out, registers)
    return out[: registers * width].reshape(registers, width)


def both_runs(function, rows):
    """The results (row, result) of the scalar run and of the lanes."""
    scalar, lanes = run(function, single, rows), run(function, four, rows)
    return scalar, lanes.reshape(len(lanes), -1, 4).swapaxes(1, 2).reshape(scalar.shape)


def assert_same_bits(scalar, lanes, rows):
    """Equal, zeros by their sign too; one NaN is as good as another."""
    nan = np.isnan(scalar)
    same = (nan & np.isnan(lanes)) | (scalar == lanes) & (np.signbit(scalar) == np.signbit(lanes))
    for row, result in np.argwhere(~same)[:1]:
        pytest.fail(
            f"result {result} of {rows[:, row]}: {scalar[row, result]!r}, lane {lanes[row, result]!r}"
        )


def in_place(x, y):
    a, b, c, d, e, f = x, x, x, x, x, x
    a += y
    b -= y
    c *= y
    d /= y
    e **= 2
    f += 1.5
    return a, b, c, d, e, f


def float_that_becomes_a_number(x, y):
    total, largest = 0.0, 1
    for _ in range(3):
        total, largest = total + x, maximum(largest, y)
    return total, largest, alike(x, 2.5)


FUNCTIONS = {
    "in place": in_place,
    "float that becomes a number": float_that_becomes_a_number,
    "arithmetic": lambda x, y: (x + y, x - y, x * y, x / y, -x, abs(x), x * y + x),
    "with floats": lambda x, y: (x + 0.1, 0.1 + x, x - 3, 3 - x, x * 0.1, 0.1 * x, x / 3, 3 / x),
    "< <= >": lambda x, y: (where(x < y, 1.0, 2.0), where(x <= y, 1.0, 2.0), where(x > y, 1.0, 2.0)),
    ">= == !=": lambda x, y: (where(x >= y, 1.0, 2.0), where(x == y, 1.0, 2.0), where(x != y, 1.0, 2.0)),
    "compared with floats": lambda x, y: (where(x < 1.0, x, y), where(1 >= x, x, y), where(0.5 != x, x, y)),  # noqa: SIM300
    "masks": lambda x, y: (where((x > 0.0) & (y > 0.0), x, y), where((x > 0.0) | (y > 0.0), x, y)),
    "minimum maximum": lambda x, y: (minimum(x, y), maximum(x, y), minimum(x, 1.0), maximum(1.0, y)),
    "nearest": lambda x, y: (nearest(x), nearest(x * y)),
    "roots": lambda x, y: (sqrt(x), sqrt(abs(x)), math.sqrt(x), math.fabs(x)),
    "sincos": lambda x, y: sincos(x),
    "atan": lambda x, y: (atan(x), atan(x / y)),
    "math.sin cos tan": lambda x, y: (math.sin(x), math.cos(x), math.tan(x)),
    "math.asin acos atan": lambda x, y: (math.asin(x), math.acos(x), math.atan(x)),
    "math.sinh cosh tanh": lambda x, y: (math.sinh(x), math.cosh(x), math.tanh(x)),
    "math.exp log": lambda x, y: (math.exp(x), math.log(x)),
    "powers": lambda x, y: (x**0, x**1, x**2, x**3, x**7, x**2.0, x**0.5, x**-1.7),
}


QUICK = "in place", "arithmetic", "masks", "sincos", "powers"


@pytest.mark.parametrize("name", sample(FUNCTIONS, *QUICK))
def test_a_lane_carries_the_bits_of_the_scalar_run(name):
    assert_same_bits(*both_runs(FUNCTIONS[name], ROWS), ROWS)


def test_a_negative_power_carries_the_bits_of_the_scalar_run():
    rows = np.where(np.abs(ROWS) < 1e-90, 1.5, ROWS)  # Numba's integer powers raise at 1/0
    assert_same_bits(*both_runs(lambda x, y: (x**-1, x**-3), rows), rows)


def test_some_holds_if_the_mask_holds_in_any_lane():
    def said(x, y):
        return (x + 1.0 if some(x > y) else x - x,)

    lanes = run(said, four, np.array([[0.0, 0, 0, 0, 0, 0, 0, 5], [1.0, 1, math.nan, 1, 1, 1, 1, 4]]))
    assert lanes.tolist() == [[0, 0, 0, 0], [1, 1, 1, 6]]


def test_minimum_and_maximum_choose_as_in_plain_python():
    rows = np.array([[0.0, -0.0, math.nan, 1.0], [-0.0, 0.0, 1.0, math.nan]])
    for choose in (minimum, maximum):
        plain = np.array([[choose(x, y)] for x, y in rows.T.tolist()])
        assert_same_bits(plain, run(lambda x, y, choose=choose: (choose(x, y),), single, rows), rows)


class Row(NamedTuple):
    first: float
    pair: tuple[float, float]


def test_records_load_and_store_at_any_alignment_and_turn_floats_into_lanes():
    @njit(**OPTIONS)
    def turn(x, out, start):
        like = Row(four(), (four(), four()))
        a, b = records(x, start, 2, like), records(out, start, 2, like)
        for i in range(2):
            b[i] = Row(a[i].pair[0], (2.5, a[i].first))
        b[1] = Row(b[1].first, (b[0].pair[1], -3))

    for start in range(4):  # doubles into memory that NumPy aligns to 16 bytes
        x, out = np.arange(30.0), np.full(30, np.nan)
        turn(x, out, start)
        a, b = x[start : start + 24].reshape(2, 3, 4), out[start : start + 24].reshape(2, 3, 4)
        assert np.array_equal(b[0], [a[0, 1], [2.5] * 4, a[0, 0]])
        assert np.array_equal(b[1], [a[1, 1], a[0, 0], [-3.0] * 4])
        assert np.isnan([*out[:start], *out[start + 24 :]]).all()
