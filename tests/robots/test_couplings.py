"""Couplings of joints: mimic, equality of joints, gears, against equations in the leading joints."""

import numpy as np
import pytest

import poinsot as ps
from support.robots import ARM, locate, references, state_of


def pair(ratio=2.0, offset=0.3):
    """Two pendulums and a slide, the first driven by the second through a gear."""
    m = ps.Mechanism()
    body = ps.Body(1.0, (0.1, 0.2, 0.1), (0.1, 0, -0.4))
    m.add("a", body, ps.Revolute((0, 1, 0), armature=0.05))
    m.add("b", body, ps.Revolute((0.1, 1, 0)), at=(1, 0, 0))
    m.add("c", body, ps.Prismatic((1, 0, 1)), "b")
    return m.close(ps.Loop("a", "b", ps.Gear(ratio, offset), name="gear"))


def test_accelerations_are_those_of_the_leading_joints():
    m, k, c = pair(), 2.0, 0.3
    s = m.state(
        {"a": dict(angle=k * 0.5 + c, rate=k * 0.7), "b": dict(angle=0.5, rate=0.7), "c": dict(speed=0.2)}
    )
    free = m.copy()
    free.loops = []
    M, h = ps.dynamics.mass_matrix(free, s), ps.dynamics.inverse_dynamics(free, s, np.zeros(3))
    G = np.array([[k, 0.0], [1.0, 0.0], [0.0, 1.0]])
    wanted = G @ np.linalg.solve(G.T @ M @ G, -G.T @ h)
    assert ps.dynamics.acceleration(m, s) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("method", ["gauss3", "rk4", "variational", "variational4"])
def test_a_run_keeps_the_coupling_and_the_energy(method):
    m = pair()
    start = m.state({"a": dict(angle=2 * 0.5 + 0.3, rate=2.0), "b": dict(angle=0.5, rate=1.0)})
    run = ps.simulate(m, start, method, step=0.005, until=1.0)
    gap = run.joint("a")[:, 0] - 2.0 * run.joint("b")[:, 0] - 0.3
    assert np.abs(gap).max() < 1e-13
    small = 1e-4 if method == "variational" else 1e-6
    assert np.ptp(run.energy) < small * np.abs(run.energy).max()


@pytest.mark.parametrize(("method", "order"), [("variational", 2), ("gauss2", 4)])
def test_methods_converge_to_the_motion_of_the_leading_joint(method, order):
    m, k, c = pair(), 2.0, 0.3
    start = m.state({"a": dict(angle=k * 0.5 + c, rate=k), "b": dict(angle=0.5, rate=1.0)})
    exact = ps.simulate(m, start, "dop853", step=0.4, until=0.4).final.v
    errors = [
        np.abs(ps.simulate(m, start, method, step=h, until=0.4).final.v - exact).max() for h in (0.02, 0.01)
    ]
    assert errors[0] / errors[1] == pytest.approx(2.0**order, rel=0.2)


def three(offset=0.1):
    """Three joints of a finger whose angles add up: a fixed tendon."""
    m = ps.Mechanism()
    body = ps.Body(1.0, (0.1, 0.2, 0.1), (0.1, 0, -0.4))
    for name, parent, joint in (
        ("a", "world", ps.Revolute((0, 1, 0))),
        ("b", "a", ps.Revolute((0.1, 1, 0))),
        ("c", "b", ps.Prismatic((1, 0, 1))),
        ("d", "c", ps.Revolute((1, 0, 0))),
    ):
        m.add(name, body, joint, parent, at=(0, 0, -0.3))
    return m.close(ps.Loop("d", "a", ps.Gear(0.5, offset, others={"b": -1.5, "c": 2.0}), name="tendon"))


def test_four_joints_are_coupled_by_one_row():
    m = three()
    free = m.copy()
    free.loops = []
    s = m.state(
        {
            "a": dict(angle=0.2, rate=0.3),
            "b": dict(angle=0.1, rate=-0.4),
            "c": dict(displacement=0.3, speed=0.7),
            "d": dict(angle=0.5 * 0.2 - 1.5 * 0.1 + 2 * 0.3 + 0.1, rate=0.5 * 0.3 + 1.5 * 0.4 + 2 * 0.7),
        }
    )
    M, h = ps.dynamics.mass_matrix(free, s), ps.dynamics.inverse_dynamics(free, s, np.zeros(4))
    G = np.vstack([np.eye(3), [0.5, -1.5, 2.0]])
    wanted = G @ np.linalg.solve(G.T @ M @ G, -G.T @ h)
    assert ps.dynamics.acceleration(m, s) == pytest.approx(wanted, rel=1e-11)
    for method in ("gauss3", "variational"):
        run = ps.simulate(m, s, method, step=0.01, until=0.3)
        a, b, c, d = (run.joint(name)[:, 0] for name in "abcd")
        assert d == pytest.approx(0.5 * a - 1.5 * b + 2 * c + 0.1, abs=1e-13)


