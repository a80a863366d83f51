"""Templates against reference vectors (an independent prototype), and the laws that they must obey."""

import numpy as np
import pytest

import poinsot as ps
from control.witness_templates import template_at
from poinsot.control.plant import Plant, relative
from support.data import load

DATA = load("control.json")
VECTORS = DATA["vectors"]
KINDS = ("particle", "body", "energy", "energy2")
DIGITS = 1e-9  # relative; the data have twelve digits
FREE = VECTORS["free_body_templates"]
ARM = VECTORS["arm_templates"]
AXES = [(0, 0, 1), (0, 1, 0), (0, 1, 0), (1, 0, 0), (0, 1, 0), (1, 0, 0)]


def close(found, wanted, digits=DIGITS):
    wanted = np.asarray(wanted)
    return np.abs(np.asarray(found) - wanted).max() <= digits * max(1.0, np.abs(wanted).max())


def free_body(gravity=(0, 0, -9.81)):
    return ps.Mechanism(gravity=gravity).add("b", ps.Body(1.0, (0.1, 0.1, 0.1)), ps.Free())


def free_states():
    state = ps.State(0.0, [*FREE["r"], *FREE["q"]], FREE["xi"])
    return state, ps.State(0.0, [*FREE["r_ref"], *FREE["q_ref"]], FREE["xi_ref"])


def free_pair():
    return ps.control.Pair("b", inertia=FREE["M_prime"], damping=FREE["D_prime"], stiffness=FREE["K_prime"])


def arm():
    data, m, parent = DATA["runs"]["arm6"]["inputs"], ps.Mechanism(), "world"
    l1, l2, l3 = data["l"]
    for i, at in enumerate([(0, 0, 0), (l1, 0, 0), (0, 0, l2), (l3, 0, 0), (0, 0, 0), (0, 0, 0)]):
        body = ps.Body(data["mass"][i], data["inertia_com"][i], center_of_mass=data["com"][i])
        m.add(f"b{i + 1}", body, ps.Revolute(AXES[i]), parent=parent, at=at)
        parent = f"b{i + 1}"
    return m


def arm_pairs(which):
    tool = ps.control.Pair(
        "b6",
        inertia=ARM["tool_M_prime_body6"],
        damping=ARM["tool_D_prime_body6"],
        stiffness=ARM["tool_K_prime_body6"],
    )
    joints = []
    for i, values in enumerate(ARM["joint_moments"]):
        each = [(0.0, (0, 0, 0), np.diag(AXES[i]) * value) for value in values]
        joints.append(ps.control.Pair(f"b{i + 1}", f"b{i}" if i else "world", *each))
    return {"tool": [tool], "joint": joints, "tool and joint": [tool, *joints]}[which]


def check(found, wanted):
    assert close(found.M, wanted["M_bar"])
    assert close(found.f, wanted["f_bar"])
    assert close(found.potential, wanted["V"])
    assert close(found.energy, wanted["V"] + wanted["T"])
    assert close(found.dissipation, wanted["R2"])


@pytest.mark.parametrize("kind", KINDS)
def test_a_free_body_with_arbitrary_matrices(kind):
    state, reference = free_states()
    template, m = ps.control.Template(kind, [free_pair()]), free_body()
    check(template.at(m, state, reference, FREE["xid_ref"]), FREE[kind])
    check(template_at(template, Plant(m), state, reference, np.array(FREE["xid_ref"])), FREE[kind])


@pytest.mark.parametrize("name", [name for name in ARM if "," in name])
def test_an_arm_in_tool_and_joint_space(name):
    which, kind = name.split(", ")
    state, reference = (ps.State(0.0, ARM[q], ARM[v]) for q, v in (("q", "qd"), ("q_ref", "qd_ref")))
    m = arm()
    template = ps.control.Template(kind, arm_pairs(which))
    found = template.at(m, state, reference, ARM["qdd_ref"])
    check(found, ARM[name])
    check(template_at(template, Plant(m), state, reference, np.array(ARM["qdd_ref"])), ARM[name])
    M, f = ps.dynamics.mass_matrix(m, state), ps.dynamics.inverse_dynamics(m, state, np.zeros(6))
    law = ps.control.least_constraint(M, f, np.eye(6), found.M, found.f)
    assert close(law.u, ARM[name]["u"])


