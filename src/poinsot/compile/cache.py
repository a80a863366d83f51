"""The cache of what was compiled of a mechanism, valid until the mechanism changes.

A mechanism is a list of parts, and the parts never change: links, forces and loops are records that are
replaced, not written to.  So what was compiled is valid as long as the lists hold the same objects (and
gravity is the same array) and the user's functions compute the same (`model.identity`).  Copies share what
was compiled with the mechanism that they are copies of.
"""

import threading
from collections.abc import Sequence
from typing import Any

from poinsot.compile.one_body import OneBody
from poinsot.compile.parts import CompiledPart
from poinsot.compile.tree import Tree
from poinsot.model.controller import CONTROLLED, Controller
from poinsot.model.feedback import Feedback
from poinsot.model.forces.applied import Applied
from poinsot.model.forces.drive import Drive
from poinsot.model.forces.joint import JointTorque
from poinsot.model.identity import source_digest
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_parts


class CompiledCache:
    """The compiled forms of one state of a mechanism."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.links, self.forces, self.loops = mechanism.links[:], mechanism.forces[:], mechanism.loops[:]
        self.frames = mechanism.frames[:]
        self.gravity, self.missing = mechanism.gravity, mechanism.missing
        self.mechanism = mechanism.snapshot()  # which does not follow later changes
        self.mechanism._cache = self
        self.functions = [force.function for force in self.forces if isinstance(force, Applied | JointTorque)]
        drives = [force for force in self.forces if isinstance(force, Drive)]
        self.functions += [function for drive in drives for function in drive.functions]
        self.digests = [source_digest(function) for function in self.functions]
        self.controlled = any(isinstance(force, CONTROLLED) for force in self.forces)
        self.trees: dict[Any, Tree] = {}
        self.others: dict[frozenset[str], Mechanism] = {}  # with some of the loops open
        self.body: OneBody | None = None
        self.plain: CompiledCache | None = None  # what is kept of the mechanism without its controller
        self.last: tuple[Any, str, Mechanism] | None = None  # inputs, identity of a controller
        self.parts: dict[str, CompiledPart] = {}  # bodies and frames by name
        self.linear = threading.local()  # linear models of each thread (`mechanics.linear_model`)
        self.bound: Any = None  # the mechanics of this mechanism (`mechanics.equations.bind`)

    def fits(self, mechanism: Mechanism) -> bool:
        """Return whether the mechanism is still what was compiled."""
        return (
            mechanism.links == self.links  # compares objects, not their contents
            and mechanism.forces == self.forces
            and mechanism.loops == self.loops
            and mechanism.frames == self.frames
            and mechanism.gravity is self.gravity
            and mechanism.missing == self.missing
            and (not self.functions or [source_digest(one) for one in self.functions] == self.digests)
        )

    def tree(self, welded: bool = True, joints: Sequence[str] | None = None) -> Tree:
        """Return the mechanism as a tree of the core; the arguments are those of `Tree`.

        Nobody may write to it.  Only a tree with the forces of a controller has inputs, which belong to one
        run: each call returns another view of the same tree.
        """
        check_parts(self.mechanism)
        key = welded, None if joints is None else tuple(joints)
        if self.controlled:
            return self._controlled_tree(*key)
        if key not in self.trees:
            self.trees[key] = Tree(self.mechanism, welded, joints)
        return self.trees[key]

    def with_control(self, controller: Controller | Feedback) -> Mechanism:
        """Return a copy of the mechanism with the forces of a controller; those of the last one are kept."""
        sampled = isinstance(controller, Controller)  # forces of others belong to one run
        last, identity = self.last, controller.identity if sampled else ""
        if not sampled or last is None or last[0] is not controller.inputs or last[1] != identity:
            copy = self.mechanism.snapshot()
            copy.apply(*controller.forces(copy))
            cache_of(copy).plain = self
            last = controller.inputs, identity, copy
            self.last = last if sampled else self.last
        return last[2].snapshot()

    def _controlled_tree(self, welded: bool, joints: tuple[str, ...] | None) -> Tree:
        """Return a tree with inputs of its own; it is compiled once for all controllers with these inputs."""
        if self.plain is None:
            return Tree(self.mechanism, welded, joints)
        found = [force for force in self.forces if isinstance(force, CONTROLLED)]
        key = "controlled", welded, joints, *(force.place for force in found)
        trees = self.plain.trees
        if key not in trees:
            trees[key] = Tree(self.mechanism, welded, joints)
        return trees[key].for_run(self.mechanism)

    def bodies(self) -> Tree:
        """Return the tree of all bodies without forces and loops: its kinematics, energies and momenta.
        It is there also for a mechanism that lacks forces which its file could not store."""
        if self.plain is not None:
            return self.plain.bodies()
        moving = all(link.joint.nv for link in self.links)
        if moving and not self.missing and not self.controlled:
            return self.tree()  # there is nothing that is fixed, and forces do not matter
        if "bodies" not in self.trees:
            bare = self.mechanism.snapshot()
            bare.forces, bare.loops, bare.missing = [], [], ()
            self.trees["bodies"] = Tree(bare, welded=False)
        return self.trees["bodies"]

    def part(self, name: str) -> CompiledPart:
        """Return a body or a frame of the mechanism, which knows its motion."""
        try:
            return self.parts[name]
        except (KeyError, TypeError):
            if self.plain is not None:
                return self.plain.part(name)
            found = self.parts[name] = CompiledPart(self.mechanism, name, self.bodies())
            return found

    def with_open(self, loops: frozenset[str]) -> Mechanism:
        """Return the mechanism without these loops, and with what is compiled of it."""
        if not loops:
            return self.mechanism
        if loops not in self.others:
            other = self.mechanism.snapshot()
            other.loops = [loop for loop in other.loops if loop.name not in loops]
            known = cache_of(other)
            known.plain = None if self.plain is None else cache_of(self.plain.with_open(loops))
            self.others[loops] = other
        return self.others[loops]

    def one_body(self) -> OneBody:
        """Return the mechanism as one body of the core."""
        check_parts(self.mechanism)
        if self.body is None:
            self.body = OneBody(self.mechanism)
        return self.body


def cache_of(mechanism: Mechanism) -> CompiledCache:
    """Return what is kept of a mechanism."""
    known: CompiledCache | None = mechanism._cache
    if known is None or not known.fits(mechanism):
        mechanism._cache = known = CompiledCache(mechanism)
    return known
