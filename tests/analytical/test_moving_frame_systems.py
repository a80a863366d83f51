"""Moving frames through `ps.simulate`: slides in B, loops with multipliers, Hamilton's form, products."""

from typing import Any

import numpy as np
import pytest

import poinsot as ps
from support.arrays import rotation

an = ps.analytical
rng = np.random.default_rng(5)
ROD = np.diag([1 / 12, 1 / 12, 1e-2])


def inertia() -> Any:
    root = rng.normal(size=(3, 3))
    spread = root @ root.T
    return np.trace(spread) * np.eye(3) - spread


def tree() -> Any:
    """Slides along a line, in a plane and in space, with and without rotation, on two branches."""
    joints = [
        (-1, [], [(1, 2, 0)]),
        (0, None, []),
        (1, [(0, 1, 1)], [(1, 0, 0), (0, 1, 0)]),
        (0, [(1, 0, 0), (0, 1, 0)], [(0, 0, 1)]),
        (2, None, np.eye(3)),
    ]
    return [
        an.Link(p, rng.uniform(0.5, 2), inertia(), *rng.normal(size=(2, 3)), axes, rotation(rng), slides)
        for p, axes, slides in joints
    ]


def as_bodies(links: Any) -> Any:
    """The same tree by Jacobians of bodies: slides are prismatic joints with massless bodies."""
    t, numbers = an.RigidBodies(), []
    for link in links:
        G = np.eye(4)
        G[:3, :3], G[:3, 3] = link.placement, link.outboard
        G[:3, 3] += np.asarray(links[link.parent].inboard) if link.parent >= 0 else 0.0
        parent = 0 if link.parent < 0 else numbers[link.parent]
        chain = [("prismatic", one) for one in np.asarray(link.slides, dtype=float).reshape(-1, 3)]
        if link.axes is None:
            chain.append(("quaternion", (0, 0, 1)))
        else:
            chain += [("revolute", one) for one in np.asarray(link.axes, dtype=float).reshape(-1, 3)]
        c = link.inboard
        M = an.from_moments(
            link.mass, c, link.inertia + link.mass * ((np.dot(c, c)) * np.eye(3) - np.outer(c, c))
        )
        for k, (kind, axis) in enumerate(chain):
            last = k == len(chain) - 1
            parent = t.add(parent, kind, M if last else np.zeros((4, 4)), G, axis=axis)
            G = np.eye(4)
        numbers.append(parent)
    return t


def swapped(links: Any, q: Any, w: Any) -> Any:
    """Coordinates and velocities with slides before rotations, as the other tree has them."""
    x, xi, i, j = [], [], 0, 0
    for link in links:
        slides = len(np.asarray(link.slides, dtype=float).reshape(-1, 3))
        turns = 3 if link.axes is None else len(np.asarray(link.axes, dtype=float).reshape(-1, 3))
        size = turns + (link.axes is None)
        x += [*q[i + size : i + size + slides], *q[i : i + size]]
        xi += [*w[j + turns : j + turns + slides], *w[j : j + turns]]
        i, j = i + size + slides, j + turns + slides
    return np.array(x), np.array(xi)


def state(frame: Any) -> Any:
    q = rng.normal(size=frame.size)
    for k, axes in enumerate(frame.axes):
        if axes is None:
            u = slice(frame.q_at[k], frame.q_at[k] + 4)
            q[u] /= np.linalg.norm(q[u])
    return q, rng.normal(size=frame.freedom)


def test_slides_are_columns_of_b() -> None:
    """(9), (10): B, its rate, energies and accelerations, against trees of prismatic joints."""
    links = tree()
    frame, bodies = an.MovingFrame(links), as_bodies(links)
    for _ in range(5):
        q, w = state(frame)
        x, xi = swapped(links, q, w)
        _, dB = frame.matrices(q, w)
        along = frame.coordinates().rate(q, w)
        exact = frame.matrices(q + 1e-100j * along, w)[0].imag / 1e-100
        assert np.abs(dB - exact).max() < 1e-12 * np.abs(dB).max()
        assert frame.energy(q, w) == pytest.approx(
            bodies.kinetic_energy(x, xi) + bodies.potential_energy(x), rel=1e-12
        )
        expected = bodies.acceleration(x, xi)
        found = swapped(links, q, frame.acceleration(q, w))[1]
        assert np.abs(found - expected).max() < 1e-10 * np.abs(expected).max()