@pytest.mark.parametrize("kind", KINDS)
def test_without_error_the_template_wants_the_acceleration_of_the_reference(kind):
    """Zero-error condition: f = -M dv/dt of the reference, and no energy."""
    state = free_states()[1]
    here = ps.control.Template(kind, [free_pair()]).at(free_body(), state, state, FREE["xid_ref"])
    assert np.abs(here.f + here.M @ FREE["xid_ref"]).max() < 1e-12
    assert here.energy < 1e-25
    state = ps.State(0.0, ARM["q_ref"], ARM["qd_ref"])
    for which in ("tool", "joint"):
        here = ps.control.Template(kind, arm_pairs(which)).at(arm(), state, state, ARM["qdd_ref"])
        assert np.abs(here.f + here.M @ ARM["qdd_ref"]).max() < 1e-12


def test_all_laws_agree_for_a_constant_reference():
    state, reference = free_states()
    still = ps.State(0.0, reference.q, np.zeros(6))
    for kind in KINDS:
        found = ps.control.Template(kind, [free_pair()]).at(free_body(), state, still, np.zeros(6))
        assert close(found.f, FREE["constant_reference_f_bar"])
    state, still = ps.State(0.0, ARM["q"], ARM["qd"]), ps.State(0.0, ARM["q_ref"], np.zeros(6))
    for which in ("tool", "joint"):
        forces = [
            ps.control.Template(kind, arm_pairs(which)).at(arm(), state, still, np.zeros(6)).f
            for kind in KINDS
        ]
        assert np.ptp(forces, axis=0).max() < 1e-12


def moved_along(m, state, acceleration, dt):
    """The state a short time later, to third order."""
    x = np.concatenate([state.v * dt + acceleration * dt**2 / 2, acceleration * dt])
    return ps.dynamics.move(m, state, x)


@pytest.mark.parametrize("kind", ["body", "energy", "energy2"])
def test_the_energy_falls_at_the_rate_of_the_dissipation(kind):
    """dW/dt = -2R along the template's own motion, for a moving reference; by central differences."""
    m, (state, reference) = free_body(), free_states()
    template, rate = ps.control.Template(kind, [free_pair()]), np.array(FREE["xid_ref"])
    here = template.at(m, state, reference, rate)
    own = -np.linalg.solve(here.M, here.f)
    dt = 1e-5
    energies = []
    for s in (1, -1):
        x, y = moved_along(m, state, own, s * dt), moved_along(m, reference, rate, s * dt)
        energies.append(template.at(m, x, y, rate).energy)
    assert (energies[0] - energies[1]) / (2 * dt) == pytest.approx(-here.dissipation, rel=1e-7)


def test_the_particle_energy_does_not_fall_so_for_a_moving_reference():
    """The control that must fail: its energy is no Lyapunov function."""
    m, (state, reference) = free_body(), free_states()
    template, rate = ps.control.Template("particle", [free_pair()]), np.array(FREE["xid_ref"])
    here = template.at(m, state, reference, rate)
    own, dt = -np.linalg.solve(here.M, here.f), 1e-5
    energies = [
        template.at(m, moved_along(m, state, own, s), moved_along(m, reference, rate, s), rate).energy
        for s in (dt, -dt)
    ]
    assert abs((energies[0] - energies[1]) / (2 * dt) + here.dissipation) > 0.1


