"""Trees in redundant coordinates: against vectors of another engine, SymPy, particle sums, and energy."""

from typing import Any

import numpy as np
import pytest
import sympy
from scipy.integrate import solve_ivp
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

from poinsot.analytical import RigidBodies, from_moments, levi_civita, prime, reduce_springs, spaces
from poinsot.analytical.derivatives import complex_step
from poinsot.errors import ModelError
from poinsot.model.forces.constitutive import about_origin
from support.arrays import hat, pose, rotation, turned
from support.data import load

rng = np.random.default_rng(8)
VECTORS = load("multibody.json")["vectors"]
SWAP = [3, 4, 5, 0, 1, 2, *range(6, 15)]  # (v, w) of the free joint -> (w, v)


def heavy(m: float, center: Any, moments: Any) -> Any:
    return from_moments(m, center, about_origin(m, center, np.diag(moments)))


def placed(r: Any, angle: float = 0.0) -> Any:
    G = np.eye(4)
    G[:3, :3], G[:3, 3] = turned(np.eye(3), [0, 0, angle]), r
    return G


def tricopter(velocity: str = "relative") -> RigidBodies:
    p = VECTORS["tricopter_params"]
    t = RigidBodies(gravity=(0, 0, -p["g"]))
    t.add(0, "free", heavy(p["m_body"], p["s_body"], p["I_body"]))
    ball = 0.4 * p["m_load"] * p["r_load"] ** 2
    load = heavy(p["m_load"], [0, 0, -p["L_load"]], [ball] * 3)
    t.add(1, "spherical", load, placed([0, 0, p["hL"]]), velocity=velocity)
    for phi in (np.pi / 3, np.pi, -np.pi / 3):
        at = placed([p["lA"] * np.cos(phi), p["lA"] * np.sin(phi), 0], phi)
        arm = t.add(1, "revolute", heavy(p["m_arm"], p["s_arm"], p["I_arm"]), at, axis=(1, 0, 0))
        t.add(arm, "circle", heavy(p["m_prop"], p["s_prop"], p["I_prop"]), placed([0, 0, p["hP"]]))
    return t


def test_tricopter_with_load_against_another_engine() -> None:
    one, t = VECTORS["tricopter_rel"], tricopter()
    assert (t.size, t.freedom) == (30, 15)
    x, xi, f = (np.array(one[key]) for key in ("x", "xi", "fE"))
    xi, f = xi[SWAP], f[SWAP]
    assert t.coordinates().check(x) == 15
    M = t.mass(x)
    np.testing.assert_allclose(np.diag(M), np.array(one["M_diag"])[SWAP], rtol=1e-14, atol=1e-15)
    assert np.linalg.norm(M) == pytest.approx(one["M_frob"], rel=1e-14)
    np.testing.assert_allclose(t.bias(x, xi), np.array(one["c"])[SWAP], rtol=0, atol=1e-14)
    np.testing.assert_allclose(t.gravity_force(x), np.array(one["fG"])[SWAP], rtol=0, atol=1e-13)
    expected = np.array(one["xidot"])[SWAP]
    found = t.acceleration(x, xi, f)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * np.abs(expected).max())
    assert t.kinetic_energy(x, xi) == pytest.approx(one["T"], rel=1e-14)
    assert t.potential_energy(x) == pytest.approx(one["V"], rel=1e-14)


def test_absolute_velocities_are_the_same_motion() -> None:
    """The load's absolute angular velocity: same body accelerations, other coordinates."""
    one = VECTORS["tricopter_rel"]
    x, xi = np.array(one["x"]), np.array(one["xi"])[SWAP]
    rel, absolute = tricopter(), tricopter("absolute")
    R = spaces.matrix(x[12:21])
    other = xi.copy()
    other[6:9] += R.T @ xi[:3]
    k, l = rel.kinematics(x, xi), absolute.kinematics(x, other)
    for b in range(9):
        np.testing.assert_allclose(k.J[b] @ xi, l.J[b] @ other, atol=1e-14)
    np.testing.assert_allclose(k.A @ xi, l.A @ other, atol=1e-14)
    a, b = rel.acceleration(x, xi), absolute.acceleration(x, other)
    for i in range(9):
        first, second = k.J[i] @ a + k.J_rate[i] @ xi, l.J[i] @ b + l.J_rate[i] @ other
        np.testing.assert_allclose(first, second, rtol=0, atol=1e-12 * np.abs(a).max())


