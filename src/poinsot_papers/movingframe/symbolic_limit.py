"""Section 2.5, the limit of symbolic equations: sizes of explicit expressions against the recursions.

The algorithm of the equations of motion is run on sizes in place of numbers: a leaf (a number, a sine or a
cosine) has size 1, and

    size(a + b) = size(a b) = size(a / b) = size(a) + size(b) + 1,    0 + a = a, 0 a = 0, 1 a = a     (1)

is the number of nodes of the expression when it is written out, without simplification.  The same run counts
the operations when intermediate results are kept, which is what a program does.
"""

from typing import Any

import numpy as np

from poinsot_papers.claims import Array, Claim, Measured, Verdict, short
from poinsot_papers.figures import COLORS, OUTSIDE, Curve, Line, Panel

CLAIM = Claim(
    paper="movingframe",
    where="section 2.5",
    title="Nodes of the explicit equations of motion of a chain",
    words="symbolic equations cap the length at about 6 links (15 GB); recursions for B have no such limit",
)
LINKS = (1, 2, 3, 4, 5, 6, 7, 8)
MEMORY, NODE = 15e9, 8  # bytes: of the thesis' computer, and the least that a node can take


class Size:
    """The number of nodes of an expression; 0 is the number zero, -1 stands for the number one."""

    operations = 0

    def __init__(self, nodes: int) -> None:
        self.nodes = nodes

    def _with(self, other: "Size") -> "Size":
        Size.operations += 1
        return Size(abs(self.nodes) + abs(other.nodes) + 1)

    def __add__(self, other: "Size") -> "Size":
        if self.nodes == 0 or other.nodes == 0:
            return other if self.nodes == 0 else self
        return self._with(other)

    __sub__ = __add__

    def __mul__(self, other: "Size") -> "Size":
        if self.nodes == 0 or other.nodes == 0:
            return ZERO
        if self.nodes == -1 or other.nodes == -1:
            return other if self.nodes == -1 else self
        return self._with(other)

    def __truediv__(self, other: "Size") -> "Size":
        return ZERO if self.nodes == 0 else self._with(other)


ZERO, ONE, LEAF = Size(0), Size(-1), Size(1)


def matrix(rows: list[list[Size]]) -> Array:
    """Return a matrix of sizes."""
    found = np.empty((len(rows), len(rows[0])), dtype=object)
    found[:] = rows
    return found


IDENTITY = matrix([[ONE if i == j else ZERO for j in range(3)] for i in range(3)])
HAT = matrix([[ZERO, LEAF, ZERO], [LEAF, ZERO, ZERO], [ZERO, ZERO, ZERO]])  # of a vector along the link


def about(axis: int) -> Array:
    """Return the rotation about a coordinate axis: a sine and a cosine."""
    found = IDENTITY.copy()
    for i in range(3):
        for j in range(3):
            if axis not in (i, j):
                found[i, j] = LEAF
    return found


def equations(n: int, angles: int) -> tuple[Array, Array, list[Size]]:
    """Return B, M* and the accelerations of a chain of n links with one or three angles a joint."""
    relative, columns = about(0), matrix([[ONE], [ZERO], [ZERO]])
    if angles == 3:
        relative = about(2) @ about(1) @ about(0)
        columns = matrix([[ONE, ZERO, LEAF], [ZERO, LEAF, LEAF * LEAF], [ZERO, LEAF, LEAF * LEAF]])
    R = IDENTITY
    C: list[Array] = []
    previous: list[Array] = []
    B = np.full((6 * n, angles * n), ZERO, dtype=object)
    for k in range(n):
        parent, R = R, R @ relative
        C = [relative.T @ one for one in C] + [IDENTITY]
        for j, one in enumerate(C):
            block = R @ HAT @ one
            if j < k:
                above = B[6 * (k - 1) : 6 * (k - 1) + 3, angles * j : angles * (j + 1)]
                block = block + parent @ HAT @ previous[j]
                B[6 * k : 6 * k + 3, angles * j : angles * (j + 1)] = above + block @ columns
            else:
                B[6 * k : 6 * k + 3, angles * j : angles * (j + 1)] = block @ columns
            B[6 * k + 3 : 6 * k + 6, angles * j : angles * (j + 1)] = one @ columns
        previous = C
    weighted = B.copy()
    for i in range(6 * n):
        for j in range(angles * n):
            weighted[i, j] = LEAF * B[i, j]
    M = B.T @ weighted
    right = [sum(row, ZERO) + LEAF for row in M.tolist()]  # N* w is at least as large
    return B, M, eliminated(M.copy(), right)


