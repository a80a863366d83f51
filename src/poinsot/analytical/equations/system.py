"""A system of equations of motion in first order, as integrators and `ps.simulate` take it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from poinsot.analytical.arguments import check_fields, function, number, reals, takes
from poinsot.analytical.coordinates import Coordinates
from poinsot.analytical.derivatives import Function, difference
from poinsot.analytical.operators import Array

Rate = Callable[[float, Array, Array], Array]


@dataclass(frozen=True)
class System:
    """Equations of motion in first order, with the state y = (x, ξ), or (x, p) in Hamilton's form.

    `ps.simulate` runs it, and `field(t, y)` is a right-hand side for any integrator.

    Parameters
    ----------
    coordinates : Coordinates
        Coordinates x of the system.
    velocity : callable
        Velocities ξ as a function of (t, x, second part of y).
    acceleration : callable
        Rate of the second part of y as a function of (t, x, second part of y).
    energy : callable, optional
        Energy as a function of (t, x, second part of y).
    hamiltonian : callable, optional
        Hamiltonian H as a function of (t, x, second part of y); of a system that depends on time it is not
        the energy.
    power : callable, optional
        Power of the forces without a potential as a function of (t, x, second part of y); a run integrates
        it to `run.work`.
    response : callable, optional
        Change of `acceleration` by a generalised force f, as a function of (t, x, second part of y, f);
        controllers need it.
    multipliers : callable, optional
        Multipliers of the constraints that forces hold, as a function of (t, x, second part of y).

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> line = ps.analytical.spaces.minimal(1)
    >>> system = ps.analytical.System(line, lambda t, x, v: v, lambda t, x, v: -x)
    >>> system.field(0.0, np.array([1.0, 2.0]))
    array([ 2., -1.])
    """

    coordinates: Coordinates
    velocity: Rate
    acceleration: Rate
    energy: Function | None = None
    hamiltonian: Function | None = None
    power: Function | None = None
    response: Function | None = None
    multipliers: Function | None = None

    def __post_init__(self) -> None:
        check_fields(
            self,
            coordinates=Coordinates,
            velocity=function,
            acceleration=function,
            energy=function,
            hamiltonian=function,
            power=function,
            response=function,
            multipliers=function,
        )

    @takes(y=(None,))
    def split(self, y: Array) -> tuple[Array, Array]:
        """Return x and the second part of y.

        Parameters
        ----------
        y : ndarray
            State (x, ξ), or (x, p) in Hamilton's form.

        Returns
        -------
        x, z : ndarray
            Coordinates, and velocities or momenta.
        """
        return y[: self.coordinates.size], y[self.coordinates.size :]

    @takes(t=number, y=(None,), pull=number)
    def field(self, t: float, y: Array, pull: float = 0.0) -> Array:
        """Return dy/dt.

        Parameters
        ----------
        t : float
            Time in seconds.
        y : ndarray
            State (x, ξ), or (x, p) in Hamilton's form.
        pull : float, default 0.0
            Rate in 1/s at which x is pulled back to its constraints.

        Returns
        -------
        ndarray
            Rate of the state.
        """
        x, z = self.split(np.asarray(y))
        rate = self.coordinates.rate(x, self.velocity(t, x, z))
        if pull:
            rate = rate + self.coordinates.drift(x, pull)
        return np.concatenate([rate, self.acceleration(t, x, z)])

    @takes(y=reals((None,)))
    def retracted(self, y: Array) -> Array:
        """Return y with x projected onto the constraints.

        Parameters
        ----------
        y : ndarray
            State (x, ξ), or (x, p) in Hamilton's form.

        Returns
        -------
        ndarray
            Admissible state.

        Raises
        ------
        ModelError
            If there are no admissible coordinates near x.
        """
        x, z = self.split(np.asarray(y))
        return np.concatenate([self.coordinates.retracted(x), z])

    @takes(t=number, x=(None,), xi=(None,))
    def linearised(self, t: float, x: Array, xi: Array) -> Array:
        """Return F with d/dt (ε, δξ) = F (ε, δξ) for deviations from a motion through (x, ξ) at t.

        Parameters
        ----------
        t : float
            Time in seconds.
        x : ndarray, shape (ν,)
            Coordinates.
        xi : ndarray, shape (n,)
            Velocities.

        Returns
        -------
        ndarray, shape (2 n, 2 n)
            Matrix of the linearised equations.
        """
        c = self.coordinates
        A, C = c.A(x), c.deviation(x, xi)
        columns = [difference(lambda z: self.acceleration(t, z, xi), x, a, c.step) for a in A.T]
        columns += [difference(lambda z: self.acceleration(t, x, z), xi, e, c.step) for e in np.eye(len(xi))]
        return np.concatenate([np.hstack([-C, np.eye(len(xi))]), np.stack(columns, axis=1)])


def own_velocity(t: float, x: Array, xi: Array) -> Array:
    """Return ξ: the velocities are the second part of y."""
    return xi


def power_of(velocity: Rate, force: Rate | None) -> Function | None:
    """Return the power f·ξ of a force as a function of the state."""
    if force is None:
        return None

    def power(t: float, x: Array, z: Array) -> Any:
        xi = velocity(t, x, z)
        return np.asarray(force(t, x, xi)) @ xi

    return power
