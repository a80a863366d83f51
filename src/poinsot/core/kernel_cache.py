"""Where compiled kernels are on disk.  (`kernel_files` reads and writes them; this file needs no compiler.)

    poinsot/kernels/<digest>/    in the package, read only: a wheel may bring them
    <user's cache>/<digest>/     what was compiled here, in a folder that nobody else can write

are looked at in this order.  The digest is of every source file that a kernel can be made of (`core`, which
imports `elementary` only, and `lie`), because Numba notices edits in the file of a kernel only, not
in the files that it imports.  Inside a folder a kernel is known by its name, its signature, the version of
Python and the processor that it is for (the baseline of `target`, so that files may be carried to another
machine); the digest vouches for the rest.  (Numba's own key hashes what a closure holds, which differs from
process to process, so that kernels made by a factory would never be found again.)  Only our kernels use these
folders; other Numba code in the process is not touched.
"""

import atexit
import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
KERNELS = ("core", "elementary", "lie")  # folders whose files become machine code
PACKAGED = PACKAGE / "kernels"  # of a wheel with its kernels inside
KEPT = 3  # cache folders of older sources that stay
COMPILERS = ("numba", "llvmlite")
USER = "user_"  # begin of the names of users' functions
MOST = 1000  # files of users' functions that stay

compiled: list[str] = []  # names of the kernels that this process compiled
loaded: list[Path] = []  # files of the kernels that it found


@cache
def versions() -> dict[str, str]:
    """Versions of what compiles, by name; of a program that carries them without their records: imported."""
    from importlib import import_module, metadata

    found = {}
    for name in COMPILERS:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = import_module(name).__version__
    return found


@cache
def digest() -> str:
    """Sixteen hex digits that change when Numba, LLVM or a source file of a kernel changes."""
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
    """The user's folder of this state of the source: new kernels are written there."""
    return cache_home() / digest()


def folders() -> list[Path]:
    """The folders in which kernels are looked for, in this order; they need not exist."""
    return [PACKAGED / digest(), cache_folder()]


def prune() -> None:
    """Remove the folders of long gone sources."""
    others = [path for path in cache_home().glob("[0-9a-f]" * 16) if path.is_dir()]
    for old in sorted(others, key=lambda path: path.stat().st_mtime)[:-KEPT]:
        shutil.rmtree(old, ignore_errors=True)


def prune_users() -> None:
    """Remove the oldest functions of users, if there are too many."""
    files = list(cache_folder().glob(f"{USER}*"))
    if len(files) > MOST:
        for path in sorted(files, key=lambda path: path.stat().st_mtime)[: -MOST // 2]:
            path.unlink(missing_ok=True)


class Waiting:
    """Compiling takes seconds, once: `tell` is called before, with the name of the entry."""

    tell: Callable[[str], None] | None = None
