"""Ctrl-C and other accidents from outside, as they really come."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import poinsot as ps


def heavy():
    m = ps.Mechanism().add("link", ps.Body(1.0, (1.0, 1.3, 1.7), center_of_mass=(0, 0, 0.3)), ps.Spherical())
    return m, m.state({"link": dict(angular_velocity=(1, 2, 3))})


def test_a_real_interrupt_leaves_a_state_that_belongs_to_its_time():
    """The signal comes while the kernel runs; nothing is torn, and going on gives the bits of one run."""
    m, start = heavy()
    ps.simulate(m, start, "srkn4", step=1e-4, steps=10)  # compiled before the clock runs
    timer = threading.Timer(0.4, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    run = ps.simulate(m, start, "srkn4", step=1e-4, steps=100_000_000, every=1000)
    timer.join()
    assert run.interrupted
    assert 0 < run.steps < 100_000_000
    whole = ps.simulate(m, start, "srkn4", step=1e-4, steps=run.steps, every=1000)
    assert np.array_equal(whole.trajectory.q, run.trajectory.q)
    assert np.array_equal(whole.final.q, run.final.q)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_two_threads_give_the_bits_of_one():
    m, start = heavy()
    alone = ps.simulate(m, start, "nmb", step=1e-3, steps=20_000, every=100)
    found = []
    run = lambda: found.append(ps.simulate(m, start, "nmb", step=1e-3, steps=20_000, every=100))  # noqa: E731
    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(one.trajectory.q, alone.trajectory.q) for one in found)
    assert len(found) == 2


@pytest.mark.parametrize("place", ["/proc/nowhere", "{file}/below"])
def test_a_cache_that_cannot_be_written_is_a_warning(place, environment, tmp_path):
    (tmp_path / "file").write_text("")
    code = """
        import json, warnings
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            import poinsot as ps
            m = ps.Mechanism().add("link", ps.Body(1.0, (1.0, 1.3, 1.7)), ps.Spherical())
            start = m.state({"link": dict(angular_velocity=(1, 2, 3))})
            ps.simulate(m, start, "lp2", step=0.1, steps=3)
        print(json.dumps([str(one.message) for one in caught]))
    """
    cache = place.format(file=tmp_path / "file")
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={**environment, "POINSOT_CACHE_DIR": cache},
        capture_output=True,
        text=True,
        check=True,
    )
    assert any("cannot be kept" in line for line in json.loads(done.stdout))


def test_a_force_that_raises_at_a_switch_is_a_step_error():
    def fragile(t, R, w, p, v):
        if t >= 1.0:
            raise ValueError("gone")
        return 0.1, 0.0, 0.0

    m, start = heavy()
    m.apply(ps.Torque("link", fragile, switches=(1.0,)))
    with pytest.raises(ps.StepError, match="a force raised ValueError: gone") as caught:
        ps.simulate(m, start, "nmb", step=0.1, until=2.0)
    assert caught.value.state.time == pytest.approx(1.0)


K = 1.0


def test_a_global_that_changed_counts_in_the_next_run():
    global K
    m, start = heavy()
    m.apply(ps.Torque("link", lambda t, R, w, p, v: (K, 0.0, 0.0)))
    ends = []
    for K in (1.0, 2.0, 1.0):  # noqa: B007 - read by the force
        ends.append(ps.simulate(m, start, "rk4", step=0.1, steps=5).final.q)
    assert np.array_equal(ends[0], ends[2])
    assert not np.array_equal(ends[0], ends[1])


@pytest.mark.parametrize("method", ["akw", "ls"])
def test_implicit_methods_pass_turning_points(method):
    """A free body on a spring comes to rest for a moment: tolerances must not shrink with its momentum."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("link", ps.Body(1.0, (1.0, 1.3, 1.7)), ps.Free())
    m.apply(ps.Wrench("link", lambda t, R, w, p, v: (0, 0, 0, -4 * p[0], -4 * p[1], -4 * p[2])))
    start = m.state({"link": dict(position=(1, 0, 0), angular_velocity=(1, 2, 3))})
    for h in (0.013, 0.1, 0.3):
        assert ps.simulate(m, start, method, step=h, steps=400).steps == 400


@pytest.mark.parametrize("method", ["exkick", "srkn4", "exact"])
@pytest.mark.parametrize("size", [1e-30, 1e-100, 1e-150, 1e-200])
def test_tiny_momenta_neither_grow_nor_vanish(method, size):
    m = ps.Mechanism(gravity=(0, 0, 0)).add("link", ps.Body(1.0, (1.0, 1.3, 1.7)), ps.Spherical())
    start = m.state({"link": dict(angular_velocity=(size, 2 * size, 3 * size))})
    run = ps.simulate(m, start, method, step=0.1, steps=50)
    w = run.angular_velocity("link")
    assert np.abs(w[-1] / w[0] - 1).max() < 1e-10


def test_a_record_function_that_fails_late_leaves_the_archive_whole(tmp_path):
    m, start = heavy()
    late = {"height": lambda t, state: 1 / (t < 0.5)}
    with pytest.raises(ps.ScenarioError, match="record 'height': ZeroDivisionError"):
        ps.simulate(m, start, "nmb", step=0.1, until=1.0, record=late, archive=tmp_path / "run.poinsot")
    assert ps.load(tmp_path / "run.poinsot").final.time == pytest.approx(1.0)


def test_saving_twice_at_once_and_failing_leaves_nothing_behind(tmp_path):
    m, start = heavy()
    run = ps.simulate(m, start, "nmb", step=0.1, until=1.0)
    with pytest.raises(ps.ArchiveError):
        run.save(tmp_path / "no" / "such" / "folder.poinsot")
    run.save(tmp_path / "a.poinsot")
    run.save(tmp_path / "a.poinsot")
    assert [path.name for path in tmp_path.iterdir()] == ["a.poinsot"]


