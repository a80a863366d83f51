"""Sections of the document: title, records of its claims, and where its subject is in the product."""

SECTIONS = (
    (
        "1.1 Lie matrix groups",
        ("kinematics",),
        "`ps.so3`, `ps.se3`",
    ),
    (
        "1.2 SO(3), its algebra, the adjoint, kinematics",
        ("kinematics",),
        "`ps.so3.Ad`, `ps.so3.ad`, `ps.so3.exp`",
    ),
    (
        "1.3 Euclidean motion, SE(3)",
        ("kinematics",),
        "`ps.se3`",
    ),
    (
        "1.4 Kinematics of the n-body pendulum",
        ("b-matrix",),
        "`ps.analytical.MovingFrame.motion`, `run.position`",
    ),
    (
        "1.5.1 to 1.5.3 Unit quaternions",
        ("kinematics",),
        "`ps.quaternion`",
    ),
    (
        "1.5.4 Quaternions as real matrices, (1.16)-(1.19)",
        ("kinematics",),
        "`ps.analytical.left_product`, `ps.analytical.right_product`",
    ),
    (
        "2.1 Lagrangian mechanics, variation on SE(3)",
        ("b-matrix",),
        "`ps.analytical.lagrange`",
    ),
    (
        "2.2 Euler-Lagrange equations of the system",
        ("b-matrix",),
        "`ps.analytical.MovingFrame.reduced`",
    ),
    (
        "2.3 B matrix",
        ("b-matrix", "errata"),
        "`ps.analytical.MovingFrame.matrices`, `ps.analytical.MovingFrame.pattern`",
    ),
    (
        "2.4 Rate of B",
        ("b-matrix", "errata"),
        "`ps.analytical.MovingFrame.matrices`",
    ),
    (
        "2.5 Final form of the equations",
        ("symbolic-limit",),
        "`ps.analytical.MovingFrame.acceleration`, `ps.dynamics.acceleration`",
    ),
    (
        "3.1 Rewriting the equations",
        ("errata",),
        "`ps.analytical.MovingFrame.field`, `ps.analytical.MovingFrame.system`",
    ),
    (
        "3.1.1 Solution to linear system, figure 3.1",
        ("b-matrix",),
        "`ps.spy` of `ps.analytical.MovingFrame.pattern`",
    ),
    (
        "3.1.2 Choice of ODE integration scheme",
        ("unit-length",),
        "methods `gauss1` to `gauss4`",
    ),
    (
        "3.2.1 Comparison to classical model",
        ("single-pendulum", "errata"),
        "scenario `compound-pendulum`",
    ),
    (
        "3.2.2 Double pendulum comparison",
        ("double-pendulum",),
        "scenario `double-pendulum`",
    ),
    (
        "3.2.3 Conservation of unit length and energy",
        ("four-bodies", "unit-length"),
        "scenario `pendulum-4`, `run.report`",
    ),
    (
        "3.2.4 Tolerance of the Runge-Kutta steps",
        ("table-3-2", "four-bodies"),
        '`ps.method("gauss3", tolerance=)`',
    ),
    (
        "3.2.5 Computation time, memory",
        ("table-3-3", "memory"),
        "bench/trees.py, docs/performance.md",
    ),
    (
        "3.3.1 Heavy symmetrical top",
        ("heavy-top",),
        "scenario `disc-top`",
    ),
    (
        "3.3.2 Torsional springs",
        ("torsional-springs",),
        "`ps.JointSpring`, scenarios `torsion-log`, `torsion-trace`, `torsion-euler`",
    ),
    (
        "3.3.3 16-body pendulum",
        ("sixteen-bodies", "spring-and-damper"),
        "scenarios `pendulum-16`, `pendulum-16-damped`",
    ),
    (
        "3.3.4 64-body pendulum",
        ("coil-drop",),
        "scenarios `pendulum-64`, `coil-drop`",
    ),
    (
        "4 Conclusion: one or two axes, lines and planes",
        ("further-work", "constraints-and-hamiltonian"),
        "`axes=` and `slides=` of `ps.analytical.Link`, `ps.Revolute`, `ps.Universal`, "
        "`ps.Prismatic`, `ps.Planar`",
    ),
    (
        "4 Possible further work: constraints, Hamiltonian",
        ("constraints-and-hamiltonian",),
        "`ps.analytical.MovingFrame.system` with loops, `ps.analytical.MovingFrame.hamiltonian`; "
        "`ps.Loop`, methods `sgauss1` to `sgauss4`",
    ),
    (
        "A.1 Rewriting the operator",
        ("kinematics",),
        "`ps.so3.Ad`",
    ),
    (
        "A.2 Kinematics for the double pendulum",
        ("double-pendulum", "b-matrix"),
        "`ps.analytical.MovingFrame.matrices`",
    ),
)
