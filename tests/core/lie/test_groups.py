"""The laws of SO(3), SE(3) and the unit quaternions, written once.

The truth is fifty digits: exp is the exponential of the matrix `hat(x)`, or of "multiply by `hat(x)`
from the left" for quaternions.  Angles run from 0 over 1e-12 to pi - 1e-12, about axes of all kinds.
"""

import itertools
import math
from functools import cache

import mpmath
import numpy as np
import pytest

from poinsot.lie import quaternion, se3, so3

EPS = np.finfo(float).eps
GROUPS = pytest.mark.parametrize("group", [so3, se3, quaternion], ids=["so3", "se3", "quaternion"])
GAPS = [1e-12, 1e-9, 1e-6, 1e-3]
ANGLES = [0.0, *GAPS, 0.24, 0.26, 0.49, 0.51, 0.99, 1.01, 1.49, 1.51, 2.5, *(math.pi - gap for gap in GAPS)]
AXES = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [-3, 1, 2], [1, 4, -2], [1, 2, -5], [1, 1, 1]]


@cache
def algebra(group):
    """Elements of the algebra, every angle with every axis."""
    axes = np.array(AXES) / np.linalg.norm(AXES, axis=1)[:, None]
    w = np.concatenate([angle * axes for angle in ANGLES])
    return np.hstack([w, np.random.default_rng(8).normal(size=w.shape)]) if group is se3 else w


def product(group, a, b):
    """Of elements of the group and of its algebra: linear in both."""
    return quaternion.compose(a, b) if group is quaternion else a @ b


def power_series(A, shift):
    """sum A^j / (j + shift)! to fifty digits, correctly rounded."""
    with mpmath.workdps(50):
        A = np.vectorize(mpmath.mpf, otypes=[object])(A)
        total = term = np.broadcast_to(np.eye(A.shape[-1]), A.shape)
        for j in range(1, 70):  # pi^70 / 70! = 5e-66
            term = term @ A / (j + shift)
            total = total + term
        return total.astype(float)


@cache
def exact_exp(group):
    """The exponentials of `algebra`, correctly rounded."""
    X = group.hat(algebra(group))
    if group is quaternion:
        left = np.swapaxes(quaternion.compose(X[:, None], np.eye(4)), 1, 2)
        return power_series(left, 0)[:, :, 0]
    return power_series(X, 0)


def worst(error, size=1.0):
    """The largest error in eps; of vectors, if their sizes are given, by length."""
    if np.ndim(size):
        error, size = (np.linalg.norm(part, axis=-1) for part in (error, size))
    return np.max(np.abs(error) / np.where(size == 0, 1, size)) / EPS  # 0 / 0 is 0


@GROUPS
def test_exp_is_right_to_rounding(group):
    assert worst(group.exp(algebra(group)) - exact_exp(group)) < 4  # entries up to 3; measured 2


@GROUPS
def test_log_of_exp_is_the_identity_at_every_angle(group):
    """Also at pi - 1e-12, where exp, however rounded, knows its angle no worse than at any other."""
    x = algebra(group)
    for back in (group.log(exact_exp(group)), group.log(group.exp(x))):
        for k in range(0, x.shape[1], 3):  # angular part, linear part
            assert worst(back[:, k : k + 3] - x[:, k : k + 3], x[:, k : k + 3]) < 4  # measured 2.0


@GROUPS
def test_exp_of_log_is_the_identity(group):
    T = exact_exp(group)
    assert worst(group.exp(group.log(T)) - T) < 4  # measured 2.4


@GROUPS
def test_compose_is_the_product_and_associative_and_inverse_undoes_it(group):
    a, b, c = (np.roll(exact_exp(group), shift, axis=0) for shift in (0, 5, 17))
    compose, inverse = group.compose, group.inverse
    assert worst(compose(a, b) - product(group, a, b)) < 4  # entries up to 6, sums of four products
    assert worst(compose(a, compose(b, c)) - compose(compose(a, b), c)) < 12  # entries up to 9; measured 6
    assert worst(compose(a, inverse(a)) - group.exp(0 * algebra(group))) < 4
    assert worst(inverse(compose(a, b)) - compose(inverse(b), inverse(a))) < 12


@GROUPS
def test_hat_and_ad_belong_together(group):
    x, y = algebra(group), np.roll(algebra(group), 11, axis=0)
    X, Y = group.hat(x), group.hat(y)
    assert np.array_equal(group.vee(X), x)
    assert worst(group.ad(x, y) - group.vee(product(group, X, Y) - product(group, Y, X))) < 8  # up to 20


@pytest.mark.parametrize(("group", "size"), [(so3, 3), (se3, 4)], ids=["so3", "se3"])
def test_vee_takes_the_antisymmetric_part(group, size):
    A = np.random.default_rng(9).normal(size=(20, size, size))
    rotation = group.hat(group.vee(A))[:, :3, :3]
    assert np.array_equal(rotation, (A - A.swapaxes(1, 2))[:, :3, :3] / 2)


@GROUPS
def test_Ad_is_conjugation_and_the_exponential_of_ad(group):
    T, x, y = exact_exp(group), algebra(group), np.roll(algebra(group), 11, axis=0)
    conjugate = product(group, product(group, T, group.hat(y)), group.inverse(T))
    assert worst(group.Ad(T, y) - group.vee(conjugate)) < 8  # entries up to 20; measured 4
    assert worst(group.Ad(group.exp(x)) - power_series(group.ad(x), 0)) < 8


