"""The result of a run of a system of `ps.analytical`."""

from dataclasses import dataclass, field

import numpy as np

from poinsot.analytical import System as Equations
from poinsot.core.methods.method import Method
from poinsot.diagnostics.drift import Drift, drift
from poinsot.errors import ModelError
from poinsot.model.checks import Array
from poinsot.model.state import State

NAMED = {"energy": "an energy", "hamiltonian": "a Hamiltonian", "multipliers": "multipliers"}


@dataclass(frozen=True, eq=False)
class AnalyticalRun:
    """The result of a simulation of a system of `ps.analytical`.

    `ps.simulate` returns it; users do not construct one.

    Parameters
    ----------
    system : ps.analytical.System
        The system that was simulated.
    method : Method
        The integration method, a record of `ps.methods()`.
    step : float
        Step size in s.
    time : ndarray, shape (n,)
        Times of the samples in s.
    x : ndarray, shape (n, nx)
        Coordinates at the samples.
    velocity : ndarray, shape (n, nv)
        Minimal velocities at the samples, or momenta in Hamilton's form.
    final : State
        State after the last step.
    evaluations : int
        Number of evaluations of the equations.
    iterations : int
        Number of iterations of an implicit method.
    seconds : float
        Time that the run took to compute, in s.
    work : ndarray, shape (n,)
        Work of the forces without a potential and of the inputs of a controller since the start, in J; zero
        if the system has no `power`.
    inputs : ndarray, shape (n, nu)
        Inputs of the controller that act from each sample on.
    recorded : dict of ndarray
        Results of the functions in `record`, by name.

    Examples
    --------
    A pendulum of length 1 m and mass 1 kg, with its angle as the coordinate:

    >>> import numpy as np
    >>> import poinsot as ps
    >>> angle = ps.analytical.Coordinates(1, lambda x: np.eye(1))
    >>> pendulum = ps.analytical.levi_civita(
    ...     angle, lambda x: np.eye(1), lambda x: -9.81 * np.cos(x[0])
    ... )
    >>> run = ps.simulate(pendulum, ps.State(0.0, [0.1], [0.0]), "rk4", step=0.01, steps=10)
    >>> run.x.shape, bool(run.drift().relative_band < 1e-9)
    ((11, 1), True)
    """

    system: Equations
    method: Method
    step: float
    time: Array
    x: Array
    velocity: Array
    final: State
    evaluations: int
    iterations: int
    seconds: float
    work: Array
    inputs: Array
    recorded: dict[str, Array] = field(default_factory=dict)

    def _sampled(self, what: str) -> Array:
        """Return a function of the system at all samples, or raise a ModelError if it has none."""
        function = getattr(self.system, what)
        if function is None:
            raise ModelError(f"this system was written without {NAMED[what]}")
        samples = zip(self.time, self.x, self.velocity, strict=True)
        return np.array([np.asarray(function(t, x, xi), dtype=float) for t, x, xi in samples])

    @property
    def energy(self) -> Array:
        """Energy of the system in J, shape (n,); a ModelError if the system was written without an energy."""
        return self._sampled("energy")

    @property
    def hamiltonian(self) -> Array:
        """Hamiltonian in J, shape (n,): it differs from the energy if positions depend on the time."""
        return self._sampled("hamiltonian")

    @property
    def multipliers(self) -> Array:
        """Multipliers of the constraints that forces hold, shape (n, m)."""
        found = self._sampled("multipliers")
        return found.reshape(len(found), -1)

    @property
    def constraint(self) -> Array:
        """Largest absolute residual of the constraints on x, shape (n,)."""
        phi = self.system.coordinates.constraints
        return np.array([float(np.abs(np.asarray(phi(x))).max(initial=0.0)) for x in self.x])

    def drift(self) -> Drift:
        """Return the drift of the energy.

        Returns
        -------
        Drift
            Band and slope of the energy, relative to its largest absolute value.

        Raises
        ------
        ModelError
            If the system was written without an energy.
        """
        return drift(self.time, self.energy, float(np.abs(self.energy).max()))
