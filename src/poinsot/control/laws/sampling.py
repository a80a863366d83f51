"""Models over one period of a controller with constant input (zero-order hold).

exp(T [A B; 0 0]) = [A_T B_T; 0 1]            of a continuous linear model                   (1)
"""

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ScenarioError
from poinsot.mechanics.linearization import Linearization, linearize
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.controller import Inputs, whole_steps
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State


def discretize(A: ArrayLike, B: ArrayLike, period: float) -> tuple[Array, Array]:
    """Return the discrete model of a continuous one with constant input over a period (1).

    Parameters
    ----------
    A : array_like, shape (n, n)
        Matrix of the states.
    B : array_like, shape (n, m)
        Matrix of the inputs.
    period : float
        Period in seconds.

    Returns
    -------
    A, B : ndarray
        Matrices of x₁ = A x + B u.

    Raises
    ------
    ModelError
        If a matrix has the wrong shape, or the period is not positive.

    Examples
    --------
    >>> import poinsot as ps
    >>> A, B = ps.control.discretize([[0, 1], [0, 0]], [[0], [1]], period=2.0)
    >>> A
    array([[1., 2.],
           [0., 1.]])
    >>> B
    array([[2.],
           [2.]])
    """
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
    inputs: Inputs,
    period: float,
    method: str,
    step: float,
    u: ArrayLike | None = None,
) -> Linearization:
    """Return the linear model of a mechanism over one period of a controller, with constant inputs.

    Parameters
    ----------
    m : Mechanism
        The mechanism, without loops.
    state : State
        State that the model is about.
    inputs : iterable of str or Actuator
        Joints by name, or actuators, as of a `Controller`.
    period : float
        Period in seconds, a whole number of steps.
    method : str
        Integration method.
    step : float
        Step of the method in seconds.
    u : array_like, shape (m,), optional
        Input at the state, in N or N m.  Default: zero.

    Returns
    -------
    Linearization
        Matrices A and B with the names of their rows and columns.

    Raises
    ------
    ModelError
        If the mechanism, the state or an input is wrong.
    ScenarioError
        If the period is not a whole number of steps, or the method cannot run the mechanism.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=2.0), ps.Prismatic((1, 0, 0)))
    >>> lin = ps.control.sampled(m, m.state(), ["cart"], period=0.2, method="rk4", step=0.1)
    >>> lin.A
    array([[1. , 0.2],
           [0. , 1. ]])
    """
    h = checks.number("sampled", "step", step, positive=True)
    try:
        seconds = checks.number("sampled", "period", period, positive=True)
    except ModelError as error:
        raise ScenarioError(str(error)) from None
    return linearize(m, state, inputs, method, h, steps=whole_steps(seconds, h), u=u)
