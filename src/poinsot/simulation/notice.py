"""What `ps.simulate` says on stderr while kernels are compiled for the first time: one line.

On a terminal and in a notebook the line appears when a compilation begins and is replaced; elsewhere it is
written once, at the end, if compiling took longer than a second.  Nothing is said with `progress=False`, or
where POINSOT_QUIET is set.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from poinsot.core import kernel_cache

LONG = 1.0  # seconds of compiling worth a line


def shows_lines() -> bool:
    """Return whether lines on stderr can be replaced: it is a terminal, or that of a notebook."""
    return sys.stderr.isatty() or type(sys.stderr).__module__.startswith("ipykernel.")


@contextmanager
def compilation_notice(quiet: bool) -> Iterator[None]:
    """Say what is compiled meanwhile, and how long it took; another one who tells goes on telling."""
    waiting = kernel_cache.Waiting
    if quiet or waiting.tell is not None or os.environ.get("POINSOT_QUIET"):
        yield
        return
    before, begun = len(kernel_cache.compiled), waiting.seconds

    def text() -> str:
        count = len(kernel_cache.compiled) - before
        done = f"{count}, {waiting.seconds - begun:.0f} s"
        where = f"kept in {kernel_cache.cache_folder()}; `poinsot warm` does it ahead"
        return f"poinsot: compiling kernels for the first time: {done} ({where})"

    def replace(end: str) -> None:
        print(f"\r{text()}", end=end, file=sys.stderr, flush=True)

    waiting.tell = lambda name: replace("") if shows_lines() else None
    try:
        yield
    finally:
        waiting.tell = None
        if len(kernel_cache.compiled) > before and shows_lines():
            replace("\n")
        elif waiting.seconds - begun > LONG:
            print(text(), file=sys.stderr, flush=True)