@GROUPS
def test_cay_solves_its_definition(group):
    image, hat = (quaternion.matrix, so3.hat) if group is quaternion else (np.asarray, group.hat)
    half = hat(algebra(group)) / 2
    one = np.eye(half.shape[-1])
    solved = np.linalg.solve(one - half, one + half)  # condition 1 + pi^2 / 4
    assert worst(image(group.cay(algebra(group))) - solved) < 8  # measured 3


@GROUPS
def test_dexp_is_its_power_series_and_dexpinv_its_inverse(group):
    x = algebra(group)
    assert worst(group.dexp(x) - power_series(group.ad(x), 1)) < 4  # measured 2
    assert worst(group.dexpinv(x) @ group.dexp(x) - np.eye(x.shape[1])) < 8  # measured 3.5


@GROUPS
def test_dexp_is_the_space_form_of_the_derivative_of_exp(group):
    x, y = algebra(group), np.roll(algebra(group), 11, axis=0)
    table = [(group.exp(x + h * y) - group.exp(x - h * y)) / (2 * h) for h in (0.02, 0.01, 0.005, 0.0025)]
    for power in (4, 16, 64):  # Richardson
        table = [(power * fine - coarse) / (power - 1) for coarse, fine in itertools.pairwise(table)]
    derivative = product(group, group.hat(group.dexp(x, y)), group.exp(x))
    assert np.abs(table[0] - derivative).max() < 1e-12  # a few eps / h; measured 3e-13


@pytest.mark.parametrize("group", [so3, se3], ids=["so3", "se3"])
def test_coadjoint_actions_are_the_transposes(group):
    """Power is the same on both sides: F . Ad(T) y = coAd(T, F) . y, and so of ad."""
    x, y, F = np.random.default_rng(3).normal(size=(3, 9, 6 if group is se3 else 3))
    T = group.exp(x)
    assert np.abs(np.sum(F * group.Ad(T, y), -1) - np.sum(group.coAd(T, F) * y, -1)).max() < 1e-13
    assert np.abs(np.sum(F * group.ad(x, y), -1) - np.sum(group.coad(x, F) * y, -1)).max() < 1e-13
    assert np.abs(group.coAd(T) - np.swapaxes(group.Ad(T), -1, -2)).max() < 1e-15  # entries up to 3
    assert np.abs(group.coad(x) - np.swapaxes(group.ad(x), -1, -2)).max() < 1e-15


@GROUPS
@pytest.mark.parametrize("verb", ["dexp", "dexpinv", "Ad", "ad"])
def test_an_operator_is_the_matrix_of_its_action(group, verb):
    x, y = algebra(group), np.roll(algebra(group), 11, axis=0)
    at = group.exp(x) if verb == "Ad" else x
    action = getattr(group, verb)
    assert worst(action(at, y) - np.einsum("nij,nj->ni", action(at), y)) < 32  # sums of six; measured 12


@GROUPS
def test_apply_moves_points_as_the_matrix_does(group):
    T, p = group.exp(algebra(group)), np.random.default_rng(9).normal(size=(len(algebra(group)), 3))
    if group is se3:
        moved = (T @ np.append(p, np.ones((len(p), 1)), axis=1)[:, :, None])[:, :3, 0]
    else:
        moved = (so3.exp(algebra(group)) @ p[:, :, None])[:, :, 0]
    assert worst(group.apply(T, p) - moved) < 8


@GROUPS
def test_leading_axes_broadcast_and_change_no_bit(group):
    x, T = algebra(group)[40:46], exact_exp(group)[60:64]
    for verb in ("exp", "cay", "hat", "dexp", "dexpinv", "ad"):
        f = getattr(group, verb)
        assert np.array_equal(f(x.reshape(2, 3, -1)).reshape(f(x).shape), [f(one) for one in x])
    for verb, b in (("compose", exact_exp(group)[70:73]), ("Ad", x[:3]), ("apply", np.eye(3))):
        f = getattr(group, verb)
        assert np.array_equal(f(T[:, None], b), [[f(one, other) for other in b] for one in T])


VERBS = ["hat", "vee", "exp", "log", "cay", "inverse", "dexp", "dexpinv", "ad", "Ad", "compose", "apply"]


@GROUPS
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("bad", [0.0, np.zeros(5)], ids=["scalar", "five"])
def test_a_bad_shape_is_an_error_that_names_the_verb(group, verb, bad):
    with pytest.raises(ValueError, match=rf"\.{verb}: "):
        getattr(group, verb)(*[bad] * (2 if verb in ("compose", "apply") else 1))


@GROUPS
def test_leading_axes_that_do_not_broadcast_are_an_error_that_names_the_verb(group):
    with pytest.raises(ValueError, match=r"\.compose: "):
        group.compose(exact_exp(group)[:2], exact_exp(group)[:3])


def test_from_matrix_keeps_all_digits_near_pi_whatever_component_is_largest():
    q, R = exact_exp(quaternion), exact_exp(so3)
    assert set(np.argmax(np.abs(q), axis=1)) == {0, 1, 2, 3}
    assert worst(quaternion.from_matrix(R) - q) < 4
    assert worst(quaternion.matrix([q, 3 * q]) - R) < 4  # of any length
    assert np.array_equal(quaternion.log(-q), quaternion.log(q))
