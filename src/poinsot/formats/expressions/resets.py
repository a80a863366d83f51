"""Resets of events as data: what an event sets, each by an expression of the state before it.

    {"ball.speed": "-0.8 * ball.speed", "cart.v[0]": "cart.v[0] / 2", "ball.velocity[2]": "-ball.velocity[2]"}

Coordinates and velocities of joints are set as they are.  A body on a Free joint of the world has a position
p and a velocity u of its centre of mass in space and an angular velocity w in its axes; with R its attitude,
c its centre of mass and A the rotation of the joint frame,

    x += A^T dp,        v += R^T du - dw x c,        w += dw                                         (1)

change one of them and leave the others as they are.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from poinsot.elementary.linear import product
from poinsot.formats.expressions.of_state import (
    Bodies,
    StateExpressionError,
    joint_place,
    state_function,
    unknown_hint,
)
from poinsot.model.checks import Array, suggestion
from poinsot.model.forces.force import WORLD
from poinsot.model.joints import Free
from poinsot.model.link import Link
from poinsot.model.mechanism import Mechanism
from poinsot.model.rotations import apply, compose, inverse, matrix
from poinsot.model.state import State

TARGET = re.compile(r"\s*([A-Za-z_]\w*)\s*\.\s*([A-Za-z_]\w*)\s*(?:\[\s*(\d{1,3})\s*\])?\s*")
OF_FREE = ("position", "velocity", "angular_velocity")
Put = Callable[[Array, Array, State, float], None]  # changes q and v; the state before, and the new value


class ResetError(StateExpressionError):
    """What is wrong with a reset: in which entry, and whether in what it sets or in its expression."""

    def __init__(self, who: str, reason: str, at: int, target: str, in_target: bool) -> None:
        super().__init__(who, reason, at)
        self.target, self.in_target = target, in_target


def reset_function(
    reset: Mapping[str, Any], bodies: Bodies, who: str, parameters: Mapping[str, float] | None = None
) -> Callable[[State], State]:
    """Return the function of a reset given as data; a ResetError says what is wrong with it."""
    puts, values, places = [], [], dict[object, str]()
    for target, text in reset.items():
        put, place = _target(target, bodies, who)
        if place in places:
            raise ResetError(
                f"{who}: reset", f"'{places[place]}' and '{target}' are the same", 0, target, True
            )
        places[place] = target
        try:
            function = state_function(text, bodies, f"{who}: reset of '{target}'", parameters)
        except StateExpressionError as error:
            owner = str(error).removesuffix(f": {error.reason}")
            raise ResetError(owner, error.reason, error.at, target, False) from None
        puts.append(put)
        values.append(function)

    def evaluate(state: State) -> State:
        new = [function(state.time, state) for function in values]
        q, v = state.q.copy(), state.v.copy()
        for put, x in zip(puts, new, strict=True):
            put(q, v, state, x)
        return State(state.time, q, v)

    evaluate.words = {word for function in values for word in function.words}  # type: ignore[attr-defined]
    evaluate.identity = repr(  # type: ignore[attr-defined] # for archives
        [(target, function.identity) for target, function in zip(reset, values, strict=True)]  # type: ignore[attr-defined]
    )
    return evaluate


def _target(target: str, bodies: Bodies, who: str) -> tuple[Put, object]:
    """Return what puts a value into a state, and the place where it does."""
    mechanism = bodies.mechanism

    def wrong(reason: str) -> ResetError:
        return ResetError(f"{who}: reset", reason, 0, target, True)

    match = TARGET.fullmatch(target)
    if match is None:
        raise wrong(f"'{target}' cannot be set: write body.quantity or body.quantity[i]")
    body, quantity, index = match.groups()
    if body not in mechanism.names:
        raise wrong(f"unknown body '{body}'{suggestion(body, mechanism.names)}")
    link = mechanism.link(body)
    found = joint_place(mechanism, body, quantity)
    free = isinstance(link.joint, Free) and link.parent == WORLD
    if quantity in OF_FREE and free:
        found = quantity, slice(0, 3)
    elif quantity in OF_FREE and not (quantity == "angular_velocity" and found is not None):
        raise wrong(
            f"'{body}.{quantity}' cannot be set, because '{body}' is not on a Free joint of the world: "
            f"set {_settable(link)}"
        )
    if found is None:
        hint = unknown_hint(mechanism, body, quantity, OF_FREE if free else ())
        why = "a rotation cannot be set by parts" if quantity == "rotation" else f"unknown{hint}"
        raise wrong(f"'{body}.{quantity}': {why}")
    which, place = found
    n = place.stop - place.start
    if index is None and (n > 1 or quantity in ("q", "v")):
        raise wrong(f"'{body}.{quantity}' is a vector: set {body}.{quantity}[0]")
    if index is not None and n == 1 and quantity not in ("q", "v"):
        raise wrong(f"'{body}.{quantity}' is a number: set {body}.{quantity}")
    i = int(index or 0)
    if i >= n:
        raise wrong(f"'{body}.{quantity}' has indices from 0 to {n - 1}, got {i}")
    if quantity in OF_FREE and free:
        return _of_free(mechanism, link, quantity, i, bodies), (body, quantity, i)
    return _of_joint(which, place.start + i), (which, place.start + i)


def _settable(link: Link) -> str:
    """Return what can be set of a joint, in words."""
    names = link.joint.tangents(link.joint.velocities)
    return f"its velocities {', '.join(f'{link.name}.{name}' for name in names) or '(there are none)'}"


def _of_joint(which: str, place: int) -> Put:
    def put(q: Array, v: Array, before: State, value: float) -> None:
        (q if which == "q" else v)[place] = value

    return put


def _of_free(mechanism: Mechanism, link: Link, quantity: str, i: int, bodies: Bodies) -> Put:
    """Return what sets a component of the motion of a free body by (1)."""
    at, along = mechanism.slices(link.name)
    c = link.body.center_of_mass

    def put(q: Array, v: Array, before: State, value: float) -> None:
        change = np.zeros(3)
        change[i] = value - bodies.get(link.name, quantity, before)[i]
        if quantity == "position":
            q[at][:3] += apply(inverse(link.rotation), change)
        elif quantity == "velocity":
            R = matrix(compose(link.rotation, before.q[at][3:]))
            v[along][3:] += product(R.T, change)
        else:
            v[along][:3] += change
            v[along][3:] -= np.cross(change, c)

    return put