def mixed() -> RigidBodies:
    """All joints and both velocities, with springs and dampers between bodies."""
    local = np.random.default_rng(11)

    def body() -> Any:
        return prime(local.uniform(0.2, 1, 6), local.normal(size=(6, 3)) * 0.4)

    t = RigidBodies(gravity=(0.5, -1, -9))
    t.add(0, "free", body(), pose(local))
    t.add(1, "revolute", body(), pose(local), axis=(1, 2, 2))
    t.add(2, "spherical", body(), pose(local), velocity="absolute")
    t.add(1, "prismatic", body(), pose(local), axis=(0, 1, 1))
    t.add(4, "circle", body(), pose(local), axis=(1, 0, 1), velocity="absolute")
    t.add(5, "quaternion", body(), pose(local))
    t.add(6, "revolute", body(), pose(local), axis=(1, 1, 0), velocity="absolute")
    t.add(7, "quaternion", body(), pose(local), velocity="absolute")
    t.add(0, "free", body(), pose(local), velocity="absolute")
    t.add(9, "free", body(), pose(local), velocity="absolute")
    for a, b in ((0, 3), (2, 7), (10, 5)):
        K, rest, _ = reduce_springs(
            local.uniform(1, 5, 4), local.normal(size=(4, 3)), local.normal(size=(4, 3))
        )
        t.spring(a, b, K, rest)
        t.damper(a, b, prime(local.uniform(1, 5, 4), local.normal(size=(4, 3))))
    return t


def somewhere(t: RigidBodies) -> Any:
    """A random admissible x."""
    parts = []
    for link in t.links:
        q = {
            12: lambda: np.concatenate([rng.normal(size=3), spaces.columns(rotation(rng))]),
            9: lambda: spaces.columns(rotation(rng)),
            4: lambda: (lambda u: u / np.linalg.norm(u))(rng.normal(size=4)),
            2: lambda: (lambda a: np.array([np.cos(a), np.sin(a)]))(rng.uniform(0, 6)),
            1: lambda: rng.normal(size=1),
        }[link.joint.size]()
        parts.append(q)
    return t.start(parts)


@pytest.mark.parametrize(
    "make", [tricopter, lambda: tricopter("absolute"), mixed], ids=["relative", "absolute", "mixed"]
)
def test_jacobians_are_derivatives_of_poses(make: Any) -> None:
    """wed(J ξ) = G⁻¹ dG/dt along A ξ, and dJ/dt is the rate of J, by complex steps."""
    t = make()
    x, xi = somewhere(t), rng.normal(size=t.freedom)
    assert t.coordinates().check(x) == t.freedom
    k = t.kinematics(x, xi)
    rates = complex_step(lambda z: np.stack(t.kinematics(z, xi).G), x, k.A @ xi)
    slopes = complex_step(lambda z: np.stack(t.kinematics(z, xi).J), x, k.A @ xi)
    for b in range(len(t.links) + 1):
        w = np.linalg.solve(k.G[b], rates[b])
        v = k.J[b] @ xi
        np.testing.assert_allclose(w[:3, :3], hat(v[:3]), atol=1e-13)
        np.testing.assert_allclose(w[:3, 3], v[3:], atol=1e-13)
        np.testing.assert_allclose(k.J_rate[b], slopes[b], atol=1e-12)
    for a, b in ((0, 2), (2, 1), (3, 7)):
        J_rate = k.pair(a, b, xi)[2]
        slope = complex_step(lambda z, a=a, b=b: t.kinematics(z, xi).pair(a, b, xi)[1], x, k.A @ xi)
        np.testing.assert_allclose(J_rate, slope, atol=1e-12)


