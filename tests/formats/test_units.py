"""Quantities with units: factors from their definitions, and mistakes that are told."""

import contextlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poinsot.formats.units import UnitError, quantity

RIGHT = {  # the definitions: pound and foot (1959), standard gravity (1901)
    ("30 deg/s", "rad/s"): math.radians(30.0),
    ("0.0019 slug ft^2", "kg m^2"): 0.0019 * (0.45359237 * 9.80665 / 0.3048) * 0.3048**2,
    ("60 rpm", "rad/s"): 2 * math.pi,
    ("2 rev/s", "rad/s"): 4 * math.pi,
    ("12 in", "m"): 0.3048,
    ("3 lbf", "N"): 3 * 0.45359237 * 9.80665,
    ("5 g/cm^3", "kg/m^3"): 5000.0,
    ("1 N m/deg", "N m/rad"): 180.0 / math.pi,
    ("7 N m", "N m/rad"): 7.0,
    ("-1.5e3 ms", "s"): -1.5,
    ("4 kN/mm", "N/m"): 4e6,
    ("1 g0", "m/s^2"): 9.80665,
    ("2 kg m²", "kg m^2"): 2.0,
    ("3 nmi", "m"): 5556.0,  # the international nautical mile (1929)
    ("36 kn", "m/s"): 18.52,
}


@pytest.mark.parametrize(("text", "unit"), RIGHT)
def test_a_quantity_is_converted_by_definition(text, unit):
    assert quantity(text, (unit,)) == pytest.approx(RIGHT[text, unit], rel=4e-16)


WRONG = {
    ("3 foot", "m"): "unknown unit 'foot'",
    ("3 metr", "m"): "unknown unit",
    ("3 kg", "m"): "wrong dimension, expected m",
    ("3 deg", "m"): "wrong dimension",
    ("3 m", "1"): "wrong dimension, expected a number without a unit",
    ("3 Hz", "rad/s"): "write rev/s or rad/s",
    ("3 NM", "m"): "write nmi for nautical miles",
    ("3 knots", "m/s"): "write kn",
    ("3", "m"): "has no unit",
    ("m", "m"): "is not a number with a unit",
    ("1 m^", "m"): "is not a unit",
    ("1 " + "m " * 60, "m"): "at most 100 characters",
    ("3 rad/s", "m/s"): "wrong dimension",
}


@pytest.mark.parametrize(("text", "unit"), WRONG)
def test_a_wrong_quantity_says_what_is_wrong(text, unit):
    with pytest.raises(UnitError, match=WRONG[text, unit]):
        quantity(text, (unit,))


@given(st.text("0123456789.eE+-/*^ kgmsradNftdeg°µ²", max_size=110))
def test_any_text_is_a_number_or_a_unit_error(text):
    with contextlib.suppress(UnitError):
        assert isinstance(quantity(text, ("kg m^2", "rad/s")), float)
