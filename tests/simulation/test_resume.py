"""Resuming and replaying archives: the bits of an uninterrupted run, or an error that names what is wrong."""

import os
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest

import poinsot as ps
from poinsot.run.archive.blocks import LENGTH, MAGIC, blocks
from poinsot.run.archive.writer import Writer
from support.chunks import chunks_of

COLUMNS = ("time", "q", "v", "work", "applied_potential", "inputs")
GAIN = 2.0


def push(t, R, w, p, v):
    return 0.0, GAIN * (1.0 if t < 0.5 else 0.0), 0.0


def other(t, R, w, p, v):
    return 0.0, 3.0 * t, 0.0


def counting(t, state, memory):
    return [0.1 * (-1) ** memory], memory + 1


def holding(t, state):
    return -3.0 * state.q - state.v


def arm(*forces):
    bar = ps.Box((0.05, 0.05, 1.0)).body(mass=1.0)
    m = ps.Mechanism().add("a", bar, ps.Revolute((1, 0, 0)), body_at=(0, 0, -0.5))
    m.add("b", bar, ps.Revolute((0, 1, 0)), parent="a", at=(0, 0, -0.5), body_at=(0, 0, -0.5))
    return m.apply(*forces)


def top(*forces):
    body = ps.Cylinder(0.3, 0.1).body(mass=1.0, center_of_mass=(0, 0, 0.4))
    return ps.Mechanism().add("top", body, ps.Spherical()).apply(*forces)


ARM, TOP = {"a": dict(angle=1.0), "b": dict(rate=1.0)}, {"top": dict(angular_velocity=(0, 1, 20))}
STRUCK = ps.Impulse("b", 0.4, torque=(0.1, 0, 0))
PROBLEMS = {
    "hstagm": (top(), TOP, {}),
    "nmb": (top(ps.Impulse("top", 0.5, torque=(0, 0.1, 0))), TOP, {}),
    "cf4": (top(ps.Torque("top", push, switches=(0.5,))), TOP, {}),
    "gauss3": (arm(STRUCK), ARM, {}),
    "dop853": (arm(STRUCK), ARM, {}),
    "rk4": (arm(STRUCK), ARM, {"controller": ps.Controller(counting, 0.04, ["a"], memory=0)}),
    "rkmk4": (arm(STRUCK), ARM, {"controller": ps.Feedback(holding, ["a", "b"])}),
    "variational": (arm().close(ps.Loop("b", "world", ps.Distance(1.0), at_b=(1.0, 0, -0.5))), {}, {}),
}
OPTIONS = {"step": 0.02, "every": 3}


def run_of(method, end, **more):
    m, start, options = PROBLEMS[method]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ps.simulate(m, m.state(start), method, until=end, **OPTIONS, **options, **more)


def given(method):
    """Return what `resume` needs besides the path: functions of Python."""
    m, _, options = PROBLEMS[method]
    return {**({"mechanism": m} if method == "cf4" else {}), **options}


def same(one, whole):
    for name in COLUMNS:
        assert np.array_equal(getattr(one.trajectory, name), getattr(whole.trajectory, name)), name
    assert (one.final.time, one.final.memory) == (whole.final.time, whole.final.memory)
    for name in ("steps", "every", "step", "evaluations", "iterations", "until", "interrupted", "reason"):
        assert getattr(one, name) == getattr(whole, name), name


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("method", PROBLEMS)
def test_an_archive_cut_anywhere_goes_on_to_the_same_bits(method, tmp_path, monkeypatch):
    chunks_of(monkeypatch, 4)
    whole = run_of(method, 1.0, archive=tmp_path / "whole")  # 50 steps, not a multiple of `every`
    data, cut = (tmp_path / "whole").read_bytes(), tmp_path / "cut"
    _, header = next(iter(blocks(tmp_path / "whole")))
    least = len(MAGIC) + 21 + len(header)
    rng = np.random.default_rng(3)
    tried = 0
    for size in [len(data) - 1, *rng.integers(least, len(data), size=8)]:
        cut.write_bytes(data[:size])
        if [kind for kind, _ in blocks(cut)] == ["H"]:
            with pytest.raises(ps.ArchiveError, match="no state from which"):
                ps.resume(cut, **given(method))
            continue
        same(ps.resume(cut, **given(method)), whole)
        same(ps.load(cut), whole)
        assert ps.replay(cut, **given(method)).identical
        tried += 1
    assert tried > 5


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("method", ["hstagm", "gauss3", "rk4", "rkmk4", "variational"])
def test_until_extends_a_finished_run(method, tmp_path, monkeypatch):
    chunks_of(monkeypatch, 4)
    whole, path = run_of(method, 1.0), tmp_path / "run"
    run_of(method, 0.32, archive=path)  # 16 steps: the last sample is one that the whole run has not
    same(ps.resume(path, until=1.0, **given(method)), whole)
    same(ps.load(path), whole)
    same(ps.resume(path, **given(method)), whole)  # nothing is left to do
    with pytest.raises(ps.ArchiveError, match="already, beyond until"):
        ps.resume(path, until=0.5, **given(method))


