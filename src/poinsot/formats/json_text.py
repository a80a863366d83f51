"""JSON for files that people read and compare: objects are indented, rows of numbers stay on one line."""

import json
from typing import Any

WIDTH = 100  # characters up to which a nested array stays on one line


def json_text(data: Any) -> str:
    """Format plain data as JSON with a final newline; `json.loads` gives the same values back.

    Each member of an object has its line.  An array of numbers or texts is one line, whatever its length.
    An array of arrays is one line if it is short; otherwise each of its rows has a line.
    """
    return _lines(json.loads(json.dumps(data)), "") + "\n"


def _lines(value: Any, margin: str) -> str:
    """Return the text of a value; its further lines are indented by the margin."""
    inner = margin + " "
    if isinstance(value, dict) and value:
        members = [f"{inner}{json.dumps(key)}: {_lines(item, inner)}" for key, item in value.items()]
        return "{\n" + ",\n".join(members) + f"\n{margin}}}"
    line = json.dumps(value)
    if not isinstance(value, list) or _depth(value) <= 1 or ("{" not in line and len(line) <= WIDTH):
        return line
    return "[\n" + ",\n".join(f"{inner}{_lines(item, inner)}" for item in value) + f"\n{margin}]"


def _depth(value: Any) -> int:
    """Return how deep arrays and objects are nested: 0 for a number or a text."""
    if not isinstance(value, list | dict):
        return 0
    items = value.values() if isinstance(value, dict) else value
    return 1 + max(map(_depth, items), default=0)
