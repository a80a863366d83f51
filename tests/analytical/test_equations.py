"""Five formulations, one motion: against SymPy's Lagrange equations, Euler's equations and each other."""

from typing import Any

import numpy as np
import pytest
import sympy
from scipy.integrate import solve_ivp
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

from poinsot.analytical import (
    Coordinates,
    Particles,
    constrained_particles,
    gauss,
    gibbs_appell,
    hamilton,
    lagrange,
    legendre,
    levi_civita,
    spaces,
    with_loop_constraints,
)
from support.arrays import rotation, turned

rng = np.random.default_rng(6)
G = 9.81
MASSES, LENGTHS = np.array([0.7, 1.3]), np.array([0.9, 0.6])


def sympy_pendulum() -> Any:
    """(angles, rates) -> accelerations of the planar double pendulum, by SymPy's Lagrange method."""
    t = dynamicsymbols._t
    q = dynamicsymbols("a b")
    (m1, m2), (l1, l2) = MASSES, LENGTHS
    x1, y1 = l1 * sympy.sin(q[0]), -l1 * sympy.cos(q[0])
    x2, y2 = x1 + l2 * sympy.sin(q[1]), y1 - l2 * sympy.cos(q[1])
    T = sum(m * (x.diff(t) ** 2 + y.diff(t) ** 2) for m, x, y in ((m1, x1, y1), (m2, x2, y2))) / 2
    method = LagrangesMethod(T - G * (m1 * y1 + m2 * y2), q)
    method.form_lagranges_equations()
    rates = [angle.diff(t) for angle in q]
    M = sympy.lambdify([q, rates], method.mass_matrix)
    f = sympy.lambdify([q, rates], method.forcing)
    return lambda angles, w: np.linalg.solve(M(angles, w), np.ravel(f(angles, w)))


EXACT = sympy_pendulum()


def angles_to_places(x: Any) -> Any:
    (l1, l2), (a, b) = LENGTHS, x
    first = np.array([l1 * np.sin(a), -l1 * np.cos(a)])
    return np.stack([first, first + np.array([l2 * np.sin(b), -l2 * np.cos(b)])])


def circles_to_places(x: Any) -> Any:
    """x = (c₁, s₁, c₂, s₂): no angles, no singularity."""
    (l1, l2), (c1, s1, c2, s2) = LENGTHS, x
    first = np.array([l1 * s1, -l1 * c1])
    return np.stack([first, first + np.array([l2 * s2, -l2 * c2])])


def two_circles() -> Coordinates:
    def A(x: Any) -> Any:
        z = 0 * x[0]
        return np.array([[-x[1], z], [x[0], z], [z, -x[3]], [z, x[2]]])

    return Coordinates(4, A, lambda x: np.array([x[0] ** 2 + x[1] ** 2 - 1, x[2] ** 2 + x[3] ** 2 - 1]))


def weight(places: Any) -> Any:
    def V(x: Any) -> Any:
        return G * (MASSES * places(x)[:, 1]).sum()

    return V


def all_forms(c: Coordinates, places: Any) -> dict[str, Any]:
    """name -> (x, ξ) -> dξ/dt, from the places of the particles alone."""
    V = weight(places)

    def speeds(x: Any, xi: Any) -> Any:
        """dr/dt, written by hand so that L can be complex in x and ξ at once."""
        a, b = xi * LENGTHS
        s1, c1, s2, c2 = (
            (np.sin(x[0]), np.cos(x[0]), np.sin(x[1]), np.cos(x[1])) if len(x) == 2 else x[[1, 0, 3, 2]]
        )
        return np.array([[a * c1, a * s1], [a * c1 + b * c2, a * s1 + b * s2]])

    def mass(x: Any) -> Any:
        columns = [speeds(x, e) for e in np.eye(2)]
        return np.array([[(MASSES[:, None] * p * q).sum() for q in columns] for p in columns])

    def L(t: float, x: Any, xi: Any) -> Any:
        v = speeds(x, xi)
        return (MASSES[:, None] * v * v).sum() / 2 - V(x)

    def H(t: float, x: Any, p: Any) -> Any:
        return p @ np.linalg.solve(mass(x), p) / 2 + V(x)

    particles = Particles(c, MASSES, places)
    direct = levi_civita(c, mass, V)
    of_lagrange, of_hamilton, of_legendre = lagrange(c, L), hamilton(c, H), legendre(c, L)

    def appell(x: Any, xi: Any) -> Any:
        S = particles.acceleration_energy(x, xi)
        return gibbs_appell(c, lambda t, x, xi, a: S(a), V).acceleration(0.0, x, xi)

    def through_momentum(system: Any, x: Any, xi: Any) -> Any:
        """dξ/dt = M⁻¹ (dp/dt - dM/dt ξ)"""
        p = mass(x) @ xi
        rate = np.einsum("ijk,k,j->i", c.derivative(mass, x), xi, xi)
        np.testing.assert_allclose(system.velocity(0.0, x, p), xi, rtol=1e-13, atol=1e-13)
        return np.linalg.solve(mass(x), system.acceleration(0.0, x, p) - rate)

    def projected(x: Any, xi: Any) -> Any:
        force = particles.force(x, [[0, -m * G] for m in MASSES])
        bias = np.einsum("ijk,j,k->i", particles.connection(x), xi, xi)
        return np.linalg.solve(particles.mass(x), force - bias)

    return {
        "levi-civita": lambda x, xi: direct.acceleration(0.0, x, xi),
        "lagrange": lambda x, xi: of_lagrange.acceleration(0.0, x, xi),
        "gibbs-appell": appell,
        "hamilton": lambda x, xi: through_momentum(of_hamilton, x, xi),
        "legendre": lambda x, xi: through_momentum(of_legendre, x, xi),
        "particles": projected,
    }


