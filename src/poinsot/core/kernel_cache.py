"""Where compiled kernels are on disk.  (`kernel_files` reads and writes them; this file needs no compiler.)

    poinsot/kernels/<compilers>/    in the package, read only: a wheel may bring them
    <user's cache>/<compilers>/     what was compiled here, in a folder that nobody else can write

are looked at in this order; <compilers> stands for the versions of Numba and LLVM.  Inside a folder a
kernel is known by its name, the code that it can reach (`kernel_key`), its signature, the version of Python
and the processor that it is for (the baseline of `target`: files may be carried to another machine).
(Numba's own key hashes what a closure holds, which differs from process to process, so that kernels made by a
factory would never be found again.)  Only our kernels use these folders; other Numba code in the process is
not touched.
"""

import atexit
import hashlib
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

from poinsot.core.numba_parts.versions import versions

PACKAGE = Path(__file__).resolve().parents[1]
KERNELS = ("core", "elementary", "lie")  # folders whose files become machine code
PACKAGED = PACKAGE / "kernels"  # of a wheel with its kernels inside
FOLDERS = 3  # cache folders of other compilers that stay
VERSIONS = 4  # files of a kernel, of different sources, that stay
USER = "user_"  # begin of the names of users' functions
HOUR = 3600.0  # seconds
MOST = 1000  # files of users' functions that stay

compiled: list[str] = []  # names of the kernels that this process compiled
loaded: list[Path] = []  # files of the kernels that it found


@cache
def compilers() -> str:
    """Sixteen hex digits that change with the versions of what compiles."""
    return hashlib.sha256(repr(sorted(versions().items())).encode()).hexdigest()[:16]


@cache
def digest() -> str:
    """Sixteen hex digits that change when Numba, LLVM or a source file of a kernel changes: for records."""
    text = hashlib.sha256("".join(f"{version} " for version in versions().values()).encode())
    for path in sorted(path for folder in KERNELS for path in (PACKAGE / folder).rglob("*.py")):
        text.update(path.relative_to(PACKAGE).as_posix().encode())
        text.update(path.read_bytes())
    return text.hexdigest()[:16]


def cache_home() -> Path:
    """Where compiled kernels live; POINSOT_CACHE_DIR overrides the user's cache folder."""
    chosen = os.environ.get("POINSOT_CACHE_DIR")
    if chosen:
        return Path(chosen)
    with suppress(RuntimeError):  # a user without a home
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "poinsot"
    return _shared_home()


@cache
def _shared_home() -> Path:
    """A folder below the temporary one, which everybody can write: ours alone, or a new one."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"poinsot-{user}"
    with suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        facts = folder.lstat()
        if stat.S_ISDIR(facts.st_mode) and facts.st_uid == user and not facts.st_mode & 0o077:
            return folder
    private = tempfile.mkdtemp(prefix="poinsot-")  # somebody else was there first
    atexit.register(shutil.rmtree, private, ignore_errors=True)
    return Path(private)


@cache
def cache_folder() -> Path:
    """The user's folder for these compilers: new kernels are written there."""
    return cache_home() / compilers()


def folders() -> list[Path]:
    """The folders in which kernels are looked for, in this order; they need not exist."""
    return [PACKAGED / compilers(), cache_folder()]


def prune() -> None:
    """Remove the folders of compilers that are long gone."""
    others = [path for path in cache_home().glob("[0-9a-f]" * 16) if path.is_dir()]
    for old in sorted(others, key=lambda path: path.stat().st_mtime)[:-FOLDERS]:
        shutil.rmtree(old, ignore_errors=True)


def prune_files(name: str) -> None:
    """Remove the files of a kernel that were used longest ago; of users' functions, if there are too many."""
    mine = name.startswith(USER)
    files = [
        (_last_use(path), path) for path in cache_folder().glob(f"{USER}*" if mine else f"{name}-*.kernel")
    ]
    most, stay = (MOST, MOST // 2) if mine else (VERSIONS, VERSIONS)
    if len(files) > most:
        for _, path in sorted(files)[:-stay]:
            path.unlink(missing_ok=True)


def note_use(path: Path) -> None:
    """Note that a file was used, at most once an hour."""
    with suppress(OSError):  # not ours to write
        if time.time() - path.stat().st_mtime > HOUR:
            os.utime(path)


def _last_use(path: Path) -> float:
    with suppress(OSError):  # somebody else removed it
        return path.stat().st_mtime
    return 0.0


class Waiting:
    """Compiling takes seconds, once: `tell` is called before, with the name of the entry."""

    tell: Callable[[str], None] | None = None
    seconds = 0.0  # that this process has spent compiling
    depth = 0  # of entries that are compiled for another one
