"""Numbers that the caller of the time loop changes: a value, then its tangents along four directions.

With dual numbers, a step can be differentiated with respect to them.
"""

from numba import types

from poinsot.core.jit import Compiled, overload
from poinsot.core.numbers.arrays import Floats
from poinsot.core.numbers.dual4 import dual, dual4
from poinsot.core.numbers.v4d import from_lanes

NUMBERS = 5


def seeded(o: float, floats: Floats, k: int) -> float:
    """Number floats[k] in the type of o, as a dual number with its tangents."""
    return floats[k]


def _dual(o, floats, k):  # type: ignore[no-untyped-def]
    return dual(floats[k], from_lanes(floats[k + 1], floats[k + 2], floats[k + 3], floats[k + 4]))


@overload(seeded)
def _seeded(o: types.Type, floats: types.Type, k: types.Type) -> Compiled:
    return _dual if o is dual4 else (lambda o, floats, k: o + floats[k])
