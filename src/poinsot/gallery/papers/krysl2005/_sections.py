"""Sections of the document: title, records of its claims, and where its subject is in the product."""

SECTIONS = (
    (
        "Introduction",
        (),
        "reason: history; the rods of Simo and Vu-Quoc are not rigid bodies",
    ),
    (
        "1.1.1 Configuration",
        ("figure-02",),
        "`ps.so3.exp`, `ps.so3.log`, `ps.quaternion`",
    ),
    (
        "1.1.2 Velocity",
        (),
        "`ps.so3.hat`, `ps.so3.vee`; `run.angular_velocity` is in the body frame; reason: "
        "definitions, no claim",
    ),
    (
        "1.1.3 Angular acceleration",
        (),
        "`ps.dynamics.acceleration`; reason: definitions, no claim",
    ),
    (
        "1.2.1 and 1.2.2 Virtual power",
        (),
        "`ps.analytical.lagrange`, `ps.analytical.gibbs_appell`: the same equations by other "
        "principles; reason: definitions, no claim",
    ),
    (
        "1.3 Virtual power of the applied forces",
        ("errata",),
        "`ps.Torque`, `ps.Wrench`",
    ),
    (
        "1.4 Equation of motion",
        ("errata",),
        "`ps.dynamics.acceleration`, `ps.dynamics.inverse_dynamics`",
    ),
    (
        "2 Time discretization, (21)-(24)",
        ("newmark-family",),
        '`ps.method("newmark", beta=, gamma=)`',
    ),
    (
        "2.1 Compound rotations and tangents",
        (),
        "`ps.so3.dexp`; reason: definitions, no claim",
    ),
    (
        "2.2 Rotation update",
        ("newmark-family",),
        "methods `nmb`, `newmark`",
    ),
    (
        "2.3 Angular velocity update, (31)-(36)",
        ("newmark-family", "errata"),
        "option `gamma` of `newmark`",
    ),
    (
        "2.3.1 Evaluated acceleration",
        (),
        "method `nmb`, equation (3); reason: definitions, no claim",
    ),
    (
        "2.4 Newmark in the body frame",
        ("claim-nmb-equals-nms",),
        "method `nmb`",
    ),
    (
        "2.5 Newmark in the spatial frame",
        ("claim-nmb-equals-nms",),
        "method `nms`",
    ),
    (
        "2.6 Solving the equation of motion",
        ("errata",),
        "Newton's method in `nmb` and `nms`",
    ),
    (
        "3.1 Freely spinning body",
        ("figure-01", "figure-02", "figure-03", "figure-04", "figure-05"),
        "scenario `free-body`",
    ),
    (
        "3.2 Unstable rotation: book toss",
        ("figure-06", "figure-07"),
        "scenario `book-toss`",
    ),
    (
        "3.3 Lagrangian top",
        ("figure-08", "figure-09", "claim-axis-momentum", "claim-crouch-grossman-accuracy"),
        "scenario `lagrange-top`",
    ),
    (
        "3.4 Fast Lagrangian top",
        ("figure-10",),
        "scenario `fast-top`",
    ),
    (
        "3.5 Slow Lagrangian top",
        ("figure-11", "figure-12"),
        "scenario `slow-top`",
    ),
    (
        "3.6 Soft wall",
        ("figure-13", "errata"),
        "scenario `soft-wall`",
    ),
    (
        "Discussion and conclusions",
        ("claim-symplectic", "claim-sw-drifts", "claim-time-symmetry"),
        "`ps.methods`: facts of every method, measured by the tests",
    ),
    (
        "Appendix A",
        ("errata",),
        "methods `sw`, `hstagm`",
    ),
    (
        "Appendix B",
        ("errata",),
        "Newton's method in the core",
    ),
)
