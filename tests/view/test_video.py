"""Films of a page: right length, right size, something moves; and what is said when they cannot be made."""

import subprocess

import numpy as np
import pytest
from PIL import Image

import poinsot as ps
from poinsot.cli import main
from poinsot.view import browser as machine
from poinsot.view import video
from support import synthetic

ffmpeg = pytest.importorskip("imageio_ffmpeg", reason="no imageio-ffmpeg: pip install 'poinsot[video]'")
needs_browser = pytest.mark.skipif(machine.find() is None, reason="no Chromium: install one or name it")


@pytest.fixture(scope="module")
def top():
    s = ps.scenario("fast-top")
    return ps.simulate(s.mechanism, s.start, "nmb", step=0.01, until=1.0)


@needs_browser
def test_mp4(top, tmp_path, capsys):
    path = top.to_video(tmp_path / "top.mp4", rate=8, size=(321, 240), progress=True)
    assert "/8 [" in capsys.readouterr().err
    raw = subprocess.run(
        [
            ffmpeg.get_ffmpeg_exe(),
            "-loglevel",
            "error",
            "-i",
            path,
            "-f",
            "rawvideo",
            "-pix_fmt",
            "rgb24",
            "-",
        ],
        capture_output=True,
        check=True,
    ).stdout
    pictures = np.frombuffer(raw, np.uint8).reshape(-1, 240, 320, 3)
    assert len(pictures) == 8
    assert all(np.abs(pictures[i].astype(int) - pictures[i + 1]).max() > 30 for i in range(7))


@needs_browser
@pytest.mark.slow
def test_gif_from_the_command_line(top, tmp_path, capsys):
    archive, target = top.save(tmp_path / "top.poinsot"), tmp_path / "top.gif"
    with pytest.raises(SystemExit) as end:
        main(["export", str(archive), "--gif", str(target), "--speed", "4", "--no-progress"])
    assert end.value.code in (0, None)
    assert capsys.readouterr().out == f"film: {target}\n"
    with Image.open(target) as film:
        assert film.n_frames == 4  # a quarter of a second, 15 a second
        assert film.size == (1280, 720)


def test_times_of_pictures():
    assert video.schedule(0, 1, None, None, 10) == pytest.approx([i / 10 for i in range(10)])
    assert len(video.schedule(0, 1000, None, None, 30)) == 600  # twenty seconds
    assert video.schedule(0, 1000, 2, None, 10)[1] == pytest.approx(50)
    assert len(video.schedule(0, 10, 2, 1.0, 10)) == 20
    assert video.schedule(3, 3, None, None, 30) == [3]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"path": "a.avi"}, "must end in .mp4 or .gif"),
        ({"speed": 0}, "speed must be a positive number"),
        ({"seconds": float("nan")}, "seconds must be a positive number"),
        ({"size": (2, 2)}, "size must be between"),
    ],
)
def test_mistakes(top, tmp_path, options, words):
    given = {"path": "a.gif", **options}
    with pytest.raises(ps.ScenarioError, match=words):
        top.to_video(tmp_path / given.pop("path"), **given)


def test_a_run_without_samples_has_no_film(tmp_path):
    empty = synthetic.run_of(synthetic.chain(1), np.zeros((0, 1)), np.zeros((0, 1)))
    with pytest.raises(ps.ScenarioError, match="without samples"):
        empty.to_video(tmp_path / "a.gif")


def test_without_a_browser_it_says_what_is_missing(top, tmp_path, monkeypatch):
    monkeypatch.setattr(machine, "find", lambda: None)
    with pytest.raises(ps.PoinsotError, match="POINSOT_BROWSER"):
        top.to_video(tmp_path / "a.gif")
    assert list(tmp_path.iterdir()) == []


def test_the_browser_that_is_named_comes_first(monkeypatch):
    monkeypatch.setattr(machine.shutil, "which", lambda name: f"/bin/{name}" if name == "chromium" else None)
    monkeypatch.delenv("POINSOT_BROWSER", raising=False)
    assert machine.find() == "/bin/chromium"
    monkeypatch.setenv("POINSOT_BROWSER", "/own/browser")
    assert machine.find() == "/own/browser"
