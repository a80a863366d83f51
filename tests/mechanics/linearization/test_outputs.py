"""Outputs of linear models against differences of the kinematics of neighbouring states."""

import numpy as np
import pytest

import poinsot as ps

H = 1e-6  # of differences, whose error is H^2


def arm():
    m = ps.Mechanism().add("base", ps.Box(0.5).body(mass=3.0), ps.Free())
    m.add("upper", ps.Box(0.3).body(mass=1.0), ps.Spherical(), "base", (0, 0, 0.4), body_at=(0.1, 0, 0.2))
    m.add(
        "lower", ps.Box(0.2).body(mass=0.7), ps.Revolute((0, 1, 1)), "upper", (0, 0, 0.5), body_at=(0, 0, 0.3)
    )
    m.frame("tool", "lower", at=(0.1, 0.2, 0.3), rotation=ps.so3.exp((0.3, -0.2, 0.5)))
    rng = np.random.default_rng(4)
    x = rng.normal(size=2 * m.lengths[1])
    return m, ps.dynamics.move(m, m.state(), x)


def kinematics(m, state, name):
    at = m.rigid_links[name].body.center_of_mass if name in m.names else np.zeros(3)
    pose = ps.dynamics.pose(m, state, name, at=at)
    return {
        "position": pose[:3, 3],
        "attitude": pose[:3, :3],
        "velocity": ps.dynamics.velocity(m, state, name, at=at),
        "angular_velocity": ps.dynamics.angular_velocity(m, state, name),
    }


def difference(m, state, name, quantity, x):
    here, (there, back) = (
        kinematics(m, state, name),
        (kinematics(m, ps.dynamics.move(m, state, s * H * x), name) for s in (1, -1)),
    )
    if quantity == "rotation":
        turn = here["attitude"].T @ (there["attitude"] - back["attitude"]) / (2 * H)
        return np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) / 2
    return (there[quantity] - back[quantity]) / (2 * H)


@pytest.mark.parametrize("name", ["upper", "tool"])
def test_what_moves_with_bodies_and_frames(name):
    m, state = arm()
    kinds = ["pose", "velocity", "angular_velocity"]
    found = ps.dynamics.linearize(m, state, outputs=[f"{name}.{one}" for one in kinds])
    parts = ["rotation", "position", "velocity", "angular_velocity"]
    assert found.outputs == tuple(f"{name}.{one}[{i}]" for one in parts for i in range(3))
    for k, x in enumerate(np.eye(2 * m.lengths[1])):
        exact = np.concatenate([difference(m, state, name, one, x) for one in parts])
        assert found.C[:, k] == pytest.approx(exact, abs=1e-8)
    assert not found.D.any()


def test_coordinates_that_follow_from_others_are_outputs():
    """A four-bar has one independent coordinate; the others, and a point of its coupler, depend on it."""
    s = ps.scenario("four-bar")
    m, names = s.mechanism, [link.name for link in s.mechanism.links]
    state = ps.simulate(m, s.start, "variational4", step=0.01, steps=20).final
    outputs = [
        *(f"{name}.angle" for name in names),
        *(f"{name}.rate" for name in names),
        f"{names[1]}.velocity",
    ]
    found = ps.dynamics.linearize(m, state, outputs=outputs)
    assert found.C.shape == (9, 2)
    assert found.C[:6] == pytest.approx(found.basis)
    for k, x in enumerate(found.basis.T):
        assert found.C[6:, k] == pytest.approx(difference(m, state, names[1], "velocity", x), abs=1e-7)


def test_unknown_outputs_are_refused_with_what_there_is():
    m, state = arm()
    with pytest.raises(
        ps.ModelError, match=r"the position, velocity, rotation, angular_velocity or pose of a body"
    ):
        ps.dynamics.linearize(m, state, outputs=["tool.speed"])
