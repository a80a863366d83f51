"""References against reference vectors; every derivative against differences."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import poinsot as ps
from poinsot.control.references.curves import derivatives, step_coefficients, tower
from poinsot.control.references.flat import attitude_from_yaw
from poinsot.gallery import copters
from poinsot.model import identity
from support.data import load

DATA = load("control.json")
REF = DATA["vectors"]["references"]
C = ps.control


def copter():
    return ps.Mechanism().add("d", ps.Body(1.0, (0.1, 0.1, 0.1)), ps.Free())


def same_rotation(a, b):
    return min(np.abs(a - b).max(), np.abs(a + np.asarray(b)).max())


@pytest.mark.parametrize("degree", [5, 7, 9])
def test_the_coefficients_of_rest_to_rest(degree):
    assert (step_coefficients(degree) == REF["rest_to_rest_coefficients"][str(degree)]).all()


def test_a_transition():
    data = REF["transition_degree_9"]
    curve = C.references.rest_to_rest([data["y0"]], [(data["t0"], data["T"], [data["y1"]])])
    for sample in data["samples"]:
        wanted = np.array(sample["derivatives"])
        assert np.abs(curve(sample["t"])[:, 0] - wanted).max() < 1e-9 * max(1.0, np.abs(wanted).max())
    assert (curve(-1.0)[1:] == 0).all()
    assert (curve(9.0)[:, 0] == [data["y1"], 0, 0, 0, 0]).all()


def test_replanning():
    data = REF["replanning_degree_9"]
    curve = C.references.replan(np.array(data["state_now"])[:, None], data["target"][:1], data["T"])
    assert np.abs(curve(0.7)[:, 0] - data["value_at_0p7"]).max() < 1e-9 * 116
    assert np.abs(curve(data["T"])[:, 0] - data["target"]).max() == 0


CURVES = {
    "rest_to_rest": C.references.rest_to_rest([0.0, 1, 2], [(0.1, 1.9, [1.0, -1, 0.5])]),
    "helix": C.references.helix(1.3, 0.4, (0.1, 0, 0.2), center=(1, 2, 3)),
    "circle": C.references.circle(1.5, 0.5),
    "loop": C.references.loop_the_loop(1.0, 2.2),
    "flip": C.references.flip(),
    "replanned": C.references.replan(np.random.default_rng(1).normal(size=(5, 3)), [1, 2, 3], 2.0),
}


@pytest.mark.parametrize("name", CURVES)
def test_the_derivatives_of_a_curve(name):
    curve, h = CURVES[name], 1e-3
    for t in (0.37, 0.9, 1.31):
        rows = curve(t)
        assert rows.shape[0] == 5
        for k in range(4):
            slope = (8 * (curve(t + h)[k] - curve(t - h)[k]) - curve(t + 2 * h)[k] + curve(t - 2 * h)[k]) / (
                12 * h
            )
            assert np.abs(slope - rows[k + 1]).max() < 1e-6 * max(1.0, np.abs(rows).max())


def check_free(reference, t, digits=1e-6):
    """Velocities and accelerations of a free body against differences of its pose."""
    m, h = copter(), 1e-4
    state, a = reference(t)
    after, before = reference(t + h)[0], reference(t - h)[0]
    x = ps.dynamics.difference(m, after, state) - ps.dynamics.difference(m, before, state)
    assert np.abs(x[:6] / (2 * h) - state.v).max() < digits * max(1.0, np.abs(state.v).max())
    assert np.abs((after.v - before.v) / (2 * h) - a).max() < digits * max(1.0, np.abs(a).max())


ATTITUDES = {
    "euler": C.references.euler_attitude(
        C.references.rest_to_rest([0.1, 0.2, 0.3], [(0.0, 2.0, [1.0, 1.5, -2.0])], degree=5)
    ),
    "turning": C.references.turning(
        (1, 2, 2), C.references.rest_to_rest([0.0], [(0.0, 2.0, [6.0])]), start=(0.6, 0.8, 0, 0)
    ),
}


@pytest.mark.parametrize("name", ATTITUDES)
def test_the_rates_of_an_attitude(name):
    reference = C.references.free_motion(copter(), "d", CURVES["helix"], ATTITUDES[name])
    for t in (0.3, 1.1):
        check_free(reference, t)


def test_the_rates_of_a_spline_of_poses():
    rng = np.random.default_rng(2)
    poses = [ps.se3.exp(rng.normal(size=6)) for _ in range(4)]
    spline, h = C.references.pose_spline(1.0, 0.5, poses), 1e-4
    for t in (1.1, 1.6, 2.4, 3.2):
        G, v, a = spline(t)
        (after, up, _), (before, down, _) = spline(t + h), spline(t - h)
        assert np.abs(ps.se3.vee(np.linalg.inv(G) @ (after - before)) / (2 * h) - v).max() < 1e-6
        assert np.abs((up - down) / (2 * h) - a).max() < 1e-6
    for t, pose in ((0.0, poses[0]), (1.0, poses[0]), (3.5, poses[-1]), (9.0, poses[-1])):
        G, v, a = spline(t)
        assert np.abs(G - pose).max() < 1e-14
        assert np.abs(v).max() + np.abs(a).max() < 1e-13


def test_the_heading_of_a_helix_is_rotation_minimising():
    data = REF["helix_heading"]
    curve = C.references.helix(data["R"], data["Hz"], (0, 0, data["climb"]))
    reference = C.references.flat_quadcopter(copter(), "d", curve, front=data["x_start"])
    for sample in data["samples"]:
        state, a = reference(sample["t"])
        assert same_rotation(state.q[3:], sample["q"]) < 1e-9
        assert np.abs(state.v[:3] - sample["w"]).max() < 1e-9
        assert np.abs(a[:3] - sample["wd"]).max() < 1e-9 * 10


def transported(curve, t, gravity=9.81, heading=0.0):
    """The x axis at a time by an integrator of SciPy, in units of the time."""

    def direction(s):
        r = curve(s * t)
        f = r[2] + [0, 0, gravity]
        z, F = f / np.linalg.norm(f), np.linalg.norm(f)
        return z, (r[3] - (r[3] @ z) * z) / F

    z = direction(0.0)[0]
    x = np.array([1.0, 0, 0]) - z[0] * z

    def rate(s, x):
        z, zd = direction(s)
        return t * np.cross(np.cross(z, zd) + heading * z, x)

    return solve_ivp(rate, (0, 1), x / np.linalg.norm(x), method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]


@pytest.mark.parametrize(("unit", "side"), [(1.0, 1), (1e-3, -1)])  # seconds
def test_the_heading_is_transported_exactly_in_any_unit_of_time(unit, side):
    """A fast curve, one of the user's own, one with a heading rate; before and after the time 0."""
    m = ps.Mechanism(gravity=(0, 0, -9.81 / unit**2)).add("d", ps.Body(1.0, (0.1, 0.1, 0.1)), ps.Free())
    for curve, t in (
        (C.references.helix(0.01, 5.0 / unit, (0, 0, 0.1 / unit)), 0.26),
        (lambda t: C.references.helix(0.5, 0.7 / unit, (0, 0, 0.1 / unit))(t), 0.9),
    ):
        T, rate = side * t * unit, 0.9 / unit
        found = C.references.flat_quadcopter(m, "d", curve)(T)[0]
        wanted = transported(curve, T, 9.81 / unit**2)
        assert np.abs(ps.quaternion.matrix(found.q[3:])[:, 0] - wanted).max() < 1e-11
        turning = C.references.flat_quadcopter(
            m, "d", curve, heading=lambda t, rate=rate: np.array([[rate * t], [rate], [0.0]])
        )
        wanted = transported(curve, T, 9.81 / unit**2, rate)
        assert np.abs(ps.quaternion.matrix(turning(T)[0].q[3:])[:, 0] - wanted).max() < 1e-11


