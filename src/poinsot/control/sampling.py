"""Models over one period of a controller, with the input held.

exp(T [A B; 0 0]) = [A_T B_T; 0 1]            of a continuous linear model                   (1)
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ScenarioError
from poinsot.mechanics.linearization import Linearization, linearize
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.controller import Actuator, whole_steps
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State


def discretize(A: ArrayLike, B: ArrayLike, period: float) -> tuple[Array, Array]:
    """(1)."""
    from scipy.linalg import expm

    A = checks.array("discretize", "A", A, "a square matrix", (None, None))
    n = len(A)
    if A.shape != (n, n):
        raise ModelError(f"discretize: A must be a square matrix, got {A.shape[0]}x{A.shape[1]}")
    B = checks.array("discretize", "B", B, f"a matrix with {n} rows", (n, None))
    T = checks.number("discretize", "period", period, positive=True)
    m = B.shape[1]
    whole = expm(T * np.block([[A, B], [np.zeros((m, n + m))]]))  # (1)
    return whole[:n, :n].copy(), whole[:n, n:].copy()


def sampled(
    m: Mechanism,
    state: State,
    inputs: Iterable[str | Actuator],
    period: float,
    method: str,
    step: float,
    u: ArrayLike | None = None,
) -> Linearization:
    """The linear model of one period: as many steps of the method as it takes, with the inputs held."""
    h = checks.number("sampled", "step", step, positive=True)
    try:
        seconds = checks.number("sampled", "period", period, positive=True)
    except ModelError as error:
        raise ScenarioError(str(error)) from None
    return linearize(m, state, inputs, method, h, steps=whole_steps(seconds, h), u=u)
