"""A browser without a window, controlled through a pipe (Chrome DevTools protocol), for videos and tests.

    with Browser(folder) as browser:
        tab = browser.tab(800, 600)
        tab.go(path.as_uri())
        tab.wait("window.poinsot?.ready")
        tab.evaluate("poinsot.frame")

Messages are JSON objects that end with a zero byte, on the file descriptors 3 and 4 of the browser.
"""

import base64
import json
import os
import shutil
import subprocess
import time as clock
from contextlib import suppress
from pathlib import Path
from select import select
from types import TracebackType
from typing import Any

from poinsot.errors import PoinsotError
from poinsot.formats.paths import PathLike

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
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
    "--remote-debugging-pipe",
)
PATIENCE = 60.0  # seconds to wait for an answer


class BrowserError(PoinsotError):
    """There is no browser, or it does not answer."""


def find() -> str | None:
    """Return the program: POINSOT_BROWSER, or a Chromium or Chrome of the machine; None if there is none."""
    own = os.environ.get("POINSOT_BROWSER")
    return own or next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """A running browser whose profile lies in `folder`."""

    def __init__(self, folder: PathLike) -> None:
        program = find()
        if program is None:
            raise BrowserError("found no Chromium or Chrome: install one, or set POINSOT_BROWSER to its path")
        down, self._write = os.pipe()
        self._read, up = os.pipe()
        connected = f'exec "$0" "$@" 3</dev/fd/{down} 4>/dev/fd/{up}'
        profile = Path(folder) / "profile"
        try:
            self._process = subprocess.Popen(
                ["/bin/sh", "-c", connected, program, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(down, up),
            )
        except OSError as error:
            raise BrowserError(f"{program}: {error.strerror}") from None
        finally:
            for end in (down, up):
                os.close(end)
        self._buffer, self._count = b"", 0
        self.events: list[dict[str, Any]] = []

    def call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """Call a method and wait for the answer; events that arrive meanwhile are added to `events`."""
        self._count += 1
        message: dict[str, Any] = {"id": self._count, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._write, data) :]
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
        limit = clock.monotonic() + seconds
        while b"\0" not in self._buffer:
            ready, _, _ = select([self._read], [], [], max(0.0, limit - clock.monotonic()))
            if not ready:
                return None
            part = os.read(self._read, 1 << 20)
            if not part:
                raise BrowserError("the browser ended unexpectedly")
            self._buffer += part
        one, self._buffer = self._buffer.split(b"\0", 1)
        message: dict[str, Any] = json.loads(one)
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
        for end in (self._write, self._read):
            os.close(end)
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
