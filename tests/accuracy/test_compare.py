"""Work and precision: the truth that is compared with, the rows, and what accuracy costs."""

import csv
import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import poinsot as ps
from poinsot.accuracy import work_precision
from poinsot.accuracy.comparison import Row
from poinsot.accuracy.reference import reference_solution
from poinsot.diagnostics.distance import angle, apart, error_unit, scales_at, scales_of


@pytest.fixture
def published(request):
    """The fixture `reference` of all tests, under another name: here it is a function."""
    return request.getfixturevalue("reference")


@pytest.fixture(scope="module")
def comparison():
    return ps.compare("slow-top", methods=["nmb", "srkn4", "exact"], steps=[0.1, 0.05, 0.025])


def test_the_computed_reference_is_the_published_one(published, monkeypatch, tmp_path):
    """DOP853 and our method agree, and both with the 32-digit solution."""
    monkeypatch.setenv("POINSOT_CACHE_DIR", str(tmp_path))
    s = ps.scenario("slow-top")
    found = compute(s)
    R = np.array(published["slow_top"]["at"]["10.0"]["R"], dtype=float)
    assert ps.quaternion.matrix(found.q) == pytest.approx(R, abs=1e-10)
    assert found.error < 1e-10
    assert len(list((tmp_path / "references").iterdir())) == 1
    assert compute(s).q == pytest.approx(found.q, abs=0)  # from the cache


def compute(s):
    return reference_solution(s.mechanism, s.start, s.until, s.step)


def test_a_reference_across_a_jump_and_an_impulse(published):
    with pytest.warns(ps.PhysicsWarning):
        s = ps.scenario("book-toss")
    q = compute(s).q
    R = np.array(published["book_toss_ideal_impulse"]["at"]["5.0"]["R"], dtype=float)
    assert ps.quaternion.matrix(q[3:7]) == pytest.approx(R, abs=1e-9)


def test_a_motion_without_reference_is_refused():
    """A body that the wall throws about for 400 s: no two methods agree."""
    with pytest.raises(ps.ScenarioError, match="too sensitive for so long a time"):
        compute(ps.scenario("soft-wall", until=400.0))


def test_errors_and_evaluations_of_the_rows(comparison):
    rows = [row for row in comparison.rows if row.method == "srkn4"]
    assert [row.evaluations for row in rows] == [600, 1200, 2400]
    orders = [math.log2(a.error / b.error) for a, b in pairwise(rows)]
    assert orders == pytest.approx([4, 4], abs=0.7)
    s = ps.scenario("slow-top")
    run = ps.simulate(s.mechanism, s.start, "nmb", step=0.05, until=s.until)
    row = next(row for row in comparison.rows if (row.method, row.step) == ("nmb", 0.05))
    assert row.error == pytest.approx(angle(run.final.q, compute(s).q), rel=1e-12)


def test_a_method_that_cannot_is_named(comparison):
    assert comparison.skipped == {"exact": "solves free motion only, and a torque acts here"}
    with pytest.raises(ps.ScenarioError, match="none of the methods can run"):
        ps.compare("slow-top", methods=["exact"])


def test_the_cost_of_an_accuracy_is_interpolated(comparison):
    nmb = {row.evaluations: row.error for row in comparison.rows if row.method == "nmb"}
    target = math.sqrt(nmb[100] * nmb[200])  # half way in the logarithm
    assert comparison.reach(target)["nmb"][target] == pytest.approx(100 * math.sqrt(2), rel=1e-6)
    assert math.isnan(comparison.reach(1e-12)["nmb"][1e-12])


def test_the_ladder_finds_the_published_costs():
    """Spec, section 3: srkn4 needs 0.65k evaluations for 1e-8 on the slow top, exkick 0.56k for 1e-4."""
    costs = ps.compare("slow-top", methods=["srkn4", "exkick"]).reach(1e-4, 1e-8)
    assert costs["srkn4"][1e-8] == pytest.approx(650, rel=0.02)
    assert costs["exkick"][1e-4] == pytest.approx(560, rel=0.02)


