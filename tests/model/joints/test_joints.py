"""Joints one by one: words, coordinates, poses and velocities, files, and how the core sees them.

Witnesses: the oracle (`tests/support/oracle.py`: rotations from series of the axis, columns in space) and,
for the compiled kernels, central differences of a whole motion.
"""

import numpy as np
import pytest

import poinsot as ps
from poinsot.compile.tree import compile_tree
from poinsot.formats.data import joint_of, to_data
from poinsot.mechanics.algorithms import acceleration
from poinsot.model.joints.joint import frame_on
from poinsot.model.kinematics import motions
from poinsot.model.rotations import matrix
from support import oracle

BODY = ps.Body(1.3, (0.3, 0.4, 0.5), center_of_mass=(0.1, -0.2, 0.3))
ROUND = 1e-14
JOINTS = {
    "revolute": ps.Revolute((1, -2, 0.5)),
    "prismatic": ps.Prismatic((0.3, 0, 4)),
    "cylindrical": ps.Cylindrical((1, 1, -1)),
    "universal": ps.Universal((1, 2, 0), (2, -1, 0)),
    "skew": ps.Universal((1, 2, 0), (0.4, 0.1, 3)),
    "planar": ps.Planar((1, -2, 3)),
    "spherical": ps.Spherical(),
    "free": ps.Free(),
    "fixed": ps.Fixed(),
}
SIZES = {
    "revolute": (1, 1),
    "prismatic": (1, 1),
    "cylindrical": (2, 2),
    "universal": (2, 2),
    "skew": (2, 2),
    "planar": (3, 3),
    "spherical": (4, 3),
    "free": (7, 6),
    "fixed": (0, 0),
}
WORDS = {  # words and values in the order of q and v
    "revolute": dict(angle=0.1, rate=0.2),
    "prismatic": dict(displacement=0.1, speed=0.2),
    "cylindrical": dict(angle=0.1, displacement=0.2, rate=0.3, speed=0.4),
    "universal": dict(angles=(0.1, 0.2), rates=(0.3, 0.4)),
    "planar": dict(displacement=(0.1, 0.2), angle=0.3, speed=(0.4, 0.5), rate=0.6),
}
each = pytest.mark.parametrize("kind", JOINTS)
moving = pytest.mark.parametrize("kind", [kind for kind in JOINTS if kind != "fixed"])


def some(joint, n=5, seed=2):
    """(n, nq) and (n, nv): random coordinates, unit quaternions."""
    random = np.random.default_rng(seed)
    q, v = random.normal(size=(n, joint.nq)), random.normal(size=(n, joint.nv))
    if joint.quaternion is not None:
        turn = q[:, joint.quaternion :]
        turn /= np.linalg.norm(turn, axis=1, keepdims=True)
    return q, v


@each
def test_the_numbers_of_a_joint(kind):
    assert (JOINTS[kind].nq, JOINTS[kind].nv) == SIZES[kind]


@each
def test_pose_and_twist_are_those_of_the_oracle(kind):
    """The columns of the oracle are in space axes here, which are those of the joint frame."""
    joint = JOINTS[kind]
    q, v = some(joint)
    turn, shift = joint.pose(q)
    w, u = joint.twist(q, v)
    for k in range(len(q)):
        R, r, columns = oracle.motion(oracle.mpmath.fp, joint.to_data(), q[k])
        assert matrix(turn[k]) == pytest.approx(np.array(R, dtype=float), abs=ROUND)
        assert shift[k] == pytest.approx(np.array(r, dtype=float), abs=ROUND)
        total = {oracle.TURN: np.zeros(3), oracle.SLIDE: np.zeros(3)}
        for (what, axis, frame), speed in zip(columns, v[k], strict=True):
            total[what] = total[what] + speed * (R @ axis if frame == "child" else axis)
        assert w[k] == pytest.approx(R.T @ total[oracle.TURN], abs=ROUND)
        assert u[k] == pytest.approx(R.T @ total[oracle.SLIDE], abs=ROUND)


