"""The terms of the equations of motion of a tree (4)-(8)."""

import numpy as np
from numpy.typing import ArrayLike

from poinsot.analytical.arguments import shaped, takes
from poinsot.analytical.operators import Ad, Array, Vee, inverse, vee2, wed
from poinsot.analytical.rigid_bodies.bodies import Bodies, Kinematics


class Equations(Bodies):
    """The mass matrix and all forces of a tree, and the accelerations that follow from them."""

    @takes(x=("size",))
    def mass(self, x: Array) -> Array:
        """Return the mass matrix (4).

        Parameters
        ----------
        x : ndarray, shape (size,)
            Coordinates of the system.

        Returns
        -------
        ndarray, shape (freedom, freedom)
            Mass matrix.
        """
        return self._mass(self.kinematics(x, np.zeros(self.freedom)))

    @takes(x=("size",), xi=("freedom",))
    def bias(self, x: Array, xi: Array) -> Array:
        """Return the bias force c (5).

        Parameters
        ----------
        x : ndarray, shape (size,)
            Coordinates of the system.
        xi : ndarray, shape (freedom,)
            Velocities of the system.

        Returns
        -------
        ndarray, shape (freedom,)
            Bias force.
        """
        return self._bias(self.kinematics(x, xi), xi)

    @takes(x=("size",))
    def damping(self, x: Array) -> Array:
        """Return the damping matrix D (6).

        Parameters
        ----------
        x : ndarray, shape (size,)
            Coordinates of the system.

        Returns
        -------
        ndarray, shape (freedom, freedom)
            Damping matrix.
        """
        return self._damping(self.kinematics(x, np.zeros(self.freedom)))

    @takes(x=("size",))
    def stiffness_force(self, x: Array) -> Array:
        """Return the force f_K of the springs (7).

        Parameters
        ----------
        x : ndarray, shape (size,)
            Coordinates of the system.

        Returns
        -------
        ndarray, shape (freedom,)
            Generalised force, on the left side of (8).
        """
        return self._stiffness_force(self.kinematics(x, np.zeros(self.freedom)))

    @takes(x=("size",))
    def gravity_force(self, x: Array) -> Array:
        """Return the weight f_G (7).

        Parameters
        ----------
        x : ndarray, shape (size,)
            Coordinates of the system.

        Returns
        -------
        ndarray, shape (freedom,)
            Generalised force, on the left side of (8).
        """
        return self._gravity_force(self.kinematics(x, np.zeros(self.freedom)))

    @takes(x=("size",), xi=("freedom",), force=shaped((), ("freedom",)))
    def acceleration(self, x: Array, xi: Array, force: ArrayLike = 0.0) -> Array:
        """Return dξ/dt (8).

        Parameters
        ----------
        x : ndarray, shape (size,)
            Coordinates of the system.
        xi : ndarray, shape (freedom,)
            Velocities of the system.
        force : array_like, shape (freedom,), default 0.0
            Generalised force f on the right side of (8).

        Returns
        -------
        ndarray, shape (freedom,)
            Accelerations.
        """
        k = self.kinematics(x, xi)
        f = (
            force
            - self._bias(k, xi)
            - self._damping(k) @ xi
            - self._stiffness_force(k)
            - self._gravity_force(k)
        )
        return np.linalg.solve(self._mass(k), f)

    def _mass(self, k: Kinematics) -> Array:
        return sum(
            (J.T @ Vee(link.inertia) @ J for J, link in zip(k.J[1:], self.links, strict=True)),
            start=np.zeros((self.freedom, self.freedom)),
        )

    def _bias(self, k: Kinematics, xi: Array) -> Array:
        c = np.zeros(self.freedom)
        for J, dJ, link in zip(k.J[1:], k.J_rate[1:], self.links, strict=True):
            twist = wed(J @ xi)
            c = c + J.T @ vee2((wed(dJ @ xi) + twist @ twist) @ link.inertia)
        return c

    def _damping(self, k: Kinematics) -> Array:
        D, rest = np.zeros((self.freedom, self.freedom)), np.zeros(self.freedom)
        for a, b, matrix, _ in self.dampers:
            J = k.pair(a, b, rest)[1]
            D = D + J.T @ Vee(matrix) @ J
        return D

    def _stiffness_force(self, k: Kinematics) -> Array:
        f = rest = np.zeros(self.freedom)
        for a, b, matrix, place in self.springs:
            G, J, _ = k.pair(a, b, rest)
            f = f + J.T @ vee2((np.eye(4) - inverse(G) @ place) @ matrix)
        return f

    def _gravity_force(self, k: Kinematics) -> Array:
        f = np.zeros(self.freedom)
        for G, J, link in zip(k.G[1:], k.J[1:], self.links, strict=True):
            f = f - J.T @ Vee(link.inertia) @ Ad(inverse(G)) @ self.gravity
        return f
