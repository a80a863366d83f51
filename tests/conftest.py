"""What all tests share."""

import json
import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("poinsot", deadline=None, derandomize=True)  # a first call compiles
settings.load_profile("poinsot")

HERE = Path(__file__).parent
os.environ.setdefault("POINSOT_QUIET", "1")  # what a test prints does not depend on what is compiled already


def pytest_configure():
    """Tests that interrupt runs also work where a shell ignores Ctrl-C: in its background."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


SLOWEST = (  # files that take longest, first: two processes then end at about the same time
    "core/methods/test_symplectic_trees.py",
    "test_public_callables.py",
    "papers/test_theses.py",
    "core/methods/test_duals.py",
    "test_docs.py",
    "simulation/test_events.py",
)


def pytest_collection_modifyitems(items):
    """Put the slowest files first; the order of the tests in a file stays."""
    rank = {str(HERE / name): k for k, name in enumerate(SLOWEST)}
    items.sort(key=lambda item: rank.get(str(item.path), len(rank)))


@pytest.fixture(scope="session")
def reference():
    """Published and multiprecision numbers for one body, as strings with all their digits."""
    return json.loads((HERE / "data" / "single_body.json").read_text())


@pytest.fixture(scope="session")
def environment():
    """For subprocesses: this environment, with the package of this checkout first."""
    ours = [str(HERE.parent / "src"), str(HERE)]
    path = os.pathsep.join([*ours, *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path}