def test_the_particle_law_is_that_of_particles():
    """A sum over particles of a body, each drawn to its place in the reference, gives the same forces."""
    rng = np.random.default_rng(4)
    m, (state, reference) = free_body(), free_states()
    points, masses = rng.normal(size=(6, 3)), rng.uniform(0.5, 2, 6)
    d, k = rng.uniform(0.5, 2, (2, 6))

    def matrix(weights):
        h = np.column_stack([points, np.ones(6)])
        return (weights[:, None] * h).T @ h

    pair = ps.control.Pair("b", inertia=matrix(masses), damping=matrix(d), stiffness=matrix(k))
    rate = np.array(FREE["xid_ref"])
    found = ps.control.Template("particle", [pair]).at(m, state, reference, rate)

    def motion(x, a):
        R = ps.quaternion.matrix(x.q[3:])
        w, v = x.v[:3], x.v[3:]
        position = x.q[:3] + points @ R.T
        velocity = (v + np.cross(w, points)) @ R.T
        acceleration = (
            a[3:] + np.cross(w, v) + np.cross(a[:3], points) + np.cross(w, np.cross(w, points))
        ) @ R.T
        return R, position, velocity, acceleration

    R, p, u, bias = motion(state, np.zeros(6))
    _, p_R, u_R, a_R = motion(reference, rate)
    pull = masses[:, None] * (bias - a_R) + d[:, None] * (u - u_R) + k[:, None] * (p - p_R)
    pull = pull @ R
    wanted = np.concatenate([np.cross(points, pull).sum(axis=0), pull.sum(axis=0)])
    assert np.abs(found.f - wanted).max() < 1e-12 * np.abs(wanted).max() * 10
    assert found.potential == pytest.approx(0.5 * (k * ((p - p_R) ** 2).sum(axis=1)).sum(), rel=1e-13)
    assert found.dissipation == pytest.approx((d * ((u - u_R) ** 2).sum(axis=1)).sum(), rel=1e-13)


def test_the_jacobian_of_a_relative_pair_and_its_rate():
    """J v is the twist of b relative to a, and dJ/dt its derivative along the motion: both by differences."""
    plant, h = Plant(arm()), 1e-5
    state = ps.State(0.0, ARM["q"], ARM["qd"])

    def pair(s):
        there = ps.State(0.0, state.q + s * state.v, state.v)
        moving = plant.moving(there, ["b1", "b5"])
        return relative(moving["b1"], moving["b5"], state.v)

    here, after, before = pair(0.0), pair(h), pair(-h)
    twist = ps.se3.vee(np.linalg.inv(here.G) @ (after.G - before.G)) / (2 * h)
    assert np.abs(here.J @ state.v - twist).max() < 1e-8
    assert np.abs((after.J - before.J) / (2 * h) - here.Jd).max() < 1e-8


def test_a_pair_from_total_centre_and_moments():
    pair = ps.control.Pair("b", inertia=(2.0, (0.1, 0.2, 0.3), (0.5, 0.6, 0.7)))
    c = np.array([0.1, 0.2, 0.3])
    about = np.diag([0.5, 0.6, 0.7]) + 2.0 * (c @ c * np.eye(3) - np.outer(c, c))
    M = ps.control.Template("body", [pair]).at(free_body(), *[free_body().state()] * 2, np.zeros(6)).M
    assert np.abs(M[:3, :3] - about).max() < 1e-15
    assert np.abs(M[3:, 3:] - 2 * np.eye(3)).max() == 0
    assert np.abs(M[:3, 3:] - 2 * ps.so3.hat(c)).max() < 1e-15


def test_what_is_wrong_is_named():
    m = free_body()
    still = m.state()
    with pytest.raises(
        ps.ModelError, match=r"kind must be 'particle', 'body', 'energy' or 'energy2', got 'bodies'"
    ):
        ps.control.Template("bodies", [free_pair()])
    with pytest.raises(ps.ModelError, match="pair of 'c' and 'world': unknown body 'c'"):
        ps.control.Template("body", [ps.control.Pair("c")]).at(m, still, still, np.zeros(6))
    with pytest.raises(ps.ModelError, match="inertia must be symmetric"):
        ps.control.Pair("b", inertia=np.triu(np.ones((4, 4))))
    with pytest.raises(ps.ModelError, match="no transport map is known"):
        ps.control.Template("energy", arm_pairs("tool and joint")).at(
            arm(), ps.State(0.0, ARM["q"], ARM["qd"]), ps.State(0.0, ARM["q_ref"], ARM["qd_ref"]), np.zeros(6)
        )
