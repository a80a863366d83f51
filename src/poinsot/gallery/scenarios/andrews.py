"""Andrews' squeezer: seven bodies in a plane, three loops, a spring, driven by 0.033 Nm; no gravity.

Benchmark A03 of the IFToMM library and the "Andrews squeezing mechanism" of the IVP test set (Schiehlen
1990; Hairer & Wanner, Solving Ordinary Differential Equations II, section VII.7).  The joint angles of
K1 .. K7 are the seven unknowns of the published equations: beta, Theta, gamma, Phi, delta, Omega, epsilon.
"""

from typing import Any

from poinsot.gallery.scenario import Recipe
from poinsot.model.forces.force import Force
from poinsot.model.forces.joint import JointTorque
from poinsot.model.forces.springs import Spring
from poinsot.model.joints import Revolute
from poinsot.model.loops import Loop

Z = (0.0, 0.0, 1.0)
A, B, C = (
    (-0.06934, -0.00227, 0.0),
    (-0.03635, 0.03273, 0.0),
    (0.014, 0.072, 0.0),
)  # pivots; C holds the spring
RR, RA = 0.007, 0.00092  # length of the crank; distance of its centre of mass
D, DA = 0.028, 0.0115  # rod from the crank pin to the node
SS, SA, SB, SC, SD = 0.035, 0.01874, 0.01043, 0.018, 0.02  # triangle at B; its centre of mass; its spring
E, EA, ZT, TA, TB = 0.02, 0.01421, 0.04, 0.02308, 0.00916  # arms from A over G to the node
ZF, FA, U, UA, UB = 0.02, 0.01421, 0.04, 0.01228, 0.00449  # arms from A over H to the node
STIFFNESS, LENGTH, TORQUE = 4530.0, 0.07785, 0.033
ANGLES = (
    -0.06171389001427645,
    0.0,
    0.45527981916307037,
    0.22266839016588588,
    0.48736497954384256,
    -0.22266839016588588,
    1.2305474445498212,
)
LAST = (
    15.81077119629904,
    -15.75637105984298,
    0.04082224013073101,
    -0.5347301163226948,
    0.5244099658805304,
    0.5347301163226948,
    1.048080741042263,
)  # at 0.03 s, IVP test set


def link(
    mass: float, inertia: float, center: tuple[float, float], at: Any, parent: str = "world"
) -> dict[str, Any]:
    """Return a hinged body with its frame at the hinge; only the inertia about z matters."""
    moments = (inertia / 2, inertia / 2, inertia)
    place = (*center, 0.0)
    return {
        "mass": mass,
        "inertia": moments,
        "center_of_mass": place,
        "joint": {"kind": "revolute", "axis": Z},
        "parent": parent,
        "at": at,
    }


def torque(t, q, v):  # type: ignore[no-untyped-def]
    return (TORQUE,)


def forces() -> list[Force]:
    """Return the motor and the spring."""
    return [JointTorque("K1", torque), Spring("world", "K3", STIFFNESS, LENGTH, at_a=C, at_b=(SD, -SC, 0.0))]


def loops() -> list[Loop]:
    """Return the loops: the node at the end of K2 is also a point of K3, K4 and K6."""
    node, hinge = (-D, 0.0, 0.0), Revolute(Z)
    ends = {"K3": (0.0, -SS, 0.0), "K4": (0.0, -E, 0.0), "K6": (ZF, 0.0, 0.0)}
    return [Loop("K2", body, hinge, at_a=node, at_b=end, name=f"node-{body}") for body, end in ends.items()]


RECIPE = Recipe(
    title="Andrews' squeezer",
    gravity=(0.0, 0.0, 0.0),
    bodies={
        "K1": link(0.04325, 2.194e-6, (RA, 0.0), (0.0, 0.0, 0.0)),
        "K2": link(0.00365, 4.41e-7, (-DA, 0.0), (RR, 0.0, 0.0), "K1"),
        "K3": link(0.02373, 5.255e-6, (SB, -SA), B),
        "K5": link(0.0705, 1.169e-5, (TA, TB), A),
        "K4": link(0.00706, 5.667e-7, (0.0, -(E - EA)), (ZT, 0.0, 0.0), "K5"),
        "K7": link(0.05498, 1.912e-5, (-UB, -UA), A),
        "K6": link(0.00706, 5.667e-7, (ZF - FA, 0.0), (0.0, -U, 0.0), "K7"),
    },
    start={
        name: {"angle": angle}
        for name, angle in zip(("K1", "K2", "K3", "K4", "K5", "K6", "K7"), ANGLES, strict=True)
    },
    step=1e-5,
    until=0.03,
    method="variational4",
    forces=forces,
    loops=loops,
    notes="Two and a half turns of the crank in 30 ms, up to 1500 rad/s.",
)
