"""A dual4 carries the bits of the scalar run in its value, and exact slopes in its four tangents.

The truth for the slopes is the complex step: the same source, run in mpmath at x + 1e-50 i, where
1e50 Im f is the derivative to all digits.
"""

import math
from functools import cache
from types import FunctionType

import mpmath
import numpy as np
import pytest

from poinsot.core.jit import COMPILED, OPTIONS, jit
from poinsot.core.lie import quaternion as core_quaternion
from poinsot.core.lie import so3 as core_so3
from poinsot.core.numba_parts.target import njit
from poinsot.core.numbers import mathematics  # noqa: F401 - registers math.* and powers
from poinsot.core.numbers.arrays import alike, records
from poinsot.core.numbers.dual4 import dual
from poinsot.core.numbers.functions import maximum, minimum, nearest, sqrt, where
from poinsot.core.numbers.trigonometry import atan, sincos
from poinsot.core.numbers.v4d import from_lanes
from poinsot.lie import quaternion, so3
from support.sample import sample

pytestmark = pytest.mark.skipif(not COMPILED, reason="duals exist in compiled code only")

EPS = np.finfo(float).eps
RANDOM = np.random.default_rng(5)
EDGE = [0.0, -0.0, 1.0, -1.0, 0.5, -7.0, 1e-160, 1e5, -1.00001e5, 1e22, -1e308, math.inf, -math.inf, math.nan]
EVERY = np.hstack([np.array(np.meshgrid(EDGE, EDGE)).reshape(2, -1), RANDOM.normal(size=(2, 200))])
UNIT = np.hstack([RANDOM.uniform(0.02, 1.0, size=(2, 30)), [[0.9999, 0.99], [0.3, 0.999999]]])
WIDE = RANDOM.uniform(0.1, 30.0, size=(2, 30)) * RANDOM.choice([-1.0, 1.0], size=(2, 30))
FAR = 1e4 * WIDE


@jit
def single():
    return 1.0


@jit
def five():
    return dual(1.0, from_lanes(1.0, 1.0, 1.0, 1.0))


@cache
def compiled(function, like):
    """function(x, y) for n rows of numbers; gives the count of its results."""
    function = njit(**OPTIONS)(function)

    @njit(**OPTIONS)
    def loop(x, y, out, n):
        result = function(like(), like())
        a, b, r = records(x, 0, n, like()), records(y, 0, n, like()), records(out, 0, n, result)
        for i in range(n):
            r[i] = function(a[i], b[i])
        return len(result)

    return loop


def run(function, like, x, y):
    """Rows of numbers in, (row, result, doubles of a number) out."""
    out = np.zeros(50 * len(x))
    shape = len(x), compiled(function, like)(np.ravel(x), np.ravel(y), out, len(x)), np.size(x) // len(x)
    return out[: math.prod(shape)].reshape(shape)


def run_with_tangents(function, rows):
    """The results, and the tangents of x and y: two unit directions and two random ones."""
    tangents = np.random.default_rng(6).normal(size=(2, rows.shape[1], 4))
    tangents[:, :, :2] = np.eye(2)[:, None, :]
    return run(function, five, *np.concatenate([rows[:, :, None], tangents], axis=2)), *tangents


def in_place(x, y):
    a, b, c, d, e = x, x, x, x, x
    a += y
    b -= y
    c *= y
    d /= y
    e **= 3
    return a, b, c, d, e


