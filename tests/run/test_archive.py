"""Archives: the same bits back, and from a damaged file everything up to the damage or one clear error."""

import contextlib
import json
import os
import subprocess
import sys
import time
import warnings

import numpy as np
import pytest

import poinsot as ps
from poinsot.run.archive.blocks import blocks
from poinsot.run.archive.writer import Writer
from support.chunks import chunks_of

BODY = ps.Body(1.2, (1.0, 1.3, 1.7), center_of_mass=(0.1, -0.2, 0.3))
FACTS = ("method", "step", "steps", "every", "evaluations", "iterations", "reason", "interrupted", "versions")
COLUMNS = ("time", "q", "v", "work", "applied_potential")
JOINTS = {
    "spherical": (ps.Spherical(), {"at": (1, 2, 3), "body_at": ((0.1, 0.2, 0.3), (0.6, 0.0, 0.8, 0.0))}),
    "free": (ps.Free(), {"at": (1, 2, 3), "rotation": (0.6, 0.0, 0.8, 0.0)}),
}


def push(t, R, w, p, v):
    return R[1][2] - w[0], -R[0][2], 0.0


def pull(t, R, w, p, v):
    return R[1][2], -R[0][2], 0.0


def mechanism(joint="free", *forces):
    kind, place = JOINTS[joint]
    return ps.Mechanism().add("link", BODY, kind, **place).apply(*forces)


def run_of(m, state=None, **options):
    start = state or m.state({"link": {"angular_velocity": (1, 2, 3)}}, time=0.5)
    return ps.simulate(m, start, "nmb", **{"step": 0.02, "steps": 20, **options})


def same(a, b):
    for name in COLUMNS:
        assert np.array_equal(getattr(a.trajectory, name), getattr(b.trajectory, name)), name
    assert a.seconds == b.seconds
    for name in FACTS:
        assert getattr(a, name) == getattr(b, name), name
    assert (a.final.time, a.final.memory) == (b.final.time, b.final.memory)
    assert np.array_equal(a.final.q, b.final.q)
    assert np.array_equal(a.final.v, b.final.v)


@pytest.fixture
def archive(tmp_path, monkeypatch):
    """The bytes of a small archive that was written in chunks, and its run."""
    chunks_of(monkeypatch, 4)
    path = tmp_path / "whole.poinsot"
    return run_of(mechanism("spherical"), steps=9, every=2, archive=path), path.read_bytes()


# round trips


@pytest.mark.parametrize("joint", JOINTS)
@pytest.mark.parametrize("while_running", [True, False])
def test_a_run_comes_back_bit_for_bit(joint, while_running, tmp_path):
    path = tmp_path / "run.poinsot"
    forces = ps.Torque("link", push), ps.Torque("link", pull, potential=lambda R, p: -R[2][2])
    run = run_of(mechanism(joint, *forces), every=3, archive=path if while_running else None)
    if not while_running:
        assert run.save(path) == path
    loaded = ps.load(path)
    same(loaded, run)
    assert np.array_equal(loaded.energy, run.energy)
    assert np.array_equal(loaded.rotation("link"), run.rotation("link"))
    estimate = "state at the end"  # a run of a file does not make steps again
    lines = str(run.report()).splitlines()
    assert str(loaded.report()).splitlines() == [one for one in lines if not one.startswith(estimate)]


