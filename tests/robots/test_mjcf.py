"""MJCF: models against MuJoCo's own mass matrix and forces, and what is not simulated."""

import importlib.metadata
from pathlib import Path

import numpy as np
import pytest

import poinsot as ps
from robots.test_reference import compare
from support.robots import locate, references

mujoco = pytest.importorskip("mujoco")

MODEL = """<mujoco model="zoo">
  <compiler angle="radian"/>
  <option gravity="0.3 -0.2 -9"/>
  <default><joint damping="0.2" armature="0.03"/></default>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="cart" pos="0 0 1" euler="0.1 0.2 0.3">
      <joint name="x" type="slide" axis="1 0 0" ref="0.4" stiffness="20" springref="0.1" range="-1 1"/>
      <joint name="turn" type="hinge" axis="0 1 1" pos="0.1 0.2 0" ref="0.5" frictionloss="0.1"/>
      <geom type="box" size="0.1 0.2 0.3" mass="2"/>
      <body name="arm" pos="0 0.3 0" euler="0.5 0 0">
        <joint name="ball" type="ball" pos="0 0 0.1" armature="0.07" stiffness="3"/>
        <inertial pos="0.1 0 -0.2" mass="1" fullinertia="0.02 0.03 0.04 0.001 0.002 0.003"/>
        <geom type="capsule" size="0.05 0.2"/>
        <body name="hand" pos="0 0 -0.3" euler="0.1 0.2 0">
          <geom type="sphere" size="0.1" mass="0.3"/><site name="palm" pos="0 0 -0.1"/>
          <body pos="0 0.1 0">
            <joint type="hinge" axis="1 2 3"/><geom type="ellipsoid" size="0.1 0.05 0.02"/>
          </body>
        </body>
      </body>
    </body>
    <body name="drone" pos="1 0 1" euler="0.3 0 0.4">
      <joint name="fly" type="free" armature="0.4"/><geom type="cylinder" size="0.1 0.05" pos="0.05 0 0"/>
      <body name="mast" pos="0 0 0.2" gravcomp="0.5"><geom type="box" size="0.01 0.01 0.1"/></body>
    </body>
  </worldbody>
  <tendon>
    <fixed name="cable" stiffness="7" damping="0.6" springlength="0.3">
      <joint joint="x" coef="2"/><joint joint="turn" coef="-0.5"/>
    </fixed>
  </tendon>
  <actuator>
    <motor name="push" joint="x" gear="5" ctrlrange="-2 3"/>
    <position name="turn" joint="turn" kp="10" kv="2" gear="-3"/>
    <velocity name="hold" joint="x" kv="4" gear="2" forcerange="-1 1"/>
  </actuator>
  <sensor><gyro site="palm"/></sensor>
  <keyframe>
    <key name="home" qpos="0.1 0.2 1 0 0 0 0.3 0 0 1 1 0 0 0" qvel="1 2 0 0 0 4 1 2 3 4 5 6"/>
  </keyframe>
</mujoco>
"""


def engine(path):
    """MuJoCo's model without contacts, limits, friction and fluid."""
    m = mujoco.MjModel.from_xml_path(str(path))
    bits = mujoco.mjtDisableBit
    m.opt.disableflags |= int(bits.mjDSBL_CONTACT | bits.mjDSBL_CONSTRAINT)
    m.opt.density = m.opt.viscosity = 0.0
    return m, mujoco.MjData(m)


