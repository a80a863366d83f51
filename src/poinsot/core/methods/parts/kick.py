"""Kick and memory of the splitting methods: a kick changes the momenta and not the pose.

    P <- P + s T,    p <- p + s F

A kick reuses the load of the previous one if the pose is the same.  The load must not depend on the
velocity; then it is the same before and after the kick, and the kick is exact.
"""

from poinsot.core.body.load import load
from poinsot.core.body.records import LOAD, Load, State, System
from poinsot.core.jit import jit
from poinsot.core.lie.vec3 import axpy

MEMORY = LOAD


@jit
def remember(system: System, t: float, h: float, x: State) -> Load:
    """Load at the start."""
    return load(system, t, x)


@jit
def kick(s: float, f: Load, x: State) -> State:
    """State after a kick over the time s."""
    return State(x.q, axpy(s, f.T, x.P), x.r, axpy(s, f.F, x.p))
