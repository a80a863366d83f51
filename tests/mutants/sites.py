"""Small changes of meaning in a source file: where they can be made, and the changed text.

Each kind of change is what a slip of the hand does: a sign, an index, a comparison, a condition, a term or a
copy that is missing.  Texts, docstrings, annotations, messages and imports are left alone.
"""

import ast
from collections.abc import Iterator
from typing import NamedTuple

SWAPPED = {  # operator: the one that stands in its place
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


class Mutant(NamedTuple):
    """One change: where it is, what it says before and after, and the function that it stands in."""

    file: str
    line: int
    function: str
    before: str
    after: str
    start: int
    end: int

    def text(self, source: str) -> str:
        """Return the source with the change."""
        return source[: self.start] + self.after + source[self.end :]


def mutants(file: str, source: str) -> Iterator[Mutant]:
    """Give every change of a file."""
    lines = [0]
    for line in source.encode().splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    if len(source) != len(source.encode()):  # positions of `ast` count bytes
        characters = {len(source[:k].encode()): k for k in range(len(source) + 1)}
    else:
        characters = {}

    def place(line: int, column: int) -> int:
        at = lines[line - 1] + column
        return characters.get(at, at)

    for function, node in _statements(ast.parse(source), ""):
        for old, new in _changes(node):
            begin, end = place(old.lineno, old.col_offset), place(old.end_lineno, old.end_col_offset)
            inside = isinstance(old, ast.expr) and not isinstance(old, ast.Constant | ast.Name)
            after = f"({ast.unparse(new)})" if inside else ast.unparse(new)
            yield Mutant(file, old.lineno, function, source[begin:end], after, begin, end)


def _statements(tree: ast.AST, function: str) -> Iterator[tuple[str, ast.AST]]:
    """Give (name of the function, node) of all nodes that are computed when a function runs."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            name = f"{function}.{node.name}" if function else node.name
            for one in node.body:
                yield from _inner(name, one)
        else:
            yield from _statements(node, function)


def _inner(function: str, node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    quiet = isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr | ast.Import | ast.ImportFrom)
    if quiet or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        return
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        for one in node.body:
            yield from _inner(f"{function}.{node.name}", one)
        return
    yield function, node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, ast.AST):
                yield from _inner(function, one)


def _changes(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Give (old node, new node) of every change of one node."""
    match node:
        case ast.BinOp(left=left, op=op, right=right) if not _is_text(left) and not _is_text(right):
            if type(op) in SWAPPED:
                yield node, ast.BinOp(left, SWAPPED[type(op)](), right)
            if isinstance(op, ast.Add | ast.Sub):
                yield node, left  # a term is missing
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in SWAPPED:
            yield node, ast.Compare(left, [SWAPPED[type(op)]()], [right])
        case ast.BoolOp(op=op, values=values):
            yield node, ast.BoolOp(SWAPPED[type(op)](), values)
            yield node, ast.BoolOp(op, values[1:]) if len(values) > 2 else values[1]
        case ast.UnaryOp(op=ast.USub() | ast.Not(), operand=operand):
            yield node, operand
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield node, ast.IfExp(test, orelse, body)
        case ast.Subscript(slice=ast.Constant(value=int(index))):
            yield node.slice, ast.Constant(index + 1)
        case ast.Call(func=ast.Attribute(value=owner, attr="copy"), args=[]):
            yield node, owner
        case ast.keyword(value=ast.Constant(value=bool(flag))):
            yield node.value, ast.Constant(not flag)
        case ast.Expr(value=ast.Call()):
            yield node, ast.Constant(None)  # a call is missing


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
