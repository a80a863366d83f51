"""A page of a live simulation, without a browser: it speaks the protocol and keeps what it was told."""

import json
from urllib.parse import urlsplit

from websockets.sync.client import connect

from poinsot.live.messages import numbers_of

PATIENCE = 60  # s: kernels may be compiled meanwhile


class Page:
    """A client of a `Live`."""

    def __init__(self, live, **options):
        place = urlsplit(live.address)
        address = f"ws://{place.netloc}{place.path}socket"
        own = {"origin": f"http://{place.netloc}", "compression": None, "max_size": None}
        self.socket = connect(address, **{**own, **options}).__enter__()
        self.told, self.number, self.frames = [], 0, 0
        self.hello = self.wait("hello")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.socket.close()

    def receive(self):
        """Return the next message: its kind, and its fields or (head, numbers by key, poses)."""
        data = self.socket.recv(timeout=PATIENCE)
        if isinstance(data, str):
            found = json.loads(data)
            self.told.append(found)
            if found["is"] == "hello":
                self.hello = found
            return found["is"], found
        head, rows, poses = numbers_of(data)
        self.frames += 1
        by_key = [
            {one["key"]: row[one["at"] : one["at"] + one["count"]] for one in self.hello["numbers"]}
            for row in rows
        ]
        return "frame", (head, by_key, poses)

    def wait(self, kind, fits=lambda found: True):
        """Return the next message of a kind."""
        while True:
            what, found = self.receive()
            if what == kind and fits(found):
                return found

    def send(self, what, **fields):
        """Send a message; return its id."""
        self.number += 1
        self.socket.send(json.dumps({"do": what, "id": self.number, **fields}))
        return self.number

    def do(self, what, **fields):
        """Send a message; return the numbers of the first frame that has seen it."""
        sent = self.send(what, **fields)
        return self.wait(
            "frame", lambda found: found[0]["id"] >= sent and found[0]["scene"] == self.hello["scene"]
        )

    def step(self, count=1):
        """Make steps; return the numbers of the first run."""
        return self.do("step", count=count)[1][0]
