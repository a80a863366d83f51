"""Plain Python functions as formulas, where they are arithmetic: `ps.to_toml` writes them into files.

A function that assigns numbers to names and returns numbers, with arithmetic only, is a formula; the numbers
that it looks up outside become parameters.  Everything else stays Python, and a file cannot hold it.
"""

import ast
import inspect
import math
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np

from poinsot.formats.expressions.formula import FUNCTIONS, Formula, FormulaError, Sizes, function_of, word

SEED, TRIALS = 7, 5


class NotAFormulaError(ValueError):
    """The function is more than arithmetic."""


def formula_of(function: Callable[..., Any], sizes: Sizes) -> Formula | None:
    """Return the formula that a function was made from, or its translation; None if it has none."""
    kept = getattr(function, "formula", None)
    if isinstance(kept, Formula):
        return kept
    try:
        found = _Translation(function, sizes).formula()
        again = vars(function_of(found, sizes))["to_compile"]  # with `math`, as the function
    except (NotAFormulaError, FormulaError, OSError, TypeError, SyntaxError, ValueError):
        return None
    return found if _agree(function, again, sizes) else None


def _agree(function: Callable[..., Any], again: Callable[..., Any], sizes: Sizes) -> bool:
    """Return whether both functions give the same bits at some arguments."""
    rng = np.random.default_rng(SEED)
    for _ in range(TRIALS):
        given = [rng.normal(size=shape).tolist() for shape in sizes.values()]
        results = []
        for one in (function, again):
            try:
                results.append(np.atleast_1d(np.array(one(*given), dtype=float)).tobytes())
            except (ArithmeticError, ValueError, TypeError) as error:
                results.append(type(error).__name__.encode())
        if results[0] != results[1]:
            return False
    return True


class _Translation:
    """Translates one function."""

    def __init__(self, function: Callable[..., Any], sizes: Sizes) -> None:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
        if not isinstance(tree, ast.FunctionDef) or tree.decorator_list:
            raise NotAFormulaError("not a plain function")
        self.function, self.tree, self.outside = function, tree, inspect.getclosurevars(function)
        self.renamed = dict(zip((one.arg for one in tree.args.args), sizes, strict=True))
        self.sizes = sizes
        self.where: dict[str, str] = {}
        self.parameters: dict[str, float] = {}

    def formula(self) -> Formula:
        """Return the formula, or raise NotAFormulaError."""
        *before, last = self.tree.body
        for statement in before:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                continue  # the docstring
            if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
                raise NotAFormulaError("a statement that is not an assignment")
            self.define(statement.targets[0], statement.value)
        if not isinstance(last, ast.Return) or last.value is None:
            raise NotAFormulaError("no result")
        values = tuple(self.text(one) for one in self.results(last.value))
        name = self.function.__name__ if word(self.function.__name__) else "expression"
        return Formula(values, self.where, self.parameters, name)

    def define(self, target: ast.expr, value: ast.expr) -> None:
        pairs = [(target, value)]
        if (
            isinstance(target, ast.Tuple)
            and isinstance(value, ast.Tuple)
            and len(target.elts) == len(value.elts)
        ):
            pairs = list(zip(target.elts, value.elts, strict=True))
        texts = [self.text(one) for _, one in pairs]
        for (name, _), text in zip(pairs, texts, strict=True):
            if not isinstance(name, ast.Name) or name.id in self.where or name.id in self.renamed:
                raise NotAFormulaError("a name that is assigned twice")
            self.where[name.id] = text

    def results(self, value: ast.expr) -> list[ast.expr]:
        if isinstance(value, ast.Tuple | ast.List):
            return value.elts
        if isinstance(value, ast.Name) and isinstance(found := self.looked_up(value.id), tuple | list):
            return [ast.Constant(float(x)) for x in found]
        return [value]

    def looked_up(self, name: str) -> Any:
        """Return what a name outside the function is."""
        for place in (self.outside.nonlocals, self.outside.globals, self.outside.builtins):
            if name in place:
                return place[name]
        raise NotAFormulaError(f"an unknown name {name}")

    def text(self, node: ast.expr) -> str:
        return ast.unparse(_Names(self).visit(node))


class _Names(ast.NodeTransformer):
    """Renames arguments, and turns functions and numbers outside into names of the language."""

    def __init__(self, translation: _Translation) -> None:
        self.of = translation

    def visit_Name(self, node: ast.Name) -> ast.expr:
        of, name = self.of, node.id
        if name in of.renamed:
            return ast.Name(of.renamed[name], ast.Load())
        if name in of.where:
            return node
        found = of.looked_up(name)
        if isinstance(found, bool) or not isinstance(found, int | float) or not math.isfinite(found):
            raise NotAFormulaError(f"{name} is not a number")
        if not word(name) or name in of.sizes:
            return ast.Constant(float(found))
        of.parameters[name] = float(found)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        called = node.func
        if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
            if self.of.looked_up(called.value.id) is not math or called.attr not in FUNCTIONS:
                raise NotAFormulaError("a function that is not of the language")
            name = called.attr
        elif isinstance(called, ast.Name):
            known = {"abs": abs, "min": min, "max": max}
            name = called.id
            if name not in FUNCTIONS or self.of.looked_up(name) is not known.get(
                name, getattr(math, name, None)
            ):
                raise NotAFormulaError("a function that is not of the language")
        else:
            raise NotAFormulaError("a call of something else")
        return ast.Call(ast.Name(name, ast.Load()), [self.visit(one) for one in node.args], node.keywords)
