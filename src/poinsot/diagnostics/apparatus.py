"""The apparatus: what one reads off a rotating body, as float64; pages show these numbers, live and of runs.

About the fixed point of a body that a ball, hinge or universal joint holds to the world, else about its
center of mass, with the inertia I there (of the body and all that is welded to it), in body axes:

    L_body = I w_body,   L_space = R L_body,   w_space = R w_body                                      (1)
    kinetic energy of rotation:  w.I w / 2,   L.w / 2 (in space),   L.I^-1 L / 2 (principal axes)      (2)

`readings` gives the columns COLUMNS of one body; the Euler angles of the sequences SEQUENCES come last.
`residual_norms` gives the norm of the discrete Euler-Poincare residual of the last three poses.
"""

from collections.abc import Sequence

import numpy as np

from poinsot.diagnostics.motions import Motions
from poinsot.elementary import euler
from poinsot.errors import PoinsotError
from poinsot.model.checks import Array
from poinsot.model.joints import Revolute, Spherical, Universal
from poinsot.model.mechanism import WORLD, Mechanism
from poinsot.model.rotations import dot, times
from poinsot.model.state import State

SEQUENCES = ("ZYX", "XYZ", "ZXZ", "ZYZ")  # ZYX: yaw, pitch, roll
VECTORS = ("L_space", "L_body", "w_space", "w_body")
COLUMNS = (
    *(f"{name}.{x}" for name in VECTORS for x in "xyz"),
    "|L_space|",
    "|L_body|",
    "w.Iw/2",
    "L.w/2",
    "L.I⁻¹L/2",
    *(f"{sequence}.{k}" for sequence in SEQUENCES for k in range(3)),
)


def turning_bodies(mechanism: Mechanism) -> list[str]:
    """Return the bodies that have an apparatus: those that can move, each with all that is welded to it."""
    return [link.name for link in mechanism.links if link.joint.nv and link.body.mass]


def inertia_at_reference(mechanism: Mechanism, name: str) -> Array:
    """Return the inertia I of (1) in body axes, (3, 3)."""
    link = mechanism.rigid_links[name]
    held = link.parent == WORLD and isinstance(link.joint, Revolute | Spherical | Universal)
    return np.asarray(link.about_reference[0] if held else link.body.inertia)


def readings(mechanism: Mechanism, name: str, q: Array, v: Array, motions: Motions | None = None) -> Array:
    """Return the numbers of body `name` at n states, (n, len(COLUMNS)); q is (n, nq) and v (n, nv).

    `motions`: those of the states, if they are known.
    """
    x = (Motions(mechanism, q, v) if motions is None else motions)[name]
    I, R, w = inertia_at_reference(mechanism, name), x.rotation, x.angular_velocity
    moments, axes = np.linalg.eigh(I)
    L = times(I, w)
    L_space, w_space = times(R, L), times(R, w)  # (1)
    along = times(axes.T, times(R.transpose(0, 2, 1), L_space))
    inverse = np.divide(1.0, moments, out=np.zeros(3), where=moments > 0)  # of a thin rod, one is zero
    energies = dot(w, L), dot(L_space, w_space), dot(along, inverse * along)
    sizes = (np.sqrt(dot(one, one)) for one in (L_space, L))
    angles = (euler.angles("apparatus", sequence, x.quaternion)[0] for sequence in SEQUENCES)
    singles = [*sizes, *(one / 2 for one in energies)]  # (2)
    return np.hstack([L_space, L, w_space, w, *(one[:, None] for one in singles), *angles])


def residual_norms(mechanism: Mechanism, states: Sequence[State], step: float) -> Array:
    """Return the norm of `ps.dynamics.discrete_residual` of each state and the two before it, shape (n,).

    NaN at the first two states, where three are not a step apart, and if the mechanism has no residual.
    """
    from poinsot.mechanics.discrete import discrete_residual_along

    found = np.full(len(states), np.nan)
    time = np.array([state.time for state in states])
    apart = np.abs(np.diff(time) - step) < step / 4
    try:
        found[2:] = np.sqrt((discrete_residual_along(mechanism, states, step)[1:-1] ** 2).sum(axis=1))
    except PoinsotError:  # loops, driven joints
        return found
    found[2:][~(apart[1:] & apart[:-1])] = np.nan
    return found
