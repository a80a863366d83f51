"""The events of a run: when they happened, and the states there."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from poinsot.model.checks import Array
from poinsot.model.loop_history import LoopChange, LoopHistory
from poinsot.model.state import State


class Firing(NamedTuple):
    """One event: its name, the state there, and the state after its reset if it has one."""

    name: str
    before: State
    after: State | None


@dataclass(frozen=True, eq=False)
class EventRecord:
    """All events of one name in a run: `run.events[name]`.

    Parameters
    ----------
    times : Times [s], (k,).
    states : The states there; before the reset, if there is one.
    after : The states after the resets; empty if the event does not reset the state.
    release : The loops that the event opens.
    latch : The loops that the event closes.

    Examples
    --------
    >>> m = ps.Mechanism().add("arm", ps.Body(1.0, (1, 1, 1), (0, 0, -1)), ps.Revolute((0, 1, 0)))
    >>> start = m.state({"arm": {"angle": 0.5}})
    >>> run = ps.simulate(m, start, step=0.05, until=3.0, events=[ps.Event("arm.angle", name="bottom")])
    >>> len(run.events["bottom"].times), len(run.events["bottom"].after)
    (2, 0)
    """

    times: Array
    states: tuple[State, ...]
    after: tuple[State, ...]
    release: tuple[str, ...] = ()
    latch: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.times)


class Switch(NamedTuple):
    """An event of a run: its name, and the loops that it opens and closes."""

    name: str
    release: tuple[str, ...] = ()
    latch: tuple[str, ...] = ()

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Switch":
        """Return the switch of the data of an archive."""
        return cls(data["name"], *(tuple(map(str, data.get(key) or ())) for key in ("release", "latch")))

    def data(self) -> dict[str, Any]:
        """Return the data of an archive."""
        loops = {"release": list(self.release), "latch": list(self.latch)}
        return {"name": self.name, **{key: names for key, names in loops.items() if names}}


def event_records(switches: Iterable[Switch], firings: Iterable[Firing]) -> dict[str, EventRecord]:
    """Return the events of a run by name; a name whose event did not happen has an empty record."""
    known = {one.name: one for one in switches}
    groups: dict[str, list[Firing]] = {name: [] for name in known}
    for one in firings:
        groups.setdefault(one.name, []).append(one)
    found = {}
    for name, group in groups.items():
        times = np.array([one.before.time for one in group], dtype=float)
        times.setflags(write=False)
        after = tuple(one.after for one in group if one.after is not None)
        _, release, latch = known.get(name, Switch(name))
        found[name] = EventRecord(times, tuple(one.before for one in group), after, release, latch)
    return found


def loop_history(open: Iterable[str], records: Mapping[str, EventRecord]) -> LoopHistory:
    """Return which loops were open when; `open` are those at the start."""
    first = now = frozenset(open)
    changes = []
    for one in firings_of(records):
        record = records[one.name]
        if record.release or record.latch:
            now = now.union(record.release).difference(record.latch)
            changes.append(LoopChange(one.before.time, now))
    return LoopHistory(first, changes)


def firings_of(records: Mapping[str, EventRecord]) -> list[Firing]:
    """Return the events of all names in the order of time."""
    found = [
        Firing(name, state, record.after[i] if record.after else None)
        for name, record in records.items()
        for i, state in enumerate(record.states)
    ]
    return sorted(found, key=lambda one: one.before.time)


def firing_data(firings: Iterable[Firing]) -> list[list[Any]]:
    """Return events as data for an archive: name, time, q, v, and q and v after the reset."""
    return [
        [one.name, one.before.time, one.before.q.tolist(), one.before.v.tolist()]
        + ([one.after.q.tolist(), one.after.v.tolist()] if one.after is not None else [])
        for one in firings
    ]


def read_firings(data: Any, lengths: tuple[int, int]) -> list[Firing]:
    """Return the events of their data: the inverse of `firing_data`; a ValueError if it makes no sense."""
    found = []
    for name, time, q, v, *rest in data:
        states = [
            State(float(time), np.array(x, dtype=float), np.array(y, dtype=float))
            for x, y in _pairs(q, v, rest)
        ]
        if not isinstance(name, str) or any((len(one.q), len(one.v)) != lengths for one in states):
            raise ValueError("an event has the wrong number of coordinates")
        found.append(Firing(name, states[0], states[1] if len(states) > 1 else None))
    return found


def _pairs(q: Any, v: Any, rest: list[Any]) -> list[tuple[Any, Any]]:
    if len(rest) not in (0, 2):
        raise ValueError("an event is cut short")
    return [(q, v), *([(rest[0], rest[1])] if rest else [])]
