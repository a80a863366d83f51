"""A quadcopter turns over in a short hop (data of Konz; the shape of the hop is ours)."""

from functools import cache
from typing import TYPE_CHECKING

from poinsot.gallery.scenarios import _flights

if TYPE_CHECKING:
    from poinsot.control.references.checked import Reference

COPTER = _flights.COPTER


@cache
def reference() -> "Reference":
    """Return the flip in 2.2 s: 757 degrees a second at most."""
    from poinsot.control import flat_quadcopter, flip  # the gallery is listed without it

    return flat_quadcopter(COPTER.mechanism, "copter", flip(begin=1.0))


law = _flights.law_of(reference)
RECIPE = _flights.flight(
    "Quadcopter: a flip",
    reference,
    until=4.0,
    notes="It turns over because the path is so steep; no attitude is prescribed.",
    values={"coordinates at 4, continuous loop": (0.0, 0.0, 0.0)},
)
