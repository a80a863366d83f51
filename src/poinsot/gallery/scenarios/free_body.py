"""The free body of McLachlan & Zanna (2005), figures 1 to 5 of Krysl & Endres (2005)."""

from poinsot.gallery.scenario import Recipe

RECIPE = Recipe(
    title="Free asymmetric body",
    gravity=(0.0, 0.0, 0.0),
    bodies={"body": {"mass": 1.0, "inertia": (0.9144, 1.098, 1.66), "joint": "spherical"}},
    start={"body": {"angular_velocity": (0.45549, 0.82623, 0.03476)}},
    step=0.1,
    until=100.0,
    notes="No torque: energy and momentum in space are constant; the axes tumble with period 34.844.",
    reference={"momentum at 100": (0.661568603852765, 0.634130709038784, 0.400024770879412)},
)
