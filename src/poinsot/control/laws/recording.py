"""The reference and the error of a tracking controller, to be recorded along a run and drawn by its page."""

from collections.abc import Callable

from poinsot.control.laws.track import law_of
from poinsot.mechanics.linearization import difference
from poinsot.model.checks import Array
from poinsot.model.controller import Controller
from poinsot.model.feedback import Feedback
from poinsot.model.state import State


def recording(controller: Controller | Feedback) -> dict[str, Callable[[State], Array]]:
    """Return functions for `simulate(record=...)`: the reference and the error of a tracking controller.

    A page draws the reference as a ghost.

    Parameters
    ----------
    controller : Controller or Feedback
        Controller of `ps.control.track` or `ps.control.twin`.

    Returns
    -------
    dict
        "reference": the coordinates of the reference (nq,); "error": the deviation from it (nv,), in rad and
        metres.

    Raises
    ------
    ModelError
        If the controller is not a tracking controller.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=2.0), ps.Prismatic((1, 0, 0)))
    >>> pair = ps.control.Pair("cart", inertia=(1, (0, 0, 0), (0, 0, 0)), stiffness=(4, (0, 0, 0), (0, 0, 0)))
    >>> wanted = ps.control.Template("body", [pair])
    >>> law = ps.control.track(m, wanted, ps.control.constant(m.state()), ["cart"], period=0.1)
    >>> start, seen = m.state({"cart": dict(displacement=0.5)}), ps.control.recording(law)
    >>> run = ps.simulate(m, start, "rk4", step=0.1, steps=2, controller=law, record=seen)
    >>> run.recorded["error"][0]
    array([0.5])
    """
    law = law_of("recording", controller)
    n = law.plant.nv

    def reference(state: State) -> Array:
        return law.reference_at(state.time)[0].q

    def error(state: State) -> Array:
        return difference(law.plant.mechanism, state, law.reference_at(state.time)[0])[:n]

    return {"reference": reference, "error": error}
