"""Sections of the document: title, records of its claims, and where its subject is in the product."""

SECTIONS = (
    (
        "Introduction, Equations of Motion",
        ("configuration", "velocity"),
        "`ps.se3.coad`, `ps.dynamics.acceleration`; a body on `ps.Free`",
    ),
    (
        "Algorithm for CG4 on SE(3)",
        ("order", "se3-twist"),
        "method `cg4`",
    ),
    (
        "Transformation Matrices",
        ("errata", "se3-metrics"),
        "`ps.se3.exp`, `ps.se3.hat`",
    ),
    (
        "Illustrative Results, Kinematics",
        ("configuration", "velocity"),
        '`run.plot(kind="kinematics")`',
    ),
    (
        "Energy is conserved",
        ("energy", "errata"),
        '`run.plot(kind="drift")`, `run.report`',
    ),
    (
        "Momentum is conserved",
        ("momenta", "errata"),
        '`run.plot(kind="drift")`, `run.report`',
    ),
    (
        "The configuration stays in SE(3)",
        ("se3-metrics",),
        "`run.distance_to_se3`",
    ),
)
