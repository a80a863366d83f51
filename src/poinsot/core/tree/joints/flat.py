"""Joints whose coordinates are plain numbers, dq/dt = v: what revolute, prismatic and others share."""

from typing import Any

from poinsot.core.jit import jit


@jit
def rate(n: int, a: int, v: Any, b: int, f: Any) -> None:
    for j in range(n):
        f[a + j] = v[b + j]


@jit
def move(n: int, q: Any, a: int, u: Any, b: int) -> None:
    for j in range(n):
        q[a + j] = q[a + j] + u[b + j]
