"""Springs in a joint: which have an energy, by curl, work around circles and differences of the energy."""

import numpy as np
import pytest

from poinsot.analytical import torsion
from support.arrays import rotation, turned
from support.data import load

rng = np.random.default_rng(13)
K = np.array([[2.0, 0.3, 0.1], [0.3, 3.0, 0.2], [0.1, 0.2, 2.5]])
RESIDUALS = load("multibody.json")["mfm"]["torsion"]


@pytest.mark.parametrize(
    "spring", [torsion.log_spring(2.0), torsion.potential_spring(K)], ids=["log", "potential"]
)
def test_springs_with_an_energy(spring: torsion.Moment) -> None:
    moment, energy = spring
    for _ in range(5):
        R = torsion.exponential(rng.uniform(-1, 1, 3))
        h = 1e-5
        slope = [(energy(turned(R, h * e)) - energy(turned(R, -h * e))) / (2 * h) for e in np.eye(3)]
        np.testing.assert_allclose(moment(R), -np.array(slope), atol=1e-8)
        assert np.abs(torsion.curl(moment, R)).max() < 1e-12
    assert abs(torsion.work_around(moment, np.array([0.2, -0.1, 0.3]), 0.4)) < 1e-12


@pytest.mark.parametrize("th", [0.1, 0.2, 0.3, 1.0])
def test_euler_angle_moments_have_none(th: float) -> None:
    """At the turn of the thesis, about the first and then the second axis, as another engine found."""
    moment, _ = torsion.angle_spring(1.0)
    R = torsion.exponential(np.array([th, 0, 0])) @ torsion.exponential(np.array([0, th, 0]))
    curl = torsion.curl(moment, R)
    assert np.abs(curl).max() == pytest.approx(RESIDUALS[f"th={th}"]["euler"], rel=1e-9)
    np.testing.assert_allclose(curl, -curl.T, atol=1e-14)


def test_work_around_a_circle_is_the_flux_of_the_curl() -> None:
    """Stokes: for a small circle, work = -curl times area, and it vanishes for no spring in angles."""
    moment, _ = torsion.angle_spring(1.0)
    center, radius = np.array([0.4, 0.3, -0.2]), 0.01
    R = torsion.exponential(center)
    frame = [  # body rates of d exp along the first two axes
        torsion.vee2(R.T @ (torsion.exponential(center + 1e-5 * e) - torsion.exponential(center - 1e-5 * e)))
        / 4e-5
        for e in np.eye(3)[:2]
    ]
    flux = frame[0] @ torsion.curl(moment, R) @ frame[1] * np.pi * radius**2
    assert torsion.work_around(moment, center, radius) == pytest.approx(-flux, rel=1e-3)
    assert abs(flux) > 1e-5


def test_logarithm_and_angles() -> None:
    for _ in range(10):
        x = rng.uniform(-1.5, 1.5, 3)
        np.testing.assert_allclose(torsion.logarithm(torsion.exponential(x)), x, atol=1e-14)
    np.testing.assert_allclose(
        torsion.logarithm(torsion.exponential(np.array([1e-9, 0, 2e-9]))), [1e-9, 0, 2e-9], rtol=1e-12
    )
    phi, theta, psi = 0.3, -0.4, 1.2
    X, Y, Z = (torsion.exponential(a * e) for a, e in zip((phi, theta, psi), np.eye(3), strict=True))
    np.testing.assert_allclose(torsion.angles(Z @ Y @ X), [phi, theta, psi], atol=1e-15)
    R = rotation(rng)
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-14)
