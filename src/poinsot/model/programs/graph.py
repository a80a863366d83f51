"""Graphs of operations on numbers, each node once: what programs are made of.

Numbers in a graph have the operators of Python; what is known is computed at once, with our own functions.
"""

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from poinsot.elementary import logarithm, power
from poinsot.errors import ModelError
from poinsot.model.arithmetic import OF_ONE, OF_TWO

SIGNS = {"+": ast.Add(), "-": ast.Sub(), "*": ast.Mult(), "/": ast.Div()}
ONE: Mapping[str, Callable[..., Any]] = {
    **OF_ONE,
    "asinh": logarithm.asinh,
    "acosh": logarithm.acosh,
    "atanh": logarithm.atanh,
}
TWO: Mapping[str, Callable[..., Any]] = {**OF_TWO, "pow": power.pow}
OPERATIONS: Mapping[str, int] = {**dict.fromkeys(SIGNS, 2), **dict.fromkeys(ONE, 1), **dict.fromkeys(TWO, 2)}
MOST = 200_000  # nodes
NUMPY = {f"arc{name[1:]}": name for name in ("asin", "acos", "atan", "asinh", "acosh", "atanh")}
FIRST = "program"  # how messages begin


class Node:
    """A number in a graph, with the operators of Python."""

    __slots__ = ("graph", "of", "operation", "place")

    def __init__(self, graph: "Graph", operation: str, of: tuple[Any, ...], place: int) -> None:
        self.graph, self.operation, self.of, self.place = graph, operation, of, place

    @property
    def value(self) -> float | None:
        """The number, if it is one that is known."""
        return self.of[0] if self.operation == "number" else None

    def __add__(self, other: Any) -> "Node":
        return self.graph.make("+", self, other)

    def __sub__(self, other: Any) -> "Node":
        return self.graph.make("-", self, other)

    def __mul__(self, other: Any) -> "Node":
        return self.graph.make("*", self, other)

    def __truediv__(self, other: Any) -> "Node":
        return self.graph.make("/", self, other)

    def __neg__(self) -> "Node":
        return self.graph.make("-", self.graph.number(0.0), self)

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other: Any) -> "Node":
        return self.graph.make("-", other, self)

    def __rtruediv__(self, other: Any) -> "Node":
        return self.graph.make("/", other, self)

    def __pos__(self) -> "Node":
        return self

    def __abs__(self) -> "Node":
        return self.graph.make("abs", self)

    def __pow__(self, other: Any) -> "Node":
        if isinstance(other, Node):
            return self.graph.make("pow", self, other)
        return self.graph.power(self, float(other))

    def __bool__(self) -> bool:
        raise TypeError("it looks at its numbers")

    def __getattr__(self, name: str) -> Any:
        """Return the function that NumPy asks of an element: np.sin(x) calls x.sin()."""
        known = NUMPY.get(name, name)
        if known not in ONE or name.startswith("_"):
            raise AttributeError(name)
        return lambda: self.graph.make(known, self)


def compute(operation: str, values: Sequence[float]) -> float:
    """Return the value of an operation on floats, with our own functions."""
    a = values[0]
    if operation in ONE:
        return float(ONE[operation](a))
    b = values[1]
    if operation in TWO:
        return float(TWO[operation](a, b))
    if operation == "/":
        return a / b if b else math.nan
    return a + b if operation == "+" else a - b if operation == "-" else a * b


class Graph:
    """Nodes, each of them once."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self._known: dict[Any, Node] = {}

    def number(self, value: float) -> Node:
        """Return the node of a number."""
        return self._node("number", (float(value) + 0.0,))

    def argument(self, name: str, place: int = 0) -> Node:
        """Return the node of an argument: number `place` of the array `name`."""
        return self._node("argument", (name, place))

    def _node(self, operation: str, of: tuple[Any, ...]) -> Node:
        key = operation, tuple(one.place if isinstance(one, Node) else one for one in of)
        if key not in self._known:
            if len(self.nodes) >= MOST:
                raise ModelError(f"{FIRST}: the equations have more than {MOST} operations")
            self._known[key] = Node(self, operation, of, len(self.nodes))
            self.nodes.append(self._known[key])
        return self._known[key]

    def make(self, operation: str, *given: Any) -> Node:
        """Return the node of an operation; what is known of it by arithmetic is simplified."""
        of = [one if isinstance(one, Node) else self.number(one) for one in given]
        values = [one.value for one in of]
        known = [value for value in values if value is not None]
        if len(known) == len(of):
            found = compute(operation, known)
            if math.isfinite(found):
                return self.number(found)
        simple = self._simple(operation, of, values) if operation in SIGNS else None
        if simple is not None:
            return simple
        if operation in "+*":
            of.sort(key=lambda one: one.place)
        return self._node(operation, tuple(of))

    def _simple(self, operation: str, of: list[Node], values: list[float | None]) -> Node | None:
        """Return a simpler node for + - * /, if there is one."""
        (a, b), (left, right) = of, values
        if operation == "+":
            if left == 0.0 or right == 0.0:
                return b if left == 0.0 else a
            minus = next((one for one in of if one.operation == "-" and one.of[0].value == 0.0), None)
            return None if minus is None else (a if minus is b else b) - minus.of[1]
        if operation == "-":
            if right == 0.0 or a is b:
                return a if right == 0.0 else self.number(0.0)
            return a + b.of[1] if b.operation == "-" and b.of[0].value == 0.0 else None
        if operation == "*":
            if 0.0 in values:
                return self.number(0.0)
            if 1.0 in values:
                return b if left == 1.0 else a
            return -(b if left == -1.0 else a) if -1.0 in values else None
        if left == 0.0 or right == 1.0:
            return a
        return -a if right == -1.0 else None

    def power(self, base: Node, exponent: float) -> Node:
        """Return a power: whole ones are products, halves roots."""
        if exponent < 0:
            return self.number(1.0) / self.power(base, -exponent)
        if exponent == int(exponent) and exponent <= 64:
            n, found, square = int(exponent), None, base
            while n:
                if n & 1:
                    found = square if found is None else found * square
                n >>= 1
                square = square * square if n else square
            return self.number(1.0) if found is None else found
        if 2 * exponent == int(2 * exponent) and exponent <= 32:
            return self.power(self.make("sqrt", base), 2 * exponent)
        return self.make("pow", base, exponent)
