"""Shapes of uniform density: volume V and inertia J(m) about the center, in the shape's axes.

    box a × b × c     V = abc               J = m/12 diag(b² + c², c² + a², a² + b²)     (1)
    cylinder r, l     V = πr²l              J = m diag(k, k, r²/2),  k = (3r² + l²)/12   (2)
    sphere r          V = 4/3 πr³           J = 2/5 m r² 1                               (3)
    capsule r, l      V = πr²l + 4/3 πr³    J = (2) with m₂ + (3) with m₃                (4)
                                                + m₃ (l²/4 + 3/8 lr) diag(1, 1, 0),
                                            m₂ : m₃ = 3l : 4r,  m₂ + m₃ = m
    ellipsoid a b c   V = 4/3 πabc          J = m/5 diag(b² + c², c² + a², a² + b²)      (5)
    cone r, l         V = 1/3 πr²l          J = m diag(k, k, 3/10 r²),
                                                k = 3/20 r² + 3/80 l²                    (6)
    torus r, s        V = 2π²rs²            J = m diag(k, k, r² + 3/4 s²),
                                                k = r²/2 + 5/8 s²                        (7)

Cylinder, capsule and cone lie along z, torus and wheel about z; l is the length of the cylindrical part.
In (4) the two half balls (centroid 3/8 r beyond the ends) are moved outward by l/2 from the ball of (3).  The
base of a cone lies at z = -l/4, its apex at 3/4 l.  A wheel is the torus (7) with its mass in the rim.
"""

from abc import ABC, abstractmethod
from math import pi
from typing import Any

import numpy as np

from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.body import Body
from poinsot.model.checks import Array
from poinsot.model.fields import Cleaned, Declared, field, number, plain_arguments


class Solid(Declared, ABC):
    """A shape with a volume that makes bodies of uniform density."""

    @property
    @abstractmethod
    def volume(self) -> float:
        """Volume [m³]."""

    @property
    def center(self) -> Array:
        """Centroid in the frame of the shape [m]."""
        return np.zeros(3)

    @abstractmethod
    def inertia(self, mass: float) -> Array:
        """Return the inertia about the centroid of uniform density and `mass` [kg], in its axes [kg m²]."""

    def to_dict(self) -> dict[str, Any]:
        """Return the shape as plain JSON data; "kind" names the shape."""
        return {"kind": self._kind, **plain_arguments(self)}

    @property
    def _kind(self) -> str:
        return type(self).__name__.lower()

    def body(self, mass: float | None = None, density: float | None = None, **options: Any) -> Body:
        """Return a body of this shape and uniform density.

        `mass`, `density`: mass [kg] or density [kg/m³]: give one of them; `**options`: further arguments of
        `Body`, such as `center_of_mass`.

        >>> ps.Box((1, 2, 3)).body(density=1000.0).mass
        6000.0
        """
        if mass is None and density is None:
            raise ModelError(f"{self._kind}: give mass or density, got neither")
        if mass is not None and density is not None:
            raise ModelError(
                f"{self._kind}: give mass or density, got both "
                f"(mass {checks.show(mass)}, density {checks.show(density)})"
            )
        if mass is None and not self.volume:
            raise ModelError(f"{self._kind}: it has no volume, give its mass")
        if mass is None:
            mass = checks.number(self._kind, "density", density, positive=True) * self.volume
        return Body(mass, self, **options)


def _size(who: str, what: str, size: Any) -> tuple[float, float, float]:
    a, b, c = checks.triple(who, what, size).tolist()
    if min(a, b, c) <= 0:
        raise ModelError(f"{who}: {what} must be positive, got {checks.show(size)}")
    return a, b, c


class Box(Solid):
    """A cuboid with its sides along x, y and z."""

    by_value = True
    size: Cleaned[tuple[float, float, float], ArrayLike] = field(
        "lengths of the sides, positive; one number means a cube",
        _size,
        "numbers",
        unit="m",
        shapes=((), (3,)),
    )

    @property
    def volume(self) -> float:
        a, b, c = self.size
        return a * b * c

    def inertia(self, mass: float) -> Array:
        (a, b, c), mass = self.size, checks.number("box", "mass", mass)
        return np.diag([b * b + c * c, c * c + a * a, a * a + b * b]) * (mass / 12)  # (1)


class Cylinder(Solid):
    """A round cylinder along z.

    >>> ps.Cylinder(radius=1.0, length=6.0).inertia(4.0).diagonal()
    array([13., 13.,  2.])
    """

    by_value = True
    radius: float = number("radius, positive", "m", positive=True)
    length: float = number("length, positive", "m", positive=True)

    @property
    def volume(self) -> float:
        return pi * self.radius * self.radius * self.length

    def inertia(self, mass: float) -> Array:
        r, length = self.radius, self.length
        k = (3 * r * r + length * length) / 12
        return checks.number("cylinder", "mass", mass) * np.diag([k, k, r * r / 2])  # (2)


