"""Linear equations in a graph, solved once and for all: Gaussian elimination as straight-line code.

    K x = b:    K = L U with the rows in an order that was found at samples of K                     (1)

A mass matrix needs no other order than its own, nor does (M, -aᵀ; a, 0) with multipliers: the pivots are
those of M and of its Schur complement.  Entries that are zero everywhere cost nothing, and symmetric ones are
computed once, because equal nodes are one.
"""

from collections.abc import Sequence

from poinsot.model.programs.graph import Node

SMALL = 1e-10  # a pivot, relative to its column, that another row replaces
GOOD = 1e-3  # a pivot of the present row that is good enough


def row_order(samples: Sequence[Sequence[Sequence[float]]]) -> list[int] | None:
    """Return the order of the rows for (1), from the matrix at some states; None if it is singular there."""
    size = len(samples[0])
    found = list(range(size))
    tables = [[list(row) for row in one] for one in samples]
    scales = [max((abs(x) for row in one for x in row), default=0.0) or 1.0 for one in tables]
    for k in range(size):

        def worst(i: int, k: int = k) -> float:
            return min(abs(one[i][k]) / scale for one, scale in zip(tables, scales, strict=True))

        best = max(range(k, size), key=worst)
        if not worst(best) > SMALL * SMALL:
            return None
        if worst(k) > GOOD * worst(best):
            best = k
        found[k], found[best] = found[best], found[k]
        for one in tables:
            one[k], one[best] = one[best], one[k]
            for i in range(k + 1, size):
                factor = one[i][k] / one[k][k]
                one[i] = [a - factor * b for a, b in zip(one[i], one[k], strict=True)]
    return found


def solve(K: Sequence[Sequence[Node]], b: Sequence[Node], order: Sequence[int]) -> list[Node]:
    """Return the solution of (1)."""
    rows, right, size = [list(K[i]) for i in order], [b[i] for i in order], len(b)
    inverses = []
    for k in range(size):
        inverses.append(rows[k][k].graph.number(1.0) / rows[k][k])
        for i in range(k + 1, size):
            if rows[i][k].value == 0.0:
                continue
            for j in range(k + 1, size):
                rows[i][j] = rows[i][j] - (rows[i][k] * rows[k][j]) * inverses[k]
            right[i] = right[i] - (rows[i][k] * right[k]) * inverses[k]
    for k in range(size - 1, -1, -1):
        for j in range(k + 1, size):
            right[k] = right[k] - rows[k][j] * right[j]
        right[k] = right[k] * inverses[k]
    return right
