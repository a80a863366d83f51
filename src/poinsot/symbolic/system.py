"""A user's own Lagrangian: its equations of motion as SymPy objects, as text, and compiled."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import sympy
from sympy import Matrix

from poinsot.analytical.programs import system_of
from poinsot.analytical.system import Formulation
from poinsot.analytical.system import System as Compiled
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import show
from poinsot.model.programs.program import Program
from poinsot.model.state import State
from poinsot.symbolic import text
from poinsot.symbolic.derivation import Samples, commutation, derive
from poinsot.symbolic.programs import program_of
from poinsot.symbolic.simplification import Simplifier, normal_form
from poinsot.symbolic.variables import (
    Variables,
    entries_of,
    expression,
    expressions,
    functions_of,
    matrix_of,
    time_symbol,
)


class System(Formulation):
    """A mechanical system given by its Lagrangian, in SymPy; `ps.simulate` compiles and runs it.

    Coordinates are functions of time, as `sympy.physics.mechanics.dynamicsymbols` makes them, and velocities
    their derivatives, or quasi-velocities ξ with dx/dt = A(t, x) ξ.  All answers are SymPy objects in the
    symbols of the user; values of parameters enter only when the equations are compiled.

    Parameters
    ----------
    coordinates : Coordinates x, minimal or redundant: functions of time.
    lagrangian : Lagrangian L(t, x, dx/dt), or L(t, x, ξ) if the velocities are holonomic.
    dissipation : Rayleigh's function R: the forces -∂R/∂ξ.
    forces : Generalized forces, one for each velocity, or a dictionary of them by velocity or coordinate.
    constraints : Expressions that are zero: of t and x (holonomic), or linear in velocities (non-holonomic).
        They are held by multipliers, except those that only say that coordinates are redundant.
    velocities : Quasi-velocities: a pair of functions of time ξ and matrix A (ν, n), or a dictionary of their
        definitions, linear in the rates of the coordinates.  Default: the rates themselves.
    parameters : Values by symbol; or symbols alone, if nothing is to be compiled.
    time : Symbol of the time.
    patience : Longest time that one answer is simplified [s]; `notes` says which answers took longer.

    >>> import sympy
    >>> t, m, g, l = sympy.symbols("t m g l")
    >>> a = sympy.Function("a")(t)
    >>> L = m * l**2 * a.diff(t) ** 2 / 2 + m * g * l * sympy.cos(a)
    >>> S = ps.symbolic.System([a], L, time=t, parameters={m: 1.0, g: 9.81, l: 1.2})
    >>> S.equations
    Matrix([[g*l*m*sin(a(t)) + l**2*m*Derivative(a(t), (t, 2))]])
    >>> run = ps.simulate(S, ps.State(0.0, [1.0], [0.0]), "gauss3", step=0.01, until=1.0)
    >>> bool(abs(run.energy - run.energy[0]).max() < 1e-12)
    True
    """

    def __init__(
        self,
        coordinates: Sequence[Any],
        lagrangian: Any,
        *,
        dissipation: Any = 0,
        forces: Any = (),
        constraints: Sequence[Any] = (),
        velocities: Any = None,
        parameters: Mapping[Any, float] | Iterable[Any] = (),
        time: Any = None,
        patience: float = 10.0,
    ) -> None:
        time = time_symbol(sympy.Symbol("t") if time is None else time)
        x = functions_of("coordinates", coordinates, time)
        quasi, A = kinematics(x, velocities, time)
        v = self._variables = Variables(x, quasi, time)
        v.take_parameters(parameters)
        A = sympy.eye(len(x)) if A is None else A.applyfunc(lambda one: v.enter("velocities", one))
        if A.free_symbols & {*v.z, *v.rates}:
            raise ModelError("symbolic: velocities must be linear in the rates of the coordinates")
        L = normal_form(v.enter("lagrangian", expression("lagrangian", lagrangian)))
        R = v.enter("dissipation", expression("dissipation", dissipation))
        held = [v.enter("constraints", one) for one in expressions("constraints", constraints)]
        self._equations = derive(v, A, L, force_column(v, A, forces), R, held)
        self._simple = Simplifier(checks.number("symbolic", "patience", patience, positive=True))

    # what was given

    @property
    def coordinates(self) -> Matrix:
        """Coordinates x, (ν, 1)."""
        return Matrix(self._variables.coordinates)

    @property
    def velocities(self) -> Matrix:
        """Velocities ξ, (n, 1)."""
        return Matrix(self._variables.velocities)

    @property
    def parameters(self) -> dict[Any, float | None]:
        """Values of the parameters by symbol."""
        return dict(self._variables.parameters)

    @property
    def notes(self) -> tuple[str, ...]:
        """What could not be simplified in time."""
        return self._simple.notes

    def _answer(self, name: str, found: Any) -> Any:
        return self._variables.leave(self._simple(name, found))

    # equations

    @cached_property
    def mass_matrix(self) -> Matrix:
        """Mass matrix M of M dξ/dt + bias = aᵀ λ, (n, n)."""
        return self._answer("mass_matrix", self._equations.M)

    @cached_property
    def bias(self) -> Matrix:
        """All terms of M dξ/dt + bias = aᵀ λ without accelerations, forces among them, (n, 1)."""
        return self._answer("bias", self._equations.b)

    @cached_property
    def kinematics(self) -> Matrix:
        """Matrix A of dx/dt = A ξ, (ν, n)."""
        return self._variables.leave(self._equations.A)

    @property
    def multiplier_symbols(self) -> Matrix:
        """Symbols λ of the multipliers in `equations`, (m, 1)."""
        count = len(self._equations.held)
        return Matrix([sympy.Symbol(f"lambda_{k + 1}") for k in range(count)]).reshape(count, 1)

    @cached_property
    def equations(self) -> Matrix:
        """Equations of motion, each equal to zero, then the constraints that multipliers hold."""
        v, of = self._variables, self._equations
        accelerations = v.leave(Matrix(v.a))
        motion = self.mass_matrix * accelerations + self.bias - v.leave(of.a).T * self.multiplier_symbols
        return Matrix([*motion, *v.leave(Matrix(of.held))])

    @cached_property
    def momenta(self) -> Matrix:
        """Momenta ∂L/∂ξ as functions of x and ξ, (n, 1)."""
        return self._answer("momenta", self._equations.p)

    @cached_property
    def energy(self) -> Any:
        """Energy ξ·∂L/∂ξ - L as a function of x and ξ."""
        return self._answer("energy", self._equations.energy)

    @property
    def momentum_symbols(self) -> Matrix:
        """Symbols of the momenta in `hamiltonian`, (n, 1)."""
        names = [name.strip("'") for name in self._variables.velocity_names]
        return Matrix([sympy.Symbol(f"p_{name}") for name in names])

    @cached_property
    def hamiltonian(self) -> Any:
        """Hamiltonian as a function of x and of `momentum_symbols`."""
        v, of = self._variables, self._equations
        if of.L.free_symbols & {*v.z} and any(sympy.simplify(one) != 0 for z in v.z for one in of.M.diff(z)):
            raise ModelError("symbolic: the Lagrangian is not quadratic in the velocities: no Hamiltonian")
        still = dict.fromkeys(v.z, sympy.S.Zero)
        p = self.momentum_symbols - of.p.xreplace(still)
        L0 = of.L.xreplace(still)
        M = of.p.jacobian(v.z).applyfunc(normal_form)
        return self._answer("hamiltonian", (p.T * M.LUsolve(p))[0] / 2 - L0)

    @cached_property
    def commutation_coefficients(self) -> Any:
        """Commutation coefficients γ of the velocities, an array [i, j, k] (n, n, n)."""
        v, of = self._variables, self._equations
        found = commutation(v, of.A, Samples(v, of.redundant))
        return self._answer("commutation_coefficients", sympy.Array(found))

    @cached_property
    def _bordered(self) -> Any:
        """The matrix (M, -aᵀ; a, 0) of accelerations and multipliers."""
        of, m = self._equations, len(self._equations.held)
        return Matrix(sympy.BlockMatrix([[of.M, -of.a.T], [of.a, sympy.zeros(m, m)]])) if m else of.M

    @cached_property
    def multipliers(self) -> Matrix:
        """Multipliers λ of the constraints as functions of t, x and ξ, (m, 1)."""
        of, n = self._equations, len(self._variables.z)
        if not of.held:
            return sympy.zeros(0, 1)
        found = self._bordered.LUsolve(-Matrix([*of.b, *of.c]))
        return self._answer("multipliers", found[n:, :])

    def linearize(self, at: Mapping[Any, Any] | State | None = None) -> Matrix:
        """Return F with d/dt (ε, δξ) = F (ε, δξ) about a motion; δx = A ε, and ε = δx if x is minimal.

        `at`: values (or expressions) of coordinates and velocities by symbol, or a State; those that are not
        named stay symbols.

        >>> import sympy
        >>> t, k = sympy.symbols("t k")
        >>> x = sympy.Function("x")(t)
        >>> S = ps.symbolic.System([x], x.diff(t) ** 2 / 2 - k * x**2 / 2, time=t, parameters=[k])
        >>> S.linearize({x: 0, x.diff(t): 0})
        Matrix([
        [ 0, 1],
        [-k, 0]])
        """
        v, of, n = self._variables, self._equations, len(self._variables.z)
        place, K, rest = self._place(at), self._bordered, Matrix([*of.b, *of.c])
        here = K.xreplace(place)
        solved = here.LUsolve(-rest.xreplace(place))

        def change(symbol: Any) -> Any:
            """Return the change of the equations with a symbol, at fixed accelerations."""
            return K.diff(symbol).xreplace(place) * solved + rest.diff(symbol).xreplace(place)

        columns = Matrix.hstack(*map(change, v.x)) * of.A.xreplace(place)
        columns = Matrix.hstack(columns, *map(change, v.z))
        C = sympy.zeros(n, n)
        if v.quasi:
            gamma = commutation(v, of.A, Samples(v, of.redundant))
            for i, j, k in itertools.product(range(n), repeat=3):
                C[i, j] += gamma[k][j][i] * v.z[k]
        above = Matrix.hstack(-C.xreplace(place), sympy.eye(n))
        return self._answer("linearize", Matrix.vstack(above, -here.LUsolve(columns)[:n, :]))

    def _place(self, at: Mapping[Any, Any] | State | None) -> dict[Any, Any]:
        """Return what stands in the place of coordinates and velocities."""
        v = self._variables
        if at is None:
            return {}
        if isinstance(at, State):
            if (len(at.q), len(at.v)) != (len(v.x), len(v.z)):
                raise ModelError(
                    f"symbolic: the state must have {len(v.x)} coordinates and {len(v.z)} velocities"
                )
            numbers = [float(one) for one in (*at.q, *at.v, at.time)]
            return dict(zip([*v.x, *v.z, v.time], map(sympy.Float, numbers), strict=True))
        if not isinstance(at, Mapping):
            raise ModelError(f"symbolic: at must be values by symbol, or a State, got {show(at)}")
        found = {}
        for symbol, value in at.items():
            known = v.inward.get(symbol, symbol if symbol == v.time else None)
            if known is None:
                raise ModelError(f"symbolic: at: {show(symbol)} is no coordinate or velocity")
            found[known] = v.enter("at", expression("at", value))
        return found

    # text

    def latex(self) -> str:
        """Return the equations of motion in LaTeX."""
        return text.latex(self.equations)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    @property
    def _bare(self) -> Program:
        """The program without forces that act besides."""
        return text.bare(self.program)

    def to_python(self) -> str:
        """Return a Python function `field(t, x, v)` of the equations, which needs `math` only."""
        return text.source(self._bare, "python")

    def to_numpy(self) -> str:
        """Return a Python function `field(t, x, v)` of the equations for arrays of NumPy."""
        return text.source(self._bare, "numpy")

    def to_c(self) -> str:
        """Return a C function of the equations."""
        return text.source(self._bare, "c")

    def __repr__(self) -> str:
        v, of = self._variables, self._equations
        parts = [f"coordinates {', '.join(v.names)}"]
        if v.quasi:
            parts.append(f"velocities {', '.join(v.velocity_names)}")
        if of.held:
            parts.append(f"{len(of.held)} constraint{'s'[: len(of.held) - 1]}")
        return f"System({'; '.join(parts)})"

    # compiled

    @cached_property
    def program(self) -> Program:
        """The equations as a straight-line program, which is compiled; it needs values of all parameters."""
        return program_of(self._variables, self._equations)

    def system(self) -> Compiled:
        """Return the system of `ps.analytical` that `ps.simulate` runs."""
        return self._system

    @cached_property
    def _system(self) -> Compiled:
        return system_of(self.program)


def kinematics(x: list[Any], velocities: Any, time: Any) -> tuple[list[Any] | None, Any]:
    """Return quasi-velocities and the matrix A of dx/dt = A ξ; none for the rates themselves."""
    if velocities is None:
        return None, None
    if isinstance(velocities, Mapping):
        xi = functions_of("velocities", list(velocities), time)
        rates = [one.diff(time) for one in x]
        Y = Matrix([[expression("velocities", velocities[one]).diff(r) for r in rates] for one in xi])
        off = Matrix([velocities[one] for one in xi]) - Y * Matrix(rates)
        if Y.rows != Y.cols or not off.applyfunc(sympy.simplify).is_zero_matrix or Y.has(*rates):
            raise ModelError(
                f"symbolic: define {len(x)} velocities, each linear in the rates of the coordinates, "
                "or give a pair of velocities and the matrix A of dx/dt = A ξ"
            )
        try:
            return xi, Y.inv().applyfunc(sympy.simplify)
        except (ValueError, ZeroDivisionError):
            raise ModelError(
                "symbolic: the velocities do not determine the rates of the coordinates"
            ) from None
    pair = entries_of(velocities)
    if isinstance(velocities, str | sympy.MatrixBase) or pair is None or len(pair) != 2:
        raise ModelError(
            f"symbolic: velocities must be a pair (ξ, A) or a dictionary, not {show(velocities)}"
        )
    xi, A = functions_of("velocities", pair[0], time), matrix_of("velocities", pair[1])
    if A.shape != (len(x), len(xi)):
        raise ModelError(f"symbolic: A must be a matrix ({len(x)}, {len(xi)}), got shape {A.shape}")
    return xi, A


def force_column(v: Variables, A: Any, forces: Any) -> Matrix:
    """Return the generalized forces on the velocities, (n, 1)."""
    n = len(v.z)
    if not isinstance(forces, Mapping):
        found = [v.enter("forces", one) for one in expressions("forces", forces)] or [sympy.S.Zero] * n
        if len(found) != n:
            raise ModelError(
                f"symbolic: forces must have one entry for each of {n} velocities, got {len(found)}"
            )
        return Matrix(found)
    total = sympy.zeros(n, 1)
    for symbol, force in forces.items():
        one = v.enter("forces", expression("forces", force))
        if symbol in v.velocities:
            total[v.velocities.index(symbol)] += one
        elif symbol in v.coordinates:
            total += A.T[:, v.coordinates.index(symbol)] * one
        else:
            raise ModelError(f"symbolic: forces: {show(symbol)} is no coordinate or velocity")
    return total
