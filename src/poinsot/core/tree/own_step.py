"""The step of a user's own method in compiled code, as the kernel of a method.

    q, v = step(field, t, q, v, h)                                                                   (1)
    W + h/6 (P(t) + 4 P(t + h/2) + P(t + h))                                                         (2)

The field is a record that compiled code can call: field(t, q, v) is the acceleration, field.move(q, u) is
q exp(u).  The work (2) is that of `compile.own_method`, to the same bits.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.extending import intrinsic, lower_builtin, models, overload_method, register_model

from poinsot.core.jit import Compiled, jit
from poinsot.core.numba_parts.target import OPTIONS
from poinsot.core.numbers.arrays import Numbers, segment
from poinsot.core.numbers.generation import Builder, Context, Implementation, Intrinsic, Type, Value
from poinsot.core.tree.field import ALL
from poinsot.core.tree.kernel import ProblemSize, TreeKernel, TreeStepped, forget, nothing
from poinsot.core.tree.problem import TreeProblem, evaluate, move, unit


class StepField(NamedTuple):
    """The equations of motion as the step of an own method sees them."""

    p: TreeProblem
    y: Numbers  # workspace of the length of a state
    f: Numbers
    count: Numbers  # of evaluations


@jit
def slope(field: StepField, t: float, q: Numbers, v: Numbers) -> Numbers:
    """dq/dt, the acceleration and the power."""
    p = field.p
    for i in range(p.nq):
        field.y[i] = q[i]
    for i in range(p.nv):
        field.y[p.nq + i] = v[i]
    evaluate(p, ALL, t, field.y, field.f)
    return field.f


def _call(field, t, q, v):  # type: ignore[no-untyped-def]
    p = field.p
    field.count[0] += 1.0
    if q.size != p.nq or v.size != p.nv:
        raise ValueError("q and v must be as long as those of the step")
    return segment(slope(field, float(t), q, v), p.nq, p.nv).copy()


def _move(field, q, u):  # type: ignore[no-untyped-def]
    p, found = field.p, q.copy()
    if q.size != p.nq or u.size != p.nv:
        raise ValueError("q and u must be as long as those of the step")
    move(p, found, u.copy())
    unit(p, found)
    return found


class FieldType(types.NamedTuple):  # type: ignore[misc]
    """Numba's type of a StepField that can be called."""


register_model(FieldType)(models.TupleModel)


@intrinsic
def as_field(typing: Context, record: Type) -> Intrinsic:
    """The record as a field that can be called."""

    def generate(context: Context, builder: Builder, signature: Any, values: Any) -> Value:
        return values[0]

    return FieldType(record.types, record.instance_class)(record), generate


@overload_method(FieldType, "move", strict=False, jit_options=OPTIONS)
def _find_move(field: Type, q: Type, u: Type) -> Implementation:
    return _move


@overload_method(FieldType, "__call__", strict=False, jit_options=OPTIONS)
def _find_call(field: Type, t: Type, q: Type, v: Type) -> Implementation:
    return _call


@lower_builtin(FieldType, FieldType, types.Any, types.Any, types.Any)
def _lower_call(context: Context, builder: Builder, signature: Any, values: Any) -> Value:
    return context.compile_internal(builder, _call, signature, values)


@jit
def work(field: StepField, t: float, h: float, y: Numbers, q: Numbers, v: Numbers) -> float:
    """Work in a step from y to q and v: (2)."""
    p = field.p
    nq, nv = p.nq, p.nv
    q0, v0 = segment(y, 0, nq), segment(y, nq, nv)
    first, last = slope(field, t, q0, v0).copy(), slope(field, t + h, q, v).copy()
    u, middle = np.empty(nv), np.empty(nv)
    for i in range(nv):
        a, b = first[nq + i], last[nq + i]
        u[i] = h * (13.0 * v0[i] + 3.0 * v[i]) / 32.0 + h * h * (11.0 * a - 5.0 * b) / 192.0
        middle[i] = (v0[i] + v[i]) / 2.0 + h * (a - b) / 8.0
    half = slope(field, t + h / 2, _moved(field, q0, u), middle)
    return h / 6 * (first[nq + nv] + 4.0 * half[nq + nv] + last[nq + nv])


_moved = jit(_move)


def own_workspace(shape: ProblemSize) -> int:
    """Size of the workspace of a step."""
    return 2 * shape.n + 1


def kernel_of(helper: Compiled, name: str) -> TreeKernel:
    """Return the kernel of a compiled step; its coefficient is 1 if forces without a potential act."""

    @jit
    def step(
        p: TreeProblem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers, rows: Numbers
    ) -> TreeStepped:
        n, fits = p.nq + p.nv + 1, False
        arrays = segment(workspace, 0, n), segment(workspace, n, n), segment(workspace, 2 * n, 1)
        field = as_field(StepField(p, *arrays))
        field.count[0] = 0.0
        try:
            q, v = helper(field, t, segment(y, 0, p.nq).copy(), segment(y, p.nq, p.nv).copy(), h)  # (1)
            fits = q.size == p.nq and v.size == p.nv
            if fits:
                count = int(field.count[0])
                if rows[0] > 0.0:
                    y[n - 1] = y[n - 1] + work(field, t, h, y, q, v)  # (2)
                for i in range(p.nq):
                    y[i] = q[i]
                for i in range(p.nv):
                    y[p.nq + i] = v[i]
                return count, 0, False
        except Exception:
            fits = False
        return 0, 0, not fits

    return TreeKernel(name=name, step=step, remember=forget, memory=nothing, workspace=own_workspace)
