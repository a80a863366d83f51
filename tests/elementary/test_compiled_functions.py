"""The same source compiled: all number types have the bits of NumPy arrays; `math` and `np` mean ours."""

import math
import re

import mpmath
import numpy as np
import pytest

from poinsot.core.jit import COMPILED, OPTIONS
from poinsot.core.numba_parts.target import njit
from poinsot.core.numbers import mathematics  # noqa: F401 - registers math.*, np.* and powers
from poinsot.core.numbers.dual4 import dual
from poinsot.core.numbers.v4d import from_lanes, lane
from poinsot.elementary import arctangent, exponential, logarithm, power, trigonometry

pytestmark = pytest.mark.skipif(not COMPILED, reason="about compiled code")
RANDOM = np.random.default_rng(8)
EDGES = [
    0.0,
    -0.0,
    math.inf,
    -math.inf,
    math.nan,
    1.0,
    -1.0,
    5e-324,
    -1e-310,
    1.7e308,
    0.5,
    2.0,
    -3.0,
    1e22,
    1e5,
    2e5,
]
WIDE = RANDOM.normal(size=84) * 10.0 ** RANDOM.integers(-9, 9, 84)
IN_DOMAINS = RANDOM.uniform(-1, 1, 16), RANDOM.uniform(1, 30, 8)  # of acos, asin and atanh, and of acosh
NUMBERS = np.concatenate([EDGES, WIDE, *IN_DOMAINS])
MODULES = {
    trigonometry: "sin cos tan",
    arctangent: "asin acos atan",
    exponential: "sinh cosh tanh exp exp2 expm1",
    logarithm: "asinh acosh atanh log log2 log10 log1p",
    power: "cbrt",
}
UNARY = {name: getattr(module, name) for module, names in MODULES.items() for name in names.split()}
IN_NUMPY = {name: getattr(np, re.sub("^a(?=sin|cos|tan)", "arc", name)) for name in UNARY}


def bits(x):
    """Numbers as integers, all NaN alike."""
    return np.where(np.isnan(x), np.nan, x).view(np.int64)


def kernels(name):
    """`math.name` on floats, on lanes and on duals (value and tangent), and np.name on arrays."""
    f, g = getattr(math, name), IN_NUMPY[name]

    @njit(**OPTIONS)
    def run(x, out):
        out[4] = g(x)
        for i in range(x.size):
            out[0, i] = f(x[i])
            y = f(dual(x[i], from_lanes(2.0, 0.0, 0.0, 0.0)))
            out[2, i], out[3, i] = y.value, lane(y.tangent, 0)
        for i in range(0, x.size, 4):
            y = f(from_lanes(x[i], x[i + 1], x[i + 2], x[i + 3]))
            for k in range(4):
                out[1, i + k] = lane(y, k)

    return run


@pytest.mark.parametrize("name", ["tan"])
def test_every_number_type_has_the_bits_of_numpy_arrays(name):
    check(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", UNARY)
def test_all_functions_have_the_bits_of_numpy_arrays(name):
    check(name)


def check(name):
    out = np.zeros((5, NUMBERS.size))
    kernels(name)(NUMBERS, out)
    with np.errstate(all="ignore"):
        plain = UNARY[name](NUMBERS)
        tested = np.isfinite(plain * out[3]) & (np.abs(NUMBERS) < 30) & (np.abs(NUMBERS) > 1e-3)
    for row in (0, 1, 2, 4):
        assert np.array_equal(bits(out[row]), bits(plain)), row
    exact = {"exp2": lambda x: mpmath.power(2, x), "log2": lambda x: mpmath.log(x) / mpmath.log(2)}
    function = exact.get(name) or getattr(mpmath, name)
    for x, slope in zip(NUMBERS[tested], out[3][tested], strict=True):
        if name == "cbrt" and x < 0:
            continue
        with mpmath.workdps(40):
            true = 2 * mpmath.diff(function, mpmath.mpf(x))
        assert slope == pytest.approx(float(mpmath.re(true)), rel=1e-13), x  # a quotient of rounded numbers
    assert tested.sum() > 10


def test_functions_of_two_numbers_and_powers():
    @njit(**OPTIONS)
    def run(x, y, out):
        out[0], out[1], out[2] = np.arctan2(x, y), np.hypot(x, y), np.power(x, y)
        for i in range(x.size):
            out[3, i], out[4, i], out[5, i] = (
                math.atan2(x[i], y[i]),
                math.hypot(x[i], y[i]),
                math.pow(x[i], y[i]),
            )
            out[6, i] = x[i] ** y[i]
        for i in range(0, x.size, 4):
            a, b = (
                from_lanes(x[i], x[i + 1], x[i + 2], x[i + 3]),
                from_lanes(y[i], y[i + 1], y[i + 2], y[i + 3]),
            )
            p, q, r = math.atan2(a, b), math.hypot(a, b), a**b
            for k in range(4):
                out[7, i + k], out[8, i + k], out[9, i + k] = lane(p, k), lane(q, k), lane(r, k)

    x, y = (np.ravel(part) for part in np.meshgrid(NUMBERS[:32], NUMBERS[4:36]))
    out = np.zeros((10, x.size))
    run(x, y, out)
    with np.errstate(all="ignore"):
        plain = [f(x, y) for f in (arctangent.atan2, power.hypot, power.pow)]
    for row, expected in zip(out, [*plain, *plain, plain[2], *plain], strict=True):
        assert np.array_equal(bits(row), bits(expected))


def test_integer_powers_are_products():
    @njit(**OPTIONS)
    def run(x, n):
        return x**3, x**n, x**-2

    x = 1.2345678901234567
    assert run(x, 3) == (x * (x * x), x * (x * x), 1.0 / (x * x))


def test_products_of_arrays_are_summed_from_the_first_to_the_last_element():
    @njit(**OPTIONS)
    def run(A, x):
        return A @ x, x @ A, A @ A, np.dot(A, x), np.dot(x, x), np.linalg.norm(x)

    A, x = RANDOM.normal(size=(5, 5)), RANDOM.normal(size=5)

    def row(a, b):
        total = 0.0
        for one, other in zip(a.tolist(), b.tolist(), strict=True):
            total += one * other
        return total

    wanted = np.array([row(a, x) for a in A])
    found = run(A, x)
    assert np.array_equal(found[0], wanted)
    assert np.array_equal(found[3], wanted)
    assert np.array_equal(found[1], [row(x, a) for a in A.T])
    assert np.array_equal(found[2], [[row(a, b) for b in A.T] for a in A])
    assert found[4:] == (row(x, x), math.sqrt(row(x, x)))


LIBRARY = "sin cos tan asin acos atan atan2 sinh cosh tanh exp expm1 log log2 log10 log1p pow hypot cbrt"


def test_no_function_of_the_c_library_is_called():
    @njit(**OPTIONS)
    def run(x, a):
        y = math.sin(x) + math.exp(x) + x**1.5 + math.atan2(x, 2.0) + np.log(x) + np.tanh(x) + math.cos(2.0)
        return y + np.dot(a, a) + np.linalg.norm(np.sin(a)) + x % 0.3

    run(1.0, np.ones(3))
    called = set(re.findall(r"\$([A-Za-z_]\w*)", "".join(run.inspect_asm().values())))
    assert "fmod" in called  # the test sees calls, and this one is exact
    assert not called & set(LIBRARY.split())
    assert not [name for name in called if re.match("numba_(xx|ez|raw)", name)]  # BLAS and LAPACK
