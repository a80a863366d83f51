"""What is special about the explicit Newmark methods."""

import numpy as np
import pytest

from poinsot.core.methods import dmv, nmb, nms
from support.harness import ALL, SYSTEMS, Driver

NMB, NMS = (next(method for method in ALL if method.name == name) for name in ("nmb", "nms"))
A, W, HALF, T, H = (1.0, 0.5, 0.37), (0.4, -1.3, 0.8), (0.5, -1.0, 0.7), (0.3, 0.1, -0.6), 0.3


def difference(residual, w, size=1e-6):
    columns = []
    for k in range(3):
        ends = [residual(tuple(np.array(w) + s * size * np.eye(3)[k])) for s in (1, -1)]
        columns.append((np.array(ends[0]) - np.array(ends[1])) / (2 * size))
    return np.array(columns).T


def test_the_jacobian_of_nmb_is_the_derivative_of_its_residual():
    """A flipped sign would still converge: only this test sees it."""
    e = nmb.NewmarkEquation(A, HALF, T, H)
    exact = np.reshape(nmb.jacobian(W, e), (3, 3))
    assert difference(lambda P: nmb.residual(P, e), W) == pytest.approx(exact, abs=1e-9)


def test_the_jacobian_of_nms_is_the_derivative_of_its_residual():
    e = nms.SpaceEquation((1.2, 0.1, -0.2, 2.1, 0.3, 1.7), HALF, T, H)
    exact = np.reshape(nms.jacobian(W, e), (3, 3))
    assert difference(lambda w: nms.residual(w, e), W) == pytest.approx(exact, abs=1e-9)


def test_the_jacobian_of_moser_veselov_is_the_derivative_of_its_residual():
    e = dmv.FreeEquation((1.0, 2.0, 2.7), T)
    exact = np.reshape(dmv.jacobian(W, e), (3, 3))
    assert difference(lambda f: dmv.residual(f, e), W) == pytest.approx(exact, abs=1e-9)


def test_nmb_and_nms_are_the_same_map():
    mechanism, state = SYSTEMS["heavy"]()
    a, b = Driver(mechanism, NMB), Driver(mechanism, NMS)
    x = a.start(state)
    y, z = a(x, 0.02, 500)[0], b(x, 0.02, 500)[0]
    assert y == pytest.approx(z, abs=2e-12)  # rounding, grown over 10 s of a chaotic motion
    assert (y != z).any()


def test_the_half_step_of_a_free_body_keeps_energy_and_momentum():
    """With w_half = w + h/2 a: w_half.I w_half and |I w_half| are constant (spec, section 1)."""
    mechanism, state = SYSTEMS["free"]()
    driver = Driver(mechanism, NMB)
    _, samples, _ = driver(driver.start(state), 0.2, 5000, every=1)
    moments = np.array(driver.body.record.I)
    P = samples[:, 4:7, 0]
    half = P + 0.1 * np.cross(P, P / moments)  # I w_half
    assert np.ptp((half**2 / moments).sum(axis=1)) < 1e-13
    assert np.ptp(np.linalg.norm(half, axis=1)) < 1e-13
    assert np.ptp((P**2 / moments).sum(axis=1)) > 1e-4  # the state itself does not


def test_newton_needs_two_or_three_iterations():
    mechanism, state = SYSTEMS["heavy"]()
    driver = Driver(mechanism, NMB)
    _, _, ints = driver(driver.start(state), 0.05, 1000)
    assert 1000 < ints[-1] <= 3000