FORMS = ("levi-civita", "lagrange", "gibbs-appell", "hamilton", "legendre", "particles")


@pytest.mark.parametrize("form", FORMS)
def test_double_pendulum_in_angles_against_sympy(form: str) -> None:
    f = all_forms(spaces.minimal(2), angles_to_places)[form]
    for _ in range(5):
        x, xi = rng.uniform(-3, 3, 2), rng.uniform(-2, 2, 2)
        expected = EXACT(x, xi)
        np.testing.assert_allclose(f(x, xi), expected, rtol=0, atol=1e-12 * max(1, np.abs(expected).max()))


@pytest.mark.parametrize("form", FORMS)
def test_double_pendulum_on_two_circles_against_sympy(form: str) -> None:
    f = all_forms(two_circles(), circles_to_places)[form]
    for _ in range(5):
        angles, xi = rng.uniform(-3, 3, 2), rng.uniform(-2, 2, 2)
        x = np.array([np.cos(angles[0]), np.sin(angles[0]), np.cos(angles[1]), np.sin(angles[1])])
        expected = EXACT(angles, xi)
        np.testing.assert_allclose(f(x, xi), expected, rtol=0, atol=1e-12 * max(1, np.abs(expected).max()))


def test_double_pendulum_by_gauss_principle() -> None:
    """No coordinates at all: particles with two rods, and the second rod once more."""

    def rods(r: Any) -> Any:
        first, second = r[:2] @ r[:2] - LENGTHS[0] ** 2, (r[2:] - r[:2]) @ (r[2:] - r[:2]) - LENGTHS[1] ** 2
        return np.array([first, second, 2 * second])

    system = constrained_particles(MASSES, rods, lambda t, r, v: [[0, -m * G] for m in MASSES], axes=2)
    for _ in range(5):
        angles, w = rng.uniform(-3, 3, 2), rng.uniform(-2, 2, 2)
        J = np.array([[np.cos(angles), np.sin(angles)]])[0] * LENGTHS  # d(x, y)/d angle, one link each
        r = angles_to_places(angles).ravel()
        v = np.concatenate([J[:, 0] * w[0], J[:, 0] * w[0] + J[:, 1] * w[1]])
        a = EXACT(angles, w)
        pull = np.array([-np.sin(angles), np.cos(angles)]) * LENGTHS * w**2
        first = J[:, 0] * a[0] + pull[:, 0]
        expected = np.concatenate([first, first + J[:, 1] * a[1] + pull[:, 1]])
        found = system.field(0.0, np.concatenate([r, v]))[4:]
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * np.abs(expected).max())


def test_gauss_is_a_minimum() -> None:
    root = rng.normal(size=(5, 5))
    M, free, Omega, b = (
        root @ root.T + np.eye(5),
        rng.normal(size=5),
        rng.normal(size=(2, 5)),
        rng.normal(size=2),
    )
    Omega = np.vstack([Omega, Omega.sum(axis=0)])
    b = np.append(b, b.sum())
    a, multipliers = gauss(M, free, Omega, b)
    np.testing.assert_allclose(Omega @ a, b, atol=1e-12)
    np.testing.assert_allclose(M @ (a - free), Omega.T @ multipliers, atol=1e-12)
    kernel = np.linalg.svd(Omega)[2][2:]
    least = (a - free) @ M @ (a - free)
    for _ in range(20):
        other = a + kernel.T @ rng.normal(size=3) - free
        assert other @ M @ other >= least


