"""Constitutive parameters against sums over particles, and the special polar decomposition of any matrix."""

from typing import Any

import numpy as np
import pytest

from poinsot.errors import ModelError
from poinsot.model.forces.constitutive import (
    about_origin,
    check,
    from_moments,
    parameters,
    prime,
    reduce_springs,
    special_polar,
    vee_prime,
    wed_prime,
)
from poinsot.model.rotations import Vee3, Wed3, hat
from support.data import load

rng = np.random.default_rng(5)
VECTORS = load("multibody.json")["vectors"]


def turn(x: Any) -> Any:
    """exp(hat x) by scaling and squaring of the Cayley map: no library code."""
    X = hat(np.asarray(x) / 2**30)
    R = np.linalg.solve(np.eye(3) - X / 2, np.eye(3) + X / 2)
    for _ in range(30):
        R = R @ R
    u, _, vt = np.linalg.svd(R)
    return u @ vt


def pose(x: Any) -> Any:
    G = np.eye(4)
    G[:3, :3], G[:3, 3] = turn(x[:3]), x[3:]
    return G


def any_matrix(i: int) -> Any:
    """Every fourth is special: of rank 0, 1, 2, or with equal singular values; sizes over 16 decades."""
    A = rng.normal(size=(3, 3)) * 10.0 ** rng.integers(-8, 9)
    U, s, V = np.linalg.svd(A)
    if i % 4 == 0:
        s = [np.zeros(3), [s[0], 0, 0], [s[0], s[1], 0], [s[0]] * 3, [s[0], s[1], s[1]], [s[0], s[0], s[2]]][
            (i // 4) % 6
        ]
    return U @ np.diag(s) @ V


def test_special_polar_of_2000_matrices() -> None:
    negative = singular = 0
    for i in range(2000):
        M = any_matrix(i)
        size = max(np.abs(M).max(), 1e-300)
        R, K = special_polar(M)
        assert np.abs(R @ Wed3(K) - M).max() <= 1e-12 * size
        assert np.abs(R.T @ R - np.eye(3)).max() <= 1e-12
        assert np.linalg.det(R) > 0
        assert np.abs(K - K.T).max() <= 1e-12 * size
        assert np.linalg.eigvalsh((K + K.T) / 2)[0] >= -1e-12 * size
        singular += np.linalg.svd(M)[1][2] <= 1e-12 * size
        negative += np.linalg.det(M / size) < -1e-9
    assert singular >= 200
    assert negative >= 500


def test_special_polar_rotation_is_the_best() -> None:
    """tr(MᵀR) is at most ½ tr K, whatever R."""
    for i in range(50):
        M = any_matrix(i)
        R, K = special_polar(M)
        best = np.trace(M.T @ R)
        assert best == pytest.approx(np.trace(K) / 2, rel=1e-12, abs=1e-300)
        for _ in range(20):
            assert np.trace(M.T @ turn(rng.normal(size=3) * 2)) <= best + 1e-12 * np.abs(M).max()


def test_special_polar_of_a_reflection() -> None:
    """By hand: -diag(1, 2, 3) = diag(1, -1, -1) Wed(diag(5, 2, 1))."""
    R, K = special_polar(np.diag([-1.0, -2.0, -3.0]))
    np.testing.assert_allclose(R, np.diag([1, -1, -1]), atol=1e-14)
    np.testing.assert_allclose(K, np.diag([5, 2, 1]), atol=1e-14)


def test_prime_gives_the_energy_of_the_particles() -> None:
    m, h = rng.uniform(0.1, 2, 9), rng.normal(size=(9, 3))
    for _ in range(20):
        w, v = rng.normal(size=(2, 3))
        twist = np.concatenate([w, v])
        particles = sum(
            mass * np.sum((v + np.cross(w, point)) ** 2) for mass, point in zip(m, h, strict=True)
        )
        assert twist @ vee_prime(prime(m, h)) @ twist == pytest.approx(particles, rel=1e-13)


def test_prime_equals_moments() -> None:
    m, h = rng.uniform(0.1, 2, 9), rng.normal(size=(9, 3))
    total, center = m.sum(), m @ h / m.sum()
    origin = sum(mass * hat(x).T @ hat(x) for mass, x in zip(m, h, strict=True))
    middle = sum(mass * hat(x - center).T @ hat(x - center) for mass, x in zip(m, h, strict=True))
    P = prime(m, h)
    np.testing.assert_allclose(from_moments(total, center, origin), P, rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(about_origin(total, center, middle), origin, rtol=1e-13, atol=1e-13)
    k, c, Pi = parameters(P)
    assert k == pytest.approx(total, rel=1e-14)
    np.testing.assert_allclose(c, center, rtol=1e-13)
    np.testing.assert_allclose(Pi, middle, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(wed_prime(vee_prime(P)), P, rtol=1e-14, atol=1e-14)


def test_vee_and_wed_are_inverse() -> None:
    A = rng.normal(size=(3, 3))
    np.testing.assert_allclose(Wed3(Vee3(A)), A, rtol=1e-14, atol=1e-15)
    np.testing.assert_allclose(Vee3(Wed3(A)), A, rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("count", [1, 2, 3, 12])
def test_springs_reduce_to_the_energy_of_the_springs(count: int) -> None:
    for _ in range(10):
        k, h, p = rng.uniform(0.5, 9, count), rng.normal(size=(count, 3)), rng.normal(size=(count, 3)) * 2
        K, rest, V0 = reduce_springs(k, h, p)
        check("springs", K)
        for _ in range(5):
            G = pose(rng.normal(size=6) * 2)
            springs = sum(
                s / 2 * np.sum((G[:3, :3] @ a + G[:3, 3] - b) ** 2) for s, a, b in zip(k, h, p, strict=True)
            )
            V = np.trace((G - rest) @ K @ (G - rest).T) / 2 + V0
            assert pytest.approx(springs, rel=1e-12) == V
            assert springs >= V0 * (1 - 1e-12)


def test_stressed_springs_may_have_an_indefinite_stiffness() -> None:
    """Found so for this constellation, whose K is not that of the points, but whose Hessian is positive."""
    local = np.random.default_rng(3)
    k, h, p = local.uniform(1, 9, 5), local.normal(size=(5, 3)), local.normal(size=(5, 3)) * 2
    K, _, V0 = reduce_springs(k, h, p)
    assert np.linalg.eigvalsh(K)[0] < -1
    assert np.linalg.eigvalsh(vee_prime(K))[0] > 0
    assert np.abs(K - prime(k, h)).max() > 1
    assert V0 > 0
    check("springs", K)


def test_springs_without_stress() -> None:
    """If the points fit, the pose is found, the energy is 0 and K is that of the points."""
    k, h, G = rng.uniform(1, 9, 6), rng.normal(size=(6, 3)), pose(rng.normal(size=6))
    K, rest, V0 = reduce_springs(k, h, h @ G[:3, :3].T + G[:3, 3])
    np.testing.assert_allclose(rest, G, atol=1e-13)
    np.testing.assert_allclose(K, prime(k, h), rtol=1e-12, atol=1e-12)
    assert abs(V0) < 1e-25


def test_what_is_refused() -> None:
    with pytest.raises(ModelError, match="positive sum"):
        reduce_springs([1.0, -1.0], np.zeros((2, 3)), np.ones((2, 3)))
    with pytest.raises(ModelError, match="2 stiffnesses, but 3 body points"):
        reduce_springs([1.0, 1.0], np.zeros((3, 3)), np.ones((2, 3)))
    with pytest.raises(ModelError, match="negative eigenvalue -1"):
        check("stiffness", from_moments(1.0, [0, 0, 0], np.diag([-1.0, 2, 3])))
    with pytest.raises(ModelError, match="must not be negative"):
        check("stiffness", from_moments(-1.0, [0, 0, 0], np.diag([1.0, 2, 3])))
    with pytest.raises(ModelError, match="angular part first"):
        wed_prime(np.diag([1.0, 1, 1, 1, 2, 3]))
    with pytest.raises(ModelError, match="has no center"):
        parameters(np.fliplr(np.eye(4)) @ np.diag([1.0, 0, 0, 1]))
    with pytest.raises(ModelError, match="symmetric"):
        vee_prime(np.arange(16.0).reshape(4, 4))


@pytest.mark.parametrize("name", ["special_polar", "special_polar_negdet"])
def test_special_polar_of_another_engine(name: str) -> None:
    one = VECTORS[name]
    R, K = special_polar(one["M"])
    np.testing.assert_allclose(R, one["R"], atol=1e-14)
    np.testing.assert_allclose(K, one["K"], atol=1e-14)
    np.testing.assert_allclose(np.linalg.eigvalsh(K), one["lam"], atol=1e-14)


def test_prime_of_another_engine() -> None:
    """Its twists are (v, w)."""
    one = VECTORS["prime"]
    P = prime(one["weights"], one["points"])
    np.testing.assert_allclose(P, one["Mprime"], atol=1e-15)
    order = [3, 4, 5, 0, 1, 2]
    np.testing.assert_allclose(vee_prime(P), np.array(one["M"])[np.ix_(order, order)], atol=1e-15)
