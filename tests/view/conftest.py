"""A browser for the tests of pages, and what they all ask of it."""

import json
import os
from pathlib import Path

import pytest

from poinsot.view import browser as machine
from poinsot.view.page import to_html

ARTEFACTS = Path(os.environ.get("POINSOT_ARTEFACTS", Path(__file__).parents[1] / "artefacts"))
CODES = {
    "Space": 32,
    "End": 35,
    "Home": 36,
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
}
KEYS = {" ": ("Space", 32), "Escape": ("Escape", 27), **{name: (name, code) for name, code in CODES.items()}}


PATIENCE = 120.0  # seconds: pages are drawn without a graphics card, on two busy processors


class Shown:
    """A page in a tab without a network."""

    def __init__(self, browser, width, height):
        self.tab = browser.tab(width, height)
        self.tab.call(
            "Network.emulateNetworkConditions",
            offline=True,
            latency=0,
            downloadThroughput=0,
            uploadThroughput=0,
        )

    def open(self, address, ready=True):
        self.tab.go(address)
        if ready:
            self.tab.wait("window.poinsot?.ready", PATIENCE)
            self.drawn()
        return self

    def __call__(self, expression):
        return self.tab.evaluate(expression)

    def drawn(self):
        """Wait until what was asked for is on the screen."""
        seen = self("poinsot.rendered")
        self("poinsot.pause()")
        self("window.dispatchEvent(new Event('resize'))")
        self("poinsot.seek(poinsot.time)")
        self.tab.wait(f"poinsot.rendered > {seen}", PATIENCE)

    def press(self, key):
        code, number = KEYS.get(key) or (f"Key{key.upper()}", ord(key.upper()))
        shared = {"key": key, "code": code, "windowsVirtualKeyCode": number}
        typed = {"text": key} if len(key) == 1 else {}
        self.tab.call("Input.dispatchKeyEvent", type="keyDown", **shared, **typed)
        self.tab.call("Input.dispatchKeyEvent", type="keyUp", **shared)

    def box(self, selector):
        return self(
            f"(() => {{ const b = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
            " return [b.x, b.y, b.width, b.height] })()"
        )

    def mouse(self, kind, x, y, **more):
        self.tab.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, selector, across=0.5, down=0.5):
        x, y, width, height = self.box(selector)
        at = (x + across * width, y + down * height)
        self.mouse("mouseMoved", *at)
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, *at, button="left", clickCount=1)

    def requests(self):
        """Everything that the page asked for after itself."""
        return [one["request"]["url"] for one in self.tab.events("Network.requestWillBeSent")][1:]

    def complaints(self):
        """Errors and warnings in the console, but not what the software renderer says of its own speed."""
        thrown = [str(one["exceptionDetails"]) for one in self.tab.events("Runtime.exceptionThrown")]
        said = [
            str(one["args"])
            for one in self.tab.events("Runtime.consoleAPICalled")
            if one["type"] in ("error", "warning", "assert")
        ]
        logged = [one["entry"] for one in self.tab.events("Log.entryAdded")]
        return (
            thrown
            + said
            + [
                one["text"]
                for one in logged
                if one["level"] in ("error", "warning") and "GL Driver Message" not in one["text"]
            ]
        )


@pytest.fixture(scope="module")  # a page that is left open draws on, beside all later tests
def browser(tmp_path_factory):
    if machine.find() is None:
        pytest.skip("no Chromium: install one or name it in POINSOT_BROWSER")
    with machine.Browser(tmp_path_factory.mktemp("browser")) as found:
        yield found


@pytest.fixture
def shown(browser, tmp_path):
    """shown(runs, ...) opens their page; at the end nothing was asked for and nothing complained."""
    pages = []

    def open_page(runs, size=(900, 700), address="frame=0", ready=True, **words):
        path = to_html(tmp_path / f"page{len(pages)}.html", runs, **words)
        page = Shown(browser, *size)
        pages.append(page)
        return page.open(f"{path.as_uri()}#{address}", ready)

    yield open_page
    for page in pages:
        assert page.complaints() == []
        assert page.requests() == []
        page.tab.close()


@pytest.fixture(scope="session")
def artefacts():
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    return ARTEFACTS