class Sphere(Solid):
    """A ball.

    >>> ps.Sphere(0.5).body(mass=10.0)
    Body(mass=10, inertia=(1, 1, 1), shape=Sphere(radius=0.5))
    """

    by_value = True
    radius: float = number("radius, positive", "m", positive=True)

    @property
    def volume(self) -> float:
        return 4 / 3 * pi * self.radius * self.radius * self.radius

    def inertia(self, mass: float) -> Array:
        return 2 / 5 * checks.number("sphere", "mass", mass) * self.radius * self.radius * np.eye(3)  # (3)


class Capsule(Solid):
    """A cylinder along z with half a ball on either end.

    >>> round(ps.Capsule(radius=1.0, length=1.0).volume / np.pi, 9)
    2.333333333
    """

    by_value = True
    radius: float = number("radius, positive", "m", positive=True)
    length: float = number("length of the cylindrical part, positive", "m", positive=True)

    @property
    def volume(self) -> float:
        return Cylinder(self.radius, self.length).volume + Sphere(self.radius).volume

    def inertia(self, mass: float) -> Array:
        r, length = self.radius, self.length
        mass = checks.number("capsule", "mass", mass)
        m2 = mass * 3 * length / (3 * length + 4 * r)
        m3 = mass * 4 * r / (3 * length + 4 * r)
        outward = m3 * (length * length / 4 + 3 / 8 * length * r)
        return (  # (4)
            Cylinder(r, length).inertia(m2) + Sphere(r).inertia(m3) + outward * np.diag([1.0, 1.0, 0.0])
        )


class Ellipsoid(Solid):
    """An ellipsoid with its axes along x, y and z.

    >>> ps.Ellipsoid((1, 2, 3)).inertia(5.0).diagonal()
    array([13., 10.,  5.])
    """

    by_value = True
    radii: Cleaned[tuple[float, float, float], ArrayLike] = field(
        "semi-axes, positive; one number means a ball", _size, "numbers", unit="m", shapes=((), (3,))
    )

    @property
    def volume(self) -> float:
        a, b, c = self.radii
        return 4 / 3 * pi * a * b * c

    def inertia(self, mass: float) -> Array:
        (a, b, c), mass = self.radii, checks.number("ellipsoid", "mass", mass)
        return np.diag([b * b + c * c, c * c + a * a, a * a + b * b]) * (mass / 5)  # (5)


class Cone(Solid):
    """A round cone along z with its centroid at the origin: base at z = -length/4, apex at 3/4 length.

    >>> ps.Cone(radius=1.0, length=2.0).inertia(10.0).diagonal()
    array([3., 3., 3.])
    """

    by_value = True
    radius: float = number("radius of the base, positive", "m", positive=True)
    length: float = number("length, positive", "m", positive=True)

    @property
    def volume(self) -> float:
        return 1 / 3 * pi * self.radius * self.radius * self.length

    def inertia(self, mass: float) -> Array:
        r, length = self.radius, self.length
        k = (12 * r * r + 3 * length * length) / 80
        return checks.number("cone", "mass", mass) * np.diag([k, k, 3 * r * r / 10])  # (6)


def _ring(who: str, radius: float, tube: float, mass: float) -> Array:
    r, s = radius * radius, tube * tube
    k = r / 2 + 5 / 8 * s
    return checks.number(who, "mass", mass) * np.diag([k, k, r + 3 / 4 * s])  # (7)


class Torus(Solid):
    """A ring about z with a round cross-section.

    >>> ps.Torus(radius=2.0, tube=1.0).inertia(8.0).diagonal()
    array([21., 21., 38.])
    """

    by_value = True
    radius: float = number("radius of the circle in the middle of the tube, positive", "m", positive=True)
    tube: float = number("radius of the tube, positive, at most the other radius", "m", positive=True)

    def _check(self) -> None:
        _fit(self._kind, self.radius, self.tube)

    @property
    def volume(self) -> float:
        return 2 * pi * pi * self.radius * self.tube * self.tube

    def inertia(self, mass: float) -> Array:
        return _ring("torus", self.radius, self.tube, mass)


class Wheel(Solid):
    """A wheel about z: all its mass is in the rim, a torus, or a thin ring without `tube`; it has spokes.

    >>> ps.Wheel(0.5).body(mass=4.0)
    Body(mass=4, inertia=(0.5, 0.5, 1), shape=Wheel(radius=0.5, tube=0.0))
    """

    by_value = True
    radius: float = number("radius of the circle in the middle of the rim, positive", "m", positive=True)
    tube: float = number("radius of the rim's cross-section, not negative", "m", zero=True, default=0.0)

    def _check(self) -> None:
        _fit(self._kind, self.radius, self.tube)

    @property
    def volume(self) -> float:
        return 2 * pi * pi * self.radius * self.tube * self.tube

    def inertia(self, mass: float) -> Array:
        return _ring("wheel", self.radius, self.tube, mass)


def _fit(who: str, radius: float, tube: float) -> None:
    if tube > radius:
        raise ModelError(
            f"{who}: tube must be at most the radius {checks.show(radius)}, got {checks.show(tube)}"
        )
