"""Shapes against numerical integration in curvilinear coordinates, and how they make bodies."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from poinsot.errors import ModelError
from poinsot.model.body import Body
from poinsot.model.rotations import matrix
from poinsot.model.shapes.composite import Shapes
from poinsot.model.shapes.solids import Box, Capsule, Cone, Cylinder, Ellipsoid, Solid, Sphere, Torus, Wheel

Point = tuple[Any, Any, Any]
SHAPES = [
    *(Box((0.3, 1.1, 2.0)), Cylinder(0.7, 1.9), Sphere(1.3), Capsule(0.4, 1.7), Capsule(1.5, 0.2)),
    *(Ellipsoid((0.3, 1.1, 2.0)), Cone(0.7, 1.9), Torus(1.3, 0.4), Wheel(0.9, 0.2)),
]


def integrate(point: Callable[..., Point], weight: Callable[..., Any], *ranges: tuple[float, float]) -> Any:
    """∫ dV, ∫ x dV and ∫ (|x|² 1 − x xᵀ) dV by tensor Gauss quadrature, 24 points each way."""
    nodes, weights = np.polynomial.legendre.leggauss(24)
    axes = [(a + b) / 2 + (b - a) / 2 * nodes for a, b in ranges]
    scales = [(b - a) / 2 * weights for a, b in ranges]
    u = np.meshgrid(*axes, indexing="ij")
    dV = np.einsum("i,j,k->ijk", *scales) * weight(*u)
    x = np.array(np.broadcast_arrays(*point(*u)))
    C = np.einsum("ipqr,jpqr,pqr->ij", x, x, dV)
    return dV.sum(), np.einsum("ipqr,pqr->i", x, dV), np.trace(C) * np.eye(3) - C


def turned(r: Any, angle: Any, z: Any) -> Point:
    return r * np.cos(angle), r * np.sin(angle), z


def ball(radius: float, low: float, high: float, shift: float) -> Any:
    """The part of a ball with polar angle from `low` to `high`, moved along z."""
    return integrate(
        lambda r, polar, angle: turned(r * np.sin(polar), angle, r * np.cos(polar) + shift),
        lambda r, polar, angle: r**2 * np.sin(polar),
        (0, radius),
        (low, high),
        (0, 2 * np.pi),
    )


def tube(radius: float, length: float) -> Any:
    return integrate(turned, lambda r, *_: r, (0, radius), (0, 2 * np.pi), (-length / 2, length / 2))


def integrals(shape: Solid) -> Any:
    match shape:
        case Box(size=(a, b, c)):
            one = (-a / 2, a / 2), (-b / 2, b / 2), (-c / 2, c / 2)
            return integrate(lambda *x: x, lambda *_: 1.0, *one)
        case Cylinder(radius=r, length=length):
            return tube(r, length)
        case Sphere(radius=r):
            return ball(r, 0, np.pi, 0)
        case Capsule(radius=r, length=length):
            top, bottom = ball(r, 0, np.pi / 2, length / 2), ball(r, np.pi / 2, np.pi, -length / 2)
            return [sum(parts) for parts in zip(tube(r, length), top, bottom, strict=True)]
        case Ellipsoid(radii=(a, b, c)):
            return integrate(
                lambda r, polar, angle: (
                    a * r * np.sin(polar) * np.cos(angle),
                    b * r * np.sin(polar) * np.sin(angle),
                    c * r * np.cos(polar),
                ),
                lambda r, polar, angle: a * b * c * r**2 * np.sin(polar),
                (0, 1),
                (0, np.pi),
                (0, 2 * np.pi),
            )
        case Cone(radius=r, length=length):
            return integrate(
                lambda share, angle, z: turned(share * r * (1 - z), angle, length * (z - 1 / 4)),
                lambda share, angle, z: share * r**2 * (1 - z) ** 2 * length,
                (0, 1),
                (0, 2 * np.pi),
                (0, 1),
            )
        case Torus(radius=R, tube=most) | Wheel(radius=R, tube=most):
            return integrate(
                lambda s, around, angle: turned(R + s * np.cos(around), angle, s * np.sin(around)),
                lambda s, around, angle: s * (R + s * np.cos(around)),
                (0, most),
                (0, 2 * np.pi),
                (0, 2 * np.pi),
            )
    raise AssertionError(shape)


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_closed_forms_agree_with_quadrature(shape: Solid) -> None:
    volume, first, inertia = integrals(shape)
    assert shape.volume == pytest.approx(volume, rel=1e-13)
    assert np.abs(shape.center - first / volume).max() < 1e-14
    got = shape.inertia(2.5)
    assert np.abs(got - 2.5 / volume * inertia).max() < 1e-13 * np.abs(got).max()


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_bodies_from_mass_and_from_density_agree(shape: Solid) -> None:
    light = shape.body(mass=3.0)
    assert light.mass == 3.0
    assert light.shape is shape
    assert np.array_equal(light.inertia, shape.inertia(3.0))
    assert light.center_of_mass.tolist() == [0, 0, 0]
    dense = shape.body(density=3.0 / shape.volume, center_of_mass=(1, 2, 3))
    assert dense.mass == pytest.approx(3.0, rel=1e-15)
    assert dense.center_of_mass.tolist() == [1, 2, 3]
    assert not shape.body(3.0, physical=False).physical


def test_a_wheel_without_a_tube_is_a_thin_ring() -> None:
    angle = np.arange(64) * np.pi / 32
    x = 0.7 * np.stack([np.cos(angle), np.sin(angle), 0 * angle])
    J = 3.0 * (np.trace(x @ x.T) * np.eye(3) - x @ x.T) / 64
    assert np.abs(Wheel(0.7).inertia(3.0) - J).max() < 1e-14


def test_composites_add_up_as_their_points_do() -> None:
    """Against the sum over points in the parts, each rotated and moved; and a body of bodies is the same."""
    rng = np.random.default_rng(5)
    box, ball, cone = Box((0.3, 0.5, 0.7)), Sphere(0.4), Cone(0.2, 0.6)
    places, turns = rng.normal(size=(3, 3)), rng.normal(size=(3, 4))
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    masses = (1.5, 700 * ball.volume, 0.8)
    weights = (1.5, dict(density=700.0), dict(mass=0.8))
    whole = Shapes(list(zip((box, ball, cone), places, turns, weights, strict=True)))
    total, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    for shape, at, q, m in zip((box, ball, cone), places, turns, masses, strict=True):
        volume, _, inertia = integrals(shape)
        moments = np.trace(inertia) / 2 * np.eye(3) - inertia  # sum x x^T dV about the centroid
        R = matrix(q)
        total, first = total + m, first + m * at
        second += m * (R @ (moments / volume) @ R.T + np.outer(at, at))
    center = first / total
    about = second - total * np.outer(center, center)
    J = np.trace(about) * np.eye(3) - about
    made = whole.body()
    assert made.mass == pytest.approx(total, rel=1e-14)
    assert np.abs(made.center_of_mass - center).max() < 1e-14
    assert np.abs(made.inertia - J).max() < 1e-13 * np.abs(J).max()
    assert np.abs(whole.body(mass=2 * total).inertia - 2 * J).max() < 1e-12
    bodies = [shape.body(mass=m) for shape, m in zip((box, ball, cone), masses, strict=True)]
    sum_ = Body.of(zip(bodies, places, turns, strict=True))
    again = Body.of([(sum_, (0, 0, 0)), (Body(0.0), None, None)])
    for one in (sum_, again):
        assert one.mass == pytest.approx(total, rel=1e-14)
        assert np.abs(one.center_of_mass - center).max() < 1e-14
        assert np.abs(one.inertia - J).max() < 1e-13 * np.abs(J).max()
        assert isinstance(one.shape, Shapes)
        assert np.abs(one.shape.center - center).max() < 1e-13
        assert np.abs(one.shape.inertia(total) - J).max() < 1e-12  # drawn where it weighs
    plain = Shapes([box, (ball, (0, 0, 1))])
    assert plain.body(density=2.0).mass == pytest.approx(2 * (box.volume + ball.volume))


def test_thin_shapes_pass_the_triangle_inequality() -> None:
    assert Box((1.0, 1.0, 1e-9)).body(mass=1.0).mass == 1.0
    assert Cylinder(1.0, 1e-9).body(mass=1.0).mass == 1.0


def test_scalar_size_is_a_cube() -> None:
    assert Box(2.0) == Box((2, 2, 2))
    assert hash(Box(2.0)) == hash(Box([2.0, 2.0, 2.0]))


@pytest.mark.parametrize(
    ("shape", "data"),
    [
        (Box((1, 2, 3)), {"kind": "box", "size": [1.0, 2.0, 3.0]}),
        (Cylinder(1, 2), {"kind": "cylinder", "radius": 1.0, "length": 2.0}),
        (Sphere(1), {"kind": "sphere", "radius": 1.0}),
        (Capsule(1, 2), {"kind": "capsule", "radius": 1.0, "length": 2.0}),
        (Ellipsoid((1, 2, 3)), {"kind": "ellipsoid", "radii": [1.0, 2.0, 3.0]}),
        (Wheel(1), {"kind": "wheel", "radius": 1.0, "tube": 0.0}),
        (
            Shapes([(Sphere(1), (0, 0, 1), None, 2.0)]),
            {
                "kind": "shapes",
                "parts": [
                    {
                        "shape": {"kind": "sphere", "radius": 1.0},
                        "at": [0.0, 0.0, 1.0],
                        "rotation": [1.0, 0.0, 0.0, 0.0],
                        "mass": 2.0,
                    }
                ],
            },
        ),
    ],
)
def test_shapes_are_plain_data(shape: Solid, data: dict[str, Any]) -> None:
    assert shape.to_dict() == data
    assert json.loads(json.dumps(shape.to_dict())) == data
    assert all(type(value) in (str, float, list) for value in shape.to_dict().values())


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: Box((1, -2, 3)), "box: size must be positive, got (1, -2, 3)"),
        (lambda: Box(0), "box: size must be positive, got 0"),
        (lambda: Box((1, 2)), "box: size must be a number or 3 numbers, got (1, 2)"),
        (lambda: Box((1, 2, np.nan)), "box: size must be finite, got (1, 2, nan)"),
        (lambda: Cylinder(-1, 2), "cylinder: radius must be positive, got -1"),
        (lambda: Cylinder(1, 0), "cylinder: length must be positive, got 0"),
        (lambda: Sphere("big"), "sphere: radius must be a number, got 'big'"),  # type: ignore[arg-type]
        (lambda: Sphere(np.inf), "sphere: radius must be finite, got inf"),
        (lambda: Capsule(0.0, 2), "capsule: radius must be positive, got 0"),
        (lambda: Capsule(1, -0.5), "capsule: length must be positive, got -0.5"),
        (lambda: Box(1).body(), "box: give mass or density, got neither"),
        (lambda: Sphere(1).body(), "sphere: give mass or density, got neither"),
        (
            lambda: Box(1).body(mass=1, density=2.5),
            "box: give mass or density, got both (mass 1, density 2.5)",
        ),
        (lambda: Capsule(1, 1).body(density=-1), "capsule: density must be positive, got -1"),
        (lambda: Box(1).body(mass=-1), "body: mass must be positive, got -1"),
        (lambda: Ellipsoid((1, 0, 2)), "ellipsoid: radii must be positive, got (1, 0, 2)"),
        (lambda: Torus(1, 2), "torus: tube must be at most the radius 1, got 2"),
        (lambda: Wheel(1).body(density=1), "wheel: it has no volume, give its mass"),
        (lambda: Shapes([]), "shapes: parts is empty: give at least one shape"),
        (lambda: Shapes([Wheel(1)]), "shapes: Wheel(radius=1.0, tube=0.0) has no volume, give its mass"),
        (
            lambda: Shapes([Box(1), (Box(1), None, None, 1.0)]),
            "shapes: give the mass or the density of all parts, or of none",
        ),
        (
            lambda: Shapes([(Box(1), None, None, 1.0)]).body(density=1),
            "shapes: the parts have masses or densities of their own: give mass, or neither",
        ),
        (lambda: Shapes([Box(1)]).body(), "shapes: give mass or density, got neither"),
        (
            lambda: Shapes([Shapes([Box(1)])]),
            "shapes: the shape of a part must be a shape such as Box, got Shapes(1 parts, volume 1)",
        ),
        (lambda: Body.of([]), "body: parts is empty: give at least one body"),
        (lambda: Body.of([1.0]), "body: a part must be a body or (body, at, rotation), got 1"),
        (lambda: Sphere(1e200).body(density=1), "body: mass must be finite, got inf"),
    ],
)
def test_errors_name_the_shape_and_the_number(call: Callable[[], object], text: str) -> None:
    with pytest.raises(ModelError) as caught:
        call()
    assert str(caught.value) == text
