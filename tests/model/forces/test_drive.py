"""What a Drive refuses, in one line each; and drives in files."""

import math

import numpy as np
import pytest

import poinsot as ps


def swing(t):
    return 0.3 * math.sin(t)


def pair(t):
    return t, 2.0 * t


def still(t):
    return 1.0, 0.0, 0.0, 0.0


def short(t):
    return 0.5, 0.0, 0.0, 0.0


def late(t):
    return math.sqrt(t - 1.0)


def endless(t):
    return math.inf


def text(t):
    return "north"


def nothing(t):
    return None


def stacked(t):
    return np.array([t, t]).sum()


def two(t, q):
    return t


def tree():
    m = ps.Mechanism().add("arm", ps.Box(1.0).body(mass=1.0), ps.Revolute((0.0, 1.0, 0.0)))
    m.add("ball", ps.Box(1.0).body(mass=1.0), ps.Spherical(), "arm", at=(0.0, 0.0, 1.0))
    m.add("base", ps.Box(1.0).body(mass=1.0), ps.Free())
    m.add("welded", ps.Box(1.0).body(mass=1.0), ps.Fixed(), "arm")
    return m


def run(*drives, method="rk4"):
    m = tree().apply(*drives)
    return ps.simulate(m, m.state(), method, step=0.01, steps=2)