def test_save_replaces_an_old_file_and_keeps_it_if_it_cannot(tmp_path, monkeypatch):
    path = tmp_path / "run.poinsot"
    first, second = run_of(mechanism(), steps=3), run_of(mechanism(), steps=4)
    first.save(path)
    second.save(path)
    same(ps.load(path), second)
    assert os.listdir(tmp_path) == ["run.poinsot"]
    monkeypatch.setattr("poinsot.run.archive.writer.ending", lambda run: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        first.save(path)
    same(ps.load(path), second)


@pytest.mark.parametrize("joint", JOINTS)
def test_a_loaded_run_goes_on_to_the_same_bits(joint, tmp_path):
    m = mechanism(joint)
    whole, half = run_of(m, steps=20), run_of(m, steps=11)
    loaded = ps.load(half.save(tmp_path / "half.poinsot"))
    rest = run_of(loaded.mechanism, loaded.final, steps=9)
    for name in COLUMNS:
        assert np.array_equal(getattr(rest.trajectory, name), getattr(whole.trajectory, name)[11:]), name


def test_a_loaded_mechanism_is_the_one_that_was_saved(tmp_path):
    m = ps.Mechanism(gravity=(1, 2, 3))
    m.add("box", ps.Box((1, 2, 3)).body(mass=2.0), ps.Spherical(), rotation=(0, 1, 0, 0))
    start = m.state({"box": {"angular_velocity": (1, 2, 3)}})
    loaded = ps.load(
        ps.simulate(m, start, "rk4", step=0.01, steps=2).save(tmp_path / "run.poinsot")
    ).mechanism
    assert loaded.gravity.tolist() == [1, 2, 3]
    old, new = m.link("box"), loaded.link("box")
    assert (new.body.mass, new.joint, new.parent) == (old.body.mass, old.joint, old.parent)
    for name in ("at", "rotation", "body_at", "body_rotation"):
        assert np.array_equal(getattr(new, name), getattr(old, name)), name
    assert np.array_equal(new.body.inertia, old.body.inertia)


# refusals


def test_an_existing_file_is_not_written_over_by_a_run(tmp_path):
    path = tmp_path / "mine"
    path.write_text("mine")
    with pytest.raises(ps.ArchiveError, match="the file exists"):
        run_of(mechanism(), archive=path)
    assert path.read_text() == "mine"


@pytest.mark.parametrize(
    "content", [b"", b"PK\x03\x04", b"POINSOT", b"POINSOT2\n", b"POINSOT1\n", b"POINSOT1\n" + bytes(99)]
)
def test_what_is_no_archive_is_refused(content, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(ps.ArchiveError) as caught:
        ps.load(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_a_loaded_run_that_is_saved_again_still_knows_what_its_file_lacks(tmp_path):
    run = run_of(mechanism("free", ps.Torque("link", push)))
    loaded = ps.load(run.save(tmp_path / "a.poinsot"))
    again = ps.load(loaded.save(tmp_path / "b.poinsot"))
    assert again.mechanism.missing == loaded.mechanism.missing != ()
    with pytest.raises(ps.ModelError, match="cannot hold forces"):
        run_of(again.mechanism)


def test_a_missing_file_or_folder_is_refused(tmp_path):
    for path in (tmp_path / "nothing", tmp_path):
        with pytest.raises(ps.ArchiveError, match="cannot be read"):
            ps.load(path)
    with pytest.raises(ps.ArchiveError, match="cannot be written: No such file or directory"):
        run_of(mechanism(), steps=1).save(tmp_path / "nowhere" / "run.poinsot")


# damage


def part_or_error(path, run):
    """Load samples of the run of which the last one is its final state, or raise ArchiveError: 0 samples.

    Returns their number, and the warnings.
    """
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            found = ps.load(path)
        except ps.ArchiveError:
            return 0, told
    there = np.isin(run.time, found.time)
    for name in COLUMNS:
        assert np.array_equal(getattr(found.trajectory, name), getattr(run.trajectory, name)[there]), name
    assert found.final.time == found.time[-1]
    assert np.array_equal(found.final.v, found.trajectory.v[-1])
    assert all(one.category is ps.ArchiveWarning for one in told)
    return len(found.time), told


def test_a_file_cut_anywhere_gives_what_is_before_the_cut(archive, tmp_path):
    run, data = archive
    path, lengths, silent = tmp_path / "cut.poinsot", [], 0
    for size in range(len(data)):
        path.write_bytes(data[:size])
        length, told = part_or_error(path, run)
        lengths.append(length)
        silent += length > 0 and not told
    assert lengths == sorted(lengths)
    assert {0, 1, 3, 5, 6} == set(lengths)  # the start, then two samples a chunk
    assert silent == 4  # cut between two blocks: nothing was torn


def test_a_file_with_wrong_bytes_gives_all_other_blocks_and_says_so(archive, tmp_path):
    run, data = archive
    path, random = tmp_path / "wrong.poinsot", np.random.default_rng(17)
    for _ in range(500):
        wrong = bytearray(data)
        for place in random.integers(len(data), size=random.integers(1, 4)):
            wrong[place] ^= int(random.integers(1, 256))
        path.write_bytes(wrong)
        length, told = part_or_error(path, run)
        assert length == 0 or told


def test_a_header_that_is_well_formed_but_wrong_is_an_archive_error(archive, tmp_path):
    """What a newer version might write: each of its values replaced by something else."""
    _, data = archive
    whole = tmp_path / "whole.poinsot"
    whole.write_bytes(data)
    kinds = list(blocks(whole))
    header = json.loads(kinds[0][1])
    for key in header:
        for k, value in enumerate((None, -1, "x", [], {}, 1e300)):
            path = tmp_path / f"{key}-{k}.poinsot"
            writer = Writer(path)
            writer.data("H", {**header, key: value})
            for kind, payload in kinds[1:]:
                writer.block(kind, payload)
            writer.close()
            with contextlib.suppress(ps.ArchiveError):
                ps.load(path)


ENDLESS = """
import sys, poinsot as ps
m = ps.Mechanism().add("link", ps.Body(1.0, (1.0, 1.3, 1.7), (0.1, 0.2, 0.3)), ps.Spherical())
start = m.state({"link": {"angular_velocity": (1, 2, 3)}})
ps.simulate(m, start, "nmb", step=1e-3, steps=10**12, every=1000, archive=sys.argv[1])
"""


def test_a_killed_run_leaves_its_samples(environment, tmp_path):
    path = tmp_path / "killed.poinsot"
    process = subprocess.Popen([sys.executable, "-c", ENDLESS, str(path)], env=environment)
    try:
        limit = time.monotonic() + 60
        while time.monotonic() < limit and not (path.exists() and path.stat().st_size > 100_000):
            assert process.poll() is None
            time.sleep(0.02)
    finally:
        process.kill()
        process.wait()
    run = ps.load(path)
    assert run.interrupted
    assert len(run.time) > 100
    assert run.time.tolist() == [k * 1000 * 1e-3 for k in range(len(run.time))]
    assert run.final.time == run.time[-1]
    again = ps.simulate(run.mechanism, run.at(0.0), "nmb", step=1e-3, steps=50_000, every=1000)
    assert np.array_equal(run.trajectory.v[:51], again.trajectory.v)


# xarray


def test_a_dataset_has_named_axes():
    run = run_of(mechanism())
    data = run.to_xarray()
    sizes = {"time": 21, "axis": 3, "body": 1, "wxyz": 4, "coordinate": 7, "rate": 6}
    assert dict(data.sizes) == sizes
    assert np.array_equal(data.time, run.time)
    assert np.array_equal(data.energy, run.energy)
    assert np.array_equal(data.quaternion.sel(body="link"), run.quaternion("link"))
    assert np.array_equal(data.velocity.sel(body="link", axis="z"), run.velocity("link")[:, 2])
    assert data.attrs["method"] == "nmb"
