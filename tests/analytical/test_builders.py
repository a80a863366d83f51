"""All builders take the same options: one damped, driven, rheonomic system in every form."""

import numpy as np
import pytest

import poinsot as ps

an = ps.analytical
LINE = an.spaces.minimal(1)
AT = 0.7, np.array([0.4]), np.array([-0.9])  # a time, a place, a velocity


def stiffness(t):
    return 2.0 + np.sin(3 * t)


def potential(t, x):
    return stiffness(t) * x[0] ** 2 / 2


def forces(t, x, v):
    return np.array([np.cos(t)])


def loss(t, x, v):
    return 0.25 * v[0] ** 2


OPTIONS = {"forces": [forces, forces], "dissipation": loss}


def builders(**options):
    """The oscillator 1.5 x'' + 0.5 x' + k(t) x = 2 cos t, in every form with velocities."""
    return {
        "lagrange": an.lagrange(LINE, lambda t, x, v: 0.75 * v[0] ** 2 - potential(t, x), **options),
        "levi_civita": an.levi_civita(LINE, lambda x: 1.5 * np.eye(1), potential, **options),
        "gibbs_appell": an.gibbs_appell(LINE, lambda t, x, v, a: 0.75 * a[0] ** 2, potential, **options),
        "moving_particles": an.moving_particles(
            LINE, [1.5], lambda t, x: np.array([[x[0], 0 * x[0]]]), potential,
            lambda t, x, v: 2 * forces(t, x, v), dissipation=loss,
        ),
    }  # fmt: skip


@pytest.mark.parametrize("name", ["lagrange", "levi_civita", "gibbs_appell", "moving_particles"])
def test_forces_dissipation_and_time(name):
    t, x, v = AT
    exact = (2 * np.cos(t) - 0.5 * v[0] - stiffness(t) * x[0]) / 1.5
    system = builders(**OPTIONS)[name]
    assert system.acceleration(t, x, v)[0] == pytest.approx(exact, rel=1e-10)
    assert system.power(t, x, v) == pytest.approx((2 * np.cos(t) - 0.5 * v[0]) * v[0], rel=1e-12)


def test_hamilton_has_the_same_options():
    t, x, v = AT
    system = an.hamilton(LINE, lambda t, x, p: p[0] ** 2 / 3 + potential(t, x), **OPTIONS)
    p = 1.5 * v
    assert system.acceleration(t, x, p)[0] == pytest.approx(
        2 * np.cos(t) - 0.5 * v[0] - stiffness(t) * x[0], rel=1e-10
    )
    assert system.power(t, x, p) == pytest.approx((2 * np.cos(t) - 0.5 * v[0]) * v[0], rel=1e-12)


def test_a_mass_that_depends_on_time():
    """A rocket that loses mass without a push: d/dt (m v) = -k x."""
    t, x, v = AT
    system = an.levi_civita(LINE, lambda t, x: (2.0 + t * t) * np.eye(1), lambda x: x[0] ** 2)
    assert system.acceleration(t, x, v)[0] == pytest.approx(
        (-2 * x[0] - 2 * t * v[0]) / (2 + t * t), rel=1e-12
    )
    same = an.lagrange(LINE, lambda t, x, v: (2.0 + t * t) * v[0] ** 2 / 2 - x[0] ** 2)
    assert same.acceleration(t, x, v) == pytest.approx(system.acceleration(t, x, v), rel=1e-10)


def test_energy_and_hamiltonian_of_a_moving_support():
    """A bead on a hoop that rotates with 3 rad/s: H is kept, and W is not."""

    def kinetic(x, v):
        return (v[0] ** 2 + (3 * np.sin(x[0])) ** 2) / 2

    def V(x):
        return -9.81 * np.cos(x[0])

    system = an.lagrange(
        LINE, lambda t, x, v: kinetic(x, v) - V(x), energy=lambda t, x, v: kinetic(x, v) + V(x)
    )

    def place(t, x):
        return np.array([[np.sin(x[0]) * np.cos(3 * t), np.sin(x[0]) * np.sin(3 * t), -np.cos(x[0])]])

    other = an.moving_particles(LINE, [1.0], place, lambda t, x: V(x))
    start = ps.State(0.0, [1.0], [0.0])
    a, b = (ps.simulate(one, start, "gauss3", step=0.02, steps=20) for one in (system, other))
    assert np.ptp(a.hamiltonian) < 1e-8
    assert np.ptp(a.energy) > 0.1
    assert np.allclose(a.energy, b.energy, atol=1e-9)
    assert np.allclose(a.hamiltonian, b.hamiltonian, atol=1e-9)
    discrete = ps.simulate(other, start, "variational", step=0.01, steps=40)
    assert abs(discrete.final.q - b.final.q).max() < 1e-3


