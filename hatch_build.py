"""Puts the browser view and compiled kernels into what is built.

Node is asked for only when the bundle of the view is not up to date.  Kernels are those in the folder that
POINSOT_KERNELS names (`make wheel`): a wheel with them is for one Python on one system.
"""

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent / "viewer"))
import bundle  # viewer/bundle.py


def found(folder: str) -> list[Path]:
    """Return the kernels in the folder <folder>/<digest of the source>."""
    kernels = sorted(Path(folder).resolve().glob("*/*.kernel"))
    if len({path.parent for path in kernels}) != 1:
        raise SystemExit(f"POINSOT_KERNELS={folder}: expected the folder of `poinsot warm --all --copy`")
    return kernels


class BuildHook(BuildHookInterface):  # type: ignore[type-arg]
    def dependencies(self) -> list[str]:
        return [] if bundle.is_current() else [bundle.NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        bundle.build()
        folder = os.environ.get("POINSOT_KERNELS")
        if folder and self.target_name == "wheel" and version != "editable":
            kernels = {str(path): f"poinsot/kernels/{path.parent.name}/{path.name}" for path in found(folder)}
            build_data["force_include"].update(kernels)
            build_data["pure_python"], build_data["infer_tag"] = False, True