def test_table_csv_and_figure(comparison, tmp_path):
    assert "slow-top: error at t = 10 in rad (reference" in str(comparison)
    with comparison.to_csv(tmp_path / "c.csv").open() as file:
        table = list(csv.DictReader(file))
    assert len(table) == 6
    assert float(table[0]["error"]) == comparison.rows[0].error
    comparison.plot(tmp_path / "c.svg")
    assert (tmp_path / "c.svg").read_text().count("srkn4") >= 1


def test_runs_that_end_at_another_time_are_not_compared():
    found = ps.compare("fast-top", methods=["srkn4"], steps=[0.03, 0.02])
    assert [row.note for row in found.rows] == ["end off step", ""]
    with pytest.raises(ps.ScenarioError, match="does not lie on a step"):
        ps.compare(ps.scenario("fast-top", until=9.995), methods=["srkn4"])


@pytest.mark.parametrize("steps", [[], [0.1, -1], [float("nan")]])
def test_bad_steps(steps):
    with pytest.raises(ps.ScenarioError, match="steps must be positive"):
        ps.compare("slow-top", methods=["nmb"], steps=steps)


@pytest.mark.parametrize(("name", "accuracy"), [("fast-top", 1e-6), ("soft-wall", 1e-6), ("free-body", 1e-8)])
def test_advice_keeps_its_promise(name, accuracy):
    s = ps.scenario(name)
    advice = ps.advise(s.mechanism, s.start, s.until, accuracy=accuracy)
    run = ps.simulate(s.mechanism, s.start, advice.method, step=advice.step, until=s.until)
    found = compute(s)
    off = apart(
        s.mechanism,
        scales_of(s.mechanism, run.trajectory.q, run.trajectory.v, run.step),
        run.final,
        ps.State(s.until, found.q, found.v),
    )
    assert off < 1.5 * accuracy  # the estimate is itself of leading order
    assert run.evaluations == advice.evaluations
    assert advice.method == "srkn4"


def test_advice_says_why_and_when_it_cannot():
    s = ps.scenario("fast-top")
    m = ps.Mechanism()
    m.add("top", s.mechanism.links[0].body, ps.Spherical())
    m.apply(ps.Torque("top", lambda t, R, w, p, v: (-w[0], -w[1], -w[2]), frame="body"))
    advice = ps.advise(m, m.state({"top": dict(angular_velocity=(0, 0, 5))}), 1.0, accuracy=1e-6)
    assert advice.method == "cf4"
    assert "depends on the velocity" in str(advice)
    with pytest.raises(ps.ScenarioError, match="does not reach"):
        ps.advise(s.mechanism, s.start, 10.0, accuracy=1e-17)
    with pytest.raises(ps.ScenarioError, match="must lie after the start"):
        ps.advise(s.mechanism, s.start, 0.0)


def test_auto_says_why():
    s = ps.scenario("fast-top")
    run = ps.simulate(s.mechanism, s.start, step=0.02, until=0.1)
    assert run.method.name == "srkn4"
    assert "all forces have a potential" in str(run.report())


def test_mechanisms_with_loops_are_compared(monkeypatch, tmp_path):
    """Accelerations with the forces of the loops against a method that knows of none; events included."""
    monkeypatch.setenv("POINSOT_CACHE_DIR", str(tmp_path))
    s = ps.scenario("four-bar", until=0.5)
    s.mechanism.apply(ps.Impulse("coupler", 0.25, force=(0.3, 0, 0.2)))
    found = ps.compare(s, ["variational", "variational4", "newmark"], [0.005, 0.0025])
    errors = {name: [row.error for row in found.rows if row.method == name] for name in found.methods}
    assert found.reference_error < 1e-9
    assert errors["variational"][0] / errors["variational"][1] == pytest.approx(4, abs=0.2)
    assert errors["variational4"][0] / errors["variational4"][1] == pytest.approx(16, abs=2)
    assert "cannot keep loops closed" in found.skipped["newmark"]
    lines = str(found).splitlines()
    assert len({len(line) for line in lines[1:4]}) == 1


