"""A user's own method: its step is a Python function (`ps.Method`), compiled if it can be.

    q, v = step(field, t, q, v, h)                                                                   (1)
    W + h/6 (P(t) + 4 P(t + h/2) + P(t + h))                                                         (2)

The step knows accelerations only, so that the work of forces without a potential follows by Simpson's rule
(2), of order 4 (3 with ball joints), with the middle of the step by Hermite's cubic of the velocities.

A plain function that Numba can compile is the kernel of a compiled time loop (`core.tree.own_step`); others,
and those on driven joints, are called by one in Python.  Where a compiled step fails, Python says why.
"""

from functools import lru_cache
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import float64

from poinsot.compile.functions.messages import reason_of
from poinsot.compile.functions.users import KEPT, key_of, user_function
from poinsot.compile.functions.ways import NoWayError, Way, first_of
from poinsot.compile.time_loop import TimeLoop
from poinsot.core.body.time_loop import COUNT, DONE, EVALUATIONS, EVERY, INFINITE, OK, STATUS, STEPS
from poinsot.core.call import Call
from poinsot.core.jit import COMPILED
from poinsot.core.methods.method import Method
from poinsot.core.tree.dynamics.entries import moved
from poinsot.core.tree.field import evaluation
from poinsot.core.tree.kernel import PYTHON
from poinsot.core.tree.own_step import kernel_of, own_workspace
from poinsot.core.tree.time_loop import run_with, signature
from poinsot.errors import ModelError
from poinsot.model.checks import Array, show
from poinsot.model.identity import identity_of

if TYPE_CHECKING:
    from poinsot.compile.tree import Tree

TIME = 3  # number of the time among the arguments of `evaluation`


class OwnField:
    """The equations of motion as the step of an own method sees them."""

    def __init__(self, tree: "Tree") -> None:
        self.tree, self.count, self.first, self.last = tree, 0, -np.inf, np.inf
        self.y, self.f, self.model = np.zeros(tree.width + 1), np.zeros(tree.width + 1), tree.model()
        functions, arrays = (tree.field(), *tree.functions()), (self.y, self.f, self.model)
        self.call = Call(evaluation(), *functions, 0.0, len(self.y), *arrays)
        self.q, self.u = np.zeros(tree.nq), np.zeros(tree.nv)
        self.to_move = Call(moved(), self.model, self.q, self.u)

    def slope(self, t: float, q: Array, v: Array) -> Array:
        """Return dq/dt, the acceleration and the power."""
        y, nq = self.y, self.tree.nq
        y[:nq], y[nq:-1], self.f[:] = q, v, 0.0  # in f no joint forces act besides
        self.call.real(TIME, min(max(float(t), self.first), self.last))
        self.call()
        return self.f

    def __call__(self, t: float, q: Array, v: Array) -> Array:
        """Return the acceleration dv/dt (nv,) at a time and state."""
        self.count += 1
        return self.slope(t, q, v)[self.tree.nq : -1].copy()

    def power(self, t: float, q: Array, v: Array) -> float:
        """Return the power of the forces without a potential."""
        return float(self.slope(t, q, v)[-1])

    def move(self, q: Array, u: Array) -> Array:
        """Return q exp(u), joint by joint: a new array."""
        self.q[:], self.u[:] = q, u
        self.to_move()
        return self.q.copy()


@lru_cache(maxsize=KEPT)
def _compile(function: FunctionType, digest: str) -> Any:
    """Return the compiled time loop with a step, or why there is none."""
    key = key_of("own step", digest)

    def make() -> Any:
        return run_with(kernel_of(user_function(function), key), float64)

    try:
        return first_of([Way(make, key)], signature(PYTHON, float64))
    except NoWayError as error:
        return reason_of(error.faults[0])
    except ModelError as error:  # one that may not be compiled
        return str(error)


