"""Four prisms with springs of the moment -k log R in their joints."""

from poinsot.gallery.scenarios._torsion import sprung

RECIPE = sprung(
    "log",
    "the logarithm",
    "The springs have the potential k angle^2/2: the energy is constant.",
    {"R33 at 15": 0.819114313224},
)