def test_the_reaction_of_a_gear_is_what_it_exerts_along_the_axis():
    m = pair()
    s = m.state({"a": dict(angle=1.3, rate=1.4), "b": dict(angle=0.5, rate=0.7), "c": dict(speed=0.2)})
    free = m.copy()
    free.loops = []
    needed = ps.dynamics.inverse_dynamics(free, s, ps.dynamics.acceleration(m, s))  # of joints a, b, c
    axis = np.array([0.1, 1, 0]) / np.linalg.norm([0.1, 1, 0])
    found = ps.dynamics.reactions(m, s)["gear"]
    assert np.abs(found).max() > 0.1
    assert found == pytest.approx([*(needed[1] * axis), 0, 0, 0], rel=1e-10, abs=1e-12)
    assert ps.dynamics.multipliers(m, s)["gear"] == pytest.approx([needed[0]], rel=1e-10)
    held = free.close(ps.Loop("c", "world", ps.Gear(1.0, 0.0), name="stop"))
    s = m.state({"a": dict(angle=1.3), "b": dict(angle=0.5)})
    found = ps.dynamics.reactions(held, s)["stop"]
    bare = m.copy()
    bare.loops = []
    needed = ps.dynamics.inverse_dynamics(bare, s, ps.dynamics.acceleration(held, s))
    assert found == pytest.approx([0, 0, 0, *(needed[2] * np.sqrt(0.5) * np.array([1, 0, 1]))], rel=1e-10)


def test_a_joint_is_held():
    m = pair()
    m.loops = []
    m.close(ps.Loop("a", "world", ps.Gear(1.0, 0.4)))
    run = ps.simulate(m, m.state({"a": dict(angle=0.4)}), "gauss3", step=0.01, until=0.2)
    assert run.joint("a")[:, 0] == pytest.approx(0.4, abs=1e-13)


def test_what_cannot_be_coupled_is_said():
    with pytest.raises(ps.ScenarioError, match="cannot couple joints"):
        ps.simulate(pair(), pair().state(), "sgauss2", step=0.01, until=0.1)
    with pytest.raises(ps.ModelError, match="the joint of 'a' is coupled twice"):
        ps.Loop("a", "b", ps.Gear(1.0, others={"a": 1.0}))
    with pytest.raises(ps.ModelError, match="'x'"):
        three().close(ps.Loop("a", "b", ps.Gear(1.0, others={"x": 1.0}), name="x"))
    wrong = ps.Mechanism().add("ball", ps.Sphere(1.0).body(mass=1.0), ps.Spherical())
    wrong.close(ps.Loop("ball", "world", ps.Gear(1.0)))
    with pytest.raises(ps.ModelError, match="'ball' must hang on a joint with one coordinate"):
        ps.dynamics.acceleration(wrong, wrong.state())


def test_files_keep_it(tmp_path):
    path = tmp_path / "gear.toml"
    path.write_text(ps.to_toml(pair()))
    assert ps.scenario(path, **{"start.a.angle": 0.3}).mechanism.loops[0].joint == ps.Gear(2.0, 0.3)
    path.write_text(ps.to_toml(three()))
    again = ps.scenario(path, **{"start.d.angle": 0.1}).mechanism.loops[0].joint
    assert again == ps.Gear(0.5, 0.1, {"b": -1.5, "c": 2.0}) != ps.Gear(0.5, 0.1, {"b": -1.5})
    assert hash(again) == hash(three().loops[0].joint)


def test_mimic(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(
        ARM.replace(
            '<limit lower="0"', '<mimic joint="shoulder" multiplier="0.1" offset="0.02"/><limit lower="0"'
        )
    )
    (loop,) = ps.read(path).loops
    assert (loop.a, loop.b, loop.joint) == ("slider", "upper", ps.Gear(0.1, 0.02))


@pytest.mark.parametrize(
    "reference",
    [one for kind in ("urdf", "mjcf") for one in references(kind) if "coupled" in one],
    ids=lambda one: one["id"],
)
def test_references(reference):
    given = reference["coupled"]
    base = {"base": reference["base"]} if reference["format"] == "urdf" else {}
    m = ps.read(locate(reference), **base)
    m.forces = []
    state, S, rate = state_of(m, reference, given)
    a = np.linalg.solve(S, ps.dynamics.acceleration(m, state) - rate)
    found = dict(zip(reference["dofs"], a, strict=True))
    for dof, wanted in given["acceleration"].items():
        assert found[dof] == pytest.approx(wanted, rel=1e-9, abs=1e-9 * np.abs(a).max())