def eliminated(M: Array, right: list[Size]) -> list[Size]:
    """Return the solution by Gaussian elimination."""
    n = len(right)
    for k in range(n):
        for i in range(k + 1, n):
            if M[i, k].nodes:
                factor = M[i, k] / M[k, k]
                for j in range(k + 1, n):
                    M[i, j] = M[i, j] - factor * M[k, j]
                right[i] = right[i] - factor * right[k]
    x: list[Size] = [ZERO] * n
    for k in reversed(range(n)):
        rest = sum((M[k, j] * x[j] for j in range(k + 1, n)), ZERO)
        x[k] = (right[k] + rest) / M[k, k]
    return x


def nodes(found: Any) -> int:
    """Return the number of nodes of all expressions."""
    return int(sum(abs(one.nodes) for one in np.asarray(found, dtype=object).ravel()))


def run() -> Measured:
    result: Measured = {"links": list(LINKS)}
    for angles, name in ((1, "one angle a joint"), (3, "three angles a joint")):
        table: dict[str, list[Any]] = {"B": [], "M*": [], "accelerations": [], "operations": []}
        for n in LINKS:
            Size.operations = 0
            B, M, a = equations(n, angles)
            for key, one in (("B", B), ("M*", M), ("accelerations", a)):
                table[key].append(short(float(nodes(one)), 3))
            table["operations"].append(Size.operations)
        result[name] = table
    return result


def limit(sizes: list[float]) -> int | None:
    """Return the first number of links whose expressions do not fit into the memory."""
    return next((n for n, size in zip(LINKS, sizes, strict=True) if size * NODE > MEMORY), None)


def verdict(result: Measured) -> Verdict:
    one, three = result["one angle a joint"], result["three angles a joint"]
    at = LINKS.index(6)
    power = np.log(three["operations"][-1] / three["operations"][3]) / np.log(LINKS[-1] / LINKS[3])
    because = (
        f"written out, the accelerations of 6 links have {one['accelerations'][at]:.0e} nodes with one "
        f"angle a joint and {three['accelerations'][at]:.0e} with three (M*: {one['M*'][at]:.0e} and "
        f"{three['M*'][at]:.0e}); with {NODE} bytes a node {MEMORY / 1e9:.0f} GB are exceeded at "
        f"{limit(one['accelerations'])} and {limit(three['accelerations'])} links, so that a limit of "
        "about 6 is what one must expect of pendulums in a plane.  With intermediate results kept, the "
        f"same equations are {one['operations'][at]} and {three['operations'][at]} operations for 6 "
        f"links, growing with the power {power:.1f} of the length: the explosion is that of writing "
        "them out, not of the coordinates"
    )
    return Verdict("remark", f"in a model that counts nodes, {because}")  # the sizes are ours


def plot(result: Measured) -> Panel:
    found = [
        Curve(result["links"], result[name][key], f"{key}, {name}", color, style, 1)
        for color, name in zip(COLORS, ("one angle a joint", "three angles a joint"), strict=False)
        for style, key in (("o-", "accelerations"), ("s:", "M*"), ("^--", "operations"))
    ]
    most = Line(MEMORY / NODE, style="-")
    return Panel(found, "links", "nodes, operations", log="y", legend=OUTSIDE, lines=[most])
