"""The thread that steps: it obeys messages, lets the motion go on, and publishes the newest frame.

Everything that touches the session runs in this thread, one thing after the other.
"""

import threading
import time as clock
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any, TypeVar

from poinsot.errors import PoinsotError, ScenarioError
from poinsot.live.pace import RATE, SHARE
from poinsot.live.session import Session
from poinsot.model.checks import error_line

MOST = 256  # messages that wait
SAME = {"drag": ("body",), "set": ("path", "index"), "scrub": (), "speed": ()}  # of two, the newer one counts

T = TypeVar("T")
Answer = Callable[[str], None]  # is told what is wrong


class Runner(threading.Thread):
    """Runs a session.

    Parameters
    ----------
    session : which nobody else touches from then on
    publish : called with each frame
    """

    def __init__(self, session: Session, publish: Callable[[bytes], None]) -> None:
        super().__init__(name="poinsot-live-steps", daemon=True)
        self._session, self._publish = session, publish
        self._waiting: deque[tuple[dict[str, Any] | Callable[[Session], Any], Any]] = deque()
        self._wake, self._lock = threading.Event(), threading.Lock()
        self.ended = False

    def submit(self, message: dict[str, Any], answer: Answer) -> None:
        """Have a message obeyed; `answer` is called if it cannot be."""
        with self._lock:
            if len(self._waiting) >= MOST:
                raise ScenarioError("too many messages are waiting")
            same = SAME.get(message["do"])
            last = self._waiting[-1][0] if self._waiting else None
            if (
                same is not None
                and isinstance(last, dict)
                and all(last.get(x) == message[x] for x in ("do", *same))
            ):
                self._waiting.pop()
            self._waiting.append((message, answer))
        self._wake.set()

    def call(self, function: Callable[[Session], T]) -> "Future[T]":
        """Call a function with the session between two frames."""
        found: Future[T] = Future()
        with self._lock:
            if self.ended:
                raise ScenarioError("the live simulation was closed")
            self._waiting.append((function, found))
        self._wake.set()
        return found

    def close(self) -> None:
        """End the thread."""
        with self._lock:
            self.ended = True
            left, self._waiting = list(self._waiting), deque()
        for _, answer in left:
            if isinstance(answer, Future):
                answer.cancel()
        self._wake.set()

    def run(self) -> None:
        """Obey and go on, a frame at a time, until it is closed."""
        session, end = self._session, clock.perf_counter()
        while not self.ended:
            end = max(end, clock.perf_counter() - 1 / RATE) + 1 / RATE
            try:
                self._make_frame(session)
            except Exception as error:
                session.playing = False
                session.tell("error", {"text": error_line(error), "dead": False})
            left = end - clock.perf_counter()
            if not session.playing:
                self._wake.wait()
            elif left > 0:
                clock.sleep(left)

    def _make_frame(self, session: Session) -> None:
        """Obey, go on, and publish what there is to see."""
        obeyed = self._obey(session)
        if session.playing and not self.ended:
            session.advance(partial(self._over, clock.perf_counter() + SHARE / RATE))
        if obeyed or session.playing:
            self._publish(session.frame())

    def _over(self, end: float) -> bool:
        return self.ended or clock.perf_counter() > end

    def _obey(self, session: Session) -> bool:
        """Obey all messages that wait; return whether there were any."""
        self._wake.clear()
        obeyed = False
        while True:
            with self._lock:
                if not self._waiting:
                    break
                what, answer = self._waiting.popleft()
            obeyed = True
            if callable(what):
                try:
                    answer.set_result(what(session))
                except BaseException as error:
                    answer.set_exception(error)
            else:
                try:
                    session.obey(what)
                    if what["do"] == "step":
                        self._publish(session.frame())
                except PoinsotError as error:
                    answer(str(error))
                except Exception as error:  # of what a user wrote
                    answer(error_line(error))
        if obeyed:
            session.tell("status", session.status())
        return obeyed
