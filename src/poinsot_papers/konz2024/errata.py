"""Residuals of the formulas as printed and as corrected; slips that cannot be measured are listed."""

from typing import Any

import numpy as np

from poinsot.analytical import legendre, prime, reduce_springs, spaces, vee_prime
from poinsot.analytical.attitude import gradient
from poinsot.analytical.body import stiffness_energy, weight
from poinsot.analytical.derivatives import complex_step
from poinsot.analytical.operators import wed
from poinsot_papers.claims import Array, Claim, Measured, Verdict, short, slips, verdict_on
from poinsot_papers.figures import Bars, slip_bars
from poinsot_papers.konz2024._inspection import INSPECTION
from poinsot_papers.konz2024._numbers import largest, place, rotation

CLAIM = Claim(
    paper="konz2024energy",
    where="(2.16), (2.20), (2.43)-(2.44), (2.58), (2.67i), (3.7), (3.77), (3.94c), (3.116)",
    title="Errata of the copy at hand: residuals as printed and corrected",
    words="the formulas as printed in the copy at hand",
)
Pair = tuple[Any, Any]  # as printed, corrected


def complex_step_matrix(f: Any, x: Array) -> Array:
    """Return the Jacobian of f at x by the complex step."""
    return np.stack([complex_step(f, x, e) for e in np.eye(len(x))], axis=-1)


def hessian_order(rng: np.random.Generator) -> Pair:
    """(2.16): with Γᵏᵢⱼ in place of Γᵏⱼᵢ the Hessian is not symmetric (its quadratic form is the same)."""
    c, R, P = spaces.rotation_matrix(), rotation(rng), rng.normal(size=(3, 3))
    x, M = spaces.columns(R), np.diag([1.0, 2.0, 3.5])

    def V(z: Array) -> Any:
        return -(P.T * spaces.matrix(z)).sum()

    raised = np.linalg.solve(M, c.derivative(V, x))
    Gamma, second = c.connection(lambda z: M + 0 * z[0], x), c.second(V, x)
    printed, right = (second - np.einsum(order, Gamma, raised) for order in ("sij,s->ij", "sji,s->ij"))
    return largest(printed - printed.T), largest(right - right.T)


def skew_of_gamma(rng: np.random.Generator) -> Pair:
    """Below (2.20): γᵢⱼᵏ aⁱ with row j and column k is the transpose of wed(a)."""
    a = rng.uniform(-1, 1, 3)
    rows = np.einsum("ijk,i->jk", spaces.rotation_matrix().gamma(spaces.columns(rotation(rng))), a)
    return largest(rows - wed(a)), largest(rows - wed(a).T)


def linear_terms(rng: np.random.Generator) -> dict[str, Pair]:
    """(2.43b) and (2.44b) for L = ½ξᵀMξ + b(x)ξ + c(x), against the Legendre transform."""
    s, M = spaces.rotation_matrix(), np.diag([1.0, 2.0, 3.5])
    x, w = spaces.columns(rotation(rng)), rng.normal(size=3)

    def b(z: Array) -> Array:
        return np.array([z[0] * z[4], z[3] ** 2, z[8] - z[1]])

    def c(z: Array) -> Any:
        return -(z[2] ** 2) * z[6]

    p, gamma = M @ w + b(x), s.gamma(x)
    system = legendre(s, lambda t, z, xi: xi @ M @ xi / 2 + b(z) @ xi + c(z))
    exact = system.acceleration(0.0, x, p)
    db, dc = s.derivative(b, x), s.derivative(c, x)  # [k, i] = ∂ᵢ bₖ
    momentum = -np.einsum("ijk,j,k->i", gamma, w, p) + db.T @ w
    bias = np.einsum("ijk,j,k->i", gamma, w, M @ w) + np.einsum("ijk,k,j->i", gamma, b(x), w)
    dxi = np.linalg.solve(M, exact - db @ w)
    return {
        "(2.43b) sign of ∂c": (largest(momentum - dc - exact), largest(momentum + dc - exact)),
        "(2.44b) curl of b": (
            largest(M @ dxi + bias - dc),
            largest(M @ dxi + bias + (db - db.T) @ w - dc),
        ),
    }


def distance_of_rotations(rng: np.random.Generator) -> Pair:
    """(2.58): |u - Rv|² = |u|² + |v|² - 2 u·Rv; the printed formula lacks the 2."""
    u, v, R = rng.normal(size=3), rng.normal(size=3), rotation(rng)
    exact = ((u - R @ v) ** 2).sum()
    return short(abs(u @ u + v @ v - u @ R @ v - exact), 3), short(
        abs(u @ u + v @ v - 2 * u @ R @ v - exact), 3
    )


