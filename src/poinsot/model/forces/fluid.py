"""Drag of a fluid with any motion on points of a body (Konz 2024, (3.76) and (3.77)).

    F_p = d_p (u(t, r_p) - v_p),    r_p = p + R s_p,    v_p = v + R (w x s_p)                       (1)
    torque about the center of mass = sum R s_p x F_p,    force = sum F_p                          (2)

s_p is the point as seen from the center of mass, u the velocity of the fluid.  For a fluid that moves like a
rigid body the sum has a closed form, `Drag`.
"""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.model import checks, fields
from poinsot.model.checks import Array
from poinsot.model.fields import ZERO, Times, Vector, array, field, times, vector
from poinsot.model.forces.applied import Applied, Function

if TYPE_CHECKING:
    from poinsot.model.mechanism import Mechanism

Flow = Callable[..., Any]
Points = tuple[tuple[float, float, float], ...]


def rotate(R: Any, s: Any) -> Any:
    """Return R s."""
    return (
        R[0][0] * s[0] + R[0][1] * s[1] + R[0][2] * s[2],
        R[1][0] * s[0] + R[1][1] * s[1] + R[1][2] * s[2],
        R[2][0] * s[0] + R[2][1] * s[1] + R[2][2] * s[2],
    )


def _wrench_of(flow: Flow, damping: tuple[float, ...], points: Points) -> Callable[..., Any]:
    """Return the wrench (2) as a function that can be compiled."""
    n = len(damping)

    def drag(t, R, w, p, v):  # type: ignore[no-untyped-def]
        a, b, c, x, y, z = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for i in range(n):
            s = points[i]
            r = rotate(R, s)
            turning = rotate(
                R, (w[1] * s[2] - w[2] * s[1], w[2] * s[0] - w[0] * s[2], w[0] * s[1] - w[1] * s[0])
            )
            u = flow(t, (p[0] + r[0], p[1] + r[1], p[2] + r[2]))
            f = damping[i] * (u[0] - v[0] - turning[0])  # (1)
            g = damping[i] * (u[1] - v[1] - turning[1])
            h = damping[i] * (u[2] - v[2] - turning[2])
            a, b, c = a + r[1] * h - r[2] * g, b + r[2] * f - r[0] * h, c + r[0] * g - r[1] * f  # (2)
            x, y, z = x + f, y + g, z + h
        return a, b, c, x, y, z

    drag.__name__ = flow.__name__
    return drag


def _damping(who: str, what: str, value: Any) -> Array:
    d = checks.array(who, what, value, "a list of numbers", (None,))
    if (d < 0).any():
        raise ModelError(f"{who}: {what} must not be negative, got {checks.show(d)}")
    return d


class FluidDrag(Applied):
    """A linear drag on points of a body in a fluid whose velocity is any function of time and place.

    A leaf in a vortex:

    >>> def vortex(t, p):
    ...     return -p[1], p[0], 0.0
    >>> ps.FluidDrag("leaf", [0.1, 0.1], [(0.1, 0, 0), (-0.1, 0, 0)], vortex).label
    "fluiddrag 'vortex' on 'leaf'"
    """

    damping: Vector = field(
        "drag coefficients of the points, (n,), not negative",
        _damping,
        "numbers",
        unit="N s/m",
        shapes=((None,),),
    )
    points: Vector = array("points in the frame of the body, (n, 3)", "a list of points", (None, 3), unit="m")
    flow: Flow = fields.function(
        "`flow(t, p)` returns the three components of the velocity of the fluid at the point `p` of space "
        "[m/s].  It is compiled; written with `math` and indexing it runs for every number type",
        "t",
        "p",
    )
    center_of_mass: Vector = vector(
        "center of mass of the body, with all that is welded to it, in its frame",
        "m",
        default=ZERO,
    )
    switches: Times = times("times at which the flow jumps", default=())
    count = 6

    def _check(self) -> None:
        if len(self.points) != len(self.damping):
            raise ModelError(
                f"{self._who}: points must be a list of points, one for each damping, "
                f"got {len(self.points)} for {len(self.damping)}"
            )

    @property
    def at(self) -> Array:
        """The center of mass, about which the torque is."""
        return self.center_of_mass

    @cached_property
    def function(self) -> Function:
        """The wrench of all points as a function `f(t, R, w, p, v)`."""
        seen: Any = tuple(tuple(point) for point in (self.points - self.center_of_mass).tolist())
        return _wrench_of(self.flow, tuple(self.damping.tolist()), seen)

    @property
    def label(self) -> str:
        return f"fluiddrag '{self.flow.__name__}' on '{self.body}'"

    def fits(self, mechanism: "Mechanism") -> None:
        found = checks.mechanism(self.label, mechanism)
        found.link(self.body, self.label)
        there = found.rigid_links[self.body].body.center_of_mass
        if np.abs(there - self.at).max() > 1e-9 * max(1.0, float(np.abs(there).max())):
            raise ModelError(
                f"{self.label}: center_of_mass must be that of the body, {checks.show(there)}, "
                f"got {checks.show(self.at)}"
            )
