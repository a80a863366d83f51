"""A rigid body: mass, inertia about the center of mass in body axes, center of mass.

The inertia of a mass distribution ρ ≥ 0 is J = ∫ ρ (|x|² 1 − x xᵀ) dV.  Its principal moments
J₁ ≤ J₂ ≤ J₃ (eigenvalues) obey

    J₁ ≥ 0,  with 0 for a rod without thickness or a point               (1)
    J₁ + J₂ ≥ J₃,  because J₁ + J₂ − J₃ = 2 ∫ ρ x₃² dV                   (2)

(2) is the triangle inequality.  A body that breaks (1) or (2) cannot be built, but its equations of motion
are well defined where the mass matrix is positive: `physical=False` turns the error into a warning.
"""

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from poinsot.elementary.arrays import ArrayLike
from poinsot.elementary.linear import det, dot, eigh, product
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, show

ASYMMETRY = 1e-9  # |J − Jᵀ| relative to the largest element
SINGULAR = 1e-15  # −J₁ relative to J₃: what rounding may make of a zero moment
EQUAL = 8 * np.finfo(float).eps  # moments that differ by rounding of their eigenvalues only
TRIANGLE = 1e-9  # (2) relative to J₃: flat bodies meet it with equality


class PhysicsWarning(UserWarning):
    """No real body has this inertia; the equations can still be solved (`Body(..., physical=False)`)."""


@runtime_checkable
class BodyShape(Protocol):
    """The interface of a shape that gives a body its inertia (`model.shapes`)."""

    @property
    def center(self) -> Array: ...
    def inertia(self, mass: float) -> Array: ...
    def to_dict(self) -> dict[str, Any]: ...


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Body:
    """A rigid body: mass, inertia and center of mass, and a shape for drawing.

    A shape that gives the inertia has uniform density and lies with its centroid at the center of mass.

    Parameters
    ----------
    mass : Mass [kg], positive, or 0 for a body without inertia.
    inertia : Inertia about the center of mass in body axes [kg m²]: three moments, a symmetric matrix, or a
        shape of uniform density such as `Box`; by default that of `shape`.  It is read as a matrix.
    center_of_mass : Center of mass in the body frame [m]; by default the centroid of the shape that gives the
        inertia (the origin, except for meshes), else the origin.
    shape : Shape for drawing; by default the shape given as `inertia`, if any.
    physical : If False, an inertia that no real body has (moments that are negative or break the triangle
        inequality, inertia without mass) gives a `PhysicsWarning` in place of an error; default True.

    >>> ps.Body(2.0, (1.0, 2.0, 2.5))
    Body(mass=2, inertia=(1, 2, 2.5))
    >>> ps.Body(12.0, ps.Box((1, 2, 3))).inertia.diagonal()
    array([13., 10.,  5.])
    """

    mass: float
    inertia: Array
    center_of_mass: Array
    shape: BodyShape | None
    physical: bool

    def __init__(
        self,
        mass: float,
        inertia: ArrayLike | BodyShape | None = None,
        center_of_mass: ArrayLike | None = None,
        shape: BodyShape | None = None,
        physical: bool = True,
    ) -> None:
        mass = checks.number("body", "mass", mass)
        if mass != 0:
            checks.number("body", "mass", mass, positive=True)
        if shape is not None and not isinstance(shape, BodyShape):
            raise ModelError(f"body: shape must be a shape such as Box, got {show(shape)}")
        source = shape if inertia is None else inertia if isinstance(inertia, BodyShape) else None
        J = _tensor(mass, inertia if source is None else source.inertia(mass))
        if center_of_mass is None:
            center_of_mass = (0.0, 0.0, 0.0) if source is None else source.center
        _check(mass, J, checks.flag("body", "physical", physical))
        vars(self).update(
            mass=mass,
            inertia=J,
            center_of_mass=checks.vector("body", "center_of_mass", center_of_mass),
            shape=source if shape is None else shape,
            physical=physical,
        )

    @classmethod
    def of(cls, parts: Iterable[Any]) -> "Body":
        """Return several bodies as one rigid body, which has their mass, center of mass and inertia.

        `parts`: bodies, or (body, at, rotation): where the origin of the body frame lies in that of the whole
        [m], and how it is rotated (a matrix or a quaternion).  It is drawn with the shapes of all parts.

        >>> ball = ps.Sphere(0.1).body(mass=1.0)
        >>> ps.Body.of([(ball, (0, 0, 1)), (ball, (0, 0, -1))])
        Body(mass=2, inertia=(2.008, 2.008, 0.008), shape=Shapes(2 parts, volume 0.00837758))
        """
        from poinsot.model.shapes.composite import body_of

        return body_of(parts)

    @property
    def principal_moments(self) -> Array:
        """Principal moments J₁ ≤ J₂ ≤ J₃ about the center of mass, in kg m²."""
        return eigh(self.inertia)[0]

    @property
    def principal_axes(self) -> Array:
        """Principal axes as columns in body axes, right-handed, in the order of `principal_moments`."""
        axes = eigh(self.inertia)[1]
        if det(axes) < 0:
            axes[:, 2] *= -1
        return axes

    def _key(self) -> tuple[object, ...]:
        numbers = (*self.inertia.flat, *self.center_of_mass)
        return (self.mass, numbers, self.shape, self.physical)

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Body) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        J = self.inertia
        diagonal = np.array_equal(J, np.diag(J.diagonal()))
        parts = [f"mass={show(self.mass)}", f"inertia={show(J.diagonal() if diagonal else J)}"]
        if self.center_of_mass.any():
            parts.append(f"center_of_mass={show(self.center_of_mass)}")
        if self.shape is not None:
            parts.append(f"shape={self.shape!r}")
        if not self.physical:
            parts.append("physical=False")
        return f"Body({', '.join(parts)})"


