"""Warnings of members: counted for all of them, and given once, with the first member."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from poinsot.compile.system import CompiledMechanism
from poinsot.core.methods.method import Method
from poinsot.diagnostics.trajectory import Trajectory
from poinsot.errors import hold_warnings, warn
from poinsot.model.checks import Array
from poinsot.model.state import State
from poinsot.simulation.messages import Watch, doubtful


class Caution(NamedTuple):
    """A kind of warning."""

    members: int  # that have it
    member: int  # the first of them
    text: str  # and what it says of that one


Held = list[tuple[str, type[Warning]]]
Cautions = dict[type[Warning], Caution]


def include(whole: Cautions, member: int, found: Held) -> None:
    """Include the warnings of a member, which counts once for each kind."""
    add(whole, {category: Caution(1, member, text) for text, category in reversed(found)})


def add(whole: Cautions, more: Cautions) -> None:
    """Add the warnings of other members."""
    for category, one in more.items():
        known = whole.get(category, one._replace(members=0))
        first = min(known, one, key=lambda caution: caution.member)
        whole[category] = first._replace(members=known.members + one.members)


def give(whole: Cautions, total: int) -> None:
    """Give each kind of warning once."""
    for category, one in whole.items():
        warn(f"{one.members} of {total} members; member {one.member}: {one.text}", category)


def look(
    systems: Sequence[CompiledMechanism], method: Method, h: float, times: tuple[float, float], q: Array,
    v: Array,
) -> list[tuple[int, Held]]:  # fmt: skip
    """Return the warnings of members with their places; q and v (2, members, ...) are their ends."""
    if len(systems) == 1:
        places = np.flatnonzero(doubtful(systems[0], method, h, q, v)).tolist()
    else:
        one = [slice(k, k + 1) for k in range(len(systems))]
        each = [doubtful(x, method, h, q[:, k], v[:, k])[0] for x, k in zip(systems, one, strict=True)]
        places = np.flatnonzero(each).tolist()
    found = []
    for k in places:
        system, zero = systems[k if len(systems) > 1 else 0], np.zeros(2)
        ends = Trajectory(system.mechanism, np.array(times), q[:, k].copy(), v[:, k].copy(), zero, zero)
        with hold_warnings() as held:
            Watch(system, method, h, State(times[0], q[0, k], v[0, k])).check_ends(ends)
        found.append((k, held))
    return found
