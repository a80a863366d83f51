"""The six coefficients of exp and log against fifty digits, from t = 1e-12 to pi - 1e-12.

A coefficient is a function of z = t^2, so the truth is evaluated at the square root of the z given.
Errors are relative to the value there or, near the zero of sinc at pi, to a quarter of that at 0.
"""

import math

import mpmath
import numpy as np
import pytest

from poinsot.core.lie import series

EPS = np.finfo(float).eps
TRUTH = {
    "sinc": lambda t: mpmath.sin(t) / t,
    "cosc": lambda t: (1 - mpmath.cos(t)) / t**2,
    "sinc3": lambda t: (t - mpmath.sin(t)) / t**3,
    "cotc": lambda t: (1 - t / 2 * mpmath.cot(t / 2)) / t**2,
    "cosc4": lambda t: (t**2 / 2 - 1 + mpmath.cos(t)) / t**4,
    "sinc5": lambda t: (t - mpmath.sin(t) - t**3 / 6) / t**5,
}
BOUND = {  # in eps: the roundings of a polynomial or quotient; more where the closed form cancels
    "sinc": 2,
    "cosc": 2,
    "sinc3": 3,
    "cotc": 6,
    "cosc4": 3,
    "sinc5": 6,
}
AT_ZERO = {"sinc": 1.0, "cosc": 1 / 2, "sinc3": 1 / 6, "cotc": 1 / 12, "cosc4": 1 / 24, "sinc5": -1 / 120}
SWITCHES = [1 / 4, 1 / 2, 1.0, 1.5, 2.0]  # every t at which one of them changes its form


def error(name, z):
    """The error of the coefficient in eps."""
    with mpmath.workdps(100):  # the closed form of sinc5 loses 48 digits at 1e-12
        exact = TRUTH[name](mpmath.sqrt(mpmath.mpf(z)))
        size = max(abs(exact), abs(AT_ZERO[name]) / 4)
        return float(abs(getattr(series, name)(z) - exact) / size) / EPS


def angles():
    small, near_pi = np.geomspace(1e-12, 1.0, 300), math.pi - np.geomspace(1e-12, 1.0, 100)
    return np.concatenate([small, np.random.default_rng(7).uniform(0.2, math.pi, 600), near_pi])


@pytest.mark.parametrize("name", TRUTH)
def test_a_coefficient_is_right_to_rounding_at_every_angle(name):
    errors = np.array([error(name, z) for z in (angles() ** 2).tolist()])
    assert errors.max() < BOUND[name], f"at t = {angles()[errors.argmax()]}"


@pytest.mark.parametrize("name", TRUTH)
@pytest.mark.parametrize("t", SWITCHES)
def test_there_is_no_seam_at_a_switch(name, t):
    for side in (-1, 1):
        neighbours = [float(t * t * (1 + side * k * EPS)) for k in range(40)]
        assert np.max([error(name, z) for z in neighbours]) < BOUND[name], f"side {side}"


@pytest.mark.parametrize("name", TRUTH)
def test_a_coefficient_at_zero_is_the_first_term_of_its_series(name):
    assert getattr(series, name)(0.0) == AT_ZERO[name]
