"""Coefficients of symmetric compositions: steps c_1 h, c_2 h, ... of a method of order 2 have a higher order.

SUZUKI4    z, z, 1 - 4z, z, z,   z = 1/(4 - 4^(1/3))                       order 4 (Suzuki 1990)
KAHAN_LI6  g1 g2 g3 g4 g5 g4 g3 g2 g1                                      order 6 (Kahan & Li 1997)
"""

from typing import NamedTuple

from poinsot.elementary.power import cbrt


class Composition(NamedTuple):
    """Fractions of a step in a composition, its order, and its citation."""

    order: int
    coefficients: tuple[float, ...]
    citation: str


ONE = Composition(2, (1.0,), "")  # no composition
_Z = 1.0 / (4.0 - cbrt(4.0))
SUZUKI4 = Composition(4, (_Z, _Z, 1.0 - 4.0 * _Z, _Z, _Z), "suzuki1990fractal")
_G1, _G2, _G3 = 0.39216144400731413928, 0.33259913678935943860, -0.70624617255763935981
_G4, _G5 = 0.082213596293550800230, 0.79854399093482996340
KAHAN_LI6 = Composition(6, (_G1, _G2, _G3, _G4, _G5, _G4, _G3, _G2, _G1), "kahan1997composition")
