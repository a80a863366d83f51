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


@pytest.mark.parametrize("method", ["gauss3", "rk4"])
def test_a_run_keeps_the_coupling_and_the_energy(method):
    m = pair()
    start = m.state({"a": dict(angle=2 * 0.5 + 0.3, rate=2.0), "b": dict(angle=0.5, rate=1.0)})
    run = ps.simulate(m, start, method, step=0.005, until=1.0)
    gap = run.joint("a")[:, 0] - 2.0 * run.joint("b")[:, 0] - 0.3
    assert np.abs(gap).max() < 1e-13
    assert np.ptp(run.energy) < 1e-6 * np.abs(run.energy).max()


def test_a_joint_is_held():
    m = pair()
    m.loops = []
    m.close(ps.Loop("a", "world", ps.Gear(1.0, 0.4)))
    run = ps.simulate(m, m.state({"a": dict(angle=0.4)}), "gauss3", step=0.01, until=0.2)
    assert run.joint("a")[:, 0] == pytest.approx(0.4, abs=1e-13)


def test_methods_that_cannot_say_so():
    with pytest.raises(ps.ScenarioError, match="cannot couple joints"):
        ps.simulate(pair(), pair().state(), "variational", step=0.01, until=0.1)
    wrong = ps.Mechanism().add("ball", ps.Sphere(1.0).body(mass=1.0), ps.Spherical())
    wrong.close(ps.Loop("ball", "world", ps.Gear(1.0)))
    with pytest.raises(ps.ModelError, match="'ball' must hang on a joint with one coordinate"):
        ps.dynamics.acceleration(wrong, wrong.state())


def test_files_keep_it(tmp_path):
    path = tmp_path / "gear.toml"
    path.write_text(ps.to_toml(pair()))
    assert ps.scenario(path, **{"start.a.angle": 0.3}).mechanism.loops[0].joint == ps.Gear(2.0, 0.3)


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
