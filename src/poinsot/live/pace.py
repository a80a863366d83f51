"""How fast a motion goes: which time it should have reached, and whether it keeps up.

A frame has a share of its time for steps.  A motion that falls behind by more than `LATE` goes on from where
it is: it is slower than asked for, and the light says by how much.
"""

import time as clock
from collections.abc import Callable

RATE = 60.0  # frames a second, at most
SHARE = 0.8  # of the time of a frame, for steps
LATE = 0.25  # seconds by which a motion may be late
WINDOW = 1.0  # seconds over which its speed is measured
KEPT_UP = 0.95  # of the speed that is asked for
SAMPLES, CALLED = 200, 20  # of a frame, at most; with a controller
MOST = 100  # steps between two samples: nothing else is done meanwhile


class Pace:
    """The clock of a motion; `slow`: it is slower than asked for."""

    def __init__(self, speed: float, now: Callable[[], float] = clock.perf_counter) -> None:
        self.speed, self.now, self.slow = speed, now, False
        self.reached = speed
        self.begin(0.0)

    def begin(self, time: float) -> None:
        """Begin to measure at a time of the motion."""
        self.time, self.wall = time, self.now()
        self.first, self.since = time, self.wall
        self.late = False

    def due(self) -> float:
        """Return the time that the motion should have reached."""
        return self.time + self.speed * (self.now() - self.wall)

    def arrive(self, time: float) -> bool:
        """Note the time that was reached; return True if the light changes."""
        if self.due() - time > LATE * self.speed:
            self.time, self.wall, self.late = time, self.now(), True
        passed = self.now() - self.since
        if passed < WINDOW:
            return False
        self.reached = (time - self.first) / passed
        slow = self.late and self.reached < KEPT_UP * self.speed
        changed = slow or slow != self.slow
        self.first, self.since, self.late, self.slow = time, self.now(), False, slow
        return changed

    def every(self, step: float, called: bool) -> int:
        """Return the number of steps between two samples; `called`: a controller is called meanwhile."""
        wanted = self.speed / RATE / step / (CALLED if called else SAMPLES)
        return int(max(1.0, min(wanted, MOST)))