@pytest.mark.parametrize("make", [lambda: tricopter("absolute"), mixed], ids=["absolute", "mixed"])
def test_connection_of_the_tree_is_that_of_its_mass_matrix(make: Any) -> None:
    """(3.112) with the corrected bracket against (3.35), Γξξ = c = Cξ, dM/dt = C + Cᵀ."""
    t = make()
    x, xi, c = somewhere(t), rng.normal(size=t.freedom), t.coordinates()
    size = np.abs(t.mass(x)).max()
    Gamma = t.connection(x)
    np.testing.assert_allclose(Gamma, c.connection(t.mass, x), rtol=0, atol=1e-12 * size)
    np.testing.assert_allclose(
        np.einsum("ijk,j,k->i", Gamma, xi, xi), t.bias(x, xi), rtol=0, atol=1e-11 * size
    )
    np.testing.assert_allclose(t.coriolis(x, xi), Gamma @ xi, rtol=0, atol=1e-11 * size)
    rate = c.derivative(t.mass, x) @ xi
    C = t.coriolis(x, xi)
    np.testing.assert_allclose(C + C.T, rate, rtol=0, atol=1e-11 * size)


def test_forces_are_gradients() -> None:
    """f_K + f_G = ∂V, and accelerations equal those of Levi-Civita's form, which knows M and V only."""
    t = mixed()
    x, xi, c = somewhere(t), rng.normal(size=t.freedom), t.coordinates()
    force = t.stiffness_force(x) + t.gravity_force(x)
    np.testing.assert_allclose(
        c.derivative(t.potential_energy, x), force, rtol=0, atol=1e-12 * np.abs(force).max()
    )
    free = levi_civita(c, t.mass, t.potential_energy, lambda t_, x_, v: -t.damping(x_) @ v)
    expected = t.acceleration(x, xi)
    found = free.acceleration(0.0, x, xi)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11 * np.abs(expected).max())


def test_a_body_on_springs_and_dampers_against_particle_sums() -> None:
    m, h = rng.uniform(0.2, 1, 5), rng.normal(size=(5, 3))
    k, kh, kp = rng.uniform(1, 9, 6), rng.normal(size=(6, 3)), rng.normal(size=(6, 3))
    d, dh = rng.uniform(1, 9, 4), rng.normal(size=(4, 3))
    t = RigidBodies()
    t.add(0, "free", prime(m, h))
    K, rest, _ = reduce_springs(k, kh, kp)
    t.spring(0, 1, K, rest)
    t.damper(0, 1, prime(d, dh))
    G, (w, v) = pose(rng), rng.normal(size=(2, 3))
    R, r = G[:3, :3], G[:3, 3]
    wrench = np.zeros(6)
    M = np.zeros((6, 6))
    sums = [(point, R.T @ [0, 0, -9.81 * mass]) for mass, point in zip(m, h, strict=True)]
    sums += [
        (point, R.T @ (s * (target - r - R @ point))) for s, point, target in zip(k, kh, kp, strict=True)
    ]
    sums += [(point, -s * (v + np.cross(w, point))) for s, point in zip(d, dh, strict=True)]
    for mass, point in zip(m, h, strict=True):
        J = np.hstack([-hat(point), np.eye(3)])
        M += mass * J.T @ J
        sums.append((point, -mass * np.cross(w, v + np.cross(w, point))))
    for point, force in sums:
        wrench += np.concatenate([np.cross(point, force), force])
    x = np.concatenate([r, spaces.columns(R)])
    expected = np.linalg.solve(M, wrench)
    np.testing.assert_allclose(t.acceleration(x, np.concatenate([w, v])), expected, rtol=1e-12, atol=1e-12)


def sympy_double_pendulum() -> Any:
    """Rods with inertia about y, joints at the upper ends, in relative angles."""
    time, q = dynamicsymbols._t, dynamicsymbols("a b")
    (m1, m2), (l1, c1, c2), (i1, i2) = (0.8, 1.1), (0.7, 0.3, 0.4), (0.02, 0.05)
    first, second = q[0], q[0] + q[1]
    x1, z1 = -c1 * sympy.sin(first), -c1 * sympy.cos(first)
    x2 = -l1 * sympy.sin(first) - c2 * sympy.sin(second)
    z2 = -l1 * sympy.cos(first) - c2 * sympy.cos(second)
    T = (m1 * (x1.diff(time) ** 2 + z1.diff(time) ** 2) + m2 * (x2.diff(time) ** 2 + z2.diff(time) ** 2)) / 2
    T += (i1 * first.diff(time) ** 2 + i2 * second.diff(time) ** 2) / 2
    method = LagrangesMethod(T - 9.81 * (m1 * z1 + m2 * z2), q)
    method.form_lagranges_equations()
    rates = [angle.diff(time) for angle in q]
    M, f = (sympy.lambdify([q, rates], part) for part in (method.mass_matrix, method.forcing))
    return lambda angles, w: np.linalg.solve(M(angles, w), np.ravel(f(angles, w)))


