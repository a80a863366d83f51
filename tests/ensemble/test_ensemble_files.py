"""Files of ensembles: the journal of an interrupted one goes on to the same bytes; save and load."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import poinsot as ps
from poinsot.ensemble.conductor import Conductor
from poinsot.run.archive.blocks import blocks_with_ends

HOW = dict(method="rk4", step=0.01, until=0.1)
VARY = {"start.upper.angle": np.linspace(-1.0, 1.0, 10).tolist()}


def peak(run):
    return run.trajectory.q.max(axis=0)


def test_save_and_load(tmp_path):
    vary = {"bodies.lower.mass": [1.0, -1.0, 2.0]}
    e = ps.ensemble("double-pendulum", vary=vary, every=5, reduce="extrema", **HOW)
    path = e.save(tmp_path / "e.poinsot")
    again = ps.load(path)
    assert isinstance(again, ps.Ensemble)
    assert again.dataset().identical(e.dataset())
    assert again.failed == e.failed == {1: "ModelError: body 'lower': mass must be positive, got -1"}
    assert again.rerun(2).final.q.tobytes() == e.final_q[2].tobytes()
    run = e.rerun(0)
    assert isinstance(ps.load(run.save(tmp_path / "run.poinsot")), ps.Run)
    with pytest.raises(ps.ArchiveError, match="ensemble"):
        ps.resume(path)
    assert e.to_netcdf(tmp_path / "e.nc").stat().st_size > 0


def test_a_file_without_its_functions(tmp_path):
    e = ps.ensemble("double-pendulum", vary=VARY, reduce=peak, executor="threads", **HOW)
    found = ps.load(e.save(tmp_path / "e.poinsot"))
    assert found["peak"].tobytes() == e["peak"].tobytes()
    with pytest.raises(ps.ArchiveError, match=r"call ps[.]ensemble again"):
        found.rerun(0)


def test_a_journal_that_was_cut_goes_on_to_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(Conductor, "_chunk", lambda self: 3)
    whole, path = tmp_path / "whole.poinsot", tmp_path / "cut.poinsot"
    wanted = ps.ensemble("double-pendulum", vary=VARY, archive=whole, **HOW).dataset()
    data = whole.read_bytes()
    begun = next(end for _, end in blocks_with_ends(whole, pytest.fail))
    for size in np.linspace(0, len(data), 12).astype(int):
        path.write_bytes(data[:size])
        if 0 < size < begun:  # the header itself is lost
            with pytest.raises(ps.ArchiveError, match=r"remove it|not a Poinsot"):
                ps.ensemble("double-pendulum", vary=VARY, archive=path, **HOW)
            continue
        found = ps.ensemble("double-pendulum", vary=VARY, archive=path, **HOW)
        assert found.dataset().identical(wanted)
        assert ps.load(path).dataset().identical(wanted)


def test_a_journal_that_was_cut_at_its_beginning_goes_on(tmp_path):
    """Killed while the values of the members were written: nothing is lost, and nothing is to be removed."""
    path = tmp_path / "e.poinsot"
    whole = ps.ensemble("double-pendulum", vary=VARY, archive=path, **HOW)
    (_, first), (_, second), *_ = blocks_with_ends(path, print)
    data = path.read_bytes()
    for end in (first, first + 1, (first + second) // 2, second - 1):
        path.write_bytes(data[:end])
        with pytest.raises(ps.ArchiveError, match="another values of its members"):
            ps.ensemble("double-pendulum", vary={"start.upper.angle": [0.5]}, archive=path, **HOW)
        again = ps.ensemble("double-pendulum", vary=VARY, archive=path, **HOW)
        assert again.dataset().identical(whole.dataset())
        assert ps.load(path).dataset().identical(whole.dataset())


def test_nothing_is_computed_twice(tmp_path, monkeypatch):
    path = tmp_path / "e.poinsot"
    ps.ensemble("double-pendulum", vary=VARY, archive=path, **HOW)
    monkeypatch.setattr(Conductor, "_begin", lambda self, numbers: pytest.fail("computed again"))
    again = ps.ensemble("double-pendulum", vary=VARY, archive=path, **HOW)
    assert not again.failed


def test_another_problem_is_refused(tmp_path):
    path = tmp_path / "e.poinsot"
    ps.ensemble("double-pendulum", vary=VARY, archive=path, **HOW)
    with pytest.raises(ps.ArchiveError, match="another problem"):
        ps.ensemble("double-pendulum", vary=VARY, archive=path, **{**HOW, "step": 0.02})
    with pytest.raises(ps.ArchiveError, match="another values"):
        ps.ensemble("double-pendulum", vary={"start.upper.angle": [0.5]}, archive=path, **HOW)
    run = ps.ensemble("double-pendulum", vary=VARY, **HOW).rerun(0)
    run.save(tmp_path / "run.poinsot")
    with pytest.raises(ps.ArchiveError, match="a run, not an ensemble"):
        ps.ensemble("double-pendulum", vary=VARY, archive=tmp_path / "run.poinsot", **HOW)


SCRIPT = """
import numpy as np, poinsot as ps, sys
count, path = int(sys.argv[1]), sys.argv[2]
rng = np.random.default_rng(1)
starts = rng.uniform(-3, 3, (count, 2)), rng.normal(size=(count, 2))
how = dict(starts=starts, method="rk4", step=0.01, until=float(sys.argv[3]), progress=False)
e = ps.ensemble(ps.scenario("double-pendulum"), archive=path, **how)
data = e.dataset()
for name in sorted(map(str, data.variables)):
    sys.stdout.buffer.write(name.encode() + data[name].values.tobytes())
