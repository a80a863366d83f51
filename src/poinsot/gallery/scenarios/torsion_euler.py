"""Four prisms with springs of moments by Euler angles in their joints, as in the thesis."""

from poinsot.gallery.scenarios._torsion import sprung

RECIPE = sprung(
    "euler",
    "Euler angles",
    "Moments by Euler angles are not the gradient of a potential: hundreds of joules come and go as work.",
    {"R33 at 15": 0.81989112009},
)