def test_a_moving_frame_runs_and_keeps_its_energy() -> None:
    """The same run as the compiled tree: a cart with a ball joint."""
    frame = an.MovingFrame(
        [an.Link(-1, 2.0, ROD, (0, 0, 0), axes=[], slides=[(1, 0, 0)]), an.Link(0, 1.0, ROD, (0, 0, -0.5))]
    )
    u = ps.quaternion.exp([0.4, 0.6, 0.0])
    start = ps.State(0.0, [0.0, *u], [0.3, 0.0, 0.0, 1.0])
    run = ps.simulate(frame, start, "gauss3", step=0.01, until=0.5)
    m = ps.Mechanism().add("cart", ps.Body(2.0, ROD), ps.Prismatic((1, 0, 0)))
    m.add("rod", ps.Body(1.0, ROD, center_of_mass=(0, 0, -0.5)), ps.Spherical(), parent="cart")
    there = ps.simulate(
        m,
        m.state({"cart": dict(speed=0.3), "rod": dict(rotation=u, angular_velocity=(0, 0, 1.0))}),
        "gauss3",
        step=0.01,
        until=0.5,
    )
    assert run.x[-1] == pytest.approx(there.final.q, abs=1e-11)
    assert run.velocity[-1] == pytest.approx(there.final.v, abs=1e-11)
    assert np.ptp(run.energy) < 1e-8
    assert run.constraint.max() < 1e-14  # the length of the quaternion


def test_forces_do_work_on_a_moving_frame() -> None:
    rod = an.MovingFrame([an.Link(-1, 1.0, ROD, (0, 0, -0.5))])
    drag = lambda t, motion: (-0.3 * motion.v, -0.1 * motion.W)  # noqa: E731
    run = ps.simulate(
        rod.system(drag), ps.State(0.0, [1, 0, 0, 0], [1.0, 2.0, 3.0]), "gauss3", step=0.01, until=0.5
    )
    assert run.work[-1] < -0.1
    assert np.ptp(run.energy - run.work) < 1e-9


def test_a_loop_has_multipliers() -> None:
    """Two rods whose end is bound to a line: the multiplier is the force of the compiled loop."""
    hinge = [(0, 1, 0)]
    half = (0, 0, -0.5)
    first, second = an.Link(-1, 1.0, ROD, half, axes=hinge), an.Link(0, 1.0, ROD, half, half, hinge)
    rods = an.MovingFrame([first, second])

    def side(q: Any) -> Any:
        """Distance of the end of the second rod from the line x = 0."""
        return np.array([-np.sin(q[0]) - np.sin(q[0] + q[1])])

    system = rods.system(loop=side)
    q, w = np.array([0.4, -0.8]), np.array([1.0, -2.0])
    run = ps.simulate(system, ps.State(0.0, q, w), "gauss3", step=0.005, until=0.2)
    assert np.abs([side(x) for x in run.x]).max() < 1e-8
    m = ps.Mechanism()
    body = ps.Body(1.0, ROD, center_of_mass=(0, 0, -0.5))
    m.add("a", body, ps.Revolute((0, 1, 0))).add("b", body, ps.Revolute((0, 1, 0)), parent="a", at=(0, 0, -1))
    m.close(ps.Loop("world", "b", ps.Plane((1, 0, 0)), at_b=(0, 0, -1), name="wall"))
    there = ps.simulate(m, ps.State(0.0, q, w), "variational", step=1e-4, steps=2)
    R = there.rotation("b")[0]
    force = R @ there.reaction("wall")[0, 3:]
    assert abs(force[0]) == pytest.approx(abs(run.multipliers[0, 0]), rel=2e-3)


