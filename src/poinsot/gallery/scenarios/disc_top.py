"""The heavy top of the N-body pendulum thesis, table 3.4: a disc on a rod, both of 1000 kg/m3.

Tilt and spin at the start cannot be read in the thesis: 0.3 rad and 20 rad/s are ours.
"""

from math import cos, pi, sin

from poinsot.gallery.scenario import Recipe

DENSITY = 1000.0
DISC, ROD = (0.4, 0.05, 0.425), (0.05, 0.4, 0.2)  # radius, height, height of the centre
MASSES = [DENSITY * pi * radius**2 * height for radius, height, _ in (DISC, ROD)]
CENTER = sum(m * z for m, (_, _, z) in zip(MASSES, (DISC, ROD), strict=True)) / sum(MASSES)
ALONG = sum(m * radius**2 / 2 for m, (radius, _, _) in zip(MASSES, (DISC, ROD), strict=True))
ACROSS = sum(
    m * ((3 * radius**2 + height**2) / 12 + (z - CENTER) ** 2)
    for m, (radius, height, z) in zip(MASSES, (DISC, ROD), strict=True)
)

RECIPE = Recipe(
    title="Disc on a rod",
    bodies={
        "top": {
            "mass": sum(MASSES),
            "inertia": (ACROSS, ACROSS, ALONG),
            "center_of_mass": (0.0, 0.0, CENTER),
            "joint": "spherical",
        }
    },
    start={"top": {"rotation": (cos(0.15), sin(0.15), 0.0, 0.0), "angular_velocity": (0.0, 0.0, 20.0)}},
    step=0.01,
    until=10.0,
    method="gauss3",
    notes="Too slow to stay upright: it dips to 1.36 rad and rises again; its spin is constant to the bit.",
    reference={"R33 at 10": 0.94654486403},  # another program, step 0.01; with smaller ones ..414
)
