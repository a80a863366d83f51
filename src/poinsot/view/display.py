"""Showing a run: as a page, in a browser, as a film.  Everything heavy is imported when it is needed."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from poinsot.errors import ScenarioError
from poinsot.formats.paths import PathLike
from poinsot.model.checks import show

if TYPE_CHECKING:
    from poinsot.view.look import Ground, Trail
    from poinsot.view.page import Page

Others = Mapping[str, Any] | None


class Visible:
    """What a run can be shown as; notebooks show it by itself."""

    method: Any

    def _beside(self, others: Others) -> dict[str, Any]:
        """Return this run and the others by name, this one first under a name that no other has."""
        if others is not None and not isinstance(others, Mapping):
            raise ScenarioError(f"others must be runs by name, {{'other': run}}, got {show(others)}")
        name = self.method.label
        while name in (others or {}):
            name += ", this run"
        return {name: self, **(others or {})}

    def to_html(
        self,
        path: PathLike,
        others: Others = None,
        *,
        title: str = "",
        notes: str = "",
        command: str = "",
        error: str = "",
        trail: "Trail" = None,
        ground: "Ground" = None,
        overlay: bool = False,
    ) -> Path:
        """Write an interactive page of the run: one HTML file that needs no network.

        Returns the path of the page.

        Parameters
        ----------
        path : File to write.
        others : Runs to show beside this one, by name.
        title : Heading; empty: names of bodies, method and step.
        notes : Text below the picture.
        command : Command that made the run, to be shown; empty: the recorded command, or the call in Python.
        error : Error to be shown; empty: a note if the run ended early.
        trail : Body whose far end leaves a trail, several of them, or points by body, in the body frame [m]:
            {"lower": (0, 0, -0.5)}; False: none.  Default: the bodies at the ends of the mechanism.
        ground : Height of the ground against gravity [m], or False for none.  Default: 0 if nothing moves
            below it, else below everything; none without gravity.
        overlay : Show all runs in one picture, this one solid and the others as glass, not side by side.
        """
        from poinsot.view.look import Look
        from poinsot.view.page import to_html

        shown, look = self._beside(others), Look(trail, ground, overlay)
        return to_html(path, shown, title=title, notes=notes, command=command, error=error, look=look)

    def view(
        self,
        others: Others = None,
        *,
        title: str = "",
        notes: str = "",
        command: str = "",
        error: str = "",
        trail: "Trail" = None,
        ground: "Ground" = None,
        overlay: bool = False,
    ) -> "Page":
        """Write the page of `to_html` to a temporary folder, and open it in a browser if there is a desktop.

        Returns the page, with its `path`; a notebook shows it in place.  The folder is removed when Python
        ends, unless a browser shows the page: `to_html` writes one to keep.

        Parameters
        ----------
        others, title, notes, command, error, trail, ground, overlay : As of `to_html`.
        """
        from poinsot.view.look import Look
        from poinsot.view.page import view

        shown, look = self._beside(others), Look(trail, ground, overlay)
        return view(shown, title=title, notes=notes, command=command, error=error, look=look)

    def to_video(
        self,
        path: PathLike,
        others: Others = None,
        *,
        seconds: float | None = None,
        speed: float | None = None,
        rate: int | None = None,
        size: tuple[int, int] = (1280, 720),
        look: str = "",
        progress: bool = False,
        **texts: Any,
    ) -> Path:
        """Write a film of the page (needs the extra `video`, and Chromium or Chrome).

        Returns the path of the film.

        Parameters
        ----------
        path : File to write, which ends in .mp4 or .gif.
        others : Runs to show beside this one, by name.
        seconds : Longest duration of the film [s].  Default: 20.
        speed : Seconds of the motion per second of the film.  Default: 1, or faster to show all of the run.
        rate : Pictures per second.  Default: 30, for .gif 15.
        size : Width and height [pixels]; odd numbers are rounded down to even ones.
        look : What the address of a page may have behind "#", such as "view=top&theme=dark&trails=0".
        progress : Show a progress bar on stderr.
        **texts : `title`, `notes`, `trail`, `ground` and `overlay` of the page, as of `to_html`.

        Raises
        ------
        PoinsotError : If there is no browser, or it does not answer.
        """
        from poinsot.view.look import Look
        from poinsot.view.video import film

        drawn = {key: texts.pop(key) for key in ("trail", "ground", "overlay") if key in texts}
        if extra := texts.keys() - {"title", "notes"}:
            known = "title=, notes=, trail=, ground= and overlay="
            raise ScenarioError(f"to_video takes {known}, and no {', '.join(sorted(extra))}")
        texts["picture"] = Look(**drawn)
        options: dict[str, Any] = {"seconds": seconds, "speed": speed, "rate": rate, **texts}
        return film(path, self._beside(others), size=size, look=look, progress=progress, **options)

    def _repr_html_(self) -> str | None:
        from poinsot.view.page import frame_of, html_of

        return frame_of(html_of(self))
