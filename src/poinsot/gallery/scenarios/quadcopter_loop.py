"""A quadcopter flies a loop of 1 m radius from 0.2 m and 23 degrees off (data of Konz)."""

from functools import cache
from typing import TYPE_CHECKING

from poinsot.gallery.scenarios import _flights

if TYPE_CHECKING:
    from poinsot.control.references.checked import Reference

COPTER = _flights.COPTER


@cache
def reference() -> "Reference":
    """Return the loop, upside down at its top."""
    from poinsot.control import flat_quadcopter, loop  # the gallery is listed without it

    return flat_quadcopter(COPTER.mechanism, "copter", loop(1.0, 3.6))


law = _flights.law_of(reference)
RECIPE = _flights.flight(
    "Quadcopter: a loop, flown upside down at its top",
    reference,
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
