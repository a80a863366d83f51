"""The functions of the expression language: our own, with the same bits in Python as in compiled code.

Compiled code takes `poinsot.elementary` in the place of `math` (`core.numbers.mathematics`), and whole powers
are products:

    x^n = x^(2^a) x^(2^b) ...,   n = 2^a + 2^b + ...,   a < b < ...            (1)

What Python evaluates (events, checks) has the same functions and the same products: a formula has the same
bits wherever it is computed, on every machine.  There are no exceptions of `math`: the square root of a
negative number is NaN, the logarithm of zero is infinite.
"""

import ast
from collections.abc import Callable, Mapping
from typing import Any

from poinsot.elementary import arctangent, exponential, logarithm, power, primitives, trigonometry

OF_ONE: dict[str, Callable[[Any], Any]] = {
    "sin": trigonometry.sin,
    "cos": trigonometry.cos,
    "tan": trigonometry.tan,
    "asin": arctangent.asin,
    "acos": arctangent.acos,
    "atan": arctangent.atan,
    "sinh": exponential.sinh,
    "cosh": exponential.cosh,
    "tanh": exponential.tanh,
    "exp": exponential.exp,
    "log": logarithm.log,
    "log10": logarithm.log10,
    "log1p": logarithm.log1p,
    "expm1": exponential.expm1,
    "sqrt": primitives.sqrt,
    "abs": abs,
}
OF_TWO: dict[str, Callable[[Any, Any], Any]] = {
    "atan2": arctangent.atan2,
    "hypot": power.hypot,
    "min": min,
    "max": max,
}
COUNTS: Mapping[str, int] = {**dict.fromkeys(OF_ONE, 1), **dict.fromkeys(OF_TWO, 2)}  # of arguments
BUILTINS: Mapping[str, Callable[..., Any]] = {"abs": abs, "min": min, "max": max}


def whole_power(x: float, n: int) -> float:
    """Return x^n for n >= 0 by products (1), in the order of compiled code."""
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
