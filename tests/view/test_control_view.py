"""A page of a controlled run: arrows of thrusts, the reference as a ghost, the error as its first curve."""

import zlib
from types import SimpleNamespace

import numpy as np
import pytest

import poinsot as ps
from poinsot.diagnostics.quantities import error_labels, error_unit
from poinsot.gallery import copters
from poinsot.view.payload import payload
from view.test_payload import unpacked

C = ps.control


@pytest.mark.parametrize("period", [None, 0.02])
def test_thrusts_and_ghosts(period, tmp_path):
    """Four rotors at their places that push along z as the run says; the ghost is at the reference."""
    c = copters.quadcopter()
    goal = c.mechanism.state({"copter": dict(position=(0.0, 0.0, 1.0))})
    law = C.track(
        c.mechanism, C.Template("particle", [c.pair]), C.references.constant(goal), c.inputs, period=period
    )
    start = c.mechanism.state({"copter": dict(rotation=ps.quaternion.exp((0.3, 0, 0)))})
    run = ps.simulate(
        c.mechanism, start, "rk4", step=0.02, until=0.2, controller=law, record=C.recording(law)
    )
    found = payload({"run": run}, "")
    again = payload({"run": ps.load(run.save(tmp_path / "run.poinsot"))}, "")
    assert (again.header, again.data) == (found.header, found.data)
    one, data = found.header["runs"][0], zlib.decompress(found.data)

    def table(i):
        return unpacked(found.header["arrays"][i], data)

    assert [arrow["at"] for arrow in one["thrusts"]] == [
        pytest.approx(place, abs=1e-12)
        for place in ([0.24, 0, 0], [0, 0.24, 0], [-0.24, 0, 0], [0, -0.24, 0])
    ]
    forces = np.array([table(arrow["values"]) for arrow in one["thrusts"]])
    assert np.abs(forces[:, :, 2].T - run.input("rotors")).max() < 1e-5
    assert np.abs(forces[:, :, :2]).max() < 1e-6
    (ghost,) = one["ghosts"]
    assert np.abs(table(ghost["position"]) - [0, 0, 1]).max() < 1e-6
    assert np.abs(table(ghost["quaternion"]) - [1, 0, 0, 0]).max() < 1e-6
    assert one["plots"][0]["key"] == "recorded error"
    error = ps.dynamics.difference(c.mechanism, start, goal)[:6]
    assert np.linalg.norm(error) > 1
    assert table(one["plots"][0]["values"])[0] == pytest.approx(error, abs=1e-6)
    assert "recorded reference" not in [plot["key"] for plot in one["plots"]]


def test_motors_and_tilting_rotors():
    """Joint motors have no arrow; a tilting rotor has one, with both parts of its thrust."""
    c = copters.tricopter()
    goal = C.references.constant(c.mechanism.state())
    law = C.track(c.mechanism, C.Template("body", [c.pair]), goal, c.inputs, period=0.02)
    start = c.mechanism.state({"copter": dict(position=(0.2, 0.0, 0.0))})
    run = ps.simulate(c.mechanism, start, "rk4", step=0.02, until=0.04, controller=law)
    found = payload({"run": run}, "")
    one, data = found.header["runs"][0], zlib.decompress(found.data)
    forces = [unpacked(found.header["arrays"][arrow["values"]], data)[0] for arrow in one["thrusts"]]
    B = C.input_matrix(c.mechanism, c.mechanism.state(), c.inputs)
    assert np.abs(np.sum(forces, axis=0) - (B @ run.input("rotors")[0])[3:]).max() < 1e-5
    assert one["ghosts"] == []
    places = [arrow["at"] for arrow in one["thrusts"]]
    assert places == [pytest.approx(rotor.at, abs=1e-12) for rotor in c.inputs]
    m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=1.0), ps.Prismatic((1, 0, 0)))
    push = ps.Controller(lambda t, state, memory: ([1.0], memory), 0.1, ["cart"])
    moved = ps.simulate(m, m.state(), "rk4", step=0.1, steps=3, controller=push)
    for run in (moved, ps.simulate(m, m.state(), "rk4", step=0.1, steps=3)):
        assert payload({"run": run}, "").header["runs"][0]["thrusts"] == []


