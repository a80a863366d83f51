"""Files of reference numbers in tests/data."""

import json
from pathlib import Path

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
ARCHIVES = DATA / "archives"


def load(name):
    """The content of a JSON file."""
    return json.loads((DATA / name).read_text(encoding="utf-8"))
