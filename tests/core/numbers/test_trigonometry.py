"""Sine, cosine and arctangent against fifty digits: less than one unit in the last place."""

import math

import mpmath
import numpy as np
import pytest

from poinsot.core.jit import OPTIONS
from poinsot.core.numba_parts.target import njit
from poinsot.core.numbers.trigonometry import LIMIT, atan, atan_ratio, sincos

RANDOM = np.random.default_rng(3)
COUNT = 1500


def either_sign(low, high):
    return RANDOM.uniform(low, high, COUNT) * RANDOM.choice([-1.0, 1.0], COUNT)


def around(points):
    """The points and their neighbours among the doubles."""
    points = np.asarray(points, dtype=float)
    return np.concatenate([np.nextafter(points, -np.inf), points, np.nextafter(points, np.inf)])


ANGLES = {
    "tiny": 10.0 ** RANDOM.uniform(-300, -1, COUNT),
    "first quarter": either_sign(0.0, math.pi / 4),
    "a few turns": either_sign(0.7, 40.0),
    "up to the limit": either_sign(40.0, LIMIT),
    "multiples of a quarter turn": around(np.arange(1, 63000, 61) * (math.pi / 2)),
    "odd eighths of a turn": around((np.arange(0, 63000, 61) + 0.5) * (math.pi / 2)),
    "worst cases": np.array(
        [11.0, 22.0, 33.0, 344.0, 355.0, 710.0, 52174.0, 573204.0, 6381956970095103.0 * 2**20]
    ),
    "around the limit": around([LIMIT, -LIMIT, LIMIT + 1e-7]),
    "beyond the limit": either_sign(LIMIT, 1e9),
}
TANGENTS = {
    "tiny": 10.0 ** RANDOM.uniform(-300, -1, COUNT),
    "below one": either_sign(0.0, 1.0),
    "above one": either_sign(1.0, 3.0),
    "large": 10.0 ** RANDOM.uniform(0, 300, COUNT),
    "switches": around(
        [7 / 16, 11 / 16, 19 / 16, 39 / 16, 1.0, math.tan(math.pi / 8), 1 / math.tan(math.pi / 8)]
    ),
}


@njit(**OPTIONS)
def sines_and_cosines(x):
    out = np.empty((2, x.size))
    for i in range(x.size):
        out[0, i], out[1, i] = sincos(float(x[i]))
    return out


@njit(**OPTIONS)
def arctangents(x):
    out = np.empty(x.size)
    for i in range(x.size):
        out[i] = atan(float(x[i]))
    return out


def worst(computed, function, x):
    """The largest error in units of the last place of the exact result, and where it is."""
    with mpmath.workdps(50):
        exact = [function(mpmath.mpf(one)) for one in x.tolist()]
        pairs = zip(map(float, computed), exact, strict=True)
        errors = np.array([float(abs(a - b) / math.ulp(float(b))) for a, b in pairs])
    return errors.max(), x[errors.argmax()]


@pytest.mark.parametrize("name", ANGLES)
def test_sine_and_cosine_are_wrong_by_less_than_one_ulp(name):
    s, c = sines_and_cosines(ANGLES[name])
    assert worst(s, mpmath.sin, ANGLES[name]) < (1.0,)  # measured 0.78
    assert worst(c, mpmath.cos, ANGLES[name]) < (1.0,)


@pytest.mark.parametrize("name", TANGENTS)
def test_the_arctangent_is_wrong_by_less_than_one_ulp(name):
    assert worst(arctangents(TANGENTS[name]), mpmath.atan, TANGENTS[name]) < (1.0,)


def test_infinities_and_nan_give_what_the_c_library_gives():
    x = np.array([math.inf, -math.inf, math.nan])
    assert np.isnan(sines_and_cosines(x)).all()
    assert np.array_equal(arctangents(x), [math.pi / 2, -math.pi / 2, math.nan], equal_nan=True)


def test_the_ratio_of_atan_is_one_polynomial_up_to_the_eighth_of_a_turn():
    x = np.linspace(1e-9, math.tan(math.pi / 8), 500)
    computed = [atan_ratio(z) for z in (x * x).tolist()]
    exact = lambda z: mpmath.atan(mpmath.sqrt(z)) / mpmath.sqrt(z)  # noqa: E731
    assert worst(computed, exact, x * x) < (1.0,)  # 1 - z r: one rounding and the rest of z r
