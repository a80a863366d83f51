"""Quantities with units, such as "30 deg/s" or "0.0019 slug ft^2", as numbers in SI units.

A unit is a product of known ones with whole powers: "kg m^2", "N m/rad", "1/s".  A slash divides by the one
unit after it.  Angles count as a dimension of their own, so that degrees are not taken for metres; where an
angle is expected they may be left out (N m for N m/rad), because radians are numbers.
"""

import math
import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from poinsot.model.checks import suggestion

Dimension = tuple[int, int, int, int]  # powers of kg, m, s, rad

POUND, FOOT, STANDARD_GRAVITY = Fraction("0.45359237"), Fraction("0.3048"), Fraction("9.80665")
NAUTICAL_MILE = Fraction(1852)
DEGREE = Fraction(math.pi / 180)
NUMBER = re.compile(r"\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?)\s*")
FACTOR = re.compile(
    r"\s*(?P<sign>[*/·]?)\s*(?P<unit>1|[A-Za-zµμ°]+[0-9]?)(?:(?:\^|\*\*)(?P<power>[+-]?[0-9]))?"
)
LONGEST = 100  # characters of a quantity
NOT_HERE = {
    "Hz": ": write rev/s or rad/s",
    "rps": ": write rev/s",
    **dict.fromkeys(("NM", "NMI"), ": write nmi for nautical miles, N m for a torque"),
    **dict.fromkeys(("knot", "knots", "kts"), ": write kn"),
}


class UnitError(ValueError):
    """What is wrong with a quantity."""


class Unit(NamedTuple):
    """A unit in SI units: how many, and of which dimension."""

    factor: Fraction
    dimension: Dimension

    def times(self, other: "Unit", power: int) -> "Unit":
        """Return this unit times a power of another one."""
        dimension = tuple(a + power * b for a, b in zip(self.dimension, other.dimension, strict=True))
        return Unit(self.factor * other.factor**power, dimension)  # type: ignore[arg-type]


ONE = Unit(Fraction(1), (0, 0, 0, 0))


def _table() -> dict[str, Unit]:
    """Return all units by name."""
    mass, length, time, angle = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
    force, energy, power = (1, 1, -2, 0), (1, 2, -2, 0), (1, 2, -3, 0)
    prefixed: dict[str, tuple[Fraction, Dimension]] = {
        "g": (Fraction(1, 1000), mass),
        "m": (Fraction(1), length),
        "s": (Fraction(1), time),
        "rad": (Fraction(1), angle),
        "N": (Fraction(1), force),
        "J": (Fraction(1), energy),
        "W": (Fraction(1), power),
    }
    prefixes = {"": 0, "k": 3, "M": 6, "G": 9, "c": -2, "m": -3, "u": -6, "µ": -6, "μ": -6, "n": -9}
    found = {
        prefix + name: Unit(factor * Fraction(10) ** exponent, dimension)
        for name, (factor, dimension) in prefixed.items()
        for prefix, exponent in prefixes.items()
    }
    others: dict[str, tuple[Fraction, Dimension]] = {
        **dict.fromkeys(("lb", "lbm"), (POUND, mass)),
        "oz": (POUND / 16, mass),
        "slug": (POUND * STANDARD_GRAVITY / FOOT, mass),
        "t": (Fraction(1000), mass),
        "ft": (FOOT, length),
        **dict.fromkeys(("in", "inch"), (FOOT / 12, length)),
        "yd": (FOOT * 3, length),
        "mi": (FOOT * 5280, length),
        "nmi": (NAUTICAL_MILE, length),
        **dict.fromkeys(("kn", "kt"), (NAUTICAL_MILE / 3600, (0, 1, -1, 0))),
        "min": (Fraction(60), time),
        **dict.fromkeys(("h", "hr"), (Fraction(3600), time)),
        **dict.fromkeys(("d", "day"), (Fraction(86400), time)),
        **dict.fromkeys(("deg", "°"), (DEGREE, angle)),
        **dict.fromkeys(("rev", "turn"), (Fraction(2 * math.pi), angle)),
        "arcmin": (DEGREE / 60, angle),
        "arcsec": (DEGREE / 3600, angle),
        "rpm": (Fraction(2 * math.pi) / 60, (0, 0, -1, 1)),
        "lbf": (POUND * STANDARD_GRAVITY, force),
        "kgf": (STANDARD_GRAVITY, force),
        "Nm": (Fraction(1), energy),
        "Ns": (Fraction(1), (1, 1, -1, 0)),
        "g0": (STANDARD_GRAVITY, (0, 1, -2, 0)),
    }
    return {**found, **{name: Unit(*unit) for name, unit in others.items()}, "1": ONE}


UNITS = _table()


@lru_cache(maxsize=1000)
def unit(text: str) -> Unit:
    """Return the unit of a text such as "kg m^2"; raise a UnitError that names what is not known."""
    found, at, text = ONE, 0, text.strip()
    text = text.replace("²", "^2").replace("³", "^3")
    while at < len(text):
        match = FACTOR.match(text, at)
        if match is None:
            raise UnitError(f"'{text[at:].strip()}' is not a unit (units look like kg m^2, deg/s, N m/rad)")
        name = match["unit"]
        if name not in UNITS:
            hint = NOT_HERE.get(name) or suggestion(name, UNITS)
            raise UnitError(f"unknown unit '{name}'{hint}")
        power = int(match["power"] or 1)
        found = found.times(UNITS[name], -power if match["sign"] == "/" else power)
        at = match.end()
    return found


def quantity(text: str, expected: tuple[str, ...]) -> float:
    """Return the number of a quantity in the SI unit that fits; raise a UnitError that says what does not."""
    if len(text) > LONGEST:
        raise UnitError(f"a quantity has at most {LONGEST} characters")
    match = NUMBER.match(text)
    if match is None:
        example = f"'1.5 {expected[0]}'" if expected and expected[0] != "1" else "1.5"
        raise UnitError(f"'{text}' is not a number with a unit, such as {example}")
    rest = text[match.end() :]
    if not rest:
        raise UnitError(f"'{text}' has no unit: write the number without quotes, or add one")
    given = unit(rest)
    for one in expected:
        wanted = unit(one).dimension
        if given.dimension == wanted or given.dimension == (*wanted[:3], 0):
            try:
                return float(match[1]) * float(given.factor)
            except OverflowError:
                raise UnitError(f"'{text}' is too large") from None
    what = " or ".join(expected) if expected != ("1",) else "a number without a unit"
    raise UnitError(f"'{rest.strip()}' is a unit of the wrong dimension, expected {what}")
