"""Compiled and interpreted runs give the same bits: the Python source is what is computed."""

import pytest

from support.harness import ALL, SYSTEMS, Driver
from support.interpreted import interpreted

STEPS, H = 25, 0.07


def final(method, system):
    mechanism, state = SYSTEMS[system]()
    driver = Driver(mechanism, method)
    return [x.hex() for x in driver(driver.start(state), H, STEPS)[0][:, 0]]


def finals():
    """Of every method on the systems that it can run."""
    return {
        method.name: {name: final(method, name) for name in systems}
        for method in ALL
        for systems in [["free"] if method.scope == "free" else ["heavy", "tethered"]]
    }


@pytest.fixture(scope="module")
def by_interpreter(environment):
    return interpreted(environment, __file__, "finals()")


@pytest.mark.parametrize("method", ALL, ids=lambda method: method.name)
def test_compiled_equals_interpreted(method, by_interpreter):
    for system, numbers in by_interpreter[method.name].items():
        assert numbers == final(method, system)
