"""Wrenches fixed in bodies that a controller holds constant (`HoldWrench`), as a function of the core.

    wrench on the link += u w,      power = u (w . (angular velocity, velocity of the link))       (1)

Each input has a row (link, offset of its numbers, 0) and the numbers u, its four tangents, and w in the
frame of the link about its origin.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from poinsot.compile.functions.users import key_of
from poinsot.core.jit import COMPILED, foreign
from poinsot.core.lie import vec3
from poinsot.core.numbers.arrays import zero_in
from poinsot.core.numbers.rows import get3
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.dynamics.kinematics import BodyWrench
from poinsot.core.tree.forces.hold import NUMBERS, seeded
from poinsot.core.tree.forces.table import ELEMENT, HEAD, user_type
from poinsot.core.tree.records import forces_in
from poinsot.core.tree.workspace import frames_in, wrenches_in
from poinsot.model.checks import Array
from poinsot.model.forces.force import Seats
from poinsot.model.inputs.hold import HoldWrench
from poinsot.model.rotations import cross

ROW = 3


def in_link(force: HoldWrench, places: Seats) -> Array:
    """Return the wrenches (k, 6) of a force in the frame of the link of its body, about its origin."""
    seat = places.bodies[force.body]
    pushes = force.wrenches[:, 3:] @ seat.R.T
    torques = force.wrenches[:, :3] @ seat.R.T + cross(seat.r, pushes)
    return np.hstack([torques, pushes])


def rows_of(force: HoldWrench, places: Seats, offset: int) -> tuple[list[int], list[float]]:
    """Return the rows and the numbers of a force; its numbers begin at `offset`."""
    lines: list[int] = []
    numbers: list[float] = []
    for wrench in in_link(force, places).tolist():
        lines += [places.bodies[force.body].link, offset + len(numbers), 0]
        numbers += [0.0] * NUMBERS + wrench
    return lines, numbers


def holding(slot: int) -> Callable[..., Any]:
    """Return (1) for the rows of a slot."""

    def user(t, q, v, tau, model):  # type: ignore[no-untyped-def]
        o, n = zero_in(v), model.ints[0]
        ints, floats = forces_in(model)
        frame, wrench = frames_in(model.workspace, n, o), wrenches_in(model.workspace, n, o)
        place, power = HEAD + ELEMENT * ints[1] + 2 * slot, o
        first, count = ints[place], ints[place + 1]
        torque, force = (o, o, o), (o, o, o)
        for i in range(count):
            row = first + ROW * i
            link, k = ints[row], ints[row + 1]
            u = seeded(o, floats, k)
            torque = vec3.axpy(u, get3(floats, k + NUMBERS), torque)
            force = vec3.axpy(u, get3(floats, k + NUMBERS + 3), force)
            if i + 1 == count or ints[row + ROW] != link:  # the last input on this link
                F, w = frame[link], wrench[link]
                wrench[link] = BodyWrench(vec3.add(w.torque, torque), vec3.add(w.force, force))
                power = power + vec3.dot(torque, F.w) + vec3.dot(force, F.v)  # (1)
                torque, force = (o, o, o), (o, o, o)
        return power

    return user


@lru_cache(maxsize=64)
def compiled(slot: int, number: Any) -> Any:
    """Return the compiled function of a slot for a number type."""
    key = key_of("held", slot, DOUBLES[number]) if COMPILED else ""
    return foreign(holding(slot), user_type(number).signature, key)
