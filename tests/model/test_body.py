"""Bodies, and the checks that the whole model layer uses."""

import copy
import dataclasses
import warnings
from typing import Any

import numpy as np
import pytest

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.body import Body, PhysicsWarning
from poinsot.model.shapes.mesh import Mesh
from poinsot.model.shapes.solids import Box, Sphere

EPS = np.finfo(float).eps
TURN = np.array([[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]])  # a rotation in exact decimals


def message(call: Any, *args: Any, **options: Any) -> str:
    with pytest.raises(ModelError) as caught:
        call(*args, **options)
    return str(caught.value)


def matrix(q: checks.Array) -> checks.Array:
    """R(q) = 1 + 2 w hat(u) + 2 hat(u)², an independent way back."""
    w, x, y, z = q
    hat = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + 2 * w * hat + 2 * hat @ hat)


# checks


def test_number_returns_a_float() -> None:
    for value in (2, 2.0, np.int64(2), np.float32(2), np.array(2.0)):
        result = checks.number("body", "mass", value)
        assert type(result) is float
        assert result == 2.0


@pytest.mark.parametrize(
    ("value", "options", "text"),
    [
        (-1, {"positive": True}, "body 'link': mass must be positive, got -1"),
        (-1.5, {"positive": True}, "body 'link': mass must be positive, got -1.5"),
        (0, {"positive": True}, "body 'link': mass must be positive, got 0"),
        (-2, {"zero": True}, "body 'link': mass must not be negative, got -2"),
        (-2, {"zero": True, "positive": True}, "body 'link': mass must not be negative, got -2"),
        (np.nan, {}, "body 'link': mass must be finite, got nan"),
        (-np.inf, {}, "body 'link': mass must be finite, got -inf"),
        ("2", {}, "body 'link': mass must be a number, got '2'"),
        (None, {}, "body 'link': mass must be a number, got None"),
        (True, {}, "body 'link': mass must be a number, got True"),
        (1j, {}, "body 'link': mass must be a number, got 1j"),
        ([1, 2], {}, "body 'link': mass must be a number, got (1, 2)"),
        ([[1, 2], [3]], {}, "body 'link': mass must be a number, got ((1, 2), (3))"),
    ],
)
def test_number_says_what_is_wrong(value: object, options: dict[str, bool], text: str) -> None:
    assert message(checks.number, "body 'link'", "mass", value, **options) == text


def test_zero_admits_zero_and_plain_number_admits_negative() -> None:
    assert checks.number("joint", "damping", 0, zero=True) == 0
    assert checks.number("joint", "damping", 0, zero=True, positive=True) == 0
    assert checks.number("joint", "angle", -3) == -3


def test_vector_is_a_read_only_copy() -> None:
    given = np.array([1.0, 2.0, 3.0])
    result = checks.vector("body", "center_of_mass", given)
    given[0] = 9.0
    assert result.tolist() == [1, 2, 3]
    with pytest.raises(ValueError, match="read-only"):
        result[0] = 1.0


def test_vector_says_what_is_wrong() -> None:
    name, what = "joint 'elbow'", "axis"
    assert message(checks.vector, name, what, (1, 2)) == "joint 'elbow': axis must be 3 numbers, got (1, 2)"
    assert message(checks.vector, name, what, 1.0, 2) == "joint 'elbow': axis must be 2 numbers, got 1"
    expected = "joint 'elbow': axis must be finite, got (0, nan, 1)"
    assert message(checks.vector, name, what, [0, np.nan, 1]) == expected
    expected = "joint 'elbow': axis must be 3 numbers, got (0, 1, 2, 3, 4, 5, ...)"
    assert message(checks.vector, name, what, np.arange(9)) == expected


def test_triple_spreads_one_number() -> None:
    assert checks.triple("box", "size", 2).tolist() == [2, 2, 2]
    assert checks.triple("box", "size", (1, 2, 3)).tolist() == [1, 2, 3]
    expected = "box: size must be a number or 3 numbers, got (1, 2)"
    assert message(checks.triple, "box", "size", (1, 2)) == expected


