"""The passes of a variational step, compiled and cached one by one for each number type.

They reach the time loop through function types, like the field of other methods: one large function would
be compiled, and optimised, several times over.  Trees without loops do not wait for what loops need.
"""

from functools import cache
from typing import Any, NamedTuple

from numba import boolean, int64, types, void

from poinsot.core.jit import entry, pointer, ready
from poinsot.core.methods.variational import increments, loads, loops, midpoint
from poinsot.core.methods.variational import passes as sweeps
from poinsot.core.methods.variational.passes import BEFORE, Site
from poinsot.core.numbers.arrays import array_of
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.records import MODEL

CLEAR, UPDATE, NUDGE, LOGARITHMS, APPEND, MIDDLE, SHARED = range(7)
SE3, PRODUCT, INERTIA = range(3)  # what is factored: slopes of one of the kinetic terms, or the mass matrix


class Passes(NamedTuple):
    place: Any
    legendre: Any
    joints: Any
    weigh: Any
    move: Any
    generalised: Any
    factor: Any
    solve: Any
    read: Any
    push: Any
    prepare: Any
    correct: Any


def place(model, workspace, q, side):  # type: ignore[no-untyped-def]
    sweeps.place(Site(model, workspace), q, side)


def legendre(model, workspace, v, p):  # type: ignore[no-untyped-def]
    sweeps.legendre(Site(model, workspace), v, p)


def joints(what, model, a, b, c):  # type: ignore[no-untyped-def]
    """Operations on all increments, one after the other."""
    if what == CLEAR:
        increments.clear(model, a)
    elif what == UPDATE:
        increments.update(model, a, b)
    elif what == NUDGE:
        increments.nudge(model, a, b)
    elif what == LOGARITHMS:
        increments.logarithms(model, a, b)
    elif what == APPEND:
        increments.append(model, a, b)
    elif what == MIDDLE:
        midpoint.middle(model, a, b, c)
    else:
        midpoint.shared(model, a, b, c)


def weigh(model, workspace, forced, side, Q):  # type: ignore[no-untyped-def]
    loads.weigh(Site(model, workspace), forced, side, Q)


def move(model, workspace, inc, product, g):  # type: ignore[no-untyped-def]
    """Displacements and momenta at both ends; g those before the step, times h."""
    site = Site(model, workspace)
    fine = sweeps.displace(site, inc)
    sweeps.momenta(site, product)
    sweeps.generalised(site, BEFORE, g)
    return fine


def generalised(model, workspace, side, g):  # type: ignore[no-untyped-def]
    sweeps.generalised(Site(model, workspace), side, g)


def factor(model, workspace, what, left, right, k):  # type: ignore[no-untyped-def]
    site = Site(model, workspace)
    if what == INERTIA:
        sweeps.inertias(site)
    else:
        sweeps.slopes(site, what == PRODUCT)
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
    """In the place of a pass that is not called: trees without loops."""


LOOPS = ("read", "push", "prepare", "correct")


def signatures(number: Any) -> dict[str, tuple[Any, Any]]:
    X, I = array_of(number), int64
    body = MODEL, X
    return {
        "place": (place, void(*body, X, I)),
        "legendre": (legendre, void(*body, X, X)),
        "joints": (joints, void(I, MODEL, X, X, X)),
        "weigh": (weigh, void(*body, boolean, I, X)),
        "move": (move, boolean(*body, X, boolean, X)),
        "generalised": (generalised, void(*body, I, X)),
        "factor": (factor, void(*body, I, I, I, X)),
        "solve": (solve, void(*body, I, I, X)),
        "read": (read, void(*body, X, I)),
        "push": (push, void(*body, X, I, X, X)),
        "prepare": (prepare, void(*body, X, I, I)),
        "correct": (correct, void(*body, X, I, X)),
    }


def passes_type(number: Any) -> Any:
    kinds = [types.FunctionType(signature) for _, signature in signatures(number).values()]
    return types.NamedTuple(kinds, Passes)


@cache
def passes(number: Any, closed: bool) -> Passes:
    """The passes, compiled; for trees without loops not all of them."""
    nothing = ready(entry("variational.never", void())(never))
    made = {}
    for name, (function, signature) in signatures(number).items():
        if name in LOOPS and not closed:
            made[name] = pointer(nothing, signature)
        else:
            compiled = entry(f"variational.{name}.{DOUBLES[number]}", signature)(function)
            made[name] = pointer(ready(compiled), signature)
    return Passes(**made)
