"""Programs (`model.programs`) as fields of the core: equations of motion of a user's own system, compiled.

    y = (x, z, W),    x. = rate,    z. = acceleration,    W. = power                                (1)

The constants of the program, then the inputs that a controller holds, stand in the floats of the model behind
those of its joints.  In the place of dz/dt, f holds generalized forces that act besides (`field.LOADED`).
"""

from typing import Any

import numpy as np
from numba import float64, types

from poinsot.compile.functions.users import KEPT, key_of
from poinsot.core.jit import COMPILED, Compiled, foreign, jit
from poinsot.core.numbers import mathematics as mathematics  # teaches Numba `math` for lanes and duals
from poinsot.core.numbers.arrays import segment, zero_in
from poinsot.core.numbers.trigonometry import sincos
from poinsot.core.tree.field import LOADED, RATE, field_type
from poinsot.model.checks import Array
from poinsot.model.programs.program import Program

ALL = ("rate", "acceleration", "power")


def helper(program: Program, names: tuple[str, ...]) -> Any:
    """Return the function that writes these results, as a helper of the core."""
    found = program.function(names)
    if not COMPILED:
        return found
    twin = vars(found)["to_compile"]
    twin.__module__ = __name__  # one that Numba finds
    twin.__globals__["sincos"] = sincos  # also of duals
    made: Any = jit(twin)
    made.opaque_to_kernels = True  # the key of the kernel says what it is
    return made


_fields: dict[tuple[str, int, types.Type], Compiled] = {}


def field(program: Program, first: int, number: types.Type = float64) -> Compiled:
    """Return the field (1) of a program for a number type; its constants are at floats[first]."""
    key = program.digest, first, number
    if key not in _fields:
        if len(_fields) >= KEPT:
            _fields.clear()
        _fields[key] = _field(program, first, number)
    return _fields[key]


def _field(program: Program, first: int, number: types.Type) -> Compiled:
    rates, everything = helper(program, ("rate",)), helper(program, ALL)
    nq, nv, count = len(program.results["rate"]), program.sizes["z"], len(program.constants)
    held = first + count, program.sizes.get("u", 0)

    def evaluate(part, t, y, f, force, user, model):  # type: ignore[no-untyped-def]
        o = zero_in(y)
        x, z, c = segment(y, 0, nq), segment(y, nq, nv), segment(model.floats, first, count)
        load, u = segment(f, nq, nv), segment(model.floats, held[0], held[1])
        if part == RATE:
            rates(t, x, z, load, u, c, o, f)
        else:
            if part != LOADED:
                for i in range(nv):
                    load[i] = o
            everything(t, x, z, load, u, c, o, f)

    key = key_of("program", program.digest, first) if COMPILED else ""
    return foreign(evaluate, field_type(number).signature, key)


def constants(program: Program) -> Array:
    """Return what stands at floats[first]."""
    return np.array(program.constant_values, dtype=float)
