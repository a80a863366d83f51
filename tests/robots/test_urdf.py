"""URDF: a file against the same mechanism by hand; every complaint has its line; hostile files."""

import random
import re

import numpy as np
import pytest

import poinsot as ps
from support.robots import ARM


def write(folder, text, name="robot.urdf"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def rpy(roll, pitch, yaw):
    def turn(axis, angle):
        return ps.so3.exp(angle * np.eye(3)[axis])

    return turn(2, yaw) @ turn(1, pitch) @ turn(0, roll)


def by_hand():
    """ARM with all links as bodies: welds are merged by `compile`, not by the reader."""
    R = rpy(0.3, -0.2, 0.5)
    J = R @ np.array([[0.04, 0.001, -0.002], [0.001, 0.05, 0.003], [-0.002, 0.003, 0.02]]) @ R.T
    m = ps.Mechanism()
    m.add("base", ps.Body(3.0, (0.1, 0.1, 0.1)), ps.Fixed())
    m.add(
        "upper",
        ps.Body(2.0, J, (0.1, 0.02, -0.3)),
        ps.Revolute((0, 3, 1)),
        "base",
        (0, 0, 0.4),
        rpy(0.1, 0.2, 0.3),
    )
    flange = ps.Body(0.5, (0.002, 0.001, 0.002), (0, 0.05, 0))
    m.add("flange", flange, ps.Fixed(), "upper", (0.01, 0, -0.6), rpy(0, 0.4, 0))
    m.add("tool", None, ps.Fixed(), "flange", (0, 0, -0.1))
    slider = ps.Body(0.7, (0.01, 0.01, 0.004), (0, 0, 0.1))
    m.add("slider", slider, ps.Prismatic((0, 0, -1)), "flange", (0, 0, -0.05), rpy(0, 0, 1))
    return m.apply(ps.JointDamper("upper", 0.4))


def test_a_file_is_the_mechanism_by_hand(tmp_path):
    m, other = ps.read(write(tmp_path, ARM)), by_hand()
    assert m.names == ["base", "upper", "slider"]
    assert m.frame_names == ["flange", "tool"]
    assert m.joint_names == {"shoulder": "upper", "weld": "upper", "tip": "upper", "slide": "slider"}
    assert m.limits == {"upper": (-2.0, 1.5), "slider": (0.0, 0.2)}
    assert m.notes == ("collision shapes: 1", "joint friction: 1", "joint limits: 2")
    values = {
        m.joint_names["shoulder"]: dict(angle=0.7, rate=-1.2),
        m.joint_names["slide"]: dict(displacement=0.1, speed=0.3),
    }
    a, b = m.state(values), other.state(values)
    assert ps.dynamics.mass_matrix(m, a) == pytest.approx(ps.dynamics.mass_matrix(other, b), rel=1e-14)
    assert ps.dynamics.acceleration(m, a) == pytest.approx(ps.dynamics.acceleration(other, b), rel=1e-13)
    for name in ("tool", "flange", "slider"):
        assert ps.dynamics.pose(m, a, name) == pytest.approx(ps.dynamics.pose(other, b, name), abs=1e-15)


def test_a_free_base_floats(tmp_path):
    m = ps.read(write(tmp_path, ARM), base="free")
    assert m.joint_names["base"] == "base"
    assert isinstance(m.link("base").joint, ps.Free)


def test_shapes_lie_where_the_file_says(tmp_path):
    from poinsot.view.codec import Packer
    from poinsot.view.scene import bodies

    m = ps.read(write(tmp_path, ARM))
    drawn = {one["name"]: one for one in bodies(m, Packer())}
    (box,) = drawn["upper"]["shape"]["parts"]
    center = m.link("upper").body.center_of_mass
    assert np.array(box["at"]) + center == pytest.approx([0, 0, -0.3], abs=1e-15)


def test_the_world_is_the_world(tmp_path):
    text = ARM.replace('name="base"', 'name="world"').replace('link="base"', 'link="world"')
    m = ps.read(write(tmp_path, text))
    assert m.names == ["upper", "slider"]
    bare = text.replace('<link name="world">', '<link name="other">', 1)  # not declared
    bare = re.sub(r'<link name="other">.*?</link>', "", bare, count=1, flags=re.DOTALL)
    assert ps.read(write(tmp_path, bare)).names == ["upper", "slider"]


JOINTS = '<robot name="r"><link name="a"/>{links}{joints}</robot>'
HEAVY = '<link name="{}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>'


def test_a_world_with_moving_joints_floats(tmp_path):
    text = ARM.replace('<link name="base">', '<link name="world">').replace('link="base"', 'link="world"')
    m, wanted = ps.read(write(tmp_path, text), base="free"), ps.read(write(tmp_path, ARM), base="free")
    assert m.names == wanted.names == ["base", "upper", "slider"]
    assert m.joint_names["base"] == "base"
    assert any("it floats" in note for note in m.notes)
    s = m.state({"upper": dict(angle=0.4, rate=1.0), "base": dict(angular_velocity=(1, 2, 3))})
    assert ps.dynamics.acceleration(m, s) == pytest.approx(ps.dynamics.acceleration(wanted, s), rel=1e-13)
    text = text.replace('<joint name="shoulder" type="revolute">', '<joint name="shoulder" type="floating">')
    m = ps.read(write(tmp_path, text), base="free")
    assert m.joint_names["base"] == m.joint_names["shoulder"] == "upper"


def test_all_joints(tmp_path):
    kinds = {
        "revolute": ps.Revolute,
        "continuous": ps.Revolute,
        "prismatic": ps.Prismatic,
        "planar": ps.Planar,
        "floating": ps.Free,
        "spherical": ps.Spherical,
    }
    links = "".join(HEAVY.format(kind) for kind in kinds)
    joints = "".join(
        f'<joint name="{kind}" type="{kind}"><parent link="a"/><child link="{kind}"/></joint>'
        for kind in kinds
    )
    m = ps.read(write(tmp_path, JOINTS.format(links=links, joints=joints)))
    for name, kind in kinds.items():
        assert type(m.link(name).joint) is kind
    assert m.link("revolute").joint.axis == (1, 0, 0)


FAULTS = [  # old and new text, the text on whose line it is told, the rule
    ('<mass value="2"/>', '<mass value="2,5"/>', "2,5", "number"),
    ('<axis xyz="0 3 1"/>', '<axis xyz="0 3 1 2"/>', "3 1 2", "number"),
    ('<axis xyz="0 3 1"/>', '<axis xyz="0 0 0"/>', '<axis xyz="0 0 0"', "axis"),
    ('<axis xyz="0 3 1"/>', '<axis xyz="0 3 1"/>\n<axis xyz="1 3 1"/>', "1 3 1", "twice"),
    ('xyz="0.01 0 -0.6"', 'xyz="${x} 0 -0.6"', "${x}", "number"),
    ('type="prismatic"', 'type="hinge"', "hinge", "type"),
    ('<child link="slider"/>', '<child link="sliders"/>', 'name="slide"', "link"),
    ('<child link="slider"/>', '<child link="upper"/>', 'name="slide"', "two parents"),
    ('<child link="slider"/>', "", 'name="slide"', "missing"),
    ('<joint name="tip"', '<joint name="weld"', '<joint name="weld" type="fixed"><', "name"),
    ('<link name="tool"/>', '<link name="base"/>', '<link name="base"/>', "name"),
    ('<mass value="2"/>', '<mass value="-2"/>', '"-2"/>', "mass"),
    ('<mass value="2"/>', '<mass value="nan"/>', "nan", "number"),
    ('<mass value="2"/>', "<mass/>", "<mass/>", "missing"),
    ("</robot>", '\n<joint name="c" type="x"/></robot>', 'name="c"', "missing"),
]


@pytest.mark.parametrize(("old", "new", "place", "rule"), FAULTS)
def test_an_error_has_its_line(tmp_path, old, new, place, rule):
    assert old in ARM
    text = ARM.replace(old, new, 1)
    line, path = text[: text.index(place)].count("\n") + 1, write(tmp_path, text)
    found = [one for one in ps.check(path) if one.level == "error" and one.rule == rule]
    assert any(one.line == line for one in found), ps.check(path)
    with pytest.raises(ps.ModelError, match=r"robot\.urdf:\d+: "):
        ps.read(path)


SLIDER = 'ixx="0.01" iyy="0.01" izz="0.004"'
RULES = [  # old and new text, level and rule, words of the message
    (SLIDER, SLIDER.replace("0.004", "0.4"), "warning", "triangle", "20 times too much"),
    (SLIDER, SLIDER.replace("0.004", "-0.4"), "error", "negative", "-0.4 is negative"),
    (SLIDER, 'ixx="0" iyy="0" izz="0"', "warning", "no inertia", "0.7 kg, inertia 0: a point"),
    (SLIDER, SLIDER.replace("0.0", "40.0"), "warning", "large inertia", "a placeholder?"),
    (SLIDER, 'ixx="1e-20" iyy="1e-20" izz="1e-20"', "warning", "small inertia", "rounding?"),
    ('<mass value="0.7"/>', '<mass value="0"/>', "warning", "no mass", "but no mass"),
    ('<mass value="0.7"/>', '<mass value="-1"/>', "error", "mass", "must not be negative"),
    ('<axis xyz="0 0 -1"/>', '<axis xyz="0 0 0"/>', "error", "axis", "length 0"),
    ('xyz="0 0 0.4"', 'xyz="0 0 400"', "warning", "units", "millimeters?"),
    ('upper="1.5"', 'upper="90"', "warning", "units", "degrees?"),
    ('upper="0.2"', 'upper="-0.2"', "warning", "limit", "exchange them"),
    ('<link name="tool"/>', '<link name="tool"/><link name="loose"/>', "error", "root", "only one may"),
    ('<link name="tool"/>', '<link name="upper"/>', "error", "name", "taken"),
]


@pytest.mark.parametrize(("old", "new", "level", "rule", "words"), RULES)
def test_each_rule(tmp_path, old, new, level, rule, words):
    assert old in ARM
    found = ps.check(write(tmp_path, ARM.replace(old, new, 1)))
    hits = [one for one in found if (one.level, one.rule) == (level, rule)]
    assert any(words in one.message for one in hits), found


def test_a_massless_leaf_on_a_joint(tmp_path):
    a = ARM.index('    <inertial><origin xyz="0 0 0.1"/><mass value="0.7"/>')
    b = ARM.index("</inertial>", a) + len("</inertial>")
    (found,) = [one for one in ps.check(write(tmp_path, ARM[:a] + ARM[b:])) if one.level == "error"]
    assert (found.rule, found.where) == ("no inertia beyond", "joint 'slide'")


def test_a_step_too_large_for_the_fastest_motion(tmp_path):
    path = write(tmp_path, ARM.replace('damping="0.4"', 'damping="400"'))
    assert not [one for one in ps.check(path) if one.rule == "step"]
    m = ps.read(path)
    M = ps.dynamics.mass_matrix(m, m.state())
    rate = np.linalg.solve(M, np.diag([400.0, 0.0]))[0, 0]  # of the damper, nearly
    assert not [one for one in ps.check(path, step=1.9 / rate) if one.rule == "step"]
    (found,) = [one for one in ps.check(path, step=2.1 / rate) if one.rule == "step"]
    assert (found.level, found.where) == ("warning", "joint 'shoulder'")
    assert float(re.findall(r"([\d.]+) 1/s", found.message)[0]) == pytest.approx(rate, rel=5e-3)
    with pytest.raises(ps.ModelError, match="step must be positive"):
        ps.check(path, step=-1.0)


def test_mimics(tmp_path):
    mimic = '<mimic joint="shoulder" multiplier="0.1"/><limit lower="0"'
    text = ARM.replace('<limit lower="0"', mimic)
    assert ps.read(write(tmp_path, text)).loops[0].joint == ps.Gear(0.1)
    wrong = text.replace('joint="shoulder"', 'joint="sholder"')
    with pytest.raises(ps.ModelError, match="'sholder', which does not exist, did you mean 'shoulder'"):
        ps.read(write(tmp_path, wrong))


def test_what_is_left_out_is_told(tmp_path):
    text = ARM.replace('upper="1.5"', 'upper="1.5."').replace('radius="0.1" length="0.2"', 'radius="-1"')
    path = write(tmp_path, "\n\n" + text + "\0")
    found = {(one.level, one.rule, one.line) for one in ps.check(path)}
    line = path.read_text()[: path.read_text().index('1.5."')].count("\n") + 1
    assert {("warning", "number", line), ("warning", "shape", 7), ("remark", "text", 1)} <= found
    assert ps.read(path).names == ["base", "upper", "slider"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.toml", "", "ps.scenario"),
        ("a.poinsot", "", "ps.load"),
        ("a.xacro", "", "xacrodoc"),
        ("a.sdf", "", "SDF"),
        ("a.usda", "", "USD"),
        ("a.xml", "<sdf/>", "SDF"),
        ("a.xml", "<html/>", "expected <robot>"),
        ("a.urdf", "hello", "a.urdf:1: not XML"),
        ("a.urdf", "<robot/>", "no <link>"),
    ],
)
def test_other_files_are_named(tmp_path, name, text, message):
    with pytest.raises(ps.PoinsotError, match=re.escape(message)):
        ps.read(write(tmp_path, text, name))


