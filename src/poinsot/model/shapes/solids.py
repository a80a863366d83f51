"""Shapes of uniform density: volume V and inertia J(m) about the centre, in the shape's axes.

    box a × b × c     V = abc               J = m/12 diag(b² + c², c² + a², a² + b²)     (1)
    cylinder r, l     V = πr²l              J = m diag(k, k, r²/2),  k = (3r² + l²)/12   (2)
    sphere r          V = 4/3 πr³           J = 2/5 m r² 1                               (3)
    capsule r, l      V = πr²l + 4/3 πr³    J = (2) with m₂ + (3) with m₃                (4)
                                                + m₃ (l²/4 + 3/8 lr) diag(1, 1, 0),
                                            m₂ : m₃ = 3l : 4r,  m₂ + m₃ = m

Cylinder and capsule lie along z; l is the length of the cylindrical part.  In (4) the two half
balls (centroid 3/8 r beyond the ends) are moved outward by l/2 from the ball of (3).
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.body import Body
from poinsot.model.checks import Array


class Solid(ABC):
    """A shape with a volume; all of them make bodies in the same way."""

    @property
    @abstractmethod
    def volume(self) -> float:
        """In m³."""

    @property
    def center(self) -> Array:
        """The centroid in the shape's frame."""
        return np.zeros(3)

    @abstractmethod
    def inertia(self, mass: float) -> Array:
        """3x3 about `center`, for uniform density."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data; "kind" says which shape."""

    def body(self, mass: float | None = None, density: float | None = None, **options: Any) -> Body:
        """A body of this shape; `options` go to `Body`."""
        kind = type(self).__name__.lower()
        if mass is None and density is None:
            raise ModelError(f"{kind}: give mass or density, got neither")
        if mass is not None and density is not None:
            raise ModelError(
                f"{kind}: give mass or density, got both "
                f"(mass {checks.show(mass)}, density {checks.show(density)})"
            )
        if mass is None:
            mass = checks.number(kind, "density", density, positive=True) * self.volume
        return Body(mass, self, **options)


@dataclass(frozen=True, init=False)
class Box(Solid):
    """A cuboid with the sides `size` along x, y, z; one number means a cube."""

    size: tuple[float, float, float]

    def __init__(self, size: ArrayLike) -> None:
        a, b, c = checks.triple("box", "size", size).tolist()
        if min(a, b, c) <= 0:
            raise ModelError(f"box: size must be positive, got {checks.show(size)}")
        object.__setattr__(self, "size", (a, b, c))

    @property
    def volume(self) -> float:
        a, b, c = self.size
        return a * b * c

    def inertia(self, mass: float) -> Array:
        a, b, c = self.size
        return np.diag([b * b + c * c, c * c + a * a, a * a + b * b]) * (mass / 12)  # (1)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "box", "size": list(self.size)}


@dataclass(frozen=True)
class Cylinder(Solid):
    """A round cylinder along z."""

    radius: float
    length: float

    def __post_init__(self) -> None:
        for what in ("radius", "length"):
            value = checks.number("cylinder", what, getattr(self, what), positive=True)
            object.__setattr__(self, what, value)

    @property
    def volume(self) -> float:
        return pi * self.radius * self.radius * self.length

    def inertia(self, mass: float) -> Array:
        r, length = self.radius, self.length
        k = (3 * r * r + length * length) / 12
        return mass * np.diag([k, k, r * r / 2])  # (2)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "cylinder", "radius": self.radius, "length": self.length}


@dataclass(frozen=True)
class Sphere(Solid):
    """A ball."""

    radius: float

    def __post_init__(self) -> None:
        value = checks.number("sphere", "radius", self.radius, positive=True)
        object.__setattr__(self, "radius", value)

    @property
    def volume(self) -> float:
        return 4 / 3 * pi * self.radius * self.radius * self.radius

    def inertia(self, mass: float) -> Array:
        return 2 / 5 * mass * self.radius * self.radius * np.eye(3)  # (3)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "sphere", "radius": self.radius}


@dataclass(frozen=True)
class Capsule(Solid):
    """A cylinder along z with half a ball on either end; `length` is without them."""

    radius: float
    length: float

    def __post_init__(self) -> None:
        for what in ("radius", "length"):
            value = checks.number("capsule", what, getattr(self, what), positive=True)
            object.__setattr__(self, what, value)

    @property
    def volume(self) -> float:
        return Cylinder(self.radius, self.length).volume + Sphere(self.radius).volume

    def inertia(self, mass: float) -> Array:
        r, length = self.radius, self.length
        m2 = mass * 3 * length / (3 * length + 4 * r)
        m3 = mass * 4 * r / (3 * length + 4 * r)
        outward = m3 * (length * length / 4 + 3 / 8 * length * r)
        return (  # (4)
            Cylinder(r, length).inertia(m2) + Sphere(r).inertia(m3) + outward * np.diag([1.0, 1.0, 0.0])
        )

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "capsule", "radius": self.radius, "length": self.length}
