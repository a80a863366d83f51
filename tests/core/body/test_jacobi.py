"""Jacobi's functions against mpmath, also where they are small."""

import mpmath as mp
import numpy as np
import pytest

from poinsot.core.body import jacobi

RNG = np.random.default_rng(3)


def witness(u, kc):
    with mp.workdps(40):
        m = 1 - mp.mpf(kc) ** 2
        return tuple(mp.ellipfun(name, mp.mpf(u), m=m) for name in ("sn", "cn", "dn"))


@pytest.mark.parametrize("kc", [1.0, 0.9, 0.3, 1e-2, 1e-5, 1e-8])
def test_any_argument_and_modulus(kc):
    """Ten levels round ten times; eps u times the slope, which is at most 1, cannot be avoided."""
    for u in [0.0, 1e-9, *RNG.uniform(-12, 12, 30)]:
        for value, exact in zip(jacobi.sncndn(u, kc), witness(u, kc), strict=True):
            assert abs(value - exact) < 2.5e-15 + 4e-16 * abs(u)


def test_cn_and_dn_keep_their_relative_precision_near_the_separatrix():
    """At k' = 1e-6 and u = 10 both are 1e-4: absolute precision would leave twelve digits."""
    for u in (5.0, 10.0, 13.0):
        _, cn, dn = jacobi.sncndn(u, 1e-6)
        _, exact_cn, exact_dn = witness(u, 1e-6)
        assert abs(cn / exact_cn - 1) < 2e-15 * u
        assert abs(dn / exact_dn - 1) < 2e-15 * u


def test_the_separatrix_itself():
    for u in (0.3, 2.0, 8.0):
        sn, cn, dn = jacobi.sncndn(u, 0.0)
        assert (sn, cn, dn) == pytest.approx((np.tanh(u), 1 / np.cosh(u), 1 / np.cosh(u)), rel=4e-15)


def test_exchange_of_the_frequencies():
    """S is the same and C, D change places: the reciprocal modulus."""
    S, C, D = jacobi.scd(0.7, 0.2, 0.5, 1.9)
    assert jacobi.scd(0.2, 0.7, -0.5, 1.9) == (S, D, C)


def test_nothing_moves_at_rest():
    assert jacobi.scd(0.0, 0.0, 0.0, 2.5) == (2.5, 1.0, 1.0)
