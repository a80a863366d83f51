"""Runs with events split, resume and replay to the same bits, and their archives hold the events."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.run.archive import reader, stored
from poinsot.run.events import firing_data, firings_of

H, STEPS = 0.03, 90
METHODS = ["rk4", "gauss3", "dop853", "variational4", "newmark"]


def arm():
    """A double pendulum over a floor that its tip meets, with friction."""
    m = ps.Mechanism().add("upper", ps.Body(1.0, (0.1, 0.1, 0.1), (0, 0, -0.5)), ps.Revolute((0, 1, 0)))
    m.add("lower", ps.Body(0.7, (0.1, 0.1, 0.1), (0, 0, -0.4)), ps.Revolute((0, 1, 0)), "upper", (0, 0, -1))
    m.apply(ps.JointDamper("lower", 0.02))
    return m, m.state({"upper": {"angle": 1.2}, "lower": {"angle": 0.9}})


def back(t, state):
    return ps.State(t, state.q, -0.9 * state.v)


def events():
    return [
        ps.Event("lower.position[2] + 1.2", reset=back, name="floor"),  # both ways: the sides are remembered
        ps.Event("upper.angle - 0.8", name="bottom"),
        ps.Event("upper.rate", direction=-1, name="turn"),
    ]


def bits(run):
    return [x.tobytes() for x in run.trajectory.samples[:4]], firing_data(firings_of(run.events))


def simulated(m, start, method, steps, **options):
    return ps.simulate(m, start, method, step=H, steps=steps, events=events(), **options)


@pytest.fixture(scope="module", params=METHODS)
def whole(request):
    m, start = arm()
    run = simulated(m, start, request.param, STEPS)
    assert len(run.events["floor"]) > 2
    assert len(run.events["bottom"]) > 2
    return run


def test_splitting_a_run_changes_no_bit(whole):
    """Split at every step, so also within steps with events and right after a reset."""
    m, state = arm()
    found = []
    for k in range(STEPS):
        part = simulated(m, state, whole.method.name, 1)
        state = part.final
        assert state.time == whole.time[k + 1]
        assert np.array_equal(state.q, whole.trajectory.q[k + 1])
        assert np.array_equal(state.v, whole.trajectory.v[k + 1])
        found += firing_data(firings_of(part.events))
    assert found == firing_data(firings_of(whole.events))


def test_sampling_changes_no_event(whole):
    m, start = arm()
    run = simulated(m, start, whole.method.name, STEPS, every=13)
    assert firing_data(firings_of(run.events)) == firing_data(firings_of(whole.events))
    assert run.final.memory == whole.final.memory


def test_an_archive_is_resumed_and_replayed(whole, tmp_path):
    m, start = arm()
    path = tmp_path / "run.poinsot"
    simulated(m, start, whole.method.name, 40, archive=path)
    resumed = ps.resume(path, until=STEPS * H, events=events())
    assert bits(resumed) == bits(whole)
    loaded = ps.load(path)
    assert bits(loaded) == bits(whole)
    assert loaded.at(1.111).q.tolist() == pytest.approx(whole.at(1.111).q.tolist(), abs=1e-14)
    assert ps.replay(path, events=events()).identical
    again = ps.load(whole.save(tmp_path / "saved.poinsot"))
    assert bits(again) == bits(whole)


def weight(t, q, v):
    return -9.81


@pytest.mark.parametrize("known", [True, False])
def test_a_loaded_run_just_before_a_reset(known, tmp_path):
    """A ball at rest falls by 1 m: before the bounce it is on the first parabola, also without its forces."""
    m = ps.Mechanism(gravity=(0, 0, -9.81) if known else (0, 0, 0))
    m.add("ball", ps.Body(1.0, (1, 1, 1)), ps.Prismatic((0, 0, 1)))
    if not known:
        m.apply(ps.JointTorque("ball", weight))  # a loaded run interpolates
    path, event = tmp_path / "run.poinsot", ps.Event("ball.displacement", reset=back, name="floor")
    start = m.state({"ball": {"displacement": 1.0}})
    ps.simulate(m, start, "gauss2", step=0.01, until=0.6, every=7, archive=path, events=[event])
    run = ps.load(path)
    assert run.dense_output.kind == ("own step" if known else "Hermite")
    at = run.events["floor"].times[0]
    for t in (at - 1e-3, at - 1e-9, float(np.nextafter(at, 0.0))):
        assert run.at(t).q == pytest.approx([1 - 9.81 / 2 * t * t], abs=1e-12)
        assert run.at(t).v == pytest.approx([-9.81 * t], abs=1e-11)
    assert run.at(at).v == pytest.approx([0.9 * 9.81 * at], abs=1e-12)
    assert run.at(at + 1e-3).v == pytest.approx([0.9 * 9.81 * at - 9.81e-3], abs=1e-11)


def test_events_of_a_step_that_fails_are_not_those_of_the_run():
    """Two events in the step from 0.3: the first is found, the reset of the second is wrong."""
    m, start = arm()
    events = [
        ps.Event("t - 0.05", name="early"),
        ps.Event("t - 0.31", name="first"),
        ps.Event("t - 0.32", name="second", reset=lambda t, state: None),
    ]
    with pytest.raises(ps.EventError, match="must return a State") as caught:
        ps.simulate(m, start, "rk4", step=0.1, steps=9, events=events)
    run = caught.value.run
    assert run.final.time == pytest.approx(0.3)
    assert {name: one.times.tolist() for name, one in run.events.items()} == {
        "early": [0.05],
        "first": [],
        "second": [],
    }


def test_an_archive_that_is_cut_anywhere_is_resumed_to_the_same_bits(tmp_path, monkeypatch):
    monkeypatch.setattr("poinsot.simulation.driver.FIRST", 14)  # blocks of a few steps
    monkeypatch.setattr("poinsot.simulation.driver.CHUNK", 0.0)
    m, start = arm()
    whole = simulated(m, start, "rk4", STEPS)
    full = tmp_path / "full.poinsot"
    simulated(m, start, "rk4", STEPS, archive=full)
    data = full.read_bytes()
    for share in (0.3, 0.55, 0.8, 0.999):
        path = tmp_path / f"{share}.poinsot"
        path.write_bytes(data[: int(share * len(data))])
        assert bits(ps.resume(path, until=STEPS * H, events=events())) == bits(whole)


def test_a_large_archive_holds_its_events(tmp_path, monkeypatch):
    m, start = arm()
    path = tmp_path / "run.poinsot"
    whole = simulated(m, start, "rk4", STEPS, archive=path)
    monkeypatch.setattr(stored, "LARGE", 1000)
    loaded = ps.load(path)
    assert isinstance(loaded.trajectory, reader.stored_samples.StoredTrajectory)
    assert bits(loaded) == bits(whole)


def test_a_stopped_run_is_archived_and_replayed(tmp_path):
    m, start = arm()
    stop = [*events(), ps.Event("upper.rate", direction=-1, stop=True, name="end")]
    path = tmp_path / "run.poinsot"
    run = ps.simulate(m, start, "gauss3", step=H, until=9.0, archive=path, events=stop)
    assert run.stopped == "end"
    assert run.final.time < 9.0
    loaded = ps.load(path)
    assert (loaded.stopped, loaded.final.time, bits(loaded)) == ("end", run.final.time, bits(run))
    assert ps.replay(path, events=stop).identical
    assert bits(ps.resume(path, events=stop)) == bits(run)
    with pytest.raises(ps.ArchiveError, match="the event 'end' ended the run"):
        ps.resume(path, until=20.0, events=stop)


def test_events_that_are_not_those_of_the_archive(tmp_path):
    m, start = arm()
    path = tmp_path / "run.poinsot"
    simulated(m, start, "rk4", 40, archive=path)
    with pytest.raises(ps.ArchiveError, match="the run had the event 'floor': give it again with events="):
        ps.resume(path, until=2.0)
    first, *rest = events()
    for other in (
        ps.Event("lower.position[2] + 1.3", reset=back, name="floor"),
        ps.Event("lower.position[2] + 1.2", reset=lambda t, state: state, name="floor"),
        ps.Event("lower.position[2] + 1.2", direction=1, reset=back, name="floor"),
        ps.Event("lower.position[2] + 1.2", name="floor"),
    ):
        with pytest.raises(ps.ArchiveError, match="the event 'floor' is not that of the archive"):
            ps.replay(path, events=[other, *rest])
    with pytest.raises(ps.ArchiveError, match="the run had no event 't'"):
        ps.replay(path, events=[first, *rest, ps.Event("t")])


def test_a_replay_sees_an_event_that_differs(tmp_path, monkeypatch):
    m, start = arm()

    def moved(firings):
        found = firing_data(firings)
        for one in found:
            one[1] = np.nextafter(one[1], 9.0) if one[0] == "bottom" else one[1]
        return found

    with monkeypatch.context() as patch:
        patch.setattr("poinsot.simulation.recorder.firing_data", moved)
        run = simulated(m, start, "rk4", 40, archive=tmp_path / "run.poinsot")
    found = ps.replay(tmp_path / "run.poinsot", events=events())
    assert (found.identical, found.quantity) == (False, "events")
    assert found.time == pytest.approx(run.events["bottom"].times[0])
