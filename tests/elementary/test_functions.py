"""Elementary functions against multiprecision: less than one unit in the last place; special values."""

import math

import mpmath
import numpy as np
import pytest

from poinsot.elementary import arctangent, exponential, logarithm, power, trigonometry

COUNT = 200
INF, NAN = math.inf, math.nan
TINY, SMALL, LARGE = 5e-324, 1e-310, 1.7976931348623157e308


def numbers(*ranges):
    """Random numbers: ("log", a, b) between 10^a and 10^b of either sign, ("lin", a, b) between a and b."""
    random = np.random.default_rng(11)
    found = []
    for kind, a, b in ranges:
        x = random.uniform(a, b, COUNT)
        found.append(x if kind == "lin" else 10.0**x * random.choice([-1.0, 1.0], COUNT))
    return np.concatenate(found)


ALL = numbers(("log", -323, 308), ("lin", -3, 3), ("log", -16, 0))
ANGLES = numbers(("log", -323, 5), ("lin", -4, 4), ("lin", -1e5, 1e5), ("log", 5, 308))
ANGLES = np.append(
    ANGLES, [6381956970095103.0 * 2.0**797, 1e22, 2.0**1023, 355.0, 1e5, math.nextafter(1e5, 2e5)]
)
RATIOS = np.append(numbers(("lin", -1, 1), ("log", -323, 0)), 1 - 10.0 ** np.linspace(-15, -1, COUNT))
POSITIVE = np.abs(np.append(ALL, 1 + numbers(("log", -15, -1))))

UNARY = {  # ours, exact, where, and the largest error that was measured (3000 numbers of each range)
    "exp": (exponential.exp, mpmath.exp, numbers(("lin", -746, 710), ("log", -20, 0)), 0.60),
    "exp2": (
        exponential.exp2,
        lambda x: mpmath.power(2, x),
        numbers(("lin", -1076, 1024), ("log", -9, 0)),
        0.6,
    ),
    "expm1": (exponential.expm1, mpmath.expm1, numbers(("lin", -60, 710), ("log", -323, 0)), 0.53),
    "sinh": (
        exponential.sinh,
        mpmath.sinh,
        numbers(("lin", -711, 711), ("lin", -45, 45), ("log", -323, 1)),
        0.53,
    ),
    "cosh": (
        exponential.cosh,
        mpmath.cosh,
        numbers(("lin", -711, 711), ("lin", -45, 45), ("log", -20, 1)),
        0.53,
    ),
    "tanh": (exponential.tanh, mpmath.tanh, numbers(("lin", -25, 25), ("log", -323, 1)), 0.53),
    "log": (logarithm.log, mpmath.log, POSITIVE, 0.51),
    "log2": (logarithm.log2, lambda x: mpmath.log(x) / mpmath.log(2), POSITIVE, 0.51),
    "log10": (logarithm.log10, lambda x: mpmath.log(x) / mpmath.log(10), POSITIVE, 0.51),
    "log1p": (logarithm.log1p, mpmath.log1p, np.append(POSITIVE, RATIOS[RATIOS > -1]), 0.51),
    "asinh": (logarithm.asinh, mpmath.asinh, ALL, 0.51),
    "acosh": (logarithm.acosh, mpmath.acosh, 1 + POSITIVE, 0.51),
    "atanh": (logarithm.atanh, mpmath.atanh, RATIOS[np.abs(RATIOS) < 1], 0.51),
    "cbrt": (power.cbrt, lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)), ALL, 0.53),
    "sin": (trigonometry.sin, mpmath.sin, ANGLES, 0.80),
    "cos": (trigonometry.cos, mpmath.cos, ANGLES, 0.80),
    "tan": (trigonometry.tan, mpmath.tan, ANGLES, 0.88),
    "atan": (arctangent.atan, mpmath.atan, ALL, 0.80),
    "asin": (arctangent.asin, mpmath.asin, RATIOS, 0.60),
    "acos": (arctangent.acos, mpmath.acos, np.append(RATIOS, -RATIOS), 0.53),
}
BASES, POWERS = POSITIVE, np.resize(numbers(("lin", -2, 2), ("lin", -60, 60), ("log", -9, 3)), len(POSITIVE))
Y, X = ALL, np.random.default_rng(4).permutation(ALL)
BINARY = {
    "atan2": (arctangent.atan2, mpmath.atan2, (Y, X), 0.55),
    "hypot": (power.hypot, mpmath.hypot, (Y, X), 0.76),  # 0.5 but where the result is not normal
    "pow": (power.pow, mpmath.power, (BASES, POWERS), 0.60),
}


