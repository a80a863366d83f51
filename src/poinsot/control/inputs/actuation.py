"""The input matrix of actuators, and what they can and cannot reach."""

from typing import Any, NamedTuple

import numpy as np

from poinsot.control.laws.least_constraint import RANK
from poinsot.model.checks import Array
from poinsot.model.controller import Inputs, actuators, hold_forces
from poinsot.model.inputs.feedback import input_matrix as matrix_of
from poinsot.model.inputs.input import Input
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_problem
from poinsot.model.state import State


class Actuation(NamedTuple):
    """What the inputs of a mechanism reach at a state.

    Attributes
    ----------
    kind : {"full", "over", "under"}
        "full": as many independent inputs as velocities; "over": more inputs than needed; "under": fewer.
    rank : int
        Number of independent inputs.
    condition : float
        Largest over smallest of the `rank` singular values of the input matrix.
    directions : ndarray, shape (nv, nv - rank)
        Orthonormal directions that no input reaches: B_perp.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=1.0), ps.Prismatic((1, 0, 0)))
    >>> ps.control.actuation(m, m.state(), ["cart"]).kind
    'full'
    """

    kind: str
    rank: int
    condition: float
    directions: Array


def _checked(m: Mechanism, state: State, inputs: Inputs) -> tuple[Input, ...]:
    check_problem(m, state)
    found = actuators(inputs, "inputs")
    hold_forces(m, found)
    return found


def input_matrix(m: Mechanism, state: State, inputs: Inputs) -> Array:
    """Return the input matrix B: the inputs u act as the joint forces B u.

    Parameters
    ----------
    m : Mechanism
        The mechanism.
    state : State
        The state.
    inputs : iterable of str, Actuator, Thrust, TiltRotor, ReactionWheel or WrenchInput
        Joints by name, or inputs, as of a `Controller`.

    Returns
    -------
    ndarray, shape (nv, nu)
        Input matrix, its rows in the order of `state.v`.

    Raises
    ------
    ModelError
        If a body or a joint is unknown, or a component is driven twice.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("drone", ps.Box(1.0).body(mass=1.0), ps.Free())
    >>> ps.control.input_matrix(m, m.state(), [ps.Thrust("drone", at=(0.2, 0, 0), axis=(0, 0, 1))]).T + 0.0
    array([[ 0. , -0.2,  0. ,  0. ,  0. ,  1. ]])
    """
    return matrix_of(m, _checked(m, state, inputs), state.q)


def actuation(m: Mechanism, state: State, inputs: Inputs) -> Actuation:
    """Return whether the inputs reach all velocities: full, over- or underactuation.

    Parameters
    ----------
    m : Mechanism
        The mechanism.
    state : State
        The state.
    inputs : iterable of str, Actuator, Thrust, TiltRotor, ReactionWheel or WrenchInput
        Joints by name, or inputs, as of a `Controller`.

    Returns
    -------
    Actuation
        Kind, rank, condition and the directions that no input reaches.

    Raises
    ------
    ModelError
        If a body or a joint is unknown, or a component is driven twice.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("drone", ps.Box(1.0).body(mass=1.0), ps.Free())
    >>> ps.control.actuation(m, m.state(), [ps.Thrust("drone", at=(0, 0, 0), axis=(0, 0, 1))]).rank
    1
    """
    B: Any = input_matrix(m, state, inputs)
    U, s, _ = np.linalg.svd(B)
    rank = int((s > RANK * max(s[0], 1e-300)).sum())
    n, k = B.shape
    kind = "under" if rank < n else "full" if k == n else "over"
    condition = float(s[0] / s[rank - 1]) if rank else float("inf")
    return Actuation(kind, rank, condition, U[:, rank:])
