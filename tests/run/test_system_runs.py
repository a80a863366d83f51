"""Runs of own systems are runs: figures, tables, pages, reports and archives, also of a loaded one."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest

import poinsot as ps
from poinsot.diagnostics.system_trajectory import SystemFacts
from poinsot.view import browser as machine

an = ps.analytical
G, LENGTH = 9.81, 1.2


def bob(x):
    return [(LENGTH * np.sin(x[0]), 0.0, -LENGTH * np.cos(x[0]))]


def pendulum(length=LENGTH):
    """A pendulum that knows its name and its place."""
    line = an.spaces.minimal(1)
    made = an.levi_civita(line, lambda x: np.array([[length**2]]), lambda x: -G * length * np.cos(x[0]))
    return made.draw(points=bob, rods=[(-1, 0)], names=["angle"])


def simulate(**options):
    return ps.simulate(
        pendulum(), ps.State(0.0, [1.0], [0.0]), "gauss2", step=0.02, **{"until": 0.4, **options}
    )


@pytest.fixture(scope="module")
def run():
    return simulate()


def header(path):
    text = path.read_text(encoding="utf-8")
    return json.loads(re.search(r'id="poinsot-header">(.*?)</script>', text, re.DOTALL)[1])


def test_figures_have_the_names_of_the_coordinates(run, tmp_path):
    titles = {}
    for kind in ("phase", "drift", "kinematics", "joints", "energy"):
        figure = run.plot(tmp_path / f"{kind}.svg", kind=kind)
        assert (tmp_path / f"{kind}.svg").stat().st_size > 1000
        titles[kind] = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles["phase"] == ["angle"]
    assert "coordinates" in titles["kinematics"]
    figure = run.plot(kind="phase", body="angle")
    (line, _) = figure.axes[0].lines
    assert np.array_equal(line.get_xdata(), run.x[:, 0])
    assert np.array_equal(line.get_ydata(), run.velocity[:, 0])  # here the rate is the velocity
    with pytest.raises(ps.ScenarioError, match="which a system has not"):
        run.plot(kind="polhode")
    with pytest.raises(ps.ModelError, match="unknown coordinate 'angel', did you mean 'angle'"):
        run.plot(kind="phase", body="angel")


def test_tables_have_the_names_of_the_coordinates(run, tmp_path):
    lines = run.to_csv(tmp_path / "run.csv").read_text().splitlines()
    assert lines[0] == "time [s],angle,dangle/dt,energy [J],hamiltonian [J],work [J]"
    assert len(lines) == 1 + len(run.time)
    assert np.array_equal([float(line.split(",")[1]) for line in lines[1:]], run.x[:, 0])
    data = run.to_xarray()
    assert np.array_equal(data["angle"], run.x[:, 0])
    assert np.array_equal(run.to_pandas()["energy"], run.energy)
    run.to_netcdf(tmp_path / "run.nc")


def test_the_report_measures_the_energy(run):
    report = run.report()
    assert [row[0] for row in report.rows()] == ["energy"]
    energy = LENGTH**2 * run.velocity[:, 0] ** 2 / 2 - G * LENGTH * np.cos(run.x[:, 0])
    assert report.energy.band == pytest.approx(np.ptp(energy), rel=1e-6)
    assert report.energy.relative_band < 1e-5
    assert "energy" in str(report)


def test_redundant_coordinates_report_their_constraint():
    circle = an.Coordinates(2, lambda x: np.array([[-x[1]], [x[0]]]), lambda x: np.array([x @ x - 1]))
    made = an.levi_civita(circle, lambda x: np.eye(1), lambda x: G * x[1])
    run = ps.simulate(made, ps.State(0.0, [0.6, -0.8], [0.3]), "rk4", step=0.05, until=1.0)
    names = [row[0] for row in run.report().rows()]
    assert names == ["energy", "orthogonality"]
    assert run.report().orthogonality.band == pytest.approx(np.ptp(run.constraint))
    figure = run.plot(kind="phase")
    rates = np.array([[-y * w, x * w] for (x, y), w in zip(run.x, run.velocity[:, 0], strict=True)])
    assert np.array_equal(figure.axes[1].lines[0].get_ydata(), rates[:, 1])


def test_the_page_shows_points_and_curves(run, tmp_path):
    found = header(run.to_html(tmp_path / "run.html"))["runs"][0]
    assert [one["name"] for one in found["bodies"]] == ["point 1"]
    assert [one["kind"] for one in found["springs"]] == ["rod"]
    titles = [one["title"] for one in found["plots"]]
    assert titles[:2] == ["coordinates", "velocities"]
    assert "energy error, relative" in titles
    assert "angular momentum" not in titles
    assert found["report"]["rows"][0][0] == "energy"
    picture = run.trajectory.picture
    assert np.allclose(picture.motions["point 1"].position, [bob(x)[0] for x in run.x])


def test_without_a_picture_the_page_shows_the_configuration(tmp_path):
    plane = an.levi_civita(an.spaces.minimal(2), lambda x: np.eye(2), lambda x: x @ x)
    run = ps.simulate(plane, ps.State(0.0, [1.0, 0.0], [0.0, 0.5]), step=0.1, until=1.0)
    found = header(run.to_html(tmp_path / "run.html"))["runs"][0]
    assert [one["name"] for one in found["bodies"]] == ["configuration"]
    places = run.trajectory.picture.motions["configuration"].position
    assert np.array_equal(places[:, :2], run.x)


def test_poses_have_shapes():
    def poses(x):
        place = np.eye(4)
        place[:3, :3], place[:3, 3] = ps.so3.exp([0, -x[0], 0]), bob(x)[0]
        return {"rod": (place, ps.Box((0.1, 0.1, 0.3))), "dot": place}

    run = ps.simulate(pendulum().draw(poses=poses), ps.State(0.0, [1.0], [0.0]), step=0.1, until=0.5)
    m = run.trajectory.mechanism
    assert m.names == ["rod", "dot"]
    assert m.link("rod").body.shape == ps.Box((0.1, 0.1, 0.3))
    motion = run.trajectory.picture.motions["rod"]
    assert np.allclose(motion.rotation[-1], ps.so3.exp([0, -run.x[-1, 0], 0]))


def test_trees_of_bodies_know_how_they_are_drawn():
    """The same rod in three formulations is drawn at the same places."""
    J = np.diag([0.1, 0.1, 0.01])
    frame = an.MovingFrame([an.Link(-1, 2.0, J, (0, 0, -0.5), axes=[(0, 1, 0)])])
    tree = an.RigidBodies()
    tree.add(0, "revolute", an.from_moments(2.0, (0, 0, -0.5), J + np.diag([0.5, 0.5, 0])), axis=(0, 1, 0))
    m = ps.Mechanism().add("rod", ps.Body(2.0, J), ps.Revolute((0, 1, 0)), body_at=(0, 0, -0.5))
    start = ps.State(0.0, [1.0], [0.3])
    runs = [ps.simulate(one, start, "gauss3", step=0.02, until=0.2) for one in (frame, tree, m)]
    for one in runs[:2]:
        motion = one.trajectory.picture.motions["body 1"]
        assert np.allclose(motion.position, runs[2].position("rod"), atol=1e-9)
        assert np.allclose(motion.rotation, runs[2].rotation("rod"), atol=1e-9)
        body = one.trajectory.mechanism.links[0].body
        assert np.allclose(body.inertia, J)


@pytest.mark.parametrize("saved", [True, False])
def test_archives_hold_the_answers(run, saved, tmp_path):
    path = tmp_path / "run.poinsot"
    run = run if saved else simulate(archive=path)
    path = run.save(path) if saved else path
    again = ps.load(path)
    assert again.system is None  # functions are not in a file
    for name in ("time", "x", "velocity", "energy", "hamiltonian", "constraint", "work", "inputs"):
        assert np.array_equal(getattr(again, name), getattr(run, name)), name
    assert str(again.report()).splitlines()[1:3] == str(run.report()).splitlines()[1:3]
    a, b = (one.trajectory.picture.motions["point 1"].position for one in (run, again))
    assert np.array_equal(a, b)
    assert len(again.plot(kind="phase").axes) == 1
    assert header(again.to_html(tmp_path / "a.html"))["runs"][0]["bodies"][0]["name"] == "point 1"
    twice = ps.load(again.save(tmp_path / "again.poinsot"))
    assert np.array_equal(twice.energy, run.energy)


def test_resume_and_replay_give_the_same_bits(tmp_path):
    path = tmp_path / "run.poinsot"
    simulate(archive=path)
    assert ps.replay(path, system=pendulum()).identical
    more = ps.resume(path, until=0.8, system=pendulum())
    whole = simulate(until=0.8)
    for name in ("time", "x", "velocity", "energy"):
        assert np.array_equal(getattr(more, name), getattr(whole, name)), name
        assert np.array_equal(getattr(ps.load(path), name), getattr(whole, name)), name
    with pytest.raises(ps.ArchiveError, match="give it with system="):
        ps.resume(path, until=1.0)
    with pytest.raises(ps.ArchiveError, match="not that of the archive"):
        ps.resume(path, until=1.0, system=pendulum(1.3))
    with pytest.raises(ps.ArchiveError, match="not that of the archive"):
        ps.replay(path, system=pendulum(1.3))


def test_a_symbolic_system_is_data(tmp_path):
    """Its archive is resumed without `system=`, unless a Python function draws it."""
    sympy = pytest.importorskip("sympy")
    t = sympy.Symbol("t")
    a = sympy.Function("a")(t)
    system = ps.symbolic.System([a], a.diff(t) ** 2 / 2 + G * sympy.cos(a), time=t)
    start, options = ps.State(0.0, [1.0], [0.0]), {"step": 0.02, "until": 0.4}
    run = ps.simulate(system, start, "gauss2", archive=tmp_path / "a.poinsot", **options)
    assert run.to_csv(tmp_path / "a.csv").read_text().startswith("time [s],a,da/dt,energy")
    again = ps.load(tmp_path / "a.poinsot")
    assert np.array_equal(again.energy, run.energy)
    assert again.system is not None
    assert ps.replay(tmp_path / "a.poinsot").identical
    more = ps.resume(tmp_path / "a.poinsot", until=0.8)
    whole = ps.simulate(system, start, "gauss2", step=0.02, until=0.8)
    assert np.array_equal(more.x, whole.x)
    assert np.array_equal(more.energy, whole.energy)
    drawn = system.draw(points=lambda x: [bob(x)[0], bob(x)[0]])
    ps.simulate(drawn, start, "gauss2", archive=tmp_path / "b.poinsot", **options)
    assert len(ps.load(tmp_path / "b.poinsot").trajectory.picture.motions) == 2
    with pytest.raises(ps.ArchiveError, match="drawn by a Python function"):
        ps.resume(tmp_path / "b.poinsot", until=0.8)
    assert np.array_equal(ps.resume(tmp_path / "b.poinsot", until=0.8, system=drawn).x, whole.x)
    with pytest.raises(ps.ArchiveError, match="not drawn or named"):
        ps.replay(tmp_path / "b.poinsot", system=system)
    discrete = ps.simulate(system, start, "variational", **options)
    assert np.abs(discrete.x - run.x).max() < 1e-2


@pytest.mark.slow
def test_another_process_resumes_to_the_same_bits(tmp_path):
    path = tmp_path / "run.poinsot"
    simulate(archive=path)
    what = f"ps.resume({str(path)!r}, until=0.8, system=t.pendulum())"
    code = f"import test_system_runs as t, poinsot as ps; {what}"
    subprocess.run([sys.executable, "-c", code], check=True, cwd="tests/run")
    assert np.array_equal(ps.load(path).x, simulate(until=0.8).x)


def test_a_controlled_run_keeps_its_inputs_in_the_file(tmp_path):
    motor = an.InputForce(lambda t, x: np.eye(1), limit=2.0, name="motor")
    law = ps.Controller(lambda t, state, memory: ([-state.v[0]], memory), period=0.04, inputs=[motor])
    run = simulate(controller=law, archive=tmp_path / "run.poinsot")
    again = ps.load(tmp_path / "run.poinsot")
    assert again.inputs.shape == (21, 1)
    assert np.array_equal(again.inputs, run.inputs)
    assert run.inputs.any()
    curves = header(again.to_html(tmp_path / "a.html"))["runs"][0]["plots"]
    assert {"inputs", "work of forces"} <= {one["title"] for one in curves}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({}, "either points= or poses="),
        ({"points": bob, "poses": bob}, "either points= or poses="),
        ({"points": 3}, "functions of x"),
        ({"points": bob, "rods": [(0,)]}, "rods must be"),
        ({"points": bob, "names": ["a", "b"]}, "names must name 1 coordinates"),
    ],
)
def test_bad_pictures_are_told(options, says):
    with pytest.raises(ps.ModelError, match=says):
        pendulum().draw(**options)


@pytest.mark.parametrize(
    "points", [lambda x: [(1.0, 2.0)], lambda x: [(np.nan, 0, 0)], lambda x: {3: (0, 0, 0)}]
)
def test_a_picture_that_does_not_fit_is_told_at_the_start(points):
    with pytest.raises(ps.ModelError, match="picture"):
        ps.simulate(pendulum().draw(points=points), ps.State(0.0, [1.0], [0.0]), step=0.1, steps=1)


@pytest.mark.parametrize("change", [{"answers": {"magic": 1}}, {"answers": {"energy": -1}}, {"inputs": -1}])
def test_facts_of_a_file_that_make_no_sense_are_refused(run, change):
    good = run.trajectory.facts.data()
    assert SystemFacts.read(good) == run.trajectory.facts
    with pytest.raises(ValueError, match="no valid 'system'"):
        SystemFacts.read({**good, **change})


@pytest.mark.slow
@pytest.mark.skipif(machine.find() is None, reason="no Chromium: install one or name it")
def test_a_film_of_sixteen_links(tmp_path):
    """A chain in the moving-frame formulation, as mp4."""
    links = [
        an.Link(
            k - 1, 1.0, np.diag([1 / 12, 1 / 12, 1e-3]), (0, 0, -0.5), (0, 0, -0.5 * (k > 0)), [(0, 1, 0)]
        )
        for k in range(16)
    ]
    chain = an.MovingFrame(links)
    start = ps.State(0.0, np.full(16, 0.1), np.zeros(16))
    run = ps.simulate(chain, start, "gauss1", step=0.02, until=0.4)
    assert run.report().energy.relative_band < 1e-3
    film = run.to_video(tmp_path / "chain.mp4", seconds=0.5, rate=10, size=(320, 240))
    assert film.read_bytes()[4:8] == b"ftyp"
