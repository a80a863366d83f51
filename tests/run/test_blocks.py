"""The file of a run: samples and checkpoint are one block, and a reader says what it skips."""

import os
import struct
import zlib

import numpy as np
import pytest

import poinsot as ps
from poinsot.run.archive.blocks import CHECK, HEAD, MAGIC, SYNC, blocks

H = 0.002


def top(method="hstagm"):
    body = ps.Cylinder(radius=0.3, length=0.1).body(mass=1.0, center_of_mass=(0, 0, 0.4))
    m = ps.Mechanism().add("top", body, ps.Spherical())
    start = m.state({"top": dict(rotation=ps.so3.exp((0.3, 0, 0)), angular_velocity=(0, 0, 30))})
    return m, start, method


def places(path):
    """Kind, first and last byte of every block."""
    data, at, found = path.read_bytes(), len(MAGIC), []
    while at < len(data):
        kind, length = HEAD.unpack_from(data, at + len(SYNC))
        end = at + len(SYNC) + HEAD.size + CHECK.size + length
        found.append((kind.decode(), at, end))
        at = end
    return found


@pytest.fixture
def written(tmp_path, monkeypatch):
    """A run of many chunks with a two-step method, and its archive."""
    from support.chunks import chunks_of

    chunks_of(monkeypatch, 50)
    m, start, method = top()
    path = tmp_path / "top.poinsot"
    run = ps.simulate(m, start, method, step=H, steps=400, every=10, archive=path)
    return m, run, path


def test_a_run_goes_on_to_the_same_bits_from_every_block(written, tmp_path):
    """Wherever the writer was killed: samples never come without the memory of the method."""
    m, run, path = written
    found, data = places(path), path.read_bytes()
    assert [kind for kind, _, _ in found] == ["H", *["P"] * 9, "E"]
    for k, (_, begin, end) in enumerate(found[2:-1], start=2):
        for cut in (end, end - 1, begin + 3):  # complete, and torn in two places
            torn = tmp_path / f"{k}-{cut}.poinsot"
            torn.write_bytes(data[:cut])
            if cut == end:
                loaded = ps.load(torn)
            else:
                with pytest.warns(ps.ArchiveWarning, match="cut short"):
                    loaded = ps.load(torn)
            left = 400 - round(loaded.final.time / H)
            assert left == 400 - 50 * (k - 1 if cut == end else k - 2)
            if left < 400:
                more = ps.simulate(m, loaded.final, "hstagm", step=H, steps=left, every=10)
                assert np.array_equal(more.final.q, run.final.q)
                assert np.array_equal(more.final.v, run.final.v)


def test_one_flipped_bit_costs_one_block_and_is_told(written):
    _, run, path = written
    found, data = places(path), bytearray(path.read_bytes())
    for part in range(4):  # sync mark, length, checksum, payload
        _, begin, end = found[4]
        place = (begin + 2, begin + len(SYNC) + 3, begin + len(SYNC) + HEAD.size + 1, end - 9)[part]
        harmed = bytearray(data)
        harmed[place] ^= 4
        path.write_bytes(harmed)
        with pytest.warns(ps.ArchiveWarning, match=f"bytes {begin} to {end}: the block is damaged"):
            loaded = ps.load(path)
        assert len(loaded.time) == len(run.time) - 5
        assert set(loaded.time) < set(run.time)
        assert np.array_equal(loaded.final.q, run.final.q)
        assert not loaded.interrupted


def test_old_files_are_read_past_a_damaged_block(tmp_path):
    """Format 1 has no sync marks: a reader goes on where the damaged block says that it ends."""
    m, start, _ = top()
    run = ps.simulate(m, start, "srkn4", step=H, steps=20)
    path = run.save(tmp_path / "new.poinsot")
    parts = dict(blocks(path))
    rows = np.column_stack([run.time, run.trajectory.q, run.trajectory.v, 0 * run.time, 0 * run.time])

    def block(kind, payload):
        head = HEAD.pack(kind, len(payload))
        return head + CHECK.pack(zlib.crc32(payload, zlib.crc32(head))) + payload

    pieces = [block(b"H", parts["H"])] + [block(b"S", rows[k : k + 7].tobytes()) for k in (0, 7, 14)]
    old = tmp_path / "old.poinsot"
    old.write_bytes(b"POINSOT1\n" + b"".join(pieces))
    assert np.array_equal(ps.load(old).time, run.time)
    harmed = bytearray(pieces[2])
    harmed[-5] ^= 1
    old.write_bytes(b"POINSOT1\n" + b"".join([*pieces[:2], bytes(harmed), pieces[3]]))
    with pytest.warns(ps.ArchiveWarning, match="damaged"):
        loaded = ps.load(old)
    assert np.array_equal(loaded.time, np.delete(run.time, range(7, 14)))