def test_no_rotation_is_the_identity() -> None:
    assert checks.rotation("joint", "rotation", None).tolist() == [1, 0, 0, 0]
    assert checks.rotation("joint", "rotation", np.eye(3)).tolist() == [1, 0, 0, 0]


def test_quaternion_is_normalised_and_keeps_its_sign() -> None:
    q = checks.rotation("joint", "rotation", (-0.5, 0.5, 0.5, 0.5 + 9e-7))
    assert np.linalg.norm(q) == pytest.approx(1, abs=2 * EPS)
    assert q[0] < 0
    assert not q.flags.writeable


def test_matrix_becomes_its_quaternion_in_all_four_branches() -> None:
    random = np.random.default_rng(1)
    samples = random.normal(size=(500, 4))
    samples = np.concatenate([samples, np.eye(4), np.eye(4) + 1e-9 * random.normal(size=(4, 4))])
    branches = set()
    for q in samples / np.linalg.norm(samples, axis=1, keepdims=True):
        got = checks.rotation("joint", "rotation", matrix(q))
        assert got[0] >= 0
        assert np.abs(got - q).max() < 8 * EPS or np.abs(got + q).max() < 8 * EPS
        branches.add(int(np.abs(q).argmax()))
    assert branches == {0, 1, 2, 3}


def test_rotation_says_how_far_off() -> None:
    name, what = "joint 'elbow'", "rotation"
    assert message(checks.rotation, name, what, (1, 0, 0, 0.002)) == (
        "joint 'elbow': rotation must be a quaternion of length 1, got length 1.000002 "
        "(off by 2e-06, at most 1e-06)"
    )
    stretched = np.diag([1.0, 1.0, 1.0 + 1e-9])
    assert message(checks.rotation, name, what, stretched) == (
        "joint 'elbow': rotation must be an orthogonal matrix, RᵀR is off the identity by 2e-09 "
        "(at most 1e-09)"
    )
    assert message(checks.rotation, name, what, np.diag([1, 1, -1])) == (
        "joint 'elbow': rotation must have determinant +1, got -1: it is a reflection"
    )
    assert message(checks.rotation, name, what, (1, 0, 0)) == (
        "joint 'elbow': rotation must be a 3x3 matrix or a quaternion (w, x, y, z), got (1, 0, 0)"
    )
    assert message(checks.rotation, name, what, (1, 0, 0, np.inf)).endswith(
        "must be finite, got (1, 0, 0, inf)"
    )
    assert checks.rotation(name, what, np.diag([1.0, 1.0, 1.0 + 4e-10])) is not None
    assert checks.rotation(name, what, (1, 0, 0, 0.0014)) is not None  # off by 9.8e-7


def test_suggestion_offers_a_close_word() -> None:
    assert checks.suggestion("shpae", ["mass", "shape"]) == ", did you mean 'shape'?"
    assert checks.suggestion("zzz", {"mass": 1, "shape": 2}) == ""


# bodies


def test_three_moments_are_a_diagonal() -> None:
    body = Body(2, (1, 2, 2.5))
    assert type(body.mass) is float
    assert body.inertia.tolist() == [[1, 0, 0], [0, 2, 0], [0, 0, 2.5]]
    assert body.center_of_mass.tolist() == [0, 0, 0]
    assert body.shape is None
    assert body.physical


def test_matrix_is_copied_symmetrised_and_read_only() -> None:
    J = TURN @ np.diag([1.0, 2.0, 2.5]) @ TURN.T
    J[0, 1] += 1e-10
    body = Body(1.0, J, (0.0, 0.1, 0.2))
    assert np.array_equal(body.inertia, body.inertia.T)
    assert body.inertia[0, 1] == pytest.approx(J[1, 0] + 0.5e-10, abs=1e-15)
    for array in (body.inertia, body.center_of_mass):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        body.mass = 2.0  # type: ignore[misc]
    J[0, 0] = 7.0
    assert body.inertia[0, 0] != 7.0


