"""The tricopter with suspended load (examples 6 and 7); the thesis prints no parameters, these are ours.

X and STATE are coordinates and velocities.  Accelerations, energies and mass matrix are those of an
independent rigid-body library (CRBA and ABA), with twists in our order.
"""

import numpy as np

from poinsot.analytical import RigidBodies, from_moments
from poinsot.analytical.operators import pose
from poinsot.analytical.torsion import exponential
from poinsot_papers.claims import Array, about_origin

ANGLES = (np.pi / 3, np.pi, -np.pi / 3)
ARM, LOAD_JOINT, PROPELLER = 0.25, -0.03, 0.04
SWAP = [3, 4, 5, 0, 1, 2, *range(6, 15)]


def _body(m: float, center: tuple[float, ...], moments: tuple[float, ...]) -> Array:
    return from_moments(m, center, about_origin(m, center, np.diag(moments)))


def tricopter(load_velocity: str = "relative") -> RigidBodies:
    """Return the tree: body 1 is the central one, 2 the load, then arm and propeller three times."""
    t = RigidBodies()
    t.add(0, "free", _body(0.9, (0, 0, 0.01), (0.011, 0.011, 0.018)))
    ball = 0.4 * 0.35 * 0.05**2
    load = _body(0.35, (0, 0, -0.45), (ball, ball, ball))
    t.add(1, "spherical", load, pose(np.eye(3), (0, 0, LOAD_JOINT)), velocity=load_velocity)
    for angle in ANGLES:
        at = pose(exponential(np.array([0, 0, angle])), (ARM * np.cos(angle), ARM * np.sin(angle), 0))
        arm = t.add(1, "revolute", _body(0.12, (0.02, 0, 0.015), (4e-5, 9e-5, 8e-5)), at, axis=(1, 0, 0))
        disc = _body(0.02, (0.001, 0, 0), (2e-5, 9e-5, 1.1e-4))
        t.add(arm, "circle", disc, pose(np.eye(3), (0, 0, PROPELLER)))
    return t


X = np.array(
    [
        0.3, -0.2, 1.0, 0.6612803701493741, 0.6308235330837556, 0.4059186398317212,
        -0.7421834113908107, 0.6288004056431498, 0.2318918578115865, -0.10895896434624103,
        -0.45461161442569664, 0.8840001267634843, 0.8106013159854086, 0.036977686975730784,
        -0.5844297709636707, -0.3210757129976178, 0.8626859540894213, -0.39074714476230826,
        0.489730428956375, 0.504386355171063, 0.7111670068777483, 0.3, 0.7648421872844885,
        0.644217687237691, -0.2, 0.4535961214255773, -0.8912073600614354, 0.5, -0.4161468365471424,
        0.9092974268256817
    ]
)  # fmt: skip
STATE = np.array(
    [
        0.8932092255896565, 0.7689837013746569, 0.5089329027145628, 0.3698004449282009,
        0.6742831895819997, 0.8596675721834319, 0.1589894950670842, -0.21903616160956116,
        -0.55837355127764, -0.7990856505662276, -0.8986555805224037, -0.8394963454288236,
        -0.6320572166135832, -0.3129780819593695, 0.06138224240203522
    ]
)  # fmt: skip
FORCE = np.array(
    [
        -0.8394963454288236, -0.8986555805224037, -0.7990856505662276, 0.06138224240203522,
        -0.3129780819593695, -0.6320572166135832, -0.55837355127764, -0.21903616160956116,
        0.1589894950670842, 0.5089329027145628, 0.7689837013746569, 0.8932092255896565,
        0.8596675721834319, 0.6742831895819997, 0.3698004449282009
    ]
)  # fmt: skip
ACCELERATION = np.array(
    [
        -39.850066389750125, -71.6351977841716, 121.05046191692162, -4.228535886717391,
        -5.063099167103501, -5.662945971220268, 110.8761014972407, 91.62969531089992,
        423.9441400514684, 4080.998713943873, 6891.782764680047, 5647.661188326308,
        7697.097923726614, 4307.563848102718, 3210.7928894057677
    ]
)  # fmt: skip
BIAS = np.array(
    [
        -0.08903719063360878, 0.03788809376074149, 0.03890403635135597, 0.4481922808767306,
        -0.915324109802451, 0.6259425570519931, -0.10457780952830768, 0.056605533938254765,
        -4.477484308579519e-05, 0.001362554559553922, -2.3932298570874114e-05,
        -0.0018161591263368506, -7.956193392865244e-05, -0.0001575115533325149,
        3.417289866962955e-05
    ]
)  # fmt: skip
WEIGHT = np.array(
    [
        -0.46013660434183384, 0.24969740012961775, 0.1457864390091029, 6.650043300771139,
        3.799014738969878, 14.482308876728132, -0.425979176214561, 0.2766039361621376, 0.0,
        -0.0008070662787511353, -4.5608347790920745e-05, 0.010132758207290631,
        -0.00010683255986787513, -0.02117527137817158, -6.848074367988129e-05
    ]
)  # fmt: skip
KINETIC, POTENTIAL, FROBENIUS = 1.1608010456492275, 14.969041276785637, 2.935931335769425
