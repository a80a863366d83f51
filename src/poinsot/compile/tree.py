"""From any mechanism to the numbers of the core's trees.

Welded bodies become one link.  A joint with axes becomes the canonical one of the core (z, or z and x) by
turning the frames on both sides of it: the coordinates q and v are those of the user, number by number.

    joint frame in the link of the parent:   R_p R(rotation) Q,   r_p + R_p at                  (1)
    body frame in its own link:              Q^T R(body_rotation),   Q^T body_at                (2)

R_p, r_p place the parent's body frame in its link, Q has the axes of the joint as columns.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numba import float64
from numpy.typing import NDArray

from poinsot.compile.functions import checks as function_checks
from poinsot.compile.functions import tree as tree_functions
from poinsot.compile.loop_rows import link_inertias, weight
from poinsot.compile.time_loop import TimeLoop
from poinsot.core.jit import digest
from poinsot.core.methods.method import Method
from poinsot.core.numbers.flat import flat
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.dynamics.kinematics import WRENCH
from poinsot.core.tree.field import ALL, field
from poinsot.core.tree.forces import hold as held
from poinsot.core.tree.forces import table as forces
from poinsot.core.tree.joints import table
from poinsot.core.tree.kernel import Shape
from poinsot.core.tree.records import pack
from poinsot.core.tree.workspace import SIZE
from poinsot.errors import ModelError
from poinsot.mechanics import pivots
from poinsot.mechanics.loop_constraints import Closure
from poinsot.model.checks import Array
from poinsot.model.controller import Held
from poinsot.model.forces.applied import Force, Impulse
from poinsot.model.forces.elements import Element, JointSeat, Places, Seat
from poinsot.model.identity import source_digest
from poinsot.model.kinematics import motions
from poinsot.model.mechanism import WORLD, Mechanism
from poinsot.model.rotations import matrix
from poinsot.model.state import State
from poinsot.model.state_checks import check_parts, check_state

UPPER = np.triu_indices(3)


@dataclass(frozen=True, eq=False)
class Tree:
    """A mechanism, ready for the core."""

    mechanism: Mechanism
    places: Places
    ints: NDArray[np.int32]
    floats: Array

    @property
    def width(self) -> int:
        """Numbers of a state: q and v."""
        return sum(self.mechanism.lengths)

    @property
    def shape(self) -> Shape:
        return Shape(*self.mechanism.lengths, int(self.ints[0]), int(self.closures[0][0]))

    @property
    def impulses(self) -> list[Impulse]:
        return [force for force in self.mechanism.forces if isinstance(force, Impulse)]

    @property
    def forces(self) -> list[Force]:
        """All that act for some time."""
        return [force for force in self.mechanism.forces if not isinstance(force, Impulse)]

    @property
    def workers(self) -> list[Force]:
        """Forces without a potential."""
        return [force for force in self.forces if not force.conservative]

    @property
    def torque_free(self) -> bool:
        return False

    @cached_property
    def _groups(self) -> list[list[tree_functions.UserForce]]:
        return tree_functions.grouped(self.mechanism)

    @cached_property
    def loads(self) -> tuple[NDArray[np.int32], Array]:
        """Elements and rows of the user's functions: `seats` and `data` of the core."""
        elements: list[Element] = []
        for force in self.forces:
            if hasattr(force, "elements"):
                elements += force.elements(self.places)
        lengths = np.cumsum([0, *(len(element.numbers) for element in elements)]).tolist()
        seats = [int(bool(self.forces)), len(elements)]
        for element, offset in zip(elements, lengths, strict=False):
            seats += [element.kind, element.a, element.b, offset]
        numbers = [x for element in elements for x in element.numbers]
        rows, more = tree_functions.rows(
            self._groups, self.mechanism, self.places, len(seats), len(numbers)
        )  # fmt: skip
        return np.array(seats + rows, dtype=np.int32), np.array([*numbers, *more, 0.0])

    @cached_property
    def _held(self) -> list[int]:
        """Places in `data` of what controllers hold, in order."""
        seats, count = self.loads[0], int(self.loads[0][1])
        rows = seats[forces.HEAD : forces.HEAD + forces.SEATS * count].reshape(-1, forces.SEATS)
        return [int(row[3]) for row in rows if row[0] == forces.HELD]

    def hold(self, u: Array, tangents: Array | None = None) -> None:
        """Set the held joint forces (nu,), and their tangents (nu, 4) for dual numbers."""
        data = self.loads[1]
        for i, place in enumerate(self._held):
            data[place] = u[i]
            data[place + 1 : place + held.NUMBERS] = 0.0 if tangents is None else tangents[i]

    @cached_property
    def closures(self) -> tuple[NDArray[np.int32], Array]:
        """Rows that close loops, in the order of `m.close`: `rows` and `marks` of the core."""
        found = [(loop, row) for loop in self.mechanism.loops for row in loop.rows(self.places)]
        numbers, inertias = [len(found)], link_inertias(self.ints, self.floats)
        weights: list[float] = []
        marks: list[float] = []
        for loop, row in found:
            links = [self.places.bodies[body].link for body in (loop.a, loop.b)]
            weights.append(weight(row, [inertias[link] for link in links]))
            numbers += [row.kind, *links, len(found) + len(marks)]
            marks += row.numbers
        return np.array(numbers, dtype=np.int32), np.array([*weights, *marks, 0.0])

    @cached_property
    def loop_rows(self) -> dict[str, slice]:
        """Where each loop has its rows."""
        counts = [len(loop.rows(self.places)) for loop in self.mechanism.loops]
        ends = np.cumsum([0, *counts]).tolist()
        return {loop.name: slice(*x) for loop, x in zip(self.mechanism.loops, pairwise(ends), strict=True)}

    def loop_of(self, rows: Array) -> str:
        """The name of the loop with the largest of these numbers, one a row."""
        worst = int(np.argmax(np.abs(rows)))
        return next(name for name, where in self.loop_rows.items() if worst < where.stop)

    def functions(self, number: Any) -> tuple[Any, Any]:
        """The forces and the user's functions for a number type."""
        user = tree_functions.compiled(self._groups, self.mechanism, number)
        force = forces.forces(number) if self.forces else forces.no_forces(number)
        return force, user

    def loop(self, method: Method, number: Any = float64) -> "TimeLoop":
        """The compiled time loop for a number type."""
        return TimeLoop(self, method.tree, number)

    def to_core(self, q: Array, v: Array) -> Array:
        return np.concatenate([q, v])

    def from_core(self, x: Array) -> tuple[Array, Array]:
        """q (n, nq) and v (n, nv) of n states of the core."""
        nq = self.mechanism.lengths[0]
        return x[:, :nq].copy(), x[:, nq : self.width].copy()

    def accelerations(self, t: float, q: Array, v: Array) -> Array:
        """v. under gravity and all forces."""
        f = np.zeros(self.width + 1)
        y = np.concatenate([q, v, [0.0]])
        arrays = (self.ints, self.floats, *self.loads, self.workspace(float64))
        field(float64)(ALL, t, y, f, *self.functions(float64), *arrays)
        return f[len(q) : -1]

    def respond(self, q: Array, v: Array, tau: Array, wrenches: Array, gravity: bool) -> Array:
        """v. under joint forces and wrenches on the links (n + 1, 6), without any other force."""
        floats = self.floats.copy()
        if not gravity:
            floats[:3] = 0.0
        f, y = np.zeros(self.width + 1), np.concatenate([q, v, [0.0]])
        seats, data = np.array([1, 0], dtype=np.int32), np.concatenate([tau, wrenches.ravel()])
        functions = forces.given_forces(float64), forces.no_functions(float64)
        field(float64)(ALL, 0.0, y, f, *functions, self.ints, floats, seats, data, self.workspace(float64))
        return f[len(q) : -1]

    def workspace(self, number: Any) -> Array:
        return np.zeros((self.ints[0] + 1) * SIZE * DOUBLES[number])

    def wrenches(self, workspace: Array) -> Array:
        """(n + 1, 6): on the links, as forces have left them in the workspace of float64."""
        n = int(self.ints[0]) + 1
        return workspace[-len(flat(WRENCH)) * n :].reshape(n, -1)

    def kick(self, impulse: Impulse, x: Array) -> Array:
        """The state after an impulse at a centre of mass: v + M^-1 J^T (impulse), loops kept closed."""
        nq = self.mechanism.lengths[0]
        q, v = x[:nq], x[nq:]
        seat = self.places.bodies[impulse.body]
        if seat.link == 0:
            return x.copy()
        R = motions(self.mechanism, q[None], v[None])[impulse.body].rotation[0]
        to_body = np.eye(3) if impulse.frame == "body" else R.T
        torque, push = (seat.R @ to_body @ y for y in (impulse.torque, impulse.force))
        c = seat.r + seat.R @ self.mechanism.link(impulse.body).body.center_of_mass
        wrenches = np.zeros((self.ints[0] + 1, 6))
        wrenches[seat.link] = np.concatenate([torque + np.cross(c, push), push])
        v = v + self.respond(q, 0 * v, 0 * v, wrenches, gravity=False)
        return np.concatenate([q, Closure(self, q).projected(v) if self.mechanism.loops else v])

    def check(self, state: State) -> None:
        """The state is one, joints can be accelerated, and forces give numbers."""
        check_state(self.mechanism, state)
        pivots.check(self.mechanism, state.q, state.v)
        function_checks.check(self.mechanism, state)

    @cached_property
    def fingerprint(self) -> str:
        """Changes when the physics or the kernels change."""
        seats, data = self.loads[0], self.loads[1].copy()
        data[self._held] = 0.0
        arrays = self.ints, self.floats, seats, data, *self.closures
        text = [digest().encode(), *(x.tobytes() for x in arrays)]
        text += [force.identity.encode() for force in self.forces if isinstance(force, Held)]
        for force in (force for group in self._groups for force in group):
            text.append(repr((force.label, force.switches, source_digest(force.function))).encode())
            text.append(
                repr((getattr(force, "frame", ""), getattr(force, "at", np.zeros(0)).tolist())).encode()
            )
        return hashlib.sha256(b"".join(text)).hexdigest()[:16]


