"""Workers that are killed, executors of the user, functions that cannot be sent, versions that differ."""

import os
import signal
import subprocess
import sys
import warnings
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import numpy as np
import pytest

import poinsot as ps
from poinsot.ensemble import chunk, pools, sweep
from poinsot.ensemble.conductor import Conductor

HOW = dict(method="rk4", step=0.01, until=0.1)
ANGLES = np.linspace(-1.0, 1.0, 6).tolist()
VARY = {"start.upper.angle": ANGLES}


def deadly(run):
    """Kill the worker that runs member 2."""
    if abs(run.trajectory.q[0, 0] - ANGLES[2]) < 1e-12:
        os.kill(os.getpid(), signal.SIGKILL)
    return run.trajectory.q[:, 0].max()


def height(run):
    return run.position("lower")[-1, 2]


class Fragile(pools.Threads):
    """A pool that breaks, with all chunks that are under way, whenever a chunk has member 2 or a bad day."""

    def __init__(self, problem, days):
        super().__init__(problem, 2, True)
        self.days, self.count = days, 0

    def submit(self, members, numbers):
        self.count += 1
        if 2 in numbers or self.count in self.days:
            broken = Future()
            broken.set_exception(BrokenProcessPool("gone"))
            return broken
        return super().submit(members, numbers)

    def is_lost(self, error):
        return isinstance(error, BrokenProcessPool)


@pytest.mark.parametrize("size", [1, 4, 6])
def test_who_kills_a_worker_is_found(size, monkeypatch):
    """Bad days of workers cost no member; the one that kills its worker each time is named."""
    monkeypatch.setattr(Conductor, "_chunk", lambda self: size)
    monkeypatch.setattr(sweep, "make_pool", lambda problem, *_: Fragile(problem, days=(1, 3, 4)))
    e = ps.ensemble("double-pendulum", vary=VARY, **HOW)
    assert list(e.failed) == [2]
    assert "killed its worker process 3 times" in e.failed[2]


@pytest.mark.slow
def test_a_member_that_kills_its_worker_is_recorded(tmp_path):
    """The others are there, with their bits; the file knows, too."""
    path = tmp_path / "e.poinsot"
    e = ps.ensemble("double-pendulum", vary=VARY, reduce=deadly, workers=1, archive=path, **HOW)
    assert list(e.failed) == [2]
    assert "killed its worker process 3 times" in e.failed[2]
    plain = ps.ensemble("double-pendulum", vary=VARY, **HOW)
    others = [0, 1, 3, 4, 5]
    assert e.final_q[others].tobytes() == plain.final_q[others].tobytes()
    assert np.isnan(e["deadly"][2])
    assert ps.load(path).failed == e.failed


def test_python_functions_go_to_processes_if_they_can_be_sent():
    e = ps.ensemble("double-pendulum", vary=VARY, reduce=height, workers=1, **HOW)
    with pytest.warns(RuntimeWarning, match=r"on threads.*the function '<lambda>' of reduce cannot be sent"):
        other = ps.ensemble("double-pendulum", vary=VARY, reduce=lambda run: height(run), **HOW)
    assert other["<lambda>"].tobytes() == e["height"].tobytes()
    assert e["height"][0] == e.rerun(0).position("lower")[-1, 2]


def test_executors_of_the_user_stay_open():
    plain = ps.ensemble("double-pendulum", vary=VARY, **HOW)
    with ThreadPoolExecutor(2) as executor:
        e = ps.ensemble("double-pendulum", vary=VARY, executor=executor, **HOW)
        assert executor.submit(abs, -1).result() == 1
    assert e.dataset().identical(plain.dataset())


@pytest.mark.slow
def test_a_worker_that_is_killed_costs_no_member(monkeypatch):
    """100 000 members on two processes, of which one is killed in the middle: all are there."""
    rng, kills = np.random.default_rng(2), []
    starts = rng.uniform(-3, 3, (100_000, 2)), rng.normal(size=(100_000, 2))
    how = dict(starts=starts, method="rk4", step=0.01, until=1.0, reduce="extrema")
    taken = Conductor._take

    def take(self, future, numbers):
        taken(self, future, numbers)
        if not kills and self.table.done.sum() > 30_000:
            kills.append(next(iter(self.pool.executor._processes)))
            os.kill(kills[0], signal.SIGKILL)

    monkeypatch.setattr(Conductor, "_take", take)
    e = ps.ensemble("double-pendulum", executor="processes", workers=2, **how)
    assert kills
    assert not e.failed
    assert not e.interrupted
    monkeypatch.setattr(Conductor, "_take", taken)
    assert e.dataset().identical(ps.ensemble("double-pendulum", **how).dataset())


