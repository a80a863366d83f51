"""Newton's method for three equations, iterated until every lane has converged.

    x <- x - J(x)^-1 r(x)     until |dx| <= TOL |x|                                           (1)

Convergence is quadratic: the error after a correction of TOL is its square, below rounding.  A lane
that has converged keeps its bits while others continue.
"""

from typing import Any

from poinsot.core.jit import Compiled, jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.lie.vec3 import Vec3, dot, sub
from poinsot.core.numbers.functions import some

TOL, MAX_ITERATIONS = 1e-9, 20


def newton(residual: Compiled, jacobian: Compiled) -> Compiled:
    """Make solve(x, data) -> (x, iterations, failed) from residual(x, data) and jacobian(x, data)."""

    @jit
    def solve(x: Vec3, data: Any) -> tuple[Vec3, int, bool]:
        iterations = 0
        busy = dot(x, x) >= 0.0  # every lane that is not NaN
        for _ in range(MAX_ITERATIONS):
            d = mat3.solve(jacobian(x, data), residual(x, data))
            x = vec3.where(busy, sub(x, d), x)  # (1)
            iterations += 1
            busy = busy & (dot(d, d) > TOL * TOL * dot(x, x))
            if not some(busy):
                break
        return x, iterations, busy

    return solve
