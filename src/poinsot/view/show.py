"""Pages of runs in a file, in a browser, or in a notebook."""

import os
import sys
import tempfile
import webbrowser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from poinsot.errors import ScenarioError
from poinsot.formats.paths import PathLike
from poinsot.model.checks import show
from poinsot.view.page import frame_of, page, title_of, write
from poinsot.view.payload import payload
from poinsot.view.visible import Visible


class Page:
    """A page that was written to a file; a notebook shows it in place.

    Parameters
    ----------
    path : pathlib.Path
        The file.

    Examples
    --------
    >>> import pathlib
    >>> from poinsot.view.show import Page
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


def named(runs: Any) -> dict[str, Any]:
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
) -> str:
    """Return the text of a page with these runs side by side; `links` are other runs that can be chosen."""
    for what, text in (("title", title), ("notes", notes), ("command", command), ("error", error)):
        by_run = isinstance(text, Mapping) and what in ("command", "error")
        if not isinstance(text, str) and not by_run:
            raise ScenarioError(f"page: {what} must be a text, got {show(text)}")
    shown = named(runs)
    for run in shown.values():
        if not isinstance(run, Visible):
            raise ScenarioError(f"page: expected a run, got {show(run)}")
    commands, errors = (dict.fromkeys(shown, x) if isinstance(x, str) else x for x in (command, error))
    heading = title or " | ".join(title_of(run) for run in shown.values())
    return page(payload(shown, heading, notes, commands, errors, links))


def to_html(path: PathLike, runs: Any, **texts: Any) -> Path:
    """Write the page of `html_of` to a file."""
    return write(path, html_of(runs, **texts))


def view(runs: Any, **texts: Any) -> Page:
    """Write the page to a temporary folder, and open it in a browser if there is a desktop."""
    folder = Path(tempfile.mkdtemp(prefix="poinsot-"))
    made = Page(to_html(folder / "run.html", runs, **texts))
    if not in_notebook():
        open_in_browser(made.path.as_uri())
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