def test_principal_frame() -> None:
    body = Body(1.0, TURN @ np.diag([2.0, 1.0, 2.5]) @ TURN.T)
    moments, axes = body.principal_moments, body.principal_axes
    assert np.abs(moments - [1.0, 2.0, 2.5]).max() < 8 * EPS
    assert np.abs(axes.T @ axes - np.eye(3)).max() < 8 * EPS
    assert np.linalg.det(axes) == pytest.approx(1.0)
    assert np.abs(axes @ np.diag(moments) @ axes.T - body.inertia).max() < 16 * EPS
    for order in ((1, 2, 2.5), (2, 1, 2.5), (2.5, 2, 1), (2, 2.5, 1)):  # eigh gives both hands
        assert np.linalg.det(Body(1.0, order).principal_axes) == pytest.approx(1.0)


def test_inertia_from_a_shape() -> None:
    box = Box((1.0, 2.0, 3.0))
    for body in (Body(12.0, box), Body(12.0, shape=box), Body(12.0, box, shape=box)):
        assert body.inertia.tolist() == np.diag([13.0, 10.0, 5.0]).tolist()
        assert body.shape is box
    ball = Sphere(1.0)
    mixed = Body(12.0, box, shape=ball)
    assert mixed.shape is ball
    assert mixed.inertia[0, 0] == 13.0
    own = Body(12.0, (1, 1, 1), shape=box)
    assert own.inertia[0, 0] == 1.0
    assert own.shape is box


