"""Showing a run: as a page, in a browser, as a film.  Everything heavy is imported when it is needed."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from poinsot.errors import ScenarioError
from poinsot.formats.paths import PathLike
from poinsot.model.checks import show

if TYPE_CHECKING:
    from poinsot.view.show import Page

Others = Mapping[str, Any] | None


class Visible:
    """Mixin of runs that can be shown; notebooks show them by themselves."""

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
    ) -> Path:
        """Write an interactive page of the run: one HTML file that needs no network.

        Parameters
        ----------
        path : str or path-like
            File to write.
        others : mapping of str to Run, optional
            Runs to show beside this one, by name.  Default: none.
        title : str, default ""
            Heading; empty: names of bodies, method and step.
        notes : str, default ""
            Text below the picture.
        command : str, default ""
            Command that made the run, to be shown; empty: the recorded command, or the call in Python.
        error : str, default ""
            Error to be shown; empty: a note if the run ended early.

        Returns
        -------
        pathlib.Path
            The path of the page.

        Raises
        ------
        ScenarioError
            If the file cannot be written.
        """
        from poinsot.view.show import to_html

        shown = self._beside(others)
        return to_html(path, shown, title=title, notes=notes, command=command, error=error)

    def view(
        self,
        others: Others = None,
        *,
        title: str = "",
        notes: str = "",
        command: str = "",
        error: str = "",
    ) -> "Page":
        """Write the page of `to_html` to a temporary folder, and open it in a browser if there is a desktop.

        Parameters
        ----------
        others : mapping of str to Run, optional
            Runs to show beside this one, by name.  Default: none.
        title : str, default ""
            Heading; empty: names of bodies, method and step.
        notes : str, default ""
            Text below the picture.
        command : str, default ""
            Command that made the run, to be shown; empty: the recorded command, or the call in Python.
        error : str, default ""
            Error to be shown; empty: a note if the run ended early.

        Returns
        -------
        Page
            The page, with its `path`; a notebook shows it in place.
        """
        from poinsot.view.show import view

        return view(self._beside(others), title=title, notes=notes, command=command, error=error)

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
        title: str = "",
        notes: str = "",
    ) -> Path:
        """Write a film of the page (needs the extra `video`, and Chromium or Chrome).

        Parameters
        ----------
        path : str or path-like
            File to write, which ends in .mp4 or .gif.
        others : mapping of str to Run, optional
            Runs to show beside this one, by name.  Default: none.
        seconds : float, optional
            Longest duration of the film in s.  Default: 20.
        speed : float, optional
            Seconds of the motion per second of the film.  Default: 1, or faster to show all of the run.
        rate : int, optional
            Pictures per second.  Default: 30, for .gif 15.
        size : tuple of int, default (1280, 720)
            Width and height in pixels; odd numbers are rounded down to even ones.
        look : str, default ""
            What the address of a page may have behind "#", such as "view=top&theme=dark&trails=0".
        progress : bool, default False
            Show a progress bar on stderr.
        title : str, default ""
            Heading of the page.
        notes : str, default ""
            Text of the page.

        Returns
        -------
        pathlib.Path
            The path of the film.

        Raises
        ------
        ScenarioError
            If an option is wrong, ffmpeg is missing or fails, or the file cannot be written.
        PoinsotError
            If there is no browser, or it does not answer.
        """
        from poinsot.view.video import film

        return film(
            path,
            self._beside(others),
            seconds=seconds,
            speed=speed,
            rate=rate,
            size=size,
            look=look,
            progress=progress,
            title=title,
            notes=notes,
        )

    def _repr_html_(self) -> str:
        from poinsot.view.page import frame_of
        from poinsot.view.show import html_of

        return frame_of(html_of(self))
