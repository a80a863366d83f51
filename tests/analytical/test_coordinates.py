"""Redundant coordinates: γ and Γ against tables and SymPy's brackets; Hessian, linearisation."""

from typing import Any

import numpy as np
import pytest
import sympy

from poinsot.analytical import Coordinates, spaces
from poinsot.analytical.derivatives import Derivative, complex_step, difference, second
from poinsot.analytical.operators import ad
from poinsot.errors import ModelError
from poinsot.model.forces.constitutive import prime, vee_prime
from support.arrays import EPSILON, pose, rotation, turned

rng = np.random.default_rng(4)
M3 = np.array([[2.0, 0.3, 0.1], [0.3, 3.0, -0.2], [0.1, -0.2, 4.0]])


def rigid(G: Any) -> Any:
    return np.concatenate([G[:3, 3], spaces.columns(G[:3, :3])])


def unit(q: Any) -> Any:
    return q / np.linalg.norm(q)


SPACES = {
    "matrix": (spaces.rotation_matrix(), lambda: spaces.columns(rotation(rng)), 3),
    "quaternion": (spaces.unit_quaternion(), lambda: unit(rng.normal(size=4)), 3),
    "euler": (spaces.euler_angles(), lambda: rng.uniform(-1, 1, 3), 3),
    "body": (spaces.rigid_body(), lambda: rigid(pose(rng)), 6),
    "circle": (spaces.circle(2.0), lambda: 2 * unit(rng.normal(size=2)), 1),
    "minimal": (spaces.minimal(4), lambda: rng.normal(size=4), 4),
    "pitch and cone": (spaces.pitch_cone(), lambda: rng.uniform(-1, 1, 2), 2),
}


def test_pitch_and_cone_are_a_chart_of_the_sphere() -> None:
    """Velocities have the length of dn/dt, angles come back, and the poles are those of the x axis."""
    for _ in range(5):
        x, xi = rng.uniform(-1.5, 1.5, 2), rng.normal(size=2)
        n = spaces.pitch_cone_direction(x)
        assert np.linalg.norm(n) == pytest.approx(1, abs=1e-15)
        assert spaces.pitch_cone_angles(3 * n) == pytest.approx(x, abs=1e-14)
        h = 1e-20
        rate = spaces.pitch_cone_direction(x + 1j * h * spaces.pitch_cone().rate(x, xi)).imag / h
        assert np.linalg.norm(rate) == pytest.approx(np.linalg.norm(xi), rel=1e-13)
    assert spaces.pitch_cone_angles(np.array([-2.0, 0, 0])).tolist() == [-np.pi / 2, 0.0]


@pytest.mark.parametrize("name", SPACES)
def test_identities_of_the_pseudoinverse(name: str) -> None:
    c, point, n = SPACES[name]
    x = point()
    assert c.check(x) == n
    A, Y, Phi = c.A(x), np.linalg.pinv(c.A(x)), c.Phi(x)
    off = A @ Y + (np.linalg.pinv(Phi) @ Phi if len(Phi) else 0) - np.eye(len(x))
    assert np.abs(off).max() < 1e-14 * 10
    assert np.abs(Y @ Phi.T).max(initial=0) < 1e-14 * 10
    assert np.abs(c.Y(x) @ A - np.eye(n)).max() < 1e-14 * 10


@pytest.mark.parametrize("name", ["matrix", "quaternion", "euler"])
def test_gamma_of_so3_in_every_chart(name: str) -> None:
    c, point, _ = SPACES[name]
    for _ in range(5):
        np.testing.assert_allclose(c.gamma(point()), EPSILON, rtol=0, atol=1e-14)


