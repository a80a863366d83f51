"""Straight-line programs: equations as a list of operations on numbers, which a file can hold.

    nodes      ["number", 9.81], ["argument", "x", 0], ["sin", 1], ["*", 0, 2], ...
    results    {"acceleration": [3], "energy": [7], ...}

Each node is an operation of the list `OPERATIONS` on nodes before it: nothing else is read from a file, and
no text is evaluated.  Equal nodes are one (`Graph`), so that common parts are computed once.  What depends on
parameters alone is computed before a run, in Python, with the bits that compiled code would have.
"""

import ast
import hashlib
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from poinsot.elementary import trigonometry
from poinsot.errors import ModelError
from poinsot.model.arithmetic import BUILTINS, OwnFunctions, function_with
from poinsot.model.programs.graph import FIRST, MOST, ONE, OPERATIONS, SIGNS, TWO, Graph, Node, compute

NAMES = {**ONE, **TWO, "sincos": trigonometry.sincos}
ARGUMENTS = tuple("txzfup")  # time, coordinates, velocities or momenta, forces, inputs, parameters


@dataclass(frozen=True, eq=False)
class Program:
    """Operations with names for what goes in and what comes out; `values` are those of the parameters."""

    arguments: Mapping[str, tuple[str, ...]]  # names of the numbers of each array
    nodes: tuple[tuple[Any, ...], ...]
    results: Mapping[str, tuple[int, ...]]
    values: tuple[float, ...] = ()

    @staticmethod
    def of(
        arguments: Mapping[str, Sequence[str]],
        results: Mapping[str, Iterable[Node]],
        values: Sequence[float] = (),
    ) -> "Program":
        """Return the program that computes these results, with the nodes that they need only."""
        wanted = {name: list(nodes) for name, nodes in results.items()}
        needed: set[int] = set()
        waiting = [node for nodes in wanted.values() for node in nodes]
        graph = waiting[0].graph
        while waiting:
            node = waiting.pop()
            if node.place not in needed:
                needed.add(node.place)
                waiting += [one for one in node.of if isinstance(one, Node)]
        places = {old: new for new, old in enumerate(sorted(needed))}
        nodes = tuple(
            (node.operation, *(places[one.place] if isinstance(one, Node) else one for one in node.of))
            for node in (graph.nodes[old] for old in places)
        )
        outputs = {name: tuple(places[node.place] for node in nodes) for name, nodes in wanted.items()}
        given = {name: tuple(names) for name, names in arguments.items()}
        return Program(given, nodes, outputs, tuple(map(float, values)))

    def data(self) -> dict[str, Any]:
        """Return the program as JSON data."""
        return {
            "arguments": {name: list(names) for name, names in self.arguments.items()},
            "nodes": [list(node) for node in self.nodes],
            "results": {name: list(places) for name, places in self.results.items()},
            "values": list(self.values),
        }

    @staticmethod
    def read(data: Any) -> "Program":
        """Return the program of JSON data; a ModelError if it is not one."""
        try:
            arguments = {str(name): tuple(map(_checked_name, x)) for name, x in data["arguments"].items()}
            results = {str(name): tuple(places) for name, places in data["results"].items()}
            nodes, values = tuple(map(tuple, data["nodes"])), tuple(map(_checked_number, data["values"]))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ModelError(f"{FIRST}: not a program: {type(error).__name__} {error}") from None
        if not set(arguments) <= set(ARGUMENTS) or len(values) != len(arguments.get("p", ())):
            raise ModelError(f"{FIRST}: not a program: its arguments are {', '.join(arguments)[:200]}")
        if len(nodes) > MOST:
            raise ModelError(f"{FIRST}: it has more than {MOST} operations")
        for place, node in enumerate(nodes):
            _check_node(node, place, arguments)
        if not all(_is_place(one, len(nodes)) for places in results.values() for one in places):
            raise ModelError(f"{FIRST}: a result is not the place of an operation")
        return Program(arguments, nodes, results, values)

    def with_values(self, values: Sequence[float]) -> "Program":
        """Return the program with other values of the parameters: what was compiled of it is the same."""
        return replace(self, values=tuple(map(float, values)))

    @cached_property
    def digest(self) -> str:
        """Digest of what is computed, whatever the values of the parameters are."""
        text = json.dumps([self.sizes, self.nodes, {name: self.results[name] for name in self.results}])
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    @property
    def sizes(self) -> dict[str, int]:
        """Number of numbers in each argument."""
        return {name: len(names) for name, names in self.arguments.items()}

    @cached_property
    def fixed(self) -> tuple[bool, ...]:
        """Whether each node depends on parameters and numbers alone."""
        found: list[bool] = []
        for operation, *of in self.nodes:
            if operation in ("number", "argument"):
                found.append(operation == "number" or of[0] == "p")
            else:
                found.append(all(found[one] for one in of))
        return tuple(found)

    @cached_property
    def constants(self) -> tuple[int, ...]:
        """Nodes that are computed before a run, but numbers."""
        used = {one for places in self.results.values() for one in places}
        for place, (operation, *of) in enumerate(self.nodes):
            if operation in OPERATIONS and not self.fixed[place]:
                used.update(of)
        return tuple(sorted(one for one in used if self.fixed[one] and self.nodes[one][0] != "number"))

    @cached_property
    def constant_values(self) -> tuple[float, ...]:
        """Values of `constants`."""
        known: list[float] = []
        for place, (operation, *of) in enumerate(self.nodes):
            if not self.fixed[place]:
                known.append(math.nan)
            elif operation == "number":
                known.append(of[0])
            elif operation == "argument":
                known.append(self.values[of[1]])
            else:
                known.append(compute(operation, [known[one] for one in of]))
        return tuple(known[one] for one in self.constants)

    def statements(self, names: Sequence[str], first: int = 0) -> list[ast.stmt]:
        """Return the Python that writes the results of these names to `out`, from out[first] on.

        It is that of a function of (t, x, z, f, u, c, o, out): c are the constants, o is zero.
        """
        wanted = [place for name in names for place in self.results[name]]
        needed, places = set(wanted), {place: k for k, place in enumerate(self.constants)}
        for place in range(len(self.nodes) - 1, -1, -1):
            if place in needed and not self.fixed[place] and self.nodes[place][0] in OPERATIONS:
                needed.update(self.nodes[place][1:])
        both = {node[1] for node in self.nodes if node[0] == "sin"} & {
            node[1] for node in self.nodes if node[0] == "cos"
        }
        at = {node[:2]: place for place, node in enumerate(self.nodes) if node[0] in ("sin", "cos")}
        pairs = {
            place: (at["sin", node[1]], at["cos", node[1]])
            for place, node in enumerate(self.nodes)
            if node[0] in ("sin", "cos")
            and node[1] in both
            and {at["sin", node[1]], at["cos", node[1]]} <= needed
        }
        body: list[ast.stmt] = []
        for place in sorted(needed):
            operation, *of = self.nodes[place]
            if self.fixed[place] or operation == "argument" or place != min(pairs.get(place, (place,))):
                continue
            given = [self._value(one, places) for one in of]
            target: ast.expr = _name(place, ast.Store())
            if place in pairs:
                target = ast.Tuple([_name(one, ast.Store()) for one in pairs[place]], ast.Store())
                operation = "sincos"
            body.append(ast.Assign([target], _call(operation, given)))
        for k, place in enumerate(wanted):
            value = self._value(place, places)
            if self.fixed[place]:
                value = ast.BinOp(ast.Name("o", ast.Load()), ast.Add(), value)
            body.append(ast.Assign([_item("out", first + k, ast.Store())], value))
        return body

    def _value(self, place: int, constants: Mapping[int, int]) -> ast.expr:
        """Return what stands for a node where it is used."""
        operation, *of = self.nodes[place]
        if operation == "number":
            return ast.Constant(of[0])
        if self.fixed[place]:
            return _item("c", constants[place])
        if operation == "argument":
            return ast.Name("t", ast.Load()) if of[0] == "t" else _item(of[0], of[1])
        return _name(place)

    def graph(self, given: Mapping[tuple[str, int], Node], graph: Graph) -> dict[str, list[Node]]:
        """Return the results as nodes of a graph, in which some arguments are other nodes."""
        nodes: list[Node] = []
        for operation, *of in self.nodes:
            if operation == "number":
                nodes.append(graph.number(of[0]))
            elif operation == "argument":
                known = given.get((of[0], of[1]))
                nodes.append(graph.argument(*of) if known is None else known)
            else:
                nodes.append(graph.make(operation, *(nodes[one] for one in of)))
        return {name: [nodes[place] for place in places] for name, places in self.results.items()}

    def function(self, names: Sequence[str]) -> Callable[..., Any]:
        """Return the function of (t, x, z, f, u, c, o, out) in Python; `to_compile` is for the compiler."""
        twin = function_with("program", SIGNATURE, self.statements(names), {**BUILTINS, **COMPILER})
        body = [_InPython().visit(one) for one in self.statements(names)]
        found = function_with("program", SIGNATURE, body, {**NAMES, "divide": _divide})
        vars(found).update(to_compile=twin)
        return found

    def evaluate(
        self,
        name: str,
        t: float,
        x: Iterable[float],
        z: Iterable[float] = (),
        f: Iterable[float] | None = None,
    ) -> list[float]:
        """Return the results of this name at a state, in Python; `f` are forces that act besides."""
        functions = self.__dict__.setdefault("_functions", {})
        if name not in functions:
            functions[name] = self.function([name])
        out = [0.0] * len(self.results[name])
        forces = [0.0] * self.sizes.get("f", 0) if f is None else [float(one) for one in f]
        state = float(t), [float(one) for one in x], [float(one) for one in z]
        functions[name](*state, forces, (), self.constant_values, 0.0, out)
        return out