SMOOTH = {
    "in place": in_place,
    "arithmetic": lambda x, y: (x + y, x - y, x * y, x / y, -x, x * y * x),
    "with floats": lambda x, y: (x + 0.1, 0.1 + x, x - 3, 3 - x, x * 0.1, 0.1 * x, x / 3, 3 / x),
    "roots": lambda x, y: (sqrt(x), math.sqrt(y), sqrt(x * y)),
    "sincos": lambda x, y: sincos(x),
    "atan": lambda x, y: (atan(x), math.atan(y)),
    "math.sin cos tan": lambda x, y: (math.sin(x), math.cos(x), math.tan(x)),
    "math.asin acos": lambda x, y: (math.asin(x), math.acos(x)),
    "math.sinh cosh": lambda x, y: (math.sinh(x), math.cosh(x)),
    "math.tanh": lambda x, y: (math.tanh(x), math.tanh(y)),
    "math.log10 log1p expm1": lambda x, y: (math.log10(x), math.log1p(y), math.expm1(x)),
    "math.exp log": lambda x, y: (math.exp(x), math.log(y)),
    "powers": lambda x, y: (x**1, x**2, x**5, x**2.0, x**0.5, x**-1.7),
}
WIDE_TOO = ("arithmetic", "with floats", "sincos", "atan", "math.sin cos tan", "math.sinh cosh", "math.tanh")
FAR_TOO = ("sincos", "math.sin cos tan")
CHOICES = {
    "where": lambda x, y: (where(x < y, x, y), where(x <= 0.5, x, 0.0), where(x > y, 0.0, y)),
    "where equal": lambda x, y: (where(x >= y, x, y), where(0.5 == x, x, y), where(x != y, x, y)),  # noqa: SIM300
    "minimum maximum": lambda x, y: (minimum(x, y), maximum(x, y), minimum(x, 1.0), maximum(1.0, y)),
    "alike nearest": lambda x, y: (alike(x, 2.5), alike(x, 3), nearest(x)),
    "abs": lambda x, y: (abs(x), math.fabs(y)),
}


QUICK = "in place", "arithmetic", "sincos", "powers", "where", "abs"


@pytest.mark.parametrize("name", sample([*SMOOTH, *CHOICES], *QUICK))
def test_the_value_carries_the_bits_of_the_scalar_run(name):
    function = {**SMOOTH, **CHOICES}[name]
    value, scalar = run_with_tangents(function, EVERY)[0][:, :, 0], run(function, single, *EVERY)[:, :, 0]
    nan = np.isnan(scalar)
    assert np.array_equal(nan, np.isnan(value))
    assert np.array_equal(value[~nan], scalar[~nan])
    assert np.array_equal(np.signbit(value[~nan]), np.signbit(scalar[~nan]))


def slopes(function, x, y):
    """df/dx and df/dy of every result, by the complex step."""
    names = {"math": mpmath, "sqrt": mpmath.sqrt, "atan": mpmath.atan}
    names["sincos"] = lambda z: (mpmath.sin(z), mpmath.cos(z))
    precise = FunctionType(function.__code__, names)
    with mpmath.workdps(120):
        x, y, step = mpmath.mpf(x), mpmath.mpf(y), mpmath.mpf(10) ** -50
        steps = (mpmath.mpc(x, step), y), (x, mpmath.mpc(y, step))
        return [[float(mpmath.im(result) / step) for result in precise(*z)] for z in steps]


@pytest.mark.parametrize("name", sample(SMOOTH, "in place", "arithmetic", "sincos", "powers"))
def test_the_tangents_are_the_slopes_of_the_complex_step(name):
    rows = np.hstack([UNIT] + [WIDE] * (name in WIDE_TOO) + [FAR] * (name in FAR_TOO))
    out, dx, dy = run_with_tangents(SMOOTH[name], rows)
    truth = np.array([slopes(SMOOTH[name], *row) for row in rows.T])  # (row, x or y, result)
    along_x, along_y = truth[:, 0, :, None] * dx[:, None, :], truth[:, 1, :, None] * dy[:, None, :]
    error = np.abs(out[:, :, 1:] - (along_x + along_y))
    tolerance = 6 * EPS * (np.abs(along_x) + np.abs(along_y))  # a slope is a handful of roundings
    assert np.max(error - tolerance) <= 0


