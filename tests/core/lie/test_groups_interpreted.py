"""Without the compiler, records of floats lie in memory as the compiled ones do.

One source is run twice: compiled, and as plain Python with the functions of `interpreted`.
"""

from types import FunctionType
from typing import NamedTuple

import numpy as np

from poinsot.core.jit import OPTIONS
from poinsot.core.numba_parts.target import njit
from poinsot.core.numbers import interpreted
from poinsot.core.numbers.arrays import alike, records


class Point(NamedTuple):
    x: float
    y: float


class Row(NamedTuple):
    first: float
    pair: tuple[float, float]
    point: Point


def shuffle(buffer):
    like = Row(0.0, (0.0, 0.0), Point(0.0, 0.0))
    row = records(buffer, 2, 3, like)
    row[0] = Row(row[1].point.y, (row[2].pair[1], -1.5), row[1].point)
    row[2] = Row(row[0].first + row[1].first, row[0].pair, alike(row[0].point, Point(2.5, row[1].pair[0])))
    number = records(buffer, 17, 2, 0.0)
    number[1] = number[0] / 3.0


def test_plain_python_leaves_the_memory_of_the_compiled_run():
    names = {name: getattr(interpreted, name) for name in ("records", "alike")}
    plainly = FunctionType(shuffle.__code__, {**globals(), **names})
    a, b = np.random.default_rng(11).normal(size=(1, 20)).repeat(2, axis=0)
    before = a.copy()
    njit(**OPTIONS)(shuffle)(a)
    plainly(b)
    assert np.array_equal(a, b)
    assert np.flatnonzero(a != before).tolist() == [2, 3, 4, 5, 6, 12, 13, 14, 15, 16, 18]
