"""Representation does not matter: one physical system, written differently, moves in the same way."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import poinsot as ps
from poinsot.formats.data import from_data, to_data
from poinsot.model.kinematics import motions
from support.random_trees import inertia, quaternion, tree
from support.rewriting import WRITINGS, Written, first, rotation

SAME = 1e-10
STEP, STEPS = 0.001, 60  # gauss4: the truncation of these motions is far below SAME


def moved(x: Written):
    m = from_data(x.data)
    return ps.simulate(m, ps.State(0.0, x.q, x.v), "gauss4", step=STEP, steps=STEPS, every=20)


def differences(a, b, turned, names):
    """The largest differences of two runs, each relative to the size of the quantity if that is above 1."""
    found = {}

    def compare(what, x, y):
        found[what] = max(found.get(what, 0.0), np.abs(x - y).max() / max(1.0, np.abs(x).max()))

    for name, other in names.items():
        D = turned.get(name, Rotation.identity()).as_matrix()
        compare("position", a.part(name).position, b.part(other).position)
        compare("velocity", a.part(name).velocity, b.part(other).velocity)
        compare("rotation", a.rotation(name) @ D, b.rotation(other))
        compare("angular velocity", a.angular_velocity(name) @ D, b.angular_velocity(other))
    for what in ("kinetic", "energy", "linear_momentum", "angular_momentum"):
        compare(what, getattr(a, what), getattr(b, what))
    return found


def carries(run, name):
    """Whether a body is none that is welded to another."""
    return run.mechanism.carrier(name) == name


def assert_same(a, b, turned=None, names=None, heavy=None, tolerance=SAME):
    """`names` pairs bodies of the two runs; by default those of the first by their own names."""
    names = {name: name for name in a.mechanism.names} if names is None else names
    found = differences(a, b, turned or {}, names)
    if heavy:  # halves: the centre of mass of a body is that of two
        found = {key: value for key, value in found.items() if key not in ("position", "velocity")}
        for name in heavy:
            x = (b.part(name).position + b.part(name + " too").position) / 2
            found[name] = np.abs(x - a.part(name).position).max()
            found[f"all of {name}"] = (
                np.abs(b.position(name) - a.position(name)).max() if carries(a, name) else 0.0
            )
    assert found, "nothing was compared"
    assert max(found.values()) < tolerance, found


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("writing", WRITINGS)
def test_a_random_tree_may_be_written_in_another_way(writing, seed):
    x = first(*tree(seed)[:3])
    y = WRITINGS[writing](x, np.random.default_rng(1000 + seed))
    heavy = [one["name"] for one in x.data["bodies"] if one["mass"] > 0] if writing == "halves" else None
    assert_same(moved(x), moved(y), y.turned, heavy=heavy)


def test_two_writings_at_once_and_the_comparison_sees_a_different_motion():
    x = first(*tree(3)[:3])
    y = x
    for seed, writing in enumerate(("halves", "joint frames", "frames between", "order")):
        y = WRITINGS[writing](y, np.random.default_rng(seed))
    heavy = [one["name"] for one in x.data["bodies"] if one["mass"] > 0]
    assert_same(moved(x), moved(y), heavy=heavy)
    other = first(*x[:3])
    other.v[0] += 1e-8
    with pytest.raises(AssertionError, match="position"):
        assert_same(moved(x), moved(other))


# the same joint made of others, between a hinge and a ball

RANDOM = np.random.default_rng(41)
PLACES = [(0.4 * RANDOM.normal(size=3), quaternion(RANDOM)) for _ in range(6)]
BODIES = [
    ps.Body(mass, inertia(RANDOM, 2 * mass), center_of_mass=0.3 * RANDOM.normal(size=3))
    for mass in (2.0, 1.0, 0.7)
]
AXIS, SECOND = RANDOM.normal(size=3), RANDOM.normal(size=3)
NORMAL = np.cross(AXIS, SECOND)
Q, V = RANDOM.normal(size=(2, 8))


def between(joints, values, body_at):
    """base, the joints one after the other with the body on the last, and an arm; run from these values."""
    m = ps.Mechanism(gravity=(1.0, -2.0, -9.0))
    at, turn = PLACES[0]
    m.add("base", BODIES[0], ps.Revolute((1, 2, 3)), at=at, rotation=turn, body_at=PLACES[1])
    parent, start = "base", {"base": dict(angle=0.4, rate=1.1)}
    for i, (joint, state) in enumerate(zip(joints, values, strict=True)):
        name, last = f"x{i}", i == len(joints) - 1
        place = dict(at=PLACES[2][0], rotation=PLACES[2][1]) if i == 0 else {}
        if last and body_at:
            place["body_at"] = PLACES[3]
        m.add("x" if last else name, BODIES[1] if last else None, joint, parent, **place)
        parent = "x" if last else name
        start[parent] = state
    m.add("arm", BODIES[2], ps.Spherical(), "x", at=PLACES[4][0], rotation=PLACES[4][1], body_at=PLACES[5])
    start["arm"] = dict(rotation=PLACES[0][1], angular_velocity=(0.5, -1.0, 0.7))
    return ps.simulate(m, m.state(start), "gauss4", step=STEP, steps=STEPS, every=20)


PAIR = {"base": "base", "x": "x", "arm": "arm"}


def hinge(axis, k):
    return ps.Revolute(axis), dict(angle=Q[k], rate=V[k])


def slide(axis, k):
    return ps.Prismatic(axis), dict(displacement=Q[k], speed=V[k])


def columns(normal):
    """The axes of the plane, as the table of joints says."""
    n = np.array(normal) / np.linalg.norm(normal)
    e1 = np.eye(3)[np.argmin(np.abs(n))]
    e1 = e1 - (e1 @ n) * n
    e1 /= np.linalg.norm(e1)
    return e1, np.cross(n, e1)


def planar():
    e1, e2 = columns(NORMAL)
    one = ps.Planar(NORMAL), dict(displacement=Q[:2], angle=Q[2], speed=V[:2], rate=V[2])
    return [one], [slide(e1, 0), slide(e2, 1), hinge(NORMAL, 2)]


def ball():
    """R = Rx(a) Ry(b) Rz(c): w has the turns about x and y, seen from behind the later ones."""
    Rx, Ry, Rz = (Rotation.from_rotvec(Q[k] * np.eye(3)[k]) for k in range(3))
    w = (Ry * Rz).inv().apply((V[0], 0, 0)) + Rz.inv().apply((0, V[1], 0)) + (0, 0, V[2])
    R = (Rx * Ry * Rz).as_quat(scalar_first=True)
    assert abs(np.cos(Q[1])) > 0.1, "away from the singularity"
    one = ps.Spherical(), dict(rotation=R, angular_velocity=w)
    return [one], [hinge(axis, k) for k, axis in enumerate(np.eye(3))]


def free():
    """position and velocity of a free body are those of its centre of mass, in joint axes."""
    R, w, c = rotation(PLACES[1][1]), V[3:6], np.array(BODIES[1].center_of_mass)
    turn = dict(rotation=PLACES[1][1], angular_velocity=w)
    whole = dict(position=Q[:3] + R.apply(c), velocity=V[:3] + R.apply(np.cross(w, c)), **turn)
    slides = [slide(axis, k) for k, axis in enumerate(np.eye(3))]
    return [(ps.Free(), whole)], [*slides, (ps.Spherical(), turn)]


EQUAL = {
    "universal, perpendicular": lambda: (
        [(ps.Universal(AXIS, NORMAL), dict(angles=Q[:2], rates=V[:2]))],
        [hinge(AXIS, 0), hinge(NORMAL, 1)],
    ),
    "universal, skew": lambda: (
        [(ps.Universal(AXIS, SECOND), dict(angles=Q[:2], rates=V[:2]))],
        [hinge(AXIS, 0), hinge(SECOND, 1)],
    ),
    "cylindrical": lambda: (
        [(ps.Cylindrical(AXIS), dict(angle=Q[0], displacement=Q[1], rate=V[0], speed=V[1]))],
        [hinge(AXIS, 0), slide(AXIS, 1)],
    ),
    "planar": planar,
    "spherical": ball,
    "free": free,
}


@pytest.mark.parametrize("case", EQUAL)
def test_a_joint_is_what_simpler_ones_make(case):
    one, many = (between(*zip(*parts, strict=True), body_at=case != "free") for parts in EQUAL[case]())
    assert_same(one, many, names=PAIR)


# who carries whom


def reversed_joint(joint, q, v):
    """The joint, its coordinates and velocities seen from the child."""
    if isinstance(joint, ps.Spherical):
        R = rotation(q)
        return joint, R.inv().as_quat(scalar_first=True), -R.apply(v)
    if isinstance(joint, ps.Universal):
        return ps.Universal(joint.axis2, joint.axis1), -q[::-1], -v[::-1]
    if isinstance(joint, ps.Planar):  # x' = -R(-a) x with R(-a). = -a. J R(-a)
        c, s = np.cos(q[2]), np.sin(q[2])
        back, J = np.array([[c, s], [-s, c]]), np.array([[0, -1], [1, 0]])
        x = -back @ q[:2]
        return joint, np.array([*x, -q[2]]), np.array([*(-back @ v[:2] - v[2] * J @ x), -v[2]])
    return joint, -q, -v


CHAINS = [
    (ps.Revolute((1, 2, 3)), ps.Spherical(), ps.Cylindrical((0, 1, 1))),
    (ps.Prismatic((1, 0, 2)), ps.Universal((1, 1, 0), (0, 1, 2)), ps.Planar((1, -1, 2))),
    (ps.Universal((1, 0, 0), (0, 0, 1)), ps.Revolute((0, 1, 0)), ps.Spherical(), ps.Fixed()),
    (ps.Helical((1, 0, 2), 2.0), ps.Spherical(), ps.Helical((0, 1, -1), -1.3)),
]


@pytest.mark.parametrize("joints", CHAINS)
@pytest.mark.parametrize("gravity", [(0, 0, 0), (1, -2, -9)])
def test_a_free_chain_may_hang_on_either_end(joints, gravity):
    random = np.random.default_rng(7)
    m, names = ps.Mechanism(gravity=gravity), [f"b{i}" for i in range(len(joints) + 1)]
    body = [ps.Body(1.0 + i, inertia(random, 2.0), 0.3 * random.normal(size=3)) for i in range(len(names))]
    m.add(names[0], body[0], ps.Free())
    for i, joint in enumerate(joints):
        place = dict(at=0.5 * random.normal(size=3), rotation=quaternion(random))
        m.add(names[i + 1], body[i + 1], joint, names[i], **place, body_at=PLACES[i])
    parts = [
        quaternion(random) if joint.quaternion == 0 else random.normal(size=joint.nq) for joint in joints
    ]
    q = np.concatenate([random.normal(size=3), quaternion(random), *parts])
    v = random.normal(size=m.lengths[1])
    end = motions(m, q[None], v[None])[names[-1]]
    other = ps.Mechanism(gravity=gravity).add(names[-1], body[-1], ps.Free())
    R = end.rotation[0]
    parts_q = [[*end.origin[0], *end.quaternion[0]]]
    parts_v = [[*end.angular_velocity[0], *(R.T @ end.origin_velocity[0])]]
    for name, link in reversed(list(zip(names[:-1], m.links[1:], strict=True))):
        i, j = m.slices(link.name)
        joint, x, u = reversed_joint(link.joint, q[i], v[j])
        turn, place = rotation(link.body_rotation).inv(), rotation(link.rotation).inv()
        other.add(
            name,
            m.link(name).body,
            joint,
            link.name,
            at=-turn.apply(np.array(link.body_at)),
            rotation=turn.as_quat(scalar_first=True),
            body_at=(-place.apply(np.array(link.at)), place.as_quat(scalar_first=True)),
        )
        parts_q.append(x)
        parts_v.append(u)
    a = moved(Written(to_data(m), q, v, {}))
    b = moved(Written(to_data(other), np.concatenate(parts_q), np.concatenate(parts_v), {}))
    assert_same(a, b)


def test_a_free_body_does_not_care_who_it_is_counted_from():
    """A Free joint on a moving body is the same as one on the world: relative and absolute placement."""
    m = ps.Mechanism()
    m.add("arm", BODIES[0], ps.Revolute((1, 2, 3)), at=PLACES[0][0], body_at=PLACES[1])
    alone = m.snapshot().add("stone", BODIES[1], ps.Free())
    carried = m.snapshot().add("stone", BODIES[1], ps.Free(), "arm", at=PLACES[2][0], rotation=PLACES[2][1])
    start = carried.state(
        {"arm": dict(angle=0.3, rate=2.0), "stone": dict(position=(1, 2, 3), angular_velocity=(1, -2, 0.5))}
    )
    x = motions(carried, start.q[None], start.v[None])["stone"]
    given = dict(rotation=x.quaternion[0], position=x.position[0], velocity=x.velocity[0])
    from_world = alone.state(
        {"arm": dict(angle=0.3, rate=2.0), "stone": dict(angular_velocity=x.angular_velocity[0], **given)}
    )
    a = moved(Written(to_data(carried), start.q, start.v, {}))
    b = moved(Written(to_data(alone), from_world.q, from_world.v, {}))
    assert_same(a, b)
    t = a.time[:, None]
    falls = x.position[0] + t * x.velocity[0] + t**2 / 2 * np.array((0, 0, -9.81))
    assert a.position("stone") == pytest.approx(falls, abs=SAME)