def sphere_of_minima(rng: np.random.Generator) -> Pair:
    """(2.67i), entry (3, 1): -2 q_w q_x is printed, -2 q_w q_y is right."""
    w, x, y = (lambda q: q / np.linalg.norm(q))(rng.normal(size=3))
    found = []
    for corner in (-2 * w * x, -2 * w * y):
        R = np.array(
            [
                [w * w + x * x - y * y, 2 * x * y, 2 * w * y],
                [2 * x * y, w * w - x * x + y * y, -2 * w * x],
                [corner, 2 * w * x, w * w - x * x - y * y],
            ]
        )
        found.append(largest(gradient(np.diag([1.0, 1.0, -1.0]), R), R.T @ R - np.eye(3)))
    return found[0], found[1]


def control_of_a_particle(rng: np.random.Generator) -> Pair:
    """(3.7): gravity is subtracted twice, which leaves m g in (3.6)."""
    m, d, k, want_d, want_k = rng.uniform(1, 2, 5)
    r, v, r0, v0, ref, dref, ddref = rng.normal(size=(7, 3))
    g = np.array([0, 0, -9.81])
    tracking = m * (ddref - g) + d * (v - v0) + k * (r - r0) - want_d * (v - dref) - want_k * (r - ref)
    left = []
    for force in (tracking - m * g, tracking):
        a = g + (force - d * (v - v0) - k * (r - r0)) / m  # (3.5)
        left.append(largest(m * (a - ddref) + want_d * (v - dref) + want_k * (r - ref)))
    return left[0], left[1]


def fluid(rng: np.random.Generator) -> Pair:
    """(3.77): the moment of a fluid is -Σ d h × Rᵀu, printed with +; derivative of (3.76)."""
    d, h, u, R = rng.uniform(1, 2, 5), rng.normal(size=(5, 3)), rng.normal(size=(5, 3)), rotation(rng)
    x = rng.normal(size=6)

    def dissipation(z: Array) -> Any:
        off = (z[3:] - np.cross(h, z[:3])) @ R.T - u
        return (d[:, None] * off * off).sum() / 2

    exact = complex_step_matrix(dissipation, x)
    D, moment, force = vee_prime(prime(d, h)), d @ np.cross(h, u @ R), d @ (u @ R)
    printed, right = (D @ x + np.concatenate([sign * moment, -force]) for sign in (1, -1))
    return largest(exact - printed), largest(exact - right)


def springs(rng: np.random.Generator) -> dict[str, Pair]:
    """(3.94c): K' of stressed springs is not Σ k (h,1)(h,1)ᵀ."""
    k, h, p, G = rng.uniform(1, 5, 6), rng.normal(size=(6, 3)), rng.normal(size=(6, 3)), place(rng)
    K, rest, V0 = reduce_springs(k, h, p)
    V = float(k @ ((h @ G[:3, :3].T + G[:3, 3] - p) ** 2).sum(axis=1) / 2)
    right = largest(stiffness_energy(K, rest, G) + V0 - V)
    return {
        "(3.94c) stressed springs": (largest(stiffness_energy(prime(k, h), rest, G) + V0 - V), right),
    }


def gravity(rng: np.random.Generator) -> Pair:
    """(3.115), (3.116), (3.125e): the sign is opposite to that of (3.95d), which (3.126b) needs."""
    P, G, x = prime(rng.uniform(1, 2, 5), rng.normal(size=(5, 3))), place(rng), rng.normal(size=6)
    slope = complex_step(lambda Z: 9.81 * (Z @ P[:, 3])[2], G, G @ wed(x))
    f = weight(P, G)
    return largest(-f @ x - slope), largest(f @ x - slope)


def run() -> Measured:
    rng = np.random.default_rng(10)
    found: dict[str, Pair] = {
        "(2.16) symmetric Hessian": hessian_order(rng),
        "(2.20) wed(a)": skew_of_gamma(rng),
        **linear_terms(rng),
        "(2.58) factor 2": distance_of_rotations(rng),
        "(2.67i) entry (3, 1)": sphere_of_minima(rng),
        "(3.7) gravity twice": control_of_a_particle(rng),
        "(3.77) moment of a fluid": fluid(rng),
        **springs(rng),
        "(3.116) sign of gravity": gravity(rng),
    }
    return slips(found, INSPECTION)


def verdict(result: Measured) -> Verdict:
    return verdict_on(
        result, ".  The copy at hand was converted from a PDF: what its conversion lost is left out"
    )


def plot(result: Measured) -> Bars:
    return slip_bars(result, 1e4, "residual on random arguments")
