"""Several shapes as one, `Shapes`, and several bodies as one, `Body.of`; `body.add_up` adds their masses."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from poinsot.elementary.arrays import ArrayLike
from poinsot.elementary.linear import product
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.body import Body, add_up
from poinsot.model.checks import Array, show
from poinsot.model.fields import Cleaned, array, field
from poinsot.model.rotations import apply, matrix, times
from poinsot.model.shapes.solids import Box, Solid

EXPECTED = "(shape, at, rotation, mass), with dict(density=...) in place of the mass"


class Piece(NamedTuple):
    """A shape at its place in a composite; what is not known of mass and density is None."""

    shape: Solid
    at: tuple[float, ...]
    rotation: tuple[float, ...]
    mass: float | None = None
    density: float | None = None

    @property
    def weight(self) -> float:
        """Mass [kg], or the volume of a part of which neither mass nor density is known."""
        if self.mass is not None:
            return self.mass
        return self.shape.volume * (1.0 if self.density is None else self.density)

    @property
    def centroid(self) -> Array:
        """Centroid in the frame of the composite."""
        return np.array(self.at) + apply(np.array(self.rotation), self.shape.center)


def _part(who: str, given: Any) -> Piece:
    """Return a part of (shape, at, rotation, mass or density), of which the shape must be given."""
    if isinstance(given, Piece):
        return given
    if isinstance(given, Solid):
        given = (given,)
    if not isinstance(given, Sequence) or isinstance(given, str) or not 1 <= len(given) <= 4:
        raise ModelError(f"{who}: a part must be {EXPECTED}, got {show(given)}")
    shape, at, rotation, weight = [*given, None, None, None][:4]
    if not isinstance(shape, Solid) or isinstance(shape, Shapes):
        raise ModelError(f"{who}: the shape of a part must be a shape such as Box, got {show(shape)}")
    place = checks.vector(who, "at", (0.0, 0.0, 0.0) if at is None else at)
    turn = checks.rotation(who, "rotation", rotation)
    known = weight if isinstance(weight, Mapping) else {} if weight is None else {"mass": weight}
    if not set(known) <= {"mass", "density"} or len(known) > 1:
        raise ModelError(f"{who}: a part must be {EXPECTED}, got {show(weight)}")
    numbers = {key: checks.number(who, key, x, positive=True) for key, x in known.items()}
    if not (shape.volume or "mass" in numbers):
        raise ModelError(f"{who}: {shape!r} has no volume, give its mass")
    return Piece(shape, tuple(place.tolist()), tuple(turn.tolist()), **numbers)


def _parts(who: str, what: str, value: Any) -> tuple[Piece, ...]:
    found = tuple(_part(who, one) for one in checks.items(who, what, value, f"a list of {EXPECTED}"))
    if not found:
        raise ModelError(f"{who}: {what} is empty: give at least one shape")
    if len({one.mass is None and one.density is None for one in found}) > 1:
        raise ModelError(f"{who}: give the mass or the density of all parts, or of none")
    return found


class Shapes(Solid):
    """Several shapes as one: a disc on a rod, the arms and rotors of a copter.

    A part is (shape, at, rotation, mass): where the origin of the shape lies [m], how it is rotated (a matrix
    or a quaternion; None: not), and its mass [kg], or `dict(density=...)` [kg/m³].  All but the shape may be
    left out; without masses and densities all parts have the same density, which `body` gives.

    >>> rod, disc = ps.Cylinder(0.05, 0.4), ps.Cylinder(0.4, 0.05)
    >>> top = ps.Shapes([(rod, (0, 0, 0.2)), (disc, (0, 0, 0.425))]).body(density=1000.0)
    >>> round(top.mass, 9), top.center_of_mass.round(9)
    (28.274333882, array([0. , 0. , 0.4]))
    """

    by_value = True
    parts: Cleaned[tuple[Piece, ...], Iterable[Any]] = field(
        "list of (shape, at, rotation, mass)", _parts, "parts", sample=[(Box(1.0), (0, 0, 0), None, 1.0)]
    )
    anchor: Cleaned[Array | None, ArrayLike | None] = array(
        "point that lies in the center of mass of a body that is drawn with it; by default the centroid",
        "3 numbers",
        (3,),
        unit="m",
        default=None,
    )

    @cached_property
    def _sums(self) -> tuple[float, Array, Array]:
        return add_up(
            [
                (one.weight, one.centroid, matrix(np.array(one.rotation)), one.shape.inertia(one.weight))
                for one in self.parts
            ]
        )

    @property
    def has_masses(self) -> bool:
        """True if the parts have masses or densities of their own."""
        return self.parts[0].mass is not None or self.parts[0].density is not None

    @property
    def volume(self) -> float:
        return float(sum(one.shape.volume for one in self.parts))

    @property
    def center(self) -> Array:
        return self._sums[1].copy() if self.anchor is None else np.array(self.anchor)

    def inertia(self, mass: float) -> Array:
        total, _, J = self._sums
        return checks.number("shapes", "mass", mass) / total * J

    def body(self, mass: float | None = None, density: float | None = None, **options: Any) -> Body:
        """Return a body of these shapes: as heavy as its parts, unless `mass` [kg] says otherwise.

        `mass`: mass of the whole, shared as the parts say; `density`: density of all parts [kg/m³], if they
        have neither mass nor density; `**options`: further arguments of `Body`.

        >>> ball = ps.Sphere(0.1)
        >>> ps.Shapes([(ball, (0, 0, 1), None, 2.0), (ball, (0, 0, -1), None, 2.0)]).body().mass
        4.0
        """
        if self.anchor is not None:
            raise ModelError("shapes: with an anchor they are to be drawn only: give the body its inertia")
        if self.has_masses and density is not None:
            raise ModelError("shapes: the parts have masses or densities of their own: give mass, or neither")
        return super().body(self._sums[0] if self.has_masses and mass is None else mass, density, **options)

    def __repr__(self) -> str:
        return f"Shapes({len(self.parts)} parts, volume {self.volume:.6g})"

    def to_dict(self) -> dict[str, Any]:
        anchor = {} if self.anchor is None else {"anchor": self.anchor.tolist()}
        return {"kind": "shapes", "parts": [_part_data(one) for one in self.parts], **anchor}


def _part_data(one: Piece) -> dict[str, Any]:
    weight = {"mass": one.mass, "density": one.density}
    known = {key: x for key, x in weight.items() if x is not None}
    return {"shape": one.shape.to_dict(), "at": list(one.at), "rotation": list(one.rotation), **known}


def part_of(data: Mapping[str, Any], shape: Solid) -> tuple[Any, ...]:
    """Return a part of its data; `shape` is the shape of `data["shape"]`."""
    weight = {key: data[key] for key in ("mass", "density") if key in data}
    return shape, data.get("at"), data.get("rotation"), weight or None


def body_of(parts: Iterable[Any]) -> Body:
    """Return bodies as one; `Body.of` says what `parts` are."""
    found = [_body_part(one) for one in checks.items("body", "parts", parts, "a list of bodies")]
    if not found:
        raise ModelError("body: parts is empty: give at least one body")
    m, c, J = add_up(
        [(body.mass, at + apply(q, body.center_of_mass), matrix(q), body.inertia) for body, at, q in found]
    )
    drawn = all(isinstance(body.shape, Solid) or not body.mass for body, *_ in found)
    shapes = [one for body, at, q in found if drawn and body.mass for one in _place_parts(body, at, q)]
    physical = all(body.physical for body, *_ in found)
    return Body(m, J, c, Shapes(shapes) if shapes else None, physical=physical)


def _place_parts(body: Body, at: Array, q: Array) -> list[tuple[Any, ...]]:
    """Return the shapes of a body, with its mass, in a frame where its own frame lies at (at, q)."""
    shape = body.shape
    assert isinstance(shape, Solid)
    own = shape.parts if isinstance(shape, Shapes) else (Piece(shape, (0.0,) * 3, (1.0, 0.0, 0.0, 0.0)),)
    total = sum(one.weight for one in own) or 1.0
    R, origin = matrix(q), at + apply(q, body.center_of_mass - shape.center)
    return [
        (
            one.shape,
            origin + times(R, np.array(one.at)),
            product(R, matrix(np.array(one.rotation))),
            body.mass * (one.weight / total if len(own) > 1 else 1.0),
        )
        for one in own
    ]


def _body_part(given: Any) -> tuple[Body, Array, Array]:
    several = list(given) if isinstance(given, list | tuple) else [given]
    body, at, rotation = [*several, None, None, None][:3]
    if not isinstance(body, Body) or len(several) > 3:
        raise ModelError(f"body: a part must be a body or (body, at, rotation), got {show(given)}")
    place = checks.vector("body", "at", (0.0, 0.0, 0.0) if at is None else at)
    return body, place, checks.rotation("body", "rotation", rotation)
