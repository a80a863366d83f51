"""Motions that are known: from elliptic integrals, many digits, formulas, and another integrator.

`tests/data/pendulums.json` was made with 40 digits by `bench/peers/pendulums.py`.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import poinsot as ps
from poinsot.formats.data import from_data, to_data
from support import oracle
from support.data import load

KNOWN = load("pendulums.json")
G = 9.81
ROUND = 1e-13  # some hundred steps, each with a handful of roundings
BRICK = ps.Body(2.0, (0.3, 0.4, 0.5), center_of_mass=(0.1, -0.2, 0.3))


def on_balls(data):
    """The same mechanism with ball joints in the place of hinges about x."""
    bodies = [{**one, "joint": {"kind": "spherical"}} for one in data["bodies"]]
    return from_data({**data, "bodies": bodies})


def turned(angles):
    """Quaternions about x."""
    return np.concatenate([[np.cos(a / 2), np.sin(a / 2), 0.0, 0.0] for a in angles])


def spun(rates):
    return np.concatenate([[rate, 0.0, 0.0] for rate in rates])


def started(data, joint, q, v):
    """A mechanism of hinges or of balls, at the same state."""
    if joint == "revolute":
        return from_data(data), ps.State(0.0, np.array(q), np.array(v))
    return on_balls(data), ps.State(0.0, turned(q), spun(v))


def angles_in(run, joint):
    """(angles and rates) about x of every joint."""
    names = run.mechanism.names
    if joint == "revolute":
        return [run.joint(n)[:, 0] for n in names], [run.rate(n)[:, 0] for n in names]
    halves = [np.arctan2(run.joint(n)[:, 1], run.joint(n)[:, 0]) for n in names]
    return [np.unwrap(2 * half) for half in halves], [run.rate(n)[:, 0] for n in names]


both = pytest.mark.parametrize("joint", ["revolute", "spherical"])


@both
@pytest.mark.parametrize("case", KNOWN["compound"]["periods"], ids=lambda case: f"{case['degrees']} degrees")
def test_a_pendulum_has_the_period_of_the_elliptic_integral(joint, case):
    """After half a period it is on the other side, after the period back, and at rest both times.

    It rests where it turns, so being late shows in the rate: rate = acceleration x late.  Close to the top,
    at the distance e, a change of the angle changes the period by 1/(4 e) of it in seconds.
    """
    data, T, amplitude = KNOWN["compound"]["mechanism"], case["period"], case["amplitude"]
    m, start = started(data, joint, [amplitude], [0.0])
    run = ps.simulate(m, start, "gauss4", step=T / 1000, steps=1000)
    (angle,), (rate,) = angles_in(run, joint)
    mass, d, I = 3.0, 0.4, 0.25 + 3.0 * 0.4**2
    late = rate[[500, 1000]] / (mass * G * d / I * np.sin(amplitude))
    close = 1 / (np.pi - amplitude)
    assert np.abs(late).max() < 1e-14 * (1 + close)
    assert angle[[500, 1000]] == pytest.approx([-amplitude, amplitude], rel=1e-15 * (1 + close))


@both
@pytest.mark.parametrize(
    ("case", "method", "step", "error"),
    [
        ("regular", "gauss3", 0.005, 1e-12),
        ("regular", "gauss4", 0.01, 1e-12),
        ("large", "gauss4", 0.0025, 1e-12),
    ],
)
def test_a_double_pendulum_follows_its_lagrangian(joint, case, method, step, error):
    """`large` turns over and is sensitive: errors grow hundredfold in 3 s, rates are 20 times as large."""
    data, known = KNOWN["double_pendulum"]["mechanism"], KNOWN["double_pendulum"][case]
    m, start = started(data, joint, known["q"], known["v"])
    run = ps.simulate(m, start, method, step=step, until=known["time"][-1])
    angles, rates = angles_in(run, joint)
    for time, value in zip(known["time"], known["at"], strict=True):
        k = round(time / step)
        assert [a[k] for a in angles] == pytest.approx(value["q"], abs=error)
        assert [r[k] for r in rates] == pytest.approx(value["v"], rel=error, abs=error)


@pytest.mark.parametrize("case", KNOWN["top"]["motions"], ids=lambda case: f"{case['root']} {case['tilt']}")
@pytest.mark.parametrize("welded", [False, True])
def test_a_top_precesses_steadily(case, welded):
    """R(t) = Rz(precession t) Rx(tilt) Rz(own_rotation t), alone and with a weight welded to its tip."""
    m = from_data(KNOWN["top"]["mechanism"])
    if welded:  # nothing, so that the motion stays, but it makes the top a tree
        m.add("nothing", None, ps.Fixed(), parent="top", at=(0.1, 0.2, 0.3))
    start = ps.State(0.0, np.array(case["q"]), np.array(case["v"]))
    run = ps.simulate(m, start, "gauss4", step=0.001, steps=500, every=100)
    one = np.ones_like(run.time)
    R = (
        Rotation.from_rotvec(np.outer(case["precession"] * run.time, (0, 0, 1)))
        * Rotation.from_rotvec(np.outer(case["tilt"] * one, (1, 0, 0)))
        * Rotation.from_rotvec(np.outer(case["own_rotation"] * run.time, (0, 0, 1)))
    )
    assert run.rotation("top") == pytest.approx(R.as_matrix(), abs=1e-11)  # 60 rad/s, h w = 0.06, order 8
    assert run.rate("top")[:, 2] == pytest.approx(case["spin"], rel=1e-12)


def test_the_pendulum_of_four_bodies_of_seed_002():
    known = KNOWN["seed002"]["seed"]
    m = from_data(KNOWN["seed002"]["mechanism"])
    start = ps.State(0.0, np.array(known["q"]), np.array(known["v"]))
    run = ps.simulate(m, start, "gauss3", step=0.01, until=10.0)
    assert run.energy[0] == pytest.approx(known["energy"], rel=1e-15)
    assert np.abs(run.energy / known["energy"] - 1).max() < 5e-15
    for name in m.names:
        assert np.abs(np.linalg.norm(run.joint(name), axis=1) - 1).max() < 5e-15
    fine = ps.simulate(m, start, "gauss4", step=0.005, until=known["time"])
    assert fine.final.q == pytest.approx(known["at"]["q"], abs=ROUND)
    assert fine.final.v == pytest.approx(known["at"]["v"], abs=ROUND)
    assert run.at(known["time"]).q == pytest.approx(known["at"]["q"], abs=1e-9)  # gauss3, h = 0.01
    planar = known["planar"]
    angles, rates = angles_in(fine, "spherical")
    assert [a[-1] for a in angles] == pytest.approx(planar["angles"], abs=ROUND)
    assert [r[-1] for r in rates] == pytest.approx(planar["rates"], abs=ROUND)


# slides, screws, planes


def test_a_mass_on_a_spring_swings_like_a_cosine():
    """About its rest length; gravity is across.  w = sqrt(k/m)."""
    m = ps.Mechanism().add("cart", BRICK, ps.Prismatic((1, 0, 0)))
    m.apply(ps.Spring("world", "cart", 50.0, 1.0, at_a=(-1, 0, 0)))
    run = ps.simulate(m, m.state({"cart": dict(displacement=0.2, speed=0.0)}), "gauss4", step=0.01, until=5.0)
    assert run.joint("cart")[:, 0] == pytest.approx(0.2 * np.cos(5 * run.time), abs=ROUND)
    assert run.rate("cart")[:, 0] == pytest.approx(-np.sin(5 * run.time), abs=5 * ROUND)
    stored = 25 * (run.joint("cart")[:, 0] ** 2 - 0.04)
    assert run.potential - run.potential[0] == pytest.approx(
        stored, abs=1e-11
    )  # of 1 J, beside 6 J of weight


def test_a_hanging_mass_swings_about_where_it_would_rest():
    m = ps.Mechanism().add("load", BRICK, ps.Prismatic((0, 0, -2))).apply(ps.JointSpring("load", 50.0))
    run = ps.simulate(m, m.state(), "gauss4", step=0.01, until=5.0)
    rest = 2.0 * G / 50.0
    assert run.joint("load")[:, 0] == pytest.approx(rest * (1 - np.cos(5 * run.time)), abs=ROUND)


def test_a_screw_without_forces_goes_on():
    m = ps.Mechanism(gravity=(0, 0, 0)).add("bolt", BRICK, ps.Cylindrical((1, 2, 2)), at=(1, 0, 0))
    start = m.state({"bolt": dict(angle=0.3, displacement=-0.1, rate=2.0, speed=0.7)})
    run = ps.simulate(m, start, "gauss2", step=0.05, until=10.0)
    assert run.joint("bolt")[:, 0] == pytest.approx(0.3 + 2 * run.time, abs=ROUND)
    assert run.joint("bolt")[:, 1] == pytest.approx(-0.1 + 0.7 * run.time, abs=ROUND)
    assert run.position("bolt")[:, :] @ (1 / 3, 2 / 3, 2 / 3) == pytest.approx(  # along the axis
        run.position("bolt")[0] @ (1 / 3, 2 / 3, 2 / 3) + 0.7 * run.time, abs=ROUND
    )


def test_a_body_slides_down_a_plane():
    """Its centre of mass falls with the part of g in the plane, and it turns evenly."""
    n, g = np.array((1.0, 2.0, 2.0)) / 3, np.array((0, 0, -G))
    m = ps.Mechanism().add("puck", BRICK, ps.Planar(n), at=(0.5, 0, 1))
    start = m.state({"puck": dict(displacement=(0.1, 0.2), angle=0.4, speed=(1.0, -0.5), rate=3.0)})
    run = ps.simulate(m, start, "gauss4", step=0.01, until=2.0)
    t = run.time[:, None]
    path = run.position("puck")[0] + t * run.velocity("puck")[0] + t**2 / 2 * (g - (g @ n) * n)
    assert run.position("puck") == pytest.approx(path, abs=20 * ROUND)  # 13 m down
    assert run.joint("puck")[:, 2] == pytest.approx(0.4 + 3 * run.time, abs=10 * ROUND)


@pytest.mark.parametrize(
    "joint",
    [
        ps.Universal((1, 0, 0), (0, 1, 0)),
        ps.Universal((1, 2, 0), (0, 1, 3)),
        ps.Cylindrical((1, 1, 0)),
        ps.Planar((1, 2, 3)),
        ps.Helical((1, 1, 2), 1.2),
        ps.Free(),
    ],
    ids=str,
)
def test_any_joint_follows_the_equations_of_the_oracle(joint):
    """The dense equations, in space axes, integrated by scipy."""
    m = ps.Mechanism().add("arm", BRICK, joint, at=(0.1, 0.2, 0.3), rotation=(0.8, 0.0, 0.6, 0.0))
    m.add("hand", BRICK, ps.Spherical(), parent="arm", at=(0.5, -0.3, 0.4))
    data, nq, nv = to_data(m), *m.lengths
    q = np.linspace(0.3, -0.5, nq)
    for link in m.links:
        k = m.slices(link.name)[0].stop
        q[k - 4 : k] = (0.5, 0.1, -0.7, 0.5) if link.joint.quaternion is not None else q[k - 4 : k]
    v = np.linspace(-1.0, 1.5, nv)

    def field(t, y):
        q, v = y[:nq], y[nq:]
        return np.concatenate([oracle.rates(data, q, v), oracle.acceleration(data, q, v)])

    done = solve_ivp(field, (0.0, 0.5), np.concatenate([q, v]), "DOP853", rtol=1e-11, atol=1e-12)
    end = ps.simulate(m, ps.State(0.0, q, v), "gauss4", step=0.0025, until=0.5).final
    assert np.concatenate([end.q, end.v]) == pytest.approx(done.y[:, -1], rel=1e-9, abs=1e-9)  # scipy
