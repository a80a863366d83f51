"""Systems that are data: equations of motion as a straight-line program (`model.program`).

`ps.symbolic` makes them, a run compiles them, and an archive holds them; here they are a `System` whose
functions evaluate the program in Python, with the bits of the compiled field.  The results of a program are

    rate, acceleration, power, energy, mass        dx/dt, dz/dt, dW/dt, energy, mass matrix
    kinematics, constraints                        A and φ of redundant coordinates
    multipliers, residuals                         of constraints that forces hold: λ, and a ξ + a₀ or ψ
"""

from functools import partial
from typing import Any

import numpy as np

from poinsot.analytical.coordinates import Coordinates
from poinsot.analytical.equations import System, own_velocity
from poinsot.analytical.operators import Array
from poinsot.model.program import Program


def is_minimal(program: Program) -> bool:
    """Return whether the coordinates are minimal: dx/dt is z itself."""
    places = program.results["rate"]
    return [program.nodes[one] for one in places] == [("argument", "z", k) for k in range(program.sizes["z"])]


def _numbers(program: Program, name: str, t: float, x: Array, z: Any = ()) -> Array:
    return np.array(program.evaluate(name, t, x, z))


def _number(program: Program, name: str, t: float, x: Array, z: Array) -> float:
    return program.evaluate(name, t, x, z)[0]


def _response(program: Program, t: float, x: Array, z: Array, f: Array) -> Array:
    loaded = np.array(program.evaluate("acceleration", t, x, z, f))
    return loaded - _numbers(program, "acceleration", t, x, z)


def coordinates_of(program: Program) -> Coordinates:
    """Return the coordinates of a program."""
    n, size = program.sizes["z"], program.sizes["x"]
    if is_minimal(program):
        return Coordinates(size, lambda x: np.eye(n, dtype=x.dtype), left_inverse=lambda x: np.eye(n))

    def kinematics(x: Array) -> Array:
        return _numbers(program, "kinematics", 0.0, x).reshape(size, n)

    def constraints(x: Array) -> Array:
        return _numbers(program, "constraints", 0.0, x)

    return Coordinates(size, kinematics, constraints if program.results.get("constraints") else None)


def system_of(program: Program) -> System:
    """Return the system of a program: `ps.simulate` compiles it."""
    some: dict[str, Any] = {"energy": partial(_number, program, "energy")}
    if program.results.get("multipliers"):
        some["multipliers"] = partial(_numbers, program, "multipliers")
    return System(
        coordinates_of(program),
        own_velocity,
        partial(_numbers, program, "acceleration"),
        hamiltonian=some["energy"],
        power=partial(_number, program, "power"),
        response=partial(_response, program),
        program=program,
        **some,
    )