def worst(computed, exact):
    """The largest error in units of the last place; where the exact result overflows, infinity is right."""
    errors = []
    for a, b in zip(computed.tolist(), exact, strict=True):
        near = float(b)
        if math.isinf(near) or math.isinf(a):
            assert a == near, (a, b)
        else:
            errors.append(float(abs(a - b) / math.ulp(near)))
    return max(errors)


@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_number_are_wrong_by_less_than_one_ulp(name):
    ours, exact, x, measured = UNARY[name]
    with mpmath.workprec(1300 if name in ("sin", "cos", "tan") else 200), np.errstate(all="ignore"):
        assert worst(ours(x), [exact(mpmath.mpf(one)) for one in x.tolist()]) <= measured < 1


@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_numbers_are_wrong_by_less_than_one_ulp(name):
    ours, exact, (x, y), measured = BINARY[name]
    pairs = zip(x.tolist(), y.tolist(), strict=True)
    with mpmath.workprec(200), np.errstate(all="ignore"):
        assert worst(ours(x, y), [exact(mpmath.mpf(a), mpmath.mpf(b)) for a, b in pairs]) <= measured < 1


PI = math.pi
# fmt: off
SPECIAL = {  # as in Annex F of the standard of C
    "exp": [
        (0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (NAN, NAN), (710.0, INF), (-746.0, 0.0),
        (-745.0, TINY), (TINY, 1.0),
    ],
    "exp2": [
        (0.0, 1.0), (INF, INF), (-INF, 0.0), (NAN, NAN), (1024.0, INF), (-1074.0, TINY), (10.0, 1024.0),
        (-3.0, 0.125),
    ],
    "expm1": [
        (0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -1.0), (NAN, NAN), (TINY, TINY), (-TINY, -TINY),
        (-800.0, -1.0),
    ],
    "sinh": [
        (0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (NAN, NAN), (711.0, INF), (-711.0, -INF),
        (-SMALL, -SMALL),
    ],
    "cosh": [(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, INF), (NAN, NAN), (711.0, INF), (TINY, 1.0)],
    "tanh": [(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (NAN, NAN), (LARGE, 1.0), (TINY, TINY)],
    "log": [(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (INF, INF), (-1.0, NAN), (-INF, NAN), (NAN, NAN)],
    "log2": [
        (0.0, -INF), (1.0, 0.0), (INF, INF), (-1.0, NAN), (NAN, NAN), (TINY, -1074.0), (8.0, 3.0),
        (2.0**1000, 1000.0),
    ],
    "log10": [(0.0, -INF), (1.0, 0.0), (INF, INF), (-1.0, NAN), (NAN, NAN), (1000.0, 3.0), (1e22, 22.0)],
    "log1p": [
        (0.0, 0.0), (-0.0, -0.0), (-1.0, -INF), (-2.0, NAN), (INF, INF), (-INF, NAN), (NAN, NAN),
        (-TINY, -TINY),
    ],
    "asinh": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (NAN, NAN), (TINY, TINY)],
    "acosh": [(1.0, 0.0), (INF, INF), (0.5, NAN), (-INF, NAN), (NAN, NAN)],
    "atanh": [
        (0.0, 0.0), (-0.0, -0.0), (1.0, INF), (-1.0, -INF), (1.5, NAN), (INF, NAN), (NAN, NAN),
        (-TINY, -TINY),
    ],
    "cbrt": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (NAN, NAN), (27.0, 3.0), (-1e-300, -1e-100)],
    "sin": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (NAN, NAN), (TINY, TINY), (-SMALL, -SMALL)],
    "cos": [(0.0, 1.0), (-0.0, 1.0), (INF, NAN), (-INF, NAN), (NAN, NAN), (TINY, 1.0)],
    "tan": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (NAN, NAN), (TINY, TINY), (-SMALL, -SMALL)],
    "atan": [
        (0.0, 0.0), (-0.0, -0.0), (INF, PI / 2), (-INF, -PI / 2), (NAN, NAN), (-TINY, -TINY),
        (1.0, PI / 4),
    ],
    "asin": [
        (0.0, 0.0), (-0.0, -0.0), (1.0, PI / 2), (-1.0, -PI / 2), (1.1, NAN), (INF, NAN), (NAN, NAN),
        (TINY, TINY),
    ],
    "acos": [(1.0, 0.0), (-1.0, PI), (0.0, PI / 2), (-0.0, PI / 2), (1.1, NAN), (-INF, NAN), (NAN, NAN)],
}
SPECIAL2 = {
    "atan2": [
        (0.0, 1.0, 0.0), (-0.0, 1.0, -0.0), (0.0, -1.0, PI), (-0.0, -1.0, -PI), (0.0, 0.0, 0.0),
        (-0.0, 0.0, -0.0), (0.0, -0.0, PI), (-0.0, -0.0, -PI), (1.0, 0.0, PI / 2),
        (-1.0, -0.0, -PI / 2), (1.0, INF, 0.0), (-1.0, INF, -0.0), (1.0, -INF, PI), (-1.0, -INF, -PI),
        (INF, 1.0, PI / 2), (-INF, 1.0, -PI / 2), (INF, INF, PI / 4), (INF, -INF, 3 * PI / 4),
        (-INF, INF, -PI / 4), (NAN, 1.0, NAN), (1.0, NAN, NAN), (TINY, 1.0, TINY), (TINY, TINY, PI / 4),
        (LARGE, LARGE, PI / 4), (TINY, LARGE, 0.0), (-TINY, -LARGE, -PI),
    ],
    "hypot": [
        (0.0, 0.0, 0.0), (-0.0, 0.0, 0.0), (3.0, -4.0, 5.0), (INF, NAN, INF), (NAN, -INF, INF),
        (NAN, 0.0, NAN), (LARGE, LARGE, INF), (LARGE, 0.0, LARGE), (TINY, 0.0, TINY),
        (0.0, -SMALL, SMALL), (1.0, TINY, 1.0),
    ],
    "pow": [
        (0.0, 3.0, 0.0), (-0.0, 3.0, -0.0), (-0.0, 2.0, 0.0), (0.0, -1.0, INF), (-0.0, -1.0, -INF),
        (0.0, -2.0, INF), (-0.0, -2.0, INF), (-0.0, 0.5, 0.0), (0.0, 0.0, 1.0), (NAN, 0.0, 1.0),
        (1.0, NAN, 1.0), (NAN, 2.0, NAN), (2.0, NAN, NAN), (-1.0, INF, 1.0), (-1.0, -INF, 1.0),
        (0.5, INF, 0.0), (0.5, -INF, INF), (2.0, INF, INF), (2.0, -INF, 0.0), (-INF, 3.0, -INF),
        (-INF, 2.0, INF), (-INF, -3.0, -0.0), (INF, -1.0, 0.0), (INF, 1.0, INF), (-INF, 0.5, INF),
        (-8.0, 1 / 3, NAN), (-2.0, 3.0, -8.0), (-2.0, -2.0, 0.25), (2.0, -1074.0, TINY),
        (2.0, 1024.0, INF), (10.0, -400.0, 0.0), (1.0000000001, 1e300, INF), (0.9999, 1e300, 0.0),
        (10.0, 22.0, 1e22), (-1.0, 9007199254740991.0, -1.0), (-1.0, 9007199254740992.0, 1.0),
        (-3.0, 0.5, NAN), (TINY, 0.5, 2.0**-537),
    ],
}
# fmt: on


def same(a, b):
    return (math.isnan(a) and math.isnan(b)) or (a == b and math.copysign(1.0, a) == math.copysign(1.0, b))


@pytest.mark.parametrize("name", SPECIAL)
def test_special_values_of_functions_of_one_number(name):
    table = SPECIAL[name]
    with np.errstate(all="ignore"):
        found = UNARY[name][0](np.array([x for x, _ in table])).tolist()
    wrong = [(x, a, b) for (x, b), a in zip(table, found, strict=True) if not same(a, b)]
    assert not wrong


@pytest.mark.parametrize("name", SPECIAL2)
def test_special_values_of_functions_of_two_numbers(name):
    table = SPECIAL2[name]
    with np.errstate(all="ignore"):
        found = BINARY[name][0](*np.array([(x, y) for x, y, _ in table]).T).tolist()
    wrong = [(row, a) for row, a in zip(table, found, strict=True) if not same(a, row[2])]
    assert not wrong