BOMB = """<?xml version="1.0"?>
<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<robot name="&b;"><link name="a"/></robot>"""


@pytest.mark.parametrize(
    "text",
    [
        BOMB,
        '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><robot name="&x;"/>',
        '<!DOCTYPE r SYSTEM "file:///etc/passwd"><robot name="a&x;"/>',
        "<robot>" * 100_000,
        b"\xff\xfe\x00\x00<robot/>",
        b'<?xml version="1.0" encoding="no-such"?><robot/>',
        b"",
    ],
)
def test_hostile_documents_are_refused(tmp_path, text):
    with pytest.raises(ps.ModelError):
        ps.read(write(tmp_path, text))


def test_names_with_markup(tmp_path):
    text = ARM.replace('"slider"', '"&lt;b&gt;a.b/c d&quot;"')
    m = ps.read(write(tmp_path, text))
    assert m.names[-1] == '<b>a.b/c d"'


@pytest.mark.parametrize("n", [2000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_many_links(tmp_path, n):
    links = "".join(HEAVY.format(f"l{i}") for i in range(n))
    parents = ["a", *(f"l{i}" for i in range(n))]
    joints = "".join(
        f'<joint name="j{i}" type="continuous"><parent link="{parents[i]}"/><child link="l{i}"/></joint>'
        for i in range(n)
    )
    m = ps.read(write(tmp_path, JOINTS.format(links=links, joints=joints)))
    assert len(m.links) == n + 1


def test_rings_and_parts(tmp_path):
    links = HEAVY.format("x") + HEAVY.format("y")
    ring = (
        '<joint name="j" type="fixed"><parent link="x"/><child link="y"/></joint>'
        '<joint name="k" type="fixed"><parent link="y"/><child link="x"/></joint>'
    )
    path = write(tmp_path, JOINTS.format(links=links, joints=ring))
    assert "cycle" in {one.rule for one in ps.check(path)}
    apart = write(tmp_path, JOINTS.format(links=links, joints=""))
    with pytest.raises(ps.ModelError, match="3 links hang on no joint"):
        ps.read(apart)


def mutate(rng, text):
    """Change a text at a few places: what is typed, lost, doubled or exchanged."""
    for _ in range(rng.randint(1, 4)):
        i, n = rng.randrange(len(text)), rng.randint(1, 12)
        words = [
            "1e400",
            "nan",
            "-1",
            "0",
            "<",
            "/>",
            '"',
            "&lt;",
            "\0",
            "é",
            "1e-320",
            "</link>",
            "world",
            ",",
        ]
        choices = [
            text[:i] + text[i + n :],
            text[:i] + text[i : i + n] + text[i:],
            text[:i] + rng.choice(words) + text[i + n :],
            re.sub(
                r"-?\d[\d.]*", lambda _: rng.choice(["1e308", "1e-300", "-7", "0", "x"]), text[i : i + 80]
            ).join([text[:i], text[i + 80 :]]),
        ]
        text = rng.choice(choices) or "<"
    return text


def fuzz(folder, count, seed):
    rng, refused, lines = random.Random(seed), 0, set()
    for _ in range(count):
        path = write(folder, mutate(rng, ARM).encode("utf-8", "surrogatepass"))
        try:
            ps.check(path)
            m = ps.read(path, base=rng.choice(["fixed", "free"]))
            m.state()
        except ps.PoinsotError as error:
            refused += 1
            lines.add(str(error).count("\n"))
    assert lines <= {0}
    return refused


def test_mutated_files_are_read_or_refused(tmp_path):
    assert 0 < fuzz(tmp_path, 300, 1) < 300


@pytest.mark.slow
def test_many_mutated_files(tmp_path):
    assert 0 < fuzz(tmp_path, 100_000, 2) < 100_000


def test_limits_and_friction_are_exact_if_they_are_asked_for(tmp_path):
    """An arm of 1 kg, I = 0.5 + 0.25 about its hinge, that is lifted and falls onto its limit."""
    text = """<robot name="r"><link name="base"/><link name="arm"><inertial>
    <origin xyz="0.5 0 0"/><mass value="1"/>
    <inertia ixx="0.5" iyy="0.5" izz="0.5" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="elbow" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="0.5" effort="1" velocity="1"/><dynamics friction="0.2"/></joint></robot>"""
    path = tmp_path / "robot.urdf"
    path.write_text(text)
    m = ps.read(path, stops="exact", friction="exact")
    assert [(type(one).__name__, one.exact) for one in m.forces] == [
        ("JointStop", True),
        ("JointFriction", True),
    ]
    assert not m.notes
    run = ps.simulate(m, m.state({"arm": dict(angle=-0.5)}), step=0.01, until=2.0)
    first = run.events["arm.stop"].states[0]
    fallen = 0.5 * float(np.linalg.norm(m.gravity)) * (np.sin(0.5) + np.sin(0.5)) - 0.2 * 1.0
    assert 0.75 * first.v[0] ** 2 / 2 == pytest.approx(fallen, rel=1e-9)
    assert run.final.q[0] == 0.5
    with pytest.raises(ps.ModelError, match="stops must be 'exact', a number or None, got 'hard'"):
        ps.read(path, stops="hard")
