"""Constraints that forces hold, by Gauss' principle of least constraint (5)."""

from dataclasses import replace

import numpy as np

from poinsot.analytical.arguments import function, number, takes
from poinsot.analytical.coordinates import Map
from poinsot.analytical.derivatives import difference
from poinsot.analytical.equations.system import System
from poinsot.analytical.operators import Array


@takes(M=(None, None), free=(None,), Omega=(None, None), b=(None,))
def gauss(M: Array, free: Array, Omega: Array, b: Array) -> tuple[Array, Array]:
    """Solve Gauss' principle of least constraint (5): the acceleration nearest to the free one with Ω a = b.

    With M = C Cᵀ and W = Ω C⁻ᵀ:  a = a_free + C⁻ᵀ W⁺ (b - Ω a_free),  λ = W⁺ᵀ W⁺ (b - Ω a_free).

    Parameters
    ----------
    M : ndarray, shape (n, n)
        Mass matrix.
    free : ndarray, shape (n,)
        Acceleration without constraints.
    Omega : ndarray, shape (m, n)
        Matrix of the constraints; its rows may be dependent.
    b : ndarray, shape (m,)
        Right-hand side of the constraints.

    Returns
    -------
    a : ndarray, shape (n,)
        Acceleration.
    multipliers : ndarray, shape (m,)
        Multipliers λ with M (a - a_free) = Ωᵀ λ.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> a, force = ps.analytical.gauss(np.eye(2), np.array([1.0, 2.0]), np.array([[0.0, 1.0]]), np.zeros(1))
    >>> a, force
    (array([1., 0.]), array([-2.]))
    """
    C = np.linalg.cholesky(M)
    W = np.linalg.solve(C, Omega.T).T
    pulled = np.linalg.pinv(W, rcond=1e-12)
    pull = pulled @ (b - Omega @ free)
    return free + np.linalg.solve(C.T, pull), pulled.T @ pull


@takes(system=System, mass=function, loop=function, pull=number)
def with_loop_constraints(system: System, mass: Map, loop: Map, pull: float = 0.0) -> System:
    """Return a system with further constraints ψ(x) = 0, such as those of a loop, by Gauss' principle (5).

    Ω = ∂ᵢψ,  b = -(dΩ/dt) ξ - 2 Λ dψ/dt - Λ² ψ.  `closed` is the older name of this function.

    Parameters
    ----------
    system : System
        System with the state (x, ξ).
    mass : callable
        Mass matrix (n, n) as a function M(x).
    loop : callable
        Residuals ψ(x) of the constraints; they may be dependent.
    pull : float, default 0.0
        Rate Λ in 1/s at which errors of ψ decay.

    Returns
    -------
    System
        The constrained system; its `multipliers` are the λ of the forces Ωᵀ λ that hold the constraints.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> plane, mass = ps.analytical.spaces.minimal(2), lambda x: np.eye(2)
    >>> falling = ps.analytical.levi_civita(plane, mass, lambda x: 10 * x[1])
    >>> hanging = ps.analytical.with_loop_constraints(falling, mass, lambda x: np.array([x @ x - 1]))
    >>> hanging.acceleration(0.0, np.array([0.0, -1.0]), np.zeros(2)).round(9) + 0.0
    array([0., 0.])
    """
    c = system.coordinates

    def solved(t: float, x: Array, xi: Array) -> tuple[Array, Array]:
        Omega = c.derivative(loop, x).reshape(-1, len(xi))
        bend = difference(lambda z: c.derivative(loop, z) @ xi, x, c.rate(x, xi), c.step)
        b = -bend - 2 * pull * Omega @ xi - pull**2 * np.asarray(loop(x))
        return gauss(np.asarray(mass(x)), system.acceleration(t, x, xi), Omega, np.atleast_1d(b))

    def response(t: float, x: Array, xi: Array, f: Array) -> Array:
        M, Omega = np.asarray(mass(x)), c.derivative(loop, x).reshape(-1, len(xi))
        return gauss(M, np.linalg.solve(M, f), Omega, np.zeros(len(Omega)))[0]

    return replace(
        system,
        acceleration=lambda t, x, xi: solved(t, x, xi)[0],
        multipliers=lambda t, x, xi: solved(t, x, xi)[1],
        response=response,
    )


closed = with_loop_constraints
