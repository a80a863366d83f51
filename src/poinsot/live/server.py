"""Page and socket of a live simulation on one port of this machine.

    GET /TOKEN/          the page
    GET /TOKEN/socket    the socket, for a page of this address

It listens on 127.0.0.1.  The token cannot be guessed and is compared in constant time; requests under another
host name, and sockets for pages of another origin or of none, are refused, so that no page of the web can
reach the simulation.  It reads no path: archives are written to the folder given at start, under names of
its own.  A connection has a limited time, messages have a limited size and rate, and for each client there is
one place for the newest frame: a client that is slow misses frames.
"""

import asyncio
import hmac
import json
import logging
import secrets
import threading
import time as clock
from collections import deque
from contextlib import suppress
from http import HTTPStatus
from typing import Any

from poinsot.errors import PoinsotError, ScenarioError
from poinsot.live import messages
from poinsot.live.runner import Runner
from poinsot.view.page import live_page

HOST = "127.0.0.1"
CLIENTS, CONNECTIONS = 8, 64  # pages at a time; connections that may not be pages yet
QUIET = logging.getLogger("poinsot.live")  # handshakes that fail are no news
QUIET.addHandler(logging.NullHandler())
QUIET.propagate = False
PORTS = 20  # that are tried
PATIENCE = 10.0  # s for a handshake
ALIVE = 20.0  # s between two signs of life
RATE, BURST = 250.0, 500.0  # messages a second, and at once
TEXTS = 100  # that wait for a client


class Client:
    """What is to be sent to one page, and how much it has said."""

    def __init__(self, socket: Any) -> None:
        self.socket, self.some = socket, asyncio.Event()
        self.newest: dict[str, str] = {}  # of each kind of which only the newest counts
        self.texts: deque[str] = deque(maxlen=TEXTS)
        self.frame: bytes | None = None
        self.allowance, self.heard = BURST, clock.monotonic()
        self.greeted = False  # the hello comes first

    def tell(self, kind: str, fields: dict[str, Any]) -> None:
        """Send a message."""
        self.greeted = self.greeted or kind == "hello"
        if not self.greeted:
            return
        text = json.dumps({"is": kind, **fields}, allow_nan=False)
        if kind in ("hello", "status", "light"):
            self.newest[kind] = text
        else:
            self.texts.append(text)
        self.some.set()

    def show(self, frame: bytes) -> None:
        """Send a frame, unless a newer one comes before."""
        if self.greeted:
            self.frame = frame
            self.some.set()

    def hear(self) -> bool:
        """Count a message; return False if there are too many."""
        now = clock.monotonic()
        self.allowance = min(BURST, self.allowance + RATE * (now - self.heard)) - 1
        self.heard = now
        return self.allowance >= 0

    async def send(self) -> None:
        """Send what there is, for ever."""
        while True:
            await self.some.wait()
            self.some.clear()
            for kind in ("hello", "status", "light"):
                if kind in self.newest:
                    await self.socket.send(self.newest.pop(kind))
            while self.texts:
                await self.socket.send(self.texts.popleft())
            frame, self.frame = self.frame, None
            if frame is not None:
                await self.socket.send(frame)


