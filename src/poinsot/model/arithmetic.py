"""Arithmetic for Python and for the compiler: our elementary functions by name, and functions made of trees.

A function is built of a syntax tree of nothing but arithmetic: no text is ever evaluated.  The tree has
`math.sin(x)`, in whose place the compiler puts our own functions (`core.numbers.mathematics`); for Python it
is rewritten to call them by name (`OwnFunctions`).  Both give the same bits, on every machine.
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any

from poinsot.elementary import arctangent, exponential, logarithm, power, primitives, trigonometry

SOURCES = (  # of the functions of one number
    (trigonometry, "sin cos tan"),
    (arctangent, "asin acos atan"),
    (exponential, "sinh cosh tanh exp"),
    (logarithm, "log log10 log1p"),
    (exponential, "expm1"),
    (primitives, "sqrt"),
)
OF_ONE: dict[str, Callable[..., Any]] = {
    name: getattr(module, name) for module, names in SOURCES for name in names.split()
}
OF_ONE["abs"] = abs
OF_TWO: dict[str, Callable[..., Any]] = {
    "atan2": arctangent.atan2,
    "hypot": power.hypot,
    "min": min,
    "max": max,
}
BUILTINS: Mapping[str, Callable[..., Any]] = {"abs": abs, "min": min, "max": max}
HOME = "<expression>"  # where the functions are from: no module of a library


def whole_power(x: float, n: int) -> float:
    """Return x^n for n >= 0 by products, in the order of compiled code."""
    y = 1.0
    while n:
        if n & 1:
            y = y * x
        n >>= 1
        x = x * x
    return y


OWN: dict[str, Any] = {**OF_ONE, **OF_TWO, "power": power.pow, "whole_power": whole_power}


class OwnFunctions(ast.NodeTransformer):
    """Turns `math.sin(x)` into `sin(x)`, and `x ** y` into a call: for Python, with `OWN` as globals."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return ast.Name(node.attr, ast.Load())

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        left, right = self.visit(node.left), self.visit(node.right)
        if not isinstance(node.op, ast.Pow):
            return ast.BinOp(left, node.op, right)
        whole = isinstance(right, ast.Constant) and isinstance(right.value, int)
        return ast.Call(ast.Name("whole_power" if whole else "power", ast.Load()), [left, right], [])


def function_with(
    name: str, arguments: Sequence[str], body: Sequence[ast.stmt], names: Mapping[str, Any]
) -> FunctionType:
    """Return a function of nothing but its arguments and these names."""
    given = ast.arguments([], [ast.arg(one) for one in arguments], None, [], [], None, [])
    definition = ast.FunctionDef("formula", given, list(body), [], None)
    tree = ast.fix_missing_locations(ast.Module([definition], []))
    code = next(c for c in compile(tree, HOME, "exec").co_consts if hasattr(c, "co_code"))
    found = FunctionType(code, {"__name__": HOME, "__builtins__": {}, **names}, name)
    found.__module__, found.__qualname__ = HOME, name
    return found
