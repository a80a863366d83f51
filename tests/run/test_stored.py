"""Large archives stay in their file: the same numbers as in memory, opened at once, in little memory."""

import subprocess
import sys
import warnings
import zlib

import numpy as np
import pytest

import poinsot as ps
from poinsot.run.archive import stored
from poinsot.run.archive.blocks import CHECK, HEAD, LENGTH, SYNC, blocks, heads
from poinsot.run.archive.stored import StoredTrajectory
from poinsot.simulation import recorder

QUANTITIES = ("time", "energy", "kinetic", "potential", "work", "angular_momentum", "linear_momentum")


@pytest.fixture
def small(monkeypatch):
    """Everything is large here."""
    monkeypatch.setattr(stored, "LARGE", 1000)
    monkeypatch.setattr(recorder, "LARGE", 1000)
    monkeypatch.setattr("poinsot.run.archive.journal.LARGE", 1000)
    monkeypatch.setattr("poinsot.diagnostics.trajectory.CHUNK", 300)


@pytest.mark.parametrize("name", ["fast-top", "4disp-balance"])
def test_a_run_in_its_file_is_the_run_in_memory(name, small, tmp_path, monkeypatch):
    s = ps.scenario(name)
    options = {
        "step": s.step,
        "steps": 1000,
        "controller": s.controller,
        "record": {"t": lambda t, state: t},
    }
    whole = ps.simulate(s.mechanism, s.start, s.method, **options)
    written = ps.simulate(s.mechanism, s.start, s.method, archive=tmp_path / "run", **options)
    opened = ps.load(tmp_path / "run")
    (tmp_path / "run").rename(tmp_path / "moved")
    for run in (written, opened):
        assert isinstance(run.trajectory, StoredTrajectory)
        assert repr(run) == repr(whole)
        for quantity in QUANTITIES:
            assert np.array_equal(getattr(run, quantity), getattr(whole, quantity)), quantity
        for quantity in ("q", "v", "inputs", "orthogonality"):
            assert np.array_equal(getattr(run.trajectory, quantity), getattr(whole.trajectory, quantity))
        body = whole.mechanism.names[-1]
        assert np.array_equal(run.rotation(body), whole.rotation(body))
        assert run.final.memory == whole.final.memory
        ours, theirs = (
            [one for one in str(x.report()).splitlines()[1:-1] if not one.startswith("state at the end")]
            for x in (run, whole)
        )
        assert ours == theirs
        assert run.at(0.5).time == whole.at(0.5).time
    assert np.array_equal(written.recorded["t"], whole.recorded["t"])
    again = ps.load(opened.save(tmp_path / "saved"))
    assert np.array_equal(again.trajectory.q, whole.trajectory.q)
    from poinsot.plots.run_figures import energy_error, momentum_error

    n = len(whole.time)
    last = [max(i for i in range(n) if i * 100 // n == k) for k in range(100)]  # of each interval
    for error in (energy_error, momentum_error):
        time, values = error.largest(opened.trajectory, 100)
        assert np.array_equal(time, whole.time[last])
        every = np.split(error(whole.trajectory), np.array(last[:-1]) + 1)
        assert np.array_equal(values, [part.max() for part in every])


def test_a_large_archive_is_resumed_in_its_file(small, tmp_path):
    s = ps.scenario("fast-top")
    whole = ps.simulate(s.mechanism, s.start, "srkn4", step=0.01, until=10.0)
    ps.simulate(s.mechanism, s.start, "srkn4", step=0.01, until=4.0, archive=tmp_path / "run")
    run = ps.resume(tmp_path / "run", until=10.0)
    assert isinstance(run.trajectory, StoredTrajectory)
    assert np.array_equal(run.trajectory.q, whole.trajectory.q)
    assert run.final.memory == whole.final.memory
    assert ps.replay(tmp_path / "run").identical


def sparse(path, good, size, crc=0):
    """Write an archive whose last block is a hole of this size."""
    parts = list(blocks(good))
    header, samples = parts[0][1], parts[1][1]
    (length,) = LENGTH.unpack_from(samples)
    lead = samples[: LENGTH.size + length]
    row = len(samples) - len(lead)
    hole = size // row * row
    with open(path, "wb") as file:
        file.write(b"POINSOT2\n")
        for kind, payload in (("H", header), ("P", samples)):
            head = HEAD.pack(kind.encode(), len(payload))
            file.write(SYNC + head + CHECK.pack(zlib.crc32(payload, zlib.crc32(head))) + payload)
        file.write(SYNC + HEAD.pack(b"P", len(lead) + hole) + CHECK.pack(crc) + lead)
        file.truncate(file.tell() + hole)
    return 1 + hole // row


OPEN = """
import resource, sys
import poinsot as ps
ps.load(sys.argv[2])
before = resource.getrusage(resource.RUSAGE_SELF)
run = ps.load(sys.argv[1])
after = resource.getrusage(resource.RUSAGE_SELF)
print(run.trajectory.span[0], after.ru_maxrss - before.ru_maxrss, run)
"""


def test_a_sparse_gigabyte_opens_at_once(tmp_path, environment):
    s = ps.scenario("dzhanibekov")
    good, path = tmp_path / "good", tmp_path / "sparse"
    ps.simulate(s.mechanism, s.start, "srkn4", step=0.01, steps=10, archive=good)
    count = sparse(path, good, 1 << 30)
    assert path.stat().st_blocks * 512 < 1 << 20
    words = [sys.executable, "-c", OPEN, str(path), str(good)]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout.split()
    assert int(done[0]) == count
    assert int(done[1]) < 20_000  # kB: nothing of the gigabyte was read
    run = ps.load(path)
    with pytest.warns(ps.ArchiveWarning, match="the block is damaged"):  # its checksum is wrong
        assert len(run.time) == run.trajectory.count == 1


def test_a_hole_at_the_end_is_skipped_at_once(tmp_path):
    s = ps.scenario("dzhanibekov")
    path = tmp_path / "run"
    whole = ps.simulate(s.mechanism, s.start, "srkn4", step=0.01, steps=10, archive=path)
    with path.open("r+b") as file:
        file.truncate(1 << 30)
    with pytest.warns(ps.ArchiveWarning, match="cut short"):
        run = ps.load(path)
    assert np.array_equal(run.trajectory.q, whole.trajectory.q)


def test_damage_in_a_large_archive_is_told(small, tmp_path):
    s = ps.scenario("dzhanibekov")
    path = tmp_path / "run"
    ps.simulate(s.mechanism, s.start, "srkn4", step=0.01, steps=2000, archive=path)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.warns(ps.ArchiveWarning, match="the block is damaged"):
        run = ps.load(path)
    assert 0 < len(run.time) < 2001


@pytest.mark.parametrize("place", [0.3, 0.5, 0.8])
def test_a_huge_archive_is_read_without_its_damaged_blocks(place, small, tmp_path, monkeypatch):
    """Opening does not look at the samples; the first that is read checks all, and all lengths agree."""
    monkeypatch.setattr(stored, "HUGE", 2000)
    s = ps.scenario("dzhanibekov")
    path = tmp_path / "run"
    whole = ps.simulate(s.mechanism, s.start, "srkn4", step=0.01, steps=2000)  # in memory
    ps.simulate(s.mechanism, s.start, "srkn4", step=0.01, steps=2000, archive=path)
    data = bytearray(path.read_bytes())
    data[int(place * len(data))] ^= 1
    path.write_bytes(data)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = ps.load(path)
        assert "2001 samples" in repr(run)
    with pytest.warns(ps.ArchiveWarning, match=r"run: bytes \d+ to \d+: the block is damaged"):
        energy = run.energy
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        n = len(run.time)
        assert 0 < n < 2001
        assert len(energy) == n == len(run.position("nut")) == run.trajectory.count
        kept = np.isin(whole.time, run.time)
        assert kept.sum() == n
        assert np.array_equal(run.trajectory.q, whole.trajectory.q[kept])
        assert np.array_equal(energy, whole.energy[kept])
        assert run.final.time == whole.final.time
        assert len(ps.load(run.save(tmp_path / "saved")).time) == n
    resumed = ps.resume(path)
    assert np.array_equal(resumed.trajectory.q, whole.trajectory.q)


def test_a_huge_archive_whose_end_is_damaged_ends_at_its_last_good_block(small, tmp_path, monkeypatch):
    monkeypatch.setattr(stored, "HUGE", 2000)
    s = ps.scenario("dzhanibekov")
    path = tmp_path / "run"
    whole = ps.simulate(s.mechanism, s.start, "srkn4", step=0.01, steps=2000)  # in memory
    ps.simulate(s.mechanism, s.start, "srkn4", step=0.01, steps=2000, archive=path)
    last = [head for head in heads(path, print) if head.kind == "P"][-1]
    data = bytearray(path.read_bytes())
    data[last.begin + last.length // 2] ^= 1
    path.write_bytes(data)
    with pytest.warns(ps.ArchiveWarning, match="the block is damaged"):
        run = ps.load(path)
    assert run.final.time == run.time[-1] < whole.final.time
    assert np.array_equal(run.trajectory.q, whole.trajectory.q[: len(run.time)])


LONG = """
import sys, pathlib
import poinsot as ps
n, folder = int(sys.argv[1]), pathlib.Path(sys.argv[2])
if sys.argv[3] == "run":
    s = ps.scenario("dzhanibekov")
    ps.simulate(s.mechanism, s.start, "srkn4", step=0.01, steps=n, archive=folder / "long.poinsot")
elif sys.argv[3] == "open":
    run = ps.load(folder / "long.poinsot")
    run.plot(folder / "drift.svg")
    run.energy
else:
    from poinsot.cli import commands
    words = ["export", str(folder / "long.poinsot"), "--html", str(folder / "out.html")]
    commands.main(words, standalone_mode=False)
status = pathlib.Path("/proc/self/status").read_text()
print(int(status.split("VmHWM:")[1].split()[0]) / 1024)
"""


@pytest.mark.slow
def test_ten_million_samples_need_less_than_500_megabytes(tmp_path, environment):
    for task in ("run", "open", "export"):
        words = [sys.executable, "-c", LONG, str(10**7), str(tmp_path), task]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
        assert float(done.stdout.split()[-1]) < 500, task