def swinging():
    m = ps.Mechanism()
    m.add("a", ps.Box((0.05, 0.05, 1)).body(mass=1.0), ps.Revolute((0, 1, 0)), body_at=(0, 0, -0.5))
    return m, m.state({"a": dict(angle=1.0)})


ENDING = "POINSOT_TEST_ENDING"  # what the laws below raise; no global, by which they are known


def end_after(t, end):
    if ENDING in os.environ and t > end:
        raise KeyboardInterrupt if os.environ[ENDING] == "KeyboardInterrupt" else SystemExit


def counting(t, state, memory):
    end_after(t, 0.5)
    return [0.1 * memory], memory + 1


def constant(t, state):
    end_after(t, 0.5)
    return [0.1]


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("law", ["ticks", "ticks and events", "continuous"])
def test_what_a_law_raises_to_end_the_program_leaves_a_state_that_was(law, kind, tmp_path, monkeypatch):
    """The run ends at the last good step; going on from there, and from the archive, gives the same bits."""
    m, start = swinging()
    controller = ps.Feedback(constant, ["a"]) if law == "continuous" else None
    controller = controller or ps.Controller(counting, 0.02, ["a"], memory=0)
    never = {"events": [ps.Event(lambda t, state: 10.0 - t)]} if "events" in law else {}
    go = dict(method="rk4", step=0.01, until=1.0, controller=controller, **never)
    whole = ps.simulate(m, start, **go)
    monkeypatch.setenv(ENDING, kind.__name__)
    try:
        run = ps.simulate(m, start, **go, archive=tmp_path / "run")
        assert run.interrupted
        assert kind is KeyboardInterrupt
        assert 0.49 < run.final.time < 0.53
    except SystemExit:
        assert kind is SystemExit
        run = ps.load(tmp_path / "run")
    monkeypatch.delenv(ENDING)
    steps = round(run.final.time / 0.01)
    assert np.array_equal(run.final.q, whole.trajectory.q[steps])
    assert np.array_equal(run.trajectory.q, whole.trajectory.q[: len(run.time)])
    assert np.array_equal(ps.simulate(m, run.final, **go).final.q, whole.final.q)
    again = ps.resume(tmp_path / "run", mechanism=m, controller=controller, **never)
    assert np.array_equal(again.trajectory.q, whole.trajectory.q)


PRESSED: list[float] = []


def predicting(t, state, memory):
    """Ctrl-C comes in the middle of the prediction at t = 0.1."""
    m, _ = swinging()
    steps = 10_000_000 if PRESSED and abs(t - PRESSED[0]) < 1e-9 else 20
    if steps > 20:
        PRESSED.clear()
        threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    ahead = ps.simulate(m, ps.State(0.0, state.q, state.v), "rk4", step=0.01, steps=steps, every=steps)
    return [-0.5 * float(ahead.final.q[0])], memory


@pytest.mark.parametrize("events", [None, [ps.Event(lambda t, state: 10.0 - t)]])
def test_ctrl_c_inside_a_run_that_a_controller_makes_ends_both(events):
    m, start = swinging()
    go = dict(method="rk4", step=0.01, until=0.3, controller=ps.Controller(predicting, 0.02, ["a"]))
    whole = ps.simulate(m, start, **go)
    PRESSED.append(0.1)
    run = ps.simulate(m, start, **go, events=events)
    assert run.interrupted
    assert run.final.time == pytest.approx(0.1)
    assert np.array_equal(run.final.q, whole.trajectory.q[10])
    assert np.array_equal(run.input("a")[:10], whole.input("a")[:10])
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def failing_late(t, state):
    if t >= 0.1:
        raise ValueError("sensor")
    return [0.1]


@pytest.mark.parametrize("method", ["rk4", "gauss3", "dop853"])
def test_a_continuous_law_that_raises_ends_the_run_where_it_does(method):
    """dop853 asks the law beyond the steps that are good; the steps before the fault are kept."""
    m, start = swinging()
    with pytest.raises(ps.StepError, match=r"sensor at t = 0\.1") as caught:
        ps.simulate(m, start, method, step=0.01, steps=20, controller=ps.Feedback(failing_late, ["a"]))
    good = ps.simulate(m, start, method, step=0.01, steps=9, controller=ps.Feedback(constant, ["a"]))
    assert caught.value.state.time in (pytest.approx(0.09), pytest.approx(0.1))
    found = caught.value.run.trajectory
    assert found.q[:10] == pytest.approx(good.trajectory.q, abs=1e-12)


def test_an_interrupt_before_the_start_is_recorded_is_raised():
    """A law that is interrupted at the start leaves nothing to return; later there is the run up to there."""
    m = ps.Mechanism().add("a", ps.Box(1.0).body(mass=1.0), ps.Revolute((0, 1, 0)), body_at=(0, 0, -1))
    outcomes = []
    for wanted in range(1, 10):
        left = [wanted]

        def law(t, state, left=left):
            left[0] -= 1
            if left[0] == 0:
                raise KeyboardInterrupt
            return [0.0]

        try:
            run = ps.simulate(m, m.state(), "rk4", step=0.1, steps=3, controller=ps.Feedback(law, ["a"]))
            assert run.interrupted
            outcomes.append("run")
        except KeyboardInterrupt:
            outcomes.append("raised")
    assert outcomes == sorted(outcomes)  # first raised, then runs
    assert len({*outcomes}) == 2