PAIRS = {
    "atan2": lambda x, y: (math.atan2(x, y), math.atan2(x, 0.3), math.atan2(-0.7, y)),
    "hypot": lambda x, y: (math.hypot(x, y), math.hypot(x, 2.0), math.hypot(2.0, y)),
    "min max": lambda x, y: (min(x, y), max(x, y), min(x, 0.4), max(0.4, y)),
    "math.pow": lambda x, y: (math.pow(x, 3), math.pow(y, 0.5)),
}


@pytest.mark.parametrize("name", PAIRS)
def test_functions_of_two_numbers_have_the_slopes_of_differences(name):
    """Central differences with 1e-6: error 1e-12 of the third derivative, 1e-10 of rounding."""
    out, dx, dy = run_with_tangents(PAIRS[name], UNIT)
    step = 1e-6
    ends = [
        np.array([PAIRS[name](x + s * step * (k == 0), y + s * step * (k == 1)) for x, y in UNIT.T])
        for k in (0, 1)
        for s in (1, -1)
    ]
    along_x, along_y = (ends[0] - ends[1]) / (2 * step), (ends[2] - ends[3]) / (2 * step)
    expected = along_x[:, :, None] * dx[:, None, :] + along_y[:, :, None] * dy[:, None, :]
    assert out[:, :, 1:] == pytest.approx(expected, rel=1e-6, abs=1e-6 * np.abs(expected).max())


def test_the_slope_of_a_choice_is_that_of_the_chosen_side():
    rows = np.array([[-1.0, 2.0], [3.0, -4.0]])
    out, dx, dy = run_with_tangents(lambda x, y: (abs(x), math.fabs(y), minimum(x, y), maximum(x, 1.0)), rows)
    assert np.array_equal(out[0, :, 1:], [-dx[0], dy[0], dx[0], 0 * dx[0]])
    assert np.array_equal(out[1, :, 1:], [dx[1], -dy[1], dy[1], dx[1]])


def test_where_drops_the_slope_of_the_side_not_taken():
    def guarded(x, y):
        return where(x > 0.0, sqrt(x), 2.0 * x), where(x == 0.0, x, x / y)

    out, dx, _ = run_with_tangents(guarded, np.zeros((2, 1)))
    assert np.array_equal(out[0, :, 1:], [2.0 * dx[0], dx[0]])


def test_the_power_zero_has_no_slope():
    out, _, _ = run_with_tangents(lambda x, y: (x**0, x**0.0), np.array([[0.0, 2.0], [0.0, 2.0]]))
    assert np.array_equal(out, np.tile([1.0, 0.0, 0.0, 0.0, 0.0], (2, 2, 1)))


def test_a_float_and_a_whole_number_have_no_slope():
    out, _, _ = run_with_tangents(lambda x, y: (alike(x, 2.5), nearest(x)), np.array([[2.2], [0.0]]))
    assert out.tolist() == [[[2.5, 0, 0, 0, 0], [2.0, 0, 0, 0, 0]]]


@pytest.mark.parametrize(
    ("core", "group"), [(core_so3, so3), (core_quaternion, quaternion)], ids=["so3", "quaternion"]
)
def test_exp_and_log_differentiate_at_the_identity_and_away_from_it(core, group):
    rows = np.array([[0.0, 1e-200, 1e-9, 0.02, 0.3, 1.3], [0.0, 0.0, 1e-9, 0.1, -0.7, 0.4]])
    u = np.stack([rows[0], rows[1], 2 * rows[0]], axis=-1)
    out, dx, dy = run_with_tangents(lambda x, y: core.exp((x, y, 2.0 * x)), rows)
    back, _, _ = run_with_tangents(lambda x, y: core.log(core.exp((x, y, 2.0 * x))), rows)
    for k in range(4):
        du = np.stack([dx[:, k], dy[:, k], 2 * dx[:, k]], axis=-1)
        truth = group.compose(group.hat(group.dexp(u, du)), group.exp(u))
        assert np.abs(out[:, :, 1 + k] - truth.reshape(len(u), -1)).max() < 8 * EPS  # |du| < 5; measured 4
        assert np.abs(back[:, :, 1 + k] - du).max() < 8 * EPS  # measured 3
