"""Vectors of R^3 as 3-tuples, generic over the number type."""

from typing import TypeAlias

from poinsot.core.jit import jit
from poinsot.core.numbers import functions

Vec3: TypeAlias = tuple[float, float, float]
ZERO: Vec3 = (0.0, 0.0, 0.0)


@jit
def add(a: Vec3, b: Vec3) -> Vec3:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@jit
def sub(a: Vec3, b: Vec3) -> Vec3:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@jit
def neg(a: Vec3) -> Vec3:
    return -a[0], -a[1], -a[2]


@jit
def scale(s: float, a: Vec3) -> Vec3:
    return s * a[0], s * a[1], s * a[2]


@jit
def axpy(s: float, a: Vec3, b: Vec3) -> Vec3:
    """s a + b."""
    return s * a[0] + b[0], s * a[1] + b[1], s * a[2] + b[2]


@jit
def dot(a: Vec3, b: Vec3) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@jit
def cross(a: Vec3, b: Vec3) -> Vec3:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@jit
def times(a: Vec3, b: Vec3) -> Vec3:
    """Product of each pair of components: diag(a) b."""
    return a[0] * b[0], a[1] * b[1], a[2] * b[2]


@jit
def where(mask: bool, a: Vec3, b: Vec3) -> Vec3:
    """a where the mask is true, else b."""
    return (
        functions.where(mask, a[0], b[0]),
        functions.where(mask, a[1], b[1]),
        functions.where(mask, a[2], b[2]),
    )


@jit
def basis(j: int) -> Vec3:
    """Unit vector along axis j = 0, 1, 2; the zero vector for any other j."""
    return 1.0 if j == 0 else 0.0, 1.0 if j == 1 else 0.0, 1.0 if j == 2 else 0.0
