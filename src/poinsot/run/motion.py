"""The motion of each body of a run, by name: poses, velocities, joint coordinates, angles and flips."""

from numpy.typing import ArrayLike

from poinsot.diagnostics.group_distance import distance_to_se3
from poinsot.diagnostics.motions import BodyMotion
from poinsot.diagnostics.spin import Angles, angles, flip_times
from poinsot.diagnostics.trajectory import Trajectory
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, suggestion
from poinsot.model.joints.joint import unit


class RunMotion:
    """How the bodies of a run moved; `trajectory` is that of the run."""

    trajectory: Trajectory

    def _motion(self, name: str) -> BodyMotion:
        """Return the motion of a body; a ModelError says if there is no such body."""
        motions = self.trajectory.motions
        if not isinstance(name, str) or name not in motions:
            loops = [loop.name for loop in self.trajectory.mechanism.loops]
            if isinstance(name, str) and name in loops:
                raise ModelError(
                    f"run: {name!r} is a loop, not a body: only run.reaction({name!r}) is defined for it"
                )
            raise ModelError(f"run: unknown body {checks.show(name)}{suggestion(name, [*motions, *loops])}")
        return motions[name]

    def rotation(self, name: str) -> Array:
        """Return the rotation matrices of a body, which map body axes to space axes.

        Parameters
        ----------
        name : str
            Name of the body.

        Returns
        -------
        ndarray, shape (n, 3, 3)
            One matrix per sample.

        Raises
        ------
        ModelError
            If the mechanism has no body of this name.
        """
        return self._motion(name).rotation

    def quaternion(self, name: str) -> Array:
        """Return the attitude of a body as quaternions, which map body axes to space axes.

        Parameters
        ----------
        name : str
            Name of the body.

        Returns
        -------
        ndarray, shape (n, 4)
            Quaternions (w, x, y, z), scalar part first.

        Raises
        ------
        ModelError
            If the mechanism has no body of this name.
        """
        return self._motion(name).quaternion

    def position(self, name: str) -> Array:
        """Return the positions of the centre of mass of a body.

        Parameters
        ----------
        name : str
            Name of the body.

        Returns
        -------
        ndarray, shape (n, 3)
            Positions in space, in m.

        Raises
        ------
        ModelError
            If the mechanism has no body of this name.
        """
        return self._motion(name).position

    def angular_velocity(self, name: str) -> Array:
        """Return the angular velocities of a body in body axes.

        Parameters
        ----------
        name : str
            Name of the body.

        Returns
        -------
        ndarray, shape (n, 3)
            Angular velocities in the body frame, in rad/s.

        Raises
        ------
        ModelError
            If the mechanism has no body of this name.
        """
        return self._motion(name).angular_velocity

    def velocity(self, name: str) -> Array:
        """Return the velocities of the centre of mass of a body.

        Parameters
        ----------
        name : str
            Name of the body.

        Returns
        -------
        ndarray, shape (n, 3)
            Velocities in space, in m/s.

        Raises
        ------
        ModelError
            If the mechanism has no body of this name.
        """
        return self._motion(name).velocity

    def joint(self, name: str) -> Array:
        """Return the coordinates of the joint that carries a body.

        Parameters
        ----------
        name : str
            Name of the body.

        Returns
        -------
        ndarray, shape (n, nq)
            Coordinates q of the joint, in rad and m; `poinsot.model.joints` lists them for each joint.

        Raises
        ------
        ModelError
            If the mechanism has no body of this name.
        """
        self._motion(name)
        return self.trajectory.q[:, self.trajectory.mechanism.slices(name)[0]]

    def rate(self, name: str) -> Array:
        """Return the velocities of the joint that carries a body.

        Parameters
        ----------
        name : str
            Name of the body.

        Returns
        -------
        ndarray, shape (n, nv)
            Velocities v of the joint, in rad/s and m/s.

        Raises
        ------
        ModelError
            If the mechanism has no body of this name.
        """
        self._motion(name)
        return self.trajectory.v[:, self.trajectory.mechanism.slices(name)[1]]

    def distance_to_se3(self, name: str) -> Array:
        """Return how far the poses of a body are from SE(3), before anything is normalised.

        It is the Frobenius norm of RᵀR - 1 for the matrix R that the stored quaternions of the joints between
        the body and the world give; `rotation` normalises them.  It is rounding for all methods but
        `rk4_raw`.  A small distance is no measure of the accuracy.

        Parameters
        ----------
        name : str
            Name of the body.

        Returns
        -------
        ndarray, shape (n,)
            Distance at each sample.

        Raises
        ------
        ModelError
            If the mechanism has no body of this name.
        """
        self._motion(name)
        return distance_to_se3(self.trajectory, name)

    def angles(self, name: str, up: ArrayLike | None = None) -> Angles:
        """Return nutation, precession and spin of the third axis of a body.

        Parameters
        ----------
        name : str
            Name of the body.
        up : array_like, shape (3,), optional
            Direction in space against which the angles are measured.  Default: against gravity, or z if there
            is no gravity.

        Returns
        -------
        Angles
            Named tuple of `nutation`, `precession` and `spin`, each of shape (n,), in rad.

        Raises
        ------
        ModelError
            If the mechanism has no body of this name.

        Examples
        --------
        >>> import poinsot as ps
        >>> s = ps.scenario("fast-top")
        >>> run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.01, until=0.1)
        >>> print(f"{run.angles('top').nutation[0]:.3f}")
        0.300
        """
        g = self.trajectory.mechanism.gravity
        given = up if up is not None else (-g if g.any() else (0.0, 0.0, 1.0))
        return angles(self.rotation(name), unit("run.angles", "up", given))

    def flips(self, name: str) -> Array:
        """Return the times at which the spin about the intermediate axis of a body changes its sign.

        Parameters
        ----------
        name : str
            Name of the body.

        Returns
        -------
        ndarray, shape (k,)
            Times in s, interpolated between the samples.

        Raises
        ------
        ModelError
            If the mechanism has no body of this name, or two principal moments of the body are equal.

        Examples
        --------
        >>> import poinsot as ps
        >>> s = ps.scenario("dzhanibekov")
        >>> run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, until=6.0)
        >>> print(*(f"{time:.4f}" for time in run.flips("nut")))
        1.7363 5.2090
        """
        return flip_times(self.trajectory.mechanism, name, self.trajectory.time, self.angular_velocity(name))
