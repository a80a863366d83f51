"""Gauss' principle of least constraint: the acceleration nearest to the free one.

    Gauss           least ½ |M^½ (a - a_free)|²  with  Ω a = b                                      (1)

Source: Konz, section 2.2 [konz2024energy].
"""

from dataclasses import replace

import numpy as np

from poinsot.analytical.arguments import function, number, takes
from poinsot.analytical.coordinates import Map
from poinsot.analytical.derivatives import difference
from poinsot.analytical.operators import Array
from poinsot.analytical.system import System


@takes(M=(None, None), free=(None,), Omega=(None, None), b=(None,))
def gauss(M: Array, free: Array, Omega: Array, b: Array) -> tuple[Array, Array]:
    """Return the acceleration a nearest to the free one with Ω a = b (1), and the λ of M (a - a_free) = Ωᵀ λ.

    With M = C Cᵀ and W = Ω C⁻ᵀ:  a = a_free + C⁻ᵀ W⁺ (b - Ω a_free),  λ = W⁺ᵀ W⁺ (b - Ω a_free).  `M`: mass
    matrix, (n, n); `free`: acceleration without constraints, (n,); `Omega`: matrix of the constraints; its
    rows may be dependent, (m, n); `b`: right-hand side of the constraints, (m,).

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
    """Return a system with further constraints ψ(x) = 0, such as those of a loop, by Gauss' principle (1).

    Ω = ∂ᵢψ,  b = -(dΩ/dt) ξ - 2 Λ dψ/dt - Λ² ψ.  The constrained system; its `multipliers` are the λ of the
    forces Ωᵀ λ that hold the constraints.  `system`: system with the state (x, ξ); `mass`: mass matrix (n, n)
    as a function M(x); `loop`: residuals ψ(x) of the constraints; they may be dependent; `pull`: rate Λ [1/s]
    at which errors of ψ decay.

    >>> plane, mass = ps.analytical.spaces.minimal(2), lambda x: np.eye(2)
    >>> falling = ps.analytical.levi_civita(plane, mass, lambda x: 10 * x[1])
    >>> hanging = ps.analytical.with_loop_constraints(falling, mass, lambda x: np.array([x @ x - 1]))
    >>> hanging.acceleration(0.0, np.array([0.0, -1.0]), np.zeros(2)).round(9) + 0.0
    array([0., 0.])
    """
    c = system.coordinates

    def solve(t: float, x: Array, xi: Array) -> tuple[Array, Array]:
        Omega = c.derivative(loop, x).reshape(-1, len(xi))
        bend = difference(lambda z: c.derivative(loop, z) @ xi, x, c.rate(x, xi), c.step)
        b = -bend - 2 * pull * Omega @ xi - pull**2 * np.asarray(loop(x))
        return gauss(np.asarray(mass(x)), system.acceleration(t, x, xi), Omega, np.atleast_1d(b))

    def response(t: float, x: Array, xi: Array, f: Array) -> Array:
        M, Omega = np.asarray(mass(x)), c.derivative(loop, x).reshape(-1, len(xi))
        return gauss(M, np.linalg.solve(M, f), Omega, np.zeros(len(Omega)))[0]

    return replace(
        system,
        acceleration=lambda t, x, xi: solve(t, x, xi)[0],
        multipliers=lambda t, x, xi: solve(t, x, xi)[1],
        response=response,
        loop=loop,
    )
