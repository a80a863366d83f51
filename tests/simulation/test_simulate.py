"""`simulate`: how many steps, which samples, what is refused, and what is left when a run ends early."""

import math
import warnings

import numpy as np
import pytest

import poinsot as ps
from support.chunks import chunks_of

BODY = ps.Body(1.0, (1.0, 1.2, 1.5), center_of_mass=(0.1, 0.2, 0.3))


def mechanism(*forces, joint=None):
    return ps.Mechanism().add("link", BODY, joint or ps.Spherical()).apply(*forces)


M = mechanism()


def start(time=0.0, w=(1.0, 2.0, 3.0)):
    return M.state({"link": {"angular_velocity": w}}, time=time)


def simulate(state=None, method="nmb", **options):
    return ps.simulate(M, state or start(), method, **{"step": 0.01, **options})


# steps and samples


@pytest.mark.parametrize(
    ("begin", "step", "until", "steps"),
    [
        (0.0, 0.1, 1.0, 10),
        (0.0, 0.1, 0.3, 3),  # 0.3 / 0.1 is below 3
        (0.0, 0.1, 0.1 + 0.2, 3),  # above 3, by rounding
        (0.0, 0.1, 0.300001, 4),  # really above
        (0.0, 0.3, 1.0, 4),  # never short of `until`
        (0.0, 0.1, 1e-12, 0),
        (0.0, 0.1, 1e-3, 1),
        (5.0, 0.1, 5.0, 0),
        (-2.0, 0.25, 0.5, 10),
        (1e3, 0.1, 1001.0, 10),
    ],
)
def test_until_is_reached_with_the_fewest_steps(begin, step, until, steps):
    run = simulate(start(begin, w=(0.1, 0.2, 0.3)), step=step, until=until)
    assert run.steps == steps
    assert run.time[0] == begin
    assert run.time[-1] == run.final.time == begin + steps * step


@pytest.mark.parametrize("every", [1, 2, 3, 7, 10, 19, 20, 21, 1000])
def test_first_and_last_are_always_samples(every):
    run = simulate(steps=20, every=every)
    counts = sorted({*range(0, 21, every), 20})
    assert run.time.tolist() == [k * 0.01 for k in counts]
    assert np.array_equal(run.trajectory.q[0], start().q)
    assert np.array_equal(run.trajectory.q[-1], run.final.q)
    assert np.array_equal(run.trajectory.v[-1], run.final.v)


def test_time_is_counted_not_summed():
    run = simulate(start(0.1), step=0.1, steps=1000)
    assert run.time.tolist() == [0.1 + k * 0.1 for k in range(1001)]
    second = simulate(run.final, step=0.1, steps=1000, every=10)  # goes on counting from the origin
    assert second.time.tolist() == [0.1 + k * 0.1 for k in range(1000, 2001, 10)]


def test_no_steps_leave_the_start():
    run = simulate(start(2.0), steps=0)
    assert run.time.tolist() == [2.0]
    assert run.final.time == 2.0
    assert run.energy.shape == (1,)
    assert str(run.report())


def test_record_sees_every_sample():
    seen = {
        "time": lambda t, state: t,
        "sum": lambda t, state: state.q.sum() + state.v,
        "one": lambda t, state: 1,
    }
    run = simulate(steps=10, every=3, record=seen)
    assert np.array_equal(run.recorded["time"], run.time)
    assert np.array_equal(run.recorded["sum"], run.joint("link").sum(axis=1)[:, None] + run.rate("link"))
    assert run.recorded["one"].tolist() == [1] * 5


