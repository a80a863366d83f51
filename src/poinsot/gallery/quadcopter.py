"""Flights of the quadcopter of Konz.

Three begin 0.2 m and 23 degrees off their reference: a flip in a short hop, whose shape is ours; a loop of
1 m radius; to a point and back, turning by 90 degrees on the way.  One is dropped upside down and recovers
with motors of 0.2 to 9 N.  The motors of the others give 0.3 to 7.8 N each (`control.limits = false`: any
force, as the check values have it).
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.gallery import copters, tracking
from poinsot.model import checks
from poinsot.model.controller import Controller
from poinsot.model.feedback import Feedback
from poinsot.model.mechanism import Mechanism
from poinsot.run.run import Run
from poinsot.scenario.scenario import Recipe

if TYPE_CHECKING:
    from poinsot.control.references.motions import Reference

COPTER = copters.quadcopter()
MOTORS = copters.quadcopter(limit=(0.3, 7.8))  # the same with the limits of its motors
LIMITED = copters.quadcopter((2.5, 0.9), (10.0, 0.8), (0.2, 9.0))
HALF = np.deg2rad(179) / 2


def flight(
    title: str,
    reference: "Callable[[], Reference]",
    until: float,
    notes: str,
    values: Mapping[str, Any],
    period: float = 0.005,
) -> Recipe:
    """Return the scenario of a flight with its check values."""

    def law(m: Mechanism, settings: tracking.Settings, period: float | None) -> Controller | Feedback:
        return copters.law_of(MOTORS if settings["limits"] else COPTER, reference)(m, settings, period)

    def story(run: Run, settings: tracking.Settings) -> str:
        return copters.story_of(reference, MOTORS if settings["limits"] else None)(run, settings)

    return Recipe(
        title=title,
        bodies={"copter": copters.data(COPTER)},
        start={
            "copter": {
                "rotation": (0.980066577841242, 0.0867064044414, 0.1734128088828, 0.0433532022207),
                "position": (0.15, -0.1, 0.1),
            }
        },
        step=0.005,
        until=until,
        method="rk4",
        control={"period": period, "law": "particle", "limits": True},
        controller=tracking.controller_of(law),
        reference=values,
        story=story,
        notes=notes,
    )


@cache
def flip_reference() -> "Reference":
    """Return the flip in 2.2 s: 757 degrees a second at most."""
    from poinsot.control.references import flat_quadcopter, flip  # the gallery is listed without it

    return flat_quadcopter(COPTER.mechanism, "copter", flip(begin=1.0))


FLIP = flight(
    "Quadcopter: a flip",
    flip_reference,
    until=4.0,
    notes="It turns over because the path is so steep; no attitude is prescribed.",
    values={"coordinates at 4, continuous loop": (0.0, 0.0, 0.0)},
)


@cache
def loop_reference() -> "Reference":
    """Return the loop, upside down at its top."""
    from poinsot.control.references import flat_quadcopter, loop_the_loop  # the gallery is listed without it

    return flat_quadcopter(COPTER.mechanism, "copter", loop_the_loop(1.0, 3.6))


LOOP = flight(
    "Quadcopter: a loop, flown upside down at its top",
    loop_reference,
    until=4.5,
    notes="Four rotors for six freedoms: flat reference, particle template with poles at 4 and 20 rad/s.",
    values={  # of a loop with the same period
        "coordinates at 2": (
            *(-0.753597131354, -0.000111559151951, 1.66223228982),
            *(-0.713966950404, 3.06691523951e-05, -0.700179358135, 0.000243376444807),
        )
    },
    period=0.01,
)


@cache
def transitions_reference() -> "Reference":
    """Return the transitions: 1 m in 2 s; then 2 m, 0.3 m up and 90 degrees in 1.5 s."""
    from poinsot.control.references import flat_quadcopter, rest_to_rest  # the gallery is listed without it

    path = rest_to_rest([0.0, 0.0, 0.0], [(0.2, 2.0, [-1.0, 0.0, 0.0]), (2.6, 1.5, [1.0, 0.0, 0.3])])
    heading = rest_to_rest([0.0], [(2.6, 1.5, [np.pi / 2])], degree=5)
    return flat_quadcopter(COPTER.mechanism, "copter", path, heading=heading)


TRANSITIONS = flight(
    "Quadcopter: transitions between points",
    transitions_reference,
    until=5.0,
    notes="The attitude follows from the path: the thrust points where the acceleration needs it.",
    values={"coordinates at 1, continuous loop": (-0.2571747773, -0.00537694117732, 0.0033379346613)},
)


def hover(target: Any = tracking.ORIGIN) -> "Reference":
    """Return the hover at a point."""
    from poinsot.control.references import constant  # the gallery is listed without it

    place = checks.vector("scenario", "control.target", target)
    return constant(LIMITED.mechanism.state({"copter": {"position": place}}))


def recover(m: Mechanism, settings: tracking.Settings, period: float | None) -> Controller | Feedback:
    """Return the law of the recovery."""
    return copters.law_of(LIMITED, lambda: hover(settings["target"]), "metric")(m, settings, period)


def recovery_story(run: Run, settings: tracking.Settings) -> str:
    """Describe the recovery."""
    return copters.story_of(lambda: hover(settings["target"]), LIMITED)(run, settings)


RECOVERY = Recipe(
    title="Quadcopter: recovery from upside down within the limits of its motors",
    bodies={"copter": copters.data(LIMITED)},
    start={"copter": {"rotation": (np.cos(HALF), np.sin(HALF), 0.0, 0.0)}},
    step=0.005,
    until=6.0,
    method="rk4",
    control={
        "period": 0.01,
        "law": "particle",
        "metric": (300.0, 300.0, 300.0, 1.0, 1.0, 1.0),
        "target": (0.0, 0.0, 0.0),
    },
    controller=tracking.controller_of(recover),
    reference={"position at 1": (-0.04431585202671, -0.04051604668214, -4.39547046093842)},
    story=recovery_story,
    notes="Where the limits act, rotation weighs 300 times as much: it must turn before it can fly.",
)

RECIPES = {
    "quadcopter-flip": FLIP,
    "quadcopter-loop": LOOP,
    "quadcopter-recovery": RECOVERY,
    "quadcopter-transitions": TRANSITIONS,
}
