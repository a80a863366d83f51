"""The forces that appear in a space that rotates at a constant rate: Coriolis and centrifugal.

Space rotates with the angular velocity W about an axis through its origin.  Each part dm of a body at x with
the velocity u, both as seen in this space, is pushed by -dm (2 W x u + W x (W x x)).  Of a body with the
center of mass p, its velocity v, angular velocity w (space axes) and inertia J about it (space axes):

    force  = -m (2 W x v + W x (W x p))                                                              (1)
    torque = J (w x W) - w x J W - W x J (w + W)                                                     (2)
"""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.fields import ZERO, Vector, array, number, vector
from poinsot.model.forces.applied import Applied, Function
from poinsot.model.forces.fluid import rotate

if TYPE_CHECKING:
    from poinsot.model.mechanism import Mechanism


def cross(a: Any, b: Any) -> Any:
    """Return a x b of tuples."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _wrench_of(rate: Any, mass: float, inertia: Any) -> Callable[..., Any]:
    """Return (1) and (2) as a function that can be compiled; the inertia is in body axes."""

    def rotating_frame(t, R, w, p, v):  # type: ignore[no-untyped-def]
        f, g = cross(rate, v), cross(rate, cross(rate, p))
        W = (  # in body axes, where (2) is computed
            R[0][0] * rate[0] + R[1][0] * rate[1] + R[2][0] * rate[2],
            R[0][1] * rate[0] + R[1][1] * rate[1] + R[2][1] * rate[2],
            R[0][2] * rate[0] + R[1][2] * rate[1] + R[2][2] * rate[2],
        )
        a = rotate(inertia, cross(w, W))
        b = cross(w, rotate(inertia, W))
        c = cross(W, rotate(inertia, (w[0] + W[0], w[1] + W[1], w[2] + W[2])))
        n = rotate(R, (a[0] - b[0] - c[0], a[1] - b[1] - c[1], a[2] - b[2] - c[2]))  # (2)
        k = -mass  # (1)
        return n[0], n[1], n[2], k * (2 * f[0] + g[0]), k * (2 * f[1] + g[1]), k * (2 * f[2] + g[2])

    return rotating_frame


class RotatingFrame(Applied):
    """The Coriolis and centrifugal forces on a body in a space that rotates at a constant rate.

    The axis goes through the origin of space; gravity rotates with it.  `RotatingFrame.on_all` makes the
    forces on all bodies of a mechanism.  A pendulum on the Earth at a latitude of 50 degrees, z upwards, y
    to the north:

    >>> m = ps.Mechanism()
    >>> _ = m.add("bob", ps.Sphere(0.1).body(mass=28.0), ps.Spherical(), body_at=(0, 0, -67.0))
    >>> day, latitude = 86164.1, np.radians(50)
    >>> rate = 2 * np.pi / day * np.array([0, np.cos(latitude), np.sin(latitude)])
    >>> m = m.apply(*ps.RotatingFrame.on_all(m, rate))
    """

    rate: Vector = vector("angular velocity of space, in its own axes", "rad/s")
    mass: float = number("mass of the body", "kg", zero=True)
    inertia: Vector = array(
        "inertia of the body about its center of mass, in body axes, (3, 3)",
        "a 3x3 matrix",
        (3, 3),
        unit="kg m^2",
    )
    center_of_mass: Vector = vector("center of mass of the body in its frame", "m", default=ZERO)
    count = 6

    @classmethod
    def on_all(cls, mechanism: "Mechanism", rate: ArrayLike) -> list["RotatingFrame"]:
        """Return the forces on all bodies of a `mechanism` that have a mass, at the `rate` [rad/s].

        A body and what is welded to it are one.
        """
        m = checks.mechanism("rotatingframe", mechanism)
        return [
            cls(name, rate, link.body.mass, link.body.inertia, link.body.center_of_mass)
            for name, link in m.rigid_links.items()
            if m.carrier(name) == name and (link.body.mass > 0 or link.body.inertia.any())
        ]

    @property
    def at(self) -> Array:
        """The center of mass, about which the torque is."""
        return self.center_of_mass

    @cached_property
    def function(self) -> Function:
        """The wrench as a function `f(t, R, w, p, v)`."""
        inertia: Any = tuple(tuple(row) for row in self.inertia.tolist())
        return _wrench_of(tuple(self.rate.tolist()), self.mass, inertia)

    @property
    def label(self) -> str:
        return f"rotatingframe on '{self.body}'"

    def fits(self, mechanism: "Mechanism") -> None:
        checks.mechanism(self.label, mechanism).link(self.body, self.label)
        body = mechanism.rigid_links[self.body].body
        for what in ("mass", "inertia", "center_of_mass"):
            there, here = np.asarray(getattr(body, what)), np.asarray(getattr(self, what))
            if np.abs(there - here).max() > 1e-9 * np.abs(there).max():
                raise ModelError(
                    f"{self.label}: {what} must be that of the body, {checks.show(there)}, "
                    f"got {checks.show(here)}: make it with ps.RotatingFrame.on_all(mechanism, rate)"
                )