WRONG = {
    "a body that is not there": (
        lambda: tree().apply(ps.Drive("amr", swing)),
        "Drive 'swing' at 'amr': unknown body 'amr', did you mean 'arm'?",
    ),
    "no text": (lambda: ps.Drive(3, swing), "Drive: joint must be a string, got 3"),
    "a weld": (
        lambda: tree().apply(ps.Drive("welded", swing)),
        "Drive 'swing' at 'welded': a Fixed joint does not move",
    ),
    "no rotation": (
        lambda: tree().apply(ps.Drive("ball", swing)),
        "Drive 'swing' at 'ball': f must return a rotation, as a quaternion (w, x, y, z), got 0",
    ),
    "no unit quaternion": (
        lambda: tree().apply(ps.Drive("ball", short)),
        "Drive 'short' at 'ball': the quaternion of f must have length 1, got (0.5, 0, 0, 0) at t = 0",
    ),
    "no position": (
        lambda: tree().apply(ps.Drive("base", still)),
        "Drive 'still' at 'base': f must return a position and a rotation, as a quaternion (w, x, y, z): "
        "7 numbers, got (1, 0, 0, 0)",
    ),
    "two numbers": (
        lambda: tree().apply(ps.Drive("arm", pair)),
        "Drive 'pair' at 'arm': f must return a number, got (0, 0)",
    ),
    "infinite": (
        lambda: tree().apply(ps.Drive("arm", endless)),
        "Drive 'endless' at 'arm': f must return finite numbers, got inf at t = 0",
    ),
    "text": (
        lambda: tree().apply(ps.Drive("arm", text)),
        "Drive 'text' at 'arm': f must return a number, got ",
    ),
    "nothing": (
        lambda: tree().apply(ps.Drive("arm", nothing)),
        "Drive 'nothing' at 'arm': f must return a numb",
    ),
    "no function": (
        lambda: ps.Drive("arm", 2.0),
        "Drive at 'arm': f must be a plain Python function, got 2",
    ),
    "other arguments": (lambda: ps.Drive("arm", two), "Drive at 'arm': f must take (t), but takes (t, q)"),
    "one derivative": (
        lambda: ps.Drive("arm", swing, rate=swing),
        "Drive at 'arm': give both rate and acceleration, or neither",
    ),
    "a rate of two numbers": (
        lambda: tree().apply(ps.Drive("arm", swing, pair, swing)),
        "Drive 'swing' at 'arm': rate must return a number, got (0, 0)",
    ),
    "driven twice": (
        lambda: tree().apply(ps.Drive("arm", swing)).apply(ps.Drive("arm", swing)),
        "Drive 'swing' at 'arm': the joint is driven already, by Drive 'swing' at 'arm'",
    ),
    "driven twice at once": (
        lambda: tree().apply(ps.Drive("arm", swing), ps.Drive("arm", swing)),
        "Drive 'swing' at 'arm': the joint is driven already, by Drive 'swing' at 'arm'",
    ),
    "no value at the start": (
        lambda: run(ps.Drive("arm", late)),
        "Drive 'late' at 'arm': f fails at t = 0: ",
    ),
    "no derivatives": (
        lambda: run(ps.Drive("arm", stacked)),
        "Drive 'stacked' at 'arm' cannot be differentiated; give rate and acceleration: ",
    ),
    "a joint replaced": (
        lambda: tree().apply(ps.Drive("arm", swing)).replace("arm", joint=ps.Spherical()),
        "Drive 'swing' at 'arm': f must return a rotation",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_drives_are_refused_in_one_line(name):
    act, expected = WRONG[name]
    with pytest.raises(ps.ModelError) as caught:
        act()
    assert str(caught.value).startswith(expected)
    assert "\n" not in str(caught.value)


REFUSED = {
    "sgauss2": (
        "arm",
        swing,
        "cannot move a joint as a function of time, and there is Drive 'swing' at 'arm': ",
    ),
    "variational": (
        "ball",
        still,
        "cannot drive a Spherical joint, and there is Drive 'still' at 'ball': use rk4",
    ),
    "srkn4": ("arm", swing, "is for one body on a Spherical or Free joint"),
}


@pytest.mark.parametrize("method", REFUSED)
def test_methods_that_cannot_run_a_drive_say_so(method):
    joint, f, expected = REFUSED[method]
    with pytest.raises(ps.ScenarioError) as caught:
        run(ps.Drive(joint, f), method=method)
    assert str(caught.value).startswith(f"method '{method}' {expected}")


def test_auto_runs_a_driven_body():
    """One body on a ball joint runs as a tree."""
    m = ps.Mechanism().add("ball", ps.Box(1.0).body(mass=1.0), ps.Spherical(), body_at=(0, 0, 1))
    m.apply(ps.Drive("ball", still))
    done = ps.simulate(m, m.state({"ball": dict(angular_velocity=(1, 2, 3))}), step=0.1, steps=3)
    assert done.method.name == "gauss3"
    assert (done.rotation("ball") == np.eye(3)).all()
    assert done.input("ball") == pytest.approx(np.zeros((4, 3)), abs=1e-13)  # it balances on its point


FILE = """
step = 0.01
until = 0.1
method = "rk4"
[parameters]
speed = 3.0
[[bodies]]
name = "arm"
mass = 1.0
shape = { kind = "box", size = [1, 1, 1] }
joint = { kind = "revolute", axis = [0, 1, 0] }
[[forces]]
kind = "Drive"
joint = "arm"
value = ["speed * t + lift"]
where = { lift = "0.1 * sin(t)" }
"""


def test_a_file_holds_a_drive(tmp_path):
    path = tmp_path / "arm.toml"
    path.write_text(FILE)
    s = ps.scenario(path)
    done = ps.simulate(s.mechanism, s.start, s.method, step=s.step, until=s.until)
    assert done.joint("arm")[-1, 0] == pytest.approx(0.3 + 0.1 * math.sin(0.1), abs=1e-15)
    again = tmp_path / "again.toml"
    again.write_text(ps.to_toml(s))
    assert ps.to_toml(ps.scenario(again)) == ps.to_toml(s)
    assert (
        ps.simulate(ps.scenario(again).mechanism, s.start, "rk4", step=0.01, steps=1).joint("arm")[1]
        == (done.joint("arm")[1])
    )
    saved = ps.load(done.save(tmp_path / "arm.poinsot"))
    assert not saved.mechanism.missing


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("speed * t + lift", "speeed * t", "forces.0.value.0: unknown name 'speeed'"),
        ('["speed * t + lift"]', '["t", "t"]', "needs 1 expressions, got 2"),
        ('joint = "arm"', 'joint = "amr"', "unknown body 'amr', did you mean 'arm'?"),
        ("speed * t + lift", "q[0]", "'q' is not an array"),
    ],
)
def test_a_file_says_where_a_drive_is_wrong(tmp_path, old, new, message):
    path = tmp_path / "arm.toml"
    path.write_text(FILE.replace(old, new))
    with pytest.raises(ps.PoinsotError) as caught:
        ps.scenario(path)
    assert message in str(caught.value)


def test_a_plain_function_of_time_is_written_as_a_formula():
    s = ps.scenario("slider-crank")
    text = ps.to_toml(s)
    assert 'kind = "Drive"' in text
    assert "RATE * t" in text
