"""How a tracking controller did along a run: energies, residual, matching force, limits."""

from typing import NamedTuple

import numpy as np

from poinsot.control.laws.track import law_of
from poinsot.diagnostics.trajectory import Trajectory
from poinsot.errors import ModelError
from poinsot.mechanics.linearization import difference
from poinsot.model.checks import Array, show
from poinsot.model.controller import Controller
from poinsot.model.feedback import Feedback


class Performance(NamedTuple):
    """A tracking controller along a run, at its n samples.

    Attributes
    ----------
    time : ndarray, shape (n,)
        Times in seconds.
    error : ndarray, shape (n, 2 nv)
        Deviation from the reference in tangent coordinates (`ps.control.difference`).
    inputs : ndarray, shape (n, nu)
        What the law wants there, in N or N m.
    potential, energy, dissipation : ndarray, shape (n,)
        Error potential and energy in J, and twice the dissipation function in W.
    residual : ndarray, shape (n,)
        G0 of `least_constraint`.
    matching : ndarray, shape (n,)
        Length of the matching force.
    limited : ndarray of bool, shape (n,)
        True where limits of the inputs act.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=2.0), ps.Prismatic((1, 0, 0)))
    >>> point = lambda x: (x, (0, 0, 0), (0, 0, 0))
    >>> pair = ps.control.Pair("cart", inertia=point(1.0), damping=point(4.0), stiffness=point(4.0))
    >>> wanted = ps.control.Template("body", [pair])
    >>> law = ps.control.track(m, wanted, ps.control.constant(m.state()), ["cart"])
    >>> start = m.state({"cart": dict(displacement=1.0)})
    >>> run = ps.simulate(m, start, "rk4", step=0.1, until=1.0, controller=law)
    >>> ps.control.performance(run, law).energy[[0, -1]].round(3)
    array([2.   , 0.476])
    """

    time: Array
    error: Array
    inputs: Array
    potential: Array
    energy: Array
    dissipation: Array
    residual: Array
    matching: Array
    limited: Array


def performance(run: object, controller: Controller | Feedback) -> Performance:
    """Return how a tracking controller did along a run.

    Parameters
    ----------
    run : Run
        A run with this controller.
    controller : Controller or Feedback
        Controller of `ps.control.track`.

    Returns
    -------
    Performance
        Errors, energies, residual, matching force and limits at the samples of the run.

    Raises
    ------
    ModelError
        If the controller is not a tracking controller, or does not fit the run.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=2.0), ps.Prismatic((1, 0, 0)))
    >>> pair = ps.control.Pair("cart", inertia=(1, (0, 0, 0), (0, 0, 0)), stiffness=(4, (0, 0, 0), (0, 0, 0)))
    >>> wanted = ps.control.Template("body", [pair])
    >>> law = ps.control.track(m, wanted, ps.control.constant(m.state()), ["cart"])
    >>> run = ps.simulate(m, m.state(), "rk4", step=0.1, until=1.0, controller=law)
    >>> float(ps.control.performance(run, law).residual.max())
    0.0
    """
    law = law_of("performance", controller)
    trajectory = getattr(run, "trajectory", None)
    if not isinstance(trajectory, Trajectory):
        raise ModelError(f"performance: expected a Run, got {show(run)}")
    if trajectory.mechanism.names != law.plant.mechanism.names:
        raise ModelError("performance: the run is of another mechanism than the controller")
    rows = []
    for state in trajectory.states():
        found = law.decide(state.time, state)
        error = difference(law.plant.mechanism, state, law.reference_at(state.time)[0])
        rows.append((state.time, error, found))
    templates, laws = [row[2].template for row in rows], [row[2].law for row in rows]
    return Performance(
        np.array([row[0] for row in rows]),
        np.array([row[1] for row in rows]),
        np.array([one.u for one in laws]),
        np.array([one.potential for one in templates]),
        np.array([one.energy for one in templates]),
        np.array([one.dissipation for one in templates]),
        np.array([one.residual for one in laws]),
        np.array([float(np.linalg.norm(one.matching)) for one in laws]),
        np.array([bool(one.active) for one in laws]),
    )
