"""Control: from a linear model of a mechanism to a controller that keeps it at a state, and tracking of a
reference.

lin = ps.control.sample_model(m, target, ["cart"], period=0.02, method="gauss2", step=0.01)
K = ps.control.lqr(lin.A, lin.B, Q, R).gain
c = ps.Controller(ps.control.Regulator(m, K, target), 0.02, ["cart"])
"""

from poinsot.control import references as references
from poinsot.control.actuators import Actuation as Actuation
from poinsot.control.actuators import Lag as Lag
from poinsot.control.actuators import RotorDynamics as RotorDynamics
from poinsot.control.actuators import TiltServo as TiltServo
from poinsot.control.actuators import actuation as actuation
from poinsot.control.actuators import input_matrix as input_matrix
from poinsot.control.constraint import LeastConstraint as LeastConstraint
from poinsot.control.constraint import least_constraint as least_constraint
from poinsot.control.controllers import Performance as Performance
from poinsot.control.controllers import performance as performance
from poinsot.control.controllers import recording as recording
from poinsot.control.controllers import track as track
from poinsot.control.filter import Kalman as Kalman
from poinsot.control.filter import kalman as kalman
from poinsot.control.joint_space import computed_torque as computed_torque
from poinsot.control.joint_space import joint_pd as joint_pd
from poinsot.control.regulator import LQR as LQR
from poinsot.control.regulator import Regulator as Regulator
from poinsot.control.regulator import discretize as discretize
from poinsot.control.regulator import lqr as lqr
from poinsot.control.regulator import sample_model as sample_model
from poinsot.control.servo_law import servos as servos
from poinsot.control.templates import Pair as Pair
from poinsot.control.templates import Template as Template
from poinsot.control.templates import TemplateAt as TemplateAt
from poinsot.control.tuning import Matched as Matched
from poinsot.control.tuning import Matching as Matching
from poinsot.control.tuning import match_poles as match_poles
from poinsot.control.tuning import matched_pair as matched_pair
from poinsot.control.tuning import matching as matching
from poinsot.control.tuning import poles as poles
from poinsot.control.tuning import two_mass_pairs as two_mass_pairs
from poinsot.control.vehicle import Readings as Readings
from poinsot.control.vehicle import Sensors as Sensors
from poinsot.control.vehicle import twin as twin
from poinsot.model.controller import memory_of as memory_of

__all__ = [
    "LQR",
    "Actuation",
    "Kalman",
    "Lag",
    "LeastConstraint",
    "Matched",
    "Matching",
    "Pair",
    "Performance",
    "Readings",
    "Regulator",
    "RotorDynamics",
    "Sensors",
    "Template",
    "TemplateAt",
    "TiltServo",
    "actuation",
    "computed_torque",
    "discretize",
    "input_matrix",
    "joint_pd",
    "kalman",
    "least_constraint",
    "lqr",
    "match_poles",
    "matched_pair",
    "matching",
    "memory_of",
    "performance",
    "poles",
    "recording",
    "references",
    "sample_model",
    "servos",
    "track",
    "twin",
    "two_mass_pairs",
]


def __dir__() -> list[str]:
    return __all__
