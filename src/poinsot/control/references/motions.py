"""A reference at a time, checked.

Reference motions of mechanisms: at rest, in joint coordinates, of one free body.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from poinsot.control.actuators import _checked
from poinsot.control.plant import Plant
from poinsot.control.references.curves import Attitude, Curve, moment
from poinsot.errors import ModelError, PoinsotError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.controller import Inputs
from poinsot.model.inputs.feedback import input_matrix
from poinsot.model.joints import Free
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_state
from poinsot.model.rotations import hat
from poinsot.model.state import State

Reference = Callable[[float], Any]
CENTERED = 1e-10  # distance of the centre of mass from the origin, relative to the radius of gyration


def called(reference: Reference, t: float) -> Any:
    """Return what a reference gives at a time; an exception becomes a ModelError."""
    try:
        return reference(t)
    except PoinsotError:
        raise
    except Exception as error:
        raise ModelError(f"reference at t = {t:g}: it {checks.error_line(error)}") from None


def reference_at(mechanism: Mechanism, reference: Reference, t: float) -> tuple[State, Array]:
    """Return state and acceleration of a reference; raise a ModelError if they do not fit the mechanism."""
    who, answer = f"reference at t = {t:g}", called(reference, t)
    if not isinstance(answer, tuple | list) or len(answer) != 2 or not isinstance(answer[0], State):
        raise ModelError(f"{who}: it must return (state, acceleration), got {show(answer)}")
    try:
        check_state(mechanism, answer[0])
    except ModelError as error:
        raise ModelError(f"{who}: {error}") from None
    return answer[0], np.array(checks.vector(who, "acceleration", answer[1], mechanism.lengths[1]))


def constant(state: State) -> Reference:
    """Return the reference that stays at a state, at rest.

    The velocities of the state are ignored.

    >>> ps.control.references.constant(ps.State(0.0, [0.5], [2.0]))(1.0)
    (State(time=1.0, q=array([0.5]), v=array([0.])), array([0.]))
    """
    if not isinstance(state, State):
        raise ModelError(f"constant: expected a State, got {show(state)}")
    q, zero = state.q, np.zeros(len(state.v))

    def reference(t: float) -> tuple[State, Array]:
        return State(t, q, zero), zero

    return reference


def joint_motion(mechanism: Mechanism, curve: Curve) -> Reference:
    """Return a reference in joint coordinates, for joints with plain angles and displacements.

    `mechanism`: the mechanism; its joints have as many coordinates as velocities; `curve`: curve of all
    coordinates q with derivatives, such as of `rest_to_rest`.

    >>> m = ps.Mechanism().add("arm", ps.Box(1.0).body(mass=1.0), ps.Revolute((0, 1, 0)))
    >>> angle = ps.control.references.rest_to_rest([0.0], [(0.0, 2.0, [1.0])])
    >>> ps.control.references.joint_motion(m, angle)(1.0)[0].q
    array([0.5])
    """
    checks.mechanism("joint_motion", mechanism)
    for link in mechanism.links:
        if link.joint.quaternion is not None or link.joint.nq != link.joint.nv:
            kind = type(link.joint).__name__
            raise ModelError(f"joint_motion: '{link.name}' has a {kind} joint, without plain coordinates")
    _callable("joint_motion", curve)
    n = mechanism.lengths[1]

    def reference(t: float) -> tuple[State, Array]:
        rows = checks.array("joint_motion", "the curve", curve(t), f"rows of {n} numbers", (None, n))
        return State(t, rows[0], rows[1]), np.array(rows[2])

    return reference


def _callable(who: str, value: Any) -> None:
    if not callable(value):
        raise ModelError(f"{who}: expected a function of the time, got {show(value)}")


def free_body(who: str, mechanism: Mechanism, body: str) -> None:
    """Raise a ModelError unless the mechanism is one body of this name on a Free joint of the world frame."""
    link = checks.mechanism(who, mechanism).link(body, who)
    plain = not link.at.any() and link.rotation[0] ** 2 == 1.0 and not link.body_at.any()
    if (
        len(mechanism.links) != 1
        or not isinstance(link.joint, Free)
        or not plain
        or link.body_rotation[0] ** 2 != 1.0
    ):
        raise ModelError(f"{who}: '{body}' must be the only body, on a Free joint at the origin")


def centered_size(who: str, mechanism: Mechanism) -> float:
    """Return the radius of gyration of a free body; raise a ModelError unless its origin is its centre."""
    body = mechanism.links[0].body
    size = float(np.sqrt(np.trace(body.inertia) / body.mass))
    if np.abs(body.center_of_mass).max() > CENTERED * size:
        name = mechanism.links[0].name
        raise ModelError(f"{who}: '{name}' must have its centre of mass at the origin of its frame")
    return size


def free_state(t: float, r: Array, R: Array, w: Array, wd: Array) -> tuple[State, Array]:
    """Return state and acceleration of a free body from its position with derivatives, attitude and rates.

    v = R^T r',     v' = R^T r'' - w x v                                                            (1)
    """
    v = R.T @ r[1]
    q = np.concatenate([r[0], checks.quaternion("reference", "attitude", R)])
    return State(t, q, np.concatenate([w, v])), np.concatenate([wd, R.T @ r[2] - hat(w) @ v])


def free_motion(
    mechanism: Mechanism, body: str, position: Curve, attitude: Attitude | None = None
) -> Reference:
    """Return a reference of one free body from a curve of its position and its attitude.

    `mechanism`: mechanism with this body alone, on a `Free` joint; `body`: name of the body; `position`:
    curve of the origin of the body frame, (5, 3); `attitude`: attitude as of `turning` or `euler_attitude`
    (default: no rotation).

    >>> m = ps.Mechanism().add("ship", ps.Box(1.0).body(mass=1.0), ps.Free())
    >>> circle = ps.control.references.circle(1.0, 0.5)
    >>> state, acceleration = ps.control.references.free_motion(m, "ship", circle)(0.0)
    >>> state.v.round(6)
    array([0.      , 0.      , 0.      , 0.      , 0.      , 3.141593])
    """
    free_body("free_motion", mechanism, body)
    _callable("free_motion", position)
    if attitude is not None:
        _callable("free_motion", attitude)
    still = np.eye(3), np.zeros(3), np.zeros(3)

    def reference(t: float) -> tuple[State, Array]:
        r = checks.array("free_motion", "the curve", position(t), "rows of 3 numbers", (None, 3))
        R, w, wd = still if attitude is None else attitude(t)
        return free_state(moment(t), r, R, w, wd)

    return reference


def infeasibility(
    mechanism: Mechanism, reference: Reference, inputs: Inputs, times: Sequence[float]
) -> Array:
    """Return how far a reference is from being feasible: the forces along it that no input can give.

    `reference`: `reference(t)` returns (state, acceleration); `inputs`: the inputs; `times`: times [s].

    >>> m = ps.Mechanism().add("drone", ps.Box(1.0).body(mass=1.0), ps.Free())
    >>> lift = [ps.Thrust("drone", at=(0, 0, 0), axis=(0, 0, 1))]
    >>> ps.control.references.infeasibility(m, ps.control.references.constant(m.state()), lift, [0.0, 1.0])
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
        known = _checked(mechanism, state, inputs)
        plant = plant or Plant(mechanism)
        a = checks.vector("infeasibility", "acceleration", acceleration, mechanism.lengths[1])
        needed = plant.mass(state) @ a + plant.bias(state)
        B = input_matrix(mechanism, known, state.q)
        U, s, _ = np.linalg.svd(B)
        rank = int((s > 1e-11 * max(s[0], 1e-300)).sum())
        found.append(float(np.linalg.norm(U[:, rank:].T @ needed)))
    return np.array(found)
