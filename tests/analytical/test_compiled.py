"""The compiled tree against the formulations that can be read: tricopter, chains, branched trees, springs."""

from typing import Any

import numpy as np
import pytest
from test_moving_frame import branched, chain
from test_rigid_bodies import EXACT, VECTORS, heavy, mixed, placed, tricopter

import poinsot as ps
from poinsot.analytical import Link, MovingFrame, RigidBodies, prime, reduce_springs, spaces
from poinsot.model.checks import quaternion
from poinsot.model.forces.constitutive import parameters
from support.arrays import rotation

rng = np.random.default_rng(14)


def as_body(inertia: Any) -> ps.Body:
    """A Body from a 4x4 inertia."""
    m, c, Theta = parameters(inertia)
    return ps.Body(m, Theta, center_of_mass=tuple(c), physical=False)


def as_mechanism(tree: RigidBodies) -> ps.Mechanism:
    """The same tree for the compiled core; joints must have relative velocities."""
    m = ps.Mechanism(gravity=tuple(tree.gravity[3:]))
    for k, link in enumerate(tree.links, start=1):
        assert not link.absolute
        kind = next(name for name, joint in ps.analytical.joints.JOINTS.items() if joint is link.joint)
        joint = {"free": ps.Free, "spherical": ps.Spherical, "quaternion": ps.Spherical}.get(kind)
        made = joint() if joint else {"prismatic": ps.Prismatic}.get(kind, ps.Revolute)(tuple(link.axis))
        parent = "world" if link.parent == 0 else f"b{link.parent}"
        m.add(
            f"b{k}", as_body(link.inertia), made, parent, at=tuple(link.pre[:3, 3]), rotation=link.pre[:3, :3]
        )
    for a, b, K, rest in tree.springs:
        m.apply(ps.Stiffness(f"b{a}" if a else "world", f"b{b}", K, rest))
    for a, b, D, _ in tree.dampers:
        m.apply(ps.Damping(f"b{a}" if a else "world", f"b{b}", D))
    return m


def as_state(tree: RigidBodies, x: Any, xi: Any) -> ps.State:
    """Rotations become quaternions, circles angles."""
    q = []
    for link in tree.links:
        z = x[link.x]
        if len(z) == 12:
            q += [z[:3], quaternion("test", "R", spaces.matrix(z[3:]))]
        elif len(z) == 9:
            q.append(quaternion("test", "R", spaces.matrix(z)))
        else:
            q.append([np.arctan2(z[1], z[0])] if len(z) == 2 else z)
    return ps.State(0.0, np.concatenate(q), np.array(xi))


def test_tricopter_with_load() -> None:
    """Against `ps.analytical` and the vectors of another engine: 1e-12 of the largest acceleration."""
    one, tree = VECTORS["tricopter_rel"], tricopter()
    swap = [3, 4, 5, 0, 1, 2, *range(6, 15)]
    x, xi, f = (np.array(one[key]) for key in ("x", "xi", "fE"))
    m, state = as_mechanism(tree), as_state(tree, x, xi[swap])
    found = ps.dynamics.acceleration(m, state, f[swap])
    expected = np.array(one["xidot"])[swap]
    size = np.abs(expected).max()
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * size)
    np.testing.assert_allclose(found, tree.acceleration(x, xi[swap], f[swap]), rtol=0, atol=1e-12 * size)
    np.testing.assert_allclose(ps.dynamics.mass_matrix(m, state), tree.mass(x), rtol=0, atol=1e-14)


def test_springs_and_dampers_between_bodies() -> None:
    """`Stiffness` and `Damping` of the core against `ps.analytical`."""
    tree = mixed()
    plain = RigidBodies(tree.gravity[3:])
    plain.springs, plain.dampers = tree.springs, tree.dampers
    names = {id(joint): name for name, joint in ps.analytical.joints.JOINTS.items()}
    for link in tree.links:
        plain.add(link.parent, names[id(link.joint)], link.inertia, link.pre, link.axis)
    m = as_mechanism(plain)
    for _ in range(3):
        joints = []
        for link in plain.links:
            R = spaces.columns(rotation(rng))
            u, a = rng.normal(size=4), rng.uniform(-2, 2)
            choices = {
                12: np.concatenate([rng.normal(size=3), R]),
                9: R,
                4: u / np.linalg.norm(u),
                2: np.array([np.cos(a), np.sin(a)]),
                1: np.array([a]),
            }
            joints.append(choices[link.joint.size])
        x, xi = plain.start(joints), rng.normal(size=plain.freedom)
        expected = plain.acceleration(x, xi)
        found = ps.dynamics.acceleration(m, as_state(plain, x, xi))
        bound = 2.2e-16 * np.linalg.cond(plain.mass(x)) + 1e-12
        assert np.abs(found - expected).max() <= bound * np.abs(expected).max()