INERTIA = np.diag([2.0, 3.0, 4.5]) + 0.1
TORQUE = np.array([0.3, -0.2, 0.5])


@pytest.mark.parametrize("chart", ["matrix", "quaternion", "euler"])
def test_euler_equations_in_every_chart_and_form(chart: str) -> None:
    """Θ dw/dt + w × Θw = τ, though nobody told the forms about the cross product."""
    c = {
        "matrix": spaces.rotation_matrix,
        "quaternion": spaces.unit_quaternion,
        "euler": spaces.euler_angles,
    }[chart]()
    q = rng.normal(size=4)
    x = {
        "matrix": spaces.columns(rotation(rng)),
        "quaternion": q / np.linalg.norm(q),
        "euler": rng.uniform(-1, 1, 3),
    }[chart]
    w = rng.normal(size=3)
    expected = np.linalg.solve(INERTIA, TORQUE - np.cross(w, INERTIA @ w))
    inverse = np.linalg.inv(INERTIA)

    def force(t: float, x: Any, xi: Any) -> Any:
        return TORQUE

    found = {
        "levi-civita": levi_civita(c, lambda x: INERTIA + 0 * x[0], force=force).acceleration(0.0, x, w),
        "lagrange": lagrange(c, lambda t, x, xi: xi @ INERTIA @ xi / 2, force).acceleration(0.0, x, w),
        "hamilton": inverse
        @ hamilton(c, lambda t, x, p: p @ inverse @ p / 2, force).acceleration(0.0, x, INERTIA @ w),
    }
    for name, value in found.items():
        np.testing.assert_allclose(value, expected, rtol=0, atol=1e-12, err_msg=name)


def test_a_lagrangian_that_is_not_quadratic() -> None:
    """A relativistic particle in a field depending on time, against its closed form d(γmv)/dt = F - ..."""

    def L(t: float, x: Any, v: Any) -> Any:
        return -np.sqrt(1 - v @ v) - x[0] * np.cos(t) + 0.3 * t * v[1]

    c, x, v = spaces.minimal(3), rng.normal(size=3), np.array([0.3, -0.5, 0.2])
    factor = 1 / np.sqrt(1 - v @ v)
    M = factor * (np.eye(3) + factor**2 * np.outer(v, v))
    expected = np.linalg.solve(M, [-np.cos(0.7), -0.3, 0])
    np.testing.assert_allclose(lagrange(c, L).acceleration(0.7, x, v), expected, atol=1e-11)
    p = factor * v + [0, 0.3 * 0.7, 0]
    momentum = legendre(c, L)
    np.testing.assert_allclose(momentum.velocity(0.7, x, p), v, atol=1e-12)
    np.testing.assert_allclose(momentum.acceleration(0.7, x, p), [-np.cos(0.7), 0, 0], atol=1e-13)


def test_magnetic_lagrangian() -> None:
    """Example 5 of the thesis, (2.40): terms linear in ξ, on a manifold; Hamilton and Lagrange agree."""
    c, x, w = spaces.rotation_matrix(), spaces.columns(rotation(rng)), rng.normal(size=3)

    def b(x: Any) -> Any:
        return np.array([x[0] * x[4], x[3] ** 2, x[8] - x[1]])

    def L(t: float, x: Any, xi: Any) -> Any:
        return xi @ INERTIA @ xi / 2 + b(x) @ xi - x[2] ** 2 * x[6]

    p = INERTIA @ w + b(x)
    momentum = legendre(c, L).acceleration(0.0, x, p)
    along = c.derivative(b, x) @ w
    by_hamilton = np.linalg.solve(INERTIA, momentum - along)
    np.testing.assert_allclose(lagrange(c, L).acceleration(0.0, x, w), by_hamilton, atol=1e-12)
    missing = np.einsum("ij,j->i", c.derivative(b, x) - c.derivative(b, x).T, w)
    assert np.abs(missing).max() > 0.1  # the term that the printed (2.44b) lacks


