"""During a run: Ctrl-C and SIGTERM are deferred to the end of a chunk, and a bar shows the progress."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from poinsot.core.signals import Terminated, deferred, interrupt

LONG = 2.0  # seconds after which a run shows its progress on a terminal


class Progress:
    """What a run says while it is under way: call it at the end of each chunk of steps."""

    def __init__(self, bar: Any = None, arrived: list[int] | None = None, inside: bool = False) -> None:
        self.bar = NoBar() if bar is None else bar
        self.arrived = [] if arrived is None else arrived  # interrupt signals so far
        self.inside = inside  # True: a function of the user made this run inside another run

    def __call__(self, steps: int) -> None:
        """Count the steps of a chunk; raise KeyboardInterrupt if Ctrl-C was pressed."""
        self.bar.update(steps)
        if self.arrived:
            raise interrupt(self.arrived)


@contextmanager
def interruptible(progress: bool | None, total: int) -> Iterator[Progress]:
    """Defer Ctrl-C to the end of the current chunk; yield what is to be called there.

    A run inside another one shares its signals: both end.
    """
    known = deferred.arrived if threading.current_thread() is threading.main_thread() else None
    inside = known is not None
    main = threading.current_thread() is threading.main_thread()
    bar = NoBar() if inside or (progress is None and not main) else _bar(progress, total)
    with bar as shown, _defer_signals() if known is None else nullcontext(known) as arrived:
        yield Progress(shown, arrived, inside)


@contextmanager
def _defer_signals() -> Iterator[list[int]]:
    """Collect interrupt signals in the list that is yielded; only the main thread receives them.

    SIGTERM is left to the program if it has a handler of its own.
    """
    arrived: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield arrived
        return
    numbers = [signal.SIGINT]
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        numbers.append(signal.SIGTERM)
    old = {one: signal.signal(one, lambda number, frame: arrived.append(number)) for one in numbers}
    deferred.arrived, deferred.raised = arrived, 0
    try:
        yield arrived
    finally:
        deferred.arrived = None
        for one, handler in old.items():
            signal.signal(one, handler)


def end_process(stop: KeyboardInterrupt) -> None:
    """After SIGTERM, end the process now that everything is kept."""
    if isinstance(stop, Terminated):
        signal.raise_signal(signal.SIGTERM)


def _bar(progress: bool | None, total: int) -> Any:
    """Return a progress bar, or a stand-in that shows nothing; None: a bar on a terminal, after a while."""
    if progress is False or (progress is None and not sys.stderr.isatty()):
        return NoBar()
    from tqdm import tqdm

    wait = LONG if progress is None else 0.0
    return tqdm(total=total, unit=" steps", unit_scale=True, leave=False, delay=wait)


class NoBar:
    """Stands in for a progress bar and shows nothing."""

    def __enter__(self) -> "NoBar":
        return self

    def __exit__(self, *error: object) -> None: ...

    def update(self, steps: int) -> None: ...
