"""`track`: a controller that makes a mechanism follow a reference as its template wants, and how it did."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from poinsot.control.law import CompiledFeedback, controller_of
from poinsot.control.references.motions import Reference
from poinsot.control.templates import Template
from poinsot.control.tracking import TrackingLaw
from poinsot.diagnostics.trajectory import Trajectory
from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError
from poinsot.formats.paths import PathLike
from poinsot.mechanics.tangent import difference
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.controller import Controller, Inputs, actuators, hold_inputs
from poinsot.model.feedback import Feedback
from poinsot.model.forces.drive import Drive
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_parts
from poinsot.model.state import State


class _Continuous(CompiledFeedback):
    """A tracking law that acts continuously."""

    function: TrackingLaw

    def _matrix(self, mechanism: Mechanism, q: Array) -> Array:
        return self.function.matrix(State(0.0, q, np.zeros(self.function.plant.nv)))


def track(
    mechanism: Mechanism,
    template: Template,
    reference: Reference,
    inputs: Inputs,
    *,
    limits: tuple[ArrayLike, ArrayLike] | None = None,
    period: float | None = None,
    metric: ArrayLike | None = None,
    completion: float | tuple[float, float] = 0.0,
    check: bool = True,
    horizon: float | None = None,
) -> Controller | Feedback:
    """Return a controller that tracks a reference.

    The inputs bring the mechanism as near as they can to the template (Gauss' least constraint), within their
    limits.  With loops and driven joints, the template acts as far as these let it: it need not have inertia
    in more velocities than there are degrees of freedom.

    Parameters
    ----------
    mechanism : the mechanism
    template : the wanted behaviour of the error; "particle" or "body" if there are loops or driven joints
    reference : `reference(t)` returns the state of the reference motion at the time t, and its acceleration
        (nv,); its loops are closed, and driven joints are on their drives
    inputs : joints by name, or inputs; their limits are kept
    limits : further limits Z u <= b of all inputs together.  Default: none.
    period : sample time [s]: the input is held over it.  Default: the law acts continuously.
    metric : factors on the metric of the template where limits act, for example large ones for the rotation
        of a vehicle that must turn before it can fly (nv,).  Default: 1.
    completion : part of the mechanism's own inertia that is added to the template, for tasks that leave
        velocities free or pass singular positions, such as 1e-3; or (part, damping rate [1/s]).  The rate is
        twice the slowest of the template unless it is given: so a critically damped template is damped.
    check : check that the inputs can give the forces of the reference: here at some times of the first period
        of the template, and before a simulation eight times in each such period, at most 240 times.  Here it
        is also checked that their limits allow the reference at the time 0.
    horizon : the reference depends on the time alone up to this time [s]: it is put into a table, and the
        law runs in the compiled time loop, hundreds of times as fast.  Default: so does a law with a period
        and a reference of the library; all others are called from Python.

    Raises
    ------
    ModelError
        If the reference or the limits are wrong, a body is unknown, or the reference cannot be flown.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=2.0), ps.Prismatic((1, 0, 0)))
    >>> point = lambda x: (x, (0, 0, 0), (0, 0, 0))
    >>> pair = ps.control.Pair("cart", inertia=point(1.0), damping=point(4.0), stiffness=point(4.0))
    >>> wave = lambda t: (m.state({"cart": dict(displacement=np.sin(t), speed=np.cos(t))}), [-np.sin(t)])
    >>> law = ps.control.track(m, ps.control.Template("particle", [pair]), wave, ["cart"])
    >>> run = ps.simulate(m, m.state(), "rk4", step=0.01, until=10.0, controller=law)
    >>> bool(abs(run.final.q[0] - np.sin(10.0)) < 1e-6)
    True
    """
    checks.mechanism("track", mechanism)
    check_parts(mechanism)
    if not isinstance(template, Template):
        raise ModelError(f"track: template must be a ps.control.Template, got {show(template)}")
    if not callable(reference):
        raise ModelError(f"track: reference must be a function of the time, got {show(reference)}")
    found = actuators(inputs, "track")
    hold_inputs(mechanism, found)
    _check_constraints(mechanism, template, metric)
    nu, nv = sum(one.count(mechanism) for one in found), mechanism.lengths[1]
    Z, b = _polygon(limits, nu)
    weights = None if metric is None else checks.vector("track", "metric", metric, nv)
    if weights is not None and (weights <= 0).any():
        raise ModelError(f"track: metric must be positive, got {show(metric)}")
    part, rate = completion if isinstance(completion, tuple) and len(completion) == 2 else (completion, None)
    completed = (
        checks.number("track", "completion", part, zero=True),
        None if rate is None else checks.number("track", "rate of the completion", rate, zero=True),
    )
    law = TrackingLaw(
        mechanism, template, reference, found, limits=(Z, b), metric=weights, completion=completed
    )
    if checks.flag("track", "check", check):
        law.check()
    return controller_of(law, period, horizon, _Continuous)


def _check_constraints(mechanism: Mechanism, template: Template, metric: ArrayLike | None) -> None:
    """Raise a ModelError if the law cannot regard loops or driven joints."""
    drives = [force for force in mechanism.forces if isinstance(force, Drive)]
    if not mechanism.loops and not drives:
        return
    why = f"'{mechanism.loops[0].name}' closes a loop" if mechanism.loops else f"there is {drives[0].label}"
    if template.kind not in ("particle", "body"):
        raise ModelError(
            f"track: {why}, which the transport map of template '{template.kind}' does not regard; "
            "take 'particle' or 'body'"
        )
    if metric is not None:
        raise ModelError(f"track: {why}, so the velocities that metric has factors of are not independent")


def _polygon(limits: Any, nu: int) -> tuple[Array, Array]:
    if limits is None:
        return np.zeros((0, nu)), np.zeros(0)
    pair = checks.items("track", "limits", limits, "(Z, b)")
    if len(pair) != 2:
        raise ModelError(f"track: limits must be (Z, b), got {show(limits)}")
    Z = checks.array("track", "Z of the limits", pair[0], f"a matrix with {nu} columns", (None, nu))
    return np.array(Z), np.array(checks.vector("track", "b of the limits", pair[1], len(Z)))


def law_of(who: str, controller: object) -> TrackingLaw:
    """Return the tracking law of a controller that `track` made."""
    function = controller.function if isinstance(controller, Controller | Feedback) else controller
    law = getattr(function, "law", function)
    if not isinstance(law, TrackingLaw):
        raise ModelError(f"{who}: expected a controller of ps.control.track, got {show(controller)}")
    return law


class Performance(NamedTuple):
    """A tracking controller along a run, at its n samples.

    Attributes
    ----------
    time : times [s] (n,)
    error : deviation from the reference in tangent coordinates (`ps.dynamics.difference`) (n, 2 nv)
    inputs : what the law wants there [N or N m] (n, nu)
    potential, energy, dissipation : error potential and energy [J], and twice the dissipation function [W]
        (n,)
    residual : g0 of `least_constraint` (n,)
    matching : length of the matching force (n,)
    limited : true where limits of the inputs act (n,)
    limits : limits Z u <= b of all inputs: Z and b

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=2.0), ps.Prismatic((1, 0, 0)))
    >>> point = lambda x: (x, (0, 0, 0), (0, 0, 0))
    >>> pair = ps.control.Pair("cart", inertia=point(1.0), damping=point(4.0), stiffness=point(4.0))
    >>> wanted = ps.control.Template("body", [pair])
    >>> law = ps.control.track(m, wanted, ps.control.references.constant(m.state()), ["cart"])
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
    limits: tuple[Array, Array]

    def plot(self, path: PathLike | None = None) -> Any:
        """Draw V, 2R, the residual, and the inputs with their limits and polygons; return the Figure.

        Parameters
        ----------
        path : file to write, by its ending as SVG, PNG or PDF.  Default: none is written.

        Raises
        ------
        ScenarioError
            If matplotlib is not installed, or the file cannot be written.
        """
        from poinsot.control.figure import performance_figure  # matplotlib is loaded for figures only

        return performance_figure(self, path)


