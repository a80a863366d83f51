"""`poinsot check`, `run`, `new` and `view` of robot files."""

import json

import numpy as np
import pytest

import poinsot as ps
from poinsot import cli as commands
from poinsot.scenario.robots import posture
from poinsot.view.sliders import posture_page, sliders
from support.robots import ARM


def call(*words):
    """Exit code of a command."""
    with pytest.raises(SystemExit) as end:
        commands.main([str(word) for word in words])
    return end.value.code or 0


@pytest.fixture
def arm(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(ARM)
    return path


def test_check_counts_and_its_exit_code(arm, capsys):
    assert call("check", arm) == 0
    assert "0 errors, 0 warnings" in capsys.readouterr().err
    arm.write_text(ARM.replace('ixx="0.01" iyy="0.01" izz="0.004"', 'ixx="0.01" iyy="0.01" izz="0.4"'))
    assert call("check", arm) == 1
    out = capsys.readouterr().out
    assert f"{arm}:22: warning: link 'slider': principal moments 0.4 > 0.01 + 0.01, 20 times too much" in out


def test_check_as_json(arm, capsys):
    arm.write_text(ARM.replace('upper="1.5"', 'upper="-3"'))
    assert call("check", arm, "--json") == 1
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert (found["level"], found["rule"], found["where"]) == ("warning", "limit", "joint 'shoulder'")


def test_check_with_a_step(arm, capsys):
    assert call("check", arm, "--step", "100") == 1
    assert "warning: joint 'shoulder': a step of 100 s is too large" in capsys.readouterr().out


def test_fix_writes_a_repaired_copy(arm, tmp_path, capsys):
    broken = ARM.replace('upper="1.5"', 'upper="-3"').replace('xyz="0 0.05 0"', 'xyz="0, 0.05, 0"')
    broken = broken.replace('iyy="0.01" izz="0.004"', 'iyy="0.01" izz="0.4"')
    arm.write_text(broken)
    target = tmp_path / "fixed.urdf"
    assert call("check", arm, "--fix", target) == 1
    assert arm.read_text() == broken
    assert call("check", target) == 0
    m = ps.read(target)
    assert m.limits["upper"] == (-3.0, -2.0)
    assert m.link("slider").body.principal_moments == pytest.approx([0.2, 0.2, 0.4])
    assert call("check", arm, "--fix", target) == 2
    assert "exists" in capsys.readouterr().err


def test_run(arm, capsys):
    words = ["--until", "0.02", "--step", "0.01", "--set", "start.shoulder.angle=0.3", "--json"]
    assert call("run", arm, *words) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["time"] == 0.02
    assert found["final"]["q"][0] == pytest.approx(0.3, abs=0.01)
    assert call("run", arm, "--set", "bodies.upper.mass=2") == 2


def test_new_from_a_robot(arm, tmp_path):
    target = tmp_path / "arm.toml"
    assert call("new", target, "--from", arm) == 0
    s, m = ps.scenario(target), ps.read(arm)
    state = m.state({"upper": dict(angle=0.4, rate=1.0)})
    assert ps.dynamics.acceleration(s.mechanism, state) == pytest.approx(ps.dynamics.acceleration(m, state))
    assert s.mechanism.frame_names == m.frame_names


def test_view_writes_a_page(arm, tmp_path):
    target = tmp_path / "arm.html"
    assert call("view", arm, "--out", target) == 0
    assert '"sliders"' in target.read_text()


def test_the_frames_of_the_sliders_are_the_mechanism(arm):
    m = ps.read(arm)
    state = m.state({"upper": dict(angle=0.4), "slider": dict(displacement=0.15)})
    poses = {}
    for i, one in enumerate(sliders(m, state)):

        def frame(q, r):
            T = np.eye(4)
            T[:3, :3], T[:3, 3] = ps.quaternion.matrix(np.array(q)), r
            return T

        axis = np.array(one["axis"])
        turn = [np.cos(one["value"] / 2), *(np.sin(one["value"] / 2) * axis)]
        joint = {
            "turn": frame(turn, np.zeros(3)),
            "slide": frame([1, 0, 0, 0], one["value"] * axis),
            "": frame(one["pose"][:4], one["pose"][4:]),
        }[one["kind"]]
        above = poses.get(one["parent"], np.eye(4))
        poses[i] = above @ frame(one["rotation"], one["at"]) @ joint
        poses[i] = poses[i] @ frame(one["body_rotation"], one["body_at"])
        assert poses[i] == pytest.approx(ps.dynamics.pose(m, state, m.names[i]), abs=1e-14)


def test_a_page_of_links_without_mass(tmp_path):
    path = tmp_path / "bare.urdf"
    joint = '<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>'
    path.write_text(f'<robot name="r"><link name="a"/><link name="b"/>{joint}</robot>')
    m = ps.read(path)
    text = posture_page(posture(m, m.state()), m, "<b>bare</b>")
    assert "<b>bare" not in text
