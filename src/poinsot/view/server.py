"""A server for the pages of the archives in one folder, for this machine only.

    GET /             the page of the first archive
    GET /run/NAME     the page of another archive of the folder
    GET /runs         names of the archives, as JSON

It listens on 127.0.0.1, answers GET and HEAD, writes nothing, and opens only archives that lie in the folder
itself: names are looked up in a list and never joined to a path.  Requests under another host name are
refused, so that no page of the web can read what is shown here, and no page may show it in a frame.  A
connection has a limited time for each request and each answer, and there is a limit to their number.
"""

import json
import os
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from poinsot.errors import PoinsotError

HOST = "127.0.0.1"
ENDING = ".poinsot"
PATIENCE = 10.0  # s that a request may take, from its first byte or the answer before it
SENDING = 60.0  # s that an answer may take to be read
CONNECTIONS = 64  # at a time
Maker = Callable[[Path, list[dict[str, Any]]], str]  # the page of an archive, with links to the others


def archives(folder: Path) -> dict[str, Path]:
    """Return the archives in a folder by name; links that lead out of the folder are left out."""
    inside = folder.resolve()
    found = sorted(
        path for path in inside.glob(f"*{ENDING}") if path.is_file() and path.resolve().parent == inside
    )
    return {path.name: path for path in found}


def links(folder: Path, shown: str) -> list[dict[str, Any]]:
    """Return the list of runs for the page of the archive `shown`."""
    return [
        {
            "name": readable(name),
            "address": f"/run/{quote(os.fsencode(name), safe='')}",
            "shown": name == shown,
        }
        for name in archives(folder)
    ]


def readable(name: str) -> str:
    """Return the name of a file for people: bytes that are not UTF-8 are replaced."""
    return os.fsencode(name).decode("utf-8", "replace")


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    server: "Server"
    protocol_version = "HTTP/1.1"
    timeout = PATIENCE
    server_version, sys_version = "Poinsot", ""

    def handle_one_request(self) -> None:
        """Wait for a request and answer it."""
        self.server.limit(self.connection, PATIENCE)
        super().handle_one_request()

    def do_GET(self) -> None:
        """Answer with a page."""
        self._answer(body=True)

    def do_HEAD(self) -> None:
        """Answer with the headers of a page."""
        self._answer(body=False)

    def _answer(self, body: bool) -> None:
        """Send the answer, with its text or without."""
        self.server.limit(self.connection)  # a page takes as long as it takes
        status, kind, text = self._page()
        self.server.limit(self.connection, SENDING)
        data = text.encode("utf-8", "replace")  # the title may be a name that is not UTF-8
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        for name, value in (
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Referrer-Policy", "no-referrer"),
            ("Content-Security-Policy", "frame-ancestors 'none'"),
        ):
            self.send_header(name, value)
        self.end_headers()
        if body:
            self.wfile.write(data)

    def _page(self) -> tuple[HTTPStatus, str, str]:
        """Return status, type and text of the answer."""
        port = self.server.server_address[1]
        if self.headers.get("Host") not in (f"{HOST}:{port}", f"localhost:{port}"):
            return HTTPStatus.FORBIDDEN, "text/plain", "this page is for this machine only\n"
        try:
            path = urlsplit(self.path).path
        except ValueError:  # http://[::1
            return HTTPStatus.BAD_REQUEST, "text/plain", "this is no address\n"
        known = archives(self.server.folder)
        if path == "/runs":
            return HTTPStatus.OK, "application/json", json.dumps([readable(name) for name in known])
        name = (
            self.server.first
            if path == "/"
            else unquote(path.removeprefix("/run/"), errors="surrogateescape")
        )
        if name not in known or not (path == "/" or path.startswith("/run/")):
            return HTTPStatus.NOT_FOUND, "text/plain", "there is no such run here\n"
        try:
            return HTTPStatus.OK, "text/html", self.server.make(known[name], links(self.server.folder, name))
        except PoinsotError as error:
            return HTTPStatus.UNPROCESSABLE_ENTITY, "text/plain", f"{error}\n"
        except Exception as error:  # an archive that is not damaged, and odd all the same
            text = f"{readable(name)} cannot be shown: {type(error).__name__}: {error}\n"
            return HTTPStatus.UNPROCESSABLE_ENTITY, "text/plain", text

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


class Server(ThreadingHTTPServer):
    """Serves the archive `first` and the others of its folder; port 0 chooses a free port."""

    daemon_threads = True

    def __init__(self, first: Path, make: Maker, port: int = 0) -> None:
        self.folder, self.first, self.make = first.resolve().parent, first.name, make
        self.places = threading.BoundedSemaphore(CONNECTIONS)
        self.deadlines: dict[socket.socket, float] = {}
        super().__init__((HOST, port), Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread of its own if there is a place; close the connection otherwise."""
        if self.places.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer, and give the place back."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.limit(request)
            self.places.release()

    def limit(self, connection: socket.socket, seconds: float | None = None) -> None:
        """Give a connection so much time from now on; without `seconds`, any."""
        if seconds is None:
            self.deadlines.pop(connection, None)
        else:
            self.deadlines[connection] = time.monotonic() + seconds

    def service_actions(self) -> None:
        """End the connections whose time is over; `serve_forever` calls this twice a second."""
        for connection, deadline in list(self.deadlines.items()):
            if time.monotonic() > deadline:
                self.limit(connection)
                with suppress(OSError):  # it has ended
                    connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a connection that the other side gave up."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)

    @property
    def address(self) -> str:
        """Address of the first page."""
        return f"http://{HOST}:{self.server_address[1]}/"
