"""Forces on one rigid body against sums over its particles."""

import numpy as np
import pytest

from poinsot.analytical import body, prime, reduce_springs
from poinsot.analytical.operators import Vee, ad
from support.arrays import hat, pose

rng = np.random.default_rng(10)
WEIGHTS, POINTS = rng.uniform(0.5, 2, 7), rng.normal(size=(7, 3))


def wrench(forces: np.ndarray) -> np.ndarray:
    """Forces at the points, body frame."""
    return np.concatenate([np.cross(POINTS, forces).sum(axis=0), forces.sum(axis=0)])


def test_inertia() -> None:
    """Σ m (acceleration of a particle), its moment and its sum."""
    (w, v), (dw, dv) = rng.normal(size=(2, 2, 3))
    speeds = v + np.cross(w, POINTS)
    a = dv + np.cross(dw, POINTS) + np.cross(w, speeds)
    x, rate = np.concatenate([w, v]), np.concatenate([dw, dv])
    P = prime(WEIGHTS, POINTS)
    found = body.inertia_force(P, x, rate)
    np.testing.assert_allclose(found, wrench(WEIGHTS[:, None] * a), rtol=1e-13, atol=1e-13)
    M = Vee(P)
    np.testing.assert_allclose(found, M @ rate - ad(x).T @ M @ x, rtol=1e-12, atol=1e-12)


def test_damping_in_fluids() -> None:
    x, G = rng.normal(size=6), pose(rng)
    speeds = x[3:] + np.cross(x[:3], POINTS)
    D = prime(WEIGHTS, POINTS)
    np.testing.assert_allclose(
        body.damping_force(D, x), wrench(WEIGHTS[:, None] * speeds), rtol=1e-13, atol=1e-13
    )
    u = rng.normal(size=(7, 3))
    off = WEIGHTS[:, None] * (speeds - u @ G[:3, :3])
    found = body.damping_force(D, x) + body.fluid_force(WEIGHTS, POINTS, u, G[:3, :3])
    np.testing.assert_allclose(found, wrench(off), rtol=1e-13, atol=1e-13)
    place, fluid = pose(rng), rng.normal(size=6)
    R, r, at = place[:3, :3], place[:3, 3], POINTS @ G[:3, :3].T + G[:3, 3]
    u = (fluid[3:] + np.cross(fluid[:3], (at - r) @ R)) @ R.T
    off = WEIGHTS[:, None] * (speeds - u @ G[:3, :3])
    np.testing.assert_allclose(body.damping_force(D, x, G, place, fluid), wrench(off), rtol=1e-12, atol=1e-12)


def test_springs_and_weight() -> None:
    targets, G = rng.normal(size=(7, 3)), pose(rng)
    K, rest, V0 = reduce_springs(WEIGHTS, POINTS, targets)
    at = POINTS @ G[:3, :3].T + G[:3, 3]
    pull = WEIGHTS[:, None] * (at - targets) @ G[:3, :3]
    np.testing.assert_allclose(body.stiffness_force(K, rest, G), wrench(pull), rtol=1e-12, atol=1e-12)
    energy = (WEIGHTS[:, None] * (at - targets) ** 2).sum() / 2
    assert body.stiffness_energy(K, rest, G) + V0 == pytest.approx(energy, rel=1e-13)
    P = prime(WEIGHTS, POINTS)
    down = WEIGHTS[:, None] * (np.array([0, 0, -9.81]) @ G[:3, :3])
    np.testing.assert_allclose(body.weight(P, G), -wrench(down), rtol=1e-13, atol=1e-12)
    x = rng.normal(size=6)
    force = rng.normal(size=6)
    J = [np.hstack([-hat(h), np.eye(3)]) for h in POINTS]
    M = sum(m * j.T @ j for m, j in zip(WEIGHTS, J, strict=True))
    speeds = x[3:] + np.cross(x[:3], POINTS)
    inertial = wrench(WEIGHTS[:, None] * np.cross(x[:3], speeds))
    expected = np.linalg.solve(M, force + wrench(down) - inertial)
    np.testing.assert_allclose(body.acceleration(P, G, x, force), expected, rtol=1e-11, atol=1e-12)
