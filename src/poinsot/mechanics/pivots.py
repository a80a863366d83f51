"""A check that every joint of a tree can be accelerated: the pivots of the articulated-body algorithm.

    D_i = S_i^T I_i S_i + a_i,      I_p += X^T (I_i - I_i S_i D_i^-1 S_i^T I_i) X                       (1)

in plain 6x6 matrices, once, at the start of a run (not if `Tree.solid`).  A body without mass, or a point
mass on the axis of its joint, makes D singular: a force would accelerate it infinitely, and the model is
wrong.
"""

from collections.abc import Iterator

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.checks import Array
from poinsot.model.forces.drive import Drive
from poinsot.model.kinematics import motions
from poinsot.model.mechanism import WORLD, Mechanism
from poinsot.model.rotations import hat, matrix

SMALLEST = 1e-13  # smallest eigenvalue of D, relative to mass or inertia of the subtree


def check(mechanism: Mechanism, q: Array, v: Array) -> None:
    """Raise a ModelError that names a joint without inertia; not needed if a tree is `solid`."""
    for name in loose_joints(mechanism, q):
        raise ModelError(
            f"joint '{name}': nothing resists its motion, because what it carries has no mass "
            "or no inertia about its axis (a massless body needs something heavy beyond it)"
        )


def loose_joints(mechanism: Mechanism, q: Array) -> Iterator[str]:
    """Yield the names of the joints that carry no inertia along their motion, from the last to the first."""
    x = motions(mechanism, q[None], np.zeros((1, mechanism.lengths[1])))
    I = {
        link.name: _inertia(link.body.mass, link.body.inertia, link.body.center_of_mass)
        for link in mechanism.links
    }
    driven = {force.joint for force in mechanism.forces if isinstance(force, Drive)}
    end = len(q)
    for link in reversed(mechanism.links):
        joint, at = link.joint, slice(end - link.joint.nq, end)
        end = at.start
        R = np.asarray(x[link.name].rotation[0])
        A = I[link.name]
        if joint.nv and link.name not in driven:  # a drive moves what it must
            twists = [joint.twist(q[at][None], e[None]) for e in np.eye(joint.nv)]
            orientation = matrix(link.body_rotation)
            S = np.array([_in_body(orientation, link.body_at, w[0], u[0]) for w, u in twists]).T
            armature = getattr(joint, "armature", 0.0)
            D = S.T @ A @ S + armature * np.eye(joint.nv)  # (1)
            weight = np.array([_size(A, column) for column in S.T]) + armature
            root = np.sqrt(np.abs(weight))
            scaled = D / root[:, None] / root if (weight > 0).all() else D * 0
            if np.linalg.eigvalsh(scaled)[0] <= SMALLEST:
                yield link.name
                D = D + np.diag(np.where(weight > 0, weight, 1.0))
            rest = np.linalg.qr(S, mode="complete")[0][:, joint.nv :]  # what the joint carries, exactly
            A = rest @ (rest.T @ (A - A @ S @ np.linalg.solve(D, S.T @ A)) @ rest) @ rest.T
        if link.parent != WORLD:
            P = x[link.parent]
            to_child = np.asarray(P.rotation[0]).T @ R
            arm = np.asarray(P.rotation[0]).T @ (x[link.name].origin[0] - P.origin[0])
            X = np.block([[to_child.T, np.zeros((3, 3))], [-to_child.T @ hat(arm), to_child.T]])
            I[link.parent] = I[link.parent] + X.T @ A @ X


def _inertia(m: float, J: Array, c: Array) -> Array:
    """Return the spatial inertia (6, 6) about the origin of the body frame."""
    h = hat(c)
    return np.block([[J + m * h @ h.T, m * h], [m * h.T, m * np.eye(3)]])


def _in_body(R: Array, at: Array, w: Array, u: Array) -> Array:
    """Return a twist of the child frame in the body frame."""
    return np.concatenate([R.T @ w, R.T @ (u + np.cross(w, at))])


def _size(A: Array, column: Array) -> float:
    """Return an upper bound of the inertia A along this twist."""
    return float(
        np.trace(A[:3, :3]) * (column[:3] @ column[:3]) + np.trace(A[3:, 3:]) * (column[3:] @ column[3:])
    )
