"""The compiled passes of a tree at the nodes of a step, for a number type."""

from functools import cache
from typing import NamedTuple

from numba import types, void

from poinsot.core.jit import Compiled, entry, pointer, ready
from poinsot.core.methods.sgauss.passes import absolute, factor, momenta, relative, solve
from poinsot.core.methods.variational.tables import Site
from poinsot.core.numba_parts.internals import Signature
from poinsot.core.numbers.arrays import array_of
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.forces.table import force_type, user_type
from poinsot.core.tree.records import MODEL


class StagePasses(NamedTuple):
    """The compiled passes."""

    momenta: Compiled
    relative: Compiled
    absolute: Compiled
    factor: Compiled
    solve: Compiled


def _relative(model, places, z, x, workspace):  # type: ignore[no-untyped-def]
    relative(model, places, z, x, workspace)


def _absolute(model, places, x, z, workspace):  # type: ignore[no-untyped-def]
    absolute(model, places, x, z, workspace)


def _momenta(model, t, z, x, places, p, f, force, user, workspace):  # type: ignore[no-untyped-def]
    return momenta(model, t, z, x, places, p, f, force, user, workspace)


def _factor(model, z, zeros, space, workspace):  # type: ignore[no-untyped-def]
    factor(Site(model, space), z, zeros, workspace)


def _solve(model, p, workspace):  # type: ignore[no-untyped-def]
    solve(Site(model, workspace), p)


def signatures(number: types.Type) -> dict[str, tuple[Compiled, Signature]]:
    """Functions and signatures of the passes for a number type."""
    X, functions = array_of(number), (force_type(number), user_type(number))
    return {
        "momenta": (_momenta, number(MODEL, number, X, X, X, X, X, *functions, X)),
        "relative": (_relative, void(MODEL, X, X, X, X)),
        "absolute": (_absolute, void(MODEL, X, X, X, X)),
        "factor": (_factor, void(MODEL, X, X, X, X)),
        "solve": (_solve, void(MODEL, X, X)),
    }


def passes_type(number: types.Type) -> types.NamedTuple:
    """Numba's type of `Passes` for a number type."""
    kinds = [types.FunctionType(signature) for _, signature in signatures(number).values()]
    return types.NamedTuple(kinds, StagePasses)


@cache
def passes(number: types.Type, with_loops: bool) -> StagePasses:
    """Compiled passes for a number type."""
    made = {}
    for name, (function, signature) in signatures(number).items():
        compiled = entry(f"sgauss.{name}.{DOUBLES[number]}", signature)(function)
        made[name] = pointer(ready(compiled), signature)
    return StagePasses(**made)
