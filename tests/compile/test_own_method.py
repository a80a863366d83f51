"""Methods that users write: the same motion as the catalogue's, and what is measured of them."""

import math

import numba
import numpy as np
import pytest

import poinsot as ps
from poinsot.compile import catalogue, own_method


def cf4(field, t, q, v, h):
    """The commutator-free method of the catalogue, written again."""
    a1 = field(t, q, v)
    q2, v2 = field.move(q, h / 2 * v), v + h / 2 * a1
    a2 = field(t + h / 2, q2, v2)
    q3, v3 = field.move(q, h / 2 * v2), v + h / 2 * a2
    a3 = field(t + h / 2, q3, v3)
    q4, v4 = field.move(q2, h * (v3 - v / 2)), v + h * a3
    a4 = field(t + h, q4, v4)
    first = h * (3 * v + 2 * v2 + 2 * v3 - v4) / 12
    second = h * (-v + 2 * v2 + 2 * v3 + 3 * v4) / 12
    return field.move(field.move(q, first), second), v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)


def mapped(field, t, q, v, h):
    """The implicit midpoint rule in the momenta would be symplectic; this explicit one is not."""
    return field.move(q, h * v), v + h * field(t, q, v)


MINE = ps.Method("my_cf4", order=4, step=cf4)


def arm():
    m = ps.Mechanism()
    body = ps.Body(1.0, (0.1, 0.12, 0.02), center_of_mass=(0.02, 0.05, -0.5))
    m.add("ball", body, ps.Spherical()).add("hinge", body, ps.Revolute((1, 0.2, 0)), "ball", (0, 0, -1))
    return m, m.state({"ball": dict(angular_velocity=(0.4, 1.0, 0.7)), "hinge": dict(angle=0.5)})


def test_it_is_the_method_that_it_repeats():
    m, start = arm()
    m.apply(ps.JointDamper("hinge", 0.3))
    ours = ps.simulate(m, start, MINE, step=0.01, steps=100, every=5)
    theirs = ps.simulate(m, start, "cf4", step=0.01, steps=100, every=5)
    assert np.abs(ours.trajectory.q - theirs.trajectory.q).max() < 1e-13
    assert ours.evaluations == theirs.evaluations == 400
    assert np.abs(ours.work - theirs.work).max() < 1e-7, "by Simpson's rule here"
    assert "my_cf4: own method" in str(ours.report())
    assert ours.at(0.505).q == pytest.approx(theirs.at(0.505).q, abs=1e-9)


def branching(field, t, q, v, h):
    """Heun's method, with a half step first where the motion is fast."""
    for _ in range(2 if v[-1] > 0.5 else 1):
        k = h / 2 if v[-1] > 0.5 else h
        a = field(t, q, v)
        b = field(t + k, field.move(q, k * v), v + k * a)
        q, v = field.move(q, k * (v + k / 2 * a)), v + k / 2 * (a + b)
    return q, v


@pytest.mark.parametrize("step", [cf4, branching, numba.njit(mapped)])
def test_a_compiled_step_has_the_bits_of_the_step_in_python(step, monkeypatch):
    m, start = arm()
    m.apply(
        ps.JointDamper("hinge", 0.3), ps.Wrench("ball", lambda t, R, w, p, v: (t, 0.0, 0.2, 0.0, 0.0, v[0]))
    )
    mine, runs = ps.Method("compiled_or_not", order=1, step=step), []
    for why in (None, "to compare"):
        with monkeypatch.context() as patch:
            if why is not None:
                patch.setattr(own_method, "compile_step", lambda *arguments, why=why: why)
            runs.append(ps.simulate(m, start, mine, step=0.01, steps=40, every=3))
    one, two = runs
    assert one.reason == ""
    assert two.reason == "the step of compiled_or_not runs in Python: to compare"
    for name in ("q", "v", "work"):
        assert np.array_equal(getattr(one.trajectory, name), getattr(two.trajectory, name)), name
    assert one.evaluations == two.evaluations


def test_what_cannot_be_compiled_runs_in_python():
    m, start = arm()
    kept = {}

    def remembers(field, t, q, v, h):
        kept["last"] = t
        return mapped(field, t, q, v, h)

    run = ps.simulate(m, start, ps.Method("remembering", order=1, step=remembers), step=0.01, steps=2)
    assert run.reason.startswith("the step of remembering runs in Python: ")
    assert kept["last"] == 0.01