def sample(path, m, seed=0):
    """(M, bias, acceleration) of MuJoCo and of ours at a random state, in MuJoCo's coordinates."""
    one, data = engine(path)
    rng = np.random.default_rng(seed)
    q, v = one.qpos0.copy(), rng.uniform(-1, 1, one.nv)
    mujoco.mj_integratePos(one, q, rng.uniform(-1, 1, one.nv), 1.0)
    data.qpos[:], data.qvel[:] = q, v
    mujoco.mj_forward(one, data)
    M = np.zeros((one.nv, one.nv))
    mujoco.mj_fullM(one, data, M)
    theirs = M, data.qfrc_bias.copy(), np.linalg.solve(M, data.qfrc_passive - data.qfrc_bias)
    Q, V = np.zeros(m.lengths[0]), np.zeros(one.nv)
    S, rate = np.zeros((one.nv, one.nv)), np.zeros(one.nv)
    for j in range(one.njnt):
        a, b = m.slices(m.joint_names[one.joint(j).name or f"joint{j}"])
        x, w = q[one.jnt_qposadr[j] :][: a.stop - a.start], v[one.jnt_dofadr[j] :][: b.stop - b.start]
        B = np.eye(len(w))
        if len(w) == 6:
            R = ps.quaternion.matrix(x[3:])
            B = np.zeros((6, 6))
            B[:3, 3:], B[3:, :3] = np.eye(3), R.T
            rate[b.start + 3 : b.stop] = -np.cross(w[3:], R.T @ w[:3])
        Q[a], V[b] = x, B @ w
        S[b, one.jnt_dofadr[j] : one.jnt_dofadr[j] + len(w)] = B
    state, bare, open_ = ps.State(0.0, Q, V), m.copy(), m.copy()
    bare.forces, bare.loops, open_.loops = [], [], []
    ours = (
        S.T @ ps.dynamics.mass_matrix(bare, state) @ S,
        S.T @ ps.dynamics.inverse_dynamics(bare, state, rate),
        np.linalg.solve(S, ps.dynamics.acceleration(open_, state) - rate),
    )
    return theirs, ours


def agree(theirs, ours, tolerance):
    scale = np.abs(theirs[0]).max()
    for one, other in zip(theirs, ours, strict=True):
        assert np.abs(one - other).max() <= tolerance * max(np.abs(one).max(), 1e-6 * scale)


@pytest.fixture(scope="module")
def zoo(tmp_path_factory):
    path = tmp_path_factory.mktemp("mjcf") / "zoo.xml"
    path.write_text(MODEL)
    return path, ps.read(path)


def test_every_joint_against_the_engine(zoo):
    path, m = zoo
    for seed in range(3):
        agree(*sample(path, m, seed), 1e-12)


def test_names_limits_motors_starts_and_sites(zoo):
    _, m = zoo
    assert m.names == ["cart/x", "cart", "arm", "body4", "drone"]
    assert m.joint_names["x"] == "cart/x"
    assert m.joint_names["joint3"] == "body4"
    assert m.limits == {"cart/x": (-1.0, 1.0)}
    assert m.actuators["push"] == ps.Actuator("cart/x", limit=(-10.0, 15.0))
    assert m.place("palm")[0] == "arm"
    home = m.starts["home"]
    assert home.q[m.slices("cart")[0]] == 0.2
    R = ps.quaternion.matrix(home.q[m.slices("drone")[0]][3:])
    assert home.v[m.slices("drone")[1]] == pytest.approx([4, 5, 6, *(R.T @ [1, 2, 3])], abs=1e-15)
    assert "sensors: 1" in m.notes
    assert "geoms that touch: 7" in m.notes
    assert "joint friction: 1" in m.notes


def test_servos_exert_what_the_engine_says(zoo):
    path, m = zoo
    one, data = engine(path)
    commands = {"push": 1.5, "turn": 0.7, "hold": -0.4}
    data.ctrl[:] = list(commands.values())
    data.qpos[:] = one.key_qpos[0]
    data.qvel[:] = [0.3, -0.6, *[0.0] * (one.nv - 2)]
    mujoco.mj_forward(one, data)
    law = ps.control.servos(m, commands)
    home = m.starts["home"]
    v = 0 * home.v
    v[m.slices("cart/x")[1]], v[m.slices("cart")[1]] = 0.3, -0.6
    u = law._saturate(m, law.function(0.0, ps.State(0.0, home.q, v)))
    assert u[0] == 1.5  # a motor exerts its command: here it is a force
    assert [5 * u[0] + u[2], u[1]] == pytest.approx(data.qfrc_actuator[:2], rel=1e-14)
    assert abs(u[2]) == 2.0  # its limit, behind the gear
    with pytest.raises(ps.ModelError, match="unknown actuator 'tunr', did you mean 'turn'"):
        ps.control.servos(m, {"tunr": 1.0})


