"""Random messages, requests and connections that break off, to a live simulation.

What must hold: what is no message of the protocol closes its connection, what is one does not; the server
goes on to answer, steps are those of `simulate`, and nothing but archives is written, into its folder.
"""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed

import poinsot as ps
from attacks.arguments import told
from attacks.attempt import Attempt, Attempts
from poinsot.live import messages
from support.live_page import Page

ODD = [
    None,
    True,
    -1,
    0,
    1,
    2,
    1e300,
    -5.5,
    "x",
    "bodies.lower.mass",
    "rk4",
    [],
    [0, 0, 0],
    [1, 2],
    {},
    "é\0",
]
CODES = (1008, 1009)  # of a connection that said what is no message
ROUND = 40  # messages of a page
START = {"step": 0.0025, "bodies.lower.mass": 1.0, "start.upper.angle": 1.8}


def message(rng: Random) -> str:
    """Return a text: more than half of them are messages."""
    what = rng.choice([*messages.FIELDS, "go", "__init__", "_write"])
    fields = {name: rng.choice(ODD) for name in messages.FIELDS.get(what, {}) if rng.random() < 0.9}
    if rng.random() < 0.6:
        fits: dict[str, Any] = {
            "count": 2,
            "value": rng.choice([0.5, 1.0, 2.0, -1.0, 1e-3, 1e30]),
            "path": rng.choice([*START, "nothing"]),
            "index": None,
            "name": rng.choice(["rk4", "sgauss3", "variational", "nothing"]),
            "method": rng.choice([None, "rk4", "nothing"]),
            "body": rng.randrange(3),
            "time": rng.uniform(-1, 5),
            "on": rng.random() < 0.5,
            "sequence": rng.choice(["ZYX", "zxz", "xx"]),
        }
        vector = [rng.uniform(-3, 3) for _ in range(3)]
        fields = {name: fits.get(name, vector) for name in messages.FIELDS.get(what, {})}
    text = json.dumps({"do": what, **fields})
    if rng.random() < 0.1:
        place = rng.randrange(len(text))
        text = text[:place] + rng.choice('{}[]",:x0é') + text[place + 1 :]
    return text


def is_message(text: str) -> bool:
    """Return whether a text is a message."""
    try:
        messages.read(text)
    except ps.ScenarioError:
        return False
    return True


def say(page: Page, text: str) -> str:
    """Send a text; return what does not hold."""
    page.socket.send(text)
    if is_message(text):
        return ""
    try:
        page.wait("never")
    except ConnectionClosed as error:
        code = None if error.rcvd is None else error.rcvd.code
        return "" if code in CODES else f"closed with {code}"
    return "not closed"


def requests(rng: Random, live: Any) -> Iterator[bytes]:
    """Yield what is sent to the port before the connection breaks off."""
    place = urlsplit(live.address)
    whole = f"GET {place.path}socket HTTP/1.1\r\nHost: {place.netloc}\r\nUpgrade: websocket\r\n\r\n".encode()
    for _ in range(5):
        cut = whole[: rng.randrange(len(whole))]
        yield cut if rng.random() < 0.5 else cut + rng.randbytes(rng.randrange(200))


def steps_fail(live: Any) -> str:
    """Return what is wrong with two steps from the start; empty if they are those of `simulate`."""
    live.change(**START, method="rk4")
    s = live.scenario
    with Page(live) as page:
        page.do("compare", method=None)
        page.do("reset")
        found = page.step(2)
    run = ps.simulate(s.mechanism, s.start, "rk4", step=s.step, steps=2)
    return "" if found["q"].tobytes() == run.final.q.tobytes() else "two steps are not those of simulate"


def attempts(rng: Random, folder: Path) -> Attempts:
    """Yield messages without end."""
    with ps.scenario("double-pendulum").live(browser=False, folder=folder) as live:
        while True:
            page = Page(live)
            for _ in range(ROUND):
                text = message(rng)
                try:
                    failure = say(page, text)
                except Exception as error:
                    failure = told(error)
                yield Attempt(f"message {text[:100]}", failure)
                if failure or not is_message(text):
                    page.socket.close()
                    page = Page(live)
            page.socket.close()
            for data in requests(rng, live):
                with socket.create_connection(("127.0.0.1", urlsplit(live.address).port)) as line:
                    line.sendall(data)
            yield Attempt("two steps", steps_fail(live))
            odd = [one.name for one in folder.iterdir() if one.suffix != ".poinsot"]
            yield Attempt("files", f"{odd}" if odd else "")
