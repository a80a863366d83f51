"""Command lines: a table of plausible mistakes, and options with random odd values.

What must hold: an exit code of 0, 1, 2 or 130, and no traceback.  Commands run in this process.
"""

import contextlib
import io
import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import click

import poinsot as ps
from attacks.arguments import Hangs, patience, told, without_films
from attacks.attempt import Attempt, Attempts
from attacks.odd_archives import write_all
from poinsot.cli import COMMANDS, commands, main

CODES = (0, 1, 2, 130)
PATIENCE = 120  # seconds: the first run of a scenario may compile its method
SHORT = "--until 0.02"
ODD_TEXTS = (  # none of them leads out of the folder of the attack: options take them as paths
    *("", "x", "0", "-1", "5", "0.5", "nan", "inf", "-inf", "1e300", "1e-320", "1e400", "-0.0", "9" * 400),
    *("1,2", "1,", ",", "1;2", "[", "[]", "{}", "null", "true", '"', "'", "1_000", "0x10", "½", "١", "1 2"),
    *(".", "~", "-", "--", "\udcff", "a\nb", "<script>alert(1)</script>", "x" * 300),
)
TARGETS = (
    "folder",
    "good.poinsot/below",
    "/proc/nowhere/x",
    "/dev/full",
    "no\udcff.html",
    "",
    "x" * 300,
    ".",
)

LISTS = """
--help
nope
--version
methods x
methods --json --json
gallery nope
cite
cite nope
cite ''
doctor x
doctor --json
warm nope
warm nmb --all
warm nmb --processes 0
warm nmb --copy good.poinsot
warm nmb --copy .
reproduce
reproduce nope
reproduce --list nope
reproduce --list krysl2005 nope
reproduce --list '' --json
reproduce --list --html folder
reproduce --figures good.poinsot krysl2005/figure-01
reproduce --page folder
reproduce --page /proc/nowhere/x
reproduce --page no/such/folder/x.md
reproduce --out good.poinsot movingframe/kinematics
reproduce ../../etc/passwd
reproduce krysl2005/_printed
demo --out good.poinsot
new
new good.toml
new my.txt
new folder/x/my.toml
check
check good.toml
check bad.toml
check nope.toml
check folder
schema x
run good.toml --until 0.02
run good.toml --until 0.02 --set bodies.top.mass=2
run good.toml --set bodies.tip.mass=2
run good.toml --set bodies.top.mass='3 m'
run good.toml --set forces=1
run bad.toml
resume
resume good.poinsot
resume good.poinsot --until nan
resume good.poinsot --until 0.001
resume nope.poinsot
replay
replay good.poinsot --json
replay nope.poinsot
run
run nope
run ''
run fast-top --set bodies.top.center_of_mass=1e300,0,0
run fast-top --set bodies.top.mass=1e300
run fast-top --set bodies.top.mass=1e-300
run fast-top --set bodies.top.inertia=1e300,1e300,1e300
run fast-top --set gravity=1e300,0,0
run fast-top --set start.top.angular_velocity=1e300,0,0
run fast-top --set start.top.angular_velocity=1e160,1e160,1e160
run fast-top --set step=0
run fast-top --set step=-1
run fast-top --set step=nan
run fast-top --set until=nan
run fast-top --set until=-1
run fast-top --set time=1e300
run fast-top --set time=nan
run fast-top --set method=5
run fast-top --set method=[]
run fast-top --set bodies=5
run fast-top --set bodies.top=5
run fast-top --set bodies.top.joint=5
run fast-top --set bodies.top.joint={}
run fast-top --set 'bodies.top.joint={"kind": []}'
run fast-top --set 'bodies.top.joint={"kind": "revolute"}'
run fast-top --set 'bodies.top.joint={"kind": "revolute", "axis": 5}'
run fast-top --set bodies.top.parent=[]
run fast-top --set bodies.top.at=x
run fast-top --set bodies.top.shape=5
run fast-top --set bodies.top.physical=no
run fast-top --set bodies.top.rotation=1e300,0,0,0
run fast-top --set start.top=5
run fast-top --set start.top.nope=5
run fast-top --set start.nope.rotation=5
run fast-top --set a.b.c.d=5
run fast-top --set ....=5
run fast-top --set =5
run fast-top --set step
run fast-top --set step=
run n-four-bar --set N=0
run n-four-bar --set N=-1
run n-four-bar --set N=x
run n-four-bar --set N=0.5
run n-four-bar --set N=[]
run n-four-bar --set N=1e300
run n-four-bar --set N=100000000
run necklace --set N=1 --until 0.01
run 4disp-balance --set control.nope=5
run 4disp-balance --set control=5
run fast-top --every 0
run fast-top --every -1
run fast-top --every x
run fast-top --every 99999999999999999999999 --until 0.02
run fast-top --step 1e-300
run fast-top --step 1e300
run fast-top --until 1e300
run fast-top --until inf
run fast-top --step nan
run fast-top --accuracy nan
run fast-top --accuracy 0
run fast-top --accuracy -1
run fast-top --accuracy x
run fast-top --accuracy 1e-300 --until 0.1
run fast-top --accuracy 1e-3 --step 0.01
run bouncing-ball --until 5
run fast-top --method nope
run fast-top --method ''
run fast-top --method gauss3 --until 0.02
run fast-top --until 0.02 --out folder
run fast-top --until 0.02 --out good.poinsot
run fast-top --until 0.02 --out good.poinsot/below
run fast-top --until 0.02 --out /proc/nowhere/x
run fast-top --until 0.02 --out /dev/full
run fast-top --until 0.02 --out no/such/folder/x
compare
compare nope
compare fast-top --set step=0
compare fast-top --set step=nan
compare fast-top --set until=0
compare fast-top --set until=-1
compare fast-top --set until=1e300
compare fast-top --methods nope
compare fast-top --methods ,
compare fast-top --methods rk4 --steps 0
compare fast-top --methods rk4 --steps -1
compare fast-top --methods rk4 --steps nan
compare fast-top --methods rk4 --steps x
compare fast-top --methods rk4 --steps 1e-320
compare fast-top --methods rk4 --steps 1e300
compare fast-top --methods rk4 --reach 0
compare fast-top --methods rk4 --reach x
compare fast-top --methods rk4 --reach nan
compare fast-top --methods rk4 --reach inf --steps 0.01 --set until=0.02
compare fast-top --methods rk4 --figure x.gif
compare fast-top --methods rk4 --steps 0.01 --set until=0.02 --figure folder
compare fast-top --methods rk4 --steps 0.01 --set until=0.02 --csv folder
compare fast-top --methods rk4 --steps 0.01 --set until=0.02 --csv /proc/nowhere/x
compare fast-top --methods rk4 --steps 0.01 --set until=0.02 --figure /proc/nowhere/x.svg
compare fast-top --methods rk4 --steps 0.01 --set until=0.02 --html good.poinsot/below
compare fast-top --methods rk4 --steps 0.01 --set until=0.02 --json
export
export good.poinsot
export nope.poinsot --csv out.csv
export good.poinsot --mp4 x.avi
export good.poinsot --mp4 x.mp4 --seconds 0
export good.poinsot --mp4 x.mp4 --seconds nan
export good.poinsot --mp4 x.mp4 --speed -1
export good.poinsot --mp4 x.mp4 --speed 1e-300
export good.poinsot --gif x.mp4
view nope.poinsot --out page.html
view folder --out page.html
view good.poinsot --port 99999
view good.poinsot --port -1
view good.poinsot --port x
view good.poinsot --no-browser
"""


