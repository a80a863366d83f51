"""Any mechanism as a tree of the core, with its forces and loops as packed data."""

import hashlib
from collections.abc import Callable, Sequence
from copy import copy
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numba import float64
from numpy.typing import NDArray

from poinsot.compile.forces import hold_places, pack_forces
from poinsot.compile.functions import drives, feedback, python
from poinsot.compile.functions import tree as tree_functions
from poinsot.compile.functions.tree import ROW, UserForce
from poinsot.compile.layout import layout
from poinsot.compile.loops import (
    geometric_masses,
    geometric_weights,
    link_sizes,
    loop_constraints,
    pack_loops,
)
from poinsot.compile.own_method import OwnTimeLoop
from poinsot.compile.states import States
from poinsot.compile.system import CompiledMechanism
from poinsot.compile.time_loop import LARGEST, TimeLoop
from poinsot.core.jit import pointer
from poinsot.core.kernel_cache import digest
from poinsot.core.methods.method import Method
from poinsot.core.numbers.arrays import flat
from poinsot.core.numbers.v4d import LANES, v4d
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.drives import drive_counts
from poinsot.core.tree.dynamics.kinematics import WRENCH
from poinsot.core.tree.field import field as tree_field
from poinsot.core.tree.forces import hold, table
from poinsot.core.tree.forces.table import user_type
from poinsot.core.tree.joints.joint import ARMATURE
from poinsot.core.tree.kernel import ProblemSize, TreeKernel
from poinsot.core.tree.loops.field import closed_field, workspace_size
from poinsot.core.tree.members import members_field
from poinsot.core.tree.records import FORCE_FLOATS, LOOP_INTS, Model, Packed, pack
from poinsot.core.tree.time_loop import time_loop
from poinsot.core.tree.workspace import SIZE
from poinsot.elementary.arrays import ArrayLike
from poinsot.elementary.linear import product
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.forces.applied import Applied, PairForce
from poinsot.model.forces.gravitation import Gravitation
from poinsot.model.forces.joint import JointTorque
from poinsot.model.identity import source_digest
from poinsot.model.inputs.control import NO_CONTROL
from poinsot.model.inputs.hold import Hold
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_parts
from poinsot.model.rotations import matrix
from poinsot.model.state import State, view

ROTOR = 1e-9  # smallest armature, relative to mass and inertia of the tree
SOLID = 1e-13  # smallest moment of inertia of a solid body, relative to its largest


class TreeArrays(NamedTuple):
    """A tree with the inputs of a controller at certain places; nobody may write to it."""

    ints: NDArray[np.int32]
    floats: Array
    driven: list[int]  # velocities along which inputs act
    hold_places: list[int]  # of inputs in `floats`
    functions: dict[Any, tuple[Any, Any]]  # compiled, by number type


