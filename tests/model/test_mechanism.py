"""What users write: bodies on joints by name, states by name, and mistakes answered in one line.

The witness for all geometry is `scipy.spatial.transform.Rotation`, which shares no line with ours.
"""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import poinsot as ps
from poinsot.model.kinematics import motion

C = np.array([0.1, -0.2, 0.3])
BODY = ps.Body(2.0, (1.0, 1.2, 1.5), center_of_mass=C)
TURN = Rotation.from_rotvec([0.3, -0.5, 0.7])
PLACE = Rotation.from_rotvec([-1.1, 0.4, 0.2])
AT = np.array([0.5, 1.0, -2.0])
ROUND = 1e-15 * 8  # a handful of operations on numbers of size 1


def scalar_first(rotation):
    return rotation.as_quat(scalar_first=True)


def one(joint, **place):
    return ps.Mechanism().add("link", BODY, joint, **place)


def moving(m, **coordinates):
    """Pose and velocities of the body in space."""
    state = m.state({"link": coordinates})
    return motion(m, "link", state.q[None], state.v[None])


def pull(t, R, w, p, v): ...


def message(call, *arguments, **options):
    """The one line of a ModelError."""
    with pytest.raises(ps.ModelError) as caught:
        call(*arguments, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# states


def test_what_is_missing_is_zero_or_no_rotation():
    for values in (None, {}, {"link": {}}):
        held, free = one(ps.Spherical()).state(values), one(ps.Free()).state(values)
        assert held.time == free.time == 0.0
        assert held.q.tolist() == [1, 0, 0, 0]
        assert held.v.tolist() == [0, 0, 0]
        assert free.q.tolist() == [*-C, 1, 0, 0, 0]  # the centre of mass is at zero
        assert free.v.tolist() == [0, 0, 0, 0, 0, 0]


def test_q_and_v_hold_the_bodies_in_the_order_of_add():
    m = ps.Mechanism().add("b", BODY, ps.Spherical()).add("a", BODY, ps.Free(), parent="b")
    state = m.state(
        {"a": {"angular_velocity": (4, 5, 6)}, "b": {"rotation": (0, 1, 0, 0), "angular_velocity": (1, 2, 3)}}
    )
    assert m.names == ["b", "a"]
    assert (state.q.size, state.v.size) == (4 + 7, 3 + 6)
    assert state.q[:4].tolist() == [0, 1, 0, 0]
    assert state.v[:6].tolist() == [1, 2, 3, 4, 5, 6]


def test_a_state_cannot_be_written_to():
    state = one(ps.Free()).state(time=3)
    assert state.time == 3.0
    for array in (state.q, state.v):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0


def test_a_free_body_is_given_by_its_centre_of_mass_and_stored_by_its_frame():
    """q = (p - R c, R), v = (w, R^T u - w x c): the origin o has p = o + R c, u = R (v_o + w x c)."""
    p, w, u = np.array([1.0, 2.0, 3.0]), np.array([0.4, -0.6, 0.8]), np.array([-1.0, 0.5, 2.0])
    state = one(ps.Free(), at=AT, rotation=PLACE.as_matrix()).state(
        {"link": {"rotation": TURN.as_matrix(), "position": p, "angular_velocity": w, "velocity": u}}
    )
    assert state.q[:3] == pytest.approx(p - TURN.apply(C), abs=ROUND)
    assert state.q[3:] == pytest.approx(scalar_first(TURN), abs=ROUND)
    assert state.v[:3].tolist() == w.tolist()
    assert state.v[3:] == pytest.approx(TURN.inv().apply(u) - np.cross(w, C), abs=ROUND)


def test_position_and_velocity_of_a_free_body_are_in_axes_of_the_joint_frame():
    p, w, u = np.array([1.0, 2.0, 3.0]), (0.4, -0.6, 0.8), np.array([-1.0, 0.5, 2.0])
    x = moving(
        one(ps.Free(), at=AT, rotation=PLACE.as_matrix()),
        rotation=TURN.as_matrix(),
        position=p,
        angular_velocity=w,
        velocity=u,
    )
    assert x.position[0] == pytest.approx(AT + PLACE.apply(p), abs=ROUND)
    assert x.velocity[0] == pytest.approx(PLACE.apply(u), abs=ROUND)
    assert x.rotation[0] == pytest.approx((PLACE * TURN).as_matrix(), abs=ROUND)
    assert x.angular_velocity[0].tolist() == list(w)


def test_a_body_on_a_ball_joint_goes_round_the_joint():
    """R = R_J R_q R_b, p = at + R_J R_q (b + R_b c), and w is given in the joint's child frame."""
    b, inner, w = (
        np.array([0.2, 0.3, -0.4]),
        Rotation.from_rotvec([0.9, 0.1, -0.3]),
        np.array([1.0, -2.0, 0.5]),
    )
    place = {"at": AT, "rotation": PLACE.as_matrix(), "body_at": (b, inner.as_matrix())}
    x = moving(one(ps.Spherical(), **place), rotation=TURN.as_matrix(), angular_velocity=w)
    arm = b + inner.apply(C)
    outer = PLACE * TURN
    assert x.rotation[0] == pytest.approx((outer * inner).as_matrix(), abs=ROUND)
    assert x.position[0] == pytest.approx(AT + outer.apply(arm), abs=ROUND)
    assert x.velocity[0] == pytest.approx(outer.apply(np.cross(w, arm)), abs=ROUND)
    assert x.angular_velocity[0] == pytest.approx(inner.inv().apply(w), abs=ROUND)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_rotation_may_be_a_matrix_or_a_quaternion_of_either_sign(sign):
    as_matrix, as_quaternion = (
        moving(
            one(ps.Spherical(), rotation=place, body_at=((0, 0, 0), place)),
            rotation=turn,
            angular_velocity=(1, 2, 3),
        )
        for place, turn in (
            (PLACE.as_matrix(), TURN.as_matrix()),
            (sign * scalar_first(PLACE), sign * scalar_first(TURN)),
        )
    )
    for x, y in ((as_matrix.rotation, as_quaternion.rotation), (as_matrix.velocity, as_quaternion.velocity)):
        assert x == pytest.approx(y, abs=ROUND)


# mistakes


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"name": "link"}, "body 'link': the name is taken"),
        ({"name": "world"}, "body 'world': the name is taken"),
        ({"name": ""}, "a body needs a name, got ''"),
        ({"name": 5}, "a body needs a name, got 5"),
        ({"parent": "lnk"}, "body 'arm': unknown parent 'lnk', did you mean 'link'?"),
        ({"parent": "arm"}, "body 'arm': a body cannot be its own parent"),
        ({"parent": 5}, "body 'arm': unknown parent"),
        ({"at": (1, 2)}, "body 'arm': at must be 3 numbers, got (1, 2)"),
        ({"at": (1, 2, np.nan)}, "body 'arm': at must be finite, got (1, 2, nan)"),
        ({"body_at": ((1, 2), None)}, "body 'arm': body_at must be 3 numbers, got (1, 2)"),
        ({"joint": ps.Free(), "body_at": (1, 0, 0)}, "body 'arm': body_at has no meaning on a Free joint"),
        ({"joint": ps.Free(), "body_at": ((0, 0, 0), (0, 1, 0, 0))}, "body 'arm': body_at has no meaning"),
        ({"rotation": np.diag([1, 1, -1])}, "body 'arm': rotation must have determinant +1, got -1: it is a"),
        ({"body": ps.Box((1, 1, 1))}, "body 'arm': expected a Body, got Box(size=(1.0, 1.0, 1.0)) (a shape"),
        ({"joint": "spherical"}, "body 'arm': expected a joint such as Spherical(), got 'spherical'"),
    ],
)
def test_a_body_that_does_not_fit_is_refused_by_name(change, text):
    given = {"name": "arm", "body": BODY, "joint": ps.Spherical(), **change}
    m = one(ps.Spherical())
    assert message(m.add, **given).startswith(text)
    assert m.names == ["link"]


