"""RK4_RAW: the classical Runge-Kutta method on quaternions that are never normalised.

    y1 = y + h/6 (k1 + 2 k2 + 2 k3 + k4),   y = (q, P, r, p)                                  (1)

It demonstrates the consequence: |q| departs from 1 by O(h^5) in each step, and the report shows the drift of
`orthogonality`.  Where a rotation is needed, it is that of q/|q|.
"""

from poinsot.core.body.kernel import BodyKernel, Stepped
from poinsot.core.body.records import State, System
from poinsot.core.jit import jit
from poinsot.core.methods.method import Kernels
from poinsot.core.methods.parts.ambient import raw_step
from poinsot.core.methods.parts.nothing import MEMORY, Nothing, remember


@jit
def step(system: System, t: float, h: float, x: State, memory: Nothing) -> Stepped[Nothing]:
    x1, work = raw_step(system, t, h, x)  # (1)
    return x1, memory, work, 4, 0, False


KERNELS = {"rk4_raw": Kernels(body=BodyKernel("rk4_raw", step, remember, MEMORY))}