def test_a_newer_format_is_not_called_damaged(tmp_path):
    path = tmp_path / "new.poinsot"
    path.write_bytes(b"POINSOT3\n" + bytes(100))
    with pytest.raises(ps.ArchiveError, match="written by a newer version of Poinsot"):
        ps.load(path)


def test_what_is_not_a_regular_file_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    for path in (tmp_path / "fifo", tmp_path, "/dev/zero"):
        with pytest.raises(ps.ArchiveError, match=r"regular file|directory"):
            ps.load(path)


def test_deeply_nested_json_is_an_archive_error(tmp_path):
    payload = b"[" * 100_000
    head = HEAD.pack(b"H", len(payload))
    path = tmp_path / "deep.poinsot"
    path.write_bytes(MAGIC + SYNC + head + CHECK.pack(zlib.crc32(payload, zlib.crc32(head))) + payload)
    with pytest.raises(ps.ArchiveError, match="not a JSON object"):
        ps.load(path)


def test_a_length_beyond_the_file_is_not_believed(tmp_path):
    path = tmp_path / "long.poinsot"
    path.write_bytes(MAGIC + SYNC + struct.pack("<cQI", b"H", 1 << 62, 0) + bytes(50))
    with pytest.raises(ps.ArchiveError, match="no samples"):
        ps.load(path)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("nq", "4"),
        ("every", 0),
        ("versions", [1]),
        ("forces", [1, 2]),
        ("method", 5),
        ("driven", "x"),
        ("step", True),
    ],
)
def test_a_header_of_the_wrong_types_is_refused(tmp_path, field, value):
    import json

    m, start, _ = top()
    run = ps.simulate(m, start, "srkn4", step=H, steps=3)
    found = list(blocks(run.save(tmp_path / "good.poinsot")))
    header = {**json.loads(found[0].payload), field: value}
    path = tmp_path / "bad.poinsot"
    with open(path, "wb") as file:
        file.write(MAGIC)
        for kind, payload in [("H", json.dumps(header).encode()), *found[1:]]:
            head = HEAD.pack(kind.encode(), len(payload))
            file.write(SYNC + head + CHECK.pack(zlib.crc32(payload, zlib.crc32(head))) + payload)
    with pytest.raises(ps.ArchiveError):
        ps.load(path)


def test_a_block_of_samples_without_the_length_of_its_checkpoint_is_refused(tmp_path):
    from attacks.odd_archives import archive

    m, start, _ = top()
    head, *_ = blocks(ps.simulate(m, start, "srkn4", step=H, steps=3).save(tmp_path / "good.poinsot"))
    path = tmp_path / "bad.poinsot"
    path.write_bytes(archive([head, ("P", b"1234")]))
    with pytest.raises(ps.ArchiveError, match="a block of samples is too short"):
        ps.load(path)


def test_save_writes_through_a_link_and_refuses_special_files(tmp_path):
    m, start, _ = top()
    run = ps.simulate(m, start, "srkn4", step=H, steps=3)
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "x.poinsot", tmp_path / "link.poinsot"
    target.write_text("old")
    link.symlink_to(target)
    run.save(link)
    assert link.is_symlink()
    assert np.array_equal(ps.load(target).time, run.time)
    os.mkfifo(tmp_path / "fifo.poinsot")
    with pytest.raises(ps.ArchiveError, match="regular file"):
        run.save(tmp_path / "fifo.poinsot")
    with pytest.raises(ps.PoinsotError, match="regular file"):
        run.to_html(tmp_path / "fifo.poinsot")


def test_a_record_function_that_fails_does_not_lose_the_run():
    m, start, _ = top()

    def sensor(t, state):
        if state.time > 0.01:
            raise ValueError("out of range")
        return state.time

    with pytest.raises(ps.ScenarioError, match="record 'x': ValueError: out of range") as caught:
        ps.simulate(m, start, "srkn4", step=H, steps=20, record={"x": sensor})
    assert len(caught.value.run.time) == 21
