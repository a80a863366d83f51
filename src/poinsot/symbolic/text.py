"""Equations as text: LaTeX, and functions in Python, for NumPy and in C, from the straight-line program.

Names in the text are made by us (x[0], p[2]); those of the user stand in comments, where they do nothing.
"""

import ast
from typing import Any

import sympy

from poinsot.model.programs.graph import Graph
from poinsot.model.programs.program import Program

RESULTS = ("rate", "acceleration")
NUMPY = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "abs": "abs"}
NUMPY |= {
    "asinh": "arcsinh",
    "acosh": "arccosh",
    "atanh": "arctanh",
    "min": "minimum",
    "max": "maximum",
    "pow": "power",
}
C = {"abs": "fabs", "min": "fmin", "max": "fmax"}


def latex(equations: Any) -> str:
    """Return equations, each equal to zero, in LaTeX."""
    lines = [f"{sympy.latex(one)} &= 0" for one in equations]
    return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"


def bare(program: Program) -> Program:
    """Return a program without forces that act besides its own."""
    graph = Graph()
    none = {("f", k): graph.number(0.0) for k in range(program.sizes["f"])}
    found = program.graph(none, graph)
    return Program.of(program.arguments, {name: found[name] for name in RESULTS}, program.values)


def source(program: Program, language: str) -> str:
    """Return the field of a program as the text of a function."""
    values = [_number(one) for one in program.values]
    table = [
        f"{name}[{k}] = {_plain(one)}" for name in "xzp" for k, one in enumerate(program.arguments[name])
    ]
    body = [_statement(node, language, program) for node in program.statements(RESULTS)]
    nx, nz = program.sizes["x"], program.sizes["z"]
    constants = _constants(program, language)
    if language == "c":
        lines = ["#include <math.h>", "", *(f"/* {one} */" for one in table)]
        lines += [f"/* out: rates of x ({nx}), then of z ({nz}) */"]
        lines += ["void field(double t, const double *x, const double *z, double *out)", "{"]
        lines += [f"    const double p[] = {{{', '.join(values) or '0.0'}}};"]
        lines += [
            f"    const double c[] = {{{', '.join(constants) or '0.0'}}};",
            "    (void)t; (void)c; (void)p;",
        ]
        return "\n".join([*lines, *(f"    {one};" for one in body), "}", ""])
    module = "math" if language == "python" else "numpy as np"
    lines = [f"import {module}", "", "", "def field(t, x, z):"]
    lines += ['    """Return the rates of x, then of z."""', *(f"    # {one}" for one in table)]
    lines += [f"    p = ({''.join(f'{one}, ' for one in values)})"]
    lines += [f"    c = ({''.join(f'{one}, ' for one in constants)})", f"    out = [0.0] * {nx + nz}"]
    end = "    return out" if language == "python" else "    return np.array(np.broadcast_arrays(*out))"
    return "\n".join([*lines, *(f"    {one}" for one in body), end, ""])


def _number(value: float) -> str:
    return repr(float(value))


def _plain(name: str) -> str:
    """Return a name as it may stand in a comment of any language."""
    return "".join(one for one in name if one.isalnum() or one in "_'")


def _constants(program: Program, language: str) -> list[str]:
    """Return what depends on parameters alone, as expressions of p."""

    def write(place: int) -> str:
        operation, *of = program.nodes[place]
        if operation == "number":
            return _number(of[0])
        if operation == "argument":
            return f"p[{of[1]}]"
        return _operation(operation, [write(one) for one in of], language)

    return [write(place) for place in program.constants]


def _operation(operation: str, given: list[str], language: str) -> str:
    if operation in "+-*/":
        return f"({given[0]} {operation} {given[1]})"
    arguments = ", ".join(given)
    if language == "c":
        return f"{C.get(operation, operation)}({arguments})"
    if language == "numpy":
        return f"np.{NUMPY.get(operation, operation)}({arguments})"
    return (
        f"{operation}({arguments})"
        if operation in ("abs", "min", "max")
        else f"math.{operation}({arguments})"
    )


class _Words(ast.NodeTransformer):
    """Writes the functions of a language."""

    def __init__(self, language: str) -> None:
        self.language = language

    def visit_Call(self, node: ast.Call) -> ast.expr:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
        given = [ast.unparse(self.visit(one)) for one in node.args]
        return ast.Name(_operation(name, given, self.language), ast.Load())


def _statement(node: ast.stmt, language: str, program: Program) -> str:
    """Return one assignment as text."""
    assert isinstance(node, ast.Assign)
    target, value = node.targets[0], node.value
    double = "double " if language == "c" else ""
    if isinstance(target, ast.Tuple):  # sine and cosine
        assert isinstance(value, ast.Call)
        angle = ast.unparse(value.args[0])
        names = [ast.unparse(one) for one in target.elts]
        texts = [
            f"{double}{name} = {_operation(f, [angle], language)}"
            for name, f in zip(names, ("sin", "cos"), strict=True)
        ]
        return "; ".join(texts)
    if isinstance(value, ast.BinOp) and isinstance(value.left, ast.Name) and value.left.id == "o":
        value = value.right
    text = ast.unparse(_Words(language).visit(value))
    return f"{double if isinstance(target, ast.Name) else ''}{ast.unparse(target)} = {text}"
