"""Paths, and files that are written completely or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PathLike = str | os.PathLike[str]


@contextmanager
def replaced(path: PathLike) -> Iterator[Path]:
    """Yield a new path beside `path` to write to; the new file replaces `path` when the block ends.

    If the block raises an error, the new file is removed and `path` stays as it was.
    """
    target = Path(path)
    fresh = target.with_name(f"{target.stem}.{os.getpid()}.part{target.suffix}")
    fresh.unlink(missing_ok=True)
    try:
        yield fresh
        os.replace(fresh, target)
    finally:
        fresh.unlink(missing_ok=True)