def hung(links: list[Link]) -> ps.Mechanism:
    m = ps.Mechanism()
    for k, link in enumerate(links):
        axes = None if link.axes is None else np.atleast_2d(link.axes)
        joint = (
            ps.Spherical()
            if axes is None
            else ps.Revolute(axes[0])
            if len(axes) == 1
            else ps.Universal(*axes)
        )
        at = np.asarray(link.outboard) + (links[link.parent].inboard if link.parent >= 0 else np.zeros(3))
        parent = "world" if link.parent < 0 else f"b{link.parent}"
        body = ps.Body(link.mass, link.inertia, center_of_mass=tuple(link.inboard), physical=False)
        m.add(f"b{k}", body, joint, parent, at=tuple(at), rotation=link.placement)
    return m


@pytest.mark.parametrize("n", [1, 2, 4, 8, 16, 32, 64])
def test_moving_frame_chains(n: int) -> None:
    """The O(n) core agrees with the dense oracle within the conditioning of M*; 1e-12 up to four links."""
    system = chain(n)
    links = [
        Link(k - 1, system.masses[k], system.inertias[k], system.inboard[k], system.outboard[k])
        for k in range(n)
    ]
    u = rng.normal(size=(n, 4))
    q, w = (u / np.linalg.norm(u, axis=1)[:, None]).ravel(), rng.normal(size=3 * n)
    expected = system.acceleration(q, w)
    found = ps.dynamics.acceleration(hung(links), ps.State(0.0, q, w))
    bound = max(1e-12, np.finfo(float).eps * np.linalg.cond(system.reduce(q, w)[0]))
    assert np.abs(found - expected).max() <= bound * np.abs(expected).max()


def test_moving_frame_tree_with_one_two_and_three_axes() -> None:
    links = branched()
    system = MovingFrame(links)
    m = hung(links)
    for _ in range(3):
        q = []
        for axes in system.axes:
            z = rng.normal(size=4 if axes is None else len(axes))
            q.append(z / np.linalg.norm(z) if axes is None else z)
        x, w = np.concatenate(q), rng.normal(size=system.freedom)
        expected = system.acceleration(x, w)
        found = ps.dynamics.acceleration(m, ps.State(0.0, x, w))
        bound = max(1e-12, np.finfo(float).eps * np.linalg.cond(system.reduce(x, w)[0]))
        assert np.abs(found - expected).max() <= bound * np.abs(expected).max()


def test_stiffness_of_a_body_on_springs() -> None:
    """Springs as points, and reduced to one `Stiffness`: the same acceleration."""
    k, h, p = rng.uniform(1, 9, 5), rng.normal(size=(5, 3)), rng.normal(size=(5, 3))
    K, rest, _ = reduce_springs(k, h, p)
    body = as_body(prime(rng.uniform(0.5, 1, 6), rng.normal(size=(6, 3))))
    one, many = ps.Mechanism(), ps.Mechanism()
    for m in (one, many):
        m.add("body", body, ps.Free())
    one.apply(ps.Stiffness("world", "body", K, rest))
    for stiffness, a, b in zip(k, h, p, strict=True):
        many.apply(ps.Spring("world", "body", stiffness, at_a=tuple(b), at_b=tuple(a)))
    u = rng.normal(size=4)
    state = ps.State(0.0, np.concatenate([rng.normal(size=3), u / np.linalg.norm(u)]), rng.normal(size=6))
    a, b = (ps.dynamics.acceleration(m, state) for m in (one, many))
    np.testing.assert_allclose(a, b, rtol=0, atol=1e-12 * np.abs(b).max())


def test_double_pendulum_of_sympy() -> None:
    """SymPy's Lagrange equations, `ps.analytical` and the compiled tree: 1e-12."""
    tree = RigidBodies()
    tree.add(0, "revolute", heavy(0.8, [0, 0, -0.3], [0.03, 0.02, 0.01]), axis=(0, 1, 0))
    tree.add(1, "revolute", heavy(1.1, [0, 0, -0.4], [0.06, 0.05, 0.01]), placed([0, 0, -0.7]), (0, 1, 0))
    m = as_mechanism(tree)
    for _ in range(5):
        angles, w = rng.uniform(-3, 3, 2), rng.uniform(-3, 3, 2)
        expected = EXACT(angles, w)
        found = ps.dynamics.acceleration(m, ps.State(0.0, angles, w))
        bound = 1e-12 * max(1, np.abs(expected).max())
        np.testing.assert_allclose(found, expected, rtol=0, atol=bound)
        np.testing.assert_allclose(tree.acceleration(angles, w), found, rtol=0, atol=bound)
