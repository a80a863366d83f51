"""Flights of the quadcopter of Konz that begin 0.2 m and 23 degrees off their reference."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from poinsot.gallery.scenario import Recipe
from poinsot.gallery.scenarios import _copters, _tracking
from poinsot.gallery.scenarios._tracking import Law, Settings
from poinsot.model.controller import Controller
from poinsot.model.feedback import Feedback
from poinsot.model.mechanism import Mechanism
from poinsot.model.shapes.solids import Cylinder
from poinsot.run.run import Run

if TYPE_CHECKING:
    from poinsot.control.references.checked import Reference

COPTER = _copters.quadcopter()


def law_of(reference: "Callable[[], Reference]") -> Law:
    """Return the tracking law of a reference."""

    def law(m: Mechanism, settings: Settings, period: float | None) -> Controller | Feedback:
        return _tracking.track(m, settings["law"], [COPTER.pair], reference(), COPTER.inputs, period=period)

    return law


def flight(
    title: str,
    reference: "Callable[[], Reference]",
    until: float,
    notes: str,
    values: Mapping[str, Any],
    period: float = 0.005,
) -> Recipe:
    """Return the scenario of a flight with its check values."""

    def story(run: Run, settings: Settings) -> str:
        return _copters.told(run, reference())

    return Recipe(
        title=title,
        bodies={"copter": _copters.data(COPTER, Cylinder(0.3, 0.05))},
        start={
            "copter": {
                "rotation": (0.980066577841242, 0.0867064044414, 0.1734128088828, 0.0433532022207),
                "position": (0.15, -0.1, 0.1),
            }
        },
        step=0.005,
        until=until,
        method="rk4",
        control={"period": period, "law": "particle"},
        controller=_tracking.sampled(law_of(reference)),
        reference=values,
        story=story,
        notes=notes,
    )
