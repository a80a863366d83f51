"""Each argument of each public callable in turn is replaced by each bad value.

What must hold: the call succeeds, or it raises a PoinsotError with one line of text.  A TypeError is allowed
only where Python itself could not bind the arguments.  No other error, no warning of NumPy, no hang.
"""

import contextlib
import io
import os
import signal
import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import poinsot as ps
from attacks.attempt import Attempt, Attempts
from attacks.bad_values import BAD
from attacks.calls import CALLS, Call, World

PATIENCE = 120  # seconds: `ps.compare` compiles all methods if it is given none
LONGEST = 700  # characters of a message
RESULTS = (
    "ps.Run",
    "ps.Ensemble",
    "ps.Comparison",
    "ps.dynamics.Linearization",
)  # records that only the library makes


class Hangs(BaseException):
    """Nothing came back; no handler of Exception catches this."""


@contextlib.contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Raise Hangs in this block after some seconds."""

    def late(number: int, frame: Any) -> None:
        raise Hangs(f"no answer within {seconds} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def told(error: BaseException) -> str:
    """Return an error as one line with its place in the package."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [one for one in frames if "/poinsot/" in one.filename] or list(frames)
    place = f"{ours[-1].filename.rpartition('poinsot/')[2]}:{ours[-1].lineno} in {ours[-1].name}"
    return f"{type(error).__name__}: {' '.join(str(error).split())[:100]} ({place})"


def outcome(call: Call, shown: bool = True) -> str:
    """Return what did not hold in a call, or an empty text; the result can also be `shown` by `repr`."""
    try:
        with warnings.catch_warnings(), patience(PATIENCE), contextlib.redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", RuntimeWarning)  # of NumPy
            warnings.simplefilter("error", DeprecationWarning)
            for kind in (ps.StepWarning, ps.PhysicsWarning, ps.LoopWarning, ps.ArchiveWarning):
                warnings.simplefilter("ignore", kind)
            found = call()
            if shown:
                repr(found)
            _streams_are_open()
    except ps.PoinsotError as error:
        text = str(error)
        if not text or "\n" in text or len(text) > LONGEST:
            return f"{type(error).__name__} with a message of {len(text)} characters: {text[:80]!r}"
    except (Exception, Hangs) as error:
        return told(error)
    return ""


def _streams_are_open() -> None:
    """Raise an OSError if a standard stream was closed, as `open(True)` does."""
    for number in range(3):
        os.fstat(number)


@contextlib.contextmanager
def without_films() -> Iterator[None]:
    """Check the arguments of films without drawing them, which takes seconds."""
    with (
        mock.patch("poinsot.view.video.draw", return_value=()),
        mock.patch("poinsot.view.video.encode", lambda program, pictures, fresh, *more: fresh.touch()),
    ):
        yield


def cases() -> list[tuple[str, tuple[str, Any], str]]:
    """Return all names of callables, places of arguments and bad values."""
    world = World()
    return [
        (name, place, bad) for name, make in CALLS.items() for place in make(world).places() for bad in BAD
    ]


def attempts(rng: Random, folder: Path, without: tuple[str, ...] = ()) -> Attempts:
    """Yield all cases once, in an order that the seed gives."""
    os.environ["POINSOT_NO_BROWSER"] = "1"
    with contextlib.chdir(folder), without_films():
        world = World()
        found = [case for case in cases() if case[0] not in without]
        rng.shuffle(found)
        for name, place, bad in found:
            call = CALLS[name](world).with_value(place, BAD[bad]())
            argument = place[0] if place[1] is None else f"{place[0]}[{place[1]!r}]"
            yield Attempt(f"{name}: {argument} = {bad}", outcome(call, name not in RESULTS))