def compile_tree(mechanism: Mechanism, welded: bool = True, simple: bool = False) -> Tree:
    """The tree of a mechanism, or a ModelError; `welded`: fixed bodies are part of their parents.

    `simple`: joints of several axes as chains of hinges and slides.
    """
    check_parts(mechanism)
    seats = {WORLD: Seat(0, np.eye(3), np.zeros(3))}
    joints: dict[str, JointSeat] = {}
    kinds: list[int] = []
    parents: list[int] = []
    placements: list[Array] = []
    masses: list[Array] = []
    nq = nv = 0
    for link in mechanism.links:
        parent = seats[link.parent]
        R, r = parent.R @ matrix(link.rotation), parent.r + parent.R @ link.at  # (1)
        below, turn = parent.link, R
        stages = link.joint.simple_stages if simple else link.joint.stages
        for kind, Q in stages or ([] if welded else [(table.FIXED, np.eye(3))]):
            kinds.append(kind)
            parents.append(below)
            placements.append(np.concatenate([(turn @ Q).ravel(), r]))
            masses.append(np.zeros(10))
            below, turn, r = len(kinds), Q.T, np.zeros(3)
        seats[link.name] = Seat(below, turn @ matrix(link.body_rotation), r + turn @ link.body_at)  # (2)
        joints[link.name] = JointSeat(link.joint, nq, nv)
        nq, nv = nq + link.joint.nq, nv + link.joint.nv
        if below > 0:
            masses[below - 1] = masses[below - 1] + _mass(link.body, seats[link.name])
    if not kinds:
        raise ModelError("every body of the mechanism is fixed to the world: nothing can move")
    ints, floats = pack(kinds, parents, np.array(placements), np.array(masses), mechanism.gravity)
    assert (ints[1], ints[2]) == (nq, nv), "coordinates of the core are those of the user"
    return Tree(mechanism, Places(seats, joints), ints, floats)


def _mass(body: Any, seat: Seat) -> Array:
    """(10,): m, m c, and the inertia about the origin of the link, in its axes."""
    c = seat.r + seat.R @ body.center_of_mass
    J = seat.R @ body.inertia @ seat.R.T + body.mass * (c @ c * np.eye(3) - np.outer(c, c))
    return np.concatenate([[body.mass], body.mass * c, J[UPPER]])
