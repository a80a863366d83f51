"""Declared orders, measured on systems with nothing special about them, against scipy's DOP853."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from poinsot.compile.catalogue import by_name
from support import lie_euler
from support.harness import ALL, FORCED, SYSTEMS, Driver
from support.order import assert_order, own_method

TIME = 2.0


def truth(driver, x0):
    """DOP853 on the equations in inertia-tensor form, written here from scratch."""
    body, record = driver.body, driver.body.record
    I, c, g, m = np.array(record.I), np.array(record.c), np.array(record.g), record.m

    def rotation(q):
        w, x, y, z = q / np.linalg.norm(q)
        return np.array(
            [
                [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
            ]
        )

    def field(t, y):
        q, P, r, p = y[:4], y[4:7], y[7:10], y[10:13]
        R, w = rotation(q), P / I
        torque, force = np.cross(c, R.T @ (m * g)), m * g
        for applied in body.forces:
            rows = (R @ np.array(record.E).reshape(3, 3).T).tolist()
            wrench = np.array(applied.function(t, rows, w, r, p / m))
            torque, force = torque + R.T @ wrench[:3], force + wrench[3:]
        a, b, d = w / 2
        s, i, j, k = q
        turn = [-(i * a + j * b + k * d), s * a + j * d - k * b, s * b + k * a - i * d, s * d + i * b - j * a]
        return np.concatenate([turn, np.cross(P, w) + torque, record.mobility * p, record.free * force])

    return solve_ivp(field, (0, TIME), x0, "DOP853", rtol=1e-13, atol=1e-14).y[:, -1]


def distance(x, y):
    """Largest difference; q and -q are the same rotation."""
    y = np.array(y)
    y[:4] *= np.sign(x[:4] @ y[:4])
    return np.abs(x - y).max()


CASES = [(method, system) for method in FORCED for system in ("heavy", "tethered")]
CASES += [(method, "free") for method in ALL if method.scope == "free" and method.order is not None]
CASES += [(method, "damped") for method in FORCED if method.velocity_forces]


def law(method, system):
    """The declared order is the measured one."""
    mechanism, state = SYSTEMS[system]()
    driver = Driver(mechanism, method)
    x0 = driver.start(state)
    exact = truth(driver, x0)
    assert_order(method.order, lambda n: distance(driver(x0, TIME / n, n)[0][:, 0], exact))


@pytest.mark.parametrize(("method", "system"), CASES, ids=lambda x: getattr(x, "name", x))
def test_declared_order(method, system):
    law(method, system)


@pytest.mark.parametrize("system", ["heavy", "tethered", "damped"])
def test_a_method_of_order_one(system):
    """No method in the list has it, but one may."""
    euler = own_method(lie_euler)
    law(euler, system)
    with pytest.raises(AssertionError, match="of order 2"):
        law(replace(euler, order=2), system)


@pytest.mark.parametrize("order", range(1, 9))
def test_the_law_takes_every_order(order):
    """The series of exp cut after h^p, for y. = i y: a method of order p, and of no other."""

    def error(n):
        z = 1j * TIME / n
        return abs(sum(z**k / math.factorial(k) for k in range(order + 1)) ** n - np.exp(1j * TIME))

    assert_order(order, error)
    for other in {order - 1, order + 1} & set(range(1, 9)):
        with pytest.raises(AssertionError):
            assert_order(other, error)


def test_a_wrong_order_would_be_seen():
    """The control: rk4 with its last stage at the wrong place is caught by this very measurement."""
    mechanism, state = SYSTEMS["heavy"]()
    driver = Driver(mechanism, by_name("rk4"))
    x0 = driver.start(state)
    exact = truth(driver, x0)
    error = [distance(driver(x0, 1.001 * TIME / n, n)[0][:, 0], exact) for n in (40, 80)]
    assert np.log2(error[0] / error[1]) < 0.5
