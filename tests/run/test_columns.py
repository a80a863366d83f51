"""A run as a table: pandas, CSV and xarray hold the numbers of the run, with their names and units."""

import csv

import numpy as np
import pytest

import poinsot as ps

pandas = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def run():
    """A cart with a ball on it: a slide that is pushed, a ball joint, and a record of two numbers."""
    m = ps.Mechanism()
    m.add("cart", ps.Box(1.0).body(mass=2.0), ps.Prismatic((1, 0, 0)))
    m.add("ball", ps.Sphere(0.1).body(mass=1.0), ps.Spherical(), parent="cart", body_at=(0, 0, -1))
    m.add("tail", ps.Sphere(0.1).body(mass=0.1), ps.Revolute((0, 1, 0)), parent="ball", body_at=(0.3, 0, 0))
    push = ps.Controller(lambda t, state, memory: ([np.cos(t)], memory), 0.02, ["cart"])
    start = m.state({"ball": dict(angular_velocity=(1.0, 2.0, 3.0)), "cart": dict(speed=0.5)})
    record = {"pair": lambda t, state: state.v[:2], "a/b": lambda t, state: 2 * t}
    return ps.simulate(m, start, "rk4", step=0.02, steps=40, controller=push, record=record)


def test_one_flat_table_has_everything_by_name(run):
    table = run.to_pandas()
    units = table.attrs["units"]
    expected = {
        "cart.displacement": ("m", run.joint("cart")[:, 0]),
        "cart.speed": ("m/s", run.rate("cart")[:, 0]),
        "ball.joint.quaternion.y": ("", run.joint("ball")[:, 2]),
        "ball.joint.angular_velocity.z": ("rad/s", run.rate("ball")[:, 2]),
        "tail.angle": ("rad", run.joint("tail")[:, 0]),
        "tail.rate": ("rad/s", run.rate("tail")[:, 0]),
        "cart.input": ("N", run.input("cart")[:, 0]),
        "recorded.pair.1": ("", run.recorded["pair"][:, 1]),
        "recorded.a/b": ("", run.recorded["a/b"]),
        "energy": ("J", run.energy),
        "linear_momentum.x": ("kg m/s", run.linear_momentum[:, 0]),
        "ball.position.z": ("m", run.position("ball")[:, 2]),
        "ball.quaternion.w": ("", run.quaternion("ball")[:, 0]),
    }
    for name, (unit, values) in expected.items():
        assert units[name] == unit, name
        assert np.array_equal(table[name], values), name
    assert table.columns[0] == "cart.displacement"
    assert np.array_equal(table.index, run.time)
    assert "cart.reaction.force.z" not in table
    forces = run.to_pandas(reactions=True)
    assert np.array_equal(forces["cart.reaction.force.z"], run.reaction("cart")[:, 5])
    assert forces.attrs["units"]["ball.reaction.torque.x"] == "N m"


def test_a_csv_file_is_the_table_with_units_in_parts_too(run, tmp_path):
    whole = run.to_csv(tmp_path / "a.csv", reactions=True).read_bytes()
    with (tmp_path / "a.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    table = run.to_pandas(reactions=True)
    units = table.attrs["units"]
    assert rows[0] == ["time [s]", *(f"{x} [{units[x]}]" if units[x] else x for x in table.columns)]
    assert np.array_equal(np.array(rows[1:], dtype=float)[:, 1:], table.to_numpy())
    vars(run.trajectory)["chunk"] = 7
    assert len(list(run.parts())) == 6
    assert run.to_csv(tmp_path / "b.csv", reactions=True).read_bytes() == whole
    again = ps.load(run.save(tmp_path / "run.poinsot"))
    assert again.to_csv(tmp_path / "c.csv").read_bytes() == run.to_csv(tmp_path / "d.csv").read_bytes()


def test_labelled_arrays_have_joints_inputs_and_records(run, tmp_path):
    xarray = pytest.importorskip("xarray")
    x = run.to_xarray(reactions=True)
    assert np.array_equal(x["joint_coordinate"].sel(coordinate="cart.displacement"), run.joint("cart")[:, 0])
    assert x["coordinate_units"].sel(coordinate="cart.displacement") == "m"
    assert np.array_equal(x["joint_rate"].sel(rate="ball.joint.angular_velocity.x"), run.rate("ball")[:, 0])
    assert np.array_equal(x["recorded.pair"], run.recorded["pair"])
    assert np.array_equal(x["recorded.a_b"], run.recorded["a/b"])
    assert np.array_equal(x["reaction"].sel(joint="ball", wrench="force.z"), run.reaction("ball")[:, 5])
    assert (x["position"].attrs["units"], x["input"].sel(driven="cart").shape) == ("m", (41,))
    vars(run.trajectory)["chunk"] = 7
    path = run.to_netcdf(tmp_path / "run.nc", reactions=True)
    with xarray.open_dataset(path, engine="h5netcdf") as found:
        xarray.testing.assert_identical(found.load(), x)
