"""URDF text of a mechanism, read back: the same motion."""

import numpy as np
import pytest

import poinsot as ps
from support.robots import ARM


def same(m, other, values):
    a, b = m.state(values), other.state(values)
    assert ps.dynamics.mass_matrix(other, b) == pytest.approx(ps.dynamics.mass_matrix(m, a), rel=1e-12)
    assert ps.dynamics.acceleration(other, b) == pytest.approx(ps.dynamics.acceleration(m, a), rel=1e-11)


def test_a_robot_comes_back(tmp_path):
    path = tmp_path / "a.urdf"
    path.write_text(ARM)
    m = ps.read(path)
    path.write_text(ps.to_urdf(m))
    other = ps.read(path)
    assert other.limits == m.limits
    assert other.frame_names == m.frame_names
    same(m, other, {"upper": dict(angle=0.7, rate=-1.2), "slider": dict(displacement=0.1, speed=0.3)})


def test_shapes_come_back(tmp_path):
    path = tmp_path / "a.urdf"
    path.write_text(ARM)
    m = ps.read(path)
    m.add("ball", ps.Sphere(0.3).body(mass=1.0), ps.Revolute((0, 1, 0)), "upper", at=(0, 0, 1))
    m.add("pill", ps.Capsule(0.1, 0.4).body(mass=1.0), ps.Fixed(), "ball", at=(1, 0, 0))
    m.add("egg", ps.Ellipsoid((0.1, 0.2, 0.3)).body(mass=1.0), ps.Revolute((0, 1, 0)), "upper")
    assert m.to_urdf(name="r") == ps.to_urdf(m, name="r")
    path.write_text(m.to_urdf())
    again = ps.read(path)

    def drawn(mechanism, name):
        body = mechanism.link(name).body
        parts = getattr(body.shape, "parts", None)
        if parts is None:
            return [(repr(body.shape), pytest.approx(body.center_of_mass - body.shape.center, abs=1e-12))]
        move = body.center_of_mass - body.shape.center
        return [(repr(one.shape), pytest.approx(np.array(one.at) + move, abs=1e-12)) for one in parts]

    assert drawn(again, "upper") == [(a, b.expected) for a, b in drawn(m, "upper")]
    found = [one[0] for one in drawn(again, "ball")]
    assert found == ["Sphere(radius=0.3)", "Capsule(radius=0.1, length=0.4)"]
    assert again.link("egg").body.shape is None


def test_bodies_off_their_joints(tmp_path):
    R = ps.so3.exp(np.array([0.3, np.pi / 2, -0.2]))
    body = ps.Body(2.0, np.diag([0.1, 0.2, 0.25]), (0.1, 0, 0.2))
    m = ps.Mechanism().add("a<b>", body, ps.Spherical(), at=(1, 2, 3), rotation=R, body_at=((0.1, 0, 0), R.T))
    m.add("b", body, ps.Revolute((1, 1, 0)), "a<b>", rotation=ps.so3.exp(np.array([0, -np.pi / 2, 0])))
    path = tmp_path / "b.urdf"
    path.write_text(ps.to_urdf(m))
    other = ps.read(path)
    values = {"b": dict(angle=0.4, rate=1.0)}
    ball = next(one.name for one in other.links if isinstance(one.joint, ps.Spherical))
    assert ball == "a<b> (joint)"
    same(m, other, values)


def test_what_has_no_place_is_told():
    m = ps.Mechanism().add("a", ps.Sphere(1.0).body(mass=1.0), ps.Revolute((0, 0, 1), armature=1.0))
    with pytest.raises(ps.ModelError, match="no place for an armature of 'a'"):
        ps.to_urdf(m)
    m = ps.Mechanism().add("a", ps.Sphere(1.0).body(mass=1.0), ps.Revolute((0, 0, 1)))
    with pytest.raises(ps.ModelError, match="no place for the JointSpring at 'a'"):
        ps.to_urdf(m.apply(ps.JointSpring("a", 1.0)))


def test_collections(tmp_path, monkeypatch):
    monkeypatch.setenv("MENAGERIE_ROOT", str(tmp_path))
    folder = tmp_path / "acme_arm"
    folder.mkdir()
    (folder / "scene.xml").write_text("<mujoco/>")
    (folder / "arm.xml").write_text(ARM)
    assert ps.read("menagerie:acme_arm").names == ["base", "upper", "slider"]
    with pytest.raises(ps.ModelError, match="MENAGERIE_ROOT"):
        ps.read("menagerie:nothing")
    with pytest.raises(ps.ModelError, match=r"robot_descriptions|no such description"):
        ps.read("description:nothing")