# refusals


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"step": 0}, "step must be a positive number, got 0"),
        ({"step": -0.1}, "step must be a positive number, got -0.1"),
        ({"step": math.nan}, "step must be a positive number, got nan"),
        ({"step": math.inf}, "step must be a positive number, got inf"),
        ({"step": "fast"}, "step must be a positive number, got 'fast'"),
        ({"step": np.complex128(1.0)}, "step must be a positive number, got "),
        ({"until": -1.0, "steps": None}, "until must not lie before the start, t = 0, got -1"),
        ({"until": math.nan, "steps": None}, "until must be finite, got nan"),
        ({"until": "late", "steps": None}, "until must be a number, got 'late'"),
        ({"until": 1e308, "step": 1e-3, "steps": None}, ""),
        ({"steps": None}, "give either until=TIME or steps=NUMBER"),
        ({"until": 1.0}, "give either until=TIME or steps=NUMBER"),
        ({"steps": -1}, "steps must be a non-negative integer, got -1"),
        ({"steps": 2.5}, "steps must be a non-negative integer, got 2.5"),
        ({"every": 0}, "every must be a positive integer, got 0"),
        ({"every": 1.5}, "every must be a positive integer, got 1.5"),
        ({"record": 5}, "record"),
        ({"record": {"height": 3}}, "height"),
        ({"method": "nbm"}, "unknown method 'nbm', did you mean 'n"),
        ({"method": "euler"}, "unknown method 'euler': one of nmb, "),
        ({"method": "exact"}, "method 'exact' solves free motion only, and a torque acts here: use nmb, "),
        ({"state": mechanism(joint=ps.Free()).state()}, "the state does not belong to this mechanism"),
        ({"state": {"link": {}}}, "simulate takes a Mechanism and a State: start = m.state({...})"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(options, text):
    with pytest.raises((ps.ScenarioError, ps.ModelError)) as caught:
        simulate(**{"steps": 5, **options})
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_mechanism_without_a_body_is_refused():
    empty = ps.Mechanism()
    with pytest.raises(ps.ModelError, match="has no body"):
        ps.simulate(empty, empty.state(), step=0.1, steps=1)
    pair = mechanism().add("other", BODY, ps.Free())
    with pytest.raises(ps.ScenarioError, match=r"'nmb' is for one body .* a tree of 2 bodies: use rk4, cg4"):
        ps.simulate(pair, pair.state(), "nmb", step=0.1, steps=1)


# warnings


def test_a_step_that_turns_the_body_too_far_is_warned_of_once():
    with pytest.warns(ps.StepWarning, match="rad in a step of 0.1") as caught:
        simulate(start(w=(1.0, 2.0, 30.0)), step=0.1, steps=3)
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_a_body_that_becomes_too_fast_is_warned_of_at_the_end():
    spinning = mechanism(ps.Torque("link", lambda t, R, w, p, v: (100.0, 0.0, 0.0), frame="body"))
    with pytest.warns(ps.StepWarning) as caught:
        ps.simulate(spinning, spinning.state(), "nmb", step=0.1, steps=10)
    assert len(caught) == 1


@pytest.mark.parametrize("method", ps.methods(), ids=lambda method: method.name)
def test_a_rotation_within_the_limit_of_the_method_is_not_warned_of(method):
    free = ps.Mechanism(gravity=(0, 0, 0)).add("ball", ps.Body(1, (1, 1, 1)), ps.Spherical())
    speed = 0.999 * (method.turn or 1e4) / 0.1  # None: free motion is exact, however fast
    state = free.state({"ball": {"angular_velocity": (0, 0, speed)}})
    ps.simulate(free, state, method.name, step=0.1, steps=1)  # a warning would be an error here


@pytest.mark.filterwarnings("ignore::poinsot.StepWarning")
@pytest.mark.parametrize("method", ["nmb", "rk4", "gauss1", "variational", "newmark"])
def test_the_step_that_a_warning_advises_was_measured_to_help(method):
    """Over the time of the step that is too long, runs with it and with half of it agree to 1e-3."""
    s, h = start(w=(9.0, 12.0, 20.0)), 0.1
    with pytest.warns(ps.StepWarning, match=r"which is wrong by an estimated .*; try step=") as caught:
        simulate(s, method, step=h, steps=3)
    better = float(str(caught[0].message).rpartition("=")[2])
    few = round(h / better)
    ends = [simulate(s, method, step=h / n, steps=n).final for n in (few, 2 * few, 1, 2)]
    assert few * better == pytest.approx(h)
    assert np.abs(ends[0].q - ends[1].q).max() < min(1e-3, np.abs(ends[2].q - ends[3].q).max() / 5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        simulate(s, method, step=better, steps=few)  # and is not warned of


@pytest.mark.parametrize("method", ["gauss3", "rk4", "cf4"])
def test_a_rotor_on_its_own_hinge_is_not_warned_of(method):
    """A wheel that makes ten turns in a step, on a platform that hardly moves: the motion is right."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("bus", ps.Body(100.0, (50.0, 60.0, 70.0)), ps.Free())
    m.add("wheel", ps.Body(1.0, (0.01, 0.01, 0.02)), ps.Revolute((0, 0, 1)), parent="bus")
    state = m.state({"bus": dict(angular_velocity=(0, 0, 0.01)), "wheel": dict(rate=600.0)})
    run = ps.simulate(m, state, method, step=0.1, steps=20)  # a warning would be an error here
    assert run.joint("wheel")[-1] == pytest.approx(1200.0, rel=1e-13)


# early ends


@pytest.mark.filterwarnings("ignore::poinsot.StepWarning")
@pytest.mark.parametrize("every", [1, 4])
def test_a_step_that_does_not_converge_leaves_all_that_was_computed(every, tmp_path):
    state, path = start(w=(1.0, 2.0, 30.0)), tmp_path / "run.poinsot"
    with pytest.raises(ps.ConvergenceError) as caught:
        simulate(state, step=2.0, steps=2000, every=every, archive=path)
    error, run = caught.value, caught.value.run
    assert "\n" not in str(error)
    assert str(error).startswith(f"nmb: step {error.step} from t = {error.time:g} did not converge")
    assert "smaller step" in str(error)
    assert error.time == error.state.time == run.final.time == run.time[-1]
    assert error.step == run.steps > 4
    assert run.interrupted
    whole = simulate(state, step=2.0, steps=error.step, every=every)  # all of these steps are good
    for found in (run, ps.load(path)):
        assert np.array_equal(found.time, whole.time)
        assert np.array_equal(found.trajectory.v, whole.trajectory.v)
    assert np.array_equal(error.state.v, whole.final.v)
    finer = simulate(error.state, step=1e-3, steps=10)  # the state is good to go on from
    assert np.isfinite(finer.energy).all()


class Nervous:
    """A progress bar behind which somebody presses Ctrl-C at the third look."""

    def __init__(self, **options):
        self.looks = 0

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def update(self, steps):
        self.looks += 1
        if self.looks == 3:
            raise KeyboardInterrupt


@pytest.mark.parametrize("every", [1, 4, 100])
def test_ctrl_c_returns_what_there_is(every, monkeypatch, tmp_path):
    whole = simulate(steps=100)
    path = tmp_path / "run.poinsot"
    chunks_of(monkeypatch, 10)
    with monkeypatch.context() as patch:
        patch.setattr("tqdm.tqdm", Nervous)
        try:
            run = simulate(steps=100, every=every, archive=path, progress=True)
        except KeyboardInterrupt:  # it would end the tests
            pytest.fail("Ctrl-C went through")
    assert run.interrupted
    assert 0 < run.steps < 100
    assert run.time[-1] == run.final.time == run.steps * 0.01
    counts = np.round(run.time / 0.01).astype(int)
    assert np.array_equal(run.trajectory.v, whole.trajectory.v[counts])
    assert ps.load(path).interrupted
    rest = simulate(run.final, steps=100 - run.steps)
    assert np.array_equal(rest.final.v, whole.final.v)


def test_progress_goes_to_stderr_and_only_if_wanted(capsys):
    simulate(steps=5)
    assert capsys.readouterr() == ("", "")
    simulate(steps=5, progress=True)
    out, err = capsys.readouterr()
    assert out == ""
    assert "steps" in err


def test_a_force_that_raises_leaves_all_that_was_computed():
    """A user's function that fails in the middle of a run: a StepError with its words and the run so far."""

    def fragile(t, R, w, p, v):
        if t > 0.55:
            raise ValueError("out of fuel")
        return 0.1, 0.0, 0.0

    m = ps.Mechanism().add("link", ps.Body(1.0, (1.0, 1.3, 1.7)), ps.Spherical())
    m.apply(ps.Torque("link", fragile))
    start = m.state({"link": dict(angular_velocity=(1, 2, 3))})
    with pytest.raises(ps.StepError, match="a force raised ValueError: out of fuel") as caught:
        ps.simulate(m, start, "nmb", step=0.1, until=1.0)
    assert caught.value.run.time == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4, 0.5])
    assert caught.value.state.time == pytest.approx(0.5)


def test_a_step_that_the_time_cannot_hold_is_refused():
    m = ps.Mechanism().add("link", ps.Body(1.0, (1.0, 1.3, 1.7)), ps.Spherical())
    with pytest.raises(ps.ScenarioError, match="below the resolution of time at t = 1e\\+17"):
        ps.simulate(m, m.state(time=1e17), step=0.1, steps=5)