class Server(threading.Thread):
    """Talks to the pages.

    Parameters
    ----------
    title : of the page
    port : the first one that is tried; 0: any that is free
    ancestors : origins of pages that may show the page in a frame
    """

    def __init__(self, title: str, port: int, ancestors: tuple[str, ...] = ()) -> None:
        super().__init__(name="poinsot-live-talk", daemon=True)
        self.title, self.wanted, self.ancestors = title, port, ancestors
        self.token = secrets.token_urlsafe(32)
        self.port = 0
        self.clients: list[Client] = []  # the first one drives
        self.runner: Runner | None = None
        self.ready = threading.Event()
        self.fault: BaseException | None = None
        self._frame: bytes | None = None
        self._pending = False
        self._status: dict[str, Any] = {}

    @property
    def address(self) -> str:
        """Address of the page."""
        return f"http://{HOST}:{self.port}/{self.token}/"

    def begin(self, runner: Runner) -> None:
        """Listen; a PoinsotError says if no port is free."""
        self.runner = runner
        self.start()
        self.ready.wait()
        if self.fault is not None:
            raise ScenarioError(f"cannot listen on {HOST}, port {self.wanted}: {self.fault}")

    def close(self) -> None:
        """End all connections and the thread."""
        with suppress(RuntimeError, AttributeError):  # it has ended, or never began
            self._loop.call_soon_threadsafe(self._end.set)

    def run(self) -> None:
        """Serve until it is closed."""
        try:
            asyncio.run(self._serve())
        except OSError as error:
            self.fault = error
        finally:
            self.ready.set()

    async def _serve(self) -> None:
        from websockets.asyncio.server import ServerConnection, serve

        lines: set[Any] = set()

        class Line(ServerConnection):
            """A connection, of which there is a limited number."""

            def connection_made(self, transport: Any) -> None:
                lines.add(self)
                super().connection_made(transport)
                if len(lines) > CONNECTIONS:
                    transport.abort()

            def connection_lost(self, exc: Exception | None) -> None:
                lines.discard(self)
                super().connection_lost(exc)

        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        for port in range(self.wanted, self.wanted + (PORTS if self.wanted else 1)):
            try:
                server = await serve(
                    self._talk,
                    HOST,
                    port,
                    process_request=self._answer,
                    create_connection=Line,
                    logger=QUIET,
                    compression=None,
                    max_size=messages.LARGEST,
                    max_queue=16,
                    open_timeout=PATIENCE,
                    ping_interval=ALIVE,
                    ping_timeout=ALIVE,
                    close_timeout=1.0,
                    server_header=None,
                    write_limit=1 << 16,
                )
                break
            except (OSError, OverflowError) as error:
                fault: BaseException = error
        else:
            raise OSError(*fault.args)
        self.port = server.sockets[0].getsockname()[1]
        self.ready.set()
        await self._end.wait()
        server.close()
        await server.wait_closed()

    def _answer(self, connection: Any, request: Any) -> Any:
        """Return the answer to a request; None lets a socket open."""
        here = [f"{name}:{self.port}" for name in (HOST, "localhost")]
        if request.headers.get_all("Host") not in [[one] for one in here]:
            return self._response(403, "this page is for this machine only\n")
        path = request.path.partition("?")[0].split("/")
        token = path[1] if len(path) > 1 else ""
        if not hmac.compare_digest(token.encode("utf-8", "replace"), self.token.encode()) or len(path) != 3:
            return self._response(404, "there is nothing here\n")
        if path[2] == "":
            reach = " ".join(f"ws://{one}/{self.token}/socket" for one in here)
            return self._response(200, live_page(self.title, reach), "text/html")
        if path[2] != "socket":
            return self._response(404, "there is nothing here\n")
        if request.headers.get_all("Origin") not in [[f"http://{one}"] for one in here]:
            return self._response(403, "this socket is for its own page only\n")
        if len(self.clients) >= CLIENTS:
            return self._response(503, "too many pages are open\n")
        return None

    def _response(self, status: int, text: str, kind: str = "text/plain") -> Any:
        from websockets.datastructures import Headers
        from websockets.http11 import Response

        data, frames = text.encode("utf-8", "replace"), " ".join(self.ancestors) or "'none'"
        headers = Headers()
        for name, value in (
            ("Content-Type", f"{kind}; charset=utf-8"),
            ("Content-Length", str(len(data))),
            ("Connection", "close"),
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Referrer-Policy", "no-referrer"),
            ("Content-Security-Policy", f"frame-ancestors {frames}"),
        ):
            headers[name] = value
        return Response(status, HTTPStatus(status).phrase, headers, data)

    async def _talk(self, socket: Any) -> None:
        """Talk to one page until it ends."""
        from websockets.exceptions import ConnectionClosed

        if len(self.clients) >= CLIENTS or self.runner is None:
            await socket.close(1013)
            return
        client = Client(socket)
        self.clients.append(client)
        sender = asyncio.ensure_future(client.send())
        try:
            if len(self.clients) == 1:
                self.runner.call(lambda session: session.forget_id())
            hello, self._status, frame = await asyncio.wrap_future(
                self.runner.call(lambda session: (session.hello(), session.status(), session.frame()))
            )
            client.tell("hello", hello)
            client.show(frame)
            self._tell_status()
            async for text in socket:
                if not client.hear():
                    await socket.close(1008, "too many messages")
                    break
                self._take(client, messages.read(text))
        except ConnectionClosed:
            pass
        except ScenarioError as error:
            await socket.close(1008, str(error)[:100])
        except (PoinsotError, asyncio.CancelledError):  # closed meanwhile
            await socket.close(1001)
        finally:
            sender.cancel()
            self._leave(client)

    def _take(self, client: Client, message: dict[str, Any]) -> None:
        """Take a message of a page."""
        assert self.runner is not None, "there are clients"

        def refuse(text: str) -> None:
            self._loop.call_soon_threadsafe(client.tell, "error", {"text": text, "dead": False})

        drives = client is self.clients[0]
        if message["do"] == "drive":
            if message["on"] == drives:
                return
            self.clients.remove(client)
            self.clients.insert(len(self.clients) if drives else 0, client)
            self.runner.call(lambda session: session.forget_id())
            self._tell_status()
        elif drives or message["do"] in messages.ANYONE:
            self.runner.submit(message, refuse)
        else:
            client.tell("error", {"text": "another page drives: take over first", "dead": False})

    def _leave(self, client: Client) -> None:
        """Forget a page; a simulation that nobody looks at stands still."""
        self.clients.remove(client)
        if not self.clients and self.runner is not None and not self.runner.ended:
            with suppress(PoinsotError):
                self.runner.submit({"do": "release", "id": 0}, lambda text: None)
                self.runner.submit({"do": "pause", "id": 0}, lambda text: None)
        else:
            self._tell_status()

    def _tell_status(self) -> None:
        for k, client in enumerate(self.clients):
            client.tell("status", {**self._status, "drives": k == 0, "clients": len(self.clients)})

    def tell(self, kind: str, fields: dict[str, Any]) -> None:
        """Send a message to all pages; called by the thread that steps."""
        with suppress(RuntimeError, AttributeError):  # nobody listens yet, or any more
            self._loop.call_soon_threadsafe(self._spread, kind, fields)

    def _spread(self, kind: str, fields: dict[str, Any]) -> None:
        if kind == "status":
            self._status = fields
            self._tell_status()
            return
        for client in self.clients:
            client.tell(kind, fields)

    def publish(self, frame: bytes) -> None:
        """Show a frame to all pages; called by the thread that steps.  There is one place for it."""
        self._frame = frame
        if not self._pending:
            self._pending = True
            with suppress(RuntimeError, AttributeError):
                self._loop.call_soon_threadsafe(self._show)

    def _show(self) -> None:
        self._pending = False
        if self._frame is not None:
            for client in self.clients:
                client.show(self._frame)
