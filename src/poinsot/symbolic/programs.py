"""Derived equations as a straight-line program: what a run compiles."""

from typing import Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.programs.elimination import row_order, solve
from poinsot.model.programs.graph import Graph, Node
from poinsot.model.programs.program import Program
from poinsot.symbolic.derivation import Equations, Samples
from poinsot.symbolic.translation import Translation
from poinsot.symbolic.variables import Variables, name_of


def program_of(v: Variables, of: Equations) -> Program:
    """Return the program of equations, with the values of their parameters."""
    values, graph = v.values(), Graph()
    known = {v.time: graph.argument("t")}
    for name, symbols in (("x", v.x), ("z", v.z), ("p", list(v.parameters))):
        known |= {symbol: graph.argument(name, k) for k, symbol in enumerate(symbols)}
    n, m, loads = len(v.z), len(of.held), [graph.argument("f", k) for k in range(len(v.z))]
    discrete = not v.quasi and not of.held  # it has discrete equations, too
    parts = {
        "mass": of.M,
        "bias": of.b,
        "kinematics": of.A,
        "force": of.f,
        "slopes": of.a,
        "bends": of.c,
        "energy": [of.energy],
        "constraints": of.redundant,
        "residuals": of.held,
        "rest": of.rest,
        "momentum": of.p if discrete else [],
        "pull": [of.L.diff(x) for x in v.x] if discrete else [],
    }
    flat = Translation(graph, known).translate([one for part in parts.values() for one in part])
    nodes: dict[str, list[Node]] = {}
    for name, part in parts.items():
        nodes[name], flat = flat[: len(part)], flat[len(part) :]
    z = [known[symbol] for symbol in v.z]
    M, a = nodes["mass"], nodes["slopes"]
    zero = graph.number(0.0)
    K = [[*M[i * n : i * n + n], *(-a[k * n + i] for k in range(m))] for i in range(n)]
    K += [[*a[k * n : k * n + n], *[zero] * m] for k in range(m)]
    right = [load - bias for load, bias in zip(loads, nodes["bias"], strict=True)]
    solved = solve(K, [*right, *(-one for one in nodes["bends"])], _order(v, of))
    power = zero
    for k in range(n):
        power = power + (nodes["force"][k] + loads[k]) * z[k]
    for k in range(m):  # constraints that move do work: λ·a ξ = -λ·a₀
        power = power - solved[n + k] * nodes["rest"][k]
    rate = [_dot(nodes["kinematics"][i * n : i * n + n], z, zero) for i in range(len(v.x))]
    results = {
        "rate": rate,
        "acceleration": solved[:n],
        "power": [power],
        "energy": nodes["energy"],
        "mass": M,
    }
    if discrete:
        results |= {name: nodes[name] for name in ("momentum", "pull", "force")}
    if v.quasi:
        results |= {"kinematics": nodes["kinematics"], "constraints": nodes["constraints"]}
    if m:
        results |= {"multipliers": solved[n:], "residuals": nodes["residuals"]}
    names = {"t": [str(v.time)], "x": v.names, "z": v.velocity_names, "f": v.velocity_names}
    return Program.of({**names, "p": [name_of(one) for one in v.parameters]}, results, values)


def _dot(row: list[Node], z: list[Node], zero: Node) -> Node:
    total = zero
    for a, b in zip(row, z, strict=True):
        total = total + a * b
    return total


def _order(v: Variables, of: Equations) -> list[int]:
    """Return the order of rows in which the accelerations and multipliers are eliminated."""
    m = len(of.held)
    tables: list[Any] = []
    samples = Samples(v, of.redundant)
    for point in samples.points:
        with np.errstate(all="ignore"):
            M, a = samples.at(of.M, point), samples.at(of.a, point)
        K = np.block([[M, -a.T], [a, np.zeros((m, m))]])
        if np.isfinite(K).all():
            tables.append(K.tolist())
    found = row_order(tables) if tables else None
    if found is None:
        raise ModelError("symbolic: the equations cannot be solved for the accelerations: they are singular")
    return found