SIGNATURE = ("t", "x", "z", "f", "u", "c", "o", "out")
COMPILER: Mapping[str, Any] = {"math": math, "sincos": trigonometry.sincos}


class _InPython(OwnFunctions):
    """Turns also a / b into a call, which does not raise."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        if not isinstance(node.op, ast.Div):
            return super().visit_BinOp(node)
        return ast.Call(ast.Name("divide", ast.Load()), [self.visit(node.left), self.visit(node.right)], [])


def _divide(a: float, b: float) -> float:
    """Return a / b as compiled code does: infinite or NaN where b is zero."""
    return a / b if b else math.nan if a == 0.0 or a != a else math.copysign(math.inf, a)


def _name(place: int, context: ast.expr_context | None = None) -> ast.Name:
    return ast.Name(f"n{place}", context or ast.Load())


def _item(name: str, place: int, context: ast.expr_context | None = None) -> ast.expr:
    return ast.Subscript(ast.Name(name, ast.Load()), ast.Constant(place), context or ast.Load())


def _call(operation: str, given: list[ast.expr]) -> ast.expr:
    """Return the tree of an operation; `math.sin` for the compiler."""
    if operation in SIGNS:
        if operation == "-" and isinstance(given[0], ast.Constant) and given[0].value == 0.0:
            return ast.UnaryOp(ast.USub(), given[1])
        return ast.BinOp(given[0], SIGNS[operation], given[1])
    if operation in BUILTINS or operation == "sincos":
        return ast.Call(ast.Name(operation, ast.Load()), given, [])
    return ast.Call(ast.Attribute(ast.Name("math", ast.Load()), operation, ast.Load()), given, [])


def _is_place(value: Any, end: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < end


def _checked_name(name: Any) -> str:
    if not (isinstance(name, str) and 0 < len(name) <= 60 and name.isprintable()):
        raise ValueError(f"the name {str(name)[:60]!r}")
    return name


def _checked_number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"the number {str(value)[:60]!r}")
    return float(value)


def _check_node(node: tuple[Any, ...], place: int, arguments: Mapping[str, tuple[str, ...]]) -> None:
    """Raise a ModelError unless a node is an operation of the list on nodes before it."""
    operation, *of = node or ("",)
    if operation == "number":
        good = len(of) == 1 and isinstance(of[0], float) and math.isfinite(of[0])
    elif operation == "argument":
        good = len(of) == 2 and of[0] in ARGUMENTS and _is_place(of[1], len(arguments.get(of[0], ())))
    else:
        known = isinstance(operation, str) and OPERATIONS.get(operation) == len(of)
        good = known and all(_is_place(one, place) for one in of)
    if not good:
        raise ModelError(f"{FIRST}: operation {place} is not allowed: {str(node)[:80]}")
