"""Forces in bounds that keep something from moving, as far as their bounds allow.

    w = W f + a,    lower <= f <= upper,    w = 0 inside,  w >= 0 at lower,  w <= 0 at upper          (1)

W is symmetric and positive definite, so that there is one solution.  Each number is inside or at a bound; the
first one for which this is wrong changes, until none is (least index: Murty 1974).
"""

import numpy as np

from poinsot.core.solve.dense import cholesky, least_squares, product, solve_lower, solve_upper
from poinsot.errors import ModelError
from poinsot.model.checks import Array

SLACK = 2.0**-46  # of a bound, by which a force inside may be beyond it
ROUNDING = 2.0**-48  # the same, of the largest force
ROUNDS = 1000


def _solve(W: Array, b: Array) -> Array:
    """Return W^-1 b; if W is singular to rounding, the b that is nearest."""
    try:
        L = cholesky(W)
    except np.linalg.LinAlgError:
        return least_squares(W, b)
    return solve_upper(L.T, solve_lower(L, b))


def bounded_forces(
    W: Array, a: Array, lower: Array, upper: Array, noise: Array | float = 0.0
) -> tuple[Array, list[int]]:
    """Return f of (1), and for each number -1 at the lower bound, 1 at the upper one, else 0.
    `noise` is the rounding of f that comes with a."""
    n = len(a)
    place, f, sizes = [0] * n, np.zeros(n), np.sqrt(np.abs(np.diagonal(W)))
    bounds = np.minimum(np.abs(lower), np.abs(upper))
    slack = noise + np.where(np.isfinite(bounds), SLACK * bounds, 0.0)
    for _ in range(ROUNDS):
        inside = [i for i in range(n) if place[i] == 0]
        f = np.array([0.0 if at == 0 else (lower if at < 0 else upper)[i] for i, at in enumerate(place)])
        if inside:
            rest = a[inside] + product(W[inside], f)
            f[inside] = _solve(W[np.ix_(inside, inside)], -rest)
        w = a + product(W, f)
        free = slack + ROUNDING * np.max(np.abs(f) * sizes) / np.where(sizes > 0, sizes, 1.0)
        beyond = np.where(f < lower - free, -1, np.where(f > upper + free, 1, 0))
        wrong = [i for i in range(n) if (beyond[i] if place[i] == 0 else place[i] * w[i] > 0)]
        if not wrong:
            return np.minimum(np.maximum(f, lower), upper), place
        place[wrong[0]] = 0 if place[wrong[0]] else int(beyond[wrong[0]])
    raise ModelError("the forces at stops and of friction are not unique here")
