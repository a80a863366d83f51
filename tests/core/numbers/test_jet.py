"""First and second derivatives by jets against derivatives in forty digits."""

import math

import mpmath as mp
import numpy as np
import pytest
from numba import float64, types

from poinsot.compile.functions.users import key_of, user_function
from poinsot.core.jit import foreign, jit
from poinsot.core.numbers import jet
from poinsot.core.numbers.arrays import alike
from poinsot.model.identity import source_digest
from support.sample import sample

CLOSE = 4e-15  # relative to the size of the terms: some roundings each


def arithmetic(t):
    a = t * t - 3.0 / (1.0 + t)
    a += t
    a -= 0.5 * t
    a *= 1.0 + t
    a /= 2.0 - t
    return a + (1.0 - t) / a - (-t) + 2.0 * t - t / 4.0 + t**3 + t**-2 + 0 * t**0


def circular(t):
    return math.sin(3 * t) + np.cos(t) * math.tan(t) + math.asin(t / 2) - math.acos(t / 3) + np.arctan(2 * t)


def exponential(t):
    return math.sinh(t) + math.cosh(t) * np.tanh(t) + math.exp(-t) + math.expm1(t / 2) + math.asinh(t)


def logarithmic(t):
    return (
        math.log(t) * math.log1p(t)
        + math.log2(1 + t)
        + math.log10(2 + t)
        + math.acosh(2 + t)
        + math.atanh(t / 2)
    )


def powers(t):
    return math.sqrt(1 + t) + t**1.5 + 2.0**t + (1 + t) ** t + math.pow(t, 2.5) + np.sqrt(t)


def pairs(t):
    return (
        math.atan2(t, 1 + t * t)
        + math.atan2(2.0, t)
        + math.atan2(t, 3.0)
        + math.hypot(t, 1.0)
        + np.hypot(2.0, t)
        + math.hypot(t, t * t)
    )


def choices(t):
    a = min(t * t, 1.0) + max(3.0, t) + max(t, t * t) + abs(-t) + math.fabs(t)
    if t > 0.2 and t <= 1.0 and t != 5.0:
        return a
    return 0.0 * a


EXACT = {  # the same in mpmath, where it differs from Python's words
    circular: lambda t: (
        mp.sin(3 * t) + mp.cos(t) * mp.tan(t) + mp.asin(t / 2) - mp.acos(t / 3) + mp.atan(2 * t)
    ),
    exponential: lambda t: mp.sinh(t) + mp.cosh(t) * mp.tanh(t) + mp.exp(-t) + mp.expm1(t / 2) + mp.asinh(t),
    logarithmic: lambda t: (
        mp.log(t) * mp.log(1 + t) + mp.log(1 + t, 2) + mp.log10(2 + t) + mp.acosh(2 + t) + mp.atanh(t / 2)
    ),
    powers: lambda t: (
        mp.sqrt(1 + t) + t ** mp.mpf(1.5) + mp.mpf(2) ** t + (1 + t) ** t + t ** mp.mpf(2.5) + mp.sqrt(t)
    ),
    pairs: lambda t: (
        mp.atan2(t, 1 + t * t)
        + mp.atan2(2, t)
        + mp.atan2(t, 3)
        + mp.hypot(t, 1)
        + mp.hypot(2, t)
        + mp.hypot(t, t * t)
    ),
    choices: lambda t: t * t + 3 + t + t + t,
}


QUICK = arithmetic, circular, choices


@pytest.mark.parametrize("function", sample([arithmetic, *EXACT], *QUICK), ids=lambda one: one.__name__)
def test_derivatives_of_a_function_are_exact(function):
    helper = user_function(function)

    def run(t):
        x = jet.variable(t)
        y = alike(x, helper(x))
        return jet.value(y), jet.first(y), jet.second(y)

    key = key_of("test of jets", source_digest(function))  # kept on disk: compiling takes seconds
    compiled = foreign(run, types.UniTuple(float64, 3)(float64), key)
    with mp.workdps(40):
        for t in (0.37, 0.81):
            want = [mp.diff(EXACT.get(function, function), mp.mpf(t), n) for n in range(3)]
            for found, exact in zip(compiled(t), want, strict=True):
                assert abs(found - exact) < CLOSE * (30 + abs(exact))


def test_a_number_has_no_derivatives():
    constant = jit(lambda t: alike(jet.variable(t), 3))

    def run(t):
        x = constant(t)
        return jet.value(x), jet.first(x), jet.second(x)

    assert foreign(run, types.UniTuple(float64, 3)(float64))(0.7) == (3.0, 0.0, 0.0)
