"""While a run goes on: Ctrl-C waits for the end of a chunk of steps, and a bar shows the progress."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def interruptible(progress: bool, total: int) -> Iterator[Callable[[int], None]]:
    """Defer Ctrl-C to the end of the current chunk; yields what is to be called there."""
    with _bar(progress, total) as bar, _deferred() as noted:

        def chunk_done(steps: int) -> None:
            bar.update(steps)
            if noted:
                raise KeyboardInterrupt

        yield chunk_done


@contextmanager
def _deferred() -> Iterator[list[int]]:
    """The signals that have arrived; a thread that is not the main one gets none."""
    noted: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield noted
        return
    old = signal.signal(signal.SIGINT, lambda number, frame: noted.append(number))
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, old)


def _bar(progress: bool, total: int) -> Any:
    if not progress:
        return NoBar()
    from tqdm import tqdm

    return tqdm(total=total, unit=" steps", unit_scale=True, leave=False)


class NoBar:
    """In the place of a progress bar."""

    def __enter__(self) -> "NoBar":
        return self

    def __exit__(self, *error: object) -> None: ...

    def update(self, steps: int) -> None: ...
