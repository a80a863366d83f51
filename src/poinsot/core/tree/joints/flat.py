"""Functions of joints whose coordinates are plain numbers with dq/dt = v: revolute, prismatic and others."""

from poinsot.core.jit import jit
from poinsot.core.numbers.arrays import Numbers
from poinsot.core.tree.joints.joint import At


@jit
def rate(at: At, v: Numbers, f: Numbers) -> None:
    for j in range(at.nv):
        f[at.q + j] = v[at.v + j]


@jit
def move(at: At, q: Numbers, u: Numbers) -> None:
    for j in range(at.nv):
        q[at.q + j] = q[at.q + j] + u[at.v + j]
