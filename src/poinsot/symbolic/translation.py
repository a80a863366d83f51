"""From SymPy to straight-line programs (`model.programs`): what may be in an expression, and what it becomes.

Common parts are found by SymPy (`cse`) and by the graph, in which equal nodes are one.  Whole powers are
products, halves are roots, and a product has one division.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from poinsot.errors import ModelError
from poinsot.model.programs.graph import Graph, Node

FUNCTIONS: Mapping[Any, str] = {
    sympy.Abs: "abs",
    sympy.Min: "min",
    sympy.Max: "max",
    **{
        getattr(sympy, name): name
        for name in [
            "sin",
            "cos",
            "tan",
            "asin",
            "acos",
            "atan",
            "atan2",
            "sinh",
            "cosh",
            "tanh",
            "asinh",
            "acosh",
            "atanh",
            "exp",
            "log",
        ]
    },
}
RECIPROCALS: Mapping[Any, Any] = {sympy.sec: sympy.cos, sympy.csc: sympy.sin, sympy.cot: sympy.tan}


class Translation:
    """Translates expressions into one graph; `known` are the symbols with the nodes that they mean."""

    def __init__(self, graph: Graph, known: Mapping[Any, Node]) -> None:
        self.graph, self.nodes = graph, dict(known)

    def translate(self, expressions: Sequence[Any]) -> list[Node]:
        """Return the nodes of expressions, with their common parts once."""
        symbols = (sympy.Symbol(f"common[{k}]") for k in range(10**9))
        parts, whole = sympy.cse(list(expressions), symbols=symbols, order="canonical")
        for symbol, part in parts:
            self.nodes[symbol] = self.node(part)
        return [self.node(one) for one in whole]

    def node(self, expression: Any) -> Node:
        """Return the node of an expression."""
        if expression not in self.nodes:
            self.nodes[expression] = self._node(expression)
        return self.nodes[expression]

    def _node(self, one: Any) -> Node:
        graph = self.graph
        if one.is_Rational:
            return graph.number(int(one.p) / int(one.q))
        if one.is_Float or one.is_NumberSymbol:
            return graph.number(float(one))
        if one.is_Add:
            found = self.node(one.args[0])
            for part in one.args[1:]:
                found = found + self.node(part)
            return found
        if one.is_Mul:
            return self._product(one)
        if one.is_Pow:
            return self._power(one.base, one.exp)
        if one.func in RECIPROCALS:
            return graph.number(1.0) / self.node(RECIPROCALS[one.func](*one.args))
        if one.func in FUNCTIONS:
            return self._call(FUNCTIONS[one.func], [self.node(part) for part in one.args])
        raise ModelError(f"symbolic: {what(one)} cannot be compiled: use {', '.join(FUNCTIONS.values())}")

    def _call(self, name: str, given: list[Node]) -> Node:
        found = given[0]
        if len(given) == 1 and name not in ("min", "max"):
            return self.graph.make(name, found)
        for other in given[1:]:
            found = self.graph.make(name, found, other)
        return found

    def _product(self, product: Any) -> Node:
        """Return the node of a product, with one division for all negative powers."""
        above: Node | None = None
        below: Node | None = None
        for part in product.args:
            base, exponent = part.as_base_exp() if part.is_Pow else (part, sympy.S.One)
            if part.is_Pow and exponent.is_Number and exponent.is_negative:
                node = self._power(base, -exponent)
                below = node if below is None else below * node
            else:
                node = self.node(part)
                above = node if above is None else above * node
        if below is None:
            assert above is not None, product
            return above
        return (self.graph.number(1.0) if above is None else above) / below

    def _power(self, base: Any, exponent: Any) -> Node:
        if base is sympy.E:
            return self.graph.make("exp", self.node(exponent))
        if exponent.is_Number:
            return self.graph.power(self.node(base), float(exponent))
        return self.graph.make("pow", self.node(base), self.node(exponent))


def what(one: Any) -> str:
    """Return what an expression is, for messages."""
    if isinstance(one, AppliedUndef) or not one.args:
        return f"'{str(one)[:60]}'"
    return f"'{one.func.__name__}' in {str(one)[:60]}"
