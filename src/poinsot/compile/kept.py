"""What was compiled of a mechanism, kept until the mechanism changes.

A mechanism is a list of parts, and the parts never change: links, forces and loops are records that are
replaced, not written to.  So what was compiled is valid as long as the lists hold the same objects (and
gravity is the same array) and the user's functions compute the same (`model.identity`).  Copies share what
was compiled with the mechanism that they are copies of.
"""

from collections.abc import Sequence
from typing import Any

from poinsot.compile.one_body import OneBody
from poinsot.compile.tree import Tree
from poinsot.model.controller import CONTROLLED
from poinsot.model.forces.applied import Applied
from poinsot.model.forces.drive import Drive
from poinsot.model.forces.joint import JointTorque
from poinsot.model.identity import source_digest
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_parts


class Kept:
    """The compiled forms of one state of a mechanism."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.links, self.forces, self.loops = mechanism.links[:], mechanism.forces[:], mechanism.loops[:]
        self.gravity, self.missing = mechanism.gravity, mechanism.missing
        self.mechanism = mechanism.snapshot()  # which does not follow later changes
        self.mechanism._kept = self
        self.functions = [force.function for force in self.forces if isinstance(force, Applied | JointTorque)]
        drives = [force for force in self.forces if isinstance(force, Drive)]
        self.functions += [function for drive in drives for function in drive.functions]
        self.digests = [source_digest(function) for function in self.functions]
        self.controlled = any(isinstance(force, CONTROLLED) for force in self.forces)
        self.trees: dict[Any, Tree] = {}
        self.others: dict[frozenset[str], Mechanism] = {}  # with some of the loops open
        self.body: OneBody | None = None
        self.plain: Kept | None = None  # what is kept of the mechanism without its controller
        self.bound: Any = None  # the mechanics of this mechanism (`mechanics.dynamics.bound`)

    def fits(self, mechanism: Mechanism) -> bool:
        """Return whether the mechanism is still what was compiled."""
        return (
            mechanism.links == self.links  # compares objects, not their contents
            and mechanism.forces == self.forces
            and mechanism.loops == self.loops
            and mechanism.gravity is self.gravity
            and mechanism.missing == self.missing
            and (not self.functions or [source_digest(one) for one in self.functions] == self.digests)
        )

    def tree(self, welded: bool = True, joints: Sequence[str] | None = None) -> Tree:
        """Return the mechanism as a tree of the core; the arguments are those of `Tree`.

        Nobody may write to it.  A controller writes what it holds into the tree that it drives, so that trees
        with the force of a controller are compiled anew each time.
        """
        check_parts(self.mechanism)
        if self.controlled:
            return Tree(self.mechanism, welded, joints)
        key = welded, None if joints is None else tuple(joints)
        if key not in self.trees:
            self.trees[key] = Tree(self.mechanism, welded, joints)
        return self.trees[key]

    def bodies(self) -> Tree:
        """Return the tree of all bodies without forces and loops: its kinematics, energies and momenta.

        It is there also for a mechanism that lacks forces which its file could not store.
        """
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

    def opened(self, loops: frozenset[str]) -> Mechanism:
        """Return the mechanism without these loops, and with what is compiled of it."""
        if not loops:
            return self.mechanism
        if loops not in self.others:
            other = self.mechanism.snapshot()
            other.loops = [loop for loop in other.loops if loop.name not in loops]
            kept(other)
            self.others[loops] = other
        return self.others[loops]

    def one_body(self) -> OneBody:
        """Return the mechanism as one body of the core."""
        check_parts(self.mechanism)
        if self.body is None:
            self.body = OneBody(self.mechanism)
        return self.body


def kept(mechanism: Mechanism) -> Kept:
    """Return what is kept of a mechanism."""
    known: Kept | None = mechanism._kept
    if known is None or not known.fits(mechanism):
        mechanism._kept = known = Kept(mechanism)
    return known
