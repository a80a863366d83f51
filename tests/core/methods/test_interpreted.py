"""Compiled and interpreted runs give the same bits: the Python source is what is computed.

And an interpreted force can count how often it is asked: that is what methods call evaluations.
"""

from functools import cache

import pytest
from numba import float64

import poinsot as ps
from poinsot.compile.tree import compile_tree
from poinsot.core.body.time_loop import Counters
from poinsot.simulation.engine import Engine
from support import zoo
from support.harness import ALL, FORCED, SYSTEMS, Driver
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


# how often forces are asked

CALLS = []
TREES = [method for method in zoo.METHODS if method.tree.inner(float64) is float64]


def counted(t, R, w, p, v):
    CALLS.append(t)
    return 0.7 * R[1][2], -0.7 * R[0][2], 0.0


@cache
def tilted():
    m = ps.Mechanism(gravity=(0, 0, 0))
    m.add("body", ps.Body(1.0, (1.0, 2.0, 2.5)), ps.Spherical()).apply(ps.Torque("body", counted))
    turn = ps.quaternion.exp((0.3, -0.5, 0.7))
    return m, m.state({"body": dict(rotation=turn, angular_velocity=(0.4, 1.0, 0.7))})


def by_body(method, steps):
    driver = Driver(tilted()[0], method)
    return int(driver(driver.start(tilted()[1]), H, steps)[2][Counters.EVALUATIONS])


def by_tree(method, steps):
    m, start = tilted()
    engine = Engine(compile_tree(m, joints=method.tree.joints), method, H, start)
    engine.go(steps, 0)
    assert engine.status.stopped is None
    return engine.status.evaluations


def asked(run, method):
    """Calls of the force, and evaluations that the method counts, in the last five of six steps."""
    both = []
    for steps in (1, 6):
        CALLS.clear()
        evaluations = run(method, steps)
        both.append((len(CALLS), evaluations))
    return [last - first for first, last in zip(*both, strict=True)]


def all_asked():
    return {
        "body": {method.name: asked(by_body, method) for method in FORCED},
        "tree": {method.name: asked(by_tree, method) for method in TREES},
    }


@pytest.fixture(scope="module")
def counts(environment):
    return interpreted(environment, __file__, "all_asked()")


@pytest.mark.parametrize("method", FORCED, ids=lambda method: method.name)
def test_evaluations_are_calls_of_the_force(method, counts):
    calls, evaluations = counts["body"][method.name]
    assert calls == evaluations > 0


@pytest.mark.parametrize("method", TREES, ids=lambda method: method.name)
def test_evaluations_on_trees_are_calls_of_the_force(method, counts):
    """Variational methods count residuals: the trapezoidal rule asks once more at the end of each substep."""
    calls, evaluations = counts["tree"][method.name]
    trapezoidal = method.name.startswith("variational") and method.name != "variational_midpoint"
    assert calls == evaluations + (5 * method.evaluations.step if trapezoidal else 0)
    assert evaluations > 0
