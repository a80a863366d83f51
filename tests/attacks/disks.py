"""Full disks: a limit on the size of files that is hit somewhere, and /dev/full.

What must hold: a PoinsotError of one line, or success; a file that was there before is still the same unless
the new one is complete; no temporary file is left; what an archive has acknowledged can be read.
"""

import os
import resource
import signal
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import poinsot as ps
from attacks.arguments import told
from attacks.attempt import Attempt, Attempts
from attacks.kills import Problem, problems
from poinsot.run.dataset import to_netcdf

OLD = b"what was there before"


def writers(run: ps.Run) -> dict[str, Callable[[Path], Any]]:
    """Return what writes a file of a run, by the ending of its name."""
    return {
        "save.poinsot": run.save,
        "page.html": run.to_html,
        "table.csv": lambda path: run.to_csv(path),
        "figure.svg": run.plot,
        "figure.png": run.plot,
        "samples.nc": lambda path: to_netcdf([run], path),
    }


def limited(action: Callable[[], Any], bytes_: int) -> str:
    """Do something in a child whose files cannot grow beyond a size; return what did not hold."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        text = ""
        try:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # then a write fails with EFBIG
            resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, bytes_))
            action()
        except ps.PoinsotError as error:
            text = "" if "\n" not in str(error) else f"a message of several lines: {str(error)[:80]!r}"
        except BaseException as error:
            text = told(error)
        finally:
            os.write(write, text.encode("utf-8", "replace"))
            sys.stderr.flush()
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        said = pipe.read().decode("utf-8", "replace")
    _, status = os.waitpid(child, 0)
    return said or ("" if status == 0 else f"the process died with status {status}")


def outcome(name: str, write: Callable[[Path], Any], folder: Path, size: int) -> str:
    """Return what did not hold for one writer and one limit."""
    path = folder / name
    for one in folder.iterdir():
        one.unlink()
    path.write_bytes(OLD)
    failure = limited(lambda: write(path), size)
    left = [one.name for one in folder.iterdir() if one.name != name]
    if failure or left:
        return failure or f"left behind: {', '.join(left)}"
    found = path.read_bytes()
    whole = name.endswith((".csv", ".svg", ".png"))  # written in place: shells have these for pipes
    if not whole and found != OLD and len(found) >= size:
        return "the file that was there is replaced by an incomplete one"
    return ""


def journal(problem: Problem, folder: Path, size: int) -> str:
    """Return what did not hold when an archive could not be written to its end."""
    path = folder / "run.poinsot"
    path.unlink(missing_ok=True)
    failure = limited(lambda: problem.go(problem.start, 2000, archive=path), size)
    if failure or not path.exists():
        return failure
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ps.load(path)
        except ps.ArchiveError:
            return ""  # not even a block
        finally:
            path.unlink()
    return ""


def attempts(rng: Random, folder: Path) -> Attempts:
    """Yield full disks without end."""
    warnings.simplefilter("ignore")
    s = ps.scenario("fast-top")
    run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.002, until=0.2)
    known, runs = writers(run), problems()
    scratch = folder / "disk"
    scratch.mkdir(exist_ok=True)
    for name, write in known.items():
        write(folder / name)  # everything is imported before the disk is full
    for name, write in known.items():
        try:
            write(Path("/dev/full"))
            failure = "" if name.startswith("figure") else "success on /dev/full"
        except ps.PoinsotError:
            failure = ""
        except Exception as error:
            failure = told(error)
        yield Attempt(f"{name} to /dev/full", failure)
    sizes = {name: (folder / name).stat().st_size for name in known}
    while True:
        if rng.random() < 0.3:
            which = rng.choice(list(runs))
            yield Attempt(f"archive of {which}", journal(runs[which], scratch, rng.randrange(60_000)))
        else:
            name = rng.choice(list(known))
            size = rng.randrange(int(1.2 * sizes[name]))
            yield Attempt(f"{name} with a limit", outcome(name, known[name], scratch, size))
