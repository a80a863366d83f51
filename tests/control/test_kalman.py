"""The stationary Kalman filter against closed forms, SciPy, the iterated filter, and other units."""

import numpy as np
import pytest
from scipy.linalg import solve_continuous_are, solve_discrete_are

import poinsot as ps

RANDOM = np.random.default_rng(5)


def model():
    A, C, G = RANDOM.normal(size=(4, 4)), RANDOM.normal(size=(2, 4)), RANDOM.normal(size=(4, 4))
    return A, C, G @ G.T, np.array([[0.5, 0.1], [0.1, 2.0]])


def test_one_state_by_hand():
    """P = P - P^2/(1 + P) + 1: the golden ratio; L = P/(1 + P)."""
    found = ps.control.kalman([[1.0]], [[1.0]], [1.0], [1.0])
    golden = (1 + np.sqrt(5)) / 2
    assert found.covariance == pytest.approx(np.array([[golden]]), rel=1e-13)
    assert found.gain == pytest.approx(np.array([[1 / golden]]), rel=1e-13)
    assert found.poles == pytest.approx([1 - 1 / golden], rel=1e-12)


def test_a_random_walk_in_continuous_time():
    """dx = dw, y = x + v with densities q and r: P = sqrt(q r), L = sqrt(q/r)."""
    found = ps.control.kalman([[0.0]], [[1.0]], [0.09], [4.0], continuous=True)
    assert found.covariance == pytest.approx(np.array([[0.6]]), rel=1e-12)
    assert found.gain == pytest.approx(np.array([[0.15]]), rel=1e-12)


def test_the_equations_of_scipy():
    A, C, Q, R = model()
    P = solve_discrete_are(A.T, C.T, Q, R)
    found = ps.control.kalman(A, C, Q, R)
    L = P @ C.T @ np.linalg.inv(C @ P @ C.T + R)
    assert np.abs(found.covariance - P).max() < 1e-10 * np.abs(P).max()
    assert np.abs(found.gain - L).max() < 1e-10 * np.abs(L).max()
    expected = np.sort_complex(np.linalg.eigvals(A @ (np.eye(4) - L @ C)))
    assert np.abs(np.sort_complex(found.poles) - expected).max() < 1e-9
    running = ps.control.kalman(A, C, Q, R, continuous=True)
    P = solve_continuous_are(A.T, C.T, Q, R)
    assert np.abs(running.covariance - P).max() < 1e-10 * np.abs(P).max()
    assert np.abs(running.gain - P @ C.T @ np.linalg.inv(R)).max() < 1e-9 * np.abs(running.gain).max()


def test_it_is_where_the_filter_in_time_ends():
    A, C, Q, R = model()
    P = np.eye(4)
    for _ in range(400):
        L = P @ C.T @ np.linalg.inv(C @ P @ C.T + R)
        P = A @ (P - L @ C @ P) @ A.T + Q
    found = ps.control.kalman(A, C, Q, R)
    assert np.abs(found.covariance - P).max() < 1e-9 * np.abs(P).max()
    assert np.abs(found.gain - L).max() < 1e-9


@pytest.mark.parametrize("continuous", [False, True])
def test_other_units_change_nothing(continuous):
    """States in micrometres and measurements in kilovolts: the gain is the same in its units."""
    A, C, Q, R = model()
    T, U = np.array([1.0, 1e6, 1e-6, 1e3]), np.array([1e-5, 1e6])
    one = ps.control.kalman(A, C, Q, R, continuous=continuous)
    other = ps.control.kalman(
        T[:, None] * A / T,
        U[:, None] * C / T,
        Q * np.outer(T, T),
        R * np.outer(U, U),
        continuous=continuous,
    )
    assert np.abs(other.gain / T[:, None] * U - one.gain).max() < 1e-8 * np.abs(one.gain).max()
    scaled = other.covariance / np.outer(T, T)
    assert np.abs(scaled - one.covariance).max() < 1e-8 * np.abs(one.covariance).max()


WRONG = {
    "A must be a square matrix, got 1x2": ([[1.0, 0.0]], [[1.0]], [1.0], [1.0]),
    "C must be a matrix with 1 columns": ([[1.0]], [[1.0, 2.0]], [1.0], [1.0]),
    "R must be positive definite": ([[1.0]], [[1.0]], [1.0], [0.0]),
    "Q must be without negative eigenvalues": ([[1.0]], [[1.0]], [-1.0], [1.0]),
    "no measurement sees it": ([[1.0, 0.0], [0.0, 0.5]], [[0.0, 1.0]], [1.0, 1.0], [1.0]),
    "C has no row": ([[1.0]], np.zeros((0, 1)), [1.0], []),
}


@pytest.mark.parametrize("message", WRONG)
def test_mistakes_are_one_clear_line(message):
    with pytest.raises(ps.ModelError, match=f"kalman: .*{message}") as caught:
        ps.control.kalman(*WRONG[message])
    assert "\n" not in str(caught.value)
