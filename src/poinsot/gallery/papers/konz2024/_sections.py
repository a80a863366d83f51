"""Sections of the document: title, records of its claims, and where its subject is in the product."""

SECTIONS = (
    (
        "1.1 Context and state of the art",
        (),
        "reason: a survey of the literature",
    ),
    (
        "1.2 Motivation example",
        ("motivation",),
        "`ps.analytical.spaces.euler_angles`, `ps.quaternion`; docs/charts.md",
    ),
    (
        "1.3 Goal and outline",
        (),
        "reason: an outline",
    ),
    (
        "2.1.1 Redundant configuration coordinates",
        ("circle", "errata"),
        "`ps.analytical.Coordinates`, `ps.analytical.spaces`",
    ),
    (
        "2.1.2 Minimal velocity coordinates",
        ("circle", "errata"),
        "`ps.analytical.Coordinates`",
    ),
    (
        "2.2.1 Directional derivative and Hessian",
        ("commutation", "errata"),
        "`ps.analytical.Coordinates.derivative`, `ps.analytical.Coordinates.hessian`",
    ),
    (
        "2.2.2 Commutation coefficients",
        ("commutation",),
        "`ps.analytical.Coordinates.gamma`",
    ),
    (
        "2.2.3 Linearization about a trajectory",
        ("linearisation",),
        "`ps.analytical.System.linearised`, `ps.dynamics.linearize`",
    ),
    (
        "2.2.4 Calculus of variations",
        ("formulations",),
        "`ps.analytical.lagrange`",
    ),
    (
        "2.2.5 Hamilton's equations",
        ("formulations", "errata"),
        "`ps.analytical.hamilton`, `ps.analytical.legendre`",
    ),
    (
        "2.3.1 to 2.3.3 Matrix sets, inner product, vee and wedge",
        ("operators", "errata"),
        "`ps.analytical.operators`",
    ),
    (
        "2.3.4 Singular value decomposition",
        ("special-polar",),
        "`ps.analytical.special_polar`",
    ),
    (
        "2.4 An important function on SO(3)",
        ("critical-points", "special-polar"),
        "`ps.analytical.wahba`, `ps.analytical.critical_points`",
    ),
    (
        "3.1 A single free particle",
        ("errata",),
        "`ps.analytical.Particles`",
    ),
    (
        "3.2.1 First principles",
        ("formulations",),
        "`ps.analytical.gauss`, `ps.analytical.constrained_particles` with `run.multipliers`",
    ),
    (
        "3.2.2 Coordinates, (3.15)",
        ("explicit-time", "formulations"),
        "`ps.analytical.Particles`, `ps.analytical.moving_particles`",
    ),
    (
        "3.2.3 Inertia",
        ("connection", "formulations"),
        "`ps.analytical.levi_civita`, `ps.analytical.gibbs_appell`",
    ),
    (
        "3.2.4 Gravitation",
        ("formulations",),
        "`potential=` of `ps.analytical.levi_civita`",
    ),
    (
        "3.2.5 Stiffness",
        ("springs",),
        "`springs=` of `ps.analytical.constrained_particles`, `ps.Spring`",
    ),
    (
        "3.2.6 Dissipation",
        ("explicit-time",),
        "`dissipation=` of `ps.analytical.moving_particles`, `ps.Damper`",
    ),
    (
        "3.2.7 Energy, (3.41)-(3.47)",
        ("explicit-time",),
        "`run.energy`, `run.hamiltonian`, `run.work`",
    ),
    (
        "3.3.1 Coordinates of a rigid body",
        ("commutation",),
        "`ps.analytical.spaces.rigid_body`, `ps.Free`",
    ),
    (
        "3.3.2 Inertia",
        ("rigid-body", "connection"),
        "`ps.Body`, `ps.analytical.body`",
    ),
    (
        "3.3.3 Gravitation",
        ("rigid-body",),
        "`ps.Mechanism`, gravity",
    ),
    (
        "3.3.4 Stiffness",
        ("springs",),
        "`ps.Stiffness`, `ps.analytical.reduce_springs`",
    ),
    (
        "3.3.5 Dissipation, (3.76)-(3.79)",
        ("rigid-body", "errata"),
        "`ps.FluidDrag` in any fluid, `ps.Drag` in a rigid one, `ps.Damping`",
    ),
    (
        "3.3.6 The special Euclidean group",
        ("operators", "rigid-body", "errata"),
        "`ps.se3`, `ps.analytical.operators`",
    ),
    (
        "3.4.1 Parameterization",
        ("tricopter", "errata"),
        "`ps.analytical.RigidBodies`, `ps.Mechanism`",
    ),
    (
        "3.4.2 Inertia, (3.111)-(3.113)",
        ("tricopter", "connection"),
        "`ps.analytical.RigidBodies.mass`, `ps.analytical.RigidBodies.acceleration_energy`",
    ),
    (
        "3.4.3 Gravitation",
        ("tricopter", "errata"),
        "`ps.analytical.RigidBodies.gravity_force`",
    ),
    (
        "3.4.4 Stiffness",
        ("tricopter", "errata"),
        "`ps.analytical.RigidBodies.spring`",
    ),
    (
        "3.4.5 Dissipation",
        ("tricopter",),
        "`ps.analytical.RigidBodies.damper`",
    ),
    (
        "3.4.6 Summary and examples",
        ("tricopter",),
        "scenario `tricopter`",
    ),
    (
        "Tracking control (part of the title; chapters that are not in the copy at hand)",
        ("stability", "covariance", "flights"),
        "`ps.control.track`, docs/tracking.md",
    ),
    (
        "4 Templates",
        (),
        "reason: samples of fonts, no content",
    ),
)
