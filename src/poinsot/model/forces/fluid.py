"""Drag of a fluid with any motion on points of a body (Konz 2024, (3.76) and (3.77)).

    F_p = d_p (u(t, r_p) - v_p),    r_p = p + R s_p,    v_p = v + R (w x s_p)                       (1)
    torque about the centre of mass = sum R s_p x F_p,    force = sum F_p                          (2)

s_p is the point as seen from the centre of mass, u the velocity of the fluid.  For a fluid that moves like a
rigid body the sum has a closed form, `Drag`.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.forces.applied import Wrench

if TYPE_CHECKING:
    from poinsot.model.mechanism import Mechanism

Flow = Callable[..., Any]
Points = tuple[tuple[float, float, float], ...]


def _turned(R: Any, s: Any) -> Any:
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
            r = _turned(R, s)
            turning = _turned(
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


class FluidDrag(Wrench):
    """A linear drag on points of a body in a fluid whose velocity is any function of time and place.

    Parameters
    ----------
    body : str
        Name of the body.
    damping : array_like, shape (n,)
        Drag coefficients of the points in N s/m.
    points : array_like, shape (n, 3)
        Points in the frame of the body, in metres.
    flow : callable
        `flow(t, p)` returns the three components of the velocity of the fluid at the point `p` of space, in
        m/s.  It is compiled; written with `math` and indexing it runs for every number type.
    center_of_mass : array_like, shape (3,), default (0, 0, 0)
        Centre of mass of the body in its frame, as of its `ps.Body`.
    switches : iterable of float, default ()
        Times in seconds at which the flow jumps.

    Raises
    ------
    ModelError
        If a coefficient is negative, a shape is wrong, or `flow` is not a plain Python function of (t, p); by
        `Mechanism.apply`, if the centre of mass is not that of the body.

    Examples
    --------
    A leaf in a vortex:

    >>> import poinsot as ps
    >>> def vortex(t, p):
    ...     return -p[1], p[0], 0.0
    >>> ps.FluidDrag("leaf", [0.1, 0.1], [(0.1, 0, 0), (-0.1, 0, 0)], vortex).label
    "fluiddrag 'vortex' on 'leaf'"
    """

    def __init__(
        self,
        body: str,
        damping: ArrayLike,
        points: ArrayLike,
        flow: Flow,
        center_of_mass: ArrayLike = (0.0, 0.0, 0.0),
        switches: Iterable[float] = (),
    ) -> None:
        name = f"fluiddrag on {body!r}"
        d = checks.array(name, "damping", damping, "a list of numbers", (None,))
        h = checks.array(name, "points", points, "a list of points", (len(d), 3))
        if (d < 0).any():
            raise ModelError(f"{name}: damping must not be negative, got {checks.show(d)}")
        center = checks.vector(name, "center_of_mass", center_of_mass)
        u = checks.function(name, "flow", flow, ("t", "p"))
        seen: Any = tuple(tuple(point) for point in (h - center).tolist())
        super().__init__(body, _wrench_of(u, tuple(d.tolist()), seen), center, switches=switches)

    def fits(self, mechanism: "Mechanism") -> None:
        """Raise a ModelError if the centre of mass is not that of the body.

        Parameters
        ----------
        mechanism : Mechanism
            Mechanism that the force is added to.
        """
        found = checks.mechanism(self.label, mechanism)
        there = found.link(self.body, self.label).body.center_of_mass
        if np.abs(there - self.at).max() > 1e-9 * max(1.0, float(np.abs(there).max())):
            raise ModelError(
                f"{self.label}: center_of_mass must be that of the body, {checks.show(there)}, "
                f"got {checks.show(self.at)}"
            )
