"""The passes of a variational step, compiled and cached one by one for each number type.

The time loop calls them through function types, like the field of other methods; as parts of one large
function they would be compiled several times.  Trees without loops do not wait for the passes of loops.
"""

from functools import cache
from typing import NamedTuple

from numba import boolean, int64, types, void

from poinsot.core.jit import Compiled, entry, pointer, ready
from poinsot.core.methods.variational import increments, loads, loops
from poinsot.core.methods.variational import passes as sweeps
from poinsot.core.methods.variational.tables import BEFORE, Site
from poinsot.core.numba_parts.internals import Signature
from poinsot.core.numbers.arrays import array_of
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.forces.table import user_type
from poinsot.core.tree.records import MODEL

CLEAR, UPDATE, NUDGE, LOGARITHMS, APPEND, MIDDLE, SHARED = range(7)
SE3, PRODUCT, INERTIA = range(3)  # matrix to factor: slope of one of the kinetic terms, or the mass matrix


class StepPasses(NamedTuple):
    """The compiled passes of a step."""

    place: Compiled
    legendre: Compiled
    joints: Compiled
    weigh: Compiled
    displace: Compiled
    generalised: Compiled
    factor: Compiled
    solve: Compiled
    read: Compiled
    push: Compiled
    prepare: Compiled
    correct: Compiled
    drive: Compiled  # of driven joints (`core.tree.drives`), which the caller puts in


def place(model, workspace, q, side):  # type: ignore[no-untyped-def]
    sweeps.place(Site(model, workspace), q, side)


def legendre(model, workspace, v, p):  # type: ignore[no-untyped-def]
    sweeps.legendre(Site(model, workspace), v, p)


def joints(operation, model, a, b, c):  # type: ignore[no-untyped-def]
    """Apply an operation to the increments of all joints."""
    if operation == CLEAR:
        increments.clear(model, a)
    elif operation == UPDATE:
        increments.update(model, a, b)
    elif operation == NUDGE:
        increments.nudge(model, a, b)
    elif operation == LOGARITHMS:
        increments.logarithms(model, a, b)
    elif operation == APPEND:
        increments.append(model, a, b)
    elif operation == MIDDLE:
        increments.middle(model, a, b, c)
    else:
        increments.shared(model, a, b, c)


def weigh(model, workspace, forced, side, Q):  # type: ignore[no-untyped-def]
    loads.weigh(Site(model, workspace), forced, side, Q)


def displace(model, workspace, inc, product, g):  # type: ignore[no-untyped-def]
    """Compute displacements and momenta at both ends; g = generalised momenta before the step, times h."""
    site = Site(model, workspace)
    valid = sweeps.displace(site, inc)
    sweeps.momenta(site, product)
    sweeps.generalised(site, BEFORE, g)
    return valid


def generalised(model, workspace, side, g):  # type: ignore[no-untyped-def]
    sweeps.generalised(Site(model, workspace), side, g)


def factor(model, workspace, matrix, left, right, k):  # type: ignore[no-untyped-def]
    site = Site(model, workspace)
    if matrix == INERTIA:
        sweeps.inertias(site)
    else:
        sweeps.slopes(site, matrix == PRODUCT)
    sweeps.factor(site, left, right, k)


def solve(model, workspace, left, right, g):  # type: ignore[no-untyped-def]
    sweeps.solve(Site(model, workspace), left, right, g)


def read(model, workspace, loop, side):  # type: ignore[no-untyped-def]
    loops.read(Site(model, workspace), loop, side)


def push(model, workspace, loop, side, L, g):  # type: ignore[no-untyped-def]
    loops.push(Site(model, workspace), loop, side, L, g)


def prepare(model, workspace, loop, left, right):  # type: ignore[no-untyped-def]
    loops.prepare(Site(model, workspace), loop, left, right)


def correct(model, workspace, loop, right, y):  # type: ignore[no-untyped-def]
    loops.correct(Site(model, workspace), loop, right, y)


def never():  # type: ignore[no-untyped-def]
    """Stand-in for passes that a tree without loops or without drives does not call."""


LOOPS = ("read", "push", "prepare", "correct")
DRIVE = "drive"


def signatures(number: types.Type) -> dict[str, tuple[Compiled, Signature]]:
    """Functions and signatures of the passes for a number type."""
    X, I = array_of(number), int64
    body = MODEL, X
    return {
        "place": (place, void(*body, X, I)),
        "legendre": (legendre, void(*body, X, X)),
        "joints": (joints, void(I, MODEL, X, X, X)),
        "weigh": (weigh, void(*body, boolean, I, X)),
        "displace": (displace, boolean(*body, X, boolean, X)),
        "generalised": (generalised, void(*body, I, X)),
        "factor": (factor, void(*body, I, I, I, X)),
        "solve": (solve, void(*body, I, I, X)),
        "read": (read, void(*body, X, I)),
        "push": (push, void(*body, X, I, X, X)),
        "prepare": (prepare, void(*body, X, I, I)),
        "correct": (correct, void(*body, X, I, X)),
        DRIVE: (never, user_type(number).signature),
    }


def passes_type(number: types.Type) -> types.NamedTuple:
    """Numba's type of `Passes` for a number type."""
    kinds = [types.FunctionType(signature) for _, signature in signatures(number).values()]
    return types.NamedTuple(kinds, StepPasses)


@cache
def passes(number: types.Type, with_loops: bool) -> StepPasses:
    """Compiled passes for a number type, without those of loops unless `with_loops`."""
    nothing = ready(entry("variational.never", void())(never))
    table = {}
    for name, (function, signature) in signatures(number).items():
        if name == DRIVE or (name in LOOPS and not with_loops):
            table[name] = pointer(nothing, signature)
        else:
            compiled = entry(f"variational.{name}.{DOUBLES[number]}", signature)(function)
            table[name] = pointer(ready(compiled), signature)
    return StepPasses(**table)
