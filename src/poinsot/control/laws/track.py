"""`track`: a controller that makes a mechanism follow a reference as its template wants."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.control.laws.continuous import CompiledFeedback, checked_horizon, continuous
from poinsot.control.laws.sampled_law import SampledLaw
from poinsot.control.laws.tracking import TrackingLaw
from poinsot.control.references.checked import Reference
from poinsot.control.templates.template import Template
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.controller import Controller, Inputs, actuators, hold_forces
from poinsot.model.feedback import Feedback
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_parts
from poinsot.model.state import State


class _Continuous(CompiledFeedback):
    """A tracking law that acts continuously; its input matrix is that of the last decision."""

    function: TrackingLaw

    def _matrix(self, mechanism: Mechanism, q: Array) -> Array:
        plant = self.function.plant
        return self.function.matrix(State(0.0, q, plant.last_velocities(q)))


def track(
    m: Mechanism,
    template: Template,
    reference: Reference,
    inputs: Inputs,
    limits: tuple[ArrayLike, ArrayLike] | None = None,
    period: float | None = None,
    *,
    metric: ArrayLike | None = None,
    completion: float = 0.0,
    rate: float = 2.0,
    check: bool = True,
    horizon: float | None = None,
) -> Controller | Feedback:
    """Return a controller that tracks a reference.

    The inputs bring the mechanism as near as they can to the template (Gauss' least constraint), within their
    limits.

    Parameters
    ----------
    m : Mechanism
        The mechanism.
    template : Template
        The wanted behaviour of the error.
    reference : callable
        `reference(t)` returns the state of the reference motion at the time t, and its acceleration (nv,).
    inputs : iterable of str, Actuator, Thrust, TiltRotor, ReactionWheel or WrenchInput
        Joints by name, or inputs; their limits are kept.
    limits : (Z, b), optional
        Further limits Z u <= b of all inputs together.  Default: none.
    period : float, optional
        Sample time in seconds: the input is held over it.  Default: the law acts continuously.
    metric : array_like, shape (nv,), optional
        Factors on the metric of the template where limits act, for example large ones for the rotation of a
        vehicle that must turn before it can fly.  Default: 1.
    completion : float, default 0.0
        Part of the mechanism's own inertia that is added to the template, for tasks that leave velocities
        free or pass singular positions, such as 1e-3.
    rate : float, default 2.0
        Damping rate of the completion in 1/s.
    check : bool, default True
        Check that the inputs can give the forces of the reference: here at some times of its first two
        seconds, and before a simulation four times a second for its first minute.  Here it is also checked
        that their limits allow the reference at the time 0.
    horizon : float, optional
        Compile the law, with the reference in a table up to this time in seconds: hundreds of times as fast.
        The reference must depend on the time alone.  Where limits act, Python decides.  Default: a law with a
        period and a reference of the library is compiled, all others run in Python.

    Returns
    -------
    Controller or Feedback
        For `simulate(controller=...)`: a Controller with a `period`, a Feedback without.

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
    checks.mechanism("track", m)
    check_parts(m)
    if not isinstance(template, Template):
        raise ModelError(f"track: template must be a ps.control.Template, got {show(template)}")
    if not callable(reference):
        raise ModelError(f"track: reference must be a function of the time, got {show(reference)}")
    if m.loops:
        raise ModelError(f"track: '{m.loops[0].name}' closes a loop: tracking is for trees")
    found = actuators(inputs, "track")
    hold_forces(m, found)
    nu, nv = sum(one.count(m) for one in found), m.lengths[1]
    Z, b = _polygon(limits, nu)
    weights = None if metric is None else checks.vector("track", "metric", metric, nv)
    if weights is not None and (weights <= 0).any():
        raise ModelError(f"track: metric must be positive, got {show(metric)}")
    part = checks.number("track", "completion", completion, zero=True)
    law = TrackingLaw(
        m, template, reference, found, Z, b, weights, part, checks.number("track", "rate", rate, zero=True)
    )
    if checks.flag("track", "check", check):
        law.check()
    if period is None:
        return continuous(law, found, horizon, len(template.pairs), _Continuous)
    return Controller(SampledLaw(law, checked_horizon("track", horizon)), period, found)


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
