"""A body on a joint, and the same body in flight that a loop ties to the same place: one motion, one force.

The tree knows its joints by their motion subspaces, the loop by what it forbids: they share nothing.
"""

import numpy as np
import pytest

import poinsot as ps
from poinsot.formats.data import from_data, joint_of
from poinsot.model.kinematics import motions
from poinsot.model.rotations import matrix
from support import random_trees

KINDS = [kind for kind in random_trees.KINDS if kind not in ("free", "helical")] + [
    "fixed"
]  # others close none


def pair(kind, seed):
    """A chain of two hinged bodies and one on a joint; the same with the last one in flight; their states."""
    data, q, v, _ = random_trees.tree(seed, kinds=["spherical", "revolute", kind])
    held, last = from_data(data), data["bodies"][-1]
    open_ = {**data, "bodies": [*data["bodies"][:-1], {**last, "joint": "free", "body_at": [(0, 0, 0)]}]}
    tied = from_data(open_)
    (x, turn), place = last["body_at"], {"at_a": last["at"], "rotation_a": last["rotation"]}
    back, at = ps.quaternion.inverse(turn), -matrix(np.array(turn)).T @ np.array(x)
    loop = ps.Loop(
        last["parent"],
        "b2",
        joint_of(last["joint"]),
        **place,
        at_b=at,
        rotation_b=back,
        name="tie",
    )
    return held, tied.close(loop), ps.State(0.0, q, v)


def in_flight(held, tied, state):
    """The state of the mechanism with the loop: the pose of the last body in the frame of its free joint."""
    x, link = motions(held, state.q[None], state.v[None]), tied.link("b2")
    P, B = x[link.parent], x["b2"]
    A = P.rotation[0] @ matrix(link.rotation)
    origin = A.T @ (B.origin[0] - P.origin[0] - P.rotation[0] @ link.at)
    R = A.T @ B.rotation[0]
    arm = P.rotation[0] @ link.at + A @ origin
    carried = P.origin_velocity[0] + P.rotation[0] @ np.cross(P.angular_velocity[0], P.rotation[0].T @ arm)
    w = B.angular_velocity[0] - B.rotation[0].T @ P.rotation[0] @ P.angular_velocity[0]
    u = B.rotation[0].T @ (B.origin_velocity[0] - carried)
    c = link.body.center_of_mass
    free = tied.state(
        {
            "b2": dict(
                rotation=R, position=origin + R @ c, angular_velocity=w, velocity=R @ (u + np.cross(w, c))
            )
        }
    )
    n, k = held.slices("b2")[0].start, held.slices("b2")[1].start
    return ps.State(0.0, [*state.q[:n], *free.q[n:]], [*state.v[:k], *free.v[k:]])


def twist_rate(m, state, a, body):
    J, dJ = ps.dynamics.jacobian(m, state, body), ps.dynamics.jacobian_rate(m, state, body)
    return J @ a + dJ @ state.v


@pytest.mark.parametrize("kind", KINDS)
def test_a_joint_and_a_loop_are_the_same_joint(kind):
    held, tied, state = pair(kind, 11)
    other = in_flight(held, tied, state)
    found = ps.dynamics.loop_constraints(tied, other)
    freedom = {"fixed": 0, "revolute": 1, "prismatic": 1, "universal": 2, "cylindrical": 2}.get(kind, 3)
    assert (found.freedom, found.redundant) == (4 + freedom, 0)
    assert max(np.abs(x).max() for x in (*found.residuals.values(), *found.rates.values())) < 1e-13
    a, b = (ps.dynamics.acceleration(m, x) for m, x in ((held, state), (tied, other)))
    size = max(np.abs(b).max(), 1.0)
    for body in held.names:
        want = twist_rate(held, state, a, body)
        assert twist_rate(tied, other, b, body) == pytest.approx(want, abs=1e-11 * size), body
    assert ps.dynamics.inverse_dynamics(tied, other, b) == pytest.approx(np.zeros(len(b)), abs=1e-10 * size)


@pytest.mark.parametrize("kind", KINDS)
def test_a_loop_pulls_as_the_joint_does(kind):
    """Also on the joints before it, which feel the loop as a force from outside."""
    held, tied, state = pair(kind, 12)
    other = in_flight(held, tied, state)
    want, found = ps.dynamics.reactions(held, state), ps.dynamics.reactions(tied, other)
    size = max(np.abs(x).max() for x in want.values())
    assert found["tie"] == pytest.approx(want["b2"], abs=1e-11 * size)
    for name in ("b0", "b1"):
        assert found[name] == pytest.approx(want[name], abs=1e-11 * size)
    assert np.abs(found["b2"]).max() < 1e-11 * size  # nothing goes through the joint that is none


def test_torques_that_the_loops_carry_are_not_needed():
    """Inverse dynamics finds torques that do the same as those given, and none larger."""
    s = ps.scenario("four-bar")
    tau = np.array([3.0, -1.0, 2.0])
    a = ps.dynamics.acceleration(s.mechanism, s.start, tau)
    found = ps.dynamics.inverse_dynamics(s.mechanism, s.start, a)
    assert ps.dynamics.acceleration(s.mechanism, s.start, found) == pytest.approx(a, rel=1e-12)
    Minv = np.linalg.inv(ps.dynamics.mass_matrix(s.mechanism, s.start))
    assert found @ Minv @ found < 0.9 * (tau @ Minv @ tau)
    assert found @ Minv @ (tau - found) == pytest.approx(0, abs=1e-9)


def test_the_heavy_top_tied_by_a_loop():
    """The top of Bruels, Cardona and Arnold as a spherical joint and as a free body: same acceleration."""
    s = ps.scenario("heavy-top-bca")
    link = s.mechanism.links[0]
    tied = ps.Mechanism(s.mechanism.gravity).add(link.name, link.body, ps.Free())
    tied.close(ps.Loop("world", link.name, ps.Spherical(), at_b=-link.body_at))
    start = in_flight_alone(s, tied)
    w = ps.dynamics.acceleration(s.mechanism, s.start)
    assert ps.dynamics.acceleration(tied, start)[:3] == pytest.approx(w, rel=1e-12, abs=1e-9)
    assert ps.dynamics.loop_constraints(tied, start).freedom == 3


def in_flight_alone(s, tied):
    x = motions(s.mechanism, s.start.q[None], s.start.v[None])[tied.names[0]]
    return tied.state(
        {
            tied.names[0]: dict(
                rotation=x.rotation[0],
                position=x.position[0],
                angular_velocity=x.angular_velocity[0],
                velocity=x.velocity[0],
            )
        }
    )
