"""Energy, momentum and centre of mass of a bound mechanism: the sums over its bodies."""

from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from poinsot.compile.functions.potentials import potential_of
from poinsot.compile.kept import Kept
from poinsot.core.tree.dynamics.states import TOTALS_SIZE
from poinsot.errors import ModelError
from poinsot.mechanics.dynamics.given import given, refuse
from poinsot.mechanics.dynamics.prepared import GOOD, Prepared, is_row
from poinsot.mechanics.dynamics.results import Energy, Momentum
from poinsot.model.checks import Array
from poinsot.model.kinematics import Sampled


class BoundTotals:
    """The sums over all bodies of one mechanism, also over those that are fixed to the world."""

    def _take(self, known: Kept) -> Self:
        tree = known.tree()
        self.mechanism, self._known = known.mechanism, known
        self.lengths, self._q, self._v = (tree.nq, tree.nv), (tree.nq,), (tree.nv,)
        self._own = Prepared(known)
        return self

    @cached_property
    def _conservative(self) -> bool:
        return any(force.conservative for force in self.mechanism.forces)

    def _sums(self, q: ArrayLike, v: ArrayLike | None) -> Array:
        """Return `Totals` of the mechanism, shape (..., n)."""
        if is_row(q, self._q) and is_row(v, self._v):
            one = self._own.sum
            if one.run(one.block, q, v) == GOOD:
                return one.out
        x = given(self.lengths, q, v)
        found = np.empty((len(x.q), TOTALS_SIZE))
        refuse(self.mechanism, x, self._known.bodies().states.write_sums(x.q, x.v, found))
        return found.reshape(*x.lead, TOTALS_SIZE)

    def energy(self, q: ArrayLike, v: ArrayLike) -> Energy:
        """Return the kinetic energy, and the potential energy of gravity and of the forces that have one.

        Parameters
        ----------
        q : array_like, shape (..., nq)
            Coordinates.
        v : array_like, shape (..., nv)
            Velocities.

        Returns
        -------
        Energy
            `kinetic` and `potential` in J, each a number or an array of the leading axes.

        Raises
        ------
        ModelError
            If an argument has the wrong shape, or a state is not valid.
        """
        x = self._sums(q, v)
        kinetic, potential = x[..., 0], x[..., 1]
        if self._conservative:
            potential = potential + self._applied(q, v)
        if x.ndim == 1:
            return Energy(float(kinetic), float(potential))
        return Energy(kinetic.copy(), np.array(potential))

    def _applied(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Return the potential energy of the forces, without gravity."""
        x = given(self.lengths, q, v)
        sampled = Sampled(self.mechanism, x.q, x.v)
        forces = [force for force in self.mechanism.forces if force.conservative]
        found: Array = np.sum([potential_of(force, sampled) for force in forces], axis=0)
        return found.reshape(x.lead)

    def momentum(self, q: ArrayLike, v: ArrayLike) -> Momentum:
        """Return the momentum of the whole mechanism in space, the angular one about the origin.

        Parameters
        ----------
        q : array_like, shape (..., nq)
            Coordinates.
        v : array_like, shape (..., nv)
            Velocities.

        Returns
        -------
        Momentum
            `angular` in kg m²/s and `linear` in kg m/s, each (..., 3).

        Raises
        ------
        ModelError
            If an argument has the wrong shape, or a state is not valid.
        """
        x = self._sums(q, v)
        return Momentum(x[..., 5:8].copy(), x[..., 2:5].copy())

    def center_of_mass(self, q: ArrayLike) -> Array:
        """Return the centre of mass of the whole mechanism in space.

        Parameters
        ----------
        q : array_like, shape (..., nq)
            Coordinates.

        Returns
        -------
        ndarray, shape (..., 3)
            Positions in metres.

        Raises
        ------
        ModelError
            If an argument has the wrong shape, a state is not valid, or the mechanism has no mass.
        """
        x = self._sums(q, None)
        if x.size and x[..., 8].flat[0] == 0:
            raise ModelError("a mechanism without mass has no centre of mass")
        return np.asarray(x[..., 9:12] / x[..., 8:9], dtype=np.float64)