def test_a_flat_reference_at_late_times():
    """Each turn of a helix turns the heading by one angle; a curve that ended stays; others need begin."""
    m, R = copter(), ps.quaternion.matrix
    curve = C.references.helix(1.0, 0.1, (0, 0, 0.1))
    reference = C.references.flat_quadcopter(m, "d", curve)
    first, second, late = (R(reference(t)[0].q[3:]) for t in (3.0, 13.0, 3.0 + 1e7))
    each = first.T @ second
    angle = np.arctan2(each[1, 0], each[0, 0])
    c, s = np.cos(1e6 * angle), np.sin(1e6 * angle)
    assert np.abs(late - first @ [[c, -s, 0], [s, c, 0], [0, 0, 1]]).max() < 1e-7  # of 1e6 angles
    loop = C.references.flat_quadcopter(m, "d", C.references.loop_the_loop(1.0, 3.6))
    assert np.abs(loop(1.7e9)[0].q - loop(3.6)[0].q).max() < 1e-12

    def own(t):
        return curve(t)

    with pytest.raises(ps.ModelError, match="too far from t = 0, when the front is given: give it"):
        C.references.flat_quadcopter(m, "d", own)(1e9)
    assert C.references.flat_quadcopter(m, "d", own, begin=1e9)(1e9 + 0.5)[0].time == 1e9 + 0.5


def test_flat_references_are_told_apart_by_their_heading():
    m, curve = copter(), C.references.circle(0.5, 0.3)

    def turning(rate):
        return lambda t: np.array([[rate * t], [rate], [0.0]])

    headings = (None, turning(0.4), turning(0.4), turning(0.5))
    made = (C.references.flat_quadcopter(m, "d", curve, heading=one) for one in headings)
    none, a, b, other = (identity.digest_of_callable(one) for one in made)
    assert a == b
    assert len({none, a, other}) == 3


def test_a_flat_reference_of_a_curve_that_ends():
    def curve(t):
        if t > 1.0:
            raise ValueError("it ended")
        return C.references.circle(0.5, 0.3)(t)

    m = copter()
    reference, whole = (
        C.references.flat_quadcopter(m, "d", one) for one in (curve, C.references.circle(0.5, 0.3))
    )
    for t in (0.0, 0.3, 1.0):
        assert np.abs(reference(t)[0].q - whole(t)[0].q).max() < 1e-13


