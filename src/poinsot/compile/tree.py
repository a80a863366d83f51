"""Any mechanism as a tree of the core, with its forces and loops as packed data."""

import hashlib
from collections.abc import Callable, Sequence
from copy import copy
from functools import cached_property
from itertools import groupby
from typing import Any

import numpy as np
from numba import float64
from numpy.typing import NDArray

from poinsot.compile.forces import held_velocities, hold_places, law_places, pack_forces
from poinsot.compile.functions import drives, feedback, python
from poinsot.compile.functions import tree as tree_functions
from poinsot.compile.layout import layout
from poinsot.compile.loops import (
    geometric_masses,
    geometric_weights,
    link_sizes,
    loop_constraints,
    pack_loops,
)
from poinsot.compile.states import States
from poinsot.compile.system import CompiledMechanism
from poinsot.compile.time_loop import LARGEST, TimeLoop
from poinsot.core.jit import pointer
from poinsot.core.kernel_cache import digest
from poinsot.core.methods.method import Method
from poinsot.core.numbers.arrays import flat
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.drives import drive_counts
from poinsot.core.tree.dynamics.kinematics import WRENCH
from poinsot.core.tree.field import field as tree_field
from poinsot.core.tree.forces import hold, table
from poinsot.core.tree.forces.table import user_type
from poinsot.core.tree.kernel import ProblemSize, TreeKernel
from poinsot.core.tree.records import FORCE_FLOATS, FORCE_INTS, Model, Packed, pack
from poinsot.core.tree.time_loop import time_loop
from poinsot.core.tree.workspace import SIZE
from poinsot.elementary.arrays import ArrayLike
from poinsot.elementary.linear import product
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.forces.applied import Applied
from poinsot.model.forces.joint import JointTorque
from poinsot.model.identity import source_digest
from poinsot.model.inputs.feedback import FeedbackForce
from poinsot.model.inputs.hold import Hold, HoldWrench
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_parts
from poinsot.model.state import State, view

SOLID = 1e-13  # smallest moment of inertia of a solid body, relative to its largest