def test_the_order_is_that_of_one_method():
    """The first row of a method has none, however much smaller its error is than that of the row before."""
    rows = [("first", 0.1, 4e-2), ("first", 0.05, 1e-2), ("second", 0.025, 1e-4), ("second", 0.0125, 1.25e-5)]
    made = [Row(name, 2, step, round(1 / step), 0, 0.0, error) for name, step, error in rows]
    lines = str(ps.Comparison("x", 1.0, 0.0, tuple(made), {})).splitlines()[2:]
    assert [line.split()[5:] for line in lines] == [[], ["2.00"], [], ["3.00"]]


def slider(joint):
    m = ps.Mechanism(gravity=(0, 0, 0)).add("a", ps.Body(1.0, (1, 1, 1)), joint)
    m.apply(ps.Spring("world", "a", stiffness=4.0, at_a=(0.0, 0.5, 0.5)))
    names = {"displacement": 0.2} if isinstance(joint, ps.Prismatic) else {"angle": 0.2}
    return m, m.state({"a": names})


def test_an_error_below_that_of_the_reference_is_said_to_be_there():
    """dop853 against a reference that dop853 made: a difference of rounding says nothing about its error."""
    m, start = slider(ps.Prismatic((1, 0, 0)))
    found = ps.compare(m, ["dop853", "rk4"], [0.25, 0.125], start=start, until=1.0, step=0.25)
    own = [row for row in found.rows if row.method == "dop853"]
    assert all(row.error < found.reference_error for row in own)
    lines = [line for line in str(found).splitlines() if line.startswith("dop853")]
    assert [line.split()[4:] for line in lines] == [["at", "the", "reference"]] * 2
    assert "at the reference" in found._repr_html_()
    others = [line for line in str(found).splitlines() if line.startswith("rk4")]
    assert "e-" in others[0]
    assert "at the reference" not in others[0]


def test_errors_are_in_metres_where_nothing_turns():
    m, start = slider(ps.Prismatic((1, 0, 0)))
    found = ps.compare(m, "rk4", [0.25], start=start, until=1.0, step=0.25)
    assert found.unit == "m"
    assert "error at t = 1 in m (" in str(found)
    assert "rad" not in str(found)
    x = ps.simulate(m, start, "rk4", step=0.25, until=1.0).final.q[0]
    y = ps.simulate(m, start, "dop853", step=0.25, until=1.0).final.q[0]
    assert found.rows[0].error == pytest.approx(abs(x - y), rel=1e-6)  # from rest only places count
    assert found.plot().axes[0].get_ylabel() == "error [m]"


@pytest.mark.parametrize(
    ("name", "unit"), [("slow-top", "rad"), ("double-pendulum", "rad or 1 m"), ("dzhanibekov", "rad or m")]
)
def test_what_errors_are_counted_in(name, unit):
    s = ps.scenario(name)
    scales = scales_at(s.mechanism, s.start, s.until - s.start.time)
    found = error_unit(s.mechanism, scales)
    assert found.split()[0] == "rad"
    assert (" or " in found) == (" or " in unit)


def test_the_run_that_loads_a_method_is_not_timed(monkeypatch):
    m, start = slider(ps.Revolute((0, 0, 1)))
    made = []

    def slow_at_first(*parts, **options):
        run = ps.simulate(*parts, **options)
        made.append((options["step"], 100.0 if not made else 1.0))
        return replace(run, seconds=made[-1][1])

    monkeypatch.setattr(work_precision, "simulate", slow_at_first)
    found = ps.compare(m, "rk4", [0.125, 0.25], start=start, until=1.0, step=0.25)
    assert [step for step, _ in made] == [0.25, 0.25, 0.125]
    assert [row.seconds for row in found.rows] == [1.0, 1.0]


def test_a_comparison_shows_its_progress_if_it_is_asked_to(capsys):
    s = ps.scenario("dzhanibekov", until=1.0)
    ps.compare(s, ["srkn4", "nmb"], [0.1], progress=True)
    shown = capsys.readouterr().err
    assert "reference solution" in shown
    assert "srkn4" in shown
    assert "/3 [" in shown
    ps.compare(s, ["srkn4"], [0.1])  # no terminal
    assert capsys.readouterr().err == ""