def test_gamma_of_se3() -> None:
    """(3.53): Σⱼ γᵢⱼᵏ ξʲ = -(ad_ξᵀ)ᵢₖ, in our order (w, v)."""
    c, point, _ = SPACES["body"]
    for _ in range(5):
        gamma, xi = c.gamma(point()), rng.uniform(-1, 1, 6)
        np.testing.assert_allclose(np.einsum("ijk,j->ik", gamma, xi), -ad(xi).T, rtol=0, atol=1e-14)
        np.testing.assert_allclose(gamma, np.round(gamma), rtol=0, atol=1e-14)


@pytest.mark.parametrize("name", ["matrix", "body"])
def test_gamma_of_any_left_inverse(name: str) -> None:
    c, point, n = SPACES[name]
    x = point()
    Phi = c.Phi(x)
    W = rng.normal(size=(n, len(c.Phi(x))))
    Y = np.linalg.pinv(c.A(x)) + W @ Phi  # A is in the kernel of Φ
    other = Coordinates(c.size, c.kinematics, c.constraints, left_inverse=lambda z: Y)
    assert np.abs(Y - np.linalg.pinv(c.A(x))).max() > 0.1
    np.testing.assert_allclose(other.gamma(x), c.gamma(x), rtol=0, atol=1e-14)


def test_gamma_against_brackets_of_sympy() -> None:
    """Velocities that are no so(3): a rolling disc's, dx = (v cos φ, v sin φ, w, v/r)."""
    q = sympy.symbols("x y phi psi")
    A = sympy.Matrix(
        [
            [sympy.cos(q[2]), 0, -sympy.sin(q[2]), 0],
            [sympy.sin(q[2]), 0, sympy.cos(q[2]), 0],
            [0, 1, 0, 0],
            [1, 0, 0, 1 + q[0]],
        ]
    )
    Y = A.inv()
    at = dict(zip(q, (0.3, -0.2, 0.7, 1.1), strict=True))
    expected = np.zeros((4, 4, 4))
    for i in range(4):
        for j in range(4):
            bracket = A[:, j].jacobian(q) * A[:, i] - A[:, i].jacobian(q) * A[:, j]
            expected[i, j] = np.array((Y * bracket).subs(at), dtype=float).ravel()

    def kinematics(x: Any) -> Any:
        c, s, o = np.cos(x[2]), np.sin(x[2]), 0 * x[0]
        return np.array([[c, o, -s, o], [s, o, c, o], [o, 1 + o, o, o], [1 + o, o, o, 1 + x[0]]])

    found = Coordinates(4, kinematics).gamma(np.array([0.3, -0.2, 0.7, 1.1]))
    assert np.abs(expected).max() > 0.5
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-14)


def mass(x: Any) -> Any:
    """A metric that varies: not left invariant."""
    R = spaces.matrix(x)
    return M3 + np.diag([R[0, 0] * R[1, 2], 0 * x[0], R[2, 1] ** 2]) + 0.3 * R @ M3 @ R.T


def test_identities_of_the_connection() -> None:
    """(3.33a), (3.33b)."""
    c, point, _ = SPACES["matrix"]
    x = point()
    Gamma, gamma, M, dM = c.connection(mass, x), c.gamma(x), mass(x), c.derivative(mass, x)
    np.testing.assert_allclose(dM, Gamma + Gamma.transpose(1, 0, 2), rtol=0, atol=1e-14)
    left = np.einsum("ijs,sk->ijk", gamma, M)
    right = Gamma.transpose(2, 1, 0) - Gamma.transpose(1, 2, 0)
    np.testing.assert_allclose(left, right, rtol=0, atol=1e-14)


