"""What varies: grids, pairs, draws by member number, tables, paths into mechanisms."""

import numpy as np
import pytest
from scipy import stats

import poinsot as ps
from poinsot.ensemble.distributions import read, unit_numbers
from poinsot.ensemble.members import members_of

MASS, ANGLE = "bodies.lower.mass", "start.upper.angle"


def test_a_grid_runs_the_last_path_fastest_and_zip_pairs():
    grid = members_of({"a": [1.0, 2.0], "b": [3.0, 4.0, 5.0]})
    assert grid.count == 6
    assert grid.columns["a"].tolist() == [1.0, 1.0, 1.0, 2.0, 2.0, 2.0]
    assert grid.columns["b"].tolist() == [3.0, 4.0, 5.0, 3.0, 4.0, 5.0]
    assert members_of({"a": [1.0, 2.0], "b": [3.0, 4.0]}, zip=True).values(1) == {"a": 2.0, "b": 4.0}
    assert members_of({"a": "linspace(0, 1, 3)"}).columns["a"].tolist() == [0.0, 0.5, 1.0]
    assert members_of({"N": [2, 3]}).values(1) == {"N": 3}


@pytest.mark.parametrize(
    ("text", "law"),
    [
        ("uniform(1, 3)", stats.uniform(1, 2)),
        ("normal(1, 0.5)", stats.norm(1, 0.5)),
        ("lognormal(2, 0.5)", stats.lognorm(0.5, scale=2)),
        ("loguniform(0.1, 10)", stats.loguniform(0.1, 10)),
        ("exponential(3)", stats.expon(scale=3)),
        ("triangular(1, 2, 4)", stats.triang(1 / 3, 1, 3)),
    ],
)
def test_quantiles_are_those_of_scipy(text, law):
    u = np.linspace(0.01, 0.99, 9)
    assert read("x", text).quantile(u) == pytest.approx(law.ppf(u), rel=1e-12)


def test_a_draw_depends_on_seed_path_and_number_only():
    few = members_of({"a": "normal(0, 1)"}, samples=5, seed=3)
    more = members_of({"b": "uniform(0, 1)", "a": "normal(0, 1)"}, samples=50, seed=3)
    assert more.columns["a"][:5].tolist() == few.columns["a"].tolist()
    other = members_of({"a": "normal(0, 1)"}, samples=5, seed=4)
    assert not np.isin(other.columns["a"], few.columns["a"]).any()
    assert few.columns["a"][0] == pytest.approx(-0.42248071306690665, rel=1e-12)  # today and later


def test_sobol_and_latin_fill_every_interval():
    for design in ("sobol", "latin"):
        u = unit_numbers(["a", "b"], 16, 1, design)
        for one in u.values():
            assert sorted((one * 16).astype(int)) == list(range(16))
    assert (
        unit_numbers(["a"], 16, 1, "sobol")["a"].tolist()
        == unit_numbers(["a"], 32, 1, "sobol")["a"][:16].tolist()
    )


def test_draws_at_each_point_of_a_grid():
    found = members_of({"a": [1.0, 2.0], "x": "uniform(0, 1)"}, samples=3)
    assert found.columns["a"].tolist() == [1.0] * 3 + [2.0] * 3
    assert len(set(found.columns["x"].tolist())) == 6


def test_tables(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(f"{MASS},{ANGLE}\n1.5,0.1\n2.5,0.2\n")
    pandas, xarray = pytest.importorskip("pandas"), pytest.importorskip("xarray")
    columns = {MASS: [1.5, 2.5], ANGLE: [0.1, 0.2]}
    wanted = ps.ensemble("double-pendulum", vary=columns, zip=True, method="rk4", step=0.01, until=0.1)
    data = xarray.Dataset({name: ("member", values) for name, values in columns.items()})
    for table in (path, str(path), pandas.DataFrame(columns), data):
        found = ps.ensemble("double-pendulum", vary=table, method="rk4", step=0.01, until=0.1)
        assert found.dataset().identical(wanted.dataset())


def test_paths_into_a_mechanism():
    """Masses, springs, gravity and starts of a mechanism that was built in Python."""
    m = ps.Mechanism().add("bob", ps.Box(0.1).body(mass=1.0), ps.Prismatic((1, 0, 0)))
    m.apply(ps.Spring("world", "bob", 4.0, at_a=(-1.0, 0, 0)))
    how = dict(method="gauss3", step=0.01, until=0.3)
    vary = {"bodies.bob.mass": [2.0], "forces.0.stiffness": [9.0], "gravity": [(0.1, 0.0, 0.0)]}
    e = ps.ensemble(m, vary={**vary, "start.bob.displacement": [0.2, 0.3]}, **how)
    other = ps.Mechanism(gravity=(0.1, 0, 0)).add("bob", ps.Box(0.1).body(mass=2.0), ps.Prismatic((1, 0, 0)))
    other.apply(ps.Spring("world", "bob", 9.0, at_a=(-1.0, 0, 0)))
    run = ps.simulate(other, other.state({"bob": dict(displacement=0.3)}), **how)
    assert e.final_q[1].tobytes() == run.final.q.tobytes()
    spin = {"start.nut.angular_velocity[1]": [0.5]}
    e = ps.ensemble("dzhanibekov", vary=spin, method="srkn4", step=0.02, until=0.02)
    assert e.rerun(0).angular_velocity("nut")[0][1] == 0.5


def test_a_table_in_a_scenario_file(tmp_path):
    text = ps.to_toml(ps.scenario("double-pendulum"))
    path = tmp_path / "pendulum.toml"
    path.write_text(text + f'\n[sweep]\nsamples = 3\nseed = 5\n[sweep.vary]\n"{MASS}" = "uniform(1, 2)"\n')
    s = ps.scenario(path)
    e = ps.ensemble(path, method="rk4", step=0.01, until=0.1)
    vary = {MASS: "uniform(1, 2)"}
    wanted = ps.ensemble("double-pendulum", vary=vary, samples=3, seed=5, method="rk4", step=0.01, until=0.1)
    assert e.final_q.tobytes() == wanted.final_q.tobytes()
    again = tmp_path / "again.toml"
    again.write_text(ps.to_toml(s))
    assert ps.scenario(again).sweep == s.sweep
    path.write_text(text + "\n[sweep]\nsample = 3\n")
    with pytest.raises(ps.ScenarioError, match=r"sweep.sample: not known, did you mean 'samples'"):
        ps.scenario(path)
