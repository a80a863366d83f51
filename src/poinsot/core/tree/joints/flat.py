"""Joints whose coordinates are plain numbers, dq/dt = v: what revolute, prismatic and others share."""

from typing import Any

from poinsot.core.jit import jit
from poinsot.core.tree.joints.joint import At


@jit
def rate(at: At, v: Any, f: Any) -> None:
    for j in range(at.nv):
        f[at.q + j] = v[at.v + j]


@jit
def move(at: At, q: Any, u: Any) -> None:
    for j in range(at.nv):
        q[at.q + j] = q[at.q + j] + u[at.v + j]