def test_all_of_3_61() -> None:
    """The printed table of Γ of a rigid body, entry by entry, after swapping the order of twists."""
    m, h = rng.uniform(0.5, 2, 5), rng.normal(size=(5, 3))
    c, point, _ = SPACES["body"]
    M = vee_prime(prime(m, h))
    Gamma = c.connection(lambda x: M + 0 * x[0], point())
    order = [3, 4, 5, 0, 1, 2]  # thesis index -> ours
    Gamma = Gamma[np.ix_(order, order, order)]
    total, s = m.sum(), m @ h / m.sum()
    Theta = M[:3, :3]
    half = np.trace(Theta) / 2 * np.eye(3) - Theta
    printed = {
        total: "324 135 216",
        total * s[0]: "254 364 515 616",
        total * s[1]: "424 145 365 626",
        total * s[2]: "434 535 146 256",
        half[0, 0]: "654",
        half[1, 1]: "465",
        half[2, 2]: "546",
        half[0, 1]: "464 655",
        half[0, 2]: "544 656",
        half[1, 2]: "545 466",
    }
    expected = np.zeros((6, 6, 6))
    for value, places in printed.items():
        for i, j, k in places.split():
            expected[int(i) - 1, int(j) - 1, int(k) - 1] = value
            expected[int(j) - 1, int(i) - 1, int(k) - 1] = -value
    np.testing.assert_allclose(Gamma, expected, rtol=0, atol=1e-14 * np.abs(M).max())


def test_the_hessian_is_a_second_derivative_along_geodesics() -> None:
    """On the round SO(3) geodesics are exp: the Hessian is that of s -> V(R exp(s w)), and symmetric."""
    P, R = rng.normal(size=(3, 3)), rotation(rng)
    c = spaces.rotation_matrix()

    def V(x: Any) -> Any:
        return -((P.T * spaces.matrix(x)).sum() ** 2)

    H = c.hessian(V, spaces.columns(R), lambda x: np.eye(3) + 0 * x[0])
    assert np.abs(H - H.T).max() < 1e-12
    printed = c.second(V, spaces.columns(R)) - np.einsum(  # (2.16) with its order of indices
        "sij,s->ij",
        c.connection(lambda x: np.eye(3) + 0 * x[0], spaces.columns(R)),
        c.derivative(V, spaces.columns(R)),
    )
    assert np.abs(printed - printed.T).max() > 0.1
    np.testing.assert_allclose((printed + printed.T) / 2, H, atol=1e-12)
    for _ in range(3):
        w = rng.normal(size=3)
        values = [V(spaces.columns(turned(R, k * 1e-3 * w))) for k in (-2, -1, 0, 1, 2)]
        curvature = np.dot([-1, 16, -30, 16, -1], values) / 12e-6
        assert w @ H @ w == pytest.approx(curvature, rel=1e-7)


def test_linearisation_about_a_trajectory() -> None:
    """(2.24), (2.25) against two nearby motions R(t) = exp(a t + ...) that are known in closed form."""
    c, t0, a, b, small = spaces.rotation_matrix(), 0.4, *rng.normal(size=(2, 3)), 1e-4
    e0, e1, e2 = rng.normal(size=(3, 3))

    def motion(t: Any, s: float) -> Any:
        return turned(turned(np.eye(3), a * t + b * t * t), s * (e0 + e1 * (t - t0) + e2 * (t - t0) ** 2 / 2))

    def state(s: float) -> Any:
        """x, ξ, dξ/dt of the motion, by differences in time."""

        def omega(t: float) -> Any:
            dR = difference(lambda z: motion(z[0], s), np.array([t]), np.ones(1), 0.01)
            return c.velocity(spaces.columns(motion(t, s)), spaces.columns(dR))

        return (
            spaces.columns(motion(t0, s)),
            omega(t0),
            difference(lambda z: omega(z[0]), np.array([t0]), np.ones(1), 0.01),
        )

    def f(x: Any, xi: Any, dxi: Any) -> Any:
        R = spaces.matrix(x)
        return R @ M3 @ dxi + R.T @ (xi * xi) + R[0] * (dxi * xi).sum()

    x, xi, dxi = state(0.0)
    np.testing.assert_allclose(
        (state(small)[1] - state(-small)[1]) / (2 * small), e1 + c.deviation(x, xi) @ e0, atol=1e-6
    )
    F0, F1, F2 = c.linearize(f, x, xi, dxi)
    change = (f(*state(small)) - f(*state(-small))) / (2 * small)
    np.testing.assert_allclose(F0 @ e0 + F1 @ e1 + F2 @ e2, change, atol=2e-6)