@moving
def test_the_core_sees_the_same_joint(kind):
    """A weight falls from rest: forward dynamics of the kernels against the oracle, at a tilted joint."""
    m = ps.Mechanism().add("base", BODY, ps.Revolute((1, 1, 0)), at=(0.1, 0.2, 0.3))
    place = {} if kind == "free" else {"body_at": ((0.3, -0.1, 0.2), (0.6, 0.0, 0.8, 0.0))}
    m.add("link", BODY, JOINTS[kind], "base", at=(0.4, 0, -0.3), rotation=(0.8, 0.0, 0.0, 0.6), **place)
    m.add("load", BODY, ps.Spherical(), "link", at=(0.2, 0.2, 0.2))
    for (q1,), (v1,) in (some(JOINTS[kind], 1, seed) for seed in range(5)):
        q = np.concatenate([[0.4], q1, (0.5, -0.5, 0.1, 0.7)])
        q[-4:] /= np.linalg.norm(q[-4:])
        v = np.concatenate([[0.7], v1, (1.0, -0.5, 0.3)])
        found = acceleration(compile_tree(m), 0.0, q, v)
        right = oracle.acceleration(to_data(m), q, v)
        assert found == pytest.approx(right, abs=1e-12 * max(1.0, np.abs(right).max()))


@moving
def test_a_joint_moves_as_it_says(kind):
    """Against its parent, which the world holds: a short free motion, by central differences."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("link", BODY, JOINTS[kind])
    (q,), (v,) = some(JOINTS[kind], 1)
    h = 1e-4
    run = ps.simulate(m, ps.State(0.0, q, v), "gauss4", step=h, steps=2)
    rate = (run.position("link")[2] - run.position("link")[0]) / (2 * h)
    assert rate == pytest.approx(run.velocity("link")[1], abs=1e-6)  # h^2 x third derivative
    x = motions(m, run.trajectory.q, run.trajectory.v)["link"]
    hat = x.rotation[1].T @ (x.rotation[2] - x.rotation[0]) / (2 * h)
    assert (hat[2, 1], hat[0, 2], hat[1, 0]) == pytest.approx(tuple(x.angular_velocity[1]), abs=1e-6)


# words


@pytest.mark.parametrize("kind", WORDS)
def test_the_words_of_a_state_are_q_and_v_in_order(kind):
    m = ps.Mechanism().add("link", BODY, JOINTS[kind])
    state = m.state({"link": WORDS[kind]})
    values = np.concatenate([np.atleast_1d(x) for x in WORDS[kind].values()])
    assert np.concatenate([state.q, state.v]).tolist() == values.tolist()
    assert tuple(WORDS[kind]) == (*JOINTS[kind].coordinates, *JOINTS[kind].velocities)
    for word, value in WORDS[kind].items():  # one alone: the others are zero
        alone = m.state({"link": {word: value}})
        assert np.count_nonzero(np.concatenate([alone.q, alone.v])) == np.size(value)


@each
def test_what_is_missing_is_zero_or_no_rotation(kind):
    m = ps.Mechanism().add("link", ps.Body(1.0, (1, 1, 1)), JOINTS[kind])
    state = m.state()
    assert not state.v.any()
    turn, shift = JOINTS[kind].pose(state.q[None])
    assert turn[0].tolist() == [1, 0, 0, 0]
    assert shift[0].tolist() == [0, 0, 0]


@each
def test_joints_are_values(kind):
    joint = JOINTS[kind]
    assert joint_of(joint.to_data()) == joint
    assert hash(joint_of(joint.to_data())) == hash(joint)
    assert joint.to_data()["kind"] == type(joint).__name__.lower()
    assert repr(joint).startswith(type(joint).__name__)


def test_axes_are_made_unit_and_a_plane_has_documented_axes():
    assert ps.Revolute((0, 0, -7)).axis == (0, 0, -1)
    assert ps.Universal((0, 3, 0), (0, 0, 2)).axis2 == (0, 0, 1)
    assert frame_on((0.0, 0.0, 1.0)) == pytest.approx(np.eye(3))  # x, y for the normal z
    for normal in np.random.default_rng(0).normal(size=(20, 3)):
        E = frame_on(normal / np.linalg.norm(normal))
        assert np.abs(E.T @ E - np.eye(3)).max() < ROUND
        assert np.linalg.det(E) == pytest.approx(1.0)
    pushed = ps.Mechanism().add("p", BODY, ps.Planar((0, 0, 1))).state({"p": dict(displacement=(2, 3))})
    assert ps.Planar((0, 0, 1)).pose(pushed.q[None])[1][0].tolist() == [2, 3, 0]


def test_a_mechanism_of_all_joints_prints_one_line_each():
    m, parent = ps.Mechanism(), "world"
    for kind, joint in JOINTS.items():
        m.add(kind, ps.Body(1.0, (1, 1, 1)), joint, parent)
        parent = kind
    lines = str(m).splitlines()
    assert len(lines) == 1 + len(JOINTS)
    for line, (kind, joint) in zip(lines[1:], JOINTS.items(), strict=True):
        assert f"─ {kind}: {joint}" in line
