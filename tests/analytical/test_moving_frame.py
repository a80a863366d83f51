"""The moving-frame oracle: against trees in redundant coordinates, complex steps, SymPy, and closed forms."""

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from poinsot.analytical import Link, MovingFrame, RigidBodies, from_moments
from poinsot.analytical.moving_frame import joint_moments
from poinsot.errors import ModelError
from poinsot.model.forces.constitutive import about_origin
from support.arrays import rotation

rng = np.random.default_rng(9)
M, L, WIDTH = 50.0, 2.0, 0.2  # table 3.1 of the thesis
PRISM = np.diag([M * (L**2 + WIDTH**2) / 12] * 2 + [M * WIDTH**2 / 6])


def chain(n: int) -> MovingFrame:
    return MovingFrame([Link(k - 1, M, PRISM, (0, 0, -1), (0, 0, -1 if k else 0)) for k in range(n)])


def branched() -> list[Link]:
    """Spherical joints, one and two axes, on a tree with crooked placements."""
    local = np.random.default_rng(12)
    links = []
    for k, (parent, axes) in enumerate(
        [(-1, None), (0, 1), (0, 2), (2, None), (1, 2), (4, 1), (3, None), (-1, 2), (7, None)]
    ):
        root = local.normal(size=(3, 3))
        spread = root @ root.T  # Σ m x xᵀ of a body
        vectors = local.normal(size=(5, 3))
        links.append(
            Link(
                parent,
                local.uniform(0.5, 2),
                np.trace(spread) * np.eye(3) - spread,
                vectors[0],
                vectors[1],
                None if axes is None else vectors[2 : 2 + axes],
                rotation(local),
            )
        )
        assert k == len(links) - 1
    return links


def as_tree(links: list[Link]) -> RigidBodies:
    """The same in the other formulation: frames in the joints, two axes as two bodies."""
    t = RigidBodies()
    numbers: list[int] = []
    for link in links:
        G = np.eye(4)
        G[:3, :3], G[:3, 3] = link.placement, link.outboard
        if link.parent >= 0:
            G[:3, 3] += np.asarray(links[link.parent].inboard)
        parent = 0 if link.parent < 0 else numbers[link.parent]
        inertia = from_moments(link.mass, link.inboard, about_origin(link.mass, link.inboard, link.inertia))
        if link.axes is None:
            numbers.append(t.add(parent, "quaternion", inertia, G))
        else:
            axes = np.atleast_2d(link.axes)
            if len(axes) == 2:
                parent, G = t.add(parent, "revolute", np.zeros((4, 4)), G, axes[0]), np.eye(4)
            numbers.append(t.add(parent, "revolute", inertia, G, axes[-1]))
    return t


def state(system: MovingFrame, size: float = 1.0) -> Any:
    q = []
    for axes in system.axes:
        z = rng.normal(size=4 if axes is None else len(axes))
        q.append(z / np.linalg.norm(z) if axes is None else z)
    return np.concatenate(q), size * rng.normal(size=system.freedom)


def test_rate_of_b_is_its_derivative() -> None:
    for system in (chain(5), MovingFrame(branched())):
        q, w = state(system)
        B, dB = system.matrices(q, w)
        rate = system.field(0.0, np.concatenate([q, system.halves() * w]))[: system.size]
        exact = system.matrices(q + 1e-100j * rate, w)[0].imag / 1e-100
        np.testing.assert_allclose(dB, exact, rtol=0, atol=1e-13 * max(1, np.abs(exact).max()))
        assert B.shape == (6 * system.n, system.freedom)


def test_b_gives_the_velocities_of_the_bodies() -> None:
    """X = B w, against the motion of centres and frames."""
    system = MovingFrame(branched())
    q, w = state(system)
    rate = system.field(0.0, np.concatenate([q, system.halves() * w]))[: system.size]
    moved, here = system.motion(q + 1e-100j * rate, w), system.motion(q, w)
    np.testing.assert_allclose(moved.x.imag / 1e-100, here.v, atol=1e-13)
    for k in range(system.n):
        spin = here.R[k].T @ (moved.R[k].imag / 1e-100)
        np.testing.assert_allclose([spin[2, 1], spin[0, 2], spin[1, 0]], here.W[k], atol=1e-13)


