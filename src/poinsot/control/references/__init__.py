"""Reference motions with exact derivatives: curves, attitudes, and references of whole mechanisms.

A curve is a function of the time that returns an array (5, k): the values and four derivatives.  An attitude
is a function of the time that returns (R, w, w'): rotation matrix, body rates and their derivative.  A
reference returns (state, acceleration), as `ps.control.track` takes it.
"""

from poinsot.control.references.curves import Curve as Curve
from poinsot.control.references.curves import circle as circle
from poinsot.control.references.curves import euler_attitude as euler_attitude
from poinsot.control.references.curves import flip as flip
from poinsot.control.references.curves import helix as helix
from poinsot.control.references.curves import loop_the_loop as loop_the_loop
from poinsot.control.references.curves import pose_spline as pose_spline
from poinsot.control.references.curves import replan as replan
from poinsot.control.references.curves import rest_to_rest as rest_to_rest
from poinsot.control.references.curves import turning as turning
from poinsot.control.references.flat import flat_pvtol as flat_pvtol
from poinsot.control.references.flat import flat_quadcopter as flat_quadcopter
from poinsot.control.references.motions import constant as constant
from poinsot.control.references.motions import free_motion as free_motion
from poinsot.control.references.motions import infeasibility as infeasibility
from poinsot.control.references.motions import joint_motion as joint_motion

__all__ = [
    "circle",
    "constant",
    "euler_attitude",
    "flat_pvtol",
    "flat_quadcopter",
    "flip",
    "free_motion",
    "helix",
    "infeasibility",
    "joint_motion",
    "loop_the_loop",
    "pose_spline",
    "replan",
    "rest_to_rest",
    "turning",
]


def __dir__() -> list[str]:
    return __all__
