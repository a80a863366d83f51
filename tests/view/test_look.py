"""How runs are drawn: trails, ground, glass, point masses, all runs in one picture."""

import zlib

import numpy as np
import pytest

import poinsot as ps
from poinsot.view.look import Look
from poinsot.view.payload import payload
from poinsot.view.scene import support
from view.test_payload import unpacked

ROD = ps.Box((0.05, 0.05, 1.0)).body(mass=1.0)


def arm():
    m = ps.Mechanism().add("upper", ROD, ps.Revolute((0, 1, 0)), body_at=(0, 0, -0.5))
    return m.add("lower", ROD, ps.Revolute((0, 1, 0)), parent="upper", at=(0, 0, -0.5), body_at=(0, 0, -0.5))


def shown(run, trail=None, ground=None, overlay=False):
    return payload({"run": run}, "", look=Look(trail, ground, overlay).check())


@pytest.fixture(scope="module")
def swing():
    m = arm()
    return ps.simulate(m, m.state({"lower": dict(angle=1.0)}), "rk4", step=0.05, steps=8)


def test_the_trail_of_a_pendulum_is_at_its_tip(swing):
    (trail,) = shown(swing).header["runs"][0]["trails"]
    assert trail == {"body": 1, "at": pytest.approx([0.0, 0.0, -0.5])}


def test_trails_can_be_chosen(swing):
    def trails(trail):
        return shown(swing, trail).header["runs"][0]["trails"]

    assert [one["body"] for one in trails(["lower", "upper"])] == [1, 0]
    assert trails("upper") == [{"body": 0, "at": pytest.approx([0.0, 0.0, -0.5])}]
    assert trails({"lower": (0.1, 0.0, 0.2)}) == [{"body": 1, "at": [0.1, 0.0, 0.2]}]
    assert trails(False) == []
    with pytest.raises(ps.ModelError, match="unknown body 'lowr', did you mean 'lower'"):
        trails("lowr")
    with pytest.raises(ps.PoinsotError, match="ground must be a number"):
        shown(swing, ground="low")
    with pytest.raises(ps.PoinsotError, match="overlay must be True or False"):
        shown(swing, overlay="yes")


def test_the_ground_and_the_overlay_are_sent(swing):
    assert shown(swing).header["runs"][0]["ground"] is None
    assert shown(swing, ground=-2).header["runs"][0]["ground"] == -2.0
    assert shown(swing, ground=False).header["runs"][0]["ground"] is False
    assert [shown(swing, overlay=one).header["overlay"] for one in (False, True)] == [False, True]


@pytest.mark.filterwarnings("error")
def test_a_point_mass_is_visible():
    m = ps.Mechanism().add("bob", ps.Body(1.0, (0, 0, 0)), ps.Revolute((0, 1, 0)), body_at=(0, 0, -2))
    run = ps.simulate(m, m.state({"bob": dict(angle=0.6)}), "rk4", step=0.05, steps=8)
    (body,) = shown(run).header["runs"][0]["bodies"]
    assert body["shape"]["kind"] == "sphere"
    assert 0.02 < body["shape"]["radius"] < 0.2


def test_what_hides_others_is_glass(swing):
    assert [one["glass"] for one in shown(swing).header["runs"][0]["bodies"]] == [False, False]
    m = ps.Mechanism(gravity=(0, 0, 0)).add("bus", ps.Box((1, 1, 1)).body(mass=10), ps.Free())
    m.add("inside", ps.Wheel(0.2).body(mass=1.0), ps.Revolute((0, 0, 1)), parent="bus", at=(0, 0, 0.1))
    m.add("panel", ps.Box((1, 2, 0.01)).body(mass=1.0), ps.Revolute((0, 1, 0)), parent="inside")
    m.add("outside", ps.Wheel(0.2).body(mass=1.0), ps.Revolute((0, 0, 1)), parent="panel", at=(0, 0, 0.6))
    run = ps.simulate(m, m.state(), "rk4", step=0.05, steps=2)
    found = {one["name"]: one["glass"] for one in shown(run).header["runs"][0]["bodies"]}
    assert found == {"bus": True, "inside": False, "panel": False, "outside": False}


def test_a_body_in_flight_is_followed_at_its_center_of_mass():
    m = ps.Mechanism(gravity=(0, 0, 0)).add("box", ps.Box((0.1, 0.2, 0.4)).body(mass=1.0), ps.Free())
    for speed, at in ((0.0, [0.0, 0.0, 0.2]), (10.0, [0.0, 0.0, 0.0])):
        start = m.state({"box": dict(velocity=(speed, 0, 0), angular_velocity=(1, 2, 3))})
        run = ps.simulate(m, start, "rk4", step=0.05, steps=8)
        assert shown(run).header["runs"][0]["trails"] == [{"body": 0, "at": at}]


def test_first_come_what_moves_then_energy_then_errors(swing):
    found = shown(swing)
    plots = found.header["runs"][0]["plots"]
    keys = [one["key"] for one in plots]
    assert keys[:2] == ["joint angles [rad]", "joint rates [rad/s]"]
    assert keys.index("joint forces [N]") < keys.index("energy") < keys.index("energy-error")
    data = zlib.decompress(found.data)
    forces = next(one for one in plots if one["key"] == "joint forces [N]")
    sizes = unpacked(found.header["arrays"][forces["values"]], data)
    expected = [np.linalg.norm(swing.reaction(name)[:, 3:], axis=1) for name in ("upper", "lower")]
    assert (forces["labels"], forces["unit"]) == (["upper", "lower"], "N")
    assert np.allclose(sizes.T, expected, rtol=1e-6)


SOLIDS = [
    *(ps.Box((1, 2, 3)), ps.Sphere(1.5), ps.Ellipsoid((1, 2, 3)), ps.Cylinder(1, 2), ps.Capsule(0.5, 2)),
    *(ps.Cone(1, 2), ps.Torus(1.0, 0.3), ps.Wheel(1.0, 0.2)),
]


def surface(shape, n=4000):
    """Points on the surface of a shape, from its centroid."""
    rng = np.random.default_rng(1)
    u = rng.normal(size=(n, 3))
    u /= np.linalg.norm(u, axis=1, keepdims=True)
    a = rng.uniform(0, 2 * np.pi, n)
    ring = np.stack([np.cos(a), np.sin(a), 0 * a], axis=1)
    z = np.array([0.0, 0.0, 1.0])
    match shape:
        case ps.Box(size=size):
            return np.sign(u) * np.array(size) / 2
        case ps.Sphere(radius=r):
            return r * u
        case ps.Ellipsoid(radii=radii):
            return u * np.array(radii)
        case ps.Cylinder(radius=r, length=length):
            return r * ring + np.sign(u[:, 2:]) * z * length / 2
        case ps.Capsule(radius=r, length=length):
            return r * u + np.sign(u[:, 2:]) * z * length / 2
        case ps.Cone(radius=r, length=length):
            return np.where(u[:, 2:] > 0, 0.75 * length * z, r * ring - length / 4 * z)
    b = rng.uniform(0, 2 * np.pi, n)[:, None]
    return ring * (shape.radius + shape.tube * np.cos(b)) + shape.tube * np.sin(b) * z


@pytest.mark.parametrize("shape", SOLIDS, ids=repr)
def test_the_reach_of_a_shape_is_that_of_its_points(shape):
    points = surface(shape)
    for u in np.random.default_rng(2).normal(size=(20, 3)):
        u = u / np.linalg.norm(u)
        far = (points @ u).max()
        assert far <= support(shape.to_dict(), u) + 1e-12
        assert far == pytest.approx(support(shape.to_dict(), u), rel=0.02)