def test_a_run_that_was_extended_and_cut_goes_on_to_its_new_end(tmp_path, monkeypatch):
    chunks_of(monkeypatch, 4)
    whole, path = run_of("gauss3", 1.0), tmp_path / "run"
    run_of("gauss3", 0.3, archive=path)
    ps.resume(path, until=1.0)
    path.write_bytes(path.read_bytes()[:-2000])
    same(ps.resume(path), whole)


def test_recorded_quantities_and_interruptions(tmp_path, monkeypatch):
    record = {"energy": lambda t, state: float(state.q @ state.q)}
    whole = run_of("gauss3", 1.0, record=record)
    path = tmp_path / "run"
    made = []

    def interrupt(self, steps):
        made.append(steps)
        if sum(made) >= 20:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        chunks_of(patched, 4)
        patched.setattr("poinsot.simulation.interrupts.Progress.__call__", interrupt)
        part = run_of("gauss3", 1.0, archive=path, record=record)
    assert part.interrupted
    assert part.steps < 50
    with pytest.raises(
        ps.ArchiveError, match="the run recorded 'energy': give its function again with record="
    ):
        ps.resume(path)
    with pytest.raises(ps.ArchiveError, match="the function of record 'energy' is not that of the archive"):
        ps.resume(path, record={"energy": lambda t, state: 2.0})
    found = ps.resume(path, record=record)
    same(found, whole)
    assert np.array_equal(found.recorded["energy"], whole.recorded["energy"])


def test_functions_are_compared_by_what_they_compute(tmp_path, monkeypatch):
    path = tmp_path / "run"
    run_of("cf4", 0.2, archive=path)
    with pytest.raises(ps.ArchiveError, match=r"\(torque 'push' on 'top'\): give them again with mechanism="):
        ps.resume(path, until=1.0)
    with pytest.raises(ps.ArchiveError, match="the run had torque 'push' on 'top'"):
        ps.resume(path, until=1.0, mechanism=top())
    with pytest.raises(ps.ArchiveError, match="the run had torque 'push' on 'top'"):
        ps.replay(path, mechanism=top(ps.Torque("top", other)))
    heavy = top(ps.Torque("top", push, switches=(0.5,))).replace("top", body=ps.Body(9.0, (1, 1, 1)))
    with pytest.raises(ps.ArchiveError, match="the mechanism is not that of the archive"):
        ps.resume(path, until=1.0, mechanism=heavy)
    monkeypatch.setattr(sys.modules[__name__], "GAIN", 5.0)
    with pytest.raises(
        ps.ArchiveError, match="the function of torque 'push' on 'top' is not that of the archive"
    ):
        ps.resume(path, until=1.0, mechanism=PROBLEMS["cf4"][0])


def test_controllers_are_compared(tmp_path):
    path = tmp_path / "run"
    run_of("rk4", 0.2, archive=path)
    with pytest.raises(ps.ArchiveError, match="the run had the controller 'counting': give it again"):
        ps.resume(path, until=1.0)
    slower = ps.Controller(counting, 0.08, ["a"], memory=0)
    with pytest.raises(ps.ArchiveError, match="the controller 'counting' is not that of the archive"):
        ps.resume(path, until=1.0, controller=slower)
    run_of("gauss3", 0.2, archive=tmp_path / "plain")
    with pytest.raises(ps.ArchiveError, match="the run had no controller"):
        ps.resume(tmp_path / "plain", until=1.0, controller=slower)


class Slotted:
    """A law with its gain where `vars` does not look; the class has another number."""

    __slots__ = ("gain",)
    damping = 0.1

    def __init__(self, gain):
        self.gain = gain

    def __call__(self, t, state, memory):
        return [-self.gain * state.q[0] - self.damping * state.v[0]], memory


