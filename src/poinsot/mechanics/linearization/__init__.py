"""Linear models of a mechanism about a state: `ps.dynamics.linearize`.

    d/dt x = A x + B u         continuous, x = (dq, dv)                          method=None
    x1     = A x0 + B u        over `steps` steps of a method, u constant        method="...", step=h

dq is in the units of v: the neighbour of q is q exp(dq), joint by joint; x1 is measured at the image of the
state.  All derivatives are exact (dual numbers), to rounding.
"""

from poinsot.mechanics.linearization.linearize import linearize as linearize
from poinsot.mechanics.linearization.record import Linearization as Linearization
from poinsot.mechanics.linearization.tangent import difference as difference
from poinsot.mechanics.linearization.tangent import moved as moved