def test_a_servo_turns_its_joint_to_the_command():
    m = ps.Mechanism(gravity=(0, 0, 0)).add("arm", ps.Box(1.0).body(mass=1.0), ps.Revolute((0, 1, 0)))
    inertia = float(ps.dynamics.mass_matrix(m, m.state())[0, 0])
    m.actuators["elbow"] = ps.Servo("arm", gain=20.0, bias=(0, -20.0, -2.0))
    law = ps.control.servos(m, {"elbow": 0.3})
    run = ps.simulate(m, m.state(), "gauss3", step=0.01, until=1.0, controller=law)
    a, w = 1.0 / inertia, np.sqrt(20 / inertia - 1 / inertia**2)
    t = run.time
    wanted = 0.3 * (1 - np.exp(-a * t) * (np.cos(w * t) + a / w * np.sin(w * t)))
    assert run.joint("arm")[:, 0] == pytest.approx(wanted, abs=1e-9)


def test_loops_and_couplings(tmp_path):
    path = tmp_path / "loop.xml"
    inside = '<joint name="{0}" axis="0 1 0"/><geom type="box" size=".1 .1 .1"/>'
    body = f'<body name="{{0}}" pos="{{1}} 0 0">{inside}</body>'
    path.write_text(
        f"""<mujoco><worldbody>{body.format("a", 0)}{body.format("b", 1)}</worldbody><equality>
        <connect name="pin" body1="a" body2="b" anchor="0.5 0 0.2"/>
        <joint joint1="a" joint2="b" polycoef="0.1 2 0 0 0"/></equality></mujoco>"""
    )
    m = ps.read(path)
    loop, gear = m.loops
    assert gear.joint == ps.Gear(2.0, 0.1)
    assert (loop.a, loop.b, loop.at_a.tolist(), loop.at_b.tolist()) == (
        "a",
        "b",
        [0.5, 0, 0.2],
        [-0.5, 0, 0.2],
    )


def test_a_fixed_tendon_couples_three_joints(tmp_path):
    path = tmp_path / "tendon.xml"
    joint = '<joint name="{0}" axis="0 1 0" ref="{1}"/><geom type="box" size=".1 .1 .1"/>'
    inside = joint.format("c", 0.3)
    for name, ref in (("b", 0.2), ("a", 0.1)):
        inside = f'{joint.format(name, ref)}<body name="{name}2" pos="0.4 0 0">{inside}</body>'
    path.write_text(
        f"""<mujoco><compiler angle="radian"/><worldbody><body name="a1">{inside}</body></worldbody>
        <tendon><fixed name="t"><joint joint="a" coef="2"/><joint joint="b" coef="-1"/>
        <joint joint="c" coef="4"/></fixed></tendon>
        <equality><tendon tendon1="t" polycoef="0.6 0 0 0 0"/></equality></mujoco>"""
    )
    m = ps.read(path)
    (loop,) = m.loops
    names = m.joint_names
    offset = (2 * 0.1 - 0.2 + 4 * 0.3 + 0.6) / 2  # the length where all joints are at their `ref`, and more
    assert (loop.joint.ratio, loop.joint.others) == (0.5, {names["c"]: -2.0})
    assert loop.joint.offset == pytest.approx(offset, rel=1e-15)
    assert (loop.a, loop.b) == (names["a"], names["b"])
    assert not any("coupling" in note for note in m.notes)


def test_the_step_of_a_file_is_compared_with_its_motion(tmp_path):
    path = tmp_path / "stiff.xml"
    path.write_text(
        """<mujoco><option timestep="0.01"/><worldbody><body><joint name="j" stiffness="4e4"/>
        <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></worldbody></mujoco>"""
    )
    assert not [one for one in ps.check(path) if one.rule == "step"]  # sqrt(4e4) 0.01 = 2
    (found,) = [one for one in ps.check(path, step=0.0101) if one.rule == "step"]
    assert (found.where, "200 1/s" in found.message) == ("joint 'j'", True)


