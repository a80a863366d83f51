"""One motion of a live simulation: a stream of states, and the checkpoints from which it can be repeated.

A stretch of the motion has the same mechanism, method, step and controller.  Where one of them changes, a new
stretch begins at (q, v), with the bits of `simulate` from there.  A checkpoint has the memory of the method,
so that what follows it can be computed again to the same bits.
"""

from collections.abc import Sequence
from typing import NamedTuple

from poinsot.diagnostics.trajectory import Trajectory
from poinsot.model.controller import Controller
from poinsot.model.event import Event
from poinsot.model.feedback import Feedback
from poinsot.model.hand import Hand
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.simulation.stream import Stream, stream

MOST = 512  # checkpoints
APART = 64  # samples between two checkpoints at first
NEAR = 1e-6  # of a step


class Settings(NamedTuple):
    """What the steps of a stretch are computed with."""

    mechanism: Mechanism
    method: str
    step: float
    controller: Controller | Feedback | None = None
    events: tuple[Event, ...] = ()

    def stream(self, state: State, every: int) -> Stream:
        """Return the motion from a state on."""
        return stream(
            self.mechanism,
            state,
            self.method,
            step=self.step,
            every=every,
            controller=self.controller,
            events=self.events or None,
        )


class Checkpoint(NamedTuple):
    """A state of the motion; `first`: a stretch begins there, and what follows needs it."""

    state: State
    settings: Settings
    work: float  # of the segment up to there, beyond that of the stretch
    first: bool


class Checkpoints:
    """The checkpoints of a motion, in the order of time: at most `MOST`, which lie closer near the end."""

    def __init__(self) -> None:
        self.all: list[Checkpoint] = []
        self.apart = APART

    def add(self, one: Checkpoint) -> None:
        """Add a checkpoint at the end; if there are too many, some are left out, or the oldest."""
        self.all.append(one)
        if len(self.all) < MOST:
            return
        kept = [one for k, one in enumerate(self.all) if one.first or k % 2 == 0]
        self.apart *= 2
        self.all = kept if len(kept) < MOST else kept[MOST // 4 :]

    def before(self, time: float) -> Checkpoint:
        """Return the last checkpoint at or before a time, or the first of all."""
        found = [one for one in self.all if one.state.time <= time]
        return found[-1] if found else self.all[0]

    def cut(self, time: float) -> None:
        """Leave out the checkpoints after a time."""
        self.all = [one for one in self.all if one.state.time <= time]


class Motion:
    """A motion that goes on, is changed, and goes back.

    Attributes
    ----------
    settings : of the steps that follow
    recent : the last three states, if they are a step apart
    end : the last time that was reached
    """

    def __init__(self, settings: Settings, start: State) -> None:
        self.checkpoints, self.every = Checkpoints(), 1
        self.work, self.count = 0.0, 0
        self.end = start.time
        self._begin(settings, start, 0.0)
        self._note(first=True)

    def _begin(self, settings: Settings, state: State, work: float) -> None:
        """Go on from a state; if that cannot be, an error says why and nothing has changed."""
        fresh = settings.stream(state, self.every)
        next(fresh)
        self.settings, self.work, self.stream = settings, work, fresh
        self.recent = [fresh.state]

    def _note(self, first: bool) -> None:
        self.count = 0
        self.checkpoints.add(Checkpoint(self.stream.state, self.settings, self.work, first))

    @property
    def time(self) -> float:
        """The time that was reached."""
        return self.recent[-1].time

    @property
    def trajectory(self) -> Trajectory:
        """The state as a trajectory of one sample; its work is that since the start of the stretch."""
        return self.stream.trajectory

    @property
    def total_work(self) -> float:
        """The work since the start of the segment."""
        return self.work + float(self.trajectory.work[0])

    def go(self) -> bool:
        """Go on to the next sample; return False if an event has ended the motion."""
        if self.end > self.time:
            self.forget()
        state = next(self.stream, None)
        if state is None:
            return False
        self.recent = [*self.recent[-2:], state] if self.every == 1 else [state]
        self.end = state.time
        self.count += 1
        if self.count >= self.checkpoints.apart:
            self._note(first=False)
        return True

    def restart(self, settings: Settings, start: State) -> None:
        """Begin anew at a start."""
        fresh = Motion(settings, start)
        vars(self).update(vars(fresh))

    def change(self, settings: Settings, *, same: bool = False) -> None:
        """Go on with other settings; `same`: energy and work go on, too."""
        here = self.recent[-1]
        self._begin(settings, State(here.time, here.q, here.v), self.total_work if same else 0.0)
        self.forget()
        self._note(first=True)

    def sample(self, every: int) -> None:
        """Hand out every so many steps from here on; the bits stay the same."""
        if every != self.every:
            before, self.every = self.every, every
            try:
                self._begin(self.settings, self.stream.state, self.work)
            except Exception:
                self.every = before
                raise

    def scrub(self, time: float) -> None:
        """Go back to the last step at or before a time; what came after it is lost if the motion goes on."""
        found = self.checkpoints.before(time)
        hand = hand_in(found.settings.controller)
        if hand is not None:
            hand.next = None
        self.every = 1
        self._begin(found.settings, found.state, found.work)
        last = min(time, self.end) - self.settings.step * (1 - NEAR)
        while self.time <= last:
            state = next(self.stream, None)
            if state is None:
                break
            self.recent = [*self.recent[-2:], state]

    def forget(self) -> None:
        """Forget what was reached after this time."""
        self.checkpoints.cut(self.time)
        self.end, self.count = self.time, 0
        hand = hand_in(self.settings.controller)
        if hand is not None:
            hand.forget(self.time)


def hand_in(controller: Controller | Feedback | None) -> Hand | None:
    """Return the law of the hand in a controller; None if there is none."""
    return next((one.function for one in parts_of(controller) if isinstance(one.function, Hand)), None)


def parts_of(controller: Controller | Feedback | None) -> Sequence[Controller | Feedback]:
    """Return the controllers that were merged to one."""
    if controller is None:
        return ()
    return tuple(getattr(controller.function, "controllers", (controller,)))
