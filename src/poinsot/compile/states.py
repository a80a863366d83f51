"""The compiled algorithms of a tree at one state and at many: lanes, threads, a workspace for each thread.

Four states are computed at a time in SIMD lanes, and long lists of states in several threads: compiled code
does not hold Python's global lock.  Each state has the bits that it would have alone.  For one state, the
calls are prepared (`core.call`): a caller fills the arrays of a `One`, calls it, and reads its result.
"""

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import float64
from numpy.typing import NDArray

from poinsot.core.call import Call
from poinsot.core.jit import COMPILED
from poinsot.core.numbers.v4d import LANES, v4d
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.dynamics import states
from poinsot.core.tree.records import Model
from poinsot.model.checks import Array

if TYPE_CHECKING:
    from poinsot.compile.tree import Tree

WORTH = 500_000  # bodies times states from which on threads are worth their start
FORCED = ("accelerations", "inverses")  # what calls the forces; all else needs no function of the user
SHORT = 1000  # states of a call that is kept: it keeps its arrays
NOTHING = np.zeros(0)
FLOAT = np.dtype(np.float64)


def threads() -> int:
    """Return the number of threads for long lists of states: one for each processor."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class One:
    """An algorithm at one state, prepared for one thread: run(block, arrays...) reads and writes the arrays.

    The caller checks that they are one-dimensional arrays of float64, of the right lengths.  It returns -1, 0
    if the state is not valid, or `MISFIT` if an array is not contiguous.
    """

    __slots__ = ("block", "call", "out", "run", "t", "zero")

    def __init__(self, t: Array, zero: Array, out: Array, call: Call) -> None:
        self.t, self.zero, self.out = t, zero, out  # time; joint forces zero; result, if it is not given
        self.call, self.run, self.block = call, call.call, call.block


class States:
    """The algorithms of `core.tree.dynamics.states` for one tree; nobody may change the tree."""

    def __init__(self, tree: "Tree") -> None:
        self.tree, self.own = tree, threading.local()
        self._seats = len(tree.mechanism.links) + len(tree.mechanism.frames)

    def _workspace(self, number: Any) -> tuple[Model, Array]:
        """Return the model with the workspace of this thread, and scratch memory."""
        workspaces = self.own.__dict__.setdefault("workspaces", {})
        if number not in workspaces:
            workspaces[number] = self._new_workspace(number)
        return workspaces[number]  # type: ignore[no-any-return]

    def _new_workspace(self, number: Any) -> tuple[Model, Array]:
        tree = self.tree
        size = states.scratch_size(tree.nq, tree.nv, max(tree.links, self._seats), DOUBLES[number])
        return tree.model(number), np.zeros(size)

    def _over(self, count: int, part: Callable[[Any, int, int], int], few: int = LANES) -> int:
        """Call part(number type, begin, end) for all states; return the number of the first invalid one.
        Fewer than `few` are computed one after the other, by an entry of their own."""
        if count == 0:
            return -1
        if count < few or not COMPILED:
            return part(float64, 0, count)
        workers = threads() if count * self.tree.links >= WORTH else 1
        if workers == 1:
            return part(v4d, 0, count)
        size = -(-count // workers)
        size += -size % LANES
        parts = [(begin, min(begin + size, count)) for begin in range(0, count, size)]
        with ThreadPoolExecutor(len(parts)) as pool:
            found = list(pool.map(lambda ends: part(v4d, *ends), parts))
        bad = [begin + status for (begin, _), status in zip(parts, found, strict=True) if status >= 0]
        return min(bad, default=-1)

    @property
    def _few(self) -> int:
        """A run with drives asks for their forces at its first state, then at all: one entry."""
        return 1 if self.tree.drives else LANES

    def _call(self, name: str, number: Any, count: int, *arrays: Any, model: Model | None = None) -> int:
        """Call the entry of this name with `count` and these arrays, by the call that this thread keeps.

        A call of many states is made anew: one that is kept would hold their arrays after the result is gone.
        """
        calls = self.own.__dict__.setdefault("calls", {})
        call = calls.get((name, number))
        if call is None or model is not None or count > SHORT:
            functions = self.tree.functions(number) if name in FORCED else ()
            before = (self.tree.field(number), *functions) if name == "accelerations" else functions
            own, scratch = self._workspace(number)
            entry = getattr(states, name)(number)
            call = Call(entry, *before, count, *arrays, own if model is None else model, scratch)
            if model is None and count <= SHORT:
                calls[name, number] = call
        else:
            first = len(call.arguments) - len(arrays) - 2
            call.count(first - 1, count)
            for i, array in enumerate(arrays, first):
                call.point(i, array)
        return int(call())

    def accelerations(self, t: Array, q: Array, v: Array, tau: Array, out: Array) -> int:
        """Write v. of all states without loops to `out`; `tau` are joint forces besides those of forces."""

        def part(number: Any, a: int, b: int) -> int:
            rows = [_rows(x, a, b) for x in (t, q, v, tau, out)]
            return self._call("accelerations", number, b - a, *rows)

        return self._over(len(q), part, self._few)

    def inverses(
        self,
        t: Array,
        q: Array,
        v: Array,
        a: Array,
        tau: Array,
        joint: Array = NOTHING,
        more: Array = NOTHING,
    ) -> int:
        """Write joint forces for v. = a to `tau`, wrenches through the joints (links + 1, 6) to `joint`.
        `more` are wrenches on the links besides those of the forces."""

        def part(number: Any, begin: int, end: int) -> int:
            rows = [_rows(x, begin, end) for x in (t, q, v, a, more, tau, joint)]
            return self._call("inverses", number, end - begin, *rows)

        return self._over(len(q), part, self._few)

    def masses(self, q: Array, out: Array, model: Model | None = None) -> int:
        """Write mass matrices to `out`; those of another model of the tree, if one is given."""

        def part(number: Any, a: int, b: int) -> int:
            return self._call("masses", number, b - a, _rows(q, a, b), _rows(out, a, b), model=model)

        return part(float64, 0, len(q)) if model is not None else self._over(len(q), part)

    def jacobians(self, link: int, place: Array, q: Array, out: Array) -> int:
        """Write Jacobians (6, nv) of a point of a link to `out`; `place` has axes and the point (12)."""

        def part(number: Any, a: int, b: int) -> int:
            return self._call(
                "jacobians", number, b - a, np.array([link]), place, _rows(q, a, b), _rows(out, a, b)
            )

        return self._over(len(q), part)

    def sums(self, q: Array, v: Array) -> Array:
        """Return energies, momenta and the other `Totals` (n, TOTALS_SIZE) of all states, finite or not."""
        out = np.empty((len(q), states.TOTALS_SIZE))
        self.write_sums(np.ascontiguousarray(q), np.ascontiguousarray(v), out)
        return out

    def write_sums(self, q: Array, v: Array, out: Array) -> int:
        """Write what `sums` returns to `out`."""

        def part(number: Any, a: int, b: int) -> int:
            return self._call("sums", number, b - a, *(_rows(x, a, b) for x in (q, v, out)))

        return self._over(len(q), part, few=1)  # a run asks for its first state, then for all: one entry

    def valid(self, q: Array, v: Array) -> bool:
        """Return whether a state has the right lengths, finite numbers and quaternions of length 1."""
        if q.shape != (self.tree.nq,) or v.shape != (self.tree.nv,):
            return False
        out = np.empty((1, states.TOTALS_SIZE))
        return self.write_sums(q[None], v[None], out) < 0

    def motions(self, links: NDArray[np.int64], seats: Array, q: Array, v: Array) -> Array:
        """Return the motions (n, bodies, MOTION_SIZE) of bodies in these seats (`states.BodySeat`)."""
        out = np.empty((len(q), len(links), states.MOTION_SIZE))
        self.write_motions(links, seats, np.ascontiguousarray(q), np.ascontiguousarray(v), out)
        return out

    def write_motions(self, links: NDArray[np.int64], seats: Array, q: Array, v: Array, out: Array) -> int:
        """Write what `motions` returns to `out`."""
        assert len(links) <= max(self.tree.links, self._seats), "there is scratch memory for so many"

        def part(number: Any, a: int, b: int) -> int:
            rows = [_rows(x, a, b) for x in (q, v, out)]
            return self._call("motions", number, b - a, links, seats, *rows)

        return self._over(len(q), part)

    def one_acceleration(self) -> One:
        """Prepare `accelerations` at one state: run(block, q, v, joint forces, out)."""
        tree, t = self.tree, np.zeros(1)
        q, v, tau, out = (np.zeros(n) for n in (tree.nq, tree.nv, tree.nv, tree.nv))
        arguments = tree.field(float64), *tree.functions(float64), 1, t, q, v, tau, out
        call = Call(states.accelerations(), *arguments, *self._new_workspace(float64), given=(5, 6, 7, 8))
        return One(t, tau, out, call)

    def one_inverse(self) -> One:
        """Prepare `inverses` at one state: run(block, q, v, accelerations, joint forces)."""
        tree, t = self.tree, np.zeros(1)
        q, v, a, out = (np.zeros(n) for n in (tree.nq, tree.nv, tree.nv, tree.nv))
        arguments = *tree.functions(float64), 1, t, q, v, a, NOTHING, out, NOTHING
        call = Call(states.inverses(), *arguments, *self._new_workspace(float64), given=(4, 5, 6, 8))
        return One(t, a, out, call)

    def one_mass(self) -> One:
        """Prepare `masses` at one state: run(block, q)."""
        n = self.tree.nv
        q, out = np.zeros(self.tree.nq), np.zeros((n, n))
        call = Call(states.masses(), 1, q, out.reshape(-1), *self._new_workspace(float64), given=(1,))
        return One(NOTHING, NOTHING, out, call)

    def one_jacobian(self, link: int, place: Array) -> One:
        """Prepare `jacobians` of a point at one state: run(block, q)."""
        q, out = np.zeros(self.tree.nq), np.zeros((6, self.tree.nv))
        arguments = 1, np.array([link]), place, q, out.reshape(-1)
        call = Call(states.jacobians(), *arguments, *self._new_workspace(float64), given=(3,))
        return One(NOTHING, NOTHING, out, call)

    def one_motion(self, link: int, seat: Array) -> One:
        """Prepare `motions` of one body in a seat (15) at one state: run(block, q, v)."""
        q, v, out = (np.zeros(n) for n in (self.tree.nq, self.tree.nv, states.MOTION_SIZE))
        arguments = 1, np.array([link]), seat, q, v, out
        call = Call(states.motions(), *arguments, *self._new_workspace(float64), given=(3, 4))
        return One(NOTHING, NOTHING, out, call)

    def one_sum(self) -> One:
        """Prepare `sums` at one state: run(block, q, v)."""
        q, v, out = (np.zeros(n) for n in (self.tree.nq, self.tree.nv, states.TOTALS_SIZE))
        call = Call(states.sums(), 1, q, v, out, *self._new_workspace(float64), given=(1, 2))
        return One(NOTHING, NOTHING, out, call)


def _rows(x: Array, begin: int, end: int) -> Array:
    """Return the rows of these states as a flat array; one row, or none, is for all states."""
    return x.reshape(-1) if len(x) < end else x[begin:end].reshape(-1)
