"""V(R) = -tr(PR): Newton from random starts finds the predicted critical sets, all of them and no other."""

from typing import Any

import numpy as np
import pytest

from poinsot.analytical.attitude import (
    closest_rotation,
    critical_points,
    gradient,
    hessian,
    potential,
    wahba,
)
from poinsot.errors import ModelError
from support.arrays import rotation, turned

# λ by case; s₁ = (λ₂ + λ₃ - λ₁)/2 and so on, the last may be negative
CASES = {
    "distinct": ((1.0, 2.0, 4.0), ["minimum point", "saddle point", "saddle point", "maximum point"]),
    "distinct, s3 < 0": ((1.0, 2.0, 3.5), ["minimum point", "saddle point", "saddle point", "maximum point"]),
    "low pair": ((1.0, 1.0, 3.0), ["minimum point", "saddle circle", "maximum point"]),
    "high pair": ((1.0, 2.0, 2.0), ["minimum point", "saddle point", "maximum circle"]),
    "triple": ((2.0, 2.0, 2.0), ["minimum point", "maximum plane of half turns"]),
    "zero": ((0.0, 1.0, 3.0), ["minimum circle", "saddle point", "maximum point"]),
    "zero and pair": ((0.0, 2.0, 2.0), ["minimum circle", "maximum circle"]),
    "two zeros": ((0.0, 0.0, 2.0), ["minimum ball of turns", "maximum point"]),
}


def matrix_with(lam: Any, rng: np.random.Generator) -> Any:
    a, b, c = lam
    s = np.array([b + c - a, c + a - b, a + b - c]) / 2
    return rotation(rng) @ np.diag(s) @ rotation(rng).T


def newton(P: Any, R: Any) -> Any:
    """A critical point near R, by least-norm steps where the Hessian is singular; or None."""
    for _ in range(60):
        g = gradient(P, R)
        if np.abs(g).max() < 1e-13:
            return R
        step = np.linalg.lstsq(hessian(P, R), -g, rcond=1e-7)[0]
        R = turned(R, step * min(1.0, 1.0 / np.linalg.norm(step)))
        u, _, vt = np.linalg.svd(R)
        R = u @ vt
    return None


@pytest.mark.parametrize("case", CASES)
def test_newton_finds_exactly_the_predicted_sets(case: str) -> None:
    lam, names = CASES[case]
    rng = np.random.default_rng(len(case))
    P = matrix_with(lam, rng)
    sets = critical_points(P)
    assert sorted(f"{s.kind} {s.shape}" for s in sets) == sorted(names)
    assert [s.value for s in sets] == sorted(s.value for s in sets)
    found = [newton(P, rotation(rng)) for _ in range(400)]
    ends = [R for R in found if R is not None]
    assert len(ends) >= 380
    hits = np.zeros(len(sets), dtype=int)
    for R in ends:
        distances = [s.distance(R) for s in sets]
        i = int(np.argmin(distances))
        assert distances[i] < 1e-6  # 1e-13 in the gradient, and the square root of it along flat directions
        hits[i] += 1
        assert potential(P, R) == pytest.approx(sets[i].value, abs=1e-12)
        H = hessian(P, R)
        np.testing.assert_allclose(np.linalg.eigvalsh((H + H.T) / 2), sets[i].eigenvalues, rtol=0, atol=2e-6)
    assert (hits > 0).all()


@pytest.mark.parametrize("case", CASES)
def test_every_point_of_a_set_is_critical(case: str) -> None:
    """1e-14 for matrices of size one."""
    lam, _ = CASES[case]
    rng = np.random.default_rng(7)
    P = matrix_with(lam, rng)
    for one in critical_points(P):
        zeros = int((np.abs(one.eigenvalues) < 1e-12).sum())
        assert zeros == one.dimension  # Morse-Bott: flat along the set only
        for _ in range(20):
            R = one.nearest(rotation(rng))
            np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-14)
            assert np.linalg.det(R) == pytest.approx(1, abs=1e-14)
            np.testing.assert_allclose(gradient(P, R), 0, atol=1e-14 * max(lam) * 3)
            assert potential(P, R) == pytest.approx(one.value, abs=1e-14 * max(lam) * 3)
            np.testing.assert_allclose(one.nearest(R), R, atol=1e-13)
            H = hessian(P, R)
            np.testing.assert_allclose(H, H.T, atol=1e-13)
            np.testing.assert_allclose(np.linalg.eigvalsh(H), one.eigenvalues, atol=1e-13)


def test_gradient_and_hessian_are_derivatives() -> None:
    rng = np.random.default_rng(2)
    P, R = rng.normal(size=(3, 3)), rotation(rng)
    h = 1e-4
    for e in np.eye(3):
        slope = (potential(P, turned(R, h * e)) - potential(P, turned(R, -h * e))) / (2 * h)
        assert gradient(P, R) @ e == pytest.approx(slope, abs=1e-7)
        change = (gradient(P, turned(R, h * e)) - gradient(P, turned(R, -h * e))) / (2 * h)
        np.testing.assert_allclose(hessian(P, R) @ e, change, atol=1e-7)


def test_nothing_to_choose() -> None:
    (everything,) = critical_points(np.zeros((3, 3)))
    assert (everything.kind, everything.dimension) == ("everything", 3)


def test_closest_rotation_and_wahba() -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        M = rng.normal(size=(3, 3))
        R = closest_rotation(M)
        assert np.linalg.det(R) == pytest.approx(1)
        others = [rotation(rng) for _ in range(50)] + [turned(R, x) for x in rng.normal(size=(50, 3)) * 1e-3]
        assert all(np.linalg.norm(M - R) <= np.linalg.norm(M - other) for other in others)
        root = rng.normal(size=(3, 3))
        K = root @ root.T
        R = closest_rotation(M, weight=K)
        assert all(
            np.trace((M - R).T @ K @ (M - R)) <= np.trace((M - S).T @ K @ (M - S)) + 1e-12 for S in others
        )
    R, before = rotation(rng), rng.normal(size=(5, 3))
    weights = rng.uniform(1, 2, 5)
    found, K = wahba(weights, before, before @ R.T)
    np.testing.assert_allclose(found, R, atol=1e-14)
    inertia = sum(w * (a @ a * np.eye(3) - np.outer(a, a)) for w, a in zip(weights, before, strict=True))
    np.testing.assert_allclose(K, inertia, atol=1e-13)  # the Hessian is that of the points
    _, K = wahba([1.0], [[1.0, 2, 3]], [[1.0, 2, 3]])
    assert np.linalg.eigvalsh(K)[0] == pytest.approx(0, abs=1e-14)  # one vector leaves a turn open
    with pytest.raises(ModelError, match="must not be negative"):
        wahba([-1.0], [[1.0, 2, 3]], [[1.0, 2, 3]])
