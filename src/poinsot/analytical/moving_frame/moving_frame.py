"""A tree in the moving-frame formulation: its equations of motion (5), (6), its energies, and as a system."""

from typing import Any

import numpy as np

from poinsot.analytical.arguments import function, number, takes
from poinsot.analytical.coordinates import Coordinates, Map
from poinsot.analytical.equations import System, with_loop_constraints
from poinsot.analytical.moving_frame.kinematics import Kinematics
from poinsot.analytical.moving_frame.link import Force, Motion
from poinsot.analytical.moving_frame.system import coordinates_of, hamiltonian_of, system_of
from poinsot.analytical.operators import Array, wed


class MovingFrame(Kinematics):
    """A tree of rigid bodies in the moving-frame formulation.

    Parameters
    ----------
    links : sequence of Link
        Bodies with their joints; parents come before their children.
    gravity : array_like, shape (3,), default (0, 0, -9.81)
        Acceleration of gravity in space, in m/s².

    Raises
    ------
    ModelError
        If a child comes before its parent, or a joint has more than two axes.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> arm = ps.analytical.Link(-1, 2.0, np.zeros((3, 3)), inboard=(0, 0, -1), axes=[(0, 1, 0)])
    >>> tree = ps.analytical.MovingFrame([arm], gravity=(0, 0, -10))
    >>> tree.acceleration(np.array([np.pi / 2]), np.zeros(1))
    array([-10.])
    """

    def mass(self) -> Array:
        """Return the matrix M with masses and inertias on the diagonal."""
        M = np.zeros((self.n, 2, 3, self.n, 2, 3))
        for k in range(self.n):
            M[k, 0, :, k, 0], M[k, 1, :, k, 1] = self.masses[k] * np.eye(3), self.inertias[k]
        return M.reshape(6 * self.n, 6 * self.n)

    @takes(q=("size",), w=("freedom",))
    def reduced(self, q: Array, w: Array) -> tuple[Array, Array, Array]:
        """Return M*, N* w and B (5).

        Parameters
        ----------
        q : ndarray
            Coordinates of all joints: quaternions and angles.
        w : ndarray, shape (freedom,)
            Relative angular velocities and rates of the joints, in rad/s.

        Returns
        -------
        M, N, B : ndarray
            Reduced mass matrix, reduced bias force, and B.
        """
        B, dB = self.matrices(q, w)
        M = self.mass()
        X = M @ B @ w
        gyro = np.zeros((self.n, 2, 3), dtype=X.dtype)
        W = (B @ w).reshape(self.n, 2, 3)[:, 1]
        gyro[:, 1] = np.cross(W, X.reshape(self.n, 2, 3)[:, 1])
        return B.T @ M @ B, B.T @ (M @ dB @ w + gyro.reshape(-1)), B

    @takes(q=("size",), w=("freedom",), t=number, force=function)
    def acceleration(self, q: Array, w: Array, t: float = 0.0, force: Force | None = None) -> Array:
        """Return dw/dt under gravity and a force on the bodies (6).

        Parameters
        ----------
        q : ndarray
            Coordinates of all joints: quaternions and angles.
        w : ndarray, shape (freedom,)
            Relative angular velocities and rates of the joints, in rad/s.
        t : float, default 0.0
            Time in seconds, for the force.
        force : callable, optional
            Forces on the bodies as a function of (t, motion).  Default: gravity only.

        Returns
        -------
        ndarray, shape (freedom,)
            Accelerations in rad/s².
        """
        M, N, B = self.reduced(q, w)
        F = np.zeros((self.n, 2, 3))
        F[:, 0] = self.masses[:, None] * self.gravity
        if force is not None:
            at_center, moment = force(t, self.motion(q, w, B))
            F[:, 0] += at_center
            F[:, 1] += moment
        T = np.linalg.cholesky(M)
        return np.linalg.solve(T.T, np.linalg.solve(T, B.T @ F.reshape(-1) - N))

    @takes(q=("size",), w=("freedom",))
    def energy(self, q: Array, w: Array) -> float:
        """Return the kinetic energy and the potential energy of gravity.

        Parameters
        ----------
        q : ndarray
            Coordinates of all joints: quaternions and angles.
        w : ndarray, shape (freedom,)
            Relative angular velocities and rates of the joints, in rad/s.

        Returns
        -------
        float
            Sum in J.
        """
        M, _, B = self.reduced(q, w)
        return float(w @ M @ w / 2 - self.masses @ (self.motion(q, w, B).x @ self.gravity))

    def halves(self) -> Array:
        """Return the factors from w to ξ of the state: ½ for spherical joints, 1 for axes and slides."""
        found = np.ones(self.freedom)
        for k, axes in enumerate(self.axes):
            if axes is None:
                found[self.at[k] : self.at[k] + 3] = 0.5
        return found

    def coordinates(self) -> Coordinates:
        """Return the coordinates q of all joints with the velocities w, for the formulations of this package.

        Returns
        -------
        Coordinates
            Quaternions of length 1, angles and displacements.
        """
        return coordinates_of(self.axes, self.q_at, self.at)

    @takes(q=("size",))
    def reduced_mass(self, q: Array) -> Array:
        """Return the reduced mass matrix M* (5).

        Parameters
        ----------
        q : ndarray
            Coordinates of all joints; they may be complex.

        Returns
        -------
        ndarray, shape (freedom, freedom)
            Mass matrix of the velocities w.
        """
        B = self.matrices(q, np.zeros(self.freedom))[0]
        return B.T @ self.mass() @ B

    @takes(q=("size",))
    def potential(self, q: Array) -> Any:
        """Return the potential energy of gravity.

        Parameters
        ----------
        q : ndarray
            Coordinates of all joints; they may be complex.

        Returns
        -------
        float
            Energy in J.
        """
        none = np.zeros((6 * self.n, self.freedom), dtype=np.result_type(q, float))
        return -(self.masses @ (self.motion(q, np.zeros(self.freedom), none).x @ self.gravity))

    @takes(force=function, loop=function, pull=number)
    def system(self, force: Force | None = None, loop: Map | None = None, pull: float = 0.0) -> System:
        """Return the equations of motion as a system, which `ps.simulate` runs.

        Parameters
        ----------
        force : callable, optional
            Forces on the bodies as a function of (t, motion).  Default: gravity only.
        loop : callable, optional
            Residuals ψ(q) of loop constraints; forces hold them, whose `multipliers` the system knows.
        pull : float, default 0.0
            Rate in 1/s at which errors of ψ decay.

        Returns
        -------
        System
            System with y = (q, w).
        """
        made = system_of(self, force)
        return made if loop is None else with_loop_constraints(made, self.reduced_mass, loop, pull)

    def hamiltonian(self) -> System:
        """Return the equations of motion in Hamilton's form, H = ½ p·M*⁻¹ p + V.

        With w = M*⁻¹ p the derivative of p·M*⁻¹ p / 2 is -½ w·∂M* w: no inverse is differentiated, and ∂M* is
        that of the complex step.  If all joints have axes or slides, q and p are canonical, and the Gauss
        methods are symplectic on it; quaternions are not canonical coordinates.

        Returns
        -------
        System
            System with y = (q, p), p = M* w.
        """
        return hamiltonian_of(self)

    @takes(q=("size",))
    def pattern(self, q: Array) -> Array:
        """Return where B has entries: 1 where it does not vanish in some states near q, else 0.

        `ps.spy` draws it; figure 3.1 of the thesis is that of four links.

        Parameters
        ----------
        q : ndarray
            Coordinates of all joints.

        Returns
        -------
        ndarray, shape (6 n, freedom)
            Zeros and ones.
        """
        found = np.zeros((6 * self.n, self.freedom))
        random = np.random.default_rng(0)
        for _ in range(3):
            near = np.asarray(q, dtype=float) + 0.3 * random.normal(size=self.size)
            found = np.maximum(found, np.abs(self.matrices(near, np.zeros(self.freedom))[0]))
        return (found > 1e-12).astype(float)

    @takes(t=number, y=(None,), force=function)
    def field(self, t: float, y: Array, force: Force | None = None) -> Array:
        """Return dy/dt of the state y = (q_1 ... q_n, ξ_1 ... ξ_n).

        Parameters
        ----------
        t : float
            Time in seconds.
        y : ndarray
            State.
        force : callable, optional
            Forces on the bodies as a function of (t, motion).  Default: gravity only.

        Returns
        -------
        ndarray
            Rate of the state.
        """
        q, half = y[: self.size], self.halves()
        w = y[self.size :] / half
        rates: list[Array] = []
        for k, axes in enumerate(self.axes):
            z, s = q[self.q_at[k] : self.q_at[k + 1]], w[self.at[k] : self.at[k + 1]]
            rates += [s] if axes is not None else [_times(z[:4], s[:3] / 2), s[3:]]
        return np.concatenate([*rates, half * self.acceleration(q, w, t, force)])


def joint_moments(system: MovingFrame, motion: Motion, moments: Array) -> Array:
    """Return the moments (n, 3) on the bodies of moments t_k in the joints (child frames)."""
    total = np.array(moments, dtype=float)
    for k, p in enumerate(system.parents):
        if p >= 0:
            total[p] -= motion.relative[k] @ moments[k]
    return total


def _times(u: Array, xi: Array) -> Array:
    """Return the quaternion product u (0, ξ)."""
    w, v = u[0], u[1:]
    return np.concatenate([[-(v @ xi)], w * xi + wed(v) @ xi])