def test_inputs_are_named():
    motor = an.InputForce(lambda t, x: np.eye(1), name="motor")
    law = ps.Controller(lambda t, state, memory: ([-state.v[0]], memory), period=0.02, inputs=["motor"])
    rod = an.MovingFrame([an.Link(-1, 1.5, np.zeros((3, 3)), (0, 0, -1), axes=[(0, 1, 0)])])
    tree = an.RigidBodies()
    tree.add(0, "revolute", an.prime([1.5], [[0, 0, -1]]), axis=(0, 1, 0))
    finals = []
    for system in (rod.system(inputs=[motor]), tree.system(inputs=[motor])):
        run = ps.simulate(system, ps.State(0.0, [1.0], [0.0]), "gauss3", step=0.02, until=0.2, controller=law)
        finals.append(run.final.q)
        assert run.inputs.shape == (11, 1)
        assert np.abs(run.energy - run.work - run.energy[0]).max() < 1e-9
    assert np.allclose(*finals, atol=1e-9)
    with pytest.raises(ps.ScenarioError, match="named as inputs="):
        ps.simulate(rod, ps.State(0.0, [1.0], [0.0]), step=0.02, steps=1, controller=law)


def test_trees_take_forces_and_dissipation():
    """The same damped pendulum in two formulations and as a mechanism, with its work."""
    J = np.diag([0.1, 0.1, 0.01])
    rod = an.MovingFrame([an.Link(-1, 2.0, J, (0, 0, -0.5), axes=[(0, 1, 0)])])
    tree = an.RigidBodies()
    tree.add(0, "revolute", an.from_moments(2.0, (0, 0, -0.5), J + np.diag([0.5, 0.5, 0])), axis=(0, 1, 0))
    options = {
        "forces": lambda t, x, v: np.array([0.3 * np.sin(t)]),
        "dissipation": lambda t, x, v: 0.2 * v @ v,
    }
    m = ps.Mechanism().add("rod", ps.Body(2.0, J), ps.Revolute((0, 1, 0)), body_at=(0, 0, -0.5))
    m.apply(ps.JointTorque("rod", lambda t, q, v: 0.3 * np.sin(t)), ps.JointDamper("rod", 0.4))
    start = ps.State(0.0, [1.0], [0.3])
    one = ps.simulate(m, start, "gauss3", step=0.02, until=0.4)
    for system in (rod.system(**options), tree.system(**options)):
        run = ps.simulate(system, start, "gauss3", step=0.02, until=0.4)
        assert np.allclose(run.x, one.trajectory.q, atol=1e-10)
        assert np.allclose(run.work, one.work, atol=1e-10)
        other = ps.simulate(system, start, "variational_midpoint", step=0.02, until=0.4)
        assert np.abs(other.x - run.x).max() < 1e-3


def test_dampers_of_a_tree_do_work():
    tree = an.RigidBodies()
    tree.add(0, "revolute", an.prime([1.5], [[0, 0, -1]]), axis=(0, 1, 0))
    tree.damper(0, 1, an.prime([0.3], [[0, 0, -1]]))
    run = ps.simulate(tree, ps.State(0.0, [1.0], [0.0]), "gauss3", step=0.02, until=0.4)
    assert np.abs(run.energy - run.work - run.energy[0]).max() < 1e-8
    assert run.work[-1] < -0.01


def turn(angle, below):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0, s, -below * s], [0, 1, 0, 0], [-s, 0, c, -below * c], [0, 0, 0, 1 + 0 * c]])


