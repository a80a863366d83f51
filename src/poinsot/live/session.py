"""A live simulation: it obeys the messages of the page, and says what they did.

What can be changed is decided here and nowhere else: a start begins the motion anew; masses, lengths, forces,
targets, step and method go on from (q, v) in a new segment; what makes no motion is refused, and the motion
goes on as it was.  While methods are compared there are two motions, which get the same changes.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from poinsot.errors import PoinsotError, ScenarioError
from poinsot.live import grip, messages
from poinsot.live.motion import Motion, Settings, hand_in
from poinsot.live.numbers import Apparatus, Numbers
from poinsot.live.pace import Pace
from poinsot.live.parameters import Parameters
from poinsot.live.recording import Recording, bodies_of
from poinsot.live.scene import appearance, controls, page_of, values
from poinsot.model.checks import error_line
from poinsot.model.hand import PULL, PUSH, REST, Hand, Row

Tell = Callable[[str, dict[str, Any]], None]


class Session:
    """The motions of a scenario, and what the page may do with them.

    Parameters
    ----------
    parameters : the scenario
    folder : where archives are written; None: nowhere
    tell : called with the kind and the fields of what is to be said to all pages
    """

    def __init__(self, parameters: Parameters, folder: Path | None, tell: Tell) -> None:
        self.parameters, self.folder, self.tell = parameters, folder, tell
        self.scene = self.number = self.seen = 0
        self.playing = self.dead = False
        self.pace = Pace(float(parameters.given.sliders.get("speed", 1.0)))
        self.recording: Recording | None = None
        self.motions = [Motion(self.settings(), parameters.scenario.start)]
        self.apparatus = Apparatus(parameters.scenario.mechanism.names[0])
        self.drawn = ""
        self._show()

    @property
    def motion(self) -> Motion:
        """The motion of the method that was chosen."""
        return self.motions[0]

    def settings(self, method: str | None = None) -> Settings:
        """Return what the scenario is computed with, without a hand."""
        s = self.parameters.scenario
        return Settings(s.mechanism, method or s.method, s.step, s.controller, tuple(s.events))

    def hello(self) -> dict[str, Any]:
        """Return the scene, and what can be done with it."""
        s = self.parameters.scenario
        page = page_of(self.motions, self.settings(), s.title, s.notes, self.numbers)
        known = controls(self.parameters, self.folder is not None)
        return {"scene": self.scene, **known, **page, "numbers": self.numbers.describe()}

    def forget_id(self) -> None:
        """Forget the id that was seen last: another page drives."""
        self.seen = 0

    def status(self) -> dict[str, Any]:
        """Return what can change from moment to moment."""
        labels = [one.stream.method.label for one in self.motions]
        return {
            "playing": self.playing,
            "speed": self.pace.speed,
            "recording": self.recording is not None,
            "method": labels[0],
            "step": self.motion.settings.step,
            "compare": labels[1] if len(labels) > 1 else None,
            "body": self.parameters.scenario.mechanism.names.index(self.apparatus.body),
            "sequence": self.apparatus.sequence,
            "values": values(self.parameters),
        }

    def frame(self) -> bytes:
        """Return the motions as they are now."""
        self.number += 1
        flags = messages.PLAYING * self.playing + messages.SLOW * self.pace.slow + messages.DEAD * self.dead
        flags += messages.RECORDING * (self.recording is not None)
        flags += messages.DRAGGED * grip.pulls(self.motion)
        self.numbers.brief = self.playing
        rows = np.array([self.numbers.row(one) for one in self.motions])
        poses = np.array([self.numbers.poses(one) for one in self.motions])
        return messages.frame((self.number, self.scene, self.seen, flags), rows, poses)

    def obey(self, message: dict[str, Any]) -> None:
        """Do what a message says; a PoinsotError says why not, and nothing has changed."""
        fields = {key: value for key, value in message.items() if key not in ("do", "id")}
        try:
            getattr(self, f"do_{message['do']}")(**fields)
        finally:
            self.seen = message["id"] or self.seen

    def do_play(self) -> None:
        """Let the motion go on."""
        if self.dead:
            raise ScenarioError("the motion has ended: reset it, or go back in time")
        self._leave_past()
        self.playing = True
        self._keep_time()

    def do_pause(self) -> None:
        """Let the motion stand still."""
        self.playing = False

    def do_step(self, count: int = 1) -> None:
        """Make steps of the method."""
        self.playing = False
        self._leave_past()
        for one in self.motions:
            one.sample(1)
        for _ in range(count):
            if self.dead or not self.go():
                break

    def do_speed(self, value: float) -> None:
        """Set how fast the motion goes."""
        self.pace.speed = value
        self._keep_time()

    def do_reset(self) -> None:
        """Begin anew at the start, with the numbers as they are."""
        self._restart("the start")

    def do_random(self) -> None:
        """Begin anew at another start."""
        raise ScenarioError("this scenario has no random start")

    def do_set(self, path: str, value: float, index: int | None = None) -> None:
        """Set a number of the scenario."""
        made = self.parameters.with_value(path, index, value)
        slider = next(one for one in self.parameters.sliders() if (one.path, one.index) == (path, index))
        self.apply(made, slider.restart, f"{path}{'' if index is None else f'[{index}]'} = {value:g}")

    def do_method(self, name: str) -> None:
        """Go on with another method."""
        self.apply(self.parameters.with_values({"method": name}), False, f"method {name}")

    def do_target(self, point: Sequence[float]) -> None:
        """Set the target of the controller."""
        count = self.parameters.target()
        if not count:
            raise ScenarioError("this scenario has no target")
        made = self.parameters.with_values({"control.target": [float(x) for x in point[:count]]})
        self.apply(made, False, "target")

    def do_drag(self, body: int, point: Sequence[float], target: Sequence[float]) -> None:
        """Pull a point of a body."""
        name = self._body(body)
        self._hold([grip.pull(one, name, point, target, self.pace.speed) for one in self.motions])

    def do_impulse(self, body: int, point: Sequence[float], impulse: Sequence[float]) -> None:
        """Push a point of a body for one step."""
        name = self._body(body)
        self._hold([grip.push(one, name, point, impulse) for one in self.motions])

    def do_release(self) -> None:
        """Let a body go."""
        for k, one in enumerate(self.motions):
            hand = hand_in(one.settings.controller)
            if hand is not None and (self.recording is None or k):
                base = self.settings(one.settings.method if k else None)
                self._change(one, grip.remember(one, base), same=True)
            elif hand is not None:
                hand.next = [REST, hand.bodies[0], [0.0] * 3, [0.0] * 3, 0.0, 0.0]

    def do_scrub(self, time: float) -> None:
        """Go back in time."""
        self._write()
        self.playing = self.dead = False
        for one in self.motions:
            one.scrub(time)

    def do_compare(self, method: str | None) -> None:
        """Begin anew with a second method beside the first, or end that."""
        if method is None:
            del self.motions[1:]
        else:
            self.motions[1:] = [Motion(self.settings(method), self.parameters.scenario.start)]
            self._restart(f"{self.motion.stream.method.label} beside {method}")
        self._show()

    def do_record(self, on: bool) -> None:
        """Begin to record, or write what was recorded."""
        if not on:
            self._write()
        elif self.folder is None:
            raise ScenarioError("there is no folder for archives: give folder= or --folder")
        elif self.recording is None:
            hand = Hand(bodies_of(self.settings()), self.motion.settings.step)
            now = grip.remember(self.motion, self.motion.settings)
            self._change(self.motion, grip.fit(self.motion, grip.with_hand(now, hand)), same=True)
            self.recording = Recording(self.motion)

    def do_apparatus(self, body: int, sequence: str) -> None:
        """Choose the body and the angles of the apparatus."""
        found = Apparatus(self._body(body), sequence).check(self.parameters.scenario.mechanism)
        self.apparatus = self.numbers.apparatus = found

    def go(self) -> bool:
        """Go on to the next sample; False: an event has ended the motion, or an error, which is told."""
        try:
            going = [one.go() for one in self.motions]
        except Exception as error:  # of a step, or of what a user wrote
            self.playing, self.dead = False, True
            text = str(error) if isinstance(error, PoinsotError) else error_line(error)
            self.tell("error", {"text": f"the motion ended: {text}", "dead": True})
            return False
        if not all(going):
            self.playing = False
            self.tell("notice", {"text": f"an event ended the motion at t = {self.motion.time:g}"})
            return False
        hand = hand_in(self.motion.settings.controller)
        if self.recording is None and hand is not None and hand.rows and hand.rows[-1][1] == PUSH:
            self.do_release()
        return True

    def advance(self, over: Callable[[], bool]) -> None:
        """Go on to the time that is due, unless the time for it is `over`."""
        due, one = self.pace.due(), self.motion
        while self.playing and one.time + one.settings.step * one.every <= due and not over():
            self.go()
        if self.playing and self.pace.arrive(one.time):
            reached = self.pace.reached if self.pace.slow else None
            self.tell("light", {"asked": self.pace.speed, "reached": reached})

    def apply(self, made: Parameters, restart: bool, text: str) -> None:
        """Go on, or begin anew, with another scenario."""
        before, self.parameters = self.parameters, made
        try:
            if restart or self.dead:
                self._restart(text)
                return
            for k, one in enumerate(self.motions):
                settings = self.settings(one.settings.method if k else None)
                hand = hand_in(one.settings.controller)
                if hand is not None:
                    again = Hand(hand.bodies, settings.step)
                    again.next = hand.next or (hand.rows[-1][1:] if grip.pulls(one) else None)
                    settings = grip.fit(one, grip.with_hand(settings, again))
                self._change(one, settings, same=False)
        except BaseException:
            self.parameters = before
            raise
        self._begin_segment(text, restart=False)

    def _restart(self, text: str) -> None:
        """Begin anew at the start of the scenario."""
        start, methods = (
            self.parameters.scenario.start,
            [None, *(x.settings.method for x in self.motions[1:])],
        )
        fresh = [Motion(self.settings(method), start) for method in methods]
        self.motions, self.dead = fresh, False
        self._write()
        self._begin_segment(text, restart=True)

    def _begin_segment(self, text: str, restart: bool) -> None:
        """Say that a segment begins, and show the scene if it looks different."""
        self._keep_time()
        self._show()
        self.tell("segment", {"time": self.motion.time, "text": text, "restart": restart})

    def _show(self) -> None:
        """Say what is to be seen, if it is not what the page shows."""
        m = self.parameters.scenario.mechanism
        if self.apparatus.body not in m.names:
            self.apparatus = Apparatus(m.names[0])
        self.numbers = Numbers(self.settings(), self.apparatus)
        now = appearance(m, self.numbers, len(self.motions))
        if now != self.drawn:
            self.drawn, self.scene = now, self.scene + 1
            self.tell("hello", self.hello())

    def _keep_time(self) -> None:
        """Let the motion be on time from here on, with as many samples as frames need."""
        self.pace.begin(self.motion.time)
        every = self.pace.every(self.motion.settings.step, self.motion.settings.controller is not None)
        for one in self.motions if not self.dead else ():
            one.sample(every)

    def _leave_past(self) -> None:
        """Before the motion goes on from an earlier time: what a hand did there is over."""
        if self.motion.end > self.motion.time:
            self.do_release()

    def _hold(self, rows: list[Row]) -> None:
        """Let a hand do what the rows say, one for each motion."""
        if self.dead:
            raise ScenarioError("the motion has ended: reset it, or go back in time")
        for one, row in zip(self.motions, rows, strict=True):
            hand = hand_in(one.settings.controller)
            if hand is not None and row[1] in hand.bodies:
                before = hand.next or (hand.rows[-1][1:] if hand.rows else None)
                if before and before[:3] == row[:3] and row[0] == PULL:
                    row[4:] = before[4:]  # the stiffness of the first moment
                hand.next = row
                continue
            fresh = Hand([row[1]], one.settings.step)
            fresh.next = row
            now = grip.with_hand(grip.remember(one, one.settings), fresh)
            self._change(one, grip.fit(one, now), same=True)

    def _change(self, motion: Motion, settings: Settings, same: bool) -> None:
        """Let a motion go on with other settings; a recording has a new take."""
        last = motion.recent[-1]
        motion.change(settings, same=same)
        if self.recording is not None and motion is self.motion:
            self.recording.end(last)
            self.recording.begin()

    def _write(self) -> None:
        """End the recording, if there is one, and say what was written."""
        recording, self.recording = self.recording, None
        if recording is None or self.folder is None:
            return
        paths = recording.write(self.folder, self.parameters.given.name)
        self.do_release()
        names = ", ".join(one.name for one in paths) or "nothing, because nothing moved"
        self.tell("notice", {"text": f"recorded: {names}"})

    def _body(self, number: int) -> str:
        names = self.parameters.scenario.mechanism.names
        if number >= len(names):
            raise ScenarioError(f"there is no body {number}")
        return names[number]
