"""The apparatus: what one reads off a rotating body, as float64; pages show these numbers, live and of runs.

About the fixed point of a body that a ball, hinge or universal joint holds to the world, else about its
center of mass, with the inertia I there (of the body and all that is welded to it), in body axes:

    L_body = I w_body,   L_space = R L_body,   w_space = R w_body                                      (1)
    kinetic energy of rotation:  w.I w / 2,   L.w / 2 (in space),   L.I^-1 L / 2 (principal axes)      (2)

`readings` gives these numbers of one body, `angles` its Euler angles, and `residual_norms` the norm of the
discrete Euler-Poincare residual of the last three poses.
"""

from collections.abc import Sequence

import numpy as np

from poinsot.diagnostics.motions import BodySamples
from poinsot.elementary import euler
from poinsot.errors import PoinsotError
from poinsot.model.checks import Array
from poinsot.model.joints import Revolute, Spherical, Universal
from poinsot.model.mechanism import WORLD, Mechanism
from poinsot.model.rotations import dot, times
from poinsot.model.state import State

SEQUENCES = ("ZYX", "ZXY", "YXZ", "YZX", "XYZ", "XZY", "ZXZ", "ZYZ", "XYX", "XZX", "YXY", "YZY")


def turning_bodies(mechanism: Mechanism) -> list[str]:
    """Return the bodies that have an apparatus: those that can move, each with all that is welded to it."""
    return [link.name for link in mechanism.links if link.joint.nv and link.body.mass]


def inertia_at_reference(mechanism: Mechanism, name: str) -> Array:
    """Return the inertia I of (1) in body axes, (3, 3)."""
    link = mechanism.rigid_links[name]
    held = link.parent == WORLD and isinstance(link.joint, Revolute | Spherical | Universal)
    return np.asarray(link.about_reference[0] if held else link.body.inertia)


def readings(mechanism: Mechanism, name: str, motion: BodySamples) -> dict[str, Array]:
    """Return the numbers (1) and (2) of body `name` at the n samples of its motion, by key, (n, k) each.

    The keys are those of the protocol of live pages; `angles` has the rest of them.
    """
    I, R, w = inertia_at_reference(mechanism, name), motion.rotation, motion.angular_velocity
    moments, axes = np.linalg.eigh(I)
    L = times(I, w)
    L_space, w_space = times(R, L), times(R, w)  # (1)
    along = times(axes.T, times(R.transpose(0, 2, 1), L_space))
    inverse = np.divide(1.0, moments, out=np.zeros(3), where=moments > 0)  # of a thin rod, one is zero
    energies = dot(w, L), dot(L_space, w_space), dot(along, inverse * along)
    return {
        "L-space": L_space,
        "L-body": L,
        "w-space": w_space,
        "w-body": w,
        "L-sizes": np.sqrt(np.stack([dot(one, one) for one in (L_space, L)], axis=1)),
        "kinetic": np.stack(energies, axis=1) / 2,  # (2)
    }


def angles(sequence: str, motion: BodySamples) -> Array:
    """Return the Euler angles of a body at the samples of its motion [rad], (n, 3)."""
    return euler.angles("apparatus", sequence, motion.quaternion)[0]


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
