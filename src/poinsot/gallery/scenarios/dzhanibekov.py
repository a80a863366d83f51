"""The wing nut that flips in weightlessness: spin about the intermediate axis (data of Beckman 2023)."""

from math import cos, pi, sin

from poinsot.gallery.scenario import Recipe
from poinsot.model.shapes.solids import Box

RECIPE = Recipe(
    title="Dzhanibekov body: flips about its intermediate axis",
    gravity=(0.0, 0.0, 0.0),
    bodies={
        "nut": {
            "mass": 1.0,
            "inertia": (0.0801587, 0.0825397, 0.00396825),
            "shape": Box((0.153, 0.154, 0.976)),
            "joint": "free",
        }
    },
    start={"nut": {"rotation": (cos(pi / 8), 0.0, sin(pi / 8), 0.0), "angular_velocity": (6.0, 0.01, 0.0)}},
    step=0.02,
    until=20.0,
    notes="The spin changes its sign at 1.736323248643, 5.208969745929, 8.681616243215 s, and so on.",
    reference={"flips": (1.736323248643094, 5.208969745929283, 8.681616243215472)},
)