def test_drift_and_retraction() -> None:
    for name in ("matrix", "quaternion", "body", "circle"):
        c, point, _ = SPACES[name]
        x = point()
        off = x + 0.02 * rng.normal(size=len(x))
        back = c.retract(off)
        assert np.abs(c.constraints(back)).max() <= 1e-14
        assert np.linalg.norm(back - x) < 0.2
        phi = c.constraints(off)
        np.testing.assert_allclose(c.Phi(off) @ c.drift(off, 3.0), -3.0 * phi, atol=1e-12)


def test_dependent_constraints() -> None:
    """(2.6): with the determinant there are 7 constraints, still of rank 6, and 3 degrees of freedom."""
    c = spaces.rotation_matrix()

    def seven(x: Any) -> Any:
        a, b, d = spaces.matrix(x).T
        triple = a @ np.array(
            [b[1] * d[2] - b[2] * d[1], b[2] * d[0] - b[0] * d[2], b[0] * d[1] - b[1] * d[0]]
        )
        return np.array([*c.constraints(x), triple - 1])

    wide, x = Coordinates(9, c.kinematics, seven), spaces.columns(rotation(rng))
    assert wide.Phi(x).shape == (7, 9)
    assert wide.check(x) == 3
    back = wide.retract(x + 0.02 * rng.normal(size=9))
    assert np.abs(seven(back)).max() <= 1e-14


def test_what_does_not_fit_is_named() -> None:
    x = np.array([1.0, 0.0])
    wrong = Coordinates(2, lambda x: np.array([[x[0]], [x[1]]]), lambda x: np.array([x @ x - 1]))
    with pytest.raises(ModelError, match="leave the constraints"):
        wrong.check(x)
    with pytest.raises(ModelError, match=r"A must be 2 x 1 and of rank 1"):
        Coordinates(2, lambda x: np.eye(2), lambda x: np.array([x @ x - 1])).check(x)
    with pytest.raises(ModelError, match=r"violates the constraints by 3"):
        spaces.circle(1.0).check(2 * x)
    with pytest.raises(ModelError, match="left inverse"):
        Coordinates(2, lambda x: np.eye(2), left_inverse=lambda x: 2 * np.eye(2)).check(x)


def test_a_function_without_complex_numbers_is_seen() -> None:
    x, u = np.array([0.3, -0.4]), np.array([0.2, 0.7])
    for f in (
        np.linalg.norm,
        lambda z: abs(z[0]) + z[1] ** 2,
        lambda z: float(z[0]) ** 3,
        lambda z: np.arctan2(z[0], z[1]),
    ):
        d = Derivative(f)
        value = d(x, u)
        assert not d.exact
        h = 1e-5
        assert value == pytest.approx((f(x + h * u) - f(x - h * u)) / (2 * h), rel=1e-8)
    d = Derivative(lambda z: np.exp(z[0]) * np.sin(z[1]))
    exact = np.exp(0.3) * (0.2 * np.sin(-0.4) + 0.7 * np.cos(-0.4))
    assert d(x, u) == pytest.approx(exact, rel=1e-15)
    assert d.exact
    assert difference(lambda z: np.exp(z[0]) * np.sin(z[1]), x, u) == pytest.approx(exact, rel=1e-13)
    mixed = second(lambda z: np.exp(z[0]) * np.sin(z[1]), x, np.array([1.0, 0]), np.array([0, 1.0]))
    assert mixed == pytest.approx(np.exp(0.3) * np.cos(-0.4), rel=1e-13)
    assert complex_step(lambda z: z[0] ** 3, x, u) == pytest.approx(3 * 0.09 * 0.2, rel=1e-15)