def test_bodies_of_poses_are_those_of_joints():
    """A double pendulum by its poses as functions of the angles, and by its joints."""
    rod = an.from_moments(1.0, (0, 0, 0), np.diag([0.1, 0.1, 0.01]))
    at = np.eye(4)
    at[2, 3] = -0.5
    posed = an.RigidBodies.of(
        an.spaces.minimal(2),
        [(0, lambda x: turn(x[0], 0.5), rod), (1, lambda x: at @ turn(x[1], 0.5), rod)],
    )
    shifted = an.from_moments(1.0, (0, 0, -0.5), np.diag([0.35, 0.35, 0.01]))
    tree = an.RigidBodies()
    tree.add(0, "revolute", shifted, axis=(0, 1, 0))
    down = np.eye(4)
    down[2, 3] = -1.0
    tree.add(1, "revolute", shifted, down, axis=(0, 1, 0))
    x, xi = np.array([0.4, -1.1]), np.array([0.9, 2.0])
    assert np.allclose(posed.mass(x), tree.mass(x), atol=1e-12)
    assert np.allclose(posed.bias(x, xi), tree.bias(x, xi), atol=1e-9)
    assert np.allclose(posed.gravity_force(x), tree.gravity_force(x), atol=1e-10)
    assert posed.potential_energy(x) == pytest.approx(tree.potential_energy(x))
    assert np.allclose(posed.acceleration(x, xi), tree.acceleration(x, xi), atol=1e-9)
    a, b = (ps.simulate(one, ps.State(0.0, x, xi), "gauss2", step=0.02, steps=4) for one in (posed, tree))
    assert np.allclose(a.x, b.x, atol=1e-9)
    motion = [one.trajectory.picture.motions["body 2"].position for one in (a, b)]
    assert np.allclose(*motion, atol=1e-8)


KNIFE = an.Coordinates(
    3, lambda x: np.array([[np.cos(x[2]), 0 * x[2]], [np.sin(x[2]), 0 * x[2]], [0 * x[2], 1 + 0 * x[2]]])
)


def test_a_knife_edge_by_gibbs_and_appell():
    """On a slope g along x: with a constant rate w the edge moves on a cycloid (Neimark and Fufaev)."""
    g, w = 3.0, 2.0

    def S(t, x, xi, a):  # 1 kg: acceleration a1 along, and u w across the edge; moment of inertia 1
        return (a[0] ** 2 + (xi[0] * xi[1]) ** 2 + a[1] ** 2) / 2

    edge = an.gibbs_appell(KNIFE, S, lambda x: -g * x[0], energy=lambda t, x, xi: (xi @ xi) / 2 - g * x[0])
    run = ps.simulate(edge, ps.State(0.0, [0.0, 0.0, 0.0], [0.0, w]), "gauss3", step=0.02, until=3.0)
    t = run.time
    x = g / (2 * w * w) * np.sin(w * t) ** 2
    y = g / (2 * w * w) * (w * t - np.sin(2 * w * t) / 2)
    assert np.abs(run.x - np.stack([x, y, w * t], axis=1)).max() < 1e-9
    assert np.ptp(run.energy) < 1e-9


def test_other_builders_refuse_velocities_that_are_not_holonomic():
    for make in (
        lambda: an.lagrange(KNIFE, lambda t, x, xi: xi @ xi / 2),
        lambda: an.levi_civita(KNIFE, lambda x: np.eye(2)),
        lambda: an.hamilton(KNIFE, lambda t, x, p: p @ p / 2),
        lambda: an.legendre(KNIFE, lambda t, x, xi: xi @ xi / 2),
    ):
        with pytest.raises(ps.ModelError, match="2 velocities for 3 freedoms are non-holonomic"):
            make()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"forces": 3}, "forces must be"),
        ({"forces": [3]}, "forces must be a function"),
        ({"inputs": [3]}, "inputs"),
    ],
)
def test_bad_options_are_told(options, says):
    with pytest.raises(ps.ModelError, match=says):
        an.lagrange(LINE, lambda t, x, v: v @ v, **options)