def test_the_field_can_be_integrated() -> None:
    """A heavy top keeps energy and vertical momentum, and stays on SO(3)."""
    c = spaces.rotation_matrix()
    height = np.array([0.2, 0.1, 0.9])

    def V(x: Any) -> Any:
        return 3.0 * (spaces.matrix(x) @ height)[2]

    top = levi_civita(c, lambda x: INERTIA + 0 * x[0], V)
    start = np.concatenate([spaces.columns(rotation(rng)), [0.4, -1.0, 2.0]])
    run = solve_ivp(top.field, (0, 2), start, rtol=1e-10, atol=1e-10)
    R, w = [spaces.matrix(y[:9]) for y in run.y.T], run.y[9:].T
    assert top.energy is not None
    energy = [top.energy(0.0, y[:9], y[9:]) for y in run.y.T]
    spin = [(a @ INERTIA @ b)[2] for a, b in zip(R, w, strict=True)]
    assert np.ptp(energy) < 1e-8
    assert np.ptp(spin) < 1e-8
    assert max(np.abs(a.T @ a - np.eye(3)).max() for a in R) < 1e-8
    off = start + np.concatenate([0.01 * rng.normal(size=9), np.zeros(3)])
    pulled = solve_ivp(lambda t, y: top.field(t, y, pull=5.0), (0, 2), off, rtol=1e-10, atol=1e-10)
    assert np.abs(c.constraints(pulled.y[:9, -1])).max() < 1e-4 * np.abs(c.constraints(off[:9])).max() * 10
    np.testing.assert_allclose(np.abs(c.constraints(top.retract(off)[:9])).max(), 0, atol=1e-14)


def test_linearised_motion_of_a_top() -> None:
    """The deviation of two nearby motions grows as d/dt (ε, δξ) = F (ε, δξ)."""
    c = spaces.rotation_matrix()
    top = levi_civita(c, lambda x: INERTIA + 0 * x[0], lambda x: 3.0 * x[5] + 2.0 * x[8] ** 2)
    x, w, e, d, s = spaces.columns(rotation(rng)), rng.normal(size=3), *rng.normal(size=(2, 3)), 1e-5

    def shifted(sign: float) -> Any:
        R = turned(spaces.matrix(x), sign * s * e)
        return np.concatenate([spaces.columns(R), w + sign * s * d])

    F = top.linearize(0.0, x, w)
    h = 1e-3

    def deviation(time: float) -> Any:
        ends = [
            solve_ivp(top.field, (0, time), shifted(sign), rtol=1e-12, atol=1e-13).y[:, -1]
            for sign in (1, -1)
        ]
        middle = solve_ivp(top.field, (0, time), np.concatenate([x, w]), rtol=1e-12, atol=1e-13).y[:, -1]
        eps = c.Y(middle[:9]) @ (ends[0][:9] - ends[1][:9]) / (2 * s)
        return np.concatenate([eps, (ends[0][9:] - ends[1][9:]) / (2 * s)])

    start = np.concatenate([e, d])
    np.testing.assert_allclose((deviation(h) - start) / h, F @ start, atol=0.02 * np.abs(F @ start).max())
    half = (4 * (deviation(h / 2) - start) / (h / 2) - 2 * (deviation(h) - start) / h) / 2  # no h term
    np.testing.assert_allclose(half, F @ start, atol=2e-4 * np.abs(F @ start).max())


def test_a_closed_loop() -> None:
    """A free particle in the plane with |r| = l is a pendulum; errors of the length die out."""
    free = levi_civita(spaces.minimal(2), lambda x: 1.3 * np.eye(2) + 0 * x[0], lambda x: 1.3 * G * x[1])
    ring = with_loop_constraints(
        free, lambda x: 1.3 * np.eye(2), lambda x: np.array([x @ x - 0.49, 2 * (x @ x - 0.49)])
    )
    angle, w = 0.8, 1.7
    along, out = np.array([np.cos(angle), np.sin(angle)]), np.array([np.sin(angle), -np.cos(angle)])
    expected = 0.7 * (-G / 0.7 * np.sin(angle) * along - w**2 * out)
    found = ring.acceleration(0.0, 0.7 * out, 0.7 * w * along)
    np.testing.assert_allclose(found, expected, atol=1e-12)
    pulled = with_loop_constraints(
        free, lambda x: 1.3 * np.eye(2), lambda x: np.array([x @ x - 0.49]), pull=4.0
    )
    run = solve_ivp(pulled.field, (0, 3), [*(0.75 * out), *(w * along)], rtol=1e-9, atol=1e-9)
    assert np.linalg.norm(run.y[:2, -1]) == pytest.approx(0.7, abs=1e-4)
