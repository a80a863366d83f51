"""Rows of the page of peers: a bench that is called with `--json FILE` puts its table into this file.

A row is {"case": words, "ours": seconds, "method": words, "others": {peer: seconds}}; page.py makes ratios.
"""

import json
import sys
from pathlib import Path


def has_file():
    """Whether there is such a file."""
    return "--json" in sys.argv


def record(name, rows, **more):
    """Put a table into the file, in the place of an older one of this name."""
    if not has_file():
        return
    file = Path(sys.argv[sys.argv.index("--json") + 1])
    content = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    content.setdefault("tables", {})[name] = {"rows": rows, **more}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def row(case, ours, others, method=""):
    """One row; seconds, or None for what was not reached."""
    return {"case": case, "ours": ours, "method": method, "others": others}