@pytest.mark.parametrize("period", [None, 0.02])
def test_a_loaded_run_has_the_page_of_the_run(period, tmp_path, monkeypatch):
    """Arrows and units of all kinds of inputs; also of a run that was saved a second time.

    The forces in joints need the law of a continuous controller, which a file does not hold.
    """
    if not period:
        monkeypatch.setattr("poinsot.view.extract.joint_forces", lambda run, frames: [])
    m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=1.0), ps.Prismatic((1, 0, 0)))
    m.add("arm", ps.Box(0.2).body(mass=1.0), ps.Free(), parent="cart")
    rotor = ps.TiltRotor("arm", (0, 0, 0.1), (1, 0, 0), (0, 1, 0), name="rotor")
    inputs = ["cart", rotor, ps.Actuator("arm", component=1), ps.Thrust("arm", (0, 0.1, 0), (0, 0, 1))]
    law = ps.Feedback(lambda t, state: np.arange(1.0, 6.0) / 50, inputs)
    if period:
        law = ps.Controller(lambda t, state, memory: (np.arange(1.0, 6.0) / 50, memory), period, inputs)
    run = ps.simulate(m, m.state(), "rk4", step=0.02, steps=4, controller=law)
    loaded = ps.load(run.save(tmp_path / "run.poinsot"))
    again = ps.load(loaded.save(tmp_path / "again.poinsot"))
    whole = payload({"run": run}, "")
    assert len(whole.header["runs"][0]["thrusts"]) == 2
    for one in (loaded, again):
        found = payload({"run": one}, "")
        assert found.header == whole.header
        assert found.data == whole.data
        assert one.mechanism.missing == (() if period else ("continuous controller '<lambda>'",))


def test_errors_are_named_as_the_coordinates_of_the_joint():
    run = SimpleNamespace(mechanism=copters.quadcopter().mechanism, recorded={"reference": (), "error": ()})
    expected = (*(f"rotation[{i}] [rad]" for i in range(3)), *(f"position[{i}] [m]" for i in range(3)))
    assert error_labels(run, 6) == expected
    assert error_unit(expected) == "rad, m"
    assert error_labels(run, 5) == ()
    assert error_labels(SimpleNamespace(mechanism=run.mechanism, recorded={"error": ()}), 6) == ()


def test_errors_have_the_units_of_their_joints_on_the_page():
    m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=1.0), ps.Prismatic((1, 0, 0)))
    m.add("arm", ps.Box(0.2).body(mass=1.0), ps.Revolute((0, 1, 0)), parent="cart")
    seen = {"reference": lambda t, state: state.q, "error": lambda t, state: state.q}
    run = ps.simulate(m, m.state(), "rk4", step=0.1, steps=3, record=seen)
    first = payload({"run": run}, "").header["runs"][0]["plots"][0]
    assert first["labels"] == ["cart displacement [m]", "arm angle [rad]"]
    assert first["unit"] == "m, rad"


def test_inputs_have_their_unit():
    m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=1.0), ps.Prismatic((1, 0, 0)))
    m.add("arm", ps.Box(0.2).body(mass=1.0), ps.Revolute((0, 1, 0)), parent="cart")
    rotor = ps.Thrust("arm", (0, 0, 0.1), (1, 0, 0), name="rotor")
    inputs = ["cart", "arm", rotor, ps.WrenchInput("arm", name="hand")]
    sampled = ps.Controller(lambda t, state, memory: (np.zeros(9), memory), 0.1, inputs)
    for controller in (sampled, ps.Feedback(lambda t, state: np.zeros(9), inputs)):
        run = ps.simulate(m, m.state(), "rk4", step=0.1, steps=1, controller=controller)
        plots = payload({"run": run}, "").header["runs"][0]["plots"]
        units = {one["key"]: one["unit"] for one in plots if one["key"].startswith("input")}
        wanted = {"cart": "N", "arm": "N m", "rotor": "N", "hand": "N m or N"}
        assert units == {f"input at {name}": unit for name, unit in wanted.items()}
