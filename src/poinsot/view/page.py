"""A page: one HTML file with the script and the data, which needs nothing else.

The policy in its head allows the browser to run this one script and to fetch nothing.
"""

import atexit
import base64
import hashlib
import html
import os
import shutil
import sys
import tempfile
import time
import webbrowser
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from poinsot.errors import ScenarioError
from poinsot.formats.paths import PathLike, file_path, replaced, writing
from poinsot.model.checks import show
from poinsot.view.bundle import script
from poinsot.view.display import Visible
from poinsot.view.look import USUAL, Look
from poinsot.view.payload import FORMAT, Payload, payload

FOLDER, DAY = "poinsot-view-", 86_400.0  # begin of the names of temporary folders; seconds
TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Poinsot">
<link rel="icon" href="data:,">
<title>{title}</title>
</head>
<body>
<main id="poinsot"><noscript>This page shows a motion and needs JavaScript.</noscript></main>
<script type="application/json" id="poinsot-header">{header}</script>
<script type="text/plain" id="poinsot-data">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def page(payload: Payload, reach: str = "") -> str:
    """Return the text of the file; `reach` is what it may connect to."""
    code = script()
    header, data = payload.text()
    proof = base64.b64encode(hashlib.sha256(code.encode("utf-8")).digest()).decode("ascii")
    policy = (
        f"default-src 'none'; script-src 'sha256-{proof}'; style-src 'unsafe-inline'; img-src data: blob:"
    ) + (f"; connect-src {reach}" if reach else "")
    return TEMPLATE.format(
        policy=policy, title=html.escape(payload.header["title"]), header=header, data=data, script=code
    )


def live_page(title: str, reach: str) -> str:
    """Return the page of a live simulation, which gets its runs from a socket (`live.messages`)."""
    return page(Payload({"format": FORMAT, "live": True, "title": title}, b""), reach)


def write(path: PathLike, text: str) -> Path:
    """Write a text file and its folders; an existing file is replaced only when the new one is complete."""
    target = file_path(path)
    with writing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with replaced(target) as fresh:
            fresh.write_text(text, encoding="utf-8", errors="replace", newline="\n")
    return target


def frame_of(text: str, height: int = 620) -> str:
    """Return the page in a frame for a notebook; the sandbox keeps it from its surroundings."""
    return (
        f'<iframe srcdoc="{html.escape(text, quote=True)}" sandbox="allow-scripts allow-downloads" '
        f'style="width:100%;height:{height}px;border:1px solid #ccc;border-radius:6px" '
        'allowfullscreen loading="lazy"></iframe>'
    )


def title_of(run: Any) -> str:
    """Return a heading for a run that was given none."""
    m, facts = run.trajectory.mechanism, getattr(run.trajectory, "facts", None)
    owners = m.names if facts is None else facts.coordinates
    names = ", ".join(owners[:3]) + (" ..." if len(owners) > 3 else "")
    origin = (m.origin or {}).get("name")
    return f"{origin if isinstance(origin, str) else names}: {run.method.label}, step {run.step:g}"


class Page:
    """A page that was written to a file; a notebook shows it in place.

    `path`: the file.

    Examples
    --------
    >>> import pathlib
    >>> from poinsot.view.page import Page
    >>> Page(pathlib.Path("run.html"))
    Page('run.html')
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def _repr_html_(self) -> str:
        return frame_of(self.path.read_text(encoding="utf-8"))

    def __fspath__(self) -> str:
        return str(self.path)

    def __repr__(self) -> str:
        return f"Page({str(self.path)!r})"


def by_label(runs: Any) -> dict[str, Any]:
    """Return runs by name; `runs` is one run, a list of runs, or a mapping."""
    if isinstance(runs, Mapping):
        return {str(name): run for name, run in runs.items()}
    if not isinstance(runs, list | tuple):
        return {runs.method.label: runs}
    result: dict[str, Any] = {}
    for run in runs:
        label = run.method.label
        name = label if label not in result else f"{label}, step {run.step:g}"
        result[name if name not in result else f"{name} ({len(result) + 1})"] = run
    return result


def html_of(
    runs: Any,
    title: str = "",
    notes: str = "",
    command: str | Mapping[str, str] = "",
    error: str | Mapping[str, str] = "",
    links: list[dict[str, Any]] | None = None,
    look: Look = USUAL,
) -> str:
    """Return the text of a page with these runs side by side; `links` are other runs that can be chosen."""
    for what, text in (("title", title), ("notes", notes), ("command", command), ("error", error)):
        by_run = isinstance(text, Mapping) and what in ("command", "error")
        if not isinstance(text, str) and not by_run:
            raise ScenarioError(f"page: {what} must be a text, got {show(text)}")
    shown = by_label(runs)
    for run in shown.values():
        if not isinstance(run, Visible):
            raise ScenarioError(f"page: expected a run, got {show(run)}")
    commands, errors = (dict.fromkeys(shown, x) if isinstance(x, str) else x for x in (command, error))
    heading = title or " | ".join(title_of(run) for run in shown.values())
    return page(payload(shown, heading, notes or look.notes, commands, errors, links, look.check()))


def to_html(path: PathLike, runs: Any, **texts: Any) -> Path:
    """Write the page of `html_of` to a file."""
    return write(path, html_of(runs, **texts))


def view(runs: Any, **texts: Any) -> Page:
    """Write the page to a temporary folder, and open it in a browser if there is a desktop.

    The folder goes when Python ends; if a browser shows the page, with the first call on another day.
    """
    text = html_of(runs, **texts)
    for old in Path(tempfile.gettempdir()).glob(f"{FOLDER}*"):
        with suppress(OSError):
            if time.time() - old.lstat().st_mtime > DAY:
                shutil.rmtree(old, ignore_errors=True)  # those of others stay
    folder = Path(tempfile.mkdtemp(prefix=FOLDER))
    made = Page(write(folder / "run.html", text))
    if in_notebook() or not open_in_browser(made.path.as_uri()):
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return made


def in_notebook() -> bool:
    """Return True in a Jupyter notebook, which shows pages in place."""
    shell = sys.modules.get("IPython")
    found = shell.get_ipython() if shell is not None else None
    return type(found).__name__ == "ZMQInteractiveShell"


def has_desktop() -> bool:
    """Return True if a browser window can appear: not over ssh, in CI or in a container."""
    if os.environ.get("CI") or os.environ.get("POINSOT_NO_BROWSER"):
        return False
    if sys.platform.startswith(("win", "darwin")):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_in_browser(address: str) -> bool:
    """Open a page if there is a desktop; return True if a browser took it."""
    if not has_desktop():
        return False
    try:
        return webbrowser.open(address)
    except (webbrowser.Error, OSError):
        return False
