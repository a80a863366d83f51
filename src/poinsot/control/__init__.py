"""Control: from a linear model of a mechanism to a controller that keeps it at a state, and tracking of a
reference.

lin = ps.control.sampled(m, target, ["cart"], period=0.02, method="gauss2", step=0.01)
K = ps.control.lqr(lin.A, lin.B, Q, R).gain
c = ps.Controller(ps.control.Regulator(m, K, target), 0.02, ["cart"])
"""

from poinsot.control.inputs.actuation import Actuation as Actuation
from poinsot.control.inputs.actuation import actuation as actuation
from poinsot.control.inputs.actuation import input_matrix as input_matrix
from poinsot.control.inputs.dynamics import Lag as Lag
from poinsot.control.inputs.rotors import RotorDynamics as RotorDynamics
from poinsot.control.inputs.servo import TiltServo as TiltServo
from poinsot.control.laws.joint_laws import computed_torque as computed_torque
from poinsot.control.laws.joint_laws import joint_pd as joint_pd
from poinsot.control.laws.least_constraint import LeastConstraint as LeastConstraint
from poinsot.control.laws.least_constraint import least_constraint as least_constraint
from poinsot.control.laws.performance import Performance as Performance
from poinsot.control.laws.performance import performance as performance
from poinsot.control.laws.recording import recording as recording
from poinsot.control.laws.regulator import Regulator as Regulator
from poinsot.control.laws.riccati import LQR as LQR
from poinsot.control.laws.riccati import lqr as lqr
from poinsot.control.laws.sampling import discretize as discretize
from poinsot.control.laws.sampling import sampled as sampled
from poinsot.control.laws.track import track as track
from poinsot.control.references import circle as circle
from poinsot.control.references import constant as constant
from poinsot.control.references import euler_attitude as euler_attitude
from poinsot.control.references import flat_pvtol as flat_pvtol
from poinsot.control.references import flat_quadcopter as flat_quadcopter
from poinsot.control.references import flip as flip
from poinsot.control.references import free_motion as free_motion
from poinsot.control.references import helix as helix
from poinsot.control.references import infeasibility as infeasibility
from poinsot.control.references import joint_motion as joint_motion
from poinsot.control.references import loop as loop
from poinsot.control.references import pose_spline as pose_spline
from poinsot.control.references import replanned as replanned
from poinsot.control.references import rest_to_rest as rest_to_rest
from poinsot.control.references import turning as turning
from poinsot.control.templates.pair import Pair as Pair
from poinsot.control.templates.template import Template as Template
from poinsot.control.templates.template import TemplateAt as TemplateAt
from poinsot.control.tuning.matched import Matched as Matched
from poinsot.control.tuning.matched import matched as matched
from poinsot.control.tuning.matched import matched_pair as matched_pair
from poinsot.control.tuning.matching import Matching as Matching
from poinsot.control.tuning.matching import matching as matching
from poinsot.control.tuning.poles import poles as poles
from poinsot.control.tuning.two_masses import two_mass_pairs as two_mass_pairs
from poinsot.control.twin.sensors import Sensors as Sensors
from poinsot.control.twin.twin import twin as twin
from poinsot.mechanics.linearization import difference as difference
from poinsot.model.controller import remembered as remembered
