"""During a run: Ctrl-C is deferred to the end of a chunk of steps, and a bar shows the progress."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def interruptible(progress: bool, total: int) -> Iterator[Callable[[int], None]]:
    """Defer Ctrl-C to the end of the current chunk; yield the function to call there."""
    with _bar(progress, total) as bar, _deferred() as arrived:

        def chunk_done(steps: int) -> None:
            bar.update(steps)
            if arrived:
                raise KeyboardInterrupt

        yield chunk_done


@contextmanager
def _deferred() -> Iterator[list[int]]:
    """Collect interrupt signals in the list that is yielded; only the main thread receives them."""
    arrived: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield arrived
        return
    old = signal.signal(signal.SIGINT, lambda number, frame: arrived.append(number))
    try:
        yield arrived
    finally:
        signal.signal(signal.SIGINT, old)


def _bar(progress: bool, total: int) -> Any:
    """Return a progress bar, or a stand-in that shows nothing."""
    if not progress:
        return NoBar()
    from tqdm import tqdm

    return tqdm(total=total, unit=" steps", unit_scale=True, leave=False)


class NoBar:
    """Stands in for a progress bar and shows nothing."""

    def __enter__(self) -> "NoBar":
        return self

    def __exit__(self, *error: object) -> None: ...

    def update(self, steps: int) -> None: ...
