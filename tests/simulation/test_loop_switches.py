"""Loops that events release and latch within a run: closed forms, the same bits, what the run says."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ellipk

import poinsot as ps
from poinsot.run.events import firing_data, firings_of

pytestmark = pytest.mark.filterwarnings("error::poinsot.LoopWarning")
H = 0.01


def bits(run):
    return [x.tobytes() for x in run.trajectory.samples], firing_data(firings_of(run.events))


def tied():
    """A bar that a falling weight pulls by a rod, until the rod is cut."""
    m = ps.Mechanism().add(
        "bar", ps.Box((0.05, 0.05, 1.0)).body(mass=1.0), ps.Revolute((0, 1, 0)), body_at=(0, 0, -0.5)
    )
    m.add("weight", ps.Sphere(0.1).body(mass=2.0), ps.Prismatic((0, 0, 1)), at=(1, 0, 0))
    free = m.copy()
    m.close(ps.Loop("bar", "weight", ps.Distance(1.0), at_a=(0, 0, -0.5), name="rod"))
    return m, free, m.state({"weight": {"displacement": -1.0}})


LOW = "weight.displacement + 1.5"


def cut(**options):
    return ps.Event(LOW, **{"release": "rod", "name": "cut", **options})


@pytest.mark.parametrize("method", ["variational", "variational4", "variational_midpoint"])
def test_a_release_is_a_stop_and_another_mechanism(method):
    m, free, start = tied()
    run = ps.simulate(m, start, method, step=H, until=1.0, events=[cut()])
    first = ps.simulate(m, start, method, step=H, until=1.0, events=[ps.Event(LOW, stop=True, name="cut")])
    assert run.events["cut"].times == [first.final.time]
    assert run.events["cut"].release == ("rod",)
    rest = ps.simulate(free, first.final, method, step=H, until=1.0)
    order = {"variational4": 1e-8}.get(method, 2e-4)  # the steps lie elsewhere
    assert run.final.q == pytest.approx(rest.at(run.final.time).q, abs=order)
    fall = run.at(0.9).q[1]  # the weight falls freely from there on
    s = 0.9 - first.final.time
    assert fall == pytest.approx(-1.5 + first.final.v[1] * s - 9.81 / 2 * s * s, abs=1e-12)


def test_the_run_knows_when_a_loop_was_open():
    m, _, start = tied()
    run = ps.simulate(m, start, "variational4", step=H, until=1.0, events=[cut()])
    (time,) = run.events["cut"].times
    assert run.open_loops == ()
    assert run.loop_history.at(time - 1e-9) == frozenset()
    assert run.loop_history.at(time) == {"rod"}
    force = run.reaction("rod")
    assert (force[run.time > time] == 0).all()
    assert (np.abs(force[(run.time > 0.02) & (run.time < time)]).max(axis=1) > 1e-3).all()
    on_weight = run.reaction("weight")[run.time > time]  # nothing acts but gravity, along the slide
    assert np.abs(on_weight).max() < 1e-9
    report = run.report()
    assert report.gap < 1e-12
    assert report.energy.relative_band < 1e-7  # a release takes no energy
    assert "energy" not in " ".join(report.not_conserved)


def test_splitting_sampling_and_archives_change_no_bit(tmp_path):
    m, _, start = tied()
    events = [cut(), ps.Event("bar.angle - 0.2", name="turn")]
    whole = ps.simulate(m, start, "variational4", step=H, steps=90, events=events)
    assert 25 < whole.events["cut"].times[0] / H < 65
    state, found = start, []
    for k in range(90):
        part = ps.simulate(m, state, "variational4", step=H, steps=1, events=events)
        state = part.final
        assert np.array_equal(state.q, whole.trajectory.q[k + 1])
        assert np.array_equal(state.v, whole.trajectory.v[k + 1])
        found += firing_data(firings_of(part.events))
    assert found == firing_data(firings_of(whole.events))
    assert part.open_loops == ("rod",)
    path = tmp_path / "run.poinsot"
    ps.simulate(m, start, "variational4", step=H, steps=60, events=events, archive=path)
    assert ps.replay(path).identical
    assert bits(ps.resume(path, until=0.9)) == bits(whole)
    loaded = ps.load(path)
    again = ps.load(whole.save(tmp_path / "saved.poinsot"))
    for run in (loaded, again):
        assert bits(run) == bits(whole)
        assert run.loop_history.changes == whole.loop_history.changes
        assert np.array_equal(run.at(0.777).q, whole.at(0.777).q)
    late = tmp_path / "late.poinsot"  # a run that begins with an open loop
    middle = ps.simulate(m, start, "variational4", step=H, steps=50, events=events).final
    ps.simulate(m, middle, "variational4", step=H, steps=20, events=events, archive=late)
    assert ps.replay(late).identical
    assert ps.load(late).loop_history.first == {"rod"}
    assert bits(ps.resume(late, until=0.9))[0][1] == whole.trajectory.q[50:].tobytes()


@pytest.mark.parametrize("every", [1, 7, 1000])
def test_dense_output_knows_the_release(every):
    m, _, start = tied()
    fine = ps.simulate(m, start, "variational4", step=H / 4, until=0.9, events=[cut()])
    run = ps.simulate(m, start, "variational4", step=H, until=0.9, every=every, events=[cut()])
    (time,) = run.events["cut"].times
    for t in (0.2, time - 1e-3, time + 1e-3, 0.4567, 0.8):
        assert run.at(t).q == pytest.approx(fine.at(t).q, abs=1e-7)


def carts():
    m = ps.Mechanism(gravity=(0, 0, 0)).add("a", ps.Body(1.0, (1, 1, 1)), ps.Prismatic((1, 0, 0)))
    m.add("b", ps.Body(3.0, (1, 1, 1)), ps.Prismatic((1, 0, 0)))
    m.close(ps.Loop("a", "b", ps.Fixed(), name="hook"))
    return m, m.state({"a": {"speed": 2.0, "displacement": -1.0}})


def test_a_latch_is_a_plastic_impact(tmp_path):
    m, start = carts()
    hit = ps.Event("a.displacement - b.displacement", latch="hook", name="hit")
    path = tmp_path / "run.poinsot"
    run = ps.simulate(m, start, step=0.03, until=1.5, events=[hit], archive=path)
    assert run.open_loops == ("hook",)
    assert run.events["hit"].times == pytest.approx([0.5], abs=1e-14)
    assert run.final.v == pytest.approx([0.5, 0.5], abs=1e-14)  # the momentum, 2 kg m/s, is kept
    assert run.energy[[0, -1]] == pytest.approx([2.0, 0.5], abs=1e-13)
    assert run.at(1.2).q == pytest.approx([0.35, 0.35], abs=1e-13)
    assert run.report().not_conserved["energy"] == ("impulses",)
    assert ps.replay(path).identical
    parted = ps.simulate(m, start, step=0.03, steps=20, events=[hit]).final
    rest = ps.simulate(m, parted, step=0.03, steps=30, events=[hit])
    assert rest.loop_history.first == frozenset()
    assert np.array_equal(rest.final.q, run.final.q)


def test_a_latch_where_the_bodies_do_not_meet_is_an_error():
    m, start = carts()
    hit = ps.Event("a.displacement + 0.5", latch="hook", name="hit")
    with pytest.raises(ps.EventError, match=r"'hit': loop 'hook' cannot be closed here: it has a gap of"):
        ps.simulate(m, start, step=0.03, until=1.5, events=[hit])


def test_a_loop_that_is_released_and_latched_is_closed_at_the_start():
    """A pendulum is held at the angle 1, released, and caught at the end of its swing."""
    m = ps.Mechanism().add("arm", ps.Body(1.0, (0.1, 0.1, 0.1), (0, 0, -1)), ps.Revolute((0, 1, 0)))
    angle = ps.quaternion.exp((0, 1.0, 0))
    m.close(ps.Loop("world", "arm", ps.Fixed(), rotation_a=angle, name="latch"))
    start = m.state({"arm": {"angle": 1.0}})
    events = [
        ps.Event("t - 0.5", release="latch", name="released"),
        ps.Event("arm.rate if t > 0.6 else -1", -1, latch="latch", name="caught"),
    ]
    run = ps.simulate(m, start, "variational4", step=0.005, until=4.0, events=events)
    assert (run.trajectory.q[run.time < 0.5] == 1.0).all()
    period = 4 * math.sqrt(1.1 / 9.81) * ellipk(math.sin(0.5) ** 2)
    assert run.events["caught"].times == pytest.approx([0.5 + period], abs=2e-6)
    after = run.trajectory.q[run.time > run.events["caught"].times[0]]
    assert np.abs(after - 1.0).max() < 1e-12
    assert np.abs(run.final.v).max() < 1e-12


def test_the_torque_of_a_drive_changes_with_a_release():
    """A crank at constant speed drags a slider by a rod; alone, it needs the torque of its weight."""
    m = ps.Mechanism(gravity=(0, 0, -9.81))
    m.add("crank", ps.Body(2.0, (0.1, 0.1, 0.1), (0.15, 0, 0)), ps.Revolute((0, 1, 0)))
    m.add("slider", ps.Body(1.0, (1, 1, 1)), ps.Prismatic((1, 0, 0)))
    m.close(ps.Loop("crank", "slider", ps.Distance(0.8), at_a=(0.3, 0, 0), name="rod"))
    m.apply(ps.Drive("crank", lambda t: 2.0 * t))
    off = ps.Event("t - 0.503", release="rod", name="off")
    run = ps.simulate(
        m, m.state({"slider": {"displacement": 1.1}}), "variational4", step=0.01, until=1.0, events=[off]
    )
    late = run.time > 0.503
    alone = -9.81 * 2.0 * 0.15 * np.cos(2.0 * run.time)  # about y, which points down for a rising crank
    torque = run.input("crank")[:, 0]
    assert torque[late] == pytest.approx(alone[late], abs=1e-10)
    assert np.abs(torque[~late] - alone[~late]).max() > 0.1
    assert run.resample([0.4, 0.6]).input("crank")[1, 0] == pytest.approx(
        -9.81 * 0.3 * math.cos(1.2), abs=1e-10
    )
    slider = run.trajectory.v[late, 1]
    assert np.ptp(slider) < 1e-13
    balance = run.energy - run.work
    assert np.abs(balance - balance[0]).max() < 1e-5


def push(t, state, memory):
    return [5.0 * math.cos(3 * t) - 0.2 * state.v[0]], memory


def test_a_controller_acts_on_after_a_release():
    m, free, start = tied()
    controller = ps.Controller(push, period=0.05, inputs=["bar"])
    run = ps.simulate(m, start, "variational4", step=H, until=0.9, controller=controller, events=[cut()])
    (time,) = run.events["cut"].times
    state = run.events["cut"].after[0]
    tick = math.ceil(time / 0.05) * 0.05
    before = tick - 0.05
    u = float(push(before, run.at(before), None)[0][0])
    push_on = free.copy().apply(ps.JointTorque("bar", lambda t, q, v: u))
    part = ps.simulate(push_on, state, "variational4", step=(tick - time) / 8, steps=8).final
    rest = ps.simulate(free, part, "variational4", step=H, until=0.9, controller=controller)
    assert run.final.q == pytest.approx(rest.at(run.final.time).q, abs=1e-8)
    assert run.at(tick).q == pytest.approx(part.q, abs=1e-9)


@pytest.mark.parametrize("what", ["release", "latch"])
def test_a_loop_that_there_is_not(what):
    m, free, start = tied()
    with pytest.raises(ps.ScenarioError, match=r"event 'cut': unknown loop 'rid', did you mean 'rod'\?"):
        ps.simulate(m, start, step=H, until=1.0, events=[ps.Event("t - 1", name="cut", **{what: "rid"})])
    with pytest.raises(ps.ScenarioError, match="unknown loop 'rod': there is no loop"):
        ps.simulate(free, start, step=H, until=1.0, events=[ps.Event("t - 1", **{what: "rod"})])


def test_a_stop_with_a_release():
    m, free, start = tied()
    run = ps.simulate(m, start, "variational4", step=H, until=1.0, events=[cut(stop=True)])
    assert run.stopped == "cut"
    rest = ps.simulate(free, run.final, "variational4", step=H, until=1.0)
    whole = ps.simulate(m, start, "variational4", step=H, until=1.0, events=[cut()])
    assert rest.at(0.95).q == pytest.approx(whole.at(0.95).q, abs=1e-8)


def test_a_file_holds_a_release(tmp_path):
    m, _, start = tied()
    s = ps.scenario("four-bar")
    s = replace(
        s, mechanism=m, start=start, method="variational4", step=H, until=1.0, events=(cut(),), events_of=""
    )
    (tmp_path / "cut.toml").write_text(ps.to_toml(s))
    again = ps.scenario(tmp_path / "cut.toml")
    runs = [
        ps.simulate(one.mechanism, one.start, one.method, step=one.step, until=one.until, events=one.events)
        for one in (s, again)
    ]
    assert bits(runs[0]) == bits(runs[1])
