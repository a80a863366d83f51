"""Identities of the operators to 1e-14, against definitions by traces and sums over particles."""

import numpy as np
import pytest

from poinsot.analytical.operators import (
    Ad,
    Vee,
    Wed,
    ad,
    inner,
    inverse,
    metric,
    norm,
    swap,
    vee,
    vee2,
    wed,
)
from poinsot.errors import ModelError
from poinsot.lie import se3
from support.arrays import hat, pose, rotation

rng = np.random.default_rng(1)
CLOSE = dict(rtol=0, atol=1e-14)


@pytest.mark.parametrize(("n", "m"), [(3, 3), (6, 4)])
def test_vee2_and_Vee_are_defined_by_traces(n: int, m: int) -> None:
    for _ in range(50):
        x, y, A = rng.uniform(-1, 1, n), rng.uniform(-1, 1, n), rng.uniform(-1, 1, (m, m))
        assert np.trace(A @ wed(x).T) == pytest.approx(x @ vee2(A), abs=1e-14)
        assert np.trace(wed(x) @ A @ wed(y).T) == pytest.approx(y @ Vee(A) @ x, abs=1e-14)
        np.testing.assert_allclose(vee2(wed(x) @ A), Vee(A) @ x, **CLOSE)
        np.testing.assert_allclose(Wed(Vee(A)), A, **CLOSE)
        np.testing.assert_allclose(vee(wed(x)), x, **CLOSE)


def test_products_of_cross_matrices() -> None:
    """(2.57), by hand-made cross products."""
    for _ in range(20):
        a, b = rng.uniform(-1, 1, (2, 3))
        np.testing.assert_allclose(wed(a) @ b, np.cross(a, b), **CLOSE)
        np.testing.assert_allclose(wed(a) @ wed(b), np.outer(b, a) - (a @ b) * np.eye(3), **CLOSE)
        np.testing.assert_allclose(wed(np.cross(a, b)), wed(a) @ wed(b) - wed(b) @ wed(a), **CLOSE)
        R = rotation(rng)
        np.testing.assert_allclose(wed(R @ a), R @ hat(a) @ R.T, **CLOSE)


def test_adjoint_of_a_pose() -> None:
    """Against conjugation of 4x4 matrices, and against the compiled core."""
    for _ in range(20):
        G, x, y = pose(rng), rng.uniform(-1, 1, 6), rng.uniform(-1, 1, 6)
        np.testing.assert_allclose(Ad(G) @ x, vee(G @ wed(x) @ np.linalg.inv(G)), rtol=0, atol=1e-14 * 10)
        np.testing.assert_allclose(ad(x) @ y, vee(wed(x) @ wed(y) - wed(y) @ wed(x)), **CLOSE)
        np.testing.assert_allclose(Ad(G) @ Ad(inverse(G)), np.eye(6), **CLOSE)
        np.testing.assert_allclose(Ad(G), se3.Ad(G), **CLOSE)
        np.testing.assert_allclose(ad(x), se3.ad(x), **CLOSE)
        np.testing.assert_allclose(wed(x), se3.hat(x), **CLOSE)


def test_rate_of_the_adjoint() -> None:
    """d/dt Ad_G = Ad_G ad_x, by a complex step of G wed(x)."""
    G, x = pose(rng), rng.uniform(-1, 1, 6)
    step = 1e-100
    moved = Ad(G + 1j * step * G @ wed(x))
    np.testing.assert_allclose(moved.imag / step, Ad(G) @ ad(x), **CLOSE)
    back = Ad(inverse(G + 1j * step * G @ wed(x)))
    np.testing.assert_allclose(back.imag / step, -ad(x) @ Ad(inverse(G)), **CLOSE)


def test_weighted_products() -> None:
    A, B, C = rng.normal(size=(3, 4, 2))
    root = rng.normal(size=(4, 4))
    K = root @ root.T
    assert inner(A, B, K) == pytest.approx(np.trace(A.T @ K @ B), rel=1e-14)
    assert norm(A, K) ** 2 == pytest.approx(inner(A, A, K), rel=1e-14)
    assert metric(A, C, K) <= metric(A, B, K) + metric(B, C, K)
    assert abs(inner(A, B, K)) <= norm(A, K) * norm(B, K)
    assert inner(A[:, 0], B[:, 0]) == pytest.approx(A[:, 0] @ B[:, 0])


def test_the_order_of_the_thesis() -> None:
    """(3.88), (3.86b) printed for (v, w) are ours after swapping."""
    G, x = pose(rng), rng.uniform(-1, 1, 6)
    R, r, (w, v), zero = G[:3, :3], G[:3, 3], (hat(x[:3]), hat(x[3:])), np.zeros((3, 3))
    np.testing.assert_allclose(swap(np.block([[R, hat(r) @ R], [zero, R]])), Ad(G), **CLOSE)
    np.testing.assert_allclose(swap(np.block([[w, v], [zero, w]])), ad(x), **CLOSE)
    A, b, c, d = rng.normal(size=(3, 3)), *rng.normal(size=(2, 3)), rng.normal()
    printed = np.block([[d * np.eye(3), hat(b).T], [hat(c), np.trace(A) * np.eye(3) - A]])
    np.testing.assert_allclose(swap(printed), Vee(np.block([[A, b[:, None]], [c, np.array([d])]])), **CLOSE)
    np.testing.assert_array_equal(swap(swap(x)), x)


def test_wrong_shapes_are_named() -> None:
    with pytest.raises(
        ModelError, match=r"vee2: A must be an array \(3, 3\) or \(4, 4\), got shape \(2, 2\)"
    ):
        vee2(np.eye(2))
