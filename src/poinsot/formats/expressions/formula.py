"""Formulas: expressions with their names, checked, and compiled to a plain Python function.

Every name is a number, a truth value or an array of numbers; a formula returns numbers.  The function is
built from our own syntax tree, node by node, of nothing but arithmetic: no text of a file is ever evaluated.
It calls our own elementary functions, and whole powers are products,

    x^n = x^(2^a) x^(2^b) ...,   n = 2^a + 2^b + ...,   a < b < ...            (1)

Its attribute `to_compile` is the same function written with `math`, in whose place the compiler puts the same
elementary functions (`core.numbers.mathematics`): a formula has the same bits wherever it is computed, on
every machine.  There are no exceptions of `math`: the square root of a negative number is NaN, the logarithm
of zero is infinite.  `on_arrays(function)` is the same for arrays of NumPy, but for the last bits.
"""

import ast
import copy
import keyword
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial, reduce
from types import FunctionType
from typing import Any

import numpy as np

from poinsot.formats.expressions.grammar import (
    COMPARISONS,
    ExpressionError,
    FunctionCall,
    Name,
    Node,
    Number,
    parse,
)
from poinsot.model.arithmetic import BUILTINS, OF_ONE, OF_TWO, OWN, OwnFunctions, function_with
from poinsot.model.checks import suggestion

FUNCTIONS: Mapping[str, int] = {**dict.fromkeys(OF_ONE, 1), **dict.fromkeys(OF_TWO, 2)}  # of arguments

Sizes = Mapping[str, tuple[int, ...]]  # of the arguments: () a number, (3,) a vector, (3, 3) a matrix

ON_BODY: Sizes = {"t": (), "R": (3, 3), "w": (3,), "p": (3,), "v": (3,)}
OF_POSE: Sizes = {"R": (3, 3), "p": (3,)}
OF_POSES: Sizes = {f"{name}{body}": size for body in "ab" for name, size in OF_POSE.items()}
ON_PAIR: Sizes = {"t": (), **{f"{x}{body}": ON_BODY[x] for body in "ab" for x in "Rwpv"}}
CONSTANTS = {"pi": math.pi}
MOST = 200  # definitions of a formula
MOST_WORK = 1000  # of a formula: 5 s to compile, in which a function takes as long as ten operations
FUNCTION, CONDITION = 10, 6
OPERATORS: dict[str, ast.operator] = {
    "+": ast.Add(),
    "-": ast.Sub(),
    "*": ast.Mult(),
    "/": ast.Div(),
    "**": ast.Pow(),
}
RELATIONS: dict[str, ast.cmpop] = dict(
    zip(COMPARISONS, (ast.Lt(), ast.LtE(), ast.Gt(), ast.GtE(), ast.Eq(), ast.NotEq()), strict=True)
)
MOST_FUNCTIONS = 1000  # functions that are remembered
_FUNCTIONS: dict[Any, Callable[..., Any]] = {}

ARRAYS: dict[str, Any] = {
    **{name: getattr(np, f"arc{name[1:]}" if name[0] == "a" and name != "abs" else name) for name in OF_ONE},
    **{"atan2": np.arctan2, "hypot": np.hypot, "min": np.minimum, "max": np.maximum},
    **{"where": np.where, "logical_and": np.logical_and, "logical_or": np.logical_or},
    "logical_not": np.logical_not,
}


