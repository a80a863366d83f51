"""Loops that events release and latch: the systems of a run, one for each set of open loops.

All of them have the same bodies and joints, so that a state of one is a state of the others.
"""

import json

from poinsot.compile.kept import kept
from poinsot.compile.system import CompiledMechanism
from poinsot.core.methods.method import Method
from poinsot.model.event import open_at_start
from poinsot.model.loop_history import NONE_OPEN, Open
from poinsot.model.state import State
from poinsot.simulation.engine import Engine, resumes
from poinsot.simulation.options import Plan


class LoopSwitches:
    """The systems of a plan with a method: `at(start)` is the one on which a run begins."""

    def __init__(self, plan: Plan, system: CompiledMechanism, method: Method) -> None:
        self.plan, self.method = plan, method
        self.systems: dict[Open, CompiledMechanism] = {NONE_OPEN: system}  # the first: all loops are closed
        released, latched = (
            [name for event in plan.events for name in getattr(event, what) or ()]
            for what in ("release", "latch")
        )
        self.names = {*released, *latched}
        self.first = open_at_start(released, latched) if self.names else NONE_OPEN

    def system(self, open: Open) -> CompiledMechanism:
        """Return the system with some loops open."""
        if open not in self.systems:
            joints = self.method.tree.joints if self.method.tree is not None else None
            self.systems[open] = kept(kept(self.plan.mechanism).opened(open)).tree(joints=joints)
        return self.systems[open]

    def open_at(self, start: State) -> Open:
        """Return the loops that are open at a start: those in its memory, or those of a new run."""
        if not self.names or start.memory is None:
            return self.first
        try:
            found = frozenset(map(str, json.loads(start.memory.sides)["open"]))
        except (ValueError, TypeError, KeyError):
            return self.first
        fits = found <= self.names and resumes(self.system(found), self.method, self.plan.step, start)
        return found if fits else self.first

    def at(self, start: State) -> CompiledMechanism:
        """Return the system at a start."""
        return self.system(self.open_at(start))

    def engine(self, start: State) -> Engine[CompiledMechanism]:
        """Return the engine at a start."""
        open = self.open_at(start)
        engine = Engine(self.system(open), self.method, self.plan.step, start)
        engine.open, engine.fingerprint = open, self.systems[NONE_OPEN].fingerprint
        return engine