@pytest.mark.parametrize("n", [1, 2, 4, 8, 16])
def test_chains_agree_with_the_tree(n: int) -> None:
    """Within the conditioning of M*: 2 eps cond, which is 1e-12 up to four bodies."""
    system = chain(n)
    links = [Link(k - 1, M, PRISM, (0, 0, -1), (0, 0, -1 if k else 0)) for k in range(n)]
    q, w = state(system)
    tree = as_tree(links)
    mass, _, _ = system.reduce(q, w)
    np.testing.assert_allclose(mass, tree.mass(q), rtol=1e-12, atol=1e-11)
    a, b = system.acceleration(q, w), tree.acceleration(q, w)
    bound = 2 * np.finfo(float).eps * np.linalg.cond(mass) + 1e-13
    assert np.abs(a - b).max() <= max(bound, 1e-14) * np.abs(b).max()
    if n <= 4:
        assert bound < 1e-11


def test_a_tree_with_one_two_and_three_axes_agrees_with_the_other_formulation() -> None:
    links = branched()
    system, tree = MovingFrame(links), as_tree(links)
    for _ in range(5):
        q, w = state(system)
        assert (tree.size, tree.freedom) == (system.size, system.freedom)
        mass, bias, _ = system.reduce(q, w)
        np.testing.assert_allclose(mass, tree.mass(q), rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(bias, tree.bias(q, w), rtol=1e-11, atol=1e-11)
        a, b = system.acceleration(q, w), tree.acceleration(q, w)
        assert np.abs(a - b).max() <= 1e-12 * np.linalg.cond(mass) * np.abs(b).max()
        assert system.energy(q, w) == pytest.approx(
            float(tree.kinetic_energy(q, w) + tree.potential_energy(q)), rel=1e-12
        )


def test_single_pendulum() -> None:
    """J dd(θ) = -m g l/2 sin θ with J = m l²/3 + m w²/12, and length and energy along a run."""
    system = chain(1)
    angle = 0.7
    q = np.array([np.cos(angle / 2), np.sin(angle / 2), 0, 0])
    J = M * L**2 / 3 + M * WIDTH**2 / 12
    w = np.array([0.4, 0.0, 0.0])
    expected = [-M * 9.81 * L / 2 * np.sin(angle) / J, 0, 0]
    np.testing.assert_allclose(system.acceleration(q, w), expected, rtol=1e-14, atol=1e-14)
    run = solve_ivp(system.field, (0, 1), np.concatenate([q, w / 2]), rtol=1e-10, atol=1e-10, method="DOP853")
    energy = [system.energy(y[:4], 2 * y[4:]) for y in run.y.T]
    assert np.ptp(energy) < 1e-6
    assert np.abs(np.linalg.norm(run.y[:4], axis=0) - 1).max() < 1e-9


def test_forces_and_moments_do_their_work() -> None:
    """dE/dt = Σ F·v + M·W, and joint moments work on relative velocities."""
    system = MovingFrame(branched())
    q, w = state(system)
    F, inner = rng.normal(size=(2, system.n, 3))

    def force(t: float, motion: Any) -> Any:
        return F, joint_moments(system, motion, inner)

    y = np.concatenate([q, system.halves() * w])
    rate = system.field(0.0, y, force)
    ahead = 1e-6 * rate

    def energy(z: Any) -> float:
        return system.energy(z[: system.size], z[system.size :] / system.halves())

    slope = (energy(y + ahead) - energy(y - ahead)) / 2e-6
    motion = system.motion(q, w)
    roots = [k for k, p in enumerate(system.parents) if p < 0]
    power = (F * motion.v).sum() + (inner * motion.w).sum()
    assert roots == [0, 7]
    assert slope == pytest.approx(power, rel=1e-7)


def test_what_is_refused() -> None:
    with pytest.raises(ModelError, match="parents must come first"):
        MovingFrame([Link(0, 1.0, np.eye(3), (0, 0, 1))])
    with pytest.raises(ModelError, match=r"axes must be an array \(0,\) or \(3,\) or \(1, 3\) or \(2, 3\)"):
        MovingFrame([Link(-1, 1.0, np.eye(3), (0, 0, 1), axes=np.eye(3))])
