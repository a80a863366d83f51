"""The snakeboard against its momentum equation, and the unicycle against linear models made by hand."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import poinsot as ps
from poinsot.gallery import unicycle


def test_the_snakeboard_obeys_its_momentum_equation():
    """With the axles at +-phi, the board goes along itself with v and turns with v tan(phi)/l.  The momentum
    p along this motion, the only one that the wheels allow, is

        p = (M + J tan^2/l^2) v + (tan/l) I psi',     p' = (tan/l)' (J v tan/l + I psi')

    with M and J of all and I of the rotor: J has the axles at +-l."""
    s = ps.scenario("snakeboard")
    m, l = s.mechanism, 0.4
    mass = {link.name: link.body.mass for link in m.links}
    moment = {link.name: link.body.inertia[2, 2] for link in m.links}
    M, rotor = sum(mass.values()), moment["rotor"]
    J = sum(moment.values()) + l * l * (mass["front"] + mass["rear"])

    def steer(t):
        phi, rate = 0.5 * np.sin(4 * t), 2.0 * np.cos(4 * t)
        return np.tan(phi) / l, rate / np.cos(phi) ** 2 / l, rotor * 3.6 * np.cos(4 * t)

    def speed(t, p):
        k, _, swing = steer(t)
        return (p - k * swing) / (M + J * k * k)

    def rate(t, y):
        heading, p = y[2:]
        v = speed(t, p)
        k, turn, swing = steer(t)
        return [v * np.cos(heading), v * np.sin(heading), k * v, turn * (J * k * v + swing)]

    run = ps.simulate(m, s.start, s.method, step=s.step, until=s.until)
    found = solve_ivp(rate, (0, s.until), [0, 0, 0, 0], "DOP853", rtol=1e-12, atol=1e-13, t_eval=run.time).y
    assert np.abs(run.joint("board") - found[:3].T).max() < 1e-8
    assert np.ptp(run.energy - run.work) < 1e-8
    assert speed(s.until, found[3, -1]) > 1.5  # it gathered speed
    here = ps.dynamics.loop_constraints(m, run.final)
    assert max(np.abs(x).max() for x in here.rates.values()) < 1e-13


def by_hand():
    """Return A and B of the unicycle in lean, pitch, angles of wheel and flywheel, and rates: Lagrange's in
    lean, pitch, way and flywheel.  The wheel turns against the frame by way/r - pitch."""
    m = ps.scenario("unicycle").mechanism
    (mf, If), (mw, Iw), (ms, Is) = ((one.body.mass, np.diag(one.body.inertia)) for one in m.links)
    g, r, h, a = 9.81, unicycle.RADIUS, unicycle.HEIGHT, unicycle.ABOVE
    across = (
        If[0] + Iw[0] + mf * (r + h) ** 2 + mw * r**2 + ms * (r + a) ** 2
    )  # without the spin of the flywheel
    moment = mf * h + ms * a  # first, above the axle
    mass = np.zeros((4, 4))
    mass[0, 0], mass[0, 3], mass[3, 3] = across + Is[0], Is[0], Is[0]
    mass[1, 1] = If[1] + Is[1] + mf * h**2 + ms * a**2
    mass[1, 2], mass[2, 2] = moment, mf + mw + ms + Iw[1] / r**2
    mass = mass + np.triu(mass, 1).T
    pull = np.diag([g * (mf * (r + h) + mw * r + ms * (r + a)), g * moment, 0, 0])
    push = np.array([[0, 0], [-1, 0], [1 / r, 0], [0, 1]])
    turn = np.eye(4)
    turn[2] = 0, -1, 1 / r, 0
    A = np.block([[np.zeros((4, 4)), turn], [np.linalg.solve(mass, pull), np.zeros((4, 4))]])
    return A, np.vstack([np.zeros((4, 2)), np.linalg.solve(mass, push)])


def test_the_linear_unicycle_is_that_of_lagrange_and_its_loop_decays_as_its_poles_say():
    s = ps.scenario("unicycle")
    m, target = s.mechanism, unicycle.upright(s.mechanism)
    A, B = by_hand()
    lin = ps.dynamics.linearize(m, target, unicycle.INPUTS).without(*unicycle.FREE)
    assert lin.states[:4] == ("frame.rotation[0]", "frame.rotation[1]", "wheel.angle", "flywheel.angle")
    assert pytest.approx(A, abs=1e-11) == lin.A
    assert pytest.approx(B, abs=1e-11) == lin.B

    A, B = ps.control.discretize(A, B, s.control["period"])
    best = ps.control.lqr(A, B, unicycle.Q, unicycle.R)
    loop = A - B @ best.gain
    assert np.abs(np.linalg.eigvals(loop)).max() < 0.999
    start = ps.dynamics.move(m, target, 1e-6 * np.array([1.0, 2, -3, 0, 0, 0, 1, 0]) @ lin.basis.T)
    run = ps.simulate(m, start, "rk4", step=0.005, until=3.2, every=2, controller=s.controller)  # no push yet
    names = ps.dynamics.linearize(m, target, unicycle.INPUTS)
    x = np.array([ps.dynamics.difference(m, one, target) for one in run.trajectory.states()])
    x = x @ np.linalg.pinv(names.basis).T
    x = x[:, [names.states.index(name) for name in lin.states]]
    wanted = [x[0]]
    for _ in x[1:]:
        wanted.append(loop @ wanted[-1])
    assert np.abs(x - wanted).max() < 1e-5 * np.abs(x).max()
    y, lag = x[-150:, 2], 20  # only the slowest pair is left: y'' = a y' + b y, over twenty periods each
    a, b = np.linalg.lstsq(np.stack([y[lag:-lag], y[: -2 * lag]], axis=1), y[2 * lag :], rcond=None)[0]
    slowest = best.poles[np.abs(best.poles).argmax()]
    assert np.sort_complex(np.roots([1, -a, -b])) == pytest.approx(
        np.sort_complex([slowest**lag, np.conj(slowest) ** lag]), abs=2e-3
    )


def test_the_unicycle_is_pushed_and_stands():
    s = ps.scenario("unicycle")
    run = ps.simulate(s.mechanism, s.start, s.method, step=s.step, until=s.until, controller=s.controller)
    tilt = np.arccos(np.clip(run.rotation("frame")[:, 2, 2], -1, 1))
    assert tilt[0] == pytest.approx(np.arccos(np.cos(unicycle.LEAN) * np.cos(unicycle.PITCH)))
    assert tilt[run.time > 3.9].max() > np.deg2rad(1.0)
    assert tilt[-1] < np.deg2rad(0.1)
    assert np.abs(run.joint("wheel")[-1]) < 0.05
    assert np.ptp(run.energy - run.work) < 1e-5
    assert "it ends" in s.story(run)
    assert not run.report().contacts  # it does not slip with a friction of 0.6
