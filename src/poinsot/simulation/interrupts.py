"""While a run goes on: Ctrl-C waits for the end of a portion, and a bar shows the progress."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def held_interrupts() -> Iterator[list[int]]:
    """Ctrl-C is noted and not raised, so that no portion of steps is torn in two."""
    noted: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield noted
        return
    old = signal.signal(signal.SIGINT, lambda number, frame: noted.append(number))
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, old)


def bar_of(progress: bool, total: int) -> Any:
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
