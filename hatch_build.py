"""Puts the browser view into what is built.  Node is asked for only when the bundle is not up to date."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent / "viewer"))
import bundle  # viewer/bundle.py


class ViewerBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    def dependencies(self) -> list[str]:
        return [] if bundle.is_current() else [bundle.NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        bundle.build()