def test_controllers_are_compared_with_all_that_they_read(tmp_path, monkeypatch):
    path, m = tmp_path / "run", arm()

    def with_gain(gain):
        return ps.Controller(Slotted(gain), 0.04, ["a"])

    ps.simulate(m, m.state(ARM), "rk4", step=0.02, until=0.2, controller=with_gain(1.0), archive=path)
    with pytest.raises(ps.ArchiveError, match="the controller 'Slotted' is not that of the archive"):
        ps.resume(path, until=0.4, controller=with_gain(50.0))
    with monkeypatch.context() as changed:
        changed.setattr(Slotted, "damping", 7.0)
        with pytest.raises(ps.ArchiveError, match="the controller 'Slotted' is not that of the archive"):
            ps.resume(path, until=0.4, controller=with_gain(1.0))
    whole = ps.simulate(m, m.state(ARM), "rk4", step=0.02, until=0.4, controller=with_gain(1.0))
    assert ps.resume(path, until=0.4, controller=with_gain(1.0)).final.q.tobytes() == whole.final.q.tobytes()


def test_a_controller_that_cannot_be_compared_is_asked_for(tmp_path):
    lock, path, m = threading.Lock(), tmp_path / "run", arm()

    def guarded(t, state, memory):
        with lock:
            return [-state.q[0]], memory

    def force_of(t, state):
        with lock:
            return state.q[0]

    options = {"controller": ps.Controller(guarded, 0.04, ["a"]), "record": {"angle": force_of}}
    ps.simulate(m, m.state(ARM), "rk4", step=0.02, until=0.2, archive=path, **options)
    with pytest.raises(ps.ArchiveError, match=r"'guarded' cannot be compared .*_thread.lock.* same=True"):
        ps.resume(path, until=0.4, **options)
    plain = {**options, "controller": ps.Controller(counting, 0.04, ["a"], memory=0)}
    with pytest.raises(ps.ArchiveError, match="'counting' is not that of the archive"):
        ps.resume(path, until=0.4, same=True, **plain)
    whole = ps.simulate(m, m.state(ARM), "rk4", step=0.02, until=0.4, **options)
    found = ps.resume(path, until=0.4, same=True, **options)
    assert found.final.q.tobytes() == whole.final.q.tobytes()
    assert ps.replay(path, controller=options["controller"]).identical  # which compares bits


def test_a_controller_that_changes_what_it_reads_is_warned_about():
    m, seen = arm(), []

    def adaptive(t, state, memory):
        seen.append(t)
        return [-0.1 * len(seen)], memory

    control = ps.Controller(adaptive, 0.04, ["a"])
    with pytest.warns(ps.ControllerWarning, match="the controller 'adaptive' changed what it reads"):
        ps.simulate(m, m.state(ARM), "rk4", step=0.02, until=0.1, controller=control)


def test_memory_that_a_controller_changes_before_it_raises_stays_what_it_was():
    """The run up to the failed tick, and a run that goes on from there, have the memory before it."""
    m = arm()

    def fails(t, state, memory):
        memory["ticks"].append(t)
        if t > 0.09:
            raise ArithmeticError("enough")
        return [0.1 * len(memory["ticks"])], memory

    control = ps.Controller(fails, 0.04, ["a"], memory={"ticks": []})
    with pytest.raises(ps.StepError, match="enough") as caught:
        ps.simulate(m, m.state(ARM), "rk4", step=0.02, until=1.0, controller=control)
    assert ps.control.memory_of(caught.value.run.final)["ticks"] == [0.0, 0.04, 0.08]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["soft-wall", "4disp-balance"])
def test_a_scenario_needs_only_the_path(name, tmp_path):
    s, path = ps.scenario(name, **{"step": 0.01}), tmp_path / "run"
    options = {"step": s.step, "controller": s.controller}
    whole = ps.simulate(s.mechanism, s.start, s.method, until=0.5, **options)
    ps.simulate(s.mechanism, s.start, s.method, until=0.2, archive=path, **options)
    assert ps.replay(path).identical
    same(ps.resume(path, until=0.5), whole)


@pytest.mark.filterwarnings("ignore")
def test_a_scenario_file_needs_only_the_path_of_the_archive(tmp_path):
    file = tmp_path / "my.toml"
    file.write_text(ps.to_toml(ps.scenario("4disp-balance")))
    s, path = ps.scenario(file), tmp_path / "run"
    options = {"step": s.step, "controller": s.controller}
    whole = ps.simulate(s.mechanism, s.start, s.method, until=0.5, **options)
    ps.simulate(s.mechanism, s.start, s.method, until=0.2, archive=path, **options)
    file.unlink()
    same(ps.resume(path, until=0.5), whole)


