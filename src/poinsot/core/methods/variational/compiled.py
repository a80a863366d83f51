"""The passes of a variational step, compiled and cached one by one for each number type.

They reach the time loop through function types, like the field of other methods: one large function would
be compiled, and optimised, several times over.  Trees without loops do not wait for what loops need.
"""

from functools import cache
from typing import Any, NamedTuple

from numba import boolean, int64, types, void

from poinsot.core.jit import entry, pointer, ready
from poinsot.core.methods.variational import increments, loads, passes
from poinsot.core.methods.variational import loops as ties
from poinsot.core.methods.variational import midpoint as middle
from poinsot.core.methods.variational.passes import BEFORE, Site
from poinsot.core.numbers.arrays import array_of
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.forces.table import FLOATS, INTS

CLEAR, TURN, NUDGE, LOGARITHMS, APPEND, MIDDLE, SHARED = range(7)
SE3, PRODUCT, INERTIA = range(3)  # what is factored: slopes of one of the kinetic terms, or the mass matrix


class Tools(NamedTuple):
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


def place(ints, floats, space, q, side):  # type: ignore[no-untyped-def]
    passes.place(Site(ints, floats, space), q, side)


def legendre(ints, floats, space, v, p):  # type: ignore[no-untyped-def]
    passes.legendre(Site(ints, floats, space), v, p)


def joints(what, ints, floats, a, b, c):  # type: ignore[no-untyped-def]
    """Operations on all increments, one after the other."""
    if what == CLEAR:
        increments.clear(ints, floats, a)
    elif what == TURN:
        increments.turn(ints, floats, a, b)
    elif what == NUDGE:
        increments.nudge(ints, floats, a, b)
    elif what == LOGARITHMS:
        increments.logarithms(ints, floats, a, b)
    elif what == APPEND:
        increments.append(ints, floats, a, b)
    elif what == MIDDLE:
        middle.middle(ints, floats, a, b, c)
    else:
        middle.shared(ints, floats, a, b, c)


def weigh(ints, floats, space, forced, side, Q, work):  # type: ignore[no-untyped-def]
    loads.weigh(Site(ints, floats, space), forced, side, Q, work)


def move(ints, floats, space, inc, product, g):  # type: ignore[no-untyped-def]
    """Displacements and momenta at both ends; g those before the step, times h."""
    site = Site(ints, floats, space)
    fine = passes.displace(site, inc)
    passes.momenta(site, product)
    passes.generalised(site, BEFORE, g)
    return fine


def generalised(ints, floats, space, side, g):  # type: ignore[no-untyped-def]
    passes.generalised(Site(ints, floats, space), side, g)


def factor(ints, floats, space, what, left, right, k):  # type: ignore[no-untyped-def]
    site = Site(ints, floats, space)
    if what == INERTIA:
        passes.inertias(site)
    else:
        passes.slopes(site, what == PRODUCT)
    passes.factor(site, left, right, k)


def solve(ints, floats, space, left, right, g):  # type: ignore[no-untyped-def]
    passes.solve(Site(ints, floats, space), left, right, g)


def read(ints, floats, space, rows, marks, scratch, side, work):  # type: ignore[no-untyped-def]
    ties.read(Site(ints, floats, space), rows, marks, scratch, side, work)


def push(ints, floats, space, rows, scratch, side, L, g):  # type: ignore[no-untyped-def]
    ties.push(Site(ints, floats, space), rows, scratch, side, L, g)


def prepare(ints, floats, space, rows, scratch, left, right):  # type: ignore[no-untyped-def]
    ties.prepare(Site(ints, floats, space), rows, scratch, left, right)


def correct(ints, floats, space, rows, scratch, right, y):  # type: ignore[no-untyped-def]
    ties.correct(Site(ints, floats, space), rows, scratch, right, y)


def never():  # type: ignore[no-untyped-def]
    """In the place of a tool that is not called: trees without loops."""


LOOPS = ("read", "push", "prepare", "correct")


def signatures(number: Any) -> dict[str, tuple[Any, Any]]:
    X, I = array_of(number), int64
    tree = INTS, FLOATS
    body = *tree, X
    return {
        "place": (place, void(*body, X, I)),
        "legendre": (legendre, void(*body, X, X)),
        "joints": (joints, void(I, *tree, X, X, X)),
        "weigh": (weigh, void(*body, boolean, I, X, FLOATS)),
        "move": (move, boolean(*body, X, boolean, X)),
        "generalised": (generalised, void(*body, I, X)),
        "factor": (factor, void(*body, I, I, I, X)),
        "solve": (solve, void(*body, I, I, X)),
        "read": (read, void(*body, INTS, FLOATS, X, I, FLOATS)),
        "push": (push, void(*body, INTS, X, I, X, X)),
        "prepare": (prepare, void(*body, INTS, X, I, I)),
        "correct": (correct, void(*body, INTS, X, I, X)),
    }


def tools_type(number: Any) -> Any:
    kinds = [types.FunctionType(signature) for _, signature in signatures(number).values()]
    return types.NamedTuple(kinds, Tools)


@cache
def tools(number: Any, closed: bool) -> Tools:
    """The tools, compiled; for trees without loops not all of them."""
    nothing = ready(entry("variational.never", void())(never))
    made = {}
    for name, (function, signature) in signatures(number).items():
        if name in LOOPS and not closed:
            made[name] = pointer(nothing, signature)
        else:
            known = entry(f"variational.{name}.{DOUBLES[number]}", signature)(function)
            made[name] = pointer(ready(known), signature)
    return Tools(**made)