class Tree(CompiledMechanism):
    """A mechanism as a tree of the core."""

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
        forces = pack_forces(mechanism, self.forces, self.groups, self.places)
        arrays = at.kinds, at.parents, at.driven, at.placements, at.masses, at.parameters, mechanism.gravity
        self.ints, self.floats = pack(*arrays, forces, pack_loops(self.constraints))
        self.layout = at
        self.driven = held_velocities(forces)
        self.hold_places = [int(self.ints[FORCE_FLOATS]) + place for place in self._hold_places(forces)]
        self.nq, self.nv = int(self.ints[1]), int(self.ints[2])
        self.width = self.nq + self.nv
        self.shape = ProblemSize(self.nq, self.nv, self.links, len(self.constraints))
        self._seeded = False  # True: there are tangents of what a controller holds
        self._functions: dict[Any, tuple[Any, Any]] = {}

    def for_run(self, mechanism: Mechanism) -> "Tree":
        """Return this tree with inputs or a law of its own, for a mechanism with another controller."""
        found = copy(self)
        CompiledMechanism.__init__(found, mechanism)
        found.ints, found.floats, found._seeded = self.ints.copy(), self.floats.copy(), False
        if any(isinstance(force, FeedbackForce) for force in found.forces):
            found._set_laws()
        for name in ("states", "fingerprint"):
            vars(found).pop(name, None)
        return found

    def _hold_places(self, forces: Packed) -> list[int]:
        return hold_places(self.forces, self.groups, forces)

    def _set_laws(self) -> None:
        """Write the laws of the mechanism to the places of those that the tree was compiled with."""
        self.groups = tree_functions.grouped(self.mechanism)
        laws = [force for group in self.groups for force in group if isinstance(force, FeedbackForce)]
        keys = law_places(self.groups, self.ints[self.ints[FORCE_INTS] :])
        for force, key, (first, count) in zip(laws, keys, self._law_numbers(), strict=True):
            self.ints[self.ints[FORCE_INTS] + key] = feedback.register(force)
            self.floats[first : first + count] = feedback.numbers(force)

    def model(self, number: Any = float64) -> Model:
        """Return the model that kernels take, with a workspace of its own."""
        size = (self.links + 1) * SIZE + (sum(drive_counts(self.nq, self.nv)) if self.drives else 0)
        return Model(self.ints, self.floats, np.zeros(size * DOUBLES[number]))

    @cached_property
    def _geometry(self) -> tuple[Packed, Array]:
        at, sizes = self.layout, link_sizes(self.layout, self.constraints)
        still = [0] * len(at.kinds)
        arrays = at.kinds, at.parents, still, at.placements, geometric_masses(sizes), at.parameters
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
        """Return the vector field for a number type."""
        return drives.field(self.drive(number), number) if self.drives else tree_field(number)

    def _field_or_passes(self, kernel: TreeKernel, number: Any) -> Any:
        """Return the field of the driven tree, or the passes of the method with its drives."""
        if kernel.passes is None:
            return self.field(number)
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
        return self._time_loop(kernel, number)

    def _time_loop(self, kernel: TreeKernel, number: Any) -> TimeLoop:
        shape, loop, m = self.shape, time_loop(kernel, number), self.shape.constraints
        inner = kernel.inner(number)
        field_or_passes = (
            self._field_or_passes(kernel, inner) if self.drives else kernel.field_or_passes(inner, m)
        )

        def fallback() -> TimeLoop | None:
            known = kernel.fallback is not None and shape.nv <= LARGEST
            return self._time_loop(kernel.fallback, number) if kernel.fallback is not None and known else None

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
        faults = [one.raise_fault for one in self.forces if isinstance(one, FeedbackForce)]
        if any(not one.compiled for one in self.forces if isinstance(one, Applied | JointTorque)):
            faults.append(python.raise_fault)

        def all_faults() -> None:
            for one in faults:
                one()

        return all_faults if faults else None

    def energies(self, q: Array, v: Array) -> tuple[Array, Array]:
        """Return kinetic energy and potential of gravity at many states, by the compiled core."""
        out = self.states.sums(q, v)
        return out[:, 0], out[:, 1]

    @cached_property
    def states(self) -> States:
        """The compiled algorithms at one state and at many."""
        return States(self)

    def seat(self, body: str, at: ArrayLike) -> tuple[int, Array]:
        """Return the link of a body, and its axes and a point of it in the frame of the link (12)."""
        self.mechanism.link(body, "dynamics")
        seat = self.places.bodies[body]
        point = seat.r + product(seat.R, checks.vector("dynamics", "at", at))
        return seat.link, np.concatenate([seat.R.ravel(), point])

    @cached_property
    def solid(self) -> bool:
        """True if every link that a joint carries has mass and inertia about all axes: joints accelerate."""
        bodies = [(link.body, self.places.bodies[link.name].link) for link in self.mechanism.links]
        moments = np.linalg.eigvalsh(np.array([body.inertia for body, _ in bodies]))
        whole = moments[:, 0] > SOLID * moments[:, 2]
        heavy = {link for (body, link), fits in zip(bodies, whole, strict=True) if fits and body.mass > 0}
        return heavy >= {link for _, link in bodies} - {0} and bool((moments >= 0).all())

    def to_core(self, q: Array, v: Array) -> Array:
        return np.concatenate([q, v])

    def from_core(self, x: Array) -> tuple[Array, Array]:
        return x[:, : self.nq].copy(), x[:, self.nq : self.width].copy()

    def state_of(self, time: float, x: Array) -> State:
        y = x[: self.width].copy()
        y.flags.writeable = False
        return view(time, y[: self.nq], y[self.nq :])

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
        floats = self.floats.copy()
        floats[self.hold_places] = 0.0
        ints = self.ints.copy()
        if self._raise_fault() is not None:  # a continuous controller has a key of this process
            for place in law_places(self.groups, ints[ints[FORCE_INTS] :]):
                ints[ints[FORCE_INTS] + place] = 0
        rest: list[Array] = []
        begin = 0
        for first, count in self._law_numbers():  # their digest is that of the law
            rest, begin = [*rest, floats[begin:first]], first + count
        text = [digest().encode(), ints.tobytes(), *(part.tobytes() for part in (*rest, floats[begin:]))]
        held = [force for force in self.forces if isinstance(force, Hold | HoldWrench | FeedbackForce)]
        text += [force.identity.encode() for force in held]
        for one in self.drives:
            text.append(repr((one.label, one.switches, *map(source_digest, one.functions))).encode())
        for force in (force for group in self.groups for force in group):
            if isinstance(force, HoldWrench | FeedbackForce):
                continue
            text.append(repr((force.label, force.switches, source_digest(force.function))).encode())
            if isinstance(force, Applied):
                text.append(repr((force.frame, force.at.tolist())).encode())
        return hashlib.sha256(b"".join(text)).hexdigest()[:16]

    def _law_numbers(self) -> list[tuple[int, int]]:
        """Return where the numbers of continuous laws begin in `floats`, and how many there are."""
        ints = self.ints[self.ints[FORCE_INTS] :]
        places = law_places(self.groups, ints)
        return [(int(self.ints[FORCE_FLOATS] + ints[place + 1]), int(ints[place + 2])) for place in places]


def compile_tree(mechanism: Mechanism, welded: bool = True, joints: Sequence[str] | None = None) -> Tree:
    """Return the tree of a mechanism; raise a ModelError that says what is missing."""
    check_parts(mechanism)
    return Tree(mechanism, welded, joints)