def performance(run: object, controller: Controller | Feedback) -> Performance:
    """Return how a tracking controller did along a run.

    Parameters
    ----------
    run : A run with this controller
    controller : controller of `ps.control.track`

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=2.0), ps.Prismatic((1, 0, 0)))
    >>> pair = ps.control.Pair("cart", inertia=(1, (0, 0, 0), (0, 0, 0)), stiffness=(4, (0, 0, 0), (0, 0, 0)))
    >>> wanted = ps.control.Template("body", [pair])
    >>> law = ps.control.track(m, wanted, ps.control.references.constant(m.state()), ["cart"])
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
        (law.Z, law.b),
    )


def recording(controller: Controller | Feedback) -> dict[str, Callable[[float, State], Array]]:
    """Return functions for `simulate(record=...)`: the reference and the error of a tracking controller.

    A page draws the reference as a ghost.

    Parameters
    ----------
    controller : controller of `ps.control.track` or `ps.control.twin`

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=2.0), ps.Prismatic((1, 0, 0)))
    >>> pair = ps.control.Pair("cart", inertia=(1, (0, 0, 0), (0, 0, 0)), stiffness=(4, (0, 0, 0), (0, 0, 0)))
    >>> wanted = ps.control.Template("body", [pair])
    >>> law = ps.control.track(m, wanted, ps.control.references.constant(m.state()), ["cart"], period=0.1)
    >>> start, seen = m.state({"cart": dict(displacement=0.5)}), ps.control.recording(law)
    >>> run = ps.simulate(m, start, "rk4", step=0.1, steps=2, controller=law, record=seen)
    >>> run.recorded["error"][0]
    array([0.5])
    """
    law = law_of("recording", controller)
    n = law.plant.nv

    def reference(t: float, state: State) -> Array:
        return law.reference_at(t)[0].q

    def error(t: float, state: State) -> Array:
        return difference(law.plant.mechanism, state, law.reference_at(t)[0])[:n]

    return {"reference": reference, "error": error}
