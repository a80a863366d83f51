"""A velocity on a product of Lie groups, given by a user's function, as a system of the core.

One rotation runs in the kernels of one body; a product of groups in those of trees, a joint for each group.
"""

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numba import float64

from poinsot.compile.functions import python
from poinsot.compile.functions.group import Factor, in_python, velocity_of
from poinsot.compile.system import System
from poinsot.compile.time_loop import TimeLoop
from poinsot.core.body.load import no_force
from poinsot.core.body.records import BODY, STATE
from poinsot.core.body.time_loop import time_loop as body_loop
from poinsot.core.methods.explicit import ROTATIONS
from poinsot.core.methods.method import Method
from poinsot.core.numbers.arrays import flat
from poinsot.core.tree.forces.table import no_forces, no_functions
from poinsot.core.tree.joints.table import FREE, NQ
from poinsot.core.tree.kernel import ProblemSize
from poinsot.core.tree.records import Model, Packed, pack
from poinsot.core.tree.time_loop import time_loop as tree_loop
from poinsot.errors import ScenarioError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.state import State

Point: TypeAlias = Any  # an array, or a tuple of arrays: one for each group
SIZES = {"SO3": 3, "SE3": 6, "S2": 3}
EMPTY = Packed(np.zeros(3, dtype=np.int32), np.zeros(1))


class GroupSystem(System):
    """A velocity on a product of groups in the numbers of the core."""

    def __init__(self, fun: Callable[..., Any], groups: Sequence[str], one: bool) -> None:
        self.factors = factors_of(groups)
        self.kinds = [factor.kind for factor in self.factors if factor.kind is not None]
        self.body = len(self.factors) == 1 and self.kinds not in ([], [FREE])
        self.nq, self.nv = sum(NQ[kind] for kind in self.kinds), sum(factor.n for factor in self.factors)
        self.width = len(flat(STATE)) if self.body else self.nq + self.nv
        self.one, self.fun = one, fun
        self.call = in_python(fun, self.factors, one)

    fingerprint = ""

    @cached_property
    def velocity(self) -> Any:
        """The user's function for the core."""
        return velocity_of(self.fun, self.factors, self.one, self.body)

    def time_loop(self, method: Method, number: Any = float64) -> TimeLoop:
        function, kept = self.velocity
        raise_fault = None if kept is None else python.raise_fault
        if self.body:
            kernel = ROTATIONS[method.name]
            functions, body = (function, no_force()), np.array(flat(BODY))
            flags, blank = (True, False), kernel.blank
            return TimeLoop(
                body_loop(kernel), functions, body, blank, kernel.work, flags=flags, raise_fault=raise_fault
            )
        tree = method.tree
        assert tree is not None, method.name
        n, zeros = len(self.kinds), np.zeros
        order = [0] * n
        ints, floats = pack(
            self.kinds, order, order, zeros((n, 12)), zeros((n, 10)), zeros((n, 3)), zeros(3), EMPTY, EMPTY
        )
        ints[2] = self.nv  # vectors follow the velocities
        shape = ProblemSize(self.nq, self.nv, n, 0)
        return TimeLoop(
            tree_loop(tree),
            (function, no_forces(), no_functions()),
            Model(ints, floats, np.zeros(1)),
            blank=np.zeros(shape.n + tree.memory(shape)),
            work=self.width,
            rest=(np.zeros(shape.n + tree.workspace(shape)), tree.coefficients),
            raise_fault=raise_fault,
        )

    def to_core(self, q: Array, v: Array) -> Array:
        if self.body:
            return np.concatenate([q, np.zeros(self.width - len(q))])
        return np.concatenate([q, v])

    def from_core(self, x: Array) -> tuple[Array, Array]:
        end = self.nq + (0 if self.body else self.nv)
        return x[:, : self.nq].copy(), x[:, self.nq : end].copy()

    def point(self, q: Array, v: Array) -> Point:
        """Return the point of coordinates with leading axes."""
        found = tuple(factor.point(q, v) for factor in self.factors)
        return found[0] if self.one else found

    def start(self, time: float, y0: Any) -> State:
        """Return a point as a state."""
        q, v = [], np.zeros(self.nv)
        for factor, y in zip(self.factors, [y0] if self.one else y0, strict=True):
            if factor.kind is None:
                v[factor.v : factor.v + factor.n] = checks.numbers("solve", "y0", y, factor.n)
            else:
                q.append(coordinates(factor.name, y))
        return State(time, np.concatenate([*q, np.zeros(0)]), v[:0] if self.body else v)


def factors_of(groups: Sequence[str]) -> tuple[Factor, ...]:
    """Return the groups with their places: velocities of groups come first, vectors follow."""
    sizes = [SIZES.get(name) or int(name[1:]) for name in groups]
    nq = nv = 0
    first = sum(n for name, n in zip(groups, sizes, strict=True) if name in SIZES)
    found = []
    for name, n in zip(groups, sizes, strict=True):
        if name in SIZES:
            found.append(Factor(name, nq, nv, n))
            nq, nv = nq + (7 if name == "SE3" else 4), nv + n
        else:
            found.append(Factor(name, 0, first, n))
            first += n
    return tuple(found)


def coordinates(name: str, y: Any) -> Array:
    """Return the coordinates of the joint of a group at a point."""
    if name == "S2":
        point = checks.vector("solve", "y0 on S2", y)
        length = math.sqrt(float(point @ point))
        if not abs(length - 1) <= checks.ORTHOGONAL:
            raise ScenarioError(f"solve: y0 on S2 must have length 1, got {show(y)}")
        x, b, c = (point / length).tolist()
        # the shortest rotation that brings y to the third axis; of -z, half a turn about x
        q = np.array([1 + c, b, -x, 0.0]) if c > -0.5 else np.array([b, 1 - c, 0.0, x])
        return np.asarray(q / np.sqrt((q * q).sum()))
    n = 4 if name == "SE3" else 3
    G = checks.array("solve", f"y0 on {name}", y, f"a matrix ({n}, {n})", (n, n))
    q = checks.quaternion("solve", f"y0 on {name}", G[:3, :3])
    if name == "SO3":
        return q
    if not np.array_equal(G[3], [0, 0, 0, 1]):
        raise ScenarioError(f"solve: the last row of y0 on SE3 must be (0, 0, 0, 1), got {show(G[3])}")
    return np.concatenate([G[:3, 3], q])
