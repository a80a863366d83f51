"""Control: from a linear model of a mechanism to a controller that keeps it at a state, and tracking of a reference.

lin = ps.control.sampled(m, target, ["cart"], period=0.02, method="gauss2", step=0.01)
K = ps.control.lqr(lin.A, lin.B, Q, R).gain
c = ps.Controller(ps.control.Regulator(m, K, target), 0.02, ["cart"])
"""

from poinsot.control.pair import Pair as Pair
from poinsot.control.regulator import Regulator as Regulator
from poinsot.control.riccati import LQR as LQR
from poinsot.control.riccati import lqr as lqr
from poinsot.control.sampling import discretize as discretize
from poinsot.control.sampling import sampled as sampled
from poinsot.control.template import Template as Template
from poinsot.control.template import TemplateAt as TemplateAt
from poinsot.mechanics.linearization import difference as difference
from poinsot.model.controller import remembered as remembered