def test_a_flat_reference_with_drag_and_heading():
    data = REF["flat_with_drag"]
    polynomials, t0 = tower(np.array(data["position_polynomial_coefficients"])), data["t"]

    def heading(t):
        return np.array([[0.0], [0.4 + 0.3 * (t + t0)], [0.3], [0.0], [0.0]])

    reference = C.references.flat_quadcopter(
        copter(),
        "d",
        lambda t: derivatives(polynomials, t + t0),
        heading=heading,
        drag=data["c"],
        front=data["heading_vector"],
    )
    state, a = reference(0.0)
    assert np.abs(ps.quaternion.matrix(state.q[3:]) - data["R"]).max() < 1e-11
    assert np.abs(state.v - data["xi_wv"]).max() < 1e-9
    assert np.abs(a - data["xid_wv"]).max() < 1e-9 * 17
    check_free(reference, 0.05, digits=1e-5)


def test_a_flat_quadcopter_is_feasible_and_a_tilted_one_is_not():
    m = copter()
    rotors = [
        ps.Thrust("d", at, (0, 0, 1), s * 0.02) for at, s in zip(np.eye(3)[[0, 1]], (1, -1), strict=True)
    ]
    rotors += [ps.Thrust("d", -np.array(one.at), (0, 0, 1), one.drag) for one in rotors]
    reference = C.references.flat_quadcopter(m, "d", C.references.loop_the_loop(1.0, 3.6))
    assert C.references.infeasibility(m, reference, rotors, [0.0, 0.01, 0.2]).max() < 1e-11
    tilted = C.references.constant(m.state({"d": dict(rotation=ps.quaternion.exp((0.3, 0, 0)))}))
    assert C.references.infeasibility(m, tilted, rotors, [0.0])[0] == pytest.approx(
        9.81 * np.sin(0.3), rel=1e-12
    )


def test_attitude_from_yaw():
    data = REF["attitude_from_yaw"]
    assert np.abs(attitude_from_yaw(np.array(data["f"]), data["yaw"]) - data["R"]).max() < 1e-9


def test_the_flat_reference_of_a_pvtol():
    run = DATA["runs"]["pvtol"]
    m = ps.Mechanism(gravity=(0, -9.81, 0)).add("p", ps.Body(1.0, (1, 1, 0.017)), ps.Planar((0, 0, 1)))
    for sample in run["outputs"]["flat_vectors"]:
        rows = np.array(sample["y"])
        state, a = C.references.flat_pvtol(
            m, "p", lambda t, rows=rows: rows, offset=run["outputs"]["epsilon"]
        )(0.0)
        assert np.abs(state.q - sample["q"]).max() < 1e-9
        c, s = np.cos(state.q[2]), np.sin(state.q[2])
        turn = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])  # to body axes, as in the file
        v = turn @ state.v
        assert np.abs(v - sample["xi"]).max() < 1e-9 * 10
        bias = state.v[2] * np.array([-v[1], v[0], 0])
        assert np.abs(turn @ a - bias - sample["xid"]).max() < 1e-9 * 50


def test_what_is_wrong_is_named():
    m = copter()
    falling = C.references.flat_quadcopter(
        m, "d", lambda t: np.array([[0.0, 0, 0], [0, 0, 0], [0, 0, -9.81 * t], [0, 0, -9.81], [0, 0, 0]])
    )
    with pytest.raises(ps.ModelError, match="the thrust vanishes at t = 1"):
        falling(1.0)
    with pytest.raises(ps.ModelError, match="begins before the one before it ends"):
        C.references.rest_to_rest([0.0], [(0.0, 2.0, [1.0]), (1.0, 1.0, [2.0])])
    with pytest.raises(ps.ModelError, match="'ball' has a Spherical joint, without plain coordinates"):
        C.references.joint_motion(
            ps.Mechanism().add("ball", ps.Body(1.0, (1, 1, 1)), ps.Spherical()),
            C.references.rest_to_rest([0.0] * 3, []),
        )


def test_the_identity_of_a_flat_reference_is_what_it_was_made_of(monkeypatch):
    """Not how far it has been integrated; and of an installed library too, whose code counts by version."""
    c = copters.quadcopter()
    for installed in (False, True):
        if installed:
            monkeypatch.setattr(identity, "library_of", lambda name: "poinsot 1" if "poinsot" in name else "")
        one, two = (
            C.references.flat_quadcopter(c.mechanism, "copter", C.references.circle(1.5, f))
            for f in (0.5, 0.6)
        )
        before = identity.digest_of_callable(one)
        one(0.5)
        assert identity.digest_of_callable(one) == before
        again = C.references.flat_quadcopter(c.mechanism, "copter", C.references.circle(1.5, 0.5))
        assert identity.digest_of_callable(again) == before
        assert identity.digest_of_callable(two) != before
