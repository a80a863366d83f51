"""Equations of motion derived from a Lagrangian, as SymPy matrices.

With dx/dt = A(t, x) ξ, momenta P = ∂L/∂(dx/dt) and H = ∂²L/∂(dx/dt)²,

    M = Aᵀ H A,    b = Aᵀ (H (dA/dt) ξ + ∂P/∂x Aξ + ∂P/∂t - ∂L/∂x)                                (1)

holds for every A, also if the velocities are non-holonomic (d'Alembert).  A Lagrangian that is written with
the velocities ξ themselves needs the commutation coefficients (Hamel), with p = ∂L/∂ξ,

    M = ∂²L/∂ξ²,    bᵢ = (∂p/∂x Aξ + ∂p/∂t)ᵢ + γᵢⱼᵏ ξʲ pₖ - Aᵢᵃ ∂L/∂xᵃ                              (2)
    A γᵢⱼ = ∂ᵢAⱼ - ∂ⱼAᵢ,    ∂ᵢ = Aᵢᵃ ∂/∂xᵃ                                                         (3)

and (3) has no solution if the velocities are non-holonomic.  Constraints a ξ + a₀ = 0, or ψ(t, x) = 0 with
a = ∂ψ/∂x A and a₀ = ∂ψ/∂t, are held by multipliers,

    M dξ/dt + b = f + aᵀ λ,    a dξ/dt + d(a ξ + a₀)/dt|ξ = 0                                       (4)

A constraint φ(x) with ∂φ/∂x A = 0 says that the coordinates are redundant, and needs none.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy
from sympy import Matrix, eye, zeros

from poinsot.errors import ModelError
from poinsot.model.programs.graph import Graph
from poinsot.model.programs.program import Program
from poinsot.symbolic.simplification import normal_form
from poinsot.symbolic.translation import Translation
from poinsot.symbolic.variables import Variables

STARTS, ITERATIONS = 12, 100  # of Newton's method
TRIES = 3  # places at which expressions are tried
ZERO = 1e-9  # of the size of its terms: an expression that is smaller at all of them is zero


@dataclass
class Equations:
    """M dξ/dt + b = aᵀ λ with a dξ/dt + c = 0, in the symbols of `Variables`."""

    A: Any  # (ν, n)
    M: Any  # (n, n)
    b: Any  # (n, 1), with the forces
    f: Any  # (n, 1): forces without a potential
    L: Any  # as a function of x and ξ
    p: Any  # (n, 1)
    redundant: list[Any]  # φ
    held: list[Any]  # a ξ + a₀, or ψ
    a: Any  # (m, n)
    c: Any  # (m, 1)
    rest: Any  # a₀ (m, 1)
    energy: Any  # ξ·∂L/∂ξ - L


def total(one: Any, v: Variables, rate: Any) -> Any:
    """Return d/dt of a column of functions of (t, x), along dx/dt = `rate`; velocities are held."""
    found = one.diff(v.time)
    for x, r in zip(v.x, rate, strict=True):
        found = found + one.diff(x) * r
    return found


def lagrangian_form(v: Variables, A: Any, L: Any) -> tuple[Any, Any]:
    """Return M and b (1) of a Lagrangian in the rates of the coordinates."""
    z, onto = Matrix(v.z), dict(zip(v.rates, A * Matrix(v.z), strict=True))
    if not v.quasi:
        onto = {}
    P = Matrix([L.diff(r) for r in v.rates])
    H = Matrix([[one.diff(r) for r in v.rates] for one in P]).xreplace(onto)
    rate = A * z
    bend = total(A, v, rate) * z if v.quasi else zeros(len(v.x), 1)
    turn = P.diff(v.time)
    for x, r in zip(v.x, rate, strict=True):
        turn = turn + P.diff(x) * r
    pull = Matrix([L.diff(x) for x in v.x])
    return A.T * H * A, A.T * (H * bend + (turn - pull).xreplace(onto))


def hamel_form(v: Variables, A: Any, L: Any, gamma: Any) -> tuple[Any, Any]:
    """Return M and b (2) of a Lagrangian in the velocities."""
    n, rate = len(v.z), A * Matrix(v.z)
    p = Matrix([L.diff(z) for z in v.z])
    b = total(p, v, rate) - A.T * Matrix([L.diff(x) for x in v.x])
    for i in range(n):
        b[i] += sum(gamma[i][j][k] * v.z[j] * p[k] for j in range(n) for k in range(n))
    return Matrix([[one.diff(z) for z in v.z] for one in p]), b


class Samples:
    """Numbers in the place of symbols: admissible places at which expressions are tried."""

    def __init__(self, v: Variables, phi: list[Any]) -> None:
        self.v, self.symbols = v, [v.time, *v.x, *v.z, *v.parameters]
        self.programs: dict[Any, Program | None] = {}
        self.points = [self._point(k, phi) for k in range(1, TRIES + 1)]

    def _point(self, k: int, phi: list[Any]) -> list[float]:
        """Return time, coordinates on φ = 0 (by Newton's method), velocities, parameters."""
        v, at = self.v, slice(1, 1 + len(self.v.x))
        values, slopes = Matrix(phi), Matrix(phi).jacobian(v.x) if phi else None
        for start in range(STARTS):
            place = np.sin(1.3 * k + 2.1 * np.arange(1 + len(v.x) + len(v.z)) + 0.7 * start) * 0.8
            point = [*place.tolist(), *v.some_values(k)]
            for _ in range(ITERATIONS if phi else 0):
                r, J = self.at(values, point)[:, 0], self.at(slopes, point)
                if not (np.isfinite(r).all() and np.isfinite(J).all()):
                    break
                change = np.linalg.pinv(J) @ r
                point[at] = (np.array(point[at]) - change).tolist()
                size = np.abs(point[at]).max()
                if np.abs(change).max() <= 1e-12 * size:
                    if np.abs(r).max() <= ZERO * np.abs(J).max() * size:
                        return point
                    break
            if not phi:
                return point
        told = ", ".join(str(v.leave(one)) for one in phi)
        raise ModelError(f"symbolic: the constraints are inconsistent: no coordinates make {told[:300]} zero")

    def at(self, matrix: Any, point: list[float]) -> Any:
        """Return a matrix at a place, as an array."""
        key = matrix.as_immutable()
        if key not in self.programs:
            graph = Graph()
            known = {symbol: graph.argument("x", k) for k, symbol in enumerate(self.symbols)}
            nodes = Translation(graph, known).translate(list(matrix))
            names = {"x": [f"s{k}" for k in range(len(self.symbols))]}
            self.programs[key] = Program.of(names, {"all": nodes}) if nodes else None
        program = self.programs[key]
        found = [] if program is None else program.evaluate("all", 0.0, point)
        return np.array(found, dtype=float).reshape(matrix.shape)

    def vanish(self, matrix: Any, scale: float = 1.0) -> bool:
        """Return whether a matrix is zero at all places, to rounding."""
        with np.errstate(all="ignore"):
            return all(
                float(np.abs(self.at(matrix, one)).max(initial=0.0)) <= ZERO * scale for one in self.points
            )


def commutation(v: Variables, A: Any, samples: Samples) -> list[list[list[Any]]]:
    """Return γ of (3) as [i][j][k]; a ModelError if the velocities are non-holonomic."""
    n = len(v.z)
    d = [total(A, v, A[:, i]) - A.diff(v.time) for i in range(n)]  # d[i] = ∂ᵢ A
    brackets = {(i, j): d[i][:, j] - d[j][:, i] for i in range(n) for j in range(i)}
    gamma = [[[sympy.S.Zero] * n for _ in range(n)] for _ in range(n)]
    for (i, j), bracket in brackets.items():
        if bracket.is_zero_matrix:
            continue
        tried = [
            np.linalg.lstsq(samples.at(A, one), samples.at(bracket, one)[:, 0]) for one in samples.points
        ]
        off = max(
            float(np.abs(samples.at(A, one) @ x[0] - samples.at(bracket, one)[:, 0]).max())
            for one, x in zip(samples.points, tried, strict=True)
        )
        if off > ZERO * max(1.0, *(float(np.abs(x[0]).max()) for x in tried)):
            raise ModelError(
                "symbolic: the velocities are non-holonomic, and a Lagrangian in these velocities is not "
                "enough for them: write it with the rates of the coordinates, such as x.diff(t)"
            )
        found = [x[0] for x in tried]
        column = _constants(found) if np.ptp(np.array(found), axis=0).max() < ZERO else None
        if column is None:
            column = _coefficients(A, bracket, samples)
        for k in range(n):
            gamma[i][j][k], gamma[j][i][k] = column[k], -column[k]
    return gamma


def _constants(found: list[Any]) -> Any | None:
    """Return numbers as rational ones; None if they are not."""
    near = [sympy.nsimplify(float(x), rational=True, tolerance=1e-9) for x in found[0]]
    return near if all(one.q <= 64 for one in near) else None


def _coefficients(A: Any, bracket: Any, samples: Samples) -> Any:
    """Return the solution of A γ = bracket by n rows of A that are independent."""
    n = A.shape[1]
    rows: list[int] = []
    values = samples.at(A, samples.points[0])
    for row in np.argsort(-np.abs(values).max(axis=1), kind="stable").tolist():
        if np.linalg.matrix_rank(values[[*rows, row]], tol=1e-3) > len(rows):
            rows.append(row)
    some = A.extract(rows, list(range(n)))
    return (some.LUsolve(bracket.extract(rows, [0]))).applyfunc(sympy.simplify)


def sort_constraints(v: Variables, A: Any, given: list[Any], samples: Samples) -> tuple[list[Any], list[Any]]:
    """Return the constraints that say that coordinates are redundant, and those that forces hold."""
    redundant, held = [], []
    for one in given:
        moving = bool(one.free_symbols & {*v.z})
        if moving and any(
            one.diff(a, b) != 0 and sympy.simplify(one.diff(a, b)) != 0 for a in v.z for b in v.z
        ):
            raise ModelError(f"symbolic: the constraint {v.leave(one)} = 0 must be linear in the velocities")
        slope = None if moving else Matrix([[one.diff(x) for x in v.x]]) * A
        if slope is not None and v.quasi and not one.has(v.time) and samples.vanish(slope):
            redundant.append(one)
        else:
            held.append(one)
    return redundant, held


def derive(v: Variables, A: Any, L: Any, f: Any, dissipation: Any, constraints: list[Any]) -> Equations:
    """Return the equations of motion; L, f and constraints are in the symbols of the variables."""
    onto = dict(zip(v.rates, A * Matrix(v.z), strict=True)) if v.quasi else {}
    constraints = [one.xreplace(onto) for one in constraints]
    for one in constraints:
        if not one.free_symbols & {*v.x, *v.z}:
            raise ModelError(f"symbolic: the constraint {one} = 0 has no coordinate: it cannot be kept")
    samples = Samples(v, [one for one in constraints if not one.free_symbols & {*v.z}])
    redundant, held = sort_constraints(v, A, constraints, samples)
    if v.quasi and L.free_symbols & {*v.z}:
        M, b = hamel_form(v, A, L.xreplace(onto), commutation(v, A, samples))
    else:
        M, b = lagrangian_form(v, A, L)
    M, b = M.applyfunc(normal_form), b.applyfunc(normal_form)
    inner = L.xreplace(onto)
    f = f.xreplace(onto) - Matrix([dissipation.xreplace(onto).diff(z) for z in v.z])
    p, z = Matrix([inner.diff(z) for z in v.z]), Matrix(v.z)
    rate, m = A * z, len(held)
    a, c, rest = zeros(m, len(v.z)), zeros(m, 1), zeros(m, 1)
    for k, one in enumerate(held):
        speed = one
        if not one.free_symbols & {*v.z}:
            speed = (Matrix([[one.diff(x) for x in v.x]]) * rate)[0] + one.diff(v.time)
        a[k, :] = Matrix([[speed.diff(z) for z in v.z]])
        rest[k] = speed.xreplace(dict.fromkeys(v.z, sympy.S.Zero))
        c[k] = total(Matrix([speed]), v, rate)[0]
    found = Equations(A, M, b - f, f, inner, p, redundant, held, a, c, rest, (p.T * z)[0] - inner)
    check(v, found, samples)
    return found


def check(v: Variables, found: Equations, samples: Samples) -> None:
    """Raise a ModelError if the mass matrix is singular everywhere, or constraints depend on each other."""
    n, m = len(v.z), len(found.held)
    for point in samples.points:
        with np.errstate(all="ignore"):
            M, a = samples.at(found.M, point), samples.at(found.a, point)
        if not np.isfinite(M).all():
            continue
        scale = float(np.abs(M).max(initial=0.0))
        rank = np.linalg.matrix_rank(M, tol=1e-11 * scale) if scale else 0
        if rank < n:
            null = np.linalg.svd(M)[2][-1] if scale else np.eye(n)[0]
            names = [str(v.velocities[k]) for k in range(n) if abs(null[k]) > 1e-6]
            raise ModelError(
                "symbolic: the mass matrix is singular: the Lagrangian gives no inertia to "
                f"{names[0] if len(names) == 1 else 'a combination of ' + ', '.join(names)}"
            )
        rank = np.linalg.matrix_rank(a, tol=1e-9 * max(float(np.abs(a).max(initial=0.0)), 1e-300)) if m else 0
        if rank < m:
            k = next(k for k in range(m) if np.linalg.matrix_rank(a[: k + 1], tol=1e-9) < k + 1)
            raise ModelError(
                f"symbolic: the constraint {v.leave(found.held[k])} = 0 contradicts the others or follows "
                "from them: leave it out"
            )
        return


def square(n: int) -> Any:
    """Return the matrix A of minimal coordinates."""
    return eye(n)
