"""The motion of a spinning body in the terms of the textbooks.

polhode      w in the body: the curve that the instantaneous axis draws on the inertia ellipsoid
herpolhode   w in space: the curve on Poinsot's invariable plane
angles       of the body's third axis against a direction: nutation (tilt), precession (around it),
             and spin (about itself): R = Rz(precession) Rx(nutation) Rz(spin)                   (1)
flips        times at which the spin about the intermediate axis changes its sign
"""

from typing import NamedTuple

import numpy as np

from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError
from poinsot.model.body import EQUAL
from poinsot.model.checks import Array, show
from poinsot.model.mechanism import Mechanism


class Angles(NamedTuple):
    """Euler angles (1) of the third axis of a body, in rad, continuous in time.

    Parameters
    ----------
    nutation : Tilt of the axis, (n,).
    precession : Rotation of the axis about the direction against which it is measured, (n,).
    spin : Rotation of the body about the axis, (n,).
    """

    nutation: Array
    precession: Array
    spin: Array


def herpolhode(R: Array, w: Array) -> Array:
    """Return angular velocities w (n, 3) of the body frame in space axes."""
    return np.asarray(np.einsum("nij,nj->ni", R, w))


def angles(R: Array, up: ArrayLike = (0.0, 0.0, 1.0)) -> Angles:
    """Return the angles (1) of rotations R (n, 3, 3), with z along `up`."""
    z = np.asarray(up, dtype=float) / np.linalg.norm(up)
    helper = np.eye(3)[np.argmin(np.abs(z))] if abs(z[2]) < 1 - 1e-12 else np.array([1.0, 0.0, 0.0])
    x = helper - (helper @ z) * z
    x /= np.linalg.norm(x)
    Q = np.stack([x, np.cross(z, x), z])  # rows: the frame in which (1) is read
    S = Q @ R
    sine = np.hypot(S[:, 0, 2], S[:, 1, 2])
    nutation = np.arctan2(sine, S[:, 2, 2])
    upright = sine < 1e-12  # then only the sum of the two other angles is defined: it is called spin
    precession = np.where(upright, 0.0, np.arctan2(S[:, 0, 2], -S[:, 1, 2]))
    spin = np.where(upright, np.arctan2(S[:, 1, 0], S[:, 0, 0]), np.arctan2(S[:, 2, 0], S[:, 2, 1]))
    return Angles(nutation, np.unwrap(precession), np.unwrap(spin))


def flip_times(mechanism: Mechanism, name: str, time: Array, w: Array) -> Array:
    """Return the times at which w about the intermediate axis changes its sign.

    They are found by cubic Hermite interpolation between the samples; dw/dt comes from Euler's equations of a
    free body, with all that is welded to it, about its fixed point or center of mass.  The error is of fourth
    order in the spacing of the samples, and of second order where a torque acts.
    """
    moments, axes = np.linalg.eigh(mechanism.rigid_links[name].about_reference[0])
    if min(np.diff(moments)) <= EQUAL * moments[2]:
        raise ModelError(f"body '{name}' has no intermediate axis: its principal moments are {show(moments)}")
    axes[:, 2] = np.cross(axes[:, 0], axes[:, 1])  # eigh may give left-handed axes
    u = w @ axes
    rate = np.stack(
        [
            (moments[1] - moments[2]) / moments[0] * u[:, 1] * u[:, 2],
            (moments[2] - moments[0]) / moments[1] * u[:, 2] * u[:, 0],
            (moments[0] - moments[1]) / moments[2] * u[:, 0] * u[:, 1],
        ],
        axis=1,
    )
    x, d = u[:, 1], rate[:, 1]
    found = []
    for i in np.flatnonzero(np.signbit(x[:-1]) != np.signbit(x[1:])):
        h = time[i + 1] - time[i]
        low, high = 0.0, 1.0
        for _ in range(60):  # bisection: the cubic may have other roots, but it changes its sign here
            s = (low + high) / 2
            value = (
                (1 + 2 * s) * (1 - s) ** 2 * x[i]
                + s * (1 - s) ** 2 * h * d[i]
                + s * s * (3 - 2 * s) * x[i + 1]
                + s * s * (s - 1) * h * d[i + 1]
            )
            low, high = (s, high) if np.signbit(value) == np.signbit(x[i]) else (low, s)
        found.append(time[i] + (low + high) / 2 * h)
    return np.array(found)
