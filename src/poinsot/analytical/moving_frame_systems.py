"""A tree in the moving-frame formulation as a system of this package: coordinates q and velocities w, or p.

    H = ½ p·M*⁻¹ p + V,    w = M*⁻¹ p,    dq/dt = A w,    dp/dt = ½ w·∂M* w - ∂V - (w_k × p_k)        (1)

where the last term is that of ball joints, whose velocities are no derivatives of coordinates.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.analytical.coordinates import Coordinates
from poinsot.analytical.derivatives import Derivative
from poinsot.analytical.loads import Rate
from poinsot.analytical.operators import Array, pose
from poinsot.analytical.picture import Picture, solid_body
from poinsot.analytical.system import System, own_velocity, power_of

if TYPE_CHECKING:
    from poinsot.analytical.moving_frame import MovingFrame


def _quaternion_rates(u: Array) -> Array:
    """Return A (4, 3) of du/dt = A w, half the last three columns of Q(u)."""
    a, b, c, d = u
    return np.array([[-b, -c, -d], [a, -d, c], [d, a, -b], [-c, b, a]]) / 2


def coordinates_of(axes: Sequence[Array | None], q_at: Array, at: Array) -> Coordinates:
    """Return the coordinates of joints: quaternions where `axes` is None, then plain numbers."""
    size, freedom = int(q_at[-1]), int(at[-1])
    balls = [(int(q_at[k]), int(at[k])) for k, one in enumerate(axes) if one is None]
    starts = [i for i, _ in balls]
    plain_q = [i for i in range(size) if not any(b <= i < b + 4 for b in starts)]
    plain_w = [i for i in range(freedom) if not any(b <= i < b + 3 for _, b in balls)]

    def A(q: Array) -> Array:
        found = np.zeros((size, freedom), dtype=q.dtype)
        found[plain_q, plain_w] = 1.0
        for i, j in balls:
            found[i : i + 4, j : j + 3] = _quaternion_rates(q[i : i + 4])
        return found

    def Y(q: Array) -> Array:
        found = np.zeros((freedom, size), dtype=q.dtype)
        found[plain_w, plain_q] = 1.0
        for i, j in balls:
            found[j : j + 3, i : i + 4] = 4 * _quaternion_rates(q[i : i + 4]).T
        return found

    def constraints(q: Array) -> Array:
        return np.array([q[i : i + 4] @ q[i : i + 4] - 1 for i in starts], dtype=q.dtype)

    return Coordinates(size, A, constraints if balls else None, Y)


def system_of(frame: "MovingFrame", force: Callable[..., Any] | None, acting: Rate | None = None) -> System:
    """Return the equations of motion (6) of `moving_frame`, with their energy and power.
    `force` acts on bodies, `acting` is a generalized force."""

    def push(t: float, q: Array, w: Array) -> Array:
        """Return the generalized forces without a potential."""
        f = np.zeros(frame.freedom) if acting is None else np.asarray(acting(t, q, w))
        if force is not None:
            B = frame.matrices(q, w)[0]
            loads = np.stack([np.asarray(one) for one in force(t, frame.motion(q, w, B))], axis=1)
            f = f + B.T @ loads.reshape(-1)
        return f

    def rate(t: float, q: Array, w: Array) -> Array:
        found = frame.acceleration(q, w, t, force)
        return found if acting is None else found + response(t, q, w, np.asarray(acting(t, q, w)))

    def energy(t: float, q: Array, w: Array) -> Any:
        return w @ frame.reduced_mass(q) @ w / 2 + frame.potential(q)

    def lagrangian(t: float, q: Array, w: Array) -> Any:
        return w @ frame.reduced_mass(q) @ w / 2 - frame.potential(q)

    def response(t: float, q: Array, w: Array, f: Array) -> Array:
        return np.linalg.solve(frame.reduced_mass(q), f)

    works = force is not None or acting is not None
    return System(
        frame.coordinates(),
        own_velocity,
        rate,
        energy,
        energy,
        power_of(own_velocity, push) if works else None,
        response,
        picture=picture(frame),
        names=names(frame),
        lagrangian=lagrangian,
        force=push if works else None,
    )


def picture(frame: "MovingFrame") -> Picture:
    """Return the bodies as ellipsoids at their centers of mass."""
    bodies = [solid_body(m, J) for m, J in zip(frame.masses, frame.inertias, strict=True)]
    none = np.zeros((6 * frame.n, frame.freedom))

    def poses(q: Array) -> list[tuple[Array, Any]]:
        found = frame.motion(q, np.zeros(frame.freedom), none)
        return [(pose(R, x), body) for R, x, body in zip(found.R, found.x, bodies, strict=True)]

    return Picture(poses=poses)


def names(frame: "MovingFrame") -> tuple[str, ...]:
    """Return names of the coordinates, by the number of the joint."""
    found: list[str] = []
    for k, axes in enumerate(frame.axes, 1):
        turns = (
            [f"angle {k}{'ab'[i] if len(axes) == 2 else ''}" for i in range(len(axes))]
            if axes is not None
            else []
        )
        found += [f"quaternion {k}.{c}" for c in "wxyz"] if axes is None else turns
        slides = len(frame.slides[k - 1])
        found += [f"slide {k}{'abc'[i] if slides > 1 else ''}" for i in range(slides)]
    return tuple(found)


def hamiltonian_of(frame: "MovingFrame") -> System:
    """Return Hamilton's form (1)."""
    c, n = frame.coordinates(), frame.size
    balls = [int(frame.at[k]) for k, axes in enumerate(frame.axes) if axes is None]
    lagrangian = Derivative(
        lambda z: z[n:] @ frame.reduced_mass(z[:n]) @ z[n:] / 2 - frame.potential(z[:n])
    )  # of z = (q, w)

    def velocity(t: float, q: Array, p: Array) -> Array:
        return np.linalg.solve(frame.reduced_mass(q), p)

    def rate(t: float, q: Array, p: Array) -> Array:
        w = velocity(t, q, p)
        directions = np.concatenate([c.A(q), np.zeros((frame.freedom, frame.freedom))])
        found = lagrangian.along(np.concatenate([q, w]), directions)
        for j in balls:
            found[j : j + 3] -= np.cross(w[j : j + 3], p[j : j + 3])
        return found

    def H(t: float, q: Array, p: Array) -> Any:
        return p @ velocity(t, q, p) / 2 + frame.potential(q)

    response, shown = lambda t, q, p, f: f, picture(frame)
    return System(c, velocity, rate, H, H, response=response, picture=shown, names=names(frame))
