"""`Mechanism.live`, `Scenario.live` and `poinsot live`: a page in a browser, fed by a running simulation."""

import atexit
import html
import os
import re
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any

from poinsot.errors import ScenarioError
from poinsot.formats.paths import PathLike, file_path
from poinsot.live.parameters import RESTART, Parameters
from poinsot.live.runner import Runner
from poinsot.live.server import Server
from poinsot.live.session import Session
from poinsot.model import checks
from poinsot.model.cascade import merge
from poinsot.model.checks import show as text_of
from poinsot.model.controller import Controller
from poinsot.model.event import Event, name_events
from poinsot.model.feedback import Feedback
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.scenario.scenario import Scenario
from poinsot.view.page import in_notebook, open_in_browser

ORIGIN = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]+)?")
NOTEBOOKS = ("http://localhost:*", "http://127.0.0.1:*", "'self'")
REMOTE = ("JUPYTERHUB_SERVICE_PREFIX", "COLAB_RELEASE_TAG", "SSH_CONNECTION")  # of a kernel far away
PATIENCE = 2.0  # s until threads have ended
FRAME = (
    '<iframe src="{address}" style="width:100%;height:640px;border:1px solid #ccc;border-radius:6px" '
    "allowfullscreen></iframe><div>{address} (for the machine on which the kernel runs)</div>"
)
FAR = "The kernel runs on another machine: the page is served to that machine only, at {address}."


class Live:
    """A live simulation: a motion that goes on while a page shows and changes it.

    A notebook shows the page in place.  It ends with `close`, at the end of a `with`, or with Python.

    Attributes
    ----------
    address : of the page, for this machine only

    >>> with ps.scenario("fast-top").live(browser=False) as live:
    ...     _ = live.change(**{"bodies.top.mass": 2.0})
    ...     live.state.time
    0.0
    """

    def __init__(self, given: Scenario, folder: Path | None, port: int, ancestors: tuple[str, ...]) -> None:
        self._server = Server(given.title, port, ancestors)
        session = Session(Parameters(given), folder, self._server.tell)
        self._runner = Runner(session, self._server.publish)
        self._server.begin(self._runner)
        self._runner.start()
        self._ended = threading.Event()
        self.address = self._server.address
        atexit.register(self.close)

    @property
    def state(self) -> State:
        """The state of the motion as it is now, with the memory from which `ps.simulate` goes on."""
        found: State = self._ask(lambda session: session.motion.stream.state)
        return found

    @property
    def scenario(self) -> Scenario:
        """The scenario with its numbers as they are now."""
        found: Scenario = self._ask(lambda session: session.parameters.scenario)
        return found

    def _ask(self, function: Any) -> Any:
        return self._runner.call(function).result()

    def change(self, **parameters: Any) -> State:
        """Change numbers of the scenario as `ps.scenario` takes them; return the state from which it goes on.

        A start begins the motion anew; with all else it goes on.  If there is no such scenario, an error says
        why and the motion goes on as it was.

        Parameters
        ----------
        **parameters : values by path, such as "bodies.top.mass", "method" or "step"
        """

        def apply(session: Session) -> State:
            made = session.parameters.with_values(parameters)
            options = {one.path for one in session.parameters.sliders() if one.whole}
            anew = any(path.split(".")[0] in RESTART or path in options for path in parameters)
            session.apply(made, anew, ", ".join(parameters))
            return session.motion.stream.state

        found: State = self._ask(apply)
        return found

    def notify(self, text: str) -> None:
        """Say something to the person, on all pages.  `text`: what to say."""
        self._server.tell("notice", {"text": text})

    def wait(self) -> None:
        """Wait until it is closed; Ctrl-C closes it."""
        try:
            while not self._ended.wait(1.0):
                pass
        except KeyboardInterrupt:
            self.close()

    def close(self) -> None:
        """End the motion, the server and their threads."""
        atexit.unregister(self.close)
        self._runner.close()
        self._server.close()
        self._ended.set()
        for thread in (self._runner, self._server):
            if thread is not threading.current_thread():
                thread.join(PATIENCE)

    def __enter__(self) -> "Live":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _repr_html_(self) -> str:
        far = any(os.environ.get(name) for name in REMOTE)
        return (FAR if far else FRAME).format(address=html.escape(self.address))

    def __repr__(self) -> str:
        return f"Live({self.address!r})"


def show(
    scenario: Scenario,
    *,
    port: int = 0,
    folder: PathLike | None = None,
    browser: bool = True,
    notebook: str | None = None,
    wait: bool = False,
) -> Live:
    """Show a scenario live; `Mechanism.live` explains the arguments."""
    if find_spec("websockets") is None:
        raise ScenarioError("live pages need websockets: pip install 'poinsot[live]'")
    if not isinstance(port, int) or isinstance(port, bool) or not 0 <= port < 65536:
        raise ScenarioError(f"live: port must be a whole number from 0 to 65535, got {text_of(port)}")
    if notebook is not None and not (isinstance(notebook, str) and ORIGIN.fullmatch(notebook)):
        wanted = "an address like http://localhost:8888"
        raise ScenarioError(f"live: notebook must be {wanted}, got {text_of(notebook)}")
    place = None if folder is None else file_path(folder)
    if place is not None and not os.path.isdir(place):  # of any length
        raise ScenarioError(f"live: there is no folder {place}")
    opens, waits = checks.flag("live", "browser", browser), checks.flag("live", "wait", wait)
    ancestors = (notebook,) if notebook is not None else NOTEBOOKS if in_notebook() else ()
    live = Live(scenario, place, port, ancestors)
    if opens and not in_notebook() and not open_in_browser(live.address):
        print(f"the page is at {live.address}", flush=True)
    if waits:
        live.wait()
    return live


def show_mechanism(
    mechanism: Mechanism,
    start: State,
    method: str,
    step: float,
    controller: Controller | Feedback | Sequence[Controller] | None,
    events: Sequence[Event] | None,
    **options: Any,
) -> Live:
    """Show a mechanism live."""
    checks.mechanism("live", mechanism)
    if not isinstance(start, State):
        raise ScenarioError(f"live: start must be a State, got {text_of(start)}")
    h = checks.number("live", "step", step, positive=True)
    name = ", ".join(mechanism.names[:3]) or "mechanism"
    one: Any = None if controller is None else merge(controller)
    copy = mechanism.snapshot()
    copy.origin = None
    happens = () if events is None else name_events(events)
    made = Scenario(
        name, name, copy, start, h, start.time, method, "", {}, {}, controller=one, events=happens
    )
    return show(made, **options)
