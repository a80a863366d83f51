"""Hostile names of bodies, loops, runs and files through pages, tables and the server.

What must hold: no name becomes markup or a script of a page; nothing is written but the file that was asked
for; the server gives nothing but the archives of its folder.
"""

import html.parser
import http.client
import os
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from urllib.parse import quote

import poinsot as ps
from attacks.arguments import told
from attacks.attempt import Attempt, Attempts
from poinsot.cli.pages import page
from poinsot.view.server import Server

EVIL = "alert(1)"
NAMES = (
    f"<script>{EVIL}</script>",
    f"</script><script>{EVIL}</script>",
    f"</title><script>{EVIL}</script>",
    f"<!--<script>{EVIL}",
    f"--><script>{EVIL}</script>",
    f"<img src=x onerror={EVIL}>",
    f'" onmouseover="{EVIL}',
    f"' onload='{EVIL}",
    f"javascript:{EVIL}",
    f"]]><script>{EVIL}</script>",
    f"\\u003cscript\\u003e{EVIL}",
    f"&lt;script&gt;{EVIL}&lt;/script&gt;",
    "${" + EVIL + "}",
    "{{" + EVIL + "}}",
    "{policy}{header}{script}",
    "%s%n%x",
    "../../../../etc/passwd",
    "..%2f..%2fetc%2fpasswd",
    "/etc/passwd",
    "C:\\Windows",
    "a;rm -rf x",
    "$(touch x)",
    "`touch x`",
    "=cmd|' /C calc'!A0",
    "\u202eevil",
    "\u2028",
    "caf\udce9",
    "\ud800",
    "\x00",
    "a\nb",
    "a\r\nSet-Cookie: x=1",
    "𝕳𝖊𝖑𝖑𝖔",
    "é" * 100,
    "x" * 2000,
    "__proto__",
    "constructor",
    "null",
    "",
    " ",
)


class Tags(html.parser.HTMLParser):
    """Counts what a page could run: tags, and attributes that are code."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.code: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.code += [name for name, value in attrs if name.startswith("on") or EVIL in (value or "")]


def tags(text: str) -> tuple[list[str], list[str]]:
    """Return tags and attributes with code."""
    found = Tags()
    found.feed(text)
    return found.tags, found.code


def run_of(name: str) -> ps.Run:
    """Return a short run of a body, and a loop, of this name."""
    m = ps.Mechanism().add(name, ps.Sphere(0.1).body(mass=1.0), ps.Free())
    m.close(ps.Loop("world", name, ps.Distance(1.0), name=f"{name}2"))
    start = m.state({name: dict(position=(0, 0, -1))})
    return ps.simulate(m, start, "variational", step=0.01, steps=2)


def bodies(name: str, folder: Path, usual: list[str]) -> str:
    """Return what did not hold for a body of this name."""
    try:
        run = run_of(name)
    except ps.PoinsotError:
        return ""  # refused
    before = set(folder.iterdir())
    page_, table = run.to_html(folder / "page.html"), run.to_csv(folder / "table.csv")
    again = ps.load(run.save(folder / "run.poinsot"))
    extra = set(folder.iterdir()) - before - {page_, table, folder / "run.poinsot"}
    if extra:
        return f"also written: {extra}"
    if again.mechanism.names != [name]:
        return f"read back as {again.mechanism.names}"
    return texts(page_, usual) or marked(run.mechanism._repr_html_())


def texts(path: Path, usual: list[str]) -> str:
    """Return what did not hold for a page: it has the tags of a usual one, and no code in attributes."""
    found, code = tags(path.read_text(encoding="utf-8"))
    if found != usual or code:
        return f"tags {sorted(set(found) - set(usual))} ({len(found)}, not {len(usual)}), code {code}"
    return ""


def marked(text: str) -> str:
    """Return what did not hold for a piece of HTML for notebooks."""
    found, code = tags(text)
    bad = set(found) & {"script", "img", "iframe", "svg"}
    return f"tags {sorted(bad)}, code {code}" if bad or code else ""


@contextmanager
def serving(path: Path) -> Iterator[Server]:
    """Serve the folder of an archive in a thread."""
    with Server(path, page) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def asked(server: Server, address: str, host: str | None = None) -> tuple[int, bytes]:
    """Return status and answer of a request with this address, as it stands."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=60)
    try:
        connection.putrequest("GET", address, skip_host=True)
        connection.putheader("Host", host or f"127.0.0.1:{server.server_address[1]}")
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def escapes(secret: str) -> list[str]:
    """Return addresses that try to leave the folder."""
    ways = ["../", "..%2f", "..%2F", "%2e%2e/", "%2e%2e%2f", "..%5c", "....//", "..;/", "%252e%252e%252f"]
    names = [f"{way * depth}{secret}" for way in ways for depth in (1, 3)]
    outside = [f"/run/{one}" for one in names] + [f"/{one}" for one in names]
    return [*outside, "/run/link.poinsot", "/run/secret.txt", "/run//etc/passwd", "/run/%00", "//x", "/run/"]


