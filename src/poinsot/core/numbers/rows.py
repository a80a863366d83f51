"""A few consecutive numbers of an array as a tuple: w = get3(v, j), put3(v, j, w)."""

from typing import TypeAlias

from poinsot.core.jit import jit
from poinsot.core.numbers.arrays import Numbers

Three: TypeAlias = tuple[float, float, float]
Four: TypeAlias = tuple[float, float, float, float]
Nine: TypeAlias = tuple[float, float, float, float, float, float, float, float, float]


@jit
def get3(a: Numbers, i: int) -> Three:
    return a[i], a[i + 1], a[i + 2]


@jit
def get4(a: Numbers, i: int) -> Four:
    return a[i], a[i + 1], a[i + 2], a[i + 3]


@jit
def get9(a: Numbers, i: int) -> Nine:
    return a[i], a[i + 1], a[i + 2], a[i + 3], a[i + 4], a[i + 5], a[i + 6], a[i + 7], a[i + 8]


@jit
def put3(a: Numbers, i: int, x: Three) -> None:
    a[i], a[i + 1], a[i + 2] = x


@jit
def put4(a: Numbers, i: int, x: Four) -> None:
    a[i], a[i + 1], a[i + 2], a[i + 3] = x


@jit
def put9(a: Numbers, i: int, x: Nine) -> None:
    a[i], a[i + 1], a[i + 2], a[i + 3], a[i + 4], a[i + 5], a[i + 6], a[i + 7], a[i + 8] = x