def test_a_replay_finds_the_first_step_that_differs(tmp_path, monkeypatch):
    chunks_of(monkeypatch, 4)
    path = tmp_path / "run"
    run_of("gauss3", 1.0, archive=path)
    parts = list(blocks(path))
    rows = 0
    for i, (kind, payload) in enumerate(parts):
        if kind == "P":
            rows += 1
            if rows == 5:
                (length,) = LENGTH.unpack_from(payload)
                changed = bytearray(payload)
                changed[LENGTH.size + length + 8 * 4] ^= 1  # the second of the velocities of the first row
                parts[i] = (kind, bytes(changed))
    path.unlink()
    writer = Writer(path)
    for kind, payload in parts:
        writer.block(kind, payload)
    writer.close()
    found = ps.replay(path)
    assert not found.identical
    assert found.first_difference == 12
    assert found.time == pytest.approx(0.24)
    assert found.quantity == "v"
    assert "differs from step 12 on" in str(found)


def test_other_kernels_are_refused_and_replayed(tmp_path, monkeypatch):
    path = tmp_path / "run"
    run_of("gauss3", 0.2, archive=path)
    from poinsot.run import provenance

    versions = {**provenance.versions(), "source": "other"}
    monkeypatch.setattr(provenance, "versions", lambda: versions)
    with pytest.raises(
        ps.ArchiveError, match=r"with other kernels \(source .*, here other\).*'gauss3' cannot be used"
    ):
        ps.resume(path, until=1.0)
    found = ps.replay(path)
    assert found.identical
    assert found.versions["source"][1] == "other"
    assert "source: " in str(found)


def test_a_second_writer_is_refused(tmp_path):
    path = tmp_path / "run"
    run_of("gauss3", 0.2, archive=path)
    data = path.read_bytes()
    first = Writer(path, resumed=True)
    with pytest.raises(ps.ArchiveError, match="another process is writing to this archive"):
        ps.resume(path, until=1.0)
    first.close()
    assert path.read_bytes() == data
    ps.resume(path, until=1.0)


def test_what_cannot_be_written_is_left_as_it_is(tmp_path):
    path = tmp_path / "run"
    run_of("gauss3", 0.2, archive=path)
    if os.getuid() == 0:
        path = tmp_path / "folder"
        path.mkdir()
        with pytest.raises(ps.ArchiveError):
            ps.resume(path, until=1.0)
        return
    path.chmod(0o400)
    with pytest.raises(ps.ArchiveError, match="cannot be written"):
        ps.resume(path, until=1.0)


def test_archives_that_cannot_go_on(tmp_path):
    newer = tmp_path / "newer"
    newer.write_bytes(b"POINSOT9\n" + bytes(100))
    with pytest.raises(ps.ArchiveError, match="written by a newer version of Poinsot"):
        ps.resume(newer)
    for path in (tmp_path / "nothing", tmp_path):
        with pytest.raises(ps.ArchiveError, match="cannot be read"):
            ps.replay(path)


SCRIPT = """
import poinsot as ps
s = ps.scenario("fast-top")
ps.simulate(s.mechanism, s.start, "srkn4", step=1e-5, until=10.0, every=10, archive="run")
print("went on")
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_cleanly_and_keeps_everything(number, tmp_path, environment):
    child = subprocess.Popen(
        [sys.executable, "-c", SCRIPT], cwd=tmp_path, env=environment, stdout=subprocess.PIPE
    )
    path = tmp_path / "run"
    deadline = time.monotonic() + 120
    while not (path.exists() and path.stat().st_size > 100_000) and time.monotonic() < deadline:
        time.sleep(0.02)
    child.send_signal(number)
    said, _ = child.communicate(timeout=60)
    assert child.returncode == (-signal.SIGTERM if number == signal.SIGTERM else 0)
    assert said == (b"" if number == signal.SIGTERM else b"went on\n")  # Ctrl-C returns the run so far
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = ps.load(path)  # nothing is torn
    assert [kind for kind, _ in blocks(path)][-1] == "E"
    assert found.interrupted
    assert found.final.memory is not None
    assert 0 < found.final.time < 10.0
