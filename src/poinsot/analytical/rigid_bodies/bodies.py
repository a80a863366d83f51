"""Bodies, joints, springs and dampers of a tree, and its kinematics (1)-(3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from poinsot.analytical.arguments import takes
from poinsot.analytical.joints import JOINTS, Joint
from poinsot.analytical.operators import Ad, Array, ad, inverse, pose
from poinsot.errors import ModelError
from poinsot.model.checks import array, choice, items, show, suggestion, vector, whole
from poinsot.model.joints.joint import unit


@dataclass(frozen=True)
class Link:
    """A body and the joint that carries it."""

    parent: int
    joint: Joint
    axis: Array
    absolute: bool
    pre: Array
    inertia: Array  # M′
    x: slice
    xi: slice


class Pair(NamedTuple):
    """A spring or damper between the bodies a and b; 0 is the world."""

    a: int
    b: int
    matrix: Array  # D′ or K′
    rest: Array


@dataclass(frozen=True)
class Kinematics:
    """Poses, Jacobians and their rates of the world (0) and of all bodies, and A."""

    G: list[Array]
    J: list[Array]
    J_rate: list[Array]
    A: Array

    def pair(self, a: int, b: int, xi: Array) -> tuple[Array, Array, Array]:
        """Return G, J and dJ/dt of b as seen from a (6)."""
        G = inverse(self.G[a]) @ self.G[b]
        P = Ad(inverse(G))
        J = self.J[b] - P @ self.J[a]
        return G, J, self.J_rate[b] - P @ self.J_rate[a] + ad(J @ xi) @ P @ self.J[a]


class Bodies:
    """What a tree of rigid bodies is made of, and how it moves."""

    def __init__(self, gravity: ArrayLike = (0, 0, -9.81)) -> None:
        self.gravity = np.concatenate([np.zeros(3), vector("rigid bodies", "gravity", gravity)])
        self.links: list[Link] = []
        self.springs: list[Pair] = []
        self.dampers: list[Pair] = []
        self.size = self.freedom = 0

    def add(
        self,
        parent: int,
        joint: str,
        inertia: ArrayLike,
        pre: ArrayLike | None = None,
        axis: ArrayLike = (0, 0, 1),
        velocity: str = "relative",
    ) -> int:
        """Add a body and the joint that carries it; return its number.

        Parameters
        ----------
        parent : int
            Number of the parent; 0 is the world.
        joint : {"free", "spherical", "quaternion", "revolute", "circle", "prismatic"}
            Kind of the joint (1).
        inertia : array_like, shape (4, 4)
            Inertia matrix M′ in the frame of the body, as of `ps.analytical.prime`.
        pre : array_like, shape (4, 4), optional
            Pose of the joint in the frame of the parent.  Default: the identity.
        axis : array_like, shape (3,), default (0, 0, 1)
            Axis of the joint.
        velocity : {"relative", "absolute"}, default "relative"
            Whether the velocities are relative to the parent or absolute (3).

        Returns
        -------
        int
            Number of the body.

        Raises
        ------
        ModelError
            If the joint, the parent or the kind of velocity is unknown.
        """
        name = f"body {len(self.links) + 1}"
        if not isinstance(joint, str) or joint not in JOINTS:
            raise ModelError(f"{name}: unknown joint {show(joint)}{suggestion(joint, JOINTS)}")
        parent = self._number(name, "parent", parent)
        kind = JOINTS[joint]
        choice(name, "velocity", velocity, ("relative", "absolute"))
        if velocity == "absolute" and not kind.absolute:
            raise ModelError(f"{name}: a {joint} joint has no velocity {velocity!r}")
        a = np.array(unit(name, "axis", axis))
        place = np.eye(4) if pre is None else array(name, "pre", pre, "a 4x4 matrix", (4, 4))
        self.links.append(
            Link(
                parent,
                kind,
                a,
                velocity == "absolute",
                place,
                array(name, "inertia", inertia, "a 4x4 matrix", (4, 4)),
                slice(self.size, self.size + kind.size),
                slice(self.freedom, self.freedom + kind.freedom),
            )
        )
        self.size += kind.size
        self.freedom += kind.freedom
        return len(self.links)

    def _number(self, name: str, what: str, body: object) -> int:
        """Return the number of a body that is there; 0 is the world."""
        return whole(name, what, body, 0, len(self.links))

    @takes(stiffness=(4, 4), rest=(4, 4))
    def spring(self, a: int, b: int, stiffness: ArrayLike, rest: ArrayLike) -> None:
        """Add a stiffness between two bodies.

        Parameters
        ----------
        a, b : int
            Numbers of two bodies; 0 is the world.
        stiffness : array_like, shape (4, 4)
            Stiffness matrix K′, as of `ps.analytical.reduce_springs`.
        rest : array_like, shape (4, 4)
            Pose of b in a at rest.
        """
        a, b = self._number("spring", "a", a), self._number("spring", "b", b)
        self.springs.append(Pair(a, b, np.asarray(stiffness), np.asarray(rest)))

    @takes(damping=(4, 4))
    def damper(self, a: int, b: int, damping: ArrayLike) -> None:
        """Add a damping of body b in a fluid that moves with body a.

        Parameters
        ----------
        a, b : int
            Numbers of two bodies; 0 is the world.
        damping : array_like, shape (4, 4)
            Damping matrix D′, as of `ps.analytical.prime`.
        """
        a, b = self._number("damper", "a", a), self._number("damper", "b", b)
        self.dampers.append(Pair(a, b, np.asarray(damping), np.eye(4)))

    def start(self, joints: Sequence[Any] = ()) -> Array:
        """Return the coordinates x of the system.

        Parameters
        ----------
        joints : sequence of array_like, default ()
            Coordinates of the first joints; the others are at their zero.

        Returns
        -------
        ndarray, shape (size,)
            Coordinates.
        """
        given = items("start", "joints", joints, "a list of coordinates")
        if len(given) > len(self.links):
            raise ModelError(f"start: {len(given)} joints are given, and there are {len(self.links)}")
        sizes = [link.joint.size for link in self.links]
        parts = [vector("start", f"joint {k + 1}", q, sizes[k]) for k, q in enumerate(given)]
        return np.concatenate([np.zeros(0), *parts, *(link.joint.zero for link in self.links[len(parts) :])])

    @takes(x=("size",), xi=("freedom",))
    def kinematics(self, x: Array, xi: Array) -> Kinematics:
        """Return poses, Jacobians and their rates of all bodies (1)-(3).

        Parameters
        ----------
        x : ndarray, shape (size,)
            Coordinates of the system.
        xi : ndarray, shape (freedom,)
            Velocities of the system.

        Returns
        -------
        Kinematics
            Poses `G`, Jacobians `J`, their rates `J_rate` by number of the body, and `A`.
        """
        x, xi = np.asarray(x), np.asarray(xi)
        kind = np.result_type(x, xi, float)
        none, E = np.zeros((6, self.freedom), dtype=kind), np.eye(self.freedom)
        found = Kinematics([np.eye(4)], [none], [none], np.zeros((self.size, self.freedom), dtype=kind))
        for link in self.links:
            G, J, dJ = found.G[link.parent], found.J[link.parent], found.J_rate[link.parent]
            q, S = x[link.x], link.joint.subspace(link.axis)
            Ge = link.pre @ pose(*link.joint.pose(q, link.axis))
            P = Ad(inverse(Ge))
            eta, deta = E[link.xi].astype(kind), np.zeros((link.joint.freedom, self.freedom), dtype=kind)
            if link.absolute:  # (3)
                eta = eta - S.T @ P @ J
                deta = S.T @ (ad(S @ eta @ xi) @ P @ J - P @ dJ)
            found.G.append(G @ Ge)
            found.J.append(P @ J + S @ eta)  # (2)
            found.J_rate.append(P @ dJ - ad(S @ eta @ xi) @ P @ J + S @ deta)
            found.A[link.x] = link.joint.rates(q) @ eta
        return found
