"""Thin bodies in a variational step: the inertia that the step adds to the spin about a thin axis.

The discrete momentum of a body with the twist x in a step h is, to O(h^4) (see `variational.kinetic`),

    G x + h^2 d,      d = ad_x^T ad_x^T G x / 12         (of a flying mechanism the angular part only)   (1)

Its slope adds the inertia h^2 D to G.  A rod that rotates at w across its axis has D = w^2 (I1 - I3)/12 about
the axis: momentum is conserved, and so the spin of the attitudes is too slow by a part that is small only if

    (h w)^2 I1/I3 < 1                                                                                   (2)

For a tree with the Jacobians J of its links and the mass matrix M, e is the error of the velocities, and the
bound of the step is that of the slowest motion y, as (2) is for a rod:

    (M + h^2 sum J^T D J) e = h^2 sum J^T d,       12 h^2 sum J^T D J y = M y                           (3)
"""

from typing import NamedTuple

import numpy as np

from poinsot.compile.tree import Tree
from poinsot.core.tree.dynamics import entries
from poinsot.core.tree.joints.table import FREE
from poinsot.mechanics.algorithms import mass_matrix
from poinsot.mechanics.loop_constraints import LoopConstraints
from poinsot.model.checks import Array
from poinsot.model.rotations import hat

UPPER = np.triu_indices(3)
SAFE = 0.5  # (h w)^2 I1/I3 below which the error cannot matter
FRAME = np.concatenate([np.eye(3).ravel(), np.zeros(3)])


class SpinError(NamedTuple):
    """The largest error of an angular velocity, relative to the fastest body; its link; the bound (2)."""

    relative: float
    link: int
    bound: float


def may_be_slow(tree: Tree, h: float, spin: float, v: Array) -> bool:
    """Return False if (2) holds by far for all links, at the largest angular velocity and the velocities v.

    A link moves at most with the angular velocity times all lengths together, and with the speeds of joints.
    """
    masses = tree.layout.masses[tree.layout.masses[:, 0] > 0.0]
    reach = float(np.linalg.norm(tree.placements[:, 9:], axis=1).sum())
    I = np.zeros((len(masses), 3, 3))
    I[:, UPPER[0], UPPER[1]] = I[:, UPPER[1], UPPER[0]] = masses[:, 4:]
    m, c = masses[:, :1, None], masses[:, 1:4] / masses[:, :1]
    central = I - m * ((c * c).sum(axis=1)[:, None, None] * np.eye(3) - c[:, :, None] * c[:, None, :])
    small, large = np.linalg.eigvalsh(central)[:, 0], np.linalg.eigvalsh(I)[:, 2]
    speed = float(np.abs(v).max(initial=0.0))
    moved = spin**2 * (large + masses[:, 0] * reach**2) + masses[:, 0] * speed**2
    return bool((h * h * moved > SAFE * small).any())


def spin_error(tree: Tree, q: Array, v: Array, h: float) -> SpinError:
    """Return the error (3) of a variational step of order 2 at a state."""
    n, flies = tree.nv, FREE in tree.layout.kinds
    J, slope, momentum = np.zeros((tree.links, 6, n)), np.zeros((tree.links, 6, 6)), np.zeros((tree.links, 6))
    jacobian, model = entries.point_jacobian(), tree.model()
    for i in range(tree.links):
        jacobian(model, i + 1, FRAME, np.array(q), np.zeros(n), J[i].reshape(-1))
        slope[i], momentum[i] = _slope_and_momentum(_inertia(tree.layout.masses[i], flies), J[i] @ v, flies)
    D = J.reshape(-1, n).T @ (slope @ J).reshape(-1, n)  # (1)
    d = J.reshape(-1, n).T @ momentum.reshape(-1)
    angular = J[:, :3]
    N = LoopConstraints(tree, q).freedom if tree.constraints else np.eye(n)
    M, D = N.T @ mass_matrix(tree, q) @ N, N.T @ (D + D.T) @ N / 2
    e = N @ np.linalg.solve(M + h * h * D, h * h * (N.T @ d))  # (3)
    errors, speeds = (np.linalg.norm(angular @ x, axis=1) for x in (e, v))
    L = np.linalg.cholesky(M)
    scaled = np.linalg.solve(L, np.linalg.solve(L, D).T)
    part = float(np.linalg.eigvalsh((scaled + scaled.T) / 2).max(initial=0.0))
    link, fastest = int(np.argmax(errors)), float(speeds.max())
    bound = float(1 / np.sqrt(12 * part)) if part > 0 else np.inf
    return SpinError(float(errors[link]) / fastest if fastest > 0 else 0.0, link + 1, bound)


def _inertia(mass: Array, flies: bool) -> Array:
    """Return G (6, 6) about the origin of the link; if it flies, only the inertia about its centre."""
    m, h = mass[0], hat(mass[1:4])
    I = np.zeros((3, 3))
    I[UPPER] = mass[4:]
    I = I + np.triu(I, 1).T
    if flies:
        return np.block([[I - h @ h.T / m if m > 0 else I, np.zeros((3, 3))], [np.zeros((3, 6))]])
    return np.block([[I, h], [h.T, m * np.eye(3)]])


def _slope_and_momentum(G: Array, x: Array, flies: bool) -> tuple[Array, Array]:
    """Return D and d of (1)."""
    if flies:
        x = np.concatenate([x[:3], np.zeros(3)])
    A, y = _coadjoint(x), G @ x
    turned = [B @ (A @ y) + A @ (B @ y) for B in map(_coadjoint, np.eye(6))]
    D = (A @ A @ G + np.array(turned).T) / 12
    if flies:
        D[:, 3:] = 0.0
    return np.asarray(D), np.asarray(A @ A @ y / 12)


def _coadjoint(x: Array) -> Array:
    """Return the matrix of ad_x^T on (torque, force)."""
    W, V = hat(x[:3]), hat(x[3:])
    return np.asarray(-np.block([[W, V], [np.zeros((3, 3)), W]]))
