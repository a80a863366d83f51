"""The cache of what was compiled of a mechanism, valid until the mechanism changes.

A mechanism is a list of parts, and the parts never change: links, forces and loops are records that are
replaced, not written to.  So what was compiled is valid as long as the lists hold the same objects (and
gravity is the same array) and the user's functions compute the same (`model.identity`).  Copies share what
was compiled with the mechanism that they are copies of.
"""

import threading
from collections.abc import Sequence
from typing import Any

from poinsot.compile.functions.continuous import compile_law
from poinsot.compile.one_body import OneBody
from poinsot.compile.parts import CompiledPart
from poinsot.compile.tree import Tree
from poinsot.model.controller import Controller, hold_inputs, without_control
from poinsot.model.feedback import Feedback
from poinsot.model.forces.applied import Applied, PairForce
from poinsot.model.forces.drive import Drive
from poinsot.model.forces.joint import JointTorque
from poinsot.model.identity import source_digest
from poinsot.model.inputs.control import Control
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_parts


class CompiledCache:
    """The compiled forms of one state of a mechanism, whatever controller acts on it."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.links, self.forces, self.loops = mechanism.links[:], mechanism.forces[:], mechanism.loops[:]
        self.frames = mechanism.frames[:]
        self.gravity, self.missing = mechanism.gravity, mechanism.missing
        self.mechanism = without_control(mechanism)  # which does not follow later changes
        self.mechanism._cache = self
        given = [force for force in self.forces if isinstance(force, Applied | PairForce | JointTorque)]
        self.functions = [force.function for force in given]
        drives = [force for force in self.forces if isinstance(force, Drive)]
        self.functions += [function for drive in drives for function in drive.functions]
        self.digests = [source_digest(function) for function in self.functions]
        self.trees: dict[Any, Tree] = {}
        self.others: dict[frozenset[str], Mechanism] = {}  # with some of the loops open
        self.body: OneBody | None = None
        self.held: tuple[Any, Control] | None = None  # inputs of the last controller, and what they exert
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

        Nobody may write to it.
        """
        check_parts(self.mechanism)
        key = welded, None if joints is None else tuple(joints)
        if key not in self.trees:
            self.trees[key] = Tree(self.mechanism, welded, joints)
        return self.trees[key]

    def bodies(self) -> Tree:
        """Return the tree of all bodies without forces and loops: its kinematics, energies and momenta.
        It is there also for a mechanism that lacks forces which its file could not store."""
        if all(link.joint.nv for link in self.links) and not self.missing:
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
            found = self.parts[name] = CompiledPart(self.mechanism, name, self.bodies())
            return found

    def control(self, controller: Controller | Feedback) -> Control:
        """Return what a controller exerts on the mechanism; where the last inputs act is kept."""
        if isinstance(controller, Feedback):
            found = controller.control(self.mechanism)
            assert found.law is not None, "it is continuous"
            compile_law(found.law, self.tree())
            return found._replace(place=found.law.place)
        if self.held is None or self.held[0] is not controller.inputs:
            self.held = controller.inputs, hold_inputs(self.mechanism, controller.inputs)
        return self.held[1]._replace(identity=controller.identity)

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


def tree_for(mechanism: Mechanism, welded: bool = True, joints: Sequence[str] | None = None) -> Tree:
    """Return a mechanism as a tree of the core, compiled once; the arguments are those of `Tree`.

    With a controller, each call returns another view of the tree: its inputs belong to one run.
    """
    tree = cache_of(mechanism).tree(welded, joints)
    return tree.with_control(mechanism) if mechanism.control.forces else tree


def with_open(mechanism: Mechanism, loops: frozenset[str]) -> Mechanism:
    """Return a mechanism without these loops; what is compiled of it is kept."""
    if not loops:
        return mechanism
    others = cache_of(mechanism).others
    if loops not in others:
        others[loops] = without_control(mechanism)
        others[loops].loops = [loop for loop in mechanism.loops if loop.name not in loops]
        cache_of(others[loops])
    if not mechanism.control.forces:
        return others[loops]
    other = others[loops].snapshot()
    other.control = mechanism.control
    return other