EXACT = sympy_double_pendulum()


@pytest.mark.parametrize("joint", ["revolute", "circle"])
@pytest.mark.parametrize("velocity", ["relative", "absolute"])
def test_double_pendulum_against_sympy(joint: str, velocity: str) -> None:
    t = RigidBodies()
    t.add(0, joint, heavy(0.8, [0, 0, -0.3], [0.03, 0.02, 0.01]), axis=(0, 1, 0), velocity=velocity)
    t.add(1, joint, heavy(1.1, [0, 0, -0.4], [0.06, 0.05, 0.01]), placed([0, 0, -0.7]), (0, 1, 0), velocity)
    for _ in range(5):
        angles, w = rng.uniform(-3, 3, 2), rng.uniform(-3, 3, 2)
        q = [[a] for a in angles] if joint == "revolute" else [[np.cos(a), np.sin(a)] for a in angles]
        expected = EXACT(angles, w)
        if velocity == "absolute":
            w, expected = np.cumsum(w), np.cumsum(expected)
        found = t.acceleration(t.start(q), w)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * max(1, np.abs(expected).max()))


def test_energy_along_a_run() -> None:
    """dE/dt = -ξᵀ D ξ, exactly, and a short run keeps it."""
    t = mixed()
    x, xi = somewhere(t), rng.normal(size=t.freedom)
    system = t.system()
    y = np.concatenate([x, xi])
    assert system.energy is not None
    along = system.field(0.0, y)
    rate = complex_step(
        lambda z: t.kinetic_energy(z[: t.size], z[t.size :]) + t.potential_energy(z[: t.size]), y, along
    )
    loss = -xi @ t.damping(x) @ xi
    assert float(rate) == pytest.approx(float(loss), rel=1e-10)
    calm = tricopter()
    start = np.concatenate([np.array(VECTORS["tricopter_rel"]["x"]), 0.1 * np.ones(15)])
    run = solve_ivp(calm.system().field, (0, 0.02), start, rtol=1e-9, atol=1e-9)
    energy = [calm.system().energy(0.0, y[:30], y[30:]) for y in run.y.T]  # type: ignore[misc]
    assert np.ptp(energy) < 1e-7


def test_what_is_refused() -> None:
    t = RigidBodies()
    with pytest.raises(ModelError, match="did you mean 'revolute'"):
        t.add(0, "revolut", np.eye(4))
    with pytest.raises(ModelError, match="parent must be a whole number from 0 to"):
        t.add(1, "free", np.eye(4))
    with pytest.raises(ModelError, match="no velocity 'absolute'"):
        t.add(0, "prismatic", np.eye(4), velocity="absolute")


@pytest.mark.parametrize("velocity", ["relative", "absolute"])
def test_the_acceleration_energy_gives_the_equations_of_motion(velocity: str) -> None:
    """(3.113): dS/d(xi') = M xi' + c, and S of one body is half the sum of m |a|^2 over its particles."""
    t = tricopter(velocity)
    x = np.array(VECTORS["tricopter_rel"]["x"])
    xi, dxi = rng.normal(size=(2, 15))
    S = t.acceleration_energy(x, xi)
    slope = [complex_step(S, dxi, e) for e in np.eye(15)]
    np.testing.assert_allclose(slope, t.mass(x) @ dxi + t.bias(x, xi), rtol=0, atol=1e-11)
    masses, points = np.array([1.0, 2.0, 0.5, 3.0]), rng.normal(size=(4, 3))
    one = RigidBodies(gravity=(0, 0, 0))
    one.add(0, "free", prime(masses, points))
    G, (w, v), (dw, dv) = pose(rng), rng.normal(size=(2, 3)), rng.normal(size=(2, 3))
    at = np.concatenate([G[:3, 3], G[:3, :3].T.ravel()])
    a = dv + np.cross(w, v) + np.cross(dw, points) + np.cross(w, np.cross(w, points))  # body axes
    found = one.acceleration_energy(at, np.concatenate([w, v]))(np.concatenate([dw, dv]))
    assert found == pytest.approx((masses[:, None] * a * a).sum() / 2, rel=1e-13)
