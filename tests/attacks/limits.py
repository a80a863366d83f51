"""Inputs with limits that are degenerate: equal rows, parallel rows, limits that meet in one point.

What must hold: every problem has an input that satisfies all limits (the one it was made from), so that one
is found; it satisfies them, and no other input that does is nearer.
"""

from pathlib import Path
from random import Random

import numpy as np

import poinsot as ps
from attacks.arguments import told
from attacks.attempt import Attempt, Attempts

TRIALS = 30  # other inputs that are compared


def outcome(rng: np.random.Generator) -> str:
    """Return what did not hold for one problem."""
    n, nu, rows = int(rng.integers(1, 5)), int(rng.integers(1, 4)), int(rng.integers(1, 9))
    root = rng.normal(size=(n, n))
    M_bar, B = root @ root.T + np.eye(n), rng.normal(size=(n, nu))
    f, f_bar, feasible = rng.normal(size=n), 5.0 * rng.normal(size=n), rng.normal(size=nu)
    Z = rng.integers(-1, 2, size=(rows, nu)).astype(float)
    Z = np.vstack([Z, Z[rng.integers(0, rows, size=2)], -Z[:1]])  # equal and opposite rows
    slack = rng.choice([0.0, 0.0, 1.0], size=len(Z))
    b = Z @ feasible + slack
    found = ps.control.least_constraint(np.eye(n), f, B, M_bar, f_bar, Z=Z, b=b)
    size = 1.0 + np.abs(b).max() + np.abs(found.u).max()
    if (Z @ found.u - b).max() > 1e-9 * size:
        return f"a limit is exceeded by {(Z @ found.u - b).max():.1e}"

    def distance(u: np.ndarray) -> float:
        miss = B @ u - f + np.linalg.solve(M_bar, f_bar)
        return 0.5 * float(miss @ M_bar @ miss)

    mine = distance(found.u)
    for share in rng.uniform(size=TRIALS):
        other = distance((1 - share) * found.u + share * feasible)
        if other < mine - 1e-9 * (1.0 + abs(mine)):
            return f"an input is nearer: {other:.12g} < {mine:.12g}"
    return ""


def attempts(rng: Random, folder: Path) -> Attempts:
    """Yield problems without end."""
    while True:
        seed = rng.randrange(2**32)
        try:
            failure = outcome(np.random.default_rng(seed))
        except Exception as error:
            failure = told(error)
        yield Attempt(f"problem of seed {seed}", failure)
