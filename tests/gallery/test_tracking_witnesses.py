"""Tracking scenarios without published data, against equations that are derived and integrated here.

With the body law and as many inputs as the task needs, the error E = G_R^-1 G of the led body obeys an
equation of its own, whatever mechanism carries the body and however the reference moves:

    E' = E wed(e),     M e' - ad_e^T M e + D e + vee2((1 - E^-1) K') = 0                                (1)
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import lsq_linear

import poinsot as ps
from poinsot.gallery import arm_free_base, cart_pole, satellite_wheels, six_axes


def wed(w):
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0.0]])


def run_of(s, until):
    return ps.simulate(s.mechanism, s.start, s.method, step=s.step, until=until, controller=s.controller)


def cart_and_pole(until):
    """The sampled loop in plain mechanics: Lagrange's equations of the plant and of its template.

    The template is a body with its mass at the height s of the pole, a moment, a spring and a damper at the
    height h, and a pendulum of stiffness kappa; the only force drives the cart.
    """
    m, length, moment, g = cart_pole.MASS, cart_pole.LENGTH, cart_pole.MOMENT, 9.81
    e = length + moment / (m * length)
    (w1, z1), (w2, z2) = cart_pole.SLOW, cart_pole.FAST
    p3, p2, p1, p0 = np.poly(
        [-z * w + sign * 1j * w * np.sqrt(1 - z * z) for w, z in ((w1, z1), (w2, z2)) for sign in (1, -1)]
    ).real[1:]
    D = p1 * p2 - p0 * p3
    h, s, d, k = e + g * p3 / p1, e + g * p1 / D, p1**2 / D, p0 * p1 / D
    J, kappa = (h - s) * (s - e), g * (h - s)

    def plant(x, theta, v, w):
        M = np.array([[1.0 + m, m * length * np.cos(theta)], [0.0, moment + m * length**2]])
        M[1, 0] = M[0, 1]
        return M, np.array([-m * length * w * w * np.sin(theta), -m * g * length * np.sin(theta)])

    def force(y):
        x, theta, v, w = y
        c, sn = np.cos(theta), np.sin(theta)
        M, f = plant(*y)
        M_ = np.array([[1.0, s * c], [s * c, J + s * s]])
        A = np.array([[1.0, h * c], [0.0, -h * sn]])  # of the point at the height h
        away = np.array([x + h * sn, h * c - h])
        f_ = np.array([-s * w * w * sn, kappa * sn]) + A.T @ (k * away + d * A @ [v, w])
        b = np.linalg.solve(M, [1.0, 0.0])
        wanted = np.linalg.solve(M, f) - np.linalg.solve(M_, f_)
        return float(b @ M_ @ wanted / (b @ M_ @ b))

    y = np.array([0.5, np.deg2rad(40), 0.0, 0.0])
    for _ in range(round(until / 0.005)):
        u = force(y)

        def rate(t, y, u=u):
            M, f = plant(*y)
            return [*y[2:], *np.linalg.solve(M, np.array([u, 0.0]) - f)]

        y = solve_ivp(rate, (0.0, 0.005), y, rtol=1e-12, atol=1e-14, method="DOP853").y[:, -1]
    return y


def test_a_cart_and_its_pole():
    s = ps.scenario("cart-pole")
    end = cart_and_pole(2.0)
    run = run_of(s, 2.0)
    assert np.abs(np.concatenate([run.final.q, run.final.v]) - end).max() < 1e-7  # rk4 at 5 ms
    assert s.reference["coordinates at 2"] == pytest.approx(end[:2], abs=1e-12)


def error_motion(pair, E, e, times):
    """Return E of (1) at some times; a pair without mass has a rotation alone."""
    moves = pair.inertia[3, 3] > 0
    M, D, K = pair.M, pair.D, pair.stiffness
    if not moves:
        M, D = M[:3, :3], D[:3, :3]

    def rate(t, y):
        E, e = y[:16].reshape(4, 4), y[16:]
        w, v = e[:3], e[3:] if moves else np.zeros(3)
        X = np.zeros((4, 4))
        X[:3, :3], X[:3, 3] = wed(w), v
        Y = (np.eye(4) - np.linalg.inv(E)) @ K
        pull = [Y[2, 1] - Y[1, 2], Y[0, 2] - Y[2, 0], Y[1, 0] - Y[0, 1], *Y[:3, 3]][: len(e)]
        p = M @ e
        turn = np.cross(w, p[:3]) + (np.cross(v, p[3:]) if moves else 0)
        gyro = np.concatenate([turn, np.cross(w, p[3:])]) if moves else turn
        return np.concatenate([(E @ X).ravel(), -np.linalg.solve(M, gyro + D @ e + pull)])

    y = np.concatenate([E.ravel(), e[: len(M)]])
    found = solve_ivp(rate, (0.0, times[-1]), y, t_eval=times, rtol=1e-10, atol=1e-12)
    return found.y[:16].T.reshape(-1, 4, 4)


def pose(R, r):
    G = np.eye(4)
    G[:3, :3], G[:3, 3] = R, r
    return G


def test_a_satellite_follows_the_equation_of_its_error_and_its_wheels_keep_the_momentum():
    s = ps.scenario("satellite-wheels", **{"control.limit": 100.0})
    law = satellite_wheels.law(s.mechanism, {"law": "body", "limit": 100.0}, None)
    run = ps.simulate(s.mechanism, s.start, "rk4", step=0.01, until=1.5, controller=law)
    reference = satellite_wheels.reference()

    def attitude(q):
        return ps.quaternion.matrix(q)

    E = [
        attitude(reference(t)[0].q[:4]).T @ R
        for t, R in zip(run.time, run.rotation("satellite"), strict=True)
    ]
    exact = error_motion(law.function.template.pairs[0], pose(E[0], np.zeros(3)), np.zeros(3), run.time)
    assert np.abs(E[0] - np.eye(3)).max() > 0.3
    assert np.abs(np.array(E) - exact[:, :3, :3]).max() < 2e-3  # the completion of the law: 1e-4
    # about each axis: the satellite, its wheel, and half of each other wheel
    total = np.array(satellite_wheels.J) + satellite_wheels.WHEEL * 2.0
    w = run.trajectory.v
    assert np.abs(total * w[:, :3] + satellite_wheels.WHEEL * w[:, 3:]).max() < 1e-8
    axis = np.array(satellite_wheels.AXIS)
    assert ps.scenario("satellite-wheels").reference["R33 at 12"] == pytest.approx(2 * axis[2] ** 2 - 1)


def chain(base, q):
    """Return the pose of the flange, and the centre of mass of base and arm, by hand."""
    G, mass = base.copy(), 200.0
    centre = mass * G[:3, 3]
    places = ((0.0, 0.0, 0.45), *six_axes.PLACES[1:])
    for axis, place, angle, m, c in zip(
        six_axes.AXES, places, q, six_axes.MASSES, six_axes.CENTRES, strict=True
    ):
        W = wed(axis)
        G = G @ pose(np.eye(3) + np.sin(angle) * W + (1 - np.cos(angle)) * W @ W, place)
        centre, mass = centre + m * (G @ [*c, 1.0])[:3], mass + m
    return G, centre / mass


def test_the_tool_of_a_free_arm_follows_the_equation_of_its_error_and_its_centre_of_mass_stays():
    s = ps.scenario("arm-free-base")
    law = arm_free_base.law(s.mechanism, {"law": "body", "completion": 1e-5}, None)
    run = ps.simulate(s.mechanism, s.start, "rk4", step=0.02, until=1.0, controller=law)
    reference, E, centres = arm_free_base.reference(), [], []
    for t, q in zip(run.time, run.trajectory.q, strict=True):
        here, centre = chain(pose(ps.quaternion.matrix(q[3:7]), q[:3]), q[7:])
        there, _ = chain(np.eye(4), reference(float(t))[0].q[7:])
        E.append(np.linalg.inv(there) @ here)
        centres.append(centre)
    assert np.abs(np.array(centres) - centres[0]).max() < 1e-7
    exact = error_motion(law.function.template.pairs[0], E[0], np.zeros(6), run.time)
    assert np.abs(E[0] - np.eye(4)).max() > 0.05
    assert np.abs(np.array(E) - exact).max() < 1e-3  # the completion of the law
    end, _ = chain(np.eye(4), arm_free_base.TO)
    tool = (end @ [*six_axes.TOOL, 1.0])[:3]
    assert s.reference["tool at 6"] == pytest.approx(tool, abs=1e-12)


POLES, WEIGHT = ((2.5, 0.9), (10.0, 0.8)), np.repeat([300.0, 1.0], 3)


def dropped_quadcopter(until):
    """The recovery in plain mechanics: the particle law of a body about hover, and bounded least squares.

    In body axes the template has the mass at s, damping and stiffness at h above the centre; where a bound
    acts, the misses of the rotation weigh 300 times as much.
    """
    m, J, g, period = 1.001, np.diag([17.9e-3, 18e-3, 30.7e-3]), 9.81, 0.01
    arm, torque = 0.24, 2.45e-7 / 1.44e-5
    roots = [-z * w + sign * 1j * w * np.sqrt(1 - z * z) for w, z in POLES for sign in (1, -1)]
    p3, p2, p1, p0 = np.poly(roots).real[1:]
    D = p1 * p2 - p0 * p3
    h, s = g * p3 / p1, g * p1 / D
    d, k, Jx, Jz = m * p1**2 / D, m * p0 * p1 / D, m * (h - s) * s, 0.0307
    B = np.zeros((6, 4))
    for j, (x, y, spin) in enumerate([(arm, 0, 1), (0, arm, -1), (-arm, 0, 1), (0, -arm, -1)]):
        B[:, j] = y, -x, -spin * torque, 0, 0, 1

    def about(total, height, moments):
        """Return second moments (4, 4) of points from those of inertia about a centre at a height."""
        P = np.zeros((4, 4))
        P[:3, :3] = np.diag(sum(moments) / 2 - np.array(moments))
        at = np.array([0.0, 0.0, height, 1.0])
        return P + total * np.outer(at, at)

    inertia = about(m, s, (Jx, Jx, Jz))
    damping = about(d, h, (0.0, 0.0, 12 * Jz))
    stiffness = about(k, h, (m * g * (h - s), m * g * (h - s), 36 * Jz))

    def twist(w, v):
        X = np.zeros((4, 4))
        X[:3, :3], X[:3, 3] = wed(w), v
        return X

    basis = [twist(*np.split(e, 2)) for e in np.eye(6)]

    def wrench(X):
        return np.array([np.sum(X * E) for E in basis])

    M_ = np.array([wrench(E @ inertia) for E in basis])
    M = np.zeros((6, 6))
    M[:3, :3], M[3:, 3:] = J, m * np.eye(3)

    def bias(R, w, v):
        return np.concatenate([np.cross(w, J @ w), m * (np.cross(w, v) + R.T @ [0, 0, g])])

    def input(R, r, w, v):
        away = np.eye(4)
        away[:3, :3] -= R.T
        away[3, 3], away[:3, 3] = 0.0, R.T @ r
        X = twist(w, v)
        f_ = wrench(away @ stiffness + X @ damping + X @ X @ inertia)
        miss = np.linalg.solve(M, bias(R, w, v)) - np.linalg.solve(M_, f_)
        reach, L = np.linalg.solve(M, B), np.linalg.cholesky(M_).T
        u = np.linalg.lstsq(L @ reach, L @ miss, rcond=None)[0]
        if (u >= 0.2).all() and (u <= 9).all():
            return u
        L = np.linalg.cholesky(np.sqrt(np.outer(WEIGHT, WEIGHT)) * M_).T
        return lsq_linear(L @ reach, L @ miss, (0.2, 9.0), method="bvls", tol=1e-14).x

    half = np.deg2rad(179)
    R = np.array([[1, 0, 0], [0, np.cos(half), -np.sin(half)], [0, np.sin(half), np.cos(half)]])
    y = np.concatenate([R.ravel(), np.zeros(9)])
    for _ in range(round(until / period)):
        u = B @ input(y[:9].reshape(3, 3), y[9:12], y[12:15], y[15:])

        def rate(t, y, u=u):
            R, w, v = y[:9].reshape(3, 3), y[12:15], y[15:]
            return np.concatenate([(R @ wed(w)).ravel(), R @ v, np.linalg.solve(M, u - bias(R, w, v))])

        y = solve_ivp(rate, (0.0, period), y, rtol=1e-11, atol=1e-13, method="DOP853").y[:, -1]
    return y


def test_a_quadcopter_that_was_dropped_upside_down():
    s = ps.scenario("quadcopter-recovery")
    end = dropped_quadcopter(1.0)
    run = ps.simulate(s.mechanism, s.start, "dop853", step=s.step, until=1.0, controller=s.controller)
    assert np.abs(run.rotation("copter")[-1].ravel() - end[:9]).max() < 1e-10
    assert np.abs(run.position("copter")[-1] - end[9:12]).max() < 1e-10
    assert s.reference["position at 1"] == pytest.approx(end[9:12], abs=1e-10)
