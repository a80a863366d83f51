"""Twists and wrenches as two vectors, and matrices of numbers of a law, for every number type."""

from typing import Any

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, vec3


@jit
def posed(x: Any, k: int) -> Any:
    """Return a (3, 4) matrix of numbers as a matrix and a vector."""
    A = x[k], x[k + 1], x[k + 2], x[k + 4], x[k + 5], x[k + 6], x[k + 8], x[k + 9], x[k + 10]
    return A, (x[k + 3], x[k + 7], x[k + 11])


@jit
def six(x: Any, k: int) -> Any:
    """Return six of the numbers as two vectors."""
    return (x[k], x[k + 1], x[k + 2]), (x[k + 3], x[k + 4], x[k + 5])


@jit
def dot(x: Any, k: int, a: Any) -> Any:
    """Return the product of six of the numbers with a twist or wrench."""
    (a0, a1, a2), (b0, b1, b2) = a
    return x[k] * a0 + x[k + 1] * a1 + x[k + 2] * a2 + x[k + 3] * b0 + x[k + 4] * b1 + x[k + 5] * b2


@jit
def product(x: Any, k: int, a: Any) -> Any:
    """Return a 6x6 matrix of the numbers times a twist or wrench."""
    return (
        (dot(x, k, a), dot(x, k + 6, a), dot(x, k + 12, a)),
        (dot(x, k + 18, a), dot(x, k + 24, a), dot(x, k + 30, a)),
    )


@jit
def add(a: Any, b: Any) -> Any:
    """Return a + b."""
    return vec3.add(a[0], b[0]), vec3.add(a[1], b[1])


@jit
def sub(a: Any, b: Any) -> Any:
    """Return a - b."""
    return vec3.sub(a[0], b[0]), vec3.sub(a[1], b[1])


@jit
def axpy(s: Any, a: Any, b: Any) -> Any:
    """Return s a + b."""
    return vec3.axpy(s, a[0], b[0]), vec3.axpy(s, a[1], b[1])


@jit
def ad(x: Any, y: Any) -> Any:
    """Return ad_x y of two twists."""
    return vec3.cross(x[0], y[0]), vec3.add(vec3.cross(x[1], y[0]), vec3.cross(x[0], y[1]))


@jit
def coad(x: Any, p: Any) -> Any:
    """Return -ad_x^T p of a twist and a wrench."""
    return vec3.add(vec3.cross(x[0], p[0]), vec3.cross(x[1], p[1])), vec3.cross(x[0], p[1])


@jit
def carried(R: Any, r: Any, x: Any) -> Any:
    """Return Ad(G) x of the pose G = (R, r)."""
    turned = mat3.apply(R, x[0])
    return turned, vec3.add(mat3.apply(R, x[1]), vec3.cross(r, turned))


@jit
def carried_back(R: Any, r: Any, x: Any) -> Any:
    """Return Ad(G^-1) x of the pose G = (R, r)."""
    return mat3.apply_t(R, x[0]), mat3.apply_t(R, vec3.sub(x[1], vec3.cross(r, x[0])))
