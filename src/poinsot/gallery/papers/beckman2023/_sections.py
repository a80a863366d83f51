"""Sections of the document: title, records of its claims, and where its subject is in the product."""

SECTIONS = (
    (
        "Abstract",
        ("dzhanibekov-step", "disp4", "planar-cart"),
        "scenarios `dzhanibekov`, `4disp`",
    ),
    (
        "Prior Failures: Euler angles",
        ("euler-angles",),
        "`ps.so3.from_euler`, `euler=` in `ps.Mechanism.state`; docs/charts.md",
    ),
    (
        "The Future: Discretized Lagrangians on Lie Groups",
        ("dzhanibekov-step",),
        "methods `variational`, `variational4`; docs/variational.md",
    ),
    (
        "References",
        (),
        "`poinsot cite`; reason: a list",
    ),
    (
        "Quaternions and RK4: TQDL, primitives",
        ("tqdl-step",),
        "`ps.quaternion`, method `rk4`",
    ),
    (
        "Forced Motion for TQDL & RK4, constants, apparatus",
        ("forced",),
        "`ps.Torque`, `ps.Cylinder`",
    ),
    (
        "Mathematica MomentOfInertia Is Not Moment of Inertia",
        ("errata",),
        "`ps.Box`, `ps.Cylinder`, inertia about the centre of mass",
    ),
    (
        "Run Sim, unit test",
        ("tqdl-step",),
        "method `rk4`",
    ),
    (
        "Demos: Dzhanibekov, Free Motion",
        ("dzhanibekov-leak",),
        "scenario `dzhanibekov`, `run.flips`",
    ),
    (
        "Forced Motion Demos, Rod1",
        ("forced", "errata"),
        "scenarios `forced-cylinder`, `forced-rod`",
    ),
    (
        "Spherical Pendulum, rig, axis jack",
        ("rig",),
        "`run.view`",
    ),
    (
        "ISSUE: Accumulating Energy and Angular Momentum",
        ("rig",),
        "`run.report`",
    ),
    (
        "Addressing the Mystery, Conclusion",
        ("rig", "whiplash"),
        "`run.reaction`",
    ),
    (
        "Stern-Desbrun: coordinates, set-up, Lagrangian",
        ("ground-truth",),
        "`ps.analytical.spaces.pitch_cone`; docs/charts.md",
    ),
    (
        "Ground-Truth Solution, phase portrait, animation",
        ("ground-truth",),
        '`run.plot(kind="phase")`, `run.view`',
    ),
    (
        "Discrete Euler-Lagrange Equations",
        ("dele", "dele-start", "dele-step"),
        "methods `variational`, `variational_midpoint`",
    ),
    (
        "DREPE, DRNEA, and CGDVIE3: utilities, frame rotation",
        ("errata",),
        "`ps.so3`, `ps.se3`",
    ),
    (
        "Proofs and Tests, Investigate Formulae (Euler angles, Liu)",
        ("euler-angles",),
        "`ps.so3.from_euler`, `ps.so3.to_euler`",
    ),
    (
        "Manifolds Cheat Sheet, Lie Group Cheat Sheet",
        (),
        "reason: definitions; `ps.so3` and `ps.se3` list their verbs",
    ),
    (
        "Adjoints Cheat Sheet",
        ("adjoint", "errata"),
        "`ps.se3.Ad`, `ps.se3.ad`, `ps.se3.coAd`, `ps.se3.coad`, `ps.so3.coAd`",
    ),
    (
        "SO(3), so(3): log, adjoint",
        ("log", "errata"),
        "`ps.so3.log`, `ps.so3.Ad`",
    ),
    (
        "SE(3): exp, log, dexp, dlog, powers",
        ("dlog", "errata"),
        "`ps.se3.exp`, `ps.se3.dexp`, `ps.se3.dexpinv`",
    ),
    (
        "Adj6R6: Adjoint Operator in SE(3)",
        ("adjoint",),
        "`ps.se3.Ad`",
    ),
    (
        "Lagrangian: configuration, velocity, potential, inertia",
        ("errata",),
        "`ps.dynamics.energy`",
    ),
    (
        "LdRigR: Trapezoidal Quadrature",
        ("dlog-integrator",),
        "method `variational`",
    ),
    (
        "Variational Integrators in SE(3), tkStarR6",
        ("tkstar", "drepe"),
        "methods `variational_se3`, `variational_riqn`",
    ),
    (
        "Root Finding, step-by-step demonstration",
        ("drepe", "start", "dzhanibekov-step", "dlog-integrator"),
        "method `variational`",
    ),
    (
        "End: 4DISP",
        ("disp4", "start"),
        "scenarios `4disp`, `4disp-balance`, `4disp-swingup`",
    ),
)