class Weld(NamedTuple):
    """A body that is welded to another: its axes as columns and its origin in the frame of that one."""

    body: Body
    R: Array
    r: Array


def add_up(parts: Sequence[tuple[float, Array, Array, Array]]) -> tuple[float, Array, Array]:
    """Return mass, center of mass and inertia about it of parts (mass, center, axes as columns, inertia).

    c = sum m_i c_i / m,    J = sum of R_i J_i R_i^T + m_i (d_i.d_i - d_i d_i^T),   d_i = c_i - c      (3)
    """
    total, moment, J = sum(m for m, *_ in parts), np.zeros(3), np.zeros((3, 3))
    for m, place, *_ in parts:
        moment = moment + m * place
    c = moment / total if total > 0 else parts[0][1]
    for m, place, R, inertia in parts:
        d = place - c
        J = J + product(R, inertia, R.T) + m * (dot(d, d) * np.eye(3) - np.outer(d, d))  # (3)
    return float(total), c, J / 2 + J.T / 2


def merge(parts: Sequence[Weld]) -> Body:
    """Return welded bodies as one, about their common center of mass; without a shape, and not checked."""
    mass, c, J = add_up([(b.mass, r + product(R, b.center_of_mass), R, b.inertia) for b, R, r in parts])
    for x in (c, J):
        x.setflags(write=False)
    found = object.__new__(Body)
    physical = all(part.body.physical for part in parts)
    vars(found).update(mass=mass, inertia=J, center_of_mass=c, shape=None, physical=physical)
    return found


def _tensor(mass: float, inertia: ArrayLike | BodyShape | None) -> Array:
    """Return the symmetric 3x3 matrix that the user means, read-only."""
    if inertia is None:
        if mass != 0:
            raise ModelError("body: inertia is missing, give 3 moments, a 3x3 matrix or a shape")
        inertia = (0.0, 0.0, 0.0)
    given = checks.array("body", "inertia", inertia, "3 moments, a 3x3 matrix or a shape", (3,), (3, 3))
    J = np.diag(given) if given.ndim == 1 else given
    difference = np.abs(J - J.T)
    if difference.max() > ASYMMETRY * np.abs(J).max():
        i, j = divmod(int(difference.argmax()), 3)
        raise ModelError(
            f"body: inertia must be symmetric, elements [{i},{j}] and [{j},{i}] are "
            f"{show(J[i, j])} and {show(J[j, i])}"
        )
    J = J / 2 + J.T / 2
    J.setflags(write=False)
    return J


def _check(mass: float, J: Array, physical: bool) -> None:
    """Check (1) and (2); a body without mass must have zero inertia."""
    if mass == 0 and not J.any():
        return
    moments: list[float] = np.linalg.eigvalsh(J).tolist()
    low, middle, high = moments
    if mass == 0:
        message = "body: mass must be positive, got 0 (allowed with zero inertia only)"
    elif low < -SINGULAR * abs(high) or high < 0:  # (1)
        message = f"body: inertia must not be negative, the smallest principal moment is {show(low)}"
    elif high > low + middle + TRIANGLE * high:  # (2)
        message = (
            f"body: principal moments {show(moments)} break the triangle inequality "
            f"{show(low)} + {show(middle)} >= {show(high)}: no real body has them"
        )
    else:
        return
    if physical:
        hint = " (physical=False allows it)" if "triangle" in message else ""
        raise ModelError(message + hint)
    warnings.warn(message, PhysicsWarning, stacklevel=3)
