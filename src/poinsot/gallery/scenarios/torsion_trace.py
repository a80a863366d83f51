"""Four prisms with springs of the potential k tr(1 - R)/2 in their joints."""

from poinsot.gallery.scenarios._torsion import sprung

RECIPE = sprung(
    "trace",
    "a potential",
    "The potential k tr(1 - R)/2 is smooth everywhere: the energy is constant.",
    {"R33 at 15": 0.879461152608},
)