"""


@pytest.mark.slow
def test_a_killed_process_goes_on(tmp_path):
    """100 000 members; kill -9 several times; the end has the bytes of a run that was never killed."""
    count = "100000"
    call = [sys.executable, "-c", SCRIPT, count]
    whole = subprocess.run([*call, str(tmp_path / "whole.poinsot"), "1"], capture_output=True, check=True)
    path = tmp_path / "killed.poinsot"
    kills = 0
    for _ in range(3):
        process = subprocess.Popen([*call, str(path), "1"], stdout=subprocess.DEVNULL)
        size = path.stat().st_size if path.exists() else 0
        while process.poll() is None and not (path.exists() and path.stat().st_size > size + 3_000_000):
            time.sleep(0.05)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
            kills += 1
        process.wait()
    assert kills
    again = subprocess.run([*call, str(path), "1"], capture_output=True, check=True)
    assert again.stdout == whole.stdout


FULL = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, resource.RLIM_INFINITY))
"""


@pytest.mark.slow
def test_a_disk_that_fills_goes_on_when_there_is_room(tmp_path):
    """One line, and what was written is kept: the same call goes on to the same bytes."""
    call, path = [sys.executable, "-c"], str(tmp_path / "full.poinsot")
    full = subprocess.run([*call, FULL + SCRIPT, "20000", path, "0.5"], capture_output=True, text=True)
    assert full.returncode == 1
    assert full.stderr.splitlines()[-1].endswith("full.poinsot: cannot be written: File too large")
    with pytest.warns(ps.ArchiveWarning, match="cut short"):
        assert 0 < np.isfinite(ps.load(path).final_time).sum() < 20000
    again, whole = (
        subprocess.run([*call, SCRIPT, "20000", one, "0.5"], capture_output=True, check=True)
        for one in (path, str(tmp_path / "whole.poinsot"))
    )
    assert again.stdout == whole.stdout


MEMORY = """
import resource, sys
import numpy as np, poinsot as ps
s = ps.scenario("double-pendulum")
def run(count):
    starts = np.random.default_rng(1).uniform(-3, 3, (count, 2)), np.zeros((count, 2))
    ps.ensemble(s, starts=starts, method="rk4", step=0.01, until=0.5, reduce="extrema", progress=False)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
first = run(2000)
print(run(100_000) - first)
"""


@pytest.mark.slow
def test_memory_is_that_of_the_results():
    """100 000 members of 50 steps: 160 MB of samples are never there, 10 MB of results are."""
    done = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 60_000  # KB: results, starts, their copies and the chunks under way
