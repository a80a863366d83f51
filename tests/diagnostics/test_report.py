"""The report of a run: rows for what the method had to conserve, and what changes the rest, by name."""

import dataclasses
import pickle
import re
from html.parser import HTMLParser

import numpy as np
import pytest

import poinsot as ps

BRICK = ps.Body(2.0, (0.3, 0.4, 0.5))
HEAD = ["band", "relative", "slope", "x", "T"]


def of(name, **options):
    """The report of a scenario, ten steps long."""
    s = ps.scenario(name)
    return ps.simulate(s.mechanism, s.start, s.method, step=s.step, steps=10, **options).report()


def parts(report):
    """Names and notes of the rows, and the remarks; the first line and the last are title and cost."""
    title, *lines, cost = str(report).splitlines()
    assert title.startswith(report.title)
    assert cost == report.cost
    if lines and lines[0].split() == HEAD:
        lines.pop(0)
    numbers = re.compile(r"^(.{18})(?: +[-+.e\d]+){3}(?:   (.*))?$")
    rows = [numbers.match(line) for line in lines]
    count = len(report.rows())
    assert [bool(row) for row in rows] == [True] * count + [False] * (len(lines) - count)
    return {row[1].strip(): row[2] or "" for row in rows[:count]}, lines[count:]


def test_a_free_body_at_rest_has_no_linear_momentum_to_conserve():
    rows, remarks = parts(of("dzhanibekov"))
    assert rows == {"energy": "", "angular momentum": "", "orthogonality": ""}
    assert remarks == ["zero in the whole run: linear momentum"]


def test_a_heavy_top_conserves_the_momentum_along_gravity():
    rows, remarks = parts(of("fast-top"))
    assert rows == {
        "energy": "",
        "angular momentum": "component along gravity",
        "axial momentum": "about the axis of symmetry",
        "orthogonality": "",
    }
    assert remarks == ["not conserved here: linear momentum (gravity, joint to the world)"]


def test_a_damped_tree_conserves_energy_less_work():
    s = ps.scenario("pendulum-16-damped")
    run = ps.simulate(s.mechanism, s.start, s.method, step=s.step, steps=10)
    rows, remarks = parts(run.report())
    assert run.work[-1] < 0
    assert rows == {"energy": f"less the work of forces, {run.work[-1]:.2e}", "orthogonality": ""}
    assert remarks[0] == (
        "not conserved here: angular momentum (gravity, applied forces), "
        "linear momentum (gravity, applied forces, joint to the world)"
    )
    assert [line.partition(":")[0] for line in remarks[1:]] == ["state at the end"]


def test_hinges_have_no_orthogonality_to_lose_and_loops_have_a_gap():
    report = of("four-bar")
    rows, (changed, closed) = parts(report)
    assert rows == {"energy": ""}
    assert changed == (
        "not conserved here: angular momentum (gravity, joint to the world), "
        "linear momentum (gravity, joint to the world)"
    )
    assert closed == f"loops closed to {report.gap:.1e}"


def test_a_thrown_body_conserves_the_momentum_across_gravity():
    m = ps.Mechanism().add("brick", BRICK, ps.Free())
    start = m.state({"brick": dict(velocity=(1, 2, 3), angular_velocity=(1, 2, 3))})
    rows, remarks = parts(ps.simulate(m, start, "nmb", step=0.01, steps=10).report())
    assert rows["linear momentum"] == "components across gravity"
    assert remarks == []


def test_a_body_on_a_rod_to_the_world_is_held_by_a_loop():
    m = ps.Mechanism(gravity=(0, 0, 0)).add("brick", BRICK, ps.Free())
    m.close(ps.Loop("world", "brick", ps.Distance(1.0), at_a=(0, 0, 1), name="rod"))
    start = m.state({"brick": dict(velocity=(1, 0, 0))})
    _, remarks = parts(ps.simulate(m, start, "variational", step=0.01, steps=10).report())
    assert remarks[0] == (
        "not conserved here: angular momentum (loop to the world), linear momentum (loop to the world)"
    )


def test_impulses_change_the_energy():
    m = ps.Mechanism(gravity=(0, 0, 0)).add("brick", BRICK, ps.Free())
    m.apply(ps.Impulse("brick", 0.05, torque=(1, 0, 0)))
    start = m.state({"brick": dict(angular_velocity=(1, 2, 3))})
    rows, remarks = parts(ps.simulate(m, start, "nmb", step=0.01, steps=10).report())
    assert [*rows] == ["orthogonality"]
    assert remarks == [
        "not conserved here: energy (impulses), angular momentum (applied forces), "
        "linear momentum (applied forces)"
    ]


