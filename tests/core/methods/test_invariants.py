"""What methods declare to keep, and for how long; always with a method that must fail as control."""

import numpy as np
import pytest

from poinsot.model.rotations import apply
from support.harness import ALL, FORCED, SYSTEMS, Driver

H = 0.1


def energy(driver, samples):
    """Kinetic and potential energy of rows (n, 14): written out, not the library's."""
    r = driver.body.record
    P, p, q, point = samples[:, 4:7], samples[:, 10:13], samples[:, :4], samples[:, 7:10]
    kinetic = (P**2 / np.array(r.I)).sum(axis=1) / 2 + r.mobility * (p**2).sum(axis=1) / 2
    return kinetic - r.m * (point + apply(q, np.array(r.c))) @ np.array(r.g)


def space_momentum(samples):
    return apply(samples[:, :4], samples[:, 4:7])


def run(method, system, steps, h=H, every=1):
    mechanism, state = SYSTEMS[system]()
    driver = Driver(mechanism, method)
    _, samples, _ = driver(driver.start(state), h, steps, every=every)
    return driver, samples[:, :, 0]


@pytest.mark.parametrize("method", ALL, ids=lambda method: method.name)
def test_a_free_body_keeps_what_the_method_declares(method):
    """Rounding adds up to some 1e-13 in 1e4 steps; a method that does not keep it is seen at once."""
    h = 0.4 if method.order == 6 else H  # where what is not kept stands out of rounding
    driver, samples = run(method, "free", 10_000, h)
    E, L = energy(driver, samples), space_momentum(samples)
    errors = {
        "energy": np.abs(E / E[0] - 1).max(),
        "momentum": np.abs(L - L[0]).max() / np.linalg.norm(L[0]),
    }
    for name, error in errors.items():
        if name in method.keeps:
            assert error < 1e-12
        else:
            assert error > 1e-8


@pytest.mark.parametrize(
    "method", [m for m in FORCED if "momentum" in m.keeps], ids=lambda method: method.name
)
def test_momentum_about_gravity_stays_on_a_heavy_body(method):
    _, samples = run(method, "heavy", 10_000)
    vertical = space_momentum(samples)[:, 2]
    assert np.abs(vertical - vertical[0]).max() < 2e-12


def trend_in_the_band(method, steps=100_000, h=0.05):
    """Change of the energy over the run, relative to its band: the mean of four starts.

    The motion is chaotic: for one start, the change is up to 2 % of the band, of either sign, and other
    roundings give another one.
    """
    mechanism, state = SYSTEMS["heavy"]()
    driver, found = Driver(mechanism, method), []
    for k in range(4):
        x = driver.start(state).copy()
        x[4] *= 1 + k * 1e-6
        _, samples, _ = driver(x, h, steps, every=5)
        E = energy(driver, samples[:, :, 0])
        t = np.linspace(-0.5, 0.5, len(E))
        found.append(t @ (E - E.mean()) / (t @ t) / np.ptp(E))
    return abs(np.mean(found))


@pytest.mark.parametrize("method", [m for m in FORCED if m.symplectic], ids=lambda method: method.name)
def test_energy_of_symplectic_methods_has_a_band_and_no_trend(method):
    assert trend_in_the_band(method) <= 0.01


def test_rk4_is_the_control_and_has_a_trend():
    rk4 = next(method for method in ALL if method.name == "rk4")
    assert trend_in_the_band(rk4) > 0.1


@pytest.mark.parametrize("method", FORCED, ids=lambda method: method.name)
def test_quaternions_stay_unit(method):
    """All but the one that is there to show what happens otherwise."""
    _, samples = run(method, "heavy", 10_000, h=0.02)
    error = np.abs((samples[:, :4] ** 2).sum(axis=1) - 1).max()
    assert error > 1e-8 if method.name == "rk4_raw" else error < 1e-15
