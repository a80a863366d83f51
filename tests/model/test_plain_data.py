"""Plain data: a copy without text is what its text would give back."""

import enum
import functools

import numpy as np
import pytest

from poinsot.model.plain import copy, read, write


class Name(str):
    __slots__ = ()


class Level(enum.IntEnum):
    HIGH = 3


VALUES = [
    None,
    True,
    7,
    -0.0,
    1e308,
    "text",
    (),
    [],
    {},
    np.float64(0.1),
    np.int32(4),
    np.bool_(True),
    Level.HIGH,
    Name("n"),
    (1.0, (2, "x"), [None, {"a": (0.5,)}]),
    {1: [2.0], "k": {(1, 2): 3}},
    np.arange(6).reshape(2, 3),
    np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    np.arange(4, dtype=np.float32)[::2],
    np.array([True, False]),
]


def same(a, b):
    """Equal, and of the same types all the way down."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.flags.c_contiguous and np.array_equal(a, b)
    if isinstance(a, dict):
        return len(a) == len(b) and all(
            same(x, y)
            for one, two in zip(a.items(), b.items(), strict=True)
            for x, y in zip(one, two, strict=True)
        )
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b and (a != 0 or str(a) == str(b))


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_copy_is_what_the_text_gives(value):
    assert same(copy(value), read(write(value)))


def test_a_copy_shares_nothing():
    inner = [np.zeros(2), {"a": [1]}]
    found = copy(inner)
    found[0][0] = 5.0
    found[1]["a"].append(2)
    assert inner[0][0] == 0.0
    assert inner[1] == {"a": [1]}


@pytest.mark.parametrize("value", [object(), {1, 2}, 1j, np.array([1j]), [b"x"], np.datetime64("2020-01-01")])
def test_what_is_not_data_is_named_alike(value):
    with pytest.raises(TypeError) as one:
        copy(value)
    with pytest.raises(TypeError) as other:
        write(value)
    assert str(one.value) == str(other.value)


def cyclic(kind):
    found = kind()
    found.append(found) if kind is list else found.update(a=found)
    return found


def branching(n):
    found = [0.0]
    for _ in range(n):
        found = [found, found]
    return found


@pytest.mark.parametrize(
    ("value", "what"),
    [
        (cyclic(list), "a list more than 50 deep in others, or in itself"),
        (cyclic(dict), "a dict more than 50 deep in others, or in itself"),
        (functools.reduce(lambda x, _: (x,), range(5000), 1.0), "a tuple more than 50 deep"),
        (branching(40), r"more than 1e\+06 values"),
        pytest.param(10**5000, "an integer of 16610 bits", id="integer"),
    ],
)
def test_what_is_too_deep_or_too_large_is_named(value, what):
    """They ended with a RecursionError, a ValueError, or not at all."""
    for function in (copy, write):
        with pytest.raises(TypeError, match=what):
            function(value)


def test_a_text_that_is_too_deep_is_no_data():
    with pytest.raises(ValueError, match="nested too deeply"):
        read("[" * 100_000 + "]" * 100_000)
