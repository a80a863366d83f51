"""Compiled and interpreted runs give the same bits: the Python source is what is computed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from harness import ALL, SYSTEMS, Driver

STEPS, H = 25, 0.07


def final(method, system):
    mechanism, state = SYSTEMS[system]()
    driver = Driver(mechanism, method)
    return [x.hex() for x in driver(driver.start(state), H, STEPS)[0][:, 0]]


@pytest.fixture(scope="module")
def interpreted(environment):
    code = (
        "import json, sys; sys.path.insert(0, sys.argv[1]); from test_interpreted import *;"
        "print(json.dumps({m.name: {s: final(m, s) for s in (['free'] if m.scope == 'free' else "
        "['heavy', 'tethered'])} for m in ALL}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(Path(__file__).parent)],
        env={**environment, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


@pytest.mark.parametrize("method", ALL, ids=lambda method: method.name)
def test_compiled_equals_interpreted(method, interpreted):
    for system, numbers in interpreted[method.name].items():
        assert numbers == final(method, system)
