"""The mechanics of a mechanism at one state: accelerations, forces, matrices, energies, momenta.

    a = ps.dynamics.acceleration(m, state)                M a + c = tau + forces
    tau = ps.dynamics.inverse_dynamics(m, state, a)       the same read backwards: zero here
    M = ps.dynamics.mass_matrix(m, state)
    lin = ps.dynamics.linearize(m, state, inputs=["cart"])      d/dt x = A x + B u  (`linearization`)
    d = ps.dynamics.bind(m)                               the same functions, bound to a mechanism

The order of rows and columns is that of `state.v`.  Gravity and all forces of the mechanism act; impulses
do not.  Everything is computed in O(n) (the mass matrix in O(n depth)) by the compiled core.  A mechanism is
compiled once, until it changes.  In the place of a state, most functions take arrays q and v with leading
axes: many states in one call.  Loops are kept closed by the forces of `multipliers` (dense matrices,
`mechanics.loop_constraints`).
"""

from poinsot.mechanics.dynamics.bound import Dynamics as Dynamics
from poinsot.mechanics.dynamics.equations_of_motion import acceleration as acceleration
from poinsot.mechanics.dynamics.equations_of_motion import bind as bind
from poinsot.mechanics.dynamics.equations_of_motion import inverse_dynamics as inverse_dynamics
from poinsot.mechanics.dynamics.equations_of_motion import mass_matrix as mass_matrix
from poinsot.mechanics.dynamics.jacobians import jacobian as jacobian
from poinsot.mechanics.dynamics.jacobians import jacobian_rate as jacobian_rate
from poinsot.mechanics.dynamics.loops import Closed as Closed
from poinsot.mechanics.dynamics.loops import LoopResiduals as LoopResiduals
from poinsot.mechanics.dynamics.loops import closure as closure
from poinsot.mechanics.dynamics.loops import loop_constraints as loop_constraints
from poinsot.mechanics.dynamics.loops import multipliers as multipliers
from poinsot.mechanics.dynamics.results import Energy as Energy
from poinsot.mechanics.dynamics.results import Momentum as Momentum
from poinsot.mechanics.dynamics.totals import center_of_mass as center_of_mass
from poinsot.mechanics.dynamics.totals import energy as energy
from poinsot.mechanics.dynamics.totals import momentum as momentum
from poinsot.mechanics.dynamics.wrenches import reactions as reactions
from poinsot.mechanics.dynamics.wrenches import reactions_along as reactions_along
from poinsot.mechanics.linearization import Linearization as Linearization
from poinsot.mechanics.linearization import difference as difference
from poinsot.mechanics.linearization import linearize as linearize
from poinsot.mechanics.linearization import moved as moved

__all__ = [
    "Closed",
    "Dynamics",
    "Energy",
    "Linearization",
    "LoopResiduals",
    "Momentum",
    "acceleration",
    "bind",
    "center_of_mass",
    "closure",
    "difference",
    "energy",
    "inverse_dynamics",
    "jacobian",
    "jacobian_rate",
    "linearize",
    "loop_constraints",
    "mass_matrix",
    "momentum",
    "moved",
    "multipliers",
    "reactions",
    "reactions_along",
]
