"""Gear: the coordinate of a joint follows that of another one.

    phi = q_a - k q_b - c,      dphi/dt = v_a - k v_b                                                (1)

a and b are the links that the joints carry, which have one coordinate each; b may be the world: then q_b = 0.
floats: k, c.
"""

from poinsot.core.jit import jit
from poinsot.core.numbers.arrays import Numbers
from poinsot.core.tree.loops.table import CONSTRAINT, HEAD, links
from poinsot.core.tree.records import ModelPart, TreeRecord


@jit
def ratio(loops: ModelPart, j: int) -> float:
    """k of constraint j."""
    return loops.floats[loops.ints[HEAD + CONSTRAINT * j + 3]]


@jit
def gear_residual(tree: TreeRecord, loops: ModelPart, j: int, q: Numbers) -> float:
    a, b = links(loops, j)
    found = q[tree.q[a]] - loops.floats[loops.ints[HEAD + CONSTRAINT * j + 3] + 1]
    if b > 0:
        found = found - ratio(loops, j) * q[tree.q[b]]
    return found


@jit
def gear_rate(tree: TreeRecord, loops: ModelPart, j: int, v: Numbers) -> float:
    """Its rate at the velocities v, or its second derivative at accelerations."""
    a, b = links(loops, j)
    found = v[tree.v[a]] + 0.0
    if b > 0:
        found = found - ratio(loops, j) * v[tree.v[b]]
    return found
