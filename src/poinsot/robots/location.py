"""Where the files lie that a robot file names: `package://`, `file://` and relative paths.

`package://x/y` is looked for upwards from the file as x/y and as y, then in the folders that the user gives,
then in ROS_PACKAGE_PATH and AMENT_PREFIX_PATH.
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import show

Packages = Iterable[str | os.PathLike[str]] | Mapping[str, str | os.PathLike[str]]


class Locator:
    """Finds files for the robot file at `path`; `packages` are folders, or folders by name of the package."""

    def __init__(self, path: Path, packages: Any = ()) -> None:
        self.folder = path.absolute().parent
        self.named: dict[str, Path] = {}
        given = packages
        if isinstance(packages, Mapping):
            self.named = {str(key): self._folder(one) for key, one in packages.items()}
            given = ()
        if isinstance(given, str | os.PathLike):
            given = (given,)
        self.roots = [
            self._folder(one) for one in checks.items("read", "packages", given, "a list of folders")
        ]
        for variable in ("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"):
            for one in filter(None, os.environ.get(variable, "").split(os.pathsep)):
                self.roots += [Path(one), Path(one) / "share"]

    @staticmethod
    def _folder(one: Any) -> Path:
        try:
            return Path(one)
        except Exception:  # of an object that answers as a path
            raise ModelError(f"read: packages must be a list of folders, got {show(one)}") from None

    def find(self, name: str) -> Path | None:
        """Return the file of this name or address; None if there is none."""
        try:
            return next((one for one in self._places(name) if one.is_file()), None)
        except (OSError, ValueError):  # too long, or a null character
            return None

    def _places(self, name: str) -> list[Path]:
        if name.startswith("file://"):
            return [Path(name.removeprefix("file://"))]
        if not name.startswith(("package://", "model://")):
            return [self.folder / name]
        package, _, inside = name.split("://", 1)[1].lstrip("/").partition("/")
        if not inside:
            return []
        places = [self.named[package] / inside] if package in self.named else []
        for above in (self.folder, *self.folder.parents):
            places += [above / package / inside, above / inside]
        return places + [place for root in self.roots for place in (root / package / inside, root / inside)]
