"""Derivatives of programs: the change of nodes along a direction, as further nodes of their graph.

d(a + b) = da + db,    d(a b) = a db + b da,    d(a / b) = (da - (a / b) db) / b,    d f(a) = f'(a) da    (1)
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from poinsot.model.programs.graph import Node
from poinsot.model.programs.trace import NoTraceError

ONE: Mapping[str, Callable[[Node, Node], Any]] = {  # f'(a) of a and f(a)
    "sin": lambda a, y: a.cos(),
    "cos": lambda a, y: -a.sin(),
    "tan": lambda a, y: 1.0 + y * y,
    "asin": lambda a, y: 1.0 / (1.0 - a * a).sqrt(),
    "acos": lambda a, y: -1.0 / (1.0 - a * a).sqrt(),
    "atan": lambda a, y: 1.0 / (1.0 + a * a),
    "sinh": lambda a, y: a.cosh(),
    "cosh": lambda a, y: a.sinh(),
    "tanh": lambda a, y: 1.0 - y * y,
    "asinh": lambda a, y: 1.0 / (1.0 + a * a).sqrt(),
    "acosh": lambda a, y: 1.0 / (a * a - 1.0).sqrt(),
    "atanh": lambda a, y: 1.0 / (1.0 - a * a),
    "exp": lambda a, y: y,
    "expm1": lambda a, y: y + 1.0,
    "log": lambda a, y: 1.0 / a,
    "log1p": lambda a, y: 1.0 / (1.0 + a),
    "log10": lambda a, y: 0.4342944819032518 / a,
    "sqrt": lambda a, y: 0.5 / y,
}


def tangents(nodes: Sequence[Node], seeds: Mapping[Node, Any]) -> list[Node]:
    """Return the derivatives (1) of nodes along a direction: the changes of some arguments are `seeds`."""
    if not nodes:
        return []
    graph = nodes[0].graph
    needed: set[int] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if node.place not in needed:
            needed.add(node.place)
            waiting += [one for one in node.of if isinstance(one, Node)]
    given = {node.place: seed for node, seed in seeds.items()}
    zero, found = graph.number(0.0), dict[int, Node]()
    for place in sorted(needed):
        node = graph.nodes[place]
        if place in given:
            seed = given[place]
            found[place] = seed if isinstance(seed, Node) else graph.number(seed)
        elif node.operation in ("number", "argument"):
            found[place] = zero
        else:
            changes = [found[one.place] for one in node.of]
            still = all(one.value == 0.0 for one in changes)
            found[place] = zero if still else _tangent(node, changes)
    return [found[node.place] for node in nodes]


def _tangent(y: Node, d: Sequence[Node]) -> Node:
    """Return the change of an operation whose operands change by d."""
    if y.operation in ONE:
        slope: Node = ONE[y.operation](y.of[0], y)
        return slope * d[0]
    a: Node = y.of[0]
    if y.operation == "abs":
        return a / y * d[0]
    if len(y.of) == 2:
        b: Node = y.of[1]
        if y.operation == "+":
            return d[0] + d[1]
        if y.operation == "-":
            return d[0] - d[1]
        if y.operation == "*":
            return a * d[1] + b * d[0]
        if y.operation == "/":
            return (d[0] - y * d[1]) / b
        if y.operation == "atan2":
            return (b * d[0] - a * d[1]) / (a * a + b * b)
        if y.operation == "hypot":
            return (a * d[0] + b * d[1]) / y
        if y.operation == "pow" and b.value is not None:
            return y.graph.power(a, b.value - 1.0) * b.value * d[0]
        if y.operation == "pow":
            return y * (d[1] * y.graph.make("log", a) + b * d[0] / a)
    raise NoTraceError(f"{y.operation} has no derivative")
