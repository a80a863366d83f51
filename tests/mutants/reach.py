"""A plugin of pytest that notes which functions of the library each file of tests calls, and its seconds.

`pytest -p mutants.reach` with `POINSOT_REACH=FOLDER` writes one JSON file for each file of tests.
"""

import json
import os
import sys
import threading
import time
from pathlib import Path

FOLDER = os.environ.get("POINSOT_REACH", "")
SOURCES = f"{os.sep}src{os.sep}poinsot{os.sep}"

_codes: set = set()
_now = {"file": "", "since": 0.0, "green": True}


def _note(frame, event, _):
    if event == "call":
        _codes.add(frame.f_code)


def pytest_runtest_setup(item):
    """Begin a new list when a new file begins."""
    file = str(item.path)
    if file != _now["file"]:
        _write()
        _now.update(file=file, since=time.monotonic(), green=True)
        _codes.clear()
    threading.setprofile(_note)
    sys.setprofile(_note)


def pytest_runtest_teardown(item):
    """Do not watch pytest itself."""
    sys.setprofile(None)
    threading.setprofile(None)


def pytest_runtest_logreport(report):
    """A file that fails without a change says nothing about one."""
    if report.failed:
        _now["green"] = False


def pytest_sessionfinish():
    """Write the list of the last file."""
    _write()


def _write():
    if not (FOLDER and _now["file"]):
        return
    tests = Path(_now["file"])
    tests = tests.relative_to(next(p for p in tests.parents if p.name == "tests"))
    functions = {}
    for code in _codes:
        _, found, file = code.co_filename.rpartition(SOURCES)
        if found:
            functions.setdefault(file, set()).add(code.co_qualname.replace(".<locals>", ""))
    told = {
        "tests": str(tests),
        "seconds": round(time.monotonic() - _now["since"], 2),
        "green": _now["green"],
        "functions": {file: sorted(names) for file, names in sorted(functions.items())},
    }
    place = Path(FOLDER, str(tests).replace(os.sep, "__") + ".json")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps(told))
