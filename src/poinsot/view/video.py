"""Films of a page: a browser without a window draws the pictures, ffmpeg encodes them (extra `video`).

run.to_video("top.mp4", seconds=10, speed=1.0)
"""

import base64
import math
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from poinsot.errors import ScenarioError
from poinsot.formats.paths import PathLike, file_path, replaced
from poinsot.model import checks
from poinsot.view.browser import Browser, BrowserError
from poinsot.view.display import Visible
from poinsot.view.look import USUAL, Look
from poinsot.view.page import html_of, write

KINDS = (".mp4", ".gif")
FASTEST, MOST_PICTURES = 1000, 1_000_000  # per second, and of a film: 9 hours at 30 per second
LONGEST = 20.0  # seconds, unless a longer film is asked for
MP4 = ["-c:v", "libx264", "-preset", "medium", "-crf", "20", "-pix_fmt", "yuv420p", "-movflags", "+faststart"]
GIF = [
    "-filter_complex",
    "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer:bayer_scale=3",
]


def film(
    path: PathLike,
    runs: Any,
    *,
    seconds: float | None = None,
    speed: float | None = None,
    rate: int | None = None,
    size: tuple[int, int] = (1280, 720),
    look: str = "",
    progress: bool = False,
    picture: Look = USUAL,
    **texts: Any,
) -> Path:
    """Write a film of runs; `Run.to_video` explains the options.

    By default the film shows the whole run in at most 20 seconds.
    """
    target = file_path(path)
    kind = target.suffix.lower()
    if kind not in KINDS:
        raise ScenarioError(f"{target}: the name of a film must end in {' or '.join(KINDS)}")
    pixels = checks.real(size)
    if pixels.shape != (2,) or not (pixels >= 64).all() or not (pixels <= 8192).all():
        raise ScenarioError(f"size must be between 64 and 8192 pixels, two numbers, got {checks.show(size)}")
    width, height = (int(x) // 2 * 2 for x in pixels)  # ffmpeg needs even numbers
    if rate is not None and (not isinstance(rate, int) or isinstance(rate, bool) or not 1 <= rate <= FASTEST):
        raise ScenarioError(f"rate must be a whole number from 1 to {FASTEST}, got {checks.show(rate)}")
    pictures_per_second = (15 if kind == ".gif" else 30) if rate is None else rate
    if not isinstance(progress, bool):
        raise ScenarioError(f"progress must be True or False, got {checks.show(progress)}")
    if not isinstance(look, str):
        raise ScenarioError(f"look must be a text, got {checks.show(look)}")
    shown = list(runs.values())
    for run in shown:
        if not isinstance(run, Visible):
            raise ScenarioError(f"film: expected a run, got {checks.show(run)}")
    if not all(len(run.time) for run in shown):
        raise ScenarioError("a run without samples cannot be filmed")
    begin, end = min(run.time[0] for run in shown), max(run.time[-1] for run in shown)
    times = schedule(float(begin), float(end), seconds, speed, pictures_per_second)
    program = ffmpeg()
    page = html_of(runs, look=picture, **texts)
    with tempfile.TemporaryDirectory(prefix="poinsot-") as folder:
        source = write(Path(folder) / "run.html", page)
        try:
            with replaced(target) as fresh:
                pictures = draw(source, folder, times, width, height, look)
                encode(program, _count(pictures, len(times), progress), fresh, kind, pictures_per_second)
        except OSError as error:
            raise ScenarioError(f"{target}: cannot be written: {error.strerror}") from None
    return target


def schedule(begin: float, end: float, seconds: float | None, speed: float | None, rate: int) -> list[float]:
    """Return the times of the pictures."""
    span = end - begin
    for what, value in (("speed", speed), ("seconds", seconds)):
        given = checks.real(value)
        if value is not None and (given.shape != () or not (math.isfinite(given) and given > 0)):
            raise ScenarioError(f"{what} must be a positive number, got {checks.show(value)}")
    if speed is None:
        speed = max(1.0, span / LONGEST) if seconds is None else span / seconds
    length = span / speed if speed else 0.0
    length = length if seconds is None else min(length, seconds)
    if not length * rate <= MOST_PICTURES:
        raise ScenarioError(f"a film of {length:.3g} s has too many pictures: give seconds= or speed=")
    count = max(1, round(length * rate))
    return [min(end, begin + speed * i / rate) for i in range(count)]


def ffmpeg() -> str:
    """Return the path of ffmpeg."""
    try:
        from imageio_ffmpeg import get_ffmpeg_exe
    except ImportError:
        raise ScenarioError("films need imageio-ffmpeg: pip install 'poinsot[video]'") from None
    return str(get_ffmpeg_exe())


def draw(
    source: Path, folder: str, times: Iterable[float], width: int, height: int, look: str
) -> Iterator[bytes]:
    """Yield a PNG for each time."""
    with Browser(folder) as browser:
        tab = browser.tab(width, height)
        tab.go(f"{source.as_uri()}#clean=1{'&' + look if look else ''}")
        tab.wait("window.poinsot?.ready")
        if not tab.evaluate("poinsot.draws"):
            raise BrowserError("films need a browser with WebGL, and this one has none: see POINSOT_BROWSER")
        for time in times:
            address = tab.evaluate(f"(poinsot.seek({time!r}), poinsot.picture())")
            yield base64.b64decode(address.partition(",")[2])


def encode(program: str, pictures: Iterable[bytes], target: Path, kind: str, rate: int) -> None:
    """Encode the pictures with ffmpeg."""
    command = [
        program,
        "-loglevel",
        "error",
        "-y",
        "-f",
        "image2pipe",
        "-c:v",
        "png",
        "-framerate",
        str(rate),
        "-i",
        "-",
    ]
    with tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(
            [*command, *(GIF if kind == ".gif" else MP4), str(target)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=complaints,
        )
        assert process.stdin is not None
        try:
            for picture in pictures:
                process.stdin.write(picture)
            process.stdin.close()
        except BrokenPipeError:
            pass
        except BaseException:
            process.kill()
            with suppress(OSError):
                process.stdin.close()
            process.wait()
            raise
        if process.wait():
            complaints.seek(0)
            raise ScenarioError(f"ffmpeg failed: {complaints.read().decode(errors='replace').strip()[-300:]}")


def _count(pictures: Iterable[bytes], total: int, progress: bool) -> Iterable[bytes]:
    """Show a progress bar, if it is wanted, while the pictures are consumed."""
    if not progress:
        return pictures
    from tqdm import tqdm

    counted: Iterable[bytes] = tqdm(pictures, total=total, unit=" pictures", leave=False)
    return counted