def test_what_the_engine_refuses_is_told(tmp_path):
    path = tmp_path / "bad.xml"
    path.write_text('<mujoco>\n<worldbody><body>\n<geom type="blob"/></body></worldbody></mujoco>')
    with pytest.raises(ps.ModelError, match=r"bad\.xml:3: MuJoCo does not compile it"):
        ps.read(path)
    assert ps.check(path)[0].line == 3
    path.write_text(MODEL)
    with pytest.raises(ps.ModelError, match="base is for URDF"):
        ps.read(path, base="free")


@pytest.mark.parametrize("reference", references("mjcf"), ids=lambda one: one["id"])
def test_references(reference):
    compare(ps.read(locate(reference)), reference)


LOOPS = [one for one in references("mjcf") if "loops" in one]


@pytest.mark.parametrize("reference", LOOPS, ids=lambda one: one["id"])
def test_loops_of_references(reference):
    given, m = reference["loops"], ps.read(locate(reference))
    m.gravity = given["gravity"]
    values = {m.joint_names[j]: dict(angle=given["q"][j], rate=given["v"][j]) for j in given["q"]}
    a = ps.dynamics.acceleration(m, m.state(values))
    found = [float(a[m.slices(m.joint_names[j])[1]][0]) for j in given["acceleration"]]
    assert found == pytest.approx(list(given["acceleration"].values()), rel=1e-9)


def slow(name):
    return pytest.param(name, marks=pytest.mark.slow)


def models(package):
    """The MJCF files of a package."""
    try:
        files = importlib.metadata.files(package) or []
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(f"{package} is not installed")
    paths = [Path(str(one.locate())) for one in files if one.suffix == ".xml"]
    return [path for path in paths if "<mujoco" in path.read_text(errors="replace")]


LARGEST = 30  # velocities of a model that runs for a second


@pytest.mark.parametrize("package", ["gymnasium", slow("brax"), slow("dm_control"), slow("pybullet")])
@pytest.mark.filterwarnings("ignore::poinsot.StepWarning")
def test_a_second_keeps_the_energy_balance_to_the_order_of_the_method(package):
    count = 0
    for path in models(package):
        try:
            m = ps.read(path)
        except ps.ModelError:
            continue
        if not 0 < m.lengths[1] <= LARGEST or m.loops:
            continue
        v = np.random.default_rng(0).uniform(-0.5, 0.5, m.lengths[1])
        start, errors = ps.State(0.0, m.starts["initial"].q, v), []
        for halving in range(6):  # a fast mode of the file may ask for smaller steps until the order is seen
            run = ps.simulate(m, start, "gauss2", step=0.004 / 2**halving, until=1.0, every=5)
            errors.append(np.ptp(run.energy - run.work) / np.abs(run.kinetic).max())
            if halving and errors[-1] < max(errors[-2] / 10, 1e-13):  # order 4: 16; order 2: 4
                break
        else:
            pytest.fail(f"{path.name}: {errors}")
        count += 1
    assert count > 5


@pytest.mark.parametrize(
    "package", ["gymnasium", "brax", slow("dm_control"), slow("genesis-world"), slow("pybullet")]
)
def test_all_models_of_a_package(package):
    count = 0
    for path in models(package):
        try:
            m = ps.read(path)
        except ps.ModelError:
            with pytest.raises(Exception):  # noqa: B017, PT011 - the engine refuses it, too
                mujoco.MjModel.from_xml_path(str(path))
            continue
        exact = not any("springs" in note or "armature" in note for note in m.notes)
        if m.lengths[1] and exact:
            agree(*sample(path, m), 1e-8)  # the engine takes an offset of 2e-9 m of one model for zero
            count += 1
    assert count > 10


def test_remarks_of_the_compiler_are_kept_and_no_log_is_written(tmp_path, monkeypatch):
    body = '<worldbody><body><joint/><geom size=".1"/></body></worldbody>'
    text = f'<mujoco><compiler settotalmass="3"/>{body}</mujoco>'
    (tmp_path / "old.xml").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert any("settotalmass" in one.message for one in ps.check("old.xml"))
    assert [one.name for one in tmp_path.iterdir()] == ["old.xml"]