def test_momenta_that_cancel_to_rounding_are_zero():
    """Two masses on a spring, released at rest: momenta of 1e-17, whose relative band would be 1."""
    m = (
        ps.Mechanism(gravity=(0, 0, 0))
        .add("a", BRICK, ps.Free())
        .add("b", BRICK, ps.Prismatic((1, 2, 3)), "a")
    )
    m.apply(ps.JointSpring("b", 7.0, 0.3))
    run = ps.simulate(m, m.state(), "gauss2", step=0.01, steps=50)
    assert np.ptp(run.kinetic) > 1e-3
    rows, remarks = parts(run.report())
    assert [*rows] == ["energy", "orthogonality"]
    assert remarks == ["zero in the whole run: angular momentum, linear momentum"]


@pytest.mark.parametrize(
    ("inertia", "at", "kept"),
    [
        ((0.3, 0.3, 0.5), (0, 0, -0.7), True),
        ((0.3, 0.5, 0.3), (0, 0.7, 0), True),
        ((0.4, 0.4, 0.4), (0.1, 0.2, -0.7), True),
        ((0.3, 0.3, 0.5), (0.1, 0, -0.7), False),  # the point is not on the axis
        ((0.3, 0.31, 0.5), (0, 0, -0.7), False),
    ],
)
def test_the_momentum_about_the_axis_of_a_symmetric_body(inertia, at, kept):
    """pi.chi of a heavy top: conserved by an accurate method exactly where the body is symmetric."""
    m = ps.Mechanism().add("top", ps.Body(2.0, inertia, at), ps.Spherical())
    start = m.state({"top": dict(angular_velocity=(1, 2, 3))})
    run = ps.simulate(m, start, "dop853", step=0.01, steps=100)
    w, J, axis = run.angular_velocity("top"), np.diag(inertia), np.array(at) / np.linalg.norm(at)
    about = np.ptp(w @ J @ axis)
    assert (about < 1e-10) == kept
    report = run.report()
    assert ("axial momentum" in [row[0] for row in report.rows()]) == kept
    if kept:
        assert report.axial_momentum.band == pytest.approx(about, rel=0.1, abs=1e-14)
        assert report.axial_momentum.scale == pytest.approx(abs(w[0] @ J @ axis), rel=1e-9)


