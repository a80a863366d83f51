"""Gear: the coordinate of a joint follows those of other ones.

    phi = q_a - k q_b - sum of k_i q_i - c,      dphi/dt = v_a - k v_b - sum of k_i v_i                (1)

a, b and the others are links that the joints carry, which have one coordinate each; b may be the world: then
q_b = 0.  floats: k, c, 1 if a slides, 1 if b slides, number of others, then link and k of each.
"""

from poinsot.core.jit import jit
from poinsot.core.numbers.arrays import Ints, Numbers
from poinsot.core.tree.loops.table import CONSTRAINT, HEAD, links
from poinsot.core.tree.records import ModelPart, TreeRecord

OFFSET, COUNT, OTHERS = 1, 4, 5  # places in the floats of a gear


@jit
def combination(loops: ModelPart, j: int, place: Ints, x: Numbers) -> float:
    """x_a - k x_b - ... of constraint j, with the numbers of link i at x[place[i]]."""
    (a, b), at = links(loops, j), loops.ints[HEAD + CONSTRAINT * j + 3]
    found = x[place[a]] + 0.0
    if b > 0:
        found = found - loops.floats[at] * x[place[b]]
    for i in range(int(loops.floats[at + COUNT])):
        k = at + OTHERS + 2 * i
        found = found - loops.floats[k + 1] * x[place[int(loops.floats[k])]]
    return found


@jit
def gear_residual(tree: TreeRecord, loops: ModelPart, j: int, q: Numbers) -> float:
    return combination(loops, j, tree.q, q) - loops.floats[loops.ints[HEAD + CONSTRAINT * j + 3] + OFFSET]


@jit
def gear_rate(tree: TreeRecord, loops: ModelPart, j: int, v: Numbers) -> float:
    """Its rate at the velocities v, or its second derivative at accelerations."""
    return combination(loops, j, tree.v, v)


@jit
def add_gear(tree: TreeRecord, loops: ModelPart, j: int, s: float, g: Numbers, start: int) -> None:
    """Add s times the row of constraint j in the Jacobian to g[start:]."""
    (a, b), at = links(loops, j), loops.ints[HEAD + CONSTRAINT * j + 3]
    g[start + tree.v[a]] = g[start + tree.v[a]] + s
    if b > 0:
        g[start + tree.v[b]] = g[start + tree.v[b]] - s * loops.floats[at]
    for i in range(int(loops.floats[at + COUNT])):
        k = at + OTHERS + 2 * i
        place = start + tree.v[int(loops.floats[k])]
        g[place] = g[place] - s * loops.floats[k + 1]