@pytest.mark.slow
def test_a_pool_of_the_user_that_breaks_is_replaced():
    with ProcessPoolExecutor(2) as executor:
        e = ps.ensemble("double-pendulum", vary=VARY, reduce=deadly, executor=executor, **HOW)
    assert list(e.failed) == [2]


def test_a_function_that_raises_fails_its_member():
    def first(run):
        return [1.0][int(run.trajectory.q[0, 0] > 0)]

    e = ps.ensemble("double-pendulum", vary=VARY, reduce=first, executor="threads", **HOW)
    assert sorted(e.failed) == [3, 4, 5]
    assert "reduce 'first': raised IndexError" in e.failed[3]


def test_a_worker_of_another_version_is_refused(monkeypatch):
    other = {**chunk.versions(), "source": "0" * 16}
    monkeypatch.setattr(pools, "versions", lambda: other)
    with pytest.raises(ps.ScenarioError, match=r"worker .*:\d+ is refused.*source [0-9a-f]+, wanted 0000"):
        ps.ensemble("double-pendulum", vary=VARY, executor="processes", workers=1, **HOW)


@pytest.mark.parametrize("kept", [True, False])
def test_an_interrupt_leaves_what_was_done(tmp_path, monkeypatch, kept):
    """Ctrl-C: what was done is returned, and in the file; the message says how to go on, and so it does."""
    path = tmp_path / "e.poinsot"
    monkeypatch.setattr(Conductor, "_chunk", lambda self: 2)
    taken = Conductor._take

    def take(self, future, numbers):
        taken(self, future, numbers)
        if self.table.done.sum() >= 4:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Conductor, "_take", take)
    how = "the same call goes on" if kept else r"e.save\(PATH\), and the same call with archive=PATH goes on"
    with pytest.warns(RuntimeWarning, match=f"interrupted, 2 of 6 members were not run: {how}"):
        e = ps.ensemble("double-pendulum", vary=VARY, archive=path if kept else None, workers=1, **HOW)
    monkeypatch.setattr(Conductor, "_take", taken)
    assert e.interrupted
    assert np.isfinite(e.final_q[:4]).all()
    assert np.isnan(e.final_q[4:]).all()
    assert np.array_equal(e.mean(), e.final_q[:4].mean(axis=0))
    if not kept:
        e.save(path)
    assert repr(ps.load(path)) == "Ensemble(6 members, 0 failed, 2 not run)"
    again = ps.ensemble("double-pendulum", vary=VARY, archive=path, **HOW)
    assert not again.interrupted
    assert again.dataset().identical(ps.ensemble("double-pendulum", vary=VARY, **HOW).dataset())


@pytest.mark.parametrize("executor", ["threads", pytest.param("processes", marks=pytest.mark.slow)])
@pytest.mark.parametrize(("method", "reduce"), [("rk4", None), ("rk4", "report"), ("gauss4", None)])
def test_steps_that_are_too_large_are_counted(method, reduce, executor):
    """As many members as warn alone, in one warning with the first of them."""
    s = ps.scenario("double-pendulum")
    q, v = np.zeros((9, 2)), np.zeros((9, 2))
    v[2], v[7], q[5] = (14.0, 0.0), (15.0, 5.0), (3.1, 0.0)
    v *= 1.0 if method == "rk4" else 3.0
    how = dict(method=method, step=0.05, until=0.4)
    alone = []
    for k in range(9):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            ps.simulate(s.mechanism, ps.State(0.0, q[k], v[k]), every=8, **how)
        alone += [k] if any(one.category is ps.StepWarning for one in found) else []
    assert {2, 7} <= set(alone)
    with pytest.warns(ps.StepWarning) as found:
        ps.ensemble(s.mechanism, starts=(q, v), executor=executor, workers=1, reduce=reduce, **how)
    (text,) = (str(one.message) for one in found)
    assert text.startswith(f"{len(alone)} of 9 members; member {alone[0]}: {method}: the body rotates by")


SCRIPT = """
import poinsot as ps
def height(run):
    return run.position("lower")[-1, 2]
vary = {"start.upper.angle": [0.1, 0.2]}
ps.ensemble("double-pendulum", vary=vary, reduce=height, executor="processes", workers=1, until=0.01)
"""


