"""What a run can do to be seen.  Everything heavy is imported when it is asked for."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Others = Mapping[str, Any] | None


class Visible:
    """A run with a page: `to_html`, `view`, `to_video`; notebooks show it by itself."""

    method: Any

    def _beside(self, others: Others) -> dict[str, Any]:
        """This run first, under a name that no other has."""
        name = self.method.name
        while name in (others or {}):
            name += ", this run"
        return {name: self, **(others or {})}

    def to_html(self, path: str | os.PathLike[str], others: Others = None, **words: Any) -> Path:
        """Write an interactive page, one file that opens anywhere; `others` stand beside this run, by name.

        Words: title, notes, command (that made it), error.
        """
        from poinsot.view.show import to_html

        return to_html(path, self._beside(others), **words)

    def view(self, others: Others = None, **words: Any) -> Any:
        """The page of `to_html`, opened in a browser where there is one, or in the notebook."""
        from poinsot.view.show import view

        return view(self._beside(others), **words)

    def to_video(self, path: str | os.PathLike[str], others: Others = None, **options: Any) -> Path:
        """Write an .mp4 or .gif of the page (extra `video`); options of `poinsot.view.video.film`."""
        from poinsot.view.video import film

        return film(path, self._beside(others), **options)

    def _repr_html_(self) -> str:
        from poinsot.view.page import frame_of
        from poinsot.view.show import html_of

        return frame_of(html_of(self))