def test_a_momentum_that_is_zero_at_the_start_is_said_to_be():
    """Two bodies released at rest, by a method that does not keep momentum: not relative to its error."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("a", BRICK, ps.Free())
    m.add("b", BRICK, ps.Spherical(), "a", at=(0.3, 0, 0.1), body_at=(0, 0, 0.2))
    m.apply(ps.JointTorque("b", lambda t, q, v: (1.0, 2.0, -0.5)))
    report = ps.simulate(m, m.state(), "rk4", step=0.05, steps=10).report()
    rows, _ = parts(report)
    assert rows["angular momentum"] == "zero at the start"
    assert 1e-13 < report.angular_momentum.relative_band < 1e-2


def test_nothing_moves():
    m = ps.Mechanism(gravity=(0, 0, 0)).add("bar", BRICK, ps.Revolute((0, 0, 1)))
    report = ps.simulate(m, m.state(), "gauss2", step=0.01, steps=3).report()
    rows, remarks = parts(report)
    assert rows == {}
    assert "band" not in str(report)
    assert remarks == [
        "zero in the whole run: energy",
        "not conserved here: angular momentum (joint to the world), linear momentum (joint to the world)",
    ]
    assert "<table" not in report._repr_html_()


def test_the_attributes_are_there_whether_or_not_a_row_is():
    report = of("four-bar")
    for name in ("energy", "angular_momentum", "linear_momentum", "orthogonality"):
        one = getattr(report, name)
        assert np.isfinite([one.band, one.slope]).all()
        assert dataclasses.asdict(report)[name]["band"] == one.band
    assert report.linear_momentum.band > 0
    assert (report.energy.kept, report.linear_momentum.kept) == (True, False)


class Words(HTMLParser):
    """Cells of the table, and the lines outside it."""

    def __init__(self, text):
        super().__init__()
        self.open, self.cells, self.lines = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        self.open.pop()

    def handle_data(self, data):
        (self.cells if self.open[-1] in ("td", "th") else self.lines).append(data)


@pytest.mark.parametrize("name", ["dzhanibekov", "fast-top", "pendulum-16-damped", "four-bar"])
def test_html_says_what_the_text_says(name):
    report = of(name)
    found = Words(report._repr_html_())
    assert found.cells == ["band", "relative", "slope x T", *(c for row in report.rows() for c in row if c)]
    assert found.lines == [report.title, *report.remarks, report.cost]
    assert report.ending == "; ".join(found.lines[1:])


@pytest.mark.parametrize(("until", "beyond"), [(1.0, 0.2), (2.1, 0.3)])
def test_a_run_that_ends_after_until_says_by_how_much(until, beyond, tmp_path):
    s = ps.scenario("fast-top")
    run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.4, until=until, archive=tmp_path / "a")
    for one in (run, ps.load(tmp_path / "a"), ps.load(run.save(tmp_path / "b"))):
        report = one.report()
        assert report.overshoot == pytest.approx(beyond, rel=1e-12)
        _, remarks = parts(report)
        why = "which is not a whole number of steps from the start"
        assert remarks[-1] == f"ends {beyond:g} s after `until`, {why}"


@pytest.mark.parametrize("begin", [0.0, 100000.321])
def test_an_end_on_a_step_is_not_mentioned(begin):
    """0.3 is 3 x 0.1 but for rounding; steps are not asked to reach a time; until = start makes no step."""
    s = ps.scenario("fast-top")
    start = dataclasses.replace(s.start, time=begin)
    for options in ({"until": begin + 0.3}, {"steps": 3}, {"until": begin}):
        report = ps.simulate(s.mechanism, start, "srkn4", step=0.1, **options).report()
        assert report.overshoot == 0.0
        assert "until`" not in str(report)


def test_an_interrupted_run_does_not_end_after_until():
    s = ps.scenario("fast-top")
    run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.1, until=1.0)
    assert dataclasses.replace(run, until=2.0, interrupted=True).report().overshoot == 0.0


def damped():
    m = ps.Mechanism().add("a", ps.Body(1.0, (0.1, 0.1, 0.1)), ps.Revolute((0, 1, 0)), body_at=(0, 0, -0.5))
    m.apply(ps.JointDamper("a", 0.05))
    return m, m.state({"a": dict(angle=2.0)})


@pytest.mark.parametrize(("method", "step"), [("gauss1", 0.02), ("gauss2", 0.05), ("rk4", 0.05)])
def test_the_state_of_a_damped_motion_has_an_estimated_error(method, step):
    """Against dop853: within a factor of three."""
    m, start = damped()
    run = ps.simulate(m, start, method, step=step, until=10.0)
    true = float(np.abs(run.final.q - ps.simulate(m, start, "dop853", step=step, until=10.0).final.q).max())
    report = run.report()
    assert true / 3 < report.state_error < 3 * true
    assert f"state at the end: estimated error {report.state_error:.1e} (one step against two" in str(report)


def test_the_error_of_the_state_is_estimated_when_it_is_asked_for(monkeypatch):
    m, start = damped()
    run = ps.simulate(m, start, "rk4", step=0.05, until=10.0)
    asked = []
    monkeypatch.setattr(type(run), "_estimate_state_error", lambda self: asked.append(1) or 0.5)
    report = run.report()
    assert not asked
    assert report.state_error == report.state_error == 0.5
    assert asked == [1]
    assert pickle.loads(pickle.dumps(run.report())).state_error == 0.5


def test_a_long_run_makes_a_few_steps_for_its_estimate(monkeypatch):
    from poinsot.compile.own_step import OwnStep

    m, start = damped()
    run = ps.simulate(m, start, "rk4", step=0.001, steps=20_000)
    made, real = [], OwnStep.__call__

    def counted(self, t, row, length, steps=1, *rest):
        made.append(steps)
        return real(self, t, row, length, steps, *rest)

    monkeypatch.setattr(OwnStep, "__call__", counted)
    assert run.report().state_error > 0
    assert sum(made) == 27  # three for each of nine samples


def test_undamped_reports_are_as_before():
    s = ps.scenario("dzhanibekov")
    run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, until=1.0)
    assert "state at the end" not in str(run.report())


def test_the_default_figure_shows_what_the_report_calls_conserved():
    """The joint of a pendulum to the world changes the angular momentum; a top keeps one component."""
    m, start = damped()
    figure = ps.simulate(m, start, "rk4", step=0.05, until=1.0).plot()
    assert [axes.get_title("left") for axes in figure.axes] == ["energy less work: error, relative"]
    s = ps.scenario("slow-top")
    run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, until=1.0)
    assert run.report().notes["angular momentum"] == "component along gravity"
    assert run.plot().axes[1].get_title("left") == "angular momentum along gravity: error, relative"
    s = ps.scenario("dzhanibekov")
    run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, until=1.0)
    assert run.plot().axes[1].get_title("left") == "angular momentum: error, relative"
