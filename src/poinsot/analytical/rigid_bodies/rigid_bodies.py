"""A tree of rigid bodies with its energies, its connection (9), (10), and as a system."""

from collections.abc import Callable
from typing import Any

import numpy as np

from poinsot.analytical.arguments import function, takes
from poinsot.analytical.coordinates import Coordinates, connection
from poinsot.analytical.derivatives import complex_step
from poinsot.analytical.equations import Rate, System
from poinsot.analytical.operators import Array, Vee, ad, inverse, wed
from poinsot.analytical.rigid_bodies.equations import Equations

SE3 = np.stack([ad(e) for e in np.eye(6)]).transpose(0, 2, 1)  # γ of se(3): [eᵢ, eⱼ] = γᵢⱼᵏ eₖ


class RigidBodies(Equations):
    """A tree of rigid bodies in redundant coordinates.

    Bodies are numbered from 1 in the order in which they are added; 0 is the world.

    Parameters
    ----------
    gravity : array_like, shape (3,), default (0, 0, -9.81)
        Acceleration of gravity in space, in m/s².

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> tree = ps.analytical.RigidBodies(gravity=(0, 0, -10))
    >>> tree.add(0, "revolute", ps.analytical.prime([2.0], [[0, 0, -1]]), axis=(0, 1, 0))
    1
    >>> tree.acceleration(np.array([np.pi / 2]), np.zeros(1))
    array([-10.])
    """

    @takes(x=("size",), xi=("freedom",))
    def kinetic_energy(self, x: Array, xi: Array) -> Any:
        """Return the kinetic energy.

        Parameters
        ----------
        x : ndarray, shape (size,)
            Coordinates of the system.
        xi : ndarray, shape (freedom,)
            Velocities of the system.

        Returns
        -------
        float
            Energy in J.
        """
        return xi @ self.mass(x) @ xi / 2

    @takes(x=("size",), xi=("freedom",))
    def acceleration_energy(self, x: Array, xi: Array) -> Callable[[Array], Any]:
        """Return the acceleration energy S at (x, ξ) as a function of dξ/dt (10).

        `gibbs_appell` makes equations of motion of it.

        Parameters
        ----------
        x : ndarray, shape (size,)
            Coordinates of the system.
        xi : ndarray, shape (freedom,)
            Velocities of the system.

        Returns
        -------
        callable
            Function of dξ/dt, which may be complex.
        """
        k = self.kinematics(x, xi)
        twists = [wed(J @ xi) for J in k.J[1:]]
        bias = [wed(dJ @ xi) + V @ V for dJ, V in zip(k.J_rate[1:], twists, strict=True)]

        def S(dxi: Array) -> Any:
            total: Any = 0.0
            for J, b, link in zip(k.J[1:], bias, self.links, strict=True):
                X = wed(J @ dxi) + b
                total = total + (X @ link.inertia * X).sum() / 2
            return total

        return S

    @takes(x=("size",))
    def potential_energy(self, x: Array) -> Any:
        """Return the potential energy of weight and of springs.

        It is -Σ m g·(centre) and ½ tr((G - G_rest) K′ (G - G_rest)ᵀ).

        Parameters
        ----------
        x : ndarray, shape (size,)
            Coordinates of the system.

        Returns
        -------
        float
            Energy in J.
        """
        k = self.kinematics(x, np.zeros(self.freedom))
        V = 0.0
        for G, link in zip(k.G[1:], self.links, strict=True):
            V = V - self.gravity[3:] @ (G @ link.inertia[:, 3])[:3]
        for a, b, matrix, rest in self.springs:
            off = inverse(k.G[a]) @ k.G[b] - rest
            V = V + (off @ matrix * off).sum() / 2
        return V

    @takes(x=("size",))
    def connection(self, x: Array) -> Array:
        """Return the connection Γᵢⱼₖ (9).

        Parameters
        ----------
        x : ndarray, shape (size,)
            Coordinates of the system.

        Returns
        -------
        ndarray, shape (freedom, freedom, freedom)
            Coefficients as [i, j, k].
        """
        xi = np.zeros(self.freedom)
        k = self.kinematics(x, xi)
        moved = [complex_step(lambda z: np.stack(self.kinematics(z, xi).J[1:]), x, a) for a in k.A.T]
        Gamma = np.zeros((self.freedom,) * 3)
        for b, (J, link) in enumerate(zip(k.J[1:], self.links, strict=True)):
            M = Vee(link.inertia)
            body = connection(M, np.zeros((6, 6, 6)), SE3)
            slopes = np.stack([dJ[b] for dJ in moved], axis=-1)  # ∂ₖ Jⱼ^q as [q, j, k]
            Gamma += np.einsum("pi,pq,qjk->ijk", J, M, slopes)
            Gamma += np.einsum("pqr,pi,qj,rk->ijk", body, J, J, J)
        return Gamma

    @takes(x=("size",), xi=("freedom",))
    def coriolis(self, x: Array, xi: Array) -> Array:
        """Return the Coriolis matrix C with c = C ξ and dM/dt = C + Cᵀ (9).

        Parameters
        ----------
        x : ndarray, shape (size,)
            Coordinates of the system.
        xi : ndarray, shape (freedom,)
            Velocities of the system.

        Returns
        -------
        ndarray, shape (freedom, freedom)
            Coriolis matrix.
        """
        k = self.kinematics(x, xi)
        C = np.zeros((self.freedom, self.freedom))
        for J, dJ, link in zip(k.J[1:], k.J_rate[1:], self.links, strict=True):
            M = Vee(link.inertia)
            body = connection(M, np.zeros((6, 6, 6)), SE3) @ (J @ xi)
            C = C + J.T @ (M @ dJ + body @ J)
        return C

    def coordinates(self) -> Coordinates:
        """Return the coordinates, constraints and kinematics of the tree."""
        rest = np.zeros(self.freedom)

        def constraints(x: Array) -> Array:
            return np.concatenate([link.joint.constraints(x[link.x]) for link in self.links])

        return Coordinates(self.size, lambda x: self.kinematics(x, rest).A, constraints)

    @takes(force=function)
    def system(self, force: Rate | None = None) -> System:
        """Return the equations of motion of the tree, with the state y = (x, ξ).

        Parameters
        ----------
        force : callable, optional
            Generalised force (freedom,) as a function f(t, x, ξ).  Default: none.

        Returns
        -------
        System
            System for `ps.simulate` or any integrator.
        """

        def rate(t: float, x: Array, xi: Array) -> Array:
            return self.acceleration(x, xi, 0.0 if force is None else force(t, x, xi))

        def energy(t: float, x: Array, xi: Array) -> Any:
            return self.kinetic_energy(x, xi) + self.potential_energy(x)

        return System(self.coordinates(), lambda t, x, xi: xi, rate, energy)