def test_a_run_in_two_parts_with_a_controller_and_events():
    m, start = arm()
    half = ps.simulate(m, start, "my_cf4", step=0.01, steps=50)
    whole = ps.simulate(m, start, MINE, step=0.01, steps=100)
    assert np.array_equal(ps.simulate(m, half.final, MINE, step=0.01, steps=50).final.q, whole.final.q)
    hold = ps.Controller(lambda t, state, memory: ((-state.v[-1],), memory), 0.05, inputs=["hinge"])
    runs = [ps.simulate(m, start, x, step=0.01, steps=50, controller=hold) for x in (MINE, "cf4")]
    assert np.abs(runs[0].final.q - runs[1].final.q).max() < 1e-12
    event = ps.Event(lambda t, state: state.q[-1], name="level")
    runs = [ps.simulate(m, start, x, step=0.01, steps=100, events=[event]) for x in (MINE, "cf4")]
    ours, theirs = (run.events["level"].times for run in runs)
    assert len(ours) == len(theirs) > 0
    assert np.abs(ours - theirs).max() < 1e-9


def test_check_method_measures_what_the_catalogue_states():
    for method in ("cf4", "gauss2", "sgauss2"):
        assert ps.check_method(method).wrong == ()
    ours, theirs = ps.check_method(MINE), ps.check_method("cf4")
    assert ours.order == pytest.approx(theirs.order, abs=1e-3)
    assert ours.symplectic == pytest.approx(theirs.symplectic, rel=1e-6)
    assert ours.energy == pytest.approx(theirs.energy, rel=1e-3)
    assert ours.momentum == pytest.approx(theirs.momentum, rel=1e-3)
    assert "order           4.0" in str(ours)


def test_what_is_stated_and_wrong_is_said():
    found = ps.check_method(
        ps.Method("boast", order=2, step=mapped, symplectic=True, reversible=True, keeps=("energy",))
    )
    assert found.wrong == ("order", "symplectic", "reversible", "energy")
    assert found.order == pytest.approx(1.0, abs=0.1)


def test_compare_takes_it():
    table = ps.compare(ps.scenario("double-pendulum"), methods=[MINE, "cf4"], steps=[0.02, 0.01])
    assert "my_cf4" in str(table)


@pytest.mark.parametrize(
    ("name", "facts", "message"),
    [
        ("rk4", {}, "there is a method 'rk4' already"),
        ("no word", {}, "name must be a word"),
        ("odd", {"order": -1}, "order must be a whole number"),
        ("still", {"step": 3}, "step must be a function"),
        ("kept", {"keeps": ("mass",)}, "keeps must have"),
    ],
)
def test_bad_records_are_refused(name, facts, message):
    with pytest.raises(ps.ScenarioError, match=message):
        ps.Method(name, **{"order": 4, "step": cf4, **facts})


def test_steps_that_fail_say_so():
    m, start = arm()
    for step, message in (
        (lambda field, t, q, v, h: q, "the step raised ValueError: it must return q and v"),
        (lambda field, t, q, v, h: (q, 1 / 0), "the step raised ZeroDivisionError"),
        (lambda field, t, q, v, h: (q, v * math.nan), "the state became infinite or NaN"),
    ):
        with pytest.raises(ps.StepError, match=message):
            ps.simulate(m, start, ps.Method("failing", order=1, step=step), step=0.01, steps=2)
    bar = ps.scenario("four-bar")
    with pytest.raises(ps.ScenarioError, match="cannot keep loops closed"):
        ps.simulate(bar.mechanism, bar.start, MINE, step=0.01, steps=1)


def test_an_archive_in_another_program_asks_for_the_method(tmp_path, monkeypatch):
    """`OWN` without it is what another process has: the run can be shown, and goes on with `method=`."""
    m, start = arm()
    path = tmp_path / "own.poinsot"
    first = ps.simulate(m, start, MINE, step=0.01, steps=20, every=2, archive=path)
    whole = ps.simulate(m, start, MINE, step=0.01, steps=40, every=2)
    monkeypatch.delitem(catalogue.OWN, "my_cf4")
    loaded = ps.load(path)
    assert (loaded.method.name, loaded.method.order, loaded.method.title) == ("my_cf4", 4, "own method")
    assert "my_cf4: own method" in str(loaded.report())
    assert loaded.dense_output.kind == "Hermite"
    assert loaded.at(0.05).q == pytest.approx(first.at(0.05).q, abs=1e-6)
    with pytest.raises(ps.ScenarioError, match="unknown method 'my_cf4'"):
        ps.simulate(m, start, "my_cf4", step=0.01, steps=1)
    for go_on in (ps.resume, ps.replay):
        with pytest.raises(
            ps.ArchiveError, match="a method of its own, 'my_cf4': give it again with method="
        ):
            go_on(path)
        other = ps.Method("my_cf4", order=4, step=mapped)
        with pytest.raises(ps.ArchiveError, match="the method 'my_cf4' is not that of the archive"):
            go_on(path, method=other)
        with pytest.raises(ps.ArchiveError, match="the method of the run is 'my_cf4', got 'rk4'"):
            go_on(path, method=ps.method("rk4"))
        catalogue.OWN.pop("my_cf4")
    assert ps.replay(path, method=MINE).identical
    assert np.array_equal(ps.resume(path, until=0.4, method=MINE).trajectory.q, whole.trajectory.q)
