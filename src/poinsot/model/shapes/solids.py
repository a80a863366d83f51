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
    """A shape with a volume that makes bodies of uniform density."""

    @property
    @abstractmethod
    def volume(self) -> float:
        """Volume in m³."""

    @property
    def center(self) -> Array:
        """Centroid in the frame of the shape, in metres."""
        return np.zeros(3)

    @abstractmethod
    def inertia(self, mass: float) -> Array:
        """Return the inertia about the centroid for uniform density.

        Parameters
        ----------
        mass : float
            Mass in kg.

        Returns
        -------
        ndarray, shape (3, 3)
            Inertia in kg m², in axes of the shape.
        """

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return the shape as plain JSON data; "kind" names the shape."""

    def body(self, mass: float | None = None, density: float | None = None, **options: Any) -> Body:
        """Return a body of this shape and uniform density.

        Parameters
        ----------
        mass : float, optional
            Mass in kg.
        density : float, optional
            Density in kg/m³.  Give either `mass` or `density`.
        **options
            Further arguments of `Body`, such as `center_of_mass`.

        Returns
        -------
        Body
            The body.

        Raises
        ------
        ModelError
            If neither or both of `mass` and `density` are given, or a value is wrong.

        Examples
        --------
        >>> import poinsot as ps
        >>> ps.Box((1, 2, 3)).body(density=1000.0).mass
        6000.0
        """
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
    """A cuboid with its sides along x, y and z.

    Parameters
    ----------
    size : array_like, shape () or (3,)
        Lengths of the sides in metres, positive; one number means a cube.

    Raises
    ------
    ModelError
        If a length is not positive and finite.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.Box((1, 2, 3)).volume
    6.0
    """

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
        (a, b, c), mass = self.size, checks.number("box", "mass", mass)
        return np.diag([b * b + c * c, c * c + a * a, a * a + b * b]) * (mass / 12)  # (1)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "box", "size": list(self.size)}


@dataclass(frozen=True)
class Cylinder(Solid):
    """A round cylinder along z.

    Parameters
    ----------
    radius, length : float
        Radius and length in metres, positive.

    Raises
    ------
    ModelError
        If a length is not positive and finite.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.Cylinder(radius=1.0, length=6.0).inertia(4.0).diagonal()
    array([13., 13.,  2.])
    """

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
        return checks.number("cylinder", "mass", mass) * np.diag([k, k, r * r / 2])  # (2)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "cylinder", "radius": self.radius, "length": self.length}


@dataclass(frozen=True)
class Sphere(Solid):
    """A ball.

    Parameters
    ----------
    radius : float
        Radius in metres, positive.

    Raises
    ------
    ModelError
        If the radius is not positive and finite.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.Sphere(0.5).body(mass=10.0)
    Body(mass=10, inertia=(1, 1, 1), shape=Sphere(radius=0.5))
    """

    radius: float

    def __post_init__(self) -> None:
        value = checks.number("sphere", "radius", self.radius, positive=True)
        object.__setattr__(self, "radius", value)

    @property
    def volume(self) -> float:
        return 4 / 3 * pi * self.radius * self.radius * self.radius

    def inertia(self, mass: float) -> Array:
        return 2 / 5 * checks.number("sphere", "mass", mass) * self.radius * self.radius * np.eye(3)  # (3)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "sphere", "radius": self.radius}


@dataclass(frozen=True)
class Capsule(Solid):
    """A cylinder along z with half a ball on either end.

    Parameters
    ----------
    radius : float
        Radius in metres, positive.
    length : float
        Length of the cylindrical part in metres, positive.

    Raises
    ------
    ModelError
        If a length is not positive and finite.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> round(ps.Capsule(radius=1.0, length=1.0).volume / np.pi, 9)
    2.333333333
    """

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
        mass = checks.number("capsule", "mass", mass)
        m2 = mass * 3 * length / (3 * length + 4 * r)
        m3 = mass * 4 * r / (3 * length + 4 * r)
        outward = m3 * (length * length / 4 + 3 / 8 * length * r)
        return (  # (4)
            Cylinder(r, length).inertia(m2) + Sphere(r).inertia(m3) + outward * np.diag([1.0, 1.0, 0.0])
        )

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "capsule", "radius": self.radius, "length": self.length}
