"""Every public callable with every bad value at every argument works, or raises a PoinsotError of one line.

Here a sample with a fixed seed; `make attack` makes all calls (`tests/attacks`).
"""

import inspect
from itertools import islice
from random import Random

import pytest

import poinsot as ps
from attacks import arguments
from attacks.calls import CALLS, INTERFACE, World
from support.public import public

SAMPLE = 10_000
CALLABLES = [one for one in public() if one.kind != "property"]
SLOW = (
    "ps.compare",
    "ps.advise",
    "ps.Comparison.to_html",
    "ps.Comparison.plot",
    "ps.control.Performance.plot",
    "ps.Run.plot",
    "ps.Ensemble.plot",
    "ps.Run.polhode",
)


def _plain_exception(one):
    """Errors and warnings that take what every exception takes."""
    return one.kind == "class" and issubclass(one.value, Exception) and "__init__" not in vars(one.value)


def _between_parts(one):
    """Verbs of joints, forces and loops that take records of the library."""
    _, *home, kind, verb = ["", *one.name.split(".")]
    ours = home == ["ps"] or kind == "InputForce"  # an input of ps.analytical has the verbs of all inputs
    return ours and kind[0].isupper() and verb in INTERFACE


def test_every_public_callable_is_in_the_table():
    """A new public name needs a valid call in `attacks/calls.py`."""
    names = {one.name for one in CALLABLES if not _plain_exception(one) and not _between_parts(one)}
    assert set(CALLS) == names


@pytest.fixture
def world(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("POINSOT_NO_BROWSER", "1")
    return World()


def test_the_calls_of_the_table_are_valid_and_complete(world):
    with arguments.without_films():
        for name, make in CALLS.items():
            call = make(world)
            assert list(call.given) == list(inspect.signature(call.function).parameters), name
            assert not arguments.outcome(call), name
            make(world)()  # and it raises nothing


def test_bad_arguments_are_one_line(tmp_path):
    """A sample of the attack; the slow callables are left to `make attack`."""
    tried = [
        one for one in islice(arguments.attempts(Random(1), tmp_path, without=SLOW), SAMPLE) if one.failure
    ]
    assert not tried


def test_a_failure_is_seen():
    """The judge of the attack knows raw errors, long messages, warnings and hangs."""
    from attacks.calls import call

    def raises(kind, text):
        raise kind(text)

    def warns():
        import numpy as np

        return np.float64(1.0) / np.float64(0.0)

    assert not arguments.outcome(call(raises, ps.ModelError, "one line"))
    assert "TypeError: raw" in arguments.outcome(call(raises, TypeError, "raw"))
    assert "ModelError with a message" in arguments.outcome(call(raises, ps.ModelError, "two\nlines"))
    assert "RuntimeWarning" in arguments.outcome(call(warns))