def outcome(words: list[str]) -> str:
    """Return what did not hold in a command, or an empty text."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors=how) for how in STREAMS)
    code: Any = None
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), patience(PATIENCE):
            main(words)
    except SystemExit as end:
        code = 0 if end.code is None else end.code
    except (Exception, Hangs) as error:
        return told(error)
    for stream in (out, err):
        stream.flush()
    said = (out.buffer.getvalue() + err.buffer.getvalue()).decode("utf-8", "replace")  # type: ignore[attr-defined]
    if "Traceback" in said:
        return f"a traceback: {said.splitlines()[-1]}"
    if code not in CODES:
        return f"exit code {code!r}"
    if code in (1, 2) and not err.buffer.getvalue():  # type: ignore[attr-defined]
        return f"exit code {code} without a word"
    return ""


STREAMS = ("strict", "backslashreplace")  # as Python opens stdout and stderr


@contextlib.contextmanager
def prepared(folder: Path) -> Iterator[list[str]]:
    """Work in a folder with a good archive, odd ones and a folder; yield the names of the odd ones."""
    s = ps.scenario("fast-top")
    with contextlib.chdir(folder), without_films(), _served_for_no_time():
        if not Path("good.poinsot").exists():
            Path("folder").mkdir()
            ps.simulate(s.mechanism, s.start, "srkn4", step=0.002, until=0.02).save("good.poinsot")
        os.environ["POINSOT_NO_BROWSER"] = "1"
        Path("good.toml").write_text(ps.to_toml(s))
        Path("bad.toml").write_text("step = 'x'\n[[bodies]]\nnmae = 1\n")
        yield write_all(Path(), Path("good.poinsot"))


@contextlib.contextmanager
def _served_for_no_time() -> Iterator[None]:
    with mock.patch("poinsot.view.server.Server.serve_forever", side_effect=KeyboardInterrupt):
        yield


def table(odd: list[str]) -> list[list[str]]:
    """Return all command lines of the table."""
    lines = [shlex.split(line) for line in LISTS.strip().splitlines()]
    for name in odd:
        for option in ("--csv out.csv", "--html out.html", "--netcdf out.nc", "--gif out.gif"):
            lines.append(["export", name, *option.split()])
        lines.append(["view", name, "--out", "out.html"])
        lines.append(["run", name])
        lines += [[command, name] for command in ("resume", "replay", "check")]
    for target in TARGETS:
        lines += [["export", "good.poinsot", option, target] for option in ("--csv", "--html", "--netcdf")]
        lines.append(["view", "good.poinsot", "--out", target])
        lines.append(["export", target, "--csv", "out.csv"])
        lines.append(["view", target, "--out", "out.html"])
        lines += [[command, target] for command in ("resume", "replay", "check", "new")]
    return lines


@contextlib.contextmanager
def without(*modules: str) -> Iterator[None]:
    """Behave as if these packages were not installed."""
    with mock.patch.dict(sys.modules, dict.fromkeys(modules)):
        yield


def missing(odd: list[str]) -> list[tuple[str, list[str]]]:
    """Return commands that need a package that is not installed."""
    short = ["compare", "fast-top", "--methods", "rk4", "--steps", "0.01", "--set", "until=0.02"]
    return [
        ("h5netcdf", ["export", "good.poinsot", "--netcdf", "out.nc"]),
        ("xarray", ["export", "good.poinsot", "--netcdf", "out.nc"]),
        ("imageio_ffmpeg", ["export", "good.poinsot", "--mp4", "out.mp4"]),
        ("matplotlib", [*short, "--figure", "x.svg"]),
        ("matplotlib", [*short, "--html", "x.html"]),
        ("matplotlib", ["reproduce", "--figures", "drawn", "movingframe/kinematics"]),
    ]


def attempts(rng: Random, folder: Path) -> Attempts:
    """Yield the table once, and then options with random values without end."""
    with prepared(folder) as odd:
        for package, words in missing(odd):
            with without(package, f"{package}.figure", f"{package}.backends"):
                yield Attempt(f"without {package}: {shlex.join(words)}", outcome(words))
        for words in table(odd):
            yield Attempt(shlex.join(words), outcome(words))
        while True:
            words = _random(rng)
            yield Attempt(shlex.join(words), outcome(words))


START = {
    "run": ["fast-top"],
    "compare": ["fast-top", "--methods", "rk4", "--set", "until=0.02"],
    "export": ["good.poinsot", "--csv", "out.csv"],
    "view": ["good.poinsot", "--out", "out.html"],
    "cite": ["rk4"],
    "resume": ["good.poinsot"],
    "replay": ["good.poinsot"],
    "check": ["good.toml"],
    "new": ["new.toml"],
    "reproduce": ["--list"],
    "warm": ["nmb"],
}
SETTINGS = ("step", "until", "method", "gravity", "time", "bodies.top.mass", "bodies.top.inertia", "bodies")
MORE_SETTINGS = (
    "bodies.top.center_of_mass",
    "bodies.top.joint",
    "start.top.angular_velocity",
    "control",
    "x",
)


def _random(rng: Random) -> list[str]:
    """Return a command with one or two random options."""
    name = rng.choice([one for one in COMMANDS if one != "demo"])
    found = commands.get_command(click.Context(commands), name)
    assert found is not None
    words = [name, *START.get(name, [])]
    options = [one for one in found.params if isinstance(one, click.Option)]
    for option in rng.sample(options, min(len(options), rng.choice((1, 1, 2)))):
        if option.opts[0] == "--all" or (name == "reproduce" and option.opts[0] in ("--figures", "--html")):
            continue  # hours, and half a minute: the table has them once
        if option.is_flag:
            words.append(option.opts[0])
        elif option.opts[0] == "--set":
            words += ["--set", f"{rng.choice(SETTINGS + MORE_SETTINGS)}={rng.choice(ODD_TEXTS)}"]
        else:
            words += [option.opts[0], rng.choice(ODD_TEXTS)]
    if rng.random() < 0.2 and len(words) > 1:
        words[1] = rng.choice(ODD_TEXTS)
    return words