def attempts(rng: Random, folder: Path) -> Attempts:
    """Yield all names in all places once, and then pairs of names without end."""
    warnings.simplefilter("ignore")
    inside, outside = folder / "inside", folder / "outside"
    inside.mkdir()
    outside.mkdir()
    plain = run_of("plain")
    usual = tags(plain.to_html(inside / "page.html").read_text(encoding="utf-8"))[0]
    plain.save(outside / "hidden.poinsot")
    (inside / "secret.txt").write_text("secret")
    (inside / "link.poinsot").symlink_to(outside / "hidden.poinsot")
    for name in NAMES:
        yield Attempt(f"body {name[:40]!r}", _held(bodies, name, inside, usual))
    for name in NAMES:
        yield Attempt(f"texts {name[:40]!r}", _held(_texts, plain, name, inside, usual))
    first = plain.save(inside / "run.poinsot")
    for name in NAMES:
        yield Attempt(f"file {name[:40]!r}", _held(_file, plain, name, first, usual))
    with serving(first) as server:
        for address in escapes("outside/hidden.poinsot"):
            status, text = asked(server, address)
            shown = status == 200 or b"secret" in text.split(b"\\n")[0]
            yield Attempt(f"address {address}", f"status {status}" if shown else "")
        for host in ("evil.example", "127.0.0.1.evil.example", "localhost", "127.0.0.1:1", "[::1]"):
            status, _ = asked(server, "/", host)
            yield Attempt(f"host {host}", "" if status == 403 else f"status {status}")
    while True:
        name = f"{rng.choice(NAMES)}{rng.choice(NAMES)}"[:120]
        yield Attempt(f"body {name[:60]!r}", _held(bodies, name, inside, usual))


def _texts(run: ps.Run, text: str, folder: Path, usual: list[str]) -> str:
    """Return what did not hold for a page with this title, notes, command, error, and name of a run."""
    path = run.to_html(folder / "page.html", title=text, notes=text, command=text, error=text)
    failure = texts(path, usual)
    return failure or texts(run.to_html(folder / "page.html", {text: run}), usual)


def _file(run: ps.Run, name: str, first: Path, usual: list[str]) -> str:
    """Return what did not hold for an archive with this file name, shown by the server."""
    if "/" in name or "\0" in name or name in ("", " "):
        return ""  # not the name of a file in this folder
    path = first.parent / f"{name}.poinsot"
    try:
        run.save(path)
    except ps.PoinsotError:
        return ""  # too long, or no bytes
    try:
        with serving(first) as server:
            status, text = asked(server, f"/run/{quote(os.fsencode(path.name), safe='')}")
        if status != 200:
            return f"status {status}"
        found, code = tags(text.decode("utf-8"))
        return "" if found == usual and not code else f"tags {sorted(set(found) - set(usual))}, code {code}"
    finally:
        path.unlink()


def _held(check, *arguments) -> str:
    """Return what a check says; an error is a failure."""
    try:
        return str(check(*arguments))
    except ps.PoinsotError as error:
        return "" if "\n" not in str(error) else f"a message of several lines: {str(error)[:80]!r}"
    except Exception as error:
        return told(error)