def test_center_of_mass_comes_from_the_shape_that_gives_the_inertia() -> None:
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    mesh = Mesh.from_arrays(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    assert np.abs(Body(1.0, mesh).center_of_mass - 0.25).max() < EPS
    assert np.abs(Body(1.0, shape=mesh).center_of_mass - 0.25).max() < EPS
    assert Body(1.0, mesh, (0, 0, 0)).center_of_mass.tolist() == [0, 0, 0]
    assert Body(1.0, (1, 1, 1), shape=mesh).center_of_mass.tolist() == [0, 0, 0]


def test_a_body_without_mass_has_no_inertia() -> None:
    for body in (Body(0), Body(0, (0, 0, 0)), Body(0, Box(1.0))):
        assert body.mass == 0
        assert not body.inertia.any()
    expected = "body: mass must be positive, got 0 (allowed with zero inertia only)"
    assert message(Body, 0, (1, 1, 1)) == expected


@pytest.mark.parametrize(
    ("args", "text"),
    [
        ((-1, (1, 1, 1)), "body: mass must be positive, got -1"),
        ((np.nan, (1, 1, 1)), "body: mass must be finite, got nan"),
        (("heavy", (1, 1, 1)), "body: mass must be a number, got 'heavy'"),
        ((1,), "body: inertia is missing, give 3 moments, a 3x3 matrix or a shape"),
        ((1, (1, 1)), "body: inertia must be 3 moments, a 3x3 matrix or a shape, got (1, 1)"),
        ((1, "box"), "body: inertia must be 3 moments, a 3x3 matrix or a shape, got 'box'"),
        ((1, (1, np.inf, 1)), "body: inertia must be finite, got (1, inf, 1)"),
        ((1, (1, 1, 1), (0, 0)), "body: center_of_mass must be 3 numbers, got (0, 0)"),
        ((1, (1, 1, 1), (0, 0, np.nan)), "body: center_of_mass must be finite, got (0, 0, nan)"),
        ((1, (1, 1, 1), None, "box"), "body: shape must be a shape such as Box, got 'box'"),
        (
            (1, [[1, 0, 0], [0, 1, 2e-9], [0, 0, 1]]),
            "body: inertia must be symmetric, elements [1,2] and [2,1] are 2e-09 and 0",
        ),
        (
            (1, (1, 1, -0.5)),
            "body: inertia must not be negative, the smallest principal moment is -0.5",
        ),
        (
            (1, (1, 3, 1)),
            "body: principal moments (1, 1, 3) break the triangle inequality 1 + 1 >= 3: "
            "no real body has them (physical=False allows it)",
        ),
    ],
)
def test_errors_name_the_rule_and_the_number(args: tuple[Any, ...], text: str) -> None:
    assert message(Body, *args) == text


def test_rods_without_thickness_and_points_are_bodies() -> None:
    rod = Body(1.0, TURN @ np.diag([1.0, 1.0, 0.0]) @ TURN.T)
    assert np.abs(rod.principal_moments - [0, 1, 1]).max() < 8 * EPS
    assert not Body(2.0, (0, 0, 0)).inertia.any()


def test_tolerances_scale_with_the_inertia() -> None:
    for size in (1e-12, 1.0, 1e12):
        assert Body(1.0, size * np.array([1.0, 1.0, 2.0 + 1e-9])).physical  # a flat plate, rounded
        assert "triangle" in message(Body, 1.0, size * np.array([1.0, 1.0, 2.0 + 3e-9]))
        wrong = size * (np.eye(3) + 2e-9 * np.eye(3, k=1))
        assert "symmetric" in message(Body, 1.0, wrong)


def test_unphysical_bodies_warn_and_keep_their_numbers() -> None:
    with pytest.warns(PhysicsWarning) as caught:
        body = Body(1.0, (1, 2, 4), physical=False)
    assert str(caught[0].message) == (
        "body: principal moments (1, 2, 4) break the triangle inequality 1 + 2 >= 4: no real body has them"
    )
    assert caught[0].filename == __file__
    assert body.inertia[2, 2] == 4
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not Body(1.0, (1, 2, 2.5), physical=False).physical
    with pytest.warns(PhysicsWarning, match="must not be negative"):
        assert Body(1.0, (1, 1, -1), physical=False).inertia[2, 2] == -1
    with pytest.warns(PhysicsWarning, match="mass must be positive, got 0"):
        assert Body(0.0, (1, 1, 1), physical=False).inertia[2, 2] == 1


def test_equal_bodies_are_equal() -> None:
    one, two = Body(1.0, (1, 2, 2.5), shape=Box(1.0)), Body(1.0, (1, 2, 2.5), shape=Box(1.0))
    assert one == two
    assert hash(one) == hash(two)
    assert hash(Body(1.0, (1, 1, 1), (0, 0, 0.0))) == hash(Body(1.0, (1, 1, 1), (0, 0, -0.0)))
    assert copy.deepcopy(one) == one
    assert dataclasses.replace(one, mass=1.0) == one
    for other in (
        Body(2.0, (1, 2, 2.5), shape=Box(1.0)),
        Body(1.0, (1, 2, 2.6), shape=Box(1.0)),
        Body(1.0, (1, 2, 2.5), (0, 0, 1), shape=Box(1.0)),
        Body(1.0, (1, 2, 2.5), shape=Box(2.0)),
        Body(1.0, (1, 2, 2.5), shape=Box(1.0), physical=False),
        "body",
    ):
        assert one != other


def test_repr_is_one_line() -> None:
    assert repr(Body(2, (1, 2, 2.5))) == "Body(mass=2, inertia=(1, 2, 2.5))"
    full = Body(2, [[2.0, 0.5, 0.0], [0.5, 2.0, 0.0], [0.0, 0.0, 2.0]], (0, 0, 1), Box(1.0), physical=False)
    assert repr(full) == (
        "Body(mass=2, inertia=((2, 0.5, 0), (0.5, 2, 0), (0, 0, 2)), center_of_mass=(0, 0, 1), "
        "shape=Box(size=(1.0, 1.0, 1.0)), physical=False)"
    )
