"""Paths, and files that are written completely or not at all."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from poinsot.errors import PoinsotError, ScenarioError
from poinsot.model.checks import show

PathLike = str | os.PathLike[str]
ROBOTS = (".urdf", ".xacro", ".sdf", ".xml", ".mjcf", ".usd", ".usda", ".usdc", ".usdz")  # files of robots
COLLECTIONS = ("menagerie:", "description:")  # of robots that packages find by name


def file_path(path: PathLike) -> Path:
    """Return the path of a file; a ScenarioError is raised if it is not the name of one."""
    try:
        name = os.fspath(path)
        os.fsencode(name)  # half a character has no bytes
    except Exception:  # no path, or whatever `__fspath__` of a foreign object raises
        name = None
    if not isinstance(name, str) or "\0" in name:
        raise ScenarioError(f"path must be the name of a file, got {show(path)}")
    return Path(name)


def is_robot(path: object) -> bool:
    """Return whether this is the name of a file of a robot."""
    name = str(path) if isinstance(path, str | os.PathLike) else ""
    return name.lower().endswith(ROBOTS) or name.startswith(COLLECTIONS)


def refuse_robot(path: object, error: type[PoinsotError] = ScenarioError) -> None:
    """Raise an error that says what to do if this is the name of a file of a robot."""
    if is_robot(path):
        raise error(f"{show(str(path))} is a robot file: ps.read(path) makes a mechanism of it")


@contextmanager
def writing(target: Path) -> Iterator[None]:
    """Tell of an OSError in this block as of a file that cannot be written."""
    try:
        yield
    except OSError as error:
        raise ScenarioError(f"{target}: cannot be written: {error.strerror or error}") from None


def written_through(path: PathLike) -> Path:
    """Return the file that is to be written: the target of a link, or the path itself.
    An OSError is raised if there is something else than a regular file: a folder, a FIFO, a device."""
    target = file_path(path)
    with suppress(FileNotFoundError):
        target = Path(os.path.realpath(path)) if target.is_symlink() else target
        mode = target.stat().st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(21, "Is a directory", str(path))
        if not stat.S_ISREG(mode):
            raise OSError(22, "Not a regular file", str(path))
    return target


@contextmanager
def replaced(path: PathLike) -> Iterator[Path]:
    """Yield a new path beside `path` to write to; the new file replaces `path` when the block ends.

    A symbolic link stays a link: its target is replaced.  If the block raises an error, the new file is
    removed and `path` stays as it was.
    """
    target = written_through(path)
    fresh = target.with_name(f"{target.stem}.{os.getpid()}.part{target.suffix}")
    with suppress(OSError):  # a folder that cannot be written says so when the file is opened
        fresh.unlink(missing_ok=True)
    try:
        yield fresh
        os.replace(fresh, target)
    finally:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
