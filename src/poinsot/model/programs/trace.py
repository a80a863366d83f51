"""A user's Python function of arrays as nodes of a graph: it is called with nodes in the place of numbers.

    nodes = trace(function, graph, t, x)

What it computes with + - * / ** and functions of NumPy becomes a program (`model.programs`).  A function that
looks at its numbers (`if x[0] > 0`, `math.cos(x[0])`, `np.linalg.inv`) cannot be traced, nor can one that
gives other numbers at the next call, or that changes what it refers to: it stays in Python.
"""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from poinsot.model.checks import Array
from poinsot.model.identity import source_digest
from poinsot.model.programs.graph import Graph, Node


class NoTraceError(Exception):
    """A function cannot be traced; the text says why."""


def trace(function: Callable[..., Any], graph: Graph, *arguments: Any) -> Array:
    """Return what a function gives, as an array of nodes; lists of nodes become arrays for it."""
    given = [np.array(one, dtype=object) if isinstance(one, list) else one for one in arguments]
    before = source_digest(function)
    try:
        found = [_nodes(function(*given), graph) for _ in range(2)]
    except NoTraceError:
        raise
    except Exception as error:  # whatever a user's function raises with nodes
        raise NoTraceError(f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}") from None
    if source_digest(function) != before:
        raise NoTraceError("it changes what it refers to")
    if found[0].shape != found[1].shape or not all(map(operator.is_, *map(np.ravel, found))):
        raise NoTraceError("two calls with the same arguments differ")
    return found[0]


def _nodes(value: Any, graph: Graph) -> Array:
    """Return a value as an array of nodes."""
    table = np.asarray(value)
    if table.dtype.kind not in "iufO":
        raise NoTraceError("it returns no numbers")
    whole = np.empty(table.shape, dtype=object)
    for place, one in np.ndenumerate(table):
        whole[place] = one if isinstance(one, Node) else graph.number(float(one))
    return whole