class ArrayFunctions(ast.NodeTransformer):
    """Turns `math.sin(x)` into `sin(x)`, and choices into calls: for arrays, with `ARRAYS` as globals."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return ast.Name(node.attr, ast.Load())

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        return _call("where", *map(self.visit, (node.test, node.body, node.orelse)))

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        name = "logical_and" if isinstance(node.op, ast.And) else "logical_or"
        found: ast.expr = reduce(partial(_call, name), map(self.visit, node.values))
        return found

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        inner = self.visit(node.operand)
        return _call("logical_not", inner) if isinstance(node.op, ast.Not) else ast.UnaryOp(node.op, inner)


def _call(name: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


class FormulaError(ValueError):
    """What is wrong with a formula, in which `part` and at which character.

    A part is a name in `where`, or the number of a value.  `all` has all errors of the formula, this one too.
    """

    def __init__(self, message: str, part: str | int, at: int) -> None:
        super().__init__(message)
        self.part, self.at = part, at
        self.all: list[FormulaError] = [self]


@dataclass(frozen=True)
class Formula:
    """Expressions with definitions and parameters; a function made of it carries it as `.formula`."""

    values: tuple[str, ...]
    where: Mapping[str, str] = field(default_factory=dict)  # definitions, each may use those before it
    parameters: Mapping[str, float] = field(default_factory=dict)
    name: str = "expression"


def word(name: str) -> bool:
    """Return whether a definition or a parameter may have this name."""
    reserved = name in FUNCTIONS or name in CONSTANTS or keyword.iskeyword(name)
    return name.isascii() and name.isidentifier() and not reserved and len(name) <= 60


def function_of(formula: Formula, sizes: Sizes) -> Callable[..., Any]:
    """Return the formula as a function of these arguments; raise a FormulaError if it makes no sense.
    Equal formulas are one function, so that forces which share a formula are compiled once."""
    parts = (tuple(part.items()) for part in (formula.where, formula.parameters, sizes))
    key = (formula.name, formula.values, *parts)
    if key not in _FUNCTIONS:
        if len(_FUNCTIONS) >= MOST_FUNCTIONS:
            _FUNCTIONS.clear()
        _FUNCTIONS[key] = _Compiler(formula, sizes).function()
    return _FUNCTIONS[key]


class _Compiler:
    """Builds the function of a formula."""

    def __init__(self, formula: Formula, sizes: Sizes) -> None:
        self.formula, self.sizes = formula, sizes
        self.part: str | int = 0
        self.truths: set[str] = set()  # definitions that are true or false
        self.locals = {name: f"x{i}" for i, name in enumerate(formula.where)}
        self.known: list[str] = []  # definitions so far
        self.uses: dict[str, set[str]] = {}
        self.errors: list[FormulaError] = []
        self.work = 0

    def function(self) -> Callable[..., Any]:
        """Return the function."""
        formula = self.formula
        if len(formula.where) > MOST:
            raise FormulaError(f"a formula has at most {MOST} definitions", 0, 0)
        for name in (*formula.where, *formula.parameters):
            if not word(name) or name in self.sizes:
                message = f"{name!r} cannot be the name of a definition or parameter"
                self.errors.append(FormulaError(message, name, 0))
        definitions = {}
        for name, text in formula.where.items():
            definitions[name] = self.tree(text, name, number=False)
            self.known.append(name)
        values = [self.tree(text, i, number=True) for i, text in enumerate(formula.values)]
        if self.errors:
            first = self.errors[0]
            first.all = self.errors
            raise first
        reached: set[str] = set()
        waiting = [name for i in range(len(values)) for name in self.uses[str(i)]]
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                waiting += self.uses[f"where {name}"]
        body: list[ast.stmt] = [
            ast.Assign([ast.Name(self.locals[name], ast.Store())], tree)
            for name, tree in definitions.items()
            if name in reached
        ]
        body.append(ast.Return(ast.Tuple(values, ast.Load()) if len(values) > 1 else values[0]))
        return _functions(formula, tuple(self.sizes), body)

    def tree(self, text: str, part: str | int, number: bool) -> ast.expr:
        """Return the Python tree of an expression."""
        self.part = part
        self.using = self.uses.setdefault(f"where {part}" if isinstance(part, str) else str(part), set())
        try:
            node = parse(text)
            found, kind = self.node(node)
            if number and kind != "number":
                raise ExpressionError("a comparison is not a number: write (1 if x > 0 else 0)", 0)
        except ExpressionError as error:
            self.errors.append(FormulaError(str(error), part, error.at))
            return ast.Constant(0.0)
        if kind == "truth":
            self.truths.add(str(part))
        return found

    def node(self, node: Node) -> tuple[ast.expr, str]:
        """Return the Python tree of a node, and whether it is a number or a truth value."""
        if isinstance(node, Number):
            return ast.Constant(node.value), "number"
        if isinstance(node, Name):
            return self.name(node)
        if isinstance(node, FunctionCall):
            return self.call(node)
        return self.operation(node.operator, node.operands, node.at)

    def name(self, node: Name) -> tuple[ast.expr, str]:
        name, shape = node.name, self.sizes.get(node.name)
        if shape is not None:
            return self.element(node, shape), "number"
        if node.indices:
            raise ExpressionError(f"'{name}' is not an array", node.at)
        if name in self.known:
            self.using.add(name)
            kind = "truth" if name in self.truths else "number"
            return ast.Name(self.locals[name], ast.Load()), kind
        constants = {**CONSTANTS, **self.formula.parameters}
        if name in constants:
            return ast.Constant(float(constants[name])), "number"
        if name in self.locals:
            raise ExpressionError(f"'{name}' is defined after its use", node.at)
        known = [*self.sizes, *self.known, *constants, *FUNCTIONS]
        hint = suggestion(name, known) or f": known are {', '.join([*self.sizes, *self.known, *constants])}"
        raise ExpressionError(f"unknown name '{name}'{hint}", node.at)

    def element(self, node: Name, shape: tuple[int, ...]) -> ast.expr:
        if len(node.indices) != len(shape):
            example = node.name + "".join("[0]" for _ in shape)
            what = "a number" if not shape else "a vector" if len(shape) == 1 else "a matrix"
            raise ExpressionError(f"'{node.name}' is {what}: write {example}", node.at)
        found: ast.expr = ast.Name(node.name, ast.Load())
        for index, count in zip(node.indices, shape, strict=True):
            if index >= count:
                raise ExpressionError(
                    f"'{node.name}' has indices from 0 to {count - 1}, got {index}", node.at
                )
            found = ast.Subscript(found, ast.Constant(index), ast.Load())
        return found

    def call(self, node: FunctionCall) -> tuple[ast.expr, str]:
        count = FUNCTIONS.get(node.function)
        if count is None:
            hint = suggestion(node.function, FUNCTIONS) or f": known are {', '.join(FUNCTIONS)}"
            raise ExpressionError(f"unknown function '{node.function}'{hint}", node.at)
        if len(node.arguments) != count:
            raise ExpressionError(
                f"{node.function} takes {count} number{'s'[: count - 1]}, not {len(node.arguments)}", node.at
            )
        self.count(FUNCTION, node.at)
        arguments = [self.number(one) for one in node.arguments]
        called: ast.expr = ast.Name(node.function, ast.Load())
        if node.function not in BUILTINS:
            called = ast.Attribute(ast.Name("math", ast.Load()), node.function, ast.Load())
        return ast.Call(called, arguments, []), "number"

    def count(self, work: int, at: int) -> None:
        """Count work of the compiler; raise an ExpressionError if it is too much."""
        self.work += work
        if self.work > MOST_WORK:
            raise ExpressionError(
                f"the formula is too long to compile: operations count 1, conditions {CONDITION}, "
                f"functions {FUNCTION}, together at most {MOST_WORK}",
                at,
            )

    def number(self, node: Node) -> ast.expr:
        return self.of_kind(node, "number", "expected a number, got a comparison")

    def truth(self, node: Node) -> ast.expr:
        return self.of_kind(node, "truth", "expected a comparison such as t < 1, got a number")

    def of_kind(self, node: Node, kind: str, message: str) -> ast.expr:
        found, given = self.node(node)
        if given != kind:
            raise ExpressionError(message, node.at)
        return found

    def operation(self, operator: str, operands: tuple[Node, ...], at: int) -> tuple[ast.expr, str]:
        self.count(CONDITION if operator in ("if", "and", "or") else 1, at)
        if operator == "if":
            condition, yes, no = operands
            return ast.IfExp(self.truth(condition), self.number(yes), self.number(no)), "number"
        if operator == "not":
            return ast.UnaryOp(ast.Not(), self.truth(operands[0])), "truth"
        if operator in ("and", "or"):
            join = ast.And() if operator == "and" else ast.Or()
            return ast.BoolOp(join, [self.truth(one) for one in operands]), "truth"
        if operator in RELATIONS:
            left, right = (self.number(one) for one in operands)
            return ast.Compare(left, [RELATIONS[operator]], [right]), "truth"
        if len(operands) == 1:
            sign = ast.USub() if operator == "-" else ast.UAdd()
            return ast.UnaryOp(sign, self.number(operands[0])), "number"
        left = self.number(operands[0])
        last = operands[1]
        if operator == "**" and isinstance(last, Number) and last.text.isdigit() and last.value <= 64:
            return ast.BinOp(left, ast.Pow(), ast.Constant(int(last.text))), "number"  # products, not pow
        return ast.BinOp(left, OPERATORS[operator], self.number(last)), "number"


def _functions(formula: Formula, arguments: tuple[str, ...], body: list[ast.stmt]) -> Callable[..., Any]:
    """Return the function with this body."""
    twin = _function(formula, arguments, body, {"math": math, **BUILTINS})
    whole = arguments, copy.deepcopy(body)  # the next line changes the body
    found = _function(formula, arguments, [OwnFunctions().visit(one) for one in body], OWN)
    vars(found).update(formula=formula, to_compile=twin, parts=whole)
    return found


@lru_cache(maxsize=MOST_FUNCTIONS)
def on_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of `function_of` for arrays: its arguments have the samples as last axis."""
    arguments, body = function.parts  # type: ignore[attr-defined]
    trees = [ArrayFunctions().visit(one) for one in copy.deepcopy(body)]
    return _function(function.formula, arguments, trees, ARRAYS)  # type: ignore[attr-defined]


def _function(
    formula: Formula, arguments: tuple[str, ...], body: list[ast.stmt], names: Mapping[str, Any]
) -> FunctionType:
    """Return a function of nothing but its arguments and these names."""
    name = formula.name if word(formula.name) else "expression"
    return function_with(name, arguments, body, names)