def compile_step(tree: "Tree", step: Any, works: bool) -> "TimeLoop | str":
    """Return the compiled time loop of a step on a tree, or why it runs in Python."""
    function = getattr(step, "py_func", step)
    if not COMPILED or not isinstance(function, FunctionType):
        return "it is not a plain function"
    if tree.drives:
        return "joints are driven"
    digest, unknown = identity_of(function)
    loop = f"it reads {unknown}" if unknown else _compile(function, digest)
    if isinstance(loop, str):
        return loop
    rest = np.zeros(tree.shape.n + own_workspace(tree.shape)), np.array([1.0 if works else 0.0])
    functions, blank = (tree.field(), *tree.functions()), np.zeros(tree.width + 1)
    fault = tree._raise_fault()
    return TimeLoop(loop, functions, tree.model(), blank, work=tree.width, rest=rest, raise_fault=fault)


class OwnTimeLoop(TimeLoop):
    """Makes the steps of an own method on a tree: compiled, or one by one."""

    def __init__(self, tree: "Tree", method: Method) -> None:
        assert method.step is not None, method.name
        blank = np.zeros(tree.width + 1)
        super().__init__(method.step, (), None, blank, work=tree.width, raise_fault=tree._raise_fault())
        self.tree, self.method, self.field = tree, method, OwnField(tree)
        self.step = getattr(method.step, "py_func", method.step)  # the field is an object of Python
        self.works = any(not force.conservative for force in tree.forces) or bool(tree.drives)
        found = compile_step(tree, method.step, self.works)
        self.fast = None if isinstance(found, str) else found
        self.in_python = found if isinstance(found, str) else ""

    def __call__(self, counters: Any, times: Array, memory: Array, out: Array) -> None:
        (start, h), steps, every = times[:2].tolist(), int(counters[STEPS]), int(counters[EVERY])
        self.field.first, self.field.last = times[2:].tolist()
        counters[STATUS], before, made = OK, self.field.count, int(counters[DONE])
        if self.fast is not None:
            self.fast(counters, times, memory, out)
            if counters[STATUS] != OK:  # the failed step in Python, which raises what is wrong
                self._next(start + (int(counters[COUNT]) + int(counters[DONE]) - made) * h, h, memory)
                counters[STATUS] = INFINITE
            return
        for i in range(steps):
            new = self._next(start + (int(counters[COUNT]) + i) * h, h, memory)
            if not np.isfinite(new).all():
                counters[STATUS] = INFINITE
                break
            memory[:] = new
            counters[DONE] += 1
            if every and (i + 1) % every == 0:
                row = (i + 1) // every - 1
                out[row * len(new) : (row + 1) * len(new)] = new
        counters[EVALUATIONS] += self.field.count - before

    def _next(self, t: float, h: float, y: Array) -> Array:
        """Return the state after a step in Python."""
        with np.errstate(all="ignore"):
            new = self._state_after(t, h, y)
        if self.raise_fault is not None:
            self.raise_fault()
        return new

    def _state_after(self, t: float, h: float, y: Array) -> Array:
        nq, field = self.tree.nq, self.field
        q, v = y[:nq].copy(), y[nq:-1].copy()
        found = self.step(field, t, q.copy(), v.copy(), h)  # (1)
        try:
            a, b = (np.array(x, dtype=float) for x in found)
        except (TypeError, ValueError):
            raise _misfit(found) from None
        if a.shape != q.shape or b.shape != v.shape:
            raise _misfit(found)
        if self.tree.drives:
            a, b, _ = self.tree.on_drives(t + h, a, b)
        work = y[-1] + (self._work(t, h, (q, v), (a, b)) if self.works else 0.0)
        return np.concatenate([a, b, [work]])

    def _work(self, t: float, h: float, begin: tuple[Array, Array], end: tuple[Array, Array]) -> float:
        """Return the work in a step: (2)."""
        field, nq = self.field, self.tree.nq
        (q, v), (r, w) = begin, end
        first, last = field.slope(t, q, v).copy(), field.slope(t + h, r, w).copy()
        a, b = first[nq:-1], last[nq:-1]
        half = field.move(q, h * (13.0 * v + 3.0 * w) / 32.0 + h * h * (11.0 * a - 5.0 * b) / 192.0)
        middle = (v + w) / 2.0 + h * (a - b) / 8.0
        return (
            h / 6 * (float(first[-1]) + 4.0 * field.power(t + h / 2, half, middle) + float(last[-1]))
        )  # (2)


def _misfit(found: Any) -> ValueError:
    return ValueError(f"it must return q and v, as long as it was given them, got {show(found)}")
