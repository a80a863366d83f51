"""Reference motions of mechanisms: at rest, in joint coordinates, of one free body."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from poinsot.control.inputs.actuation import _checked
from poinsot.control.matrices import wed3
from poinsot.control.plant import Plant
from poinsot.control.references.attitudes import Attitude
from poinsot.control.references.checked import Reference, called
from poinsot.control.references.curves import Curve, moment
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.controller import Inputs
from poinsot.model.inputs.feedback import input_matrix
from poinsot.model.joints import Free
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State


def constant(state: State) -> Reference:
    """Return the reference that stays at a state, at rest.

    Parameters
    ----------
    state : State
        The state; its velocities are ignored.

    Returns
    -------
    callable
        `reference(t)` returns (state, acceleration).

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.control.constant(ps.State(0.0, [0.5], [2.0]))(1.0)
    (State(time=1.0, q=array([0.5]), v=array([0.])), array([0.]))
    """
    if not isinstance(state, State):
        raise ModelError(f"constant: expected a State, got {show(state)}")
    q, zero = state.q, np.zeros(len(state.v))

    def reference(t: float) -> tuple[State, Array]:
        return State(t, q, zero), zero

    return reference


def joint_motion(m: Mechanism, curve: Curve) -> Reference:
    """Return a reference in joint coordinates, for joints with plain angles and displacements.

    Parameters
    ----------
    m : Mechanism
        The mechanism; its joints have as many coordinates as velocities.
    curve : callable
        Curve of all coordinates q with derivatives, such as of `rest_to_rest`.

    Returns
    -------
    callable
        `reference(t)` returns (state, acceleration).

    Raises
    ------
    ModelError
        If a joint has a quaternion.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("arm", ps.Box(1.0).body(mass=1.0), ps.Revolute((0, 1, 0)))
    >>> ps.control.joint_motion(m, ps.control.rest_to_rest([0.0], [(0.0, 2.0, [1.0])]))(1.0)[0].q
    array([0.5])
    """
    checks.mechanism("joint_motion", m)
    for link in m.links:
        if link.joint.quaternion is not None or link.joint.nq != link.joint.nv:
            kind = type(link.joint).__name__
            raise ModelError(f"joint_motion: '{link.name}' has a {kind} joint, without plain coordinates")
    _callable("joint_motion", curve)
    n = m.lengths[1]

    def reference(t: float) -> tuple[State, Array]:
        rows = checks.array("joint_motion", "the curve", curve(t), f"rows of {n} numbers", (None, n))
        return State(t, rows[0], rows[1]), np.array(rows[2])

    return reference


def _callable(who: str, value: Any) -> None:
    if not callable(value):
        raise ModelError(f"{who}: expected a function of the time, got {show(value)}")


def free_body(who: str, m: Mechanism, body: str) -> None:
    """Raise a ModelError unless the mechanism is one body of this name on a Free joint of the world frame."""
    link = checks.mechanism(who, m).link(body, who)
    plain = not link.at.any() and link.rotation[0] ** 2 == 1.0 and not link.body_at.any()
    if (
        len(m.links) != 1
        or not isinstance(link.joint, Free)
        or not plain
        or link.body_rotation[0] ** 2 != 1.0
    ):
        raise ModelError(f"{who}: '{body}' must be the only body, on a Free joint at the origin")


def free_state(t: float, r: Array, R: Array, w: Array, wd: Array) -> tuple[State, Array]:
    """Return state and acceleration of a free body from its position with derivatives, attitude and rates.

    v = R^T r',     v' = R^T r'' - w x v                                                            (1)
    """
    v = R.T @ r[1]
    q = np.concatenate([r[0], checks.quaternion("reference", "attitude", R)])
    return State(t, q, np.concatenate([w, v])), np.concatenate([wd, R.T @ r[2] - wed3(w) @ v])


def free_motion(m: Mechanism, body: str, position: Curve, attitude: Attitude | None = None) -> Reference:
    """Return a reference of one free body from a curve of its position and its attitude.

    Parameters
    ----------
    m : Mechanism
        Mechanism with this body alone, on a `Free` joint.
    body : str
        Name of the body.
    position : callable
        Curve of the origin of the body frame, (5, 3).
    attitude : callable, optional
        Attitude as of `turning` or `euler_attitude`.  Default: no rotation.

    Returns
    -------
    callable
        `reference(t)` returns (state, acceleration).

    Raises
    ------
    ModelError
        If the mechanism is not one free body.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("ship", ps.Box(1.0).body(mass=1.0), ps.Free())
    >>> state, acceleration = ps.control.free_motion(m, "ship", ps.control.circle(1.0, 0.5))(0.0)
    >>> state.v.round(6)
    array([0.      , 0.      , 0.      , 0.      , 0.      , 3.141593])
    """
    free_body("free_motion", m, body)
    _callable("free_motion", position)
    if attitude is not None:
        _callable("free_motion", attitude)
    still = np.eye(3), np.zeros(3), np.zeros(3)

    def reference(t: float) -> tuple[State, Array]:
        r = checks.array("free_motion", "the curve", position(t), "rows of 3 numbers", (None, 3))
        R, w, wd = still if attitude is None else attitude(t)
        return free_state(moment(t), r, R, w, wd)

    return reference


def infeasibility(m: Mechanism, reference: Reference, inputs: Inputs, times: Sequence[float]) -> Array:
    """Return how far a reference is from being feasible: the forces along it that no input can give.

    Parameters
    ----------
    m : Mechanism
        The mechanism.
    reference : callable
        `reference(t)` returns (state, acceleration).
    inputs : iterable of str, Actuator, Thrust, TiltRotor, ReactionWheel or WrenchInput
        The inputs.
    times : sequence of float
        Times in seconds.

    Returns
    -------
    ndarray, shape (n,)
        Length of B_perpᵀ (M dv/dt + f) at each time, in N or N m; zero for a feasible reference.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("drone", ps.Box(1.0).body(mass=1.0), ps.Free())
    >>> lift = [ps.Thrust("drone", at=(0, 0, 0), axis=(0, 0, 1))]
    >>> ps.control.infeasibility(m, ps.control.constant(m.state()), lift, [0.0, 1.0])
    array([0., 0.])
    """
    _callable("infeasibility", reference)
    plant = None
    found = []
    for t in checks.array("infeasibility", "times", times, "a list of times", (None,)).tolist():
        answer = called(reference, t)
        if not isinstance(answer, tuple | list) or len(answer) != 2:
            raise ModelError(
                f"infeasibility: the reference must return (state, acceleration), got {show(answer)}"
            )
        state, acceleration = answer
        known = _checked(m, state, inputs)
        plant = plant or Plant(m)
        a = checks.vector("infeasibility", "acceleration", acceleration, m.lengths[1])
        needed = plant.mass(state) @ a + plant.bias(state)
        B = input_matrix(m, known, state.q)
        U, s, _ = np.linalg.svd(B)
        rank = int((s > 1e-11 * max(s[0], 1e-300)).sum())
        found.append(float(np.linalg.norm(U[:, rank:].T @ needed)))
    return np.array(found)
