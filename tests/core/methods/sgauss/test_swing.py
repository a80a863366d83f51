"""The chart of ball joints against matrix exponentials and differences of them."""

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from poinsot.core.methods.sgauss import swing

CASES = range(5)


def hat(x):
    return np.cross(x, np.eye(3)).T


def X(e, theta):
    psi = e @ theta
    return expm(hat(theta - psi * e)) @ expm(psi * hat(e))


def D(e, theta, step=1e-5):
    """Columns of D by differences of fourth order."""
    columns = []
    for d in np.eye(3):
        slope = sum(c * X(e, theta + k * step * d) for k, c in ((1, 8), (-1, -8), (2, -1), (-2, 1))) / (
            12 * step
        )
        spin = X(e, theta).T @ slope
        columns.append([spin[2, 1], spin[0, 2], spin[1, 0]])
    return np.array(columns).T


@pytest.fixture(params=CASES, ids=lambda k: f"case {k}")
def case(request):
    """Axis, Theta, chart and three vectors."""
    rng = np.random.default_rng(request.param)
    theta = rng.normal(size=3) * 0.7
    return np.array([0.0, 0.0, 1.0]), theta, swing.chart(tuple(theta)), rng.normal(size=(3, 3))


def matrix(quaternion):
    return Rotation.from_quat(np.array(quaternion), scalar_first=True).as_matrix()


def test_rotations_are_products_of_exponentials(case):
    e, theta, C, _ = case
    assert matrix(swing.rotation(C)) == pytest.approx(X(e, theta), abs=1e-14)
    assert matrix(swing.from_start(C)) == pytest.approx(X(e, -theta).T, abs=1e-14)
    assert matrix(swing.rotation(swing.opposite(C))) == pytest.approx(X(e, -theta), abs=1e-14)


def test_vectors_turn_with_the_chart(case):
    e, theta, C, (f, *_) = case
    assert swing.moved(C, tuple(f)) == pytest.approx(X(e, theta) @ f, abs=1e-14)
    assert swing.returned(C, tuple(f)) == pytest.approx(X(e, theta).T @ f, abs=1e-14)


def test_velocities_follow_the_derivative_of_the_chart(case):
    e, theta, C, (V, P, _) = case
    slope = D(e, theta)
    assert swing.forward(C, tuple(V)) == pytest.approx(slope @ V, abs=1e-9)
    assert swing.inverse(C, tuple(V)) == pytest.approx(np.linalg.solve(slope, V), abs=1e-9)
    lifted = np.linalg.solve(slope.T, P)
    assert swing.inverse_transposed(C, tuple(P)) == pytest.approx(lifted, abs=1e-9)
    again = swing.forward(C, swing.inverse(C, tuple(V)))
    assert again == pytest.approx(V, abs=1e-14)


def test_momenta_at_the_ends_of_a_step(case):
    e, theta, C, (m, J, _) = case
    last = D(e, theta).T @ X(e, theta).T @ (m + J)
    first = D(e, -theta).T @ X(e, -theta).T @ m
    assert swing.at_end(C, tuple(m + J)) == pytest.approx(last, abs=1e-10)
    assert swing.at_ends(C, tuple(m), tuple(J)) == pytest.approx((first + last) / 2, abs=1e-10)


def test_forces_contain_the_slope_of_the_kinetic_term(case):
    e, theta, C, (V, p, f) = case
    step = 1e-3
    slope = [
        sum(c * p @ D(e, theta + k * step * d) @ V for k, c in ((1, 8), (-1, -8), (2, -1), (-2, 1)))
        / (12 * step)
        for d in np.eye(3)
    ]
    F, moved, momentum = swing.pulled(C, tuple(V), tuple(p), tuple(f))
    assert pytest.approx(D(e, theta).T @ f + slope, abs=1e-7) == F
    assert moved == pytest.approx(X(e, theta) @ f, abs=1e-14)
    assert momentum == pytest.approx(D(e, theta).T @ p, abs=1e-10)