def test_a_joint_without_brackets_is_explained():
    text = message(ps.Mechanism().add, "link", BODY, ps.Spherical)
    assert text.startswith("body 'link': expected a joint such as Spherical(), got <class")
    assert text.endswith("write it with brackets")


def test_a_free_joint_takes_a_place_that_changes_nothing():
    ps.Mechanism().add("link", BODY, ps.Free(), body_at=((0, 0, 0), np.eye(3)))


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"lnk": {}}, "state: unknown body 'lnk', did you mean 'link'?"),
        (
            {"link": {"rotatoin": 0}},
            "state of 'link': unknown coordinate 'rotatoin', did you mean 'rotation'? "
            "(Spherical has rotation, angular_velocity, euler, euler_degrees)",
        ),
        ({"link": {"mass": 1}}, "state of 'link': unknown coordinate 'mass' (Spherical has rotation, "),
        ({"link": {5: 0}}, "state of 'link': unknown coordinate"),
        (
            {"link": {"angular_velocity": (1, 2)}},
            "state of 'link': angular_velocity must be 3 numbers, got (1, 2)",
        ),
        (
            {"link": {"rotation": (1, 1, 0, 0)}},
            "state of 'link': rotation must be a quaternion of length 1, got length 1.41421356237",
        ),
        ({"link": (1, 2, 3)}, "state of 'link': expected dict(...), got (1, 2, 3)"),
        ([1, 2, 3], "state: expected "),
        ("link", "state: expected "),
    ],
)
def test_a_state_that_does_not_fit_is_refused_by_name(values, text):
    assert message(one(ps.Spherical()).state, values).startswith(text)


def test_a_time_that_is_no_number_is_refused():
    assert message(one(ps.Free()).state, time=np.nan) == "state: time must be finite, got nan"


@pytest.mark.parametrize(
    ("force", "text"),
    [
        (ps.Impulse("lnk", 1.0), "impulse on 'lnk' at t = 1: unknown body 'lnk', did you mean 'link'?"),
        (ps.Torque("world", pull), "torque 'pull' on 'world': unknown body 'world'"),
        (BODY, "expected a force such as Torque(...), got "),
    ],
)
def test_a_force_on_nobody_is_refused(force, text):
    m = one(ps.Spherical())
    assert message(m.apply, force).startswith(text)
    assert m.forces == []


# printing


def test_a_mechanism_prints_as_a_tree():
    small = ps.Body(1.0, (1.0, 1.0, 1.0))
    m = ps.Mechanism(gravity=(0, 0, -1))
    m.add("a", small, ps.Spherical(), at=(0, 0, 2)).add("b", small, ps.Free())
    m.add("c", small, ps.Spherical(), parent="a").add("d", small, ps.Free(), parent="c")
    m.apply(ps.Torque("c", pull), ps.Impulse("d", 2.0))
    assert str(m).splitlines() == [
        "world, gravity (0, 0, -1)",
        "├─ a: Spherical at (0, 0, 2), Body(mass=1, inertia=(1, 1, 1))",
        "│  └─ c: Spherical, Body(mass=1, inertia=(1, 1, 1))",
        "│     └─ d: Free, Body(mass=1, inertia=(1, 1, 1))",
        "└─ b: Free, Body(mass=1, inertia=(1, 1, 1))",
        "force: torque 'pull' on 'c'",
        "force: impulse on 'd' at t = 2",
    ]
    assert repr(m) == "Mechanism(a, b, c, d)"
