"""Reference motions with exact derivatives: curves, attitudes, and references of whole mechanisms.

A curve is a function of the time that returns an array (5, k): the values and four derivatives.  An attitude
is a function of the time that returns (R, w, w'): rotation matrix, body rates and their derivative.  A
reference returns (state, acceleration), as `ps.control.track` takes it.
"""

from poinsot.control.references.attitudes import euler_attitude as euler_attitude
from poinsot.control.references.attitudes import pose_spline as pose_spline
from poinsot.control.references.attitudes import turning as turning
from poinsot.control.references.curves import Curve as Curve
from poinsot.control.references.curves import circle as circle
from poinsot.control.references.curves import helix as helix
from poinsot.control.references.curves import replanned as replanned
from poinsot.control.references.curves import rest_to_rest as rest_to_rest
from poinsot.control.references.flat import flat_pvtol as flat_pvtol
from poinsot.control.references.flat import flat_quadcopter as flat_quadcopter
from poinsot.control.references.manoeuvres import flip as flip
from poinsot.control.references.manoeuvres import loop as loop
from poinsot.control.references.motions import constant as constant
from poinsot.control.references.motions import free_motion as free_motion
from poinsot.control.references.motions import infeasibility as infeasibility
from poinsot.control.references.motions import joint_motion as joint_motion
