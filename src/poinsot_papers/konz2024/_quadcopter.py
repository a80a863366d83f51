"""The quadcopter of the gallery with matched poles: mechanism, inputs and the body of its template."""

from typing import Any, NamedTuple

import poinsot as ps

TORQUE = 2.45e-7 / 1.44e-5  # torque per thrust [m]
ARM = 0.24


class Copter(NamedTuple):
    """A vehicle with its inputs and the template that it flies with."""

    mechanism: ps.Mechanism
    inputs: list[Any]
    pair: Any


def quadcopter(
    slow: tuple[float, float] = (4.0, 0.8),
    fast: tuple[float, float] = (20.0, 0.8),
    limit: tuple[float, float] | None = None,
) -> Copter:
    """Return the quadcopter; poles are frequencies [rad/s] with damping ratios, the limit is in N."""
    places = [(ARM, 0.0, 0.0), (0.0, ARM, 0.0), (-ARM, 0.0, 0.0), (0.0, -ARM, 0.0)]
    inputs = [
        ps.Thrust("copter", at, (0.0, 0.0, 1.0), spin * TORQUE, limit, name="rotors")
        for at, spin in zip(places, (1, -1, 1, -1), strict=True)
    ]
    body = ps.Body(1.001, (17.9e-3, 18e-3, 30.7e-3))
    pair = ps.control.matched_pair("copter", 1.001, slow, fast, (6.0, 1.0), 0.0307)
    return Copter(ps.Mechanism().add("copter", body, ps.Free()), inputs, pair)