class Tree(CompiledMechanism):
    """A mechanism as a tree of the core."""

    holds_joints = False  # True: joints may be held where they are (`compile.modes`)

    def __init__(
        self, mechanism: Mechanism, welded: bool = True, joints: Sequence[str] | None = None
    ) -> None:
        """Compile a mechanism.

        With `welded`, fixed bodies are part of their parents; `joints` are the kinds of joints of the core
        that may be used (None: all).
        """
        super().__init__(mechanism)
        at = layout(mechanism, welded, joints)
        self.places, self.placements, self.links = at.places, at.placements, len(at.kinds)
        self.groups = tree_functions.grouped(mechanism)
        self.constraints = loop_constraints(mechanism, at)
        self.layout, self.control = at, NO_CONTROL
        self.arrays = self._pack()
        self.ints, self.floats, self.driven, self.hold_places, self._functions = self.arrays
        self.nq, self.nv = int(self.ints[1]), int(self.ints[2])
        self.width = self.nq + self.nv
        self.shape = ProblemSize(self.nq, self.nv, self.links, len(self.constraints))
        self._seeded = False  # True: there are tangents of what a controller holds
        self._controlled: dict[object, TreeArrays] = {}  # by the places of inputs
        self.plain = self  # the tree without a controller

    def _pack(self) -> TreeArrays:
        at = self.layout
        forces = pack_forces(self.mechanism, self.forces, self.groups, self.places)
        arrays = at.kinds, at.parents, at.driven, at.placements, at.masses, at.parameters
        ints, floats = pack(*arrays, self.mechanism.gravity, forces, pack_loops(self.constraints))
        driven, places = hold_places(self.control, forces)
        return TreeArrays(ints, floats, driven, [int(ints[FORCE_FLOATS]) + k for k in places], {})

    def with_control(self, mechanism: Mechanism) -> "Tree":
        """Return this tree for a copy of its mechanism with a controller: its inputs or its law are its own.

        Forces of controllers come after all others; those at the same places are packed once.
        """
        found, control = copy(self), mechanism.control
        for name in ("states", "fingerprint"):
            vars(found).pop(name, None)
        found.mechanism, found.control = mechanism, control
        found.forces, found.workers = [*self.forces, *control.forces], [*self.workers, *control.forces]
        functions: list[UserForce] = [force for force in control.forces if not isinstance(force, Hold)]
        found.groups = [*self.groups, functions] if functions else self.groups
        if control.place not in self._controlled:
            self._controlled[control.place] = found._pack()
        found.arrays = arrays = self._controlled[control.place]
        found.ints, floats, found.driven, found.hold_places, found._functions = arrays
        found.floats = floats.copy()
        if control.law is not None:
            found.ints = arrays.ints.copy()
            found.ints[arrays.ints[LOOP_INTS] - ROW] = feedback.register(control.law)
            found.floats[found._law_numbers] = feedback.numbers(control.law)
        return found

    @property
    def _law_numbers(self) -> slice:
        """Where the numbers of a continuous law are in `floats`: its row is the last of the forces."""
        _, offset, count = self.ints[self.ints[LOOP_INTS] - ROW : self.ints[LOOP_INTS]].tolist()
        first = int(self.ints[FORCE_FLOATS]) + offset
        return slice(first, first + count)

    def model(self, number: Any = float64) -> Model:
        """Return the model that kernels take, with a workspace of its own."""
        more = sum(drive_counts(self.nq, self.nv)) if self.drives or self.holds_joints else 0
        if self.constraints:
            more = workspace_size(self.nq, self.nv, len(self.constraints))
        return Model(self.ints, self.floats, np.zeros(((self.links + 1) * SIZE + more) * DOUBLES[number]))

    @cached_property
    def _geometry(self) -> tuple[Packed, Array]:
        at, sizes = self.layout, link_sizes(self.layout, self.constraints)
        still = [0] * len(at.kinds)
        parameters = at.parameters.copy()
        parameters[:, ARMATURE] = 0.0
        arrays = at.kinds, at.parents, still, at.placements, geometric_masses(sizes), parameters
        nothing = pack_forces(self.mechanism, [], [], self.places)
        packed = pack(*arrays, np.zeros(3), nothing, pack_loops(self.constraints))
        return packed, geometric_weights(sizes, self.constraints)

    def geometry(self) -> tuple[Model, Array]:
        """Return the model with the masses of `geometric_masses`, and the weights of its loop constraints."""
        packed, weights = self._geometry
        return Model(*packed, np.zeros((self.links + 1) * SIZE)), weights

    def wrenches(self, model: Model) -> Array:
        """Return the wrenches (n + 1, 6) on the links that forces have left in a workspace of float64."""
        n, numbers = self.links + 1, len(flat(WRENCH))
        return np.asarray(model.workspace[(SIZE - numbers) * n : SIZE * n].reshape(n, -1))

    def functions(self, number: Any = float64) -> tuple[Any, Any]:
        """Return the forces and the user's functions for a number type."""
        if number not in self._functions:
            user = tree_functions.compiled(self.groups, self.mechanism, number)
            force = table.forces(number) if self.forces else table.no_forces(number)
            self._functions[number] = force, user
        return self._functions[number]

    def drive(self, number: Any = float64) -> Any:
        """Return the function of the driven joints for a number type (`core.tree.drives`)."""
        return drives.compiled(self.drives, self.places, number)

    def field(self, number: Any = float64) -> Any:
        """Return the vector field without loops, for a number type."""
        return drives.field(self.drive(number), number) if self.drives else tree_field(number)

    def field_with_loops(self, number: Any = float64) -> Any:
        """Return the vector field with the forces of loops and contacts, for a number type."""
        if not self.constraints:
            return self.field(number)
        closed = closed_field(number)
        return drives.field(self.drive(number), number, closed) if self.drives else closed

    def _field_or_passes(self, kernel: TreeKernel, number: Any) -> Any:
        """Return the field of the tree with its loops, or the passes of the method with its drives."""
        if kernel.passes is None:
            return self.field_with_loops(number)
        if not self.drives:
            return kernel.passes(number, self.shape.constraints > 0)
        drive = pointer(self.drive(number), user_type(number).signature)
        return kernel.passes(number, self.shape.constraints > 0)._replace(drive=drive)

    @cached_property
    def driven_coordinates(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Seats of the driven joints in q and in v, in the order of the drives."""
        seats = [self.places.joints[one.joint] for one in self.drives]
        q = [i for joint, a, _ in seats for i in range(a, a + joint.nq)]
        v = [i for joint, _, b in seats for i in range(b, b + joint.nv)]
        return np.array(q, dtype=np.int64), np.array(v, dtype=np.int64)

    def on_drives(self, t: float, q: Array, v: Array) -> tuple[Array, Array, Array]:
        """Return q and v with the driven joints where they are at t, and accelerations of these joints."""
        found = q.copy(), v.copy(), np.zeros(len(v))
        self.drive()(t, *found, self.model())
        return found

    def hold(self, u: Array | Sequence[float], tangents: Array | None = None) -> None:
        """Set the inputs of a controller (nu,), and their tangents (nu, 4) for dual numbers."""
        for i, place in enumerate(self.hold_places):
            self.floats[place] = u[i]
            if tangents is not None or self._seeded:
                self.floats[place + 1 : place + hold.NUMBERS] = 0.0 if tangents is None else tangents[i]
        self._seeded = tangents is not None

    def time_loop(self, method: Method, number: Any = float64) -> TimeLoop:
        kernel = method.tree_kernel(loops=self.shape.constraints > 0 or bool(self.drives))
        assert kernel is not None, method.name
        if number is v4d and kernel.members is not None:
            kernel = kernel.members
        return self._time_loop(kernel, number) if method.step is None else OwnTimeLoop(self, method)

    @property
    def family(self) -> bytes | None:
        """Equal for trees without forces that differ in gravity, placements and masses; else None."""
        if self.forces or self.drives or self.constraints or self.holds_joints:
            return None
        return self.ints.tobytes() + self.floats[3 + 22 * self.links :].tobytes()

    def members_loop(self, method: Method) -> TimeLoop:
        """Return the time loop of four members of a family, which `put_members` puts into its model."""
        kernel = method.tree
        assert kernel is not None, method.name
        found = self._time_loop(kernel.members or kernel, v4d)
        found.functions = members_field(), *found.functions[1:]
        found.model = found.model._replace(floats=np.zeros((1 + LANES) * len(self.floats)))
        return found

    def _time_loop(self, kernel: TreeKernel, number: Any) -> TimeLoop:
        shape, loop = self.shape, time_loop(kernel, number)
        inner = kernel.inner(number)
        field_or_passes = self._field_or_passes(kernel, inner)

        def fallback() -> TimeLoop | None:
            if kernel.fallback is None or shape.nv > LARGEST:
                return None
            if kernel.fallback.tangents and not (
                self.groups or any(not one.conservative for one in self.forces)
            ):
                return None  # nothing to damp: the step is too large
            try:
                found = self._time_loop(kernel.fallback, number)
            except ModelError:  # a function of the user has no derivatives
                return None
            found.title = kernel.fallback.title
            return found

        return TimeLoop(
            loop,
            (field_or_passes, *self.functions(inner)),
            self.model(inner),
            blank=np.zeros(shape.n + kernel.memory(shape)),
            work=self.width,
            history=None if kernel.history is None else shape.n + kernel.history,
            rest=(np.zeros((shape.n + kernel.workspace(shape)) * DOUBLES[number]), kernel.coefficients),
            fallback=fallback,
            raise_fault=self._raise_fault(),
        )

    def _raise_fault(self) -> Callable[[], None] | None:
        """Return what raises the error of a continuous controller, or of a function that runs in Python."""
        faults = [] if self.control.law is None else [self.control.law.raise_fault]
        if any(not one.compiled for one in self.forces if isinstance(one, Applied | PairForce | JointTorque)):
            faults.append(python.raise_fault)

        def all_faults() -> None:
            for one in faults:
                one()

        return all_faults if faults else None

    def energies(self, q: Array, v: Array) -> tuple[Array, Array]:
        """Return kinetic energy and potential of gravity at many states, by the compiled core."""
        out = self.plain.states.sums(q, v)
        return out[:, 0], out[:, 1]

    @cached_property
    def states(self) -> States:
        """The compiled algorithms at one state and at many."""
        return States(self)

    def seat(self, body: str, at: ArrayLike) -> tuple[int, Array]:
        """Return the link of a body or frame, and its axes and a point of it in the frame of the link."""
        name, origin, rotation = self.mechanism.place(body, "dynamics")
        seat = self.places.bodies[name]
        R, point = product(seat.R, matrix(rotation)), checks.vector("dynamics", "at", at)
        return seat.link, np.concatenate([R.ravel(), seat.r + product(seat.R, origin) + product(R, point)])

    @cached_property
    def solid(self) -> bool:
        """True if every link that a joint carries has mass and inertia about all axes, or its joint an
        armature that is no rounding beside the whole tree: joints accelerate."""
        bodies = [(link.body, self.places.bodies[link.name].link) for link in self.mechanism.links]
        moments = np.linalg.eigvalsh(np.array([body.inertia for body, _ in bodies]))
        whole = moments[:, 0] > SOLID * moments[:, 2]
        heavy = {link for (body, link), fits in zip(bodies, whole, strict=True) if fits and body.mass > 0}
        at, total = self.layout, float(self.layout.masses[:, 0].sum())
        reach = float(np.sqrt((at.placements[:, 9:] ** 2).sum(axis=1)).sum())
        whole_tree = total * reach * reach + total + float(at.masses[:, [4, 7, 9]].sum())
        rotors = np.flatnonzero(at.parameters[:, ARMATURE] > ROTOR * whole_tree) + 1
        ready = heavy | {int(link) for link in rotors}
        return ready >= {link for _, link in bodies} - {0} and bool((moments >= 0).all())

    def to_core(self, q: Array, v: Array) -> Array:
        return np.concatenate([q, v])

    def from_core(self, x: Array) -> tuple[Array, Array]:
        return x[:, : self.nq].copy(), x[:, self.nq : self.width].copy()

    def state_of(self, time: float, x: Array) -> State:
        y = x[: self.width].copy()
        y.flags.writeable = False
        return view(time, y[: self.nq], y[self.nq :], None, self.mechanism)

    @cached_property
    def loop_slices(self) -> dict[str, slice]:
        """Slices of the constraints of each loop, by its name."""
        found, begin = {}, 0
        for name, group in groupby(one.loop for one in self.constraints):
            end = begin + len(list(group))
            found[name], begin = slice(begin, end), end
        return found

    def loop_of(self, numbers: Array) -> str:
        """Return the name of the loop with the largest of these numbers, one for each constraint."""
        return self.constraints[int(np.argmax(np.abs(numbers)))].loop

    @cached_property
    def fingerprint(self) -> str:
        floats, law = self.arrays.floats, self.control.law  # without inputs
        if law is not None:  # its digest is that of its numbers
            floats = np.delete(floats, self._law_numbers)
        text = [digest().encode(), self.arrays.ints.tobytes(), floats.tobytes()]
        text += [self.control.identity.encode()] * len(self.control.forces)
        for one in self.drives:
            text.append(repr((one.label, one.switches, *map(source_digest, one.functions))).encode())
        for force in (force for group in self.plain.groups for force in group):
            assert isinstance(force, Applied | PairForce | Gravitation | JointTorque), (
                "the functions of the user"
            )
            facts = () if isinstance(force, Gravitation) else (source_digest(force.function),)
            text.append(repr((force.label, force.switches, *facts)).encode())
            if isinstance(force, Applied):
                text.append(repr((force.frame, force.at.tolist())).encode())
        return hashlib.sha256(b"".join(text)).hexdigest()[:16]


def put_members(model: Model, trees: Sequence[Tree]) -> None:
    """Write the numbers of four trees of a family into a model of `members_loop`."""
    floats = [one.floats for one in trees]
    model.floats[:] = np.concatenate([floats[0], np.stack(floats, axis=1).ravel()])


def compile_tree(mechanism: Mechanism, welded: bool = True, joints: Sequence[str] | None = None) -> Tree:
    """Return the tree of a mechanism; raise a ModelError that says what is missing."""
    check_parts(mechanism)
    return Tree(mechanism, welded, joints)
