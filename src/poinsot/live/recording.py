"""What was done in a live simulation as archives: `ps.replay` computes them again to the same bits.

While a motion is recorded, a hand may act on all its bodies.  A take is a stretch of the motion with the same
mechanism, method and step; it is written when the recording ends, as a run of `simulate` whose controller
does what the hand did.  The scenario of the archive has the rows of the hand (`model.hand`).
"""

import re
from pathlib import Path
from typing import NamedTuple

from poinsot.errors import PoinsotError
from poinsot.live.motion import Motion, Settings, hand_in, parts_of
from poinsot.model.hand import hand_data
from poinsot.model.state import State
from poinsot.run.run import Run
from poinsot.simulation.simulate import simulate

ENDING = ".poinsot"


class Take(NamedTuple):
    """A stretch of a motion: how it began, and where it ended."""

    settings: Settings
    start: State
    last: State

    @property
    def steps(self) -> int:
        """Number of steps."""
        return round((self.last.time - self.start.time) / self.settings.step)

    def write(self, path: Path) -> Run:
        """Write the archive; a PoinsotError says if the run is not the motion that was seen."""
        m, hand = self.settings.mechanism.snapshot(), hand_in(self.settings.controller)
        assert hand is not None, "a hand may act"
        known = m.origin or {"name": "", "parameters": "{}"}
        m.origin = {**known, "hand": hand_data(hand, parts_of(self.settings.controller))}
        run = simulate(
            m,
            self.start,
            self.settings.method,
            step=self.settings.step,
            steps=self.steps,
            controller=self.settings.controller,
            events=self.settings.events or None,
            archive=path,
            progress=False,
        )
        if run.final.q.tobytes() != self.last.q.tobytes():
            raise PoinsotError(f"{path.name}: the archive is not the motion that was seen")
        return run


class Recording:
    """The takes of a motion since the recording began."""

    def __init__(self, motion: Motion) -> None:
        self.motion, self.takes = motion, list[Take]()
        self.begin()

    def begin(self) -> None:
        """Begin a take where the motion is."""
        here = self.motion.recent[-1]
        self.settings, self.start = self.motion.settings, State(here.time, here.q, here.v)

    def end(self, last: State) -> None:
        """End the take at the last state before the motion changed."""
        take = Take(self.settings, self.start, last)
        if take.steps > 0:
            self.takes.append(take)

    def write(self, folder: Path, name: str) -> list[Path]:
        """End the recording; return the archives that were written, one for each take."""
        self.end(self.motion.recent[-1])
        word = re.sub(r"[^A-Za-z0-9_-]+", "-", Path(name).stem).strip("-")[:60] or "live"
        written: list[Path] = []
        for take in self.takes:
            number = 1
            while (path := folder / f"{word}-{number}{ENDING}").exists():
                number += 1
            take.write(path)
            written.append(path)
        return written


def bodies_of(settings: Settings) -> list[str]:
    """Return the bodies that a hand may act on."""
    return [link.name for link in settings.mechanism.links if link.body.mass > 0]