def test_hamiltons_form_is_the_same_motion_and_gauss_is_symplectic_on_it() -> None:
    """H = p M^-1 p / 2 + V; with hinges q and p are canonical, and Gauss keeps dq ^ dp."""
    hinge, half = [(0, 1, 0)], (0, 0, -0.5)
    chain = an.MovingFrame(
        [an.Link(k - 1, 1.0, ROD, half, half if k else (0, 0, 0), hinge) for k in range(2)]
    )
    q, w = np.array([1.0, 0.5]), np.array([0.3, -0.4])
    form = chain.hamiltonian()
    p = chain.reduced_mass(q) @ w
    a = ps.simulate(form, ps.State(0.0, q, p), "gauss3", step=0.04, steps=3)
    b = ps.simulate(chain, ps.State(0.0, q, w), "gauss3", step=0.04, steps=3)
    assert a.x[-1] == pytest.approx(b.x[-1], abs=1e-8)
    assert a.hamiltonian[0] == pytest.approx(chain.energy(q, w), rel=1e-13)

    def end(y: Any) -> Any:
        run = ps.simulate(form, ps.State(0.0, y[:2], y[2:]), "gauss1", step=0.1, steps=1)
        return np.concatenate([run.x[-1], run.velocity[-1]])

    y, h = np.concatenate([q, p]), 1e-3

    def slope(e: Any) -> Any:
        near, far = end(y + h * e) - end(y - h * e), end(y + 2 * h * e) - end(y - 2 * h * e)
        return (8 * near - far) / (12 * h)

    D = np.stack([slope(e) for e in np.eye(4)], axis=1)
    J = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.eye(2), np.zeros((2, 2))]])
    assert np.abs(D.T @ J @ D - J).max() < 1e-8


def test_hamiltons_form_of_ball_joints_and_slides() -> None:
    """dp/dt is that of p = M* w along the motion of the other form."""
    frame = an.MovingFrame(tree())
    form = frame.hamiltonian()
    q, w = state(frame)
    p, a = frame.reduced_mass(q) @ w, frame.acceleration(q, w)
    along, h = frame.coordinates().rate(q, w), 1e-100
    expected = (frame.reduced_mass(q + 1j * h * along) @ (w + 1j * h * a)).imag / h
    assert form.velocity(0.0, q, p) == pytest.approx(w, rel=1e-11)
    assert form.acceleration(0.0, q, p) == pytest.approx(expected, rel=1e-10, abs=1e-10)


def test_products_of_quaternions_are_products_of_matrices() -> None:
    """(1.16) to (1.19) of the thesis."""
    u, v, x = rng.normal(size=(3, 4))
    u /= np.linalg.norm(u)
    assert an.left_product(u) @ v == pytest.approx(ps.quaternion.compose(u, v), abs=1e-14)
    assert an.right_product(v) @ u == pytest.approx(ps.quaternion.compose(u, v), abs=1e-14)
    conjugate = u * [1, -1, -1, -1]
    assert pytest.approx(an.left_product(conjugate)) == an.left_product(u).T
    turn = an.left_product(u) @ an.right_product(u).T
    assert turn[1:, 1:] == pytest.approx(ps.quaternion.matrix(u), abs=1e-14)
    assert turn[0] == pytest.approx([1, 0, 0, 0], abs=1e-14)
    assert turn @ x == pytest.approx(ps.quaternion.compose(ps.quaternion.compose(u, x), conjugate), abs=1e-14)


def test_the_pattern_of_b_is_that_of_the_thesis() -> None:
    """Figure 3.1, four links: blocks on and below the diagonal, and identities on it."""
    half = (0, 0, -0.5)
    chain = an.MovingFrame([an.Link(k - 1, 1.0, ROD, half, half if k else (0, 0, 0)) for k in range(4)])
    B = chain.pattern(np.tile([1.0, 0, 0, 0], 4)).reshape(4, 2, 3, 4, 3)
    for k in range(4):
        for j in range(4):
            assert bool(B[k, 0, :, j].any()) == bool(B[k, 1, :, j].any()) == (j <= k)
        assert (B[k, 1, :, k] == np.eye(3)).all()
    with pytest.raises(ps.ModelError, match="spy: matrix must be a matrix"):
        ps.spy([1.0, 2.0])
