"""A browser without a window, driven over its debugging port (Chrome DevTools protocol), for films and tests.

    with Browser(folder) as browser:
        tab = browser.tab(800, 600)
        tab.go(path.as_uri())
        tab.wait("window.poinsot?.ready")
        tab.evaluate("poinsot.frame")

The browser chooses a free port of the loopback interface and writes it and a secret address into its profile.
Messages are JSON objects over one WebSocket: the same on Linux, macOS and Windows.
"""

import base64
import json
import os
import shutil
import subprocess
import time as clock
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from poinsot.errors import PoinsotError
from poinsot.formats.paths import PathLike

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
    "microsoft-edge",
)
PLACES = (  # where installers put it without a line in PATH: Windows, then macOS
    *(
        f"%{root}%/{one}"
        for root in ("ProgramFiles", "ProgramFiles(x86)", "LocalAppData")
        for one in ("Google/Chrome/Application/chrome.exe", "Microsoft/Edge/Application/msedge.exe")
    ),
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--mute-audio",
    "--hide-scrollbars",
    "--remote-debugging-port=0",
)
PATIENCE = 60.0  # seconds to wait for an answer


class BrowserError(PoinsotError):
    """There is no browser, or it does not answer."""


def find() -> str | None:
    """Return the program: POINSOT_BROWSER, or a Chromium, Chrome or Edge; None if there is none."""
    own = os.environ.get("POINSOT_BROWSER")
    places = (os.path.expandvars(place) for place in PLACES)
    return own or next(filter(None, map(shutil.which, (*NAMES, *places))), None)


class Browser:
    """A running browser whose profile lies in `folder`."""

    def __init__(self, folder: PathLike) -> None:
        try:
            from websockets.sync.client import connect
        except ImportError:
            raise BrowserError("driving a browser needs websockets: pip install 'poinsot[video]'") from None
        program = find()
        if program is None:
            raise BrowserError(
                "found no Chromium, Chrome or Edge: install one, or set POINSOT_BROWSER to its path"
            )
        profile = Path(folder).resolve() / "profile"
        address = profile / "DevToolsActivePort"
        address.unlink(missing_ok=True)
        try:
            self._process = subprocess.Popen(
                [program, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise BrowserError(f"{program}: {error.strerror}") from None
        try:
            port, secret = self._address(address, program)
            wire = connect(
                f"ws://127.0.0.1:{port}{secret}",
                max_size=None,
                compression=None,
                proxy=None,
                ping_interval=None,
            )
            self._stack = ExitStack()
            self._socket = self._stack.enter_context(wire)
        except BaseException as error:
            self._process.kill()
            self._process.wait()
            if isinstance(error, OSError):
                raise BrowserError(f"{program}: its debugging port does not answer ({error})") from None
            raise
        self._count = 0
        self.events: list[dict[str, Any]] = []

    def _address(self, file: Path, program: str) -> tuple[str, str]:
        """Wait until the browser has written its port and its secret path."""
        limit = clock.monotonic() + PATIENCE
        while clock.monotonic() < limit:
            with suppress(OSError):
                lines = file.read_text().split("\n")
                if len(lines) == 2 and lines[1]:
                    return lines[0], lines[1]
            if self._process.poll() is not None:
                raise BrowserError(f"{program} ended at once (exit code {self._process.returncode})")
            clock.sleep(0.01)
        raise BrowserError(f"{program} did not open its debugging port within {PATIENCE:g} s")

    def call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """Call a method and wait for the answer; events that arrive meanwhile are added to `events`."""
        from websockets.exceptions import ConnectionClosed

        self._count += 1
        message: dict[str, Any] = {"id": self._count, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        try:
            self._socket.send(json.dumps(message))
        except ConnectionClosed:
            raise BrowserError("the browser ended unexpectedly") from None
        limit = clock.monotonic() + PATIENCE
        while True:
            answer = self.receive(limit - clock.monotonic())
            if answer is None:
                raise BrowserError(f"the browser did not answer {method} within {PATIENCE:g} s")
            if answer.get("id") == self._count:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error'].get('message')}")
                result: dict[str, Any] = answer["result"]
                return result

    def receive(self, seconds: float) -> dict[str, Any] | None:
        """Return the next message; None if none arrives within `seconds`."""
        from websockets.exceptions import ConnectionClosed

        try:
            message: dict[str, Any] = json.loads(self._socket.recv(timeout=max(0.0, seconds)))
        except TimeoutError:
            return None
        except ConnectionClosed:
            raise BrowserError("the browser ended unexpectedly") from None
        if "method" in message:
            self.events.append(message)
        return message

    def tab(self, width: int, height: int, scale: float = 1.0) -> "Tab":
        """Open a new page, in a context that shares nothing with other pages."""
        context = self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        tab = Tab(self, session, target)
        for domain in ("Page", "Runtime", "Network", "Log"):
            tab.call(f"{domain}.enable")
        tab.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=scale,
            mobile=False,
        )
        return tab

    def close(self) -> None:
        """End the browser."""
        with suppress(BrowserError, OSError):
            self.call("Browser.close")
        self._stack.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> "Browser":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Tab:
    """One page of a browser."""

    def __init__(self, browser: Browser, session: str, target: str) -> None:
        self.browser, self.session, self.target = browser, session, target

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method for this page and wait for the answer."""
        return self.browser.call(method, self.session, **parameters)

    def events(self, method: str) -> list[dict[str, Any]]:
        """Return the parameters of all events of this name that happened on this page."""
        mine = (one for one in self.browser.events if one.get("sessionId") == self.session)
        return [one["params"] for one in mine if one["method"] == method]

    def go(self, address: str) -> None:
        """Load a page."""
        answer = self.call("Page.navigate", url=address)
        if answer.get("errorText"):
            raise BrowserError(f"{address}: {answer['errorText']}")

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description", details.get("text", "")))
        return answer["result"].get("value")

    def wait(self, condition: str, seconds: float = 30.0) -> None:
        """Wait until a JavaScript expression is true."""
        limit = clock.monotonic() + seconds
        while not self.evaluate(condition):
            if clock.monotonic() > limit:
                raise BrowserError(f"not true within {seconds:g} s: {condition}")
            self.browser.receive(0.02)

    def screenshot(self, path: PathLike | None = None, whole: bool = False) -> bytes:
        """Return a PNG of the visible part, or of the whole page; write it to `path` if it is given."""
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        picture = base64.b64decode(data)
        if path is not None:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            Path(path).write_bytes(picture)
        return picture

    def close(self) -> None:
        """Close this page."""
        self.browser.call("Target.closeTarget", targetId=self.target)