def test_a_script_without_a_guard_is_told(tmp_path):
    """Processes would run the script again and again."""
    (tmp_path / "script.py").write_text(SCRIPT)
    done = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert "under `if __name__ == '__main__':`" in done.stderr.splitlines()[-1]


BAD = [
    (dict(vary={"bodies.lower.mas": [1.0]}), "unknown, did you mean 'mass'"),
    (dict(vary={"bodies.lowr.mass": [1.0]}), "unknown 'lowr', did you mean 'lower'"),
    (dict(vary={}), "vary is empty"),
    (dict(vary={"bodies.lower.mass": []}), "at least one member"),
    (dict(vary={"bodies.lower.mass": "normal(1, 0.5)"}, samples=50), r"impossible, as that of member \d+"),
    (dict(vary={"bodies.lower.mass": "norml(1, 0.5)"}, samples=5), "unknown distribution 'norml', did you"),
    (dict(vary={"bodies.lower.mass": "uniform(2, 1)"}, samples=5), r"it is written uniform\(low, high\)"),
    (dict(vary={"bodies.lower.mass": "uniform(1, 2)"}), "samples=NUMBER"),
    (dict(vary={"bodies.lower.mass": "uniform(1, 2)"}, samples=0), "at least one member"),
    (dict(vary={"bodies.lower.mass": [1.0]}, samples=4), "nothing is drawn"),
    (dict(vary={"bodies.lower.mass": "uniform(1, 2)"}, samples=4, design="halton"), "design must be one of"),
    (dict(vary={"a": [1.0], "b": [1.0, 2.0]}, zip=True), "different numbers of them: a 1, b 2"),
    (dict(vary="missing.csv"), "cannot be read as a table"),
    (dict(), "needs starts= or vary="),
    (dict(starts=(np.zeros((3, 2)), np.zeros((2, 2)))), r"got \(3, 2\) and \(2, 2\)"),
    (dict(starts=(np.zeros((3, 1)), np.zeros((3, 2)))), r"q must have the shape \(members, 2\)"),
    (dict(starts=(np.zeros((0, 2)), np.zeros((0, 2)))), "at least one member"),
    (dict(starts=(np.zeros((1, 2)), np.zeros((1, 2))), vary={"a": [1]}), "either starts= or vary="),
    (dict(starts=[1.0]), "two arrays q"),
    (dict(vary=VARY, method="rk5"), "did you mean 'rk4'"),
    (dict(vary=VARY, executor="fibers"), "executor must be one of threads, processes"),
    (dict(vary=VARY, executor=3), "an Executor of concurrent.futures"),
    (dict(vary=VARY, reduce="extreme"), "unknown 'extreme', did you mean 'extrema'"),
    (dict(vary=VARY, reduce={"final_q": height}), "the name 'final_q' is taken"),
    (dict(vary=VARY, step=-1.0), "step must be"),
    (dict(vary=VARY, workers=0), "workers"),
    (dict(vary=VARY, archive="nowhere/x.poinsot"), "cannot be written"),
]


@pytest.mark.parametrize(("given", "message"), BAD)
def test_bad_input_is_one_line(given, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ps.PoinsotError, match=message) as found:
        ps.ensemble("double-pendulum", **{"until": 0.1, **given})
    assert "\n" not in str(found.value)


def test_an_explicit_bad_value_is_a_failed_member():
    e = ps.ensemble("double-pendulum", vary={"bodies.lower.mass": [-1.0, 1.0]}, **HOW)
    assert list(e.failed) == [0]
    e = ps.ensemble("double-pendulum", vary={"bodies.lower.mass": [-1.0, -2.0]}, **HOW)
    assert list(e.failed) == [0, 1]
    assert np.isnan(e.final_q).all()
    assert e.final_q.shape == (2, 2)
    with pytest.raises(ps.ScenarioError, match="every member of the ensemble failed"):
        e.mean()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device that is always full")
def test_a_full_disk(monkeypatch):
    e = ps.ensemble("double-pendulum", vary=VARY, **HOW)
    with pytest.raises(ps.PoinsotError, match="cannot be written"):
        e.save("/dev/full")


def test_without_xarray(monkeypatch):
    monkeypatch.setitem(sys.modules, "xarray", None)
    e = ps.ensemble("double-pendulum", vary=VARY, **HOW)
    with pytest.raises(ps.ModelError, match=r"poinsot\[files\]"):
        e.dataset()
