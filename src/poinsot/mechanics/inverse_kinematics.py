"""Inverse kinematics: coordinates at which bodies or frames are where they should be.

Damped least squares on the manifold of the joints.  With the errors e of all targets (rotation vectors and
lengths, each divided by a scale), their Jacobian J and the joints that are not held by a limit,

    (J^T J + lam 1) x = J^T e,      q <- q exp(x),      then onto the limits                            (1)

lam falls after a step that makes e shorter, and grows after one that does not (Levenberg and Marquardt).
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from poinsot.errors import ModelError
from poinsot.lie import quaternion
from poinsot.mechanics.arguments import guard
from poinsot.mechanics.equations import bind
from poinsot.mechanics.tangent import move
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State

START, LEAST, MOST, FACTOR = 1e-3, 1e-15, 1e8, 10.0  # of lam, relative to the largest of J^T J
FLAT = 1e-6  # J^T e relative to |J| |e| below which the search ends
PATIENCE, STALLED = 20, 0.01  # it also ends if so many steps do not shorten e^2 by this part


class Kinematics(NamedTuple):
    """What `inverse_kinematics` found.

    Attributes
    ----------
    state : the state.
    error : largest error that is left: rad, or lengths relative to the size of the mechanism.
    iterations : steps that were made.
    reason : "reached", "stalled" (a minimum that is not zero, as of a target out of reach) or "iterations".
    """

    state: State
    error: float
    iterations: int
    reason: str

    @property
    def reached(self) -> bool:
        """Whether the targets are reached."""
        return self.reason == "reached"


class _Target(NamedTuple):
    name: str
    position: Array | None
    rotation: Array | None  # a quaternion


def _targets(given: Any) -> list[_Target]:
    if not isinstance(given, Mapping) or not given:
        text = '{"tool": dict(position=..., rotation=...)}'
        raise ModelError(f"inverse_kinematics: targets must be like {text}, got {show(given)}")
    found = []
    for name, what in given.items():
        who = f"inverse_kinematics: target {show(name)}"
        if not isinstance(what, Mapping) or not what or not set(what) <= {"position", "rotation"}:
            raise ModelError(f"{who} must have a position, a rotation or both, got {show(what)}")
        place = checks.vector(who, "position", what["position"]) if "position" in what else None
        turn = checks.rotation(who, "rotation", what["rotation"]) if "rotation" in what else None
        found.append(_Target(name, place, turn))
    return found


@guard
def inverse_kinematics(
    mechanism: Mechanism,
    state: State,
    targets: Mapping[str, Mapping[str, Any]],
    *,
    limits: Mapping[str, tuple[float, float]] | None = None,
    accuracy: float = 1e-10,
    iterations: int = 200,
) -> Kinematics:
    """Return a state near `state` at which bodies or frames are at their targets.

    Parameters
    ----------
    mechanism : the mechanism; its loops are not kept closed.
    state : where the search begins; velocities become zero.
    targets : for each body or frame by name its `position` in space [m], its `rotation` (a matrix or a
        quaternion), or both.
    limits : lower and upper end of the coordinate of joints with one coordinate, by body; by default those of
        the file that the mechanism is from.
    accuracy : error at which the search ends: rad, and lengths relative to the size of the mechanism.
    iterations : largest number of steps.

    >>> m = ps.Mechanism().add("arm", ps.Body(1.0, (1, 1, 1)), ps.Revolute((0, 1, 0)))
    >>> found = ps.dynamics.inverse_kinematics(
    ...     m.frame("tip", "arm", at=(1, 0, 0)), m.state(), {"tip": dict(position=(0, 0, -1))}
    ... )
    >>> found.reason, round(float(found.state.q[0]), 9)
    ('reached', 1.570796327)
    """
    wanted = _targets(targets)
    m = checks.mechanism("inverse_kinematics", mechanism)
    tolerance = checks.number("inverse_kinematics", "accuracy", accuracy, positive=True)
    most = checks.whole("inverse_kinematics", "iterations", iterations, 1)
    low, high = _ends(m, m.limits if limits is None else limits)
    length = max((float(np.abs(link.at).max()) for link in m.links), default=0.0)
    length = max([length, *(float(np.abs(f.at).max()) for f in m.frames)]) or 1.0
    now = _clip(m, State(state.time, state.q, 0 * state.v), low, high)
    e, J = _errors(m, now, wanted, length)
    lam, count, reason, mark = START, 0, "iterations", float(e @ e)
    while count < most:
        if np.abs(e).max() <= tolerance:
            break
        pull = J.T @ e
        free = _free(m, now, low, high, pull)
        if np.abs(pull[free]).max(initial=0.0) <= FLAT * np.linalg.norm(J) * np.linalg.norm(e):
            reason = "stalled"
            break
        count += 1
        x = _step(J, e, lam, free)
        trial = _clip(m, move(m, now, np.concatenate([x, 0 * x])), low, high)
        e1, J1 = _errors(m, trial, wanted, length)
        gain = 1.0 - float(e1 @ e1) / float(e @ e)
        if gain > 0:
            now, e, J, lam = trial, e1, J1, max(lam / FACTOR, LEAST)
        else:
            lam *= FACTOR
        if lam > MOST or (count % PATIENCE == 0 and float(e @ e) > (1 - STALLED) * mark):
            reason = "stalled"
            break
        mark = float(e @ e) if count % PATIENCE == 0 else mark
    error = float(np.abs(e).max())
    return Kinematics(now, error, count, "reached" if error <= tolerance else reason)


def _ends(m: Mechanism, limits: Any) -> tuple[Array, Array]:
    """Return the ends of all coordinates, by place in v."""
    if not isinstance(limits, Mapping):
        raise ModelError(f"inverse_kinematics: limits must be {{name: (lower, upper)}}, got {show(limits)}")
    low, high = np.full(m.lengths[1], -np.inf), np.full(m.lengths[1], np.inf)
    for name, ends in limits.items():
        who, joint = f"inverse_kinematics: limits of {show(name)}", m.link(name, "inverse_kinematics").joint
        if (joint.nq, joint.nv) != (1, 1):
            raise ModelError(f"{who}: the joint must have one coordinate")
        pair = checks.items(who, "limits", ends, "(lower, upper)")
        if len(pair) != 2 or not all(isinstance(x, int | float) for x in pair) or not pair[0] <= pair[1]:
            raise ModelError(f"{who}: must be (lower, upper), got {show(ends)}")
        k = m.slices(name)[1].start
        low[k], high[k] = pair
    return low, high


def _places(m: Mechanism) -> list[tuple[int, int]]:
    """Return the places in q and v of joints with one coordinate."""
    found, a, b = [], 0, 0
    for link in m.links:
        if (link.joint.nq, link.joint.nv) == (1, 1):
            found.append((a, b))
        a, b = a + link.joint.nq, b + link.joint.nv
    return found


def _clip(m: Mechanism, state: State, low: Array, high: Array) -> State:
    q = np.array(state.q)
    for a, b in _places(m):
        q[a] = min(max(q[a], low[b]), high[b])
    return State(state.time, q, state.v)


def _free(m: Mechanism, state: State, low: Array, high: Array, pull: Array) -> Array:
    """Return which velocities are not held: at an end, and pulled beyond it."""
    found = np.ones(len(low), dtype=bool)
    for a, b in _places(m):
        held = (state.q[a] <= low[b] and pull[b] < 0) or (state.q[a] >= high[b] and pull[b] > 0)
        found[b] = not held
    return found


def _errors(m: Mechanism, state: State, targets: list[_Target], length: float) -> tuple[Array, Array]:
    """Return the errors, target minus present, in space axes, and the Jacobian of what moves there."""
    d, errors, rows = bind(m), [np.zeros(0)], [np.zeros((0, m.lengths[1]))]
    for name, position, rotation in targets:
        G, J = d.pose(state.q, name), d.jacobian(state.q, name, axes="space")
        if position is not None:
            errors.append((position - G[:3, 3]) / length)
            rows.append(J[3:] / length)
        if rotation is not None:
            R = np.asarray(quaternion.matrix(rotation)) @ G[:3, :3].T
            errors.append(np.asarray(quaternion.log(checks.quaternion("target", "rotation", R))))
            rows.append(J[:3])
    return np.concatenate(errors), np.concatenate(rows)


def _step(J: Array, e: Array, lam: float, free: Array) -> Array:
    """Return x of (1)."""
    A, x = J[:, free], np.zeros(J.shape[1])
    if A.size:
        normal = A.T @ A
        size = float(np.abs(normal).max()) or 1.0
        x[free] = np.linalg.solve(normal + lam * size * np.eye(len(normal)), A.T @ e)
    return x
