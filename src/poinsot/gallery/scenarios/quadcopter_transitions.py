"""A quadcopter flies to a point and back, turning by 90 degrees on its way (data of Konz)."""

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from poinsot.gallery.scenarios import _flights

if TYPE_CHECKING:
    from poinsot.control.references.checked import Reference

COPTER = _flights.COPTER


@cache
def reference() -> "Reference":
    """Return the transitions: 1 m in 2 s; then 2 m, 0.3 m up and 90 degrees in 1.5 s."""
    from poinsot.control import flat_quadcopter, rest_to_rest  # the gallery is listed without it

    path = rest_to_rest([0.0, 0.0, 0.0], [(0.2, 2.0, [-1.0, 0.0, 0.0]), (2.6, 1.5, [1.0, 0.0, 0.3])])
    heading = rest_to_rest([0.0], [(2.6, 1.5, [np.pi / 2])], degree=5)
    return flat_quadcopter(COPTER.mechanism, "copter", path, heading)


law = _flights.law_of(reference)
RECIPE = _flights.flight(
    "Quadcopter: transitions between points",
    reference,
    until=5.0,
    notes="The attitude follows from the path: the thrust points where the acceleration needs it.",
    values={"coordinates at 1, continuous loop": (-0.2571747773, -0.00537694117732, 0.0033379346613)},
)
