"""The matrix B of a `MovingFrame` and its rate (1)-(4), (7)-(10)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from poinsot.analytical.arguments import takes
from poinsot.analytical.joints import of_quaternion, rotation_about
from poinsot.analytical.moving_frame.link import Link, Motion
from poinsot.analytical.operators import Array, wed
from poinsot.errors import ModelError
from poinsot.model.checks import items, show, vector


class Kinematics:
    """Bodies with their joints, and how they move with the velocities w of the joints."""

    def __init__(self, links: Sequence[Link], gravity: ArrayLike = (0, 0, -9.81)) -> None:
        self.gravity = vector("moving frame", "gravity", gravity)
        links = items("moving frame", "links", links, "a list of Link")
        if not all(isinstance(link, Link) for link in links):
            raise ModelError(f"moving frame: links must be a list of Link, got {show(links)}")
        self.parents = [link.parent for link in links]
        if any(not -1 <= p < k for k, p in enumerate(self.parents)):
            raise ModelError(f"moving frame: parents must come first, got {self.parents}")
        self.masses = np.array([link.mass for link in links], dtype=float)
        self.inertias = np.array([link.inertia for link in links], dtype=float)
        self.inboard = np.array([link.inboard for link in links], dtype=float)
        self.outboard = np.array([link.outboard for link in links], dtype=float)
        self.placements = np.array([link.placement for link in links], dtype=float)
        self.axes = [None if link.axes is None else _directions(link.axes) for link in links]
        self.slides = [_directions(link.slides) for link in links]
        self.n = len(self.parents)
        turns = [3 if a is None else len(a) for a in self.axes]
        freedoms = [turn + len(d) for turn, d in zip(turns, self.slides, strict=True)]
        sizes = [count + (a is None) for count, a in zip(freedoms, self.axes, strict=True)]
        self.turns = turns  # rotational freedoms of each joint; then come its slides
        self.at = np.concatenate([[0], np.cumsum(freedoms)])
        self.q_at = np.concatenate([[0], np.cumsum(sizes)])
        self.size, self.freedom = int(self.q_at[-1]), int(self.at[-1])

    @takes(q=("size",), w=("freedom",))
    def joints(self, q: Array, w: Array) -> tuple[list[Array], list[Array], list[Array]]:
        """Return relative rotations, E and dE/dt of all joints (7), (8).

        Parameters
        ----------
        q : ndarray
            Coordinates of all joints: quaternions and angles.
        w : ndarray, shape (freedom,)
            Relative angular velocities and rates of the joints, in rad/s.

        Returns
        -------
        rotations, E, dE : list of ndarray
            One matrix for each joint.
        """
        rotations, E, dE = [], [], []
        for k, axes in enumerate(self.axes):
            z, s = q[self.q_at[k] : self.q_at[k + 1]], w[self.at[k] : self.at[k + 1]]
            if axes is None:
                R, e, de = of_quaternion(z[:4]), np.eye(3), np.zeros((3, 3))
            elif not len(axes):
                R, e, de = np.eye(3), np.zeros((3, 0)), np.zeros((3, 0))
            elif len(axes) == 1:
                R, e, de = rotation_about(np.cos(z[0]), np.sin(z[0]), axes[0]), axes.T, np.zeros((3, 1))
            else:
                second = rotation_about(np.cos(z[1]), np.sin(z[1]), axes[1])
                first = second.T @ axes[0]
                R = rotation_about(np.cos(z[0]), np.sin(z[0]), axes[0]) @ second
                e = np.stack([first, axes[1] + 0 * first], axis=1)
                de = np.stack([-s[1] * (wed(axes[1]) @ first), 0 * first], axis=1)
            rotations.append(self.placements[k] @ R)
            E.append(e)
            dE.append(de)
        return rotations, E, dE

    @takes(q=("size",), w=("freedom",))
    def matrices(self, q: Array, w: Array) -> tuple[Array, Array]:
        """Return B and dB/dt (1)-(4), (7), (8).

        Parameters
        ----------
        q : ndarray
            Coordinates of all joints: quaternions and angles.
        w : ndarray, shape (freedom,)
            Relative angular velocities and rates of the joints, in rad/s.

        Returns
        -------
        B, dB : ndarray, shape (6 n, freedom)
            Matrices with the rows (dx_1/dt, W_1, ...).
        """
        n, kind = self.n, np.result_type(q, w, float)
        relative, E, dE = self.joints(q, w)
        C, wkj = np.zeros((n, n, 3, 3), dtype=kind), np.zeros((n, n, 3), dtype=kind)
        R: list[Array] = []
        W = np.zeros((n, 3), dtype=kind)
        B, dB = np.zeros((n, 2, 3, n, 3), dtype=kind), np.zeros((n, 2, 3, n, 3), dtype=kind)
        for k, p in enumerate(self.parents):
            own = E[k] @ self._turning(w, k)
            s, o, moving = wed(self.inboard[k]), wed(self._outboard(q, k)), self._sliding(w, k)
            R.append(relative[k] if p < 0 else R[p] @ relative[k])
            W[k] = own if p < 0 else relative[k].T @ W[p] + own
            if p >= 0:
                path = np.abs(C[p]).max(axis=(1, 2)) > 0
                C[k] = relative[k].T @ C[p]  # (1)
                wkj[k, path] = wkj[p, path] @ relative[k] + own
                B[k, 0] = B[p, 0] - _rows(R[p] @ o @ C[p])  # (3)
                inner = wed(W[p]) @ o + wed(moving) - o @ _hats(wkj[p])
                dB[k, 0] = dB[p, 0] - _rows(R[p] @ inner @ C[p])  # (4), (10)
            C[k, k] = np.eye(3)
            B[k, 0] -= _rows(R[k] @ s @ C[k])
            dB[k, 0] -= _rows(R[k] @ (wed(W[k]) @ s - s @ _hats(wkj[k])) @ C[k])
            B[k, 1] = _rows(C[k])
            dB[k, 1] = -_rows(_hats(wkj[k]) @ C[k])
        full, moved = B.reshape(6 * n, 3 * n), dB.reshape(6 * n, 3 * n)
        restrict, rate = (
            np.zeros((3 * n, self.freedom), dtype=kind),
            np.zeros((3 * n, self.freedom), dtype=kind),
        )
        slide, sliding = np.zeros((2, n, 2, 3, self.freedom), dtype=kind)
        for k, p in enumerate(self.parents):
            turn = slice(self.at[k], self.at[k] + self.turns[k])
            restrict[3 * k : 3 * k + 3, turn], rate[3 * k : 3 * k + 3, turn] = E[k], dE[k]
            along = self.placements[k] @ self.slides[k].T
            if p >= 0:
                slide[k, 0], sliding[k, 0] = slide[p, 0], sliding[p, 0]
                sliding[k, 0, :, turn.stop : self.at[k + 1]] = R[p] @ wed(W[p]) @ along  # (10)
                along = R[p] @ along
            slide[k, 0, :, turn.stop : self.at[k + 1]] = along  # (9)
        flat = slide.reshape(6 * n, -1), sliding.reshape(6 * n, -1)
        return full @ restrict + flat[0], moved @ restrict + full @ rate + flat[1]  # (8)

    def _turning(self, w: Array, k: int) -> Array:
        """Return the rotational velocities of joint k."""
        return w[self.at[k] : self.at[k] + self.turns[k]]

    def _sliding(self, w: Array, k: int) -> Array:
        """Return the velocity of joint k in the frame of the parent, if that is at rest."""
        return self.placements[k] @ (self.slides[k].T @ w[self.at[k] + self.turns[k] : self.at[k + 1]])

    def _outboard(self, q: Array, k: int) -> Array:
        """Return the vector from the parent's centre of mass to joint k, in the frame of the parent."""
        z = q[self.q_at[k + 1] - len(self.slides[k]) : self.q_at[k + 1]]
        return self.outboard[k] + self.placements[k] @ (self.slides[k].T @ z)

    @takes(q=("size",), w=("freedom",), B=(None, "freedom"))
    def motion(self, q: Array, w: Array, B: Array | None = None) -> Motion:
        """Return positions and velocities of all bodies.

        Parameters
        ----------
        q : ndarray
            Coordinates of all joints: quaternions and angles.
        w : ndarray, shape (freedom,)
            Relative angular velocities and rates of the joints, in rad/s.
        B : ndarray, optional
            Matrix B, if it is known already.

        Returns
        -------
        Motion
            Rotations, positions and velocities of all bodies.
        """
        X = ((self.matrices(q, w)[0] if B is None else B) @ w).reshape(self.n, 2, 3)
        relative, E, _ = self.joints(q, w)
        R: list[Array] = []
        x = np.zeros((self.n, 3), dtype=X.dtype)
        for k, p in enumerate(self.parents):
            R.append(relative[k] if p < 0 else R[p] @ relative[k])
            joint = self._outboard(q, k) if p < 0 else x[p] + R[p] @ self._outboard(q, k)
            x[k] = joint + R[k] @ self.inboard[k]
        own = np.array([E[k] @ self._turning(w, k) for k in range(self.n)])
        return Motion(relative, R, x, X[:, 0], X[:, 1], own)


def _directions(given: ArrayLike) -> Array:
    """Return directions as rows of length 1."""
    rows = np.asarray(given, dtype=float).reshape(-1, 3)
    if not rows.any(axis=1).all():
        raise ModelError("moving frame: an axis has zero length")
    return rows / np.linalg.norm(rows, axis=1)[:, None]


def _rows(blocks: Array) -> Array:
    """Return blocks (n, 3, 3) side by side, as (3, n, 3)."""
    return blocks.transpose(1, 0, 2)


def _hats(x: Array) -> Array:
    """Return hat of every row."""
    H = np.zeros((len(x), 3, 3), dtype=x.dtype)
    H[:, 0, 1], H[:, 0, 2], H[:, 1, 2] = -x[:, 2], x[:, 1], -x[:, 0]
    return H - H.transpose(0, 2, 1)
