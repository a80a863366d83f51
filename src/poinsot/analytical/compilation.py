"""A system whose Lagrangian is a Python function, as a program that a run compiles.

The functions of the user are traced (`model.programs.trace`), and the graph is differentiated exactly.  With
p = ∂L/∂ξ,

    ∂²L/∂ξ² dξ/dt = f - (∂p/∂x Aξ + ∂p/∂t) - γᵢⱼᵏ ξʲ pₖ + Aᵢᵃ ∂L/∂xᵃ,    AᵀA γᵢⱼ = Aᵀ (∂ᵢAⱼ - ∂ⱼAᵢ)        (1)

What cannot be traced stays in Python, and so does what differs from the equations in Python at the start.
"""

from typing import Any

import numpy as np

from poinsot.analytical.arguments import trusted
from poinsot.analytical.operators import Array
from poinsot.analytical.system import System
from poinsot.model.programs.elimination import row_order, solve
from poinsot.model.programs.graph import Graph, Node
from poinsot.model.programs.program import Program
from poinsot.model.programs.tangents import tangents
from poinsot.model.programs.trace import NoTraceError, trace
from poinsot.model.state import State

SAME = 1e-6  # of the largest acceleration: Python may have differentiated by differences
NUDGES = (0.0, 1e-3, -2e-3)  # of coordinates and velocities, relative to the largest
SIMPLE = (0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0)
MOST = 16  # velocities up to which elimination as straight-line code pays


def program_of(system: System, start: State) -> Program:
    """Return the program of a system; a NoTraceError says why there is none."""
    with trusted(), np.errstate(all="ignore"):
        program = _program(system, start)
        _compare(program, system, start)
    return program


def _program(system: System, start: State) -> Program:
    size, n = len(start.q), len(start.v)
    if system.lagrangian is None or system.loop is not None or n > MOST:
        raise NoTraceError("it has no Lagrangian alone")
    graph = Graph()
    t, x = graph.argument("t"), [graph.argument("x", k) for k in range(size)]
    z, f = ([graph.argument(name, k) for k in range(n)] for name in "zf")
    L = trace(_plain(system.lagrangian), graph, t, x, z)
    A = trace(system.coordinates.kinematics, graph, x)
    if L.shape != () or A.shape != (size, n):
        raise NoTraceError("its functions have other shapes")
    whole: Any = [L.item()]
    rate = [_dot(A[a], z, graph) for a in range(size)]
    p = [tangents(whole, {one: 1.0})[0] for one in z]
    M = [tangents(p, {one: 1.0}) for one in z]
    turn = tangents(p, {t: 1.0, **dict(zip(x, rate, strict=True))})
    pull = [tangents(whole, dict(zip(x, A[:, i], strict=True)))[0] for i in range(n)]
    quasi = _quasi(A, x, z, p, graph)
    own: Any = [graph.number(0.0)] * n
    if system.force is not None:
        own = trace(_plain(system.force), graph, t, x, z).ravel().tolist()
        if len(own) != n:
            raise NoTraceError("its force has another shape")
    forces = [a + b for a, b in zip(own, f, strict=True)]
    right = [forces[i] - turn[i] - quasi[i] + pull[i] for i in range(n)]
    names = {"t": ["t"], "x": [f"x{k}" for k in range(size)], "z": [f"z{k}" for k in range(n)]}
    names["f"] = names["z"]
    mass = Program.of(names, {"mass": [one for row in M for one in row]})
    table = np.array(mass.evaluate("mass", start.time, start.q, start.v)).reshape(n, n)
    order = row_order([table.tolist()]) if np.isfinite(table).all() else None
    if order is None:
        raise NoTraceError("its mass matrix is singular at the start")
    results = {"rate": rate, "acceleration": solve(M, right, order), "power": [_dot(forces, z, graph)]}
    return with_parameters(Program.of(names, results))


def with_parameters(program: Program) -> Program:
    """Return a program whose numbers are parameters, but simple ones: others need no new compilation."""
    values: dict[float, int] = {}
    nodes = tuple(
        ("argument", "p", values.setdefault(node[1], len(values)))
        if node[0] == "number" and node[1] not in SIMPLE
        else node
        for node in program.nodes
    )
    names = {**program.arguments, "p": tuple(f"p{k}" for k in range(len(values)))}
    return Program(names, nodes, program.results, tuple(values))


def _plain(function: Any) -> Any:
    """Return the function of a user without its guard."""
    return getattr(function, "f", function)


def _dot(row: Any, z: Any, graph: Graph) -> Node:
    total = graph.number(0.0)
    for a, b in zip(row, z, strict=True):
        total = total + a * b
    return total


def _quasi(A: Array, x: list[Node], z: list[Node], p: list[Node], graph: Graph) -> list[Node]:
    """Return γᵢⱼᵏ ξʲ pₖ of (1); zero if A is constant."""
    n, zero = A.shape[1], graph.number(0.0)
    entries: Any = A.ravel().tolist()
    along = [tangents(entries, dict(zip(x, A[:, i], strict=True))) for i in range(n)]
    if all(one is zero for part in along for one in part):
        return [zero] * n
    d = [np.array(part, dtype=object).reshape(A.shape) for part in along]  # d[i] = ∂ᵢ A
    normal = [[_dot(A[:, i], A[:, j], graph) for j in range(n)] for i in range(n)]
    found = []
    for i in range(n):
        bracket = [_dot(d[i][a] - np.array([d[j][a, i] for j in range(n)]), z, graph) for a in range(len(x))]
        gamma = solve(normal, [_dot(A[:, k], bracket, graph) for k in range(n)], range(n))
        found.append(_dot(gamma, p, graph))
    return found


def _compare(program: Program, system: System, start: State) -> None:
    """Raise a NoTraceError unless the program has the accelerations of the system in Python."""
    y = np.concatenate([start.q, start.v])
    for nudge in NUDGES:
        near = y + nudge * max(1.0, float(np.abs(y).max())) * np.sin(1.0 + np.arange(len(y)))
        x, z = near[: len(start.q)], near[len(start.q) :]
        try:
            theirs = np.asarray(system.acceleration(start.time, x, z), dtype=float)
        except Exception as error:  # whatever a user's function raises: it is told in Python
            raise NoTraceError(str(error)) from None
        ours = np.array(program.evaluate("acceleration", start.time, x, z))
        size = max(float(np.abs(theirs).max(initial=0.0)), float(np.abs(z).max(initial=0.0)))
        if not np.abs(ours - theirs).max(initial=0.0) <= SAME * size:
            raise NoTraceError("its program gives other accelerations")
