"""The heavy top of Bruels, Cardona & Arnold, Mechanism and Machine Theory 48 (2012), on a ball joint."""

from poinsot.gallery.scenario import Recipe

QUATERNION = (-0.70828, 0.43878, 0.54573, 0.0894)  # at 0.2 s, as published, up to the sign

RECIPE = Recipe(
    title="Heavy top of Bruels, Cardona and Arnold",
    bodies={
        "top": {
            "mass": 15.0,
            "inertia": (0.234375, 0.46875, 0.234375),  # about the centre of mass
            "center_of_mass": (0.0, 1.0, 0.0),  # from the fixed point
            "joint": "spherical",
        }
    },
    start={"top": {"angular_velocity": (0.0, 150.0, -4.61538)}},
    step=5e-4,
    until=1.0,
    notes="Spins at 150 rad/s about an axis that starts level and swings down through the vertical.",
    reference={"R33 at 1": 0.279439282384},  # ours: srkn4 and rkmk4 agree on these digits
)
