"""The values of `--set path=value`: numbers, lists, texts."""

import json
from collections.abc import Iterable
from typing import Any

from poinsot.errors import ScenarioError


def parameters(settings: Iterable[str]) -> dict[str, Any]:
    """Return {"bodies.top.mass": 2.5} for "bodies.top.mass=2.5"; lists are written 1,2,3 or [1, 2, 3]."""
    result: dict[str, Any] = {}
    for setting in settings:
        path, equals, text = setting.partition("=")
        if not equals or not path.strip() or not text.strip():
            raise ScenarioError(f"--set {setting!r}: expected PATH=VALUE, such as bodies.top.mass=2.5")
        result[path.strip()] = value(text.strip())
    return result


def value(text: str) -> Any:
    """Return the value of a text: JSON, numbers separated by commas, or the text itself."""
    for candidate in (text, f"[{text}]" if "," in text else text):
        try:
            return json.loads(candidate)
        except ValueError:
            continue
    return text
