"""Systems that are data: equations of motion as a straight-line program (`model.programs`).

`ps.symbolic` makes them, a run compiles them, and an archive holds them; here they are a `System` whose
functions evaluate the program in Python, with the bits of the compiled field.  The results of a program are

    rate, acceleration, power, energy, mass        dx/dt, dz/dt, dW/dt, energy, mass matrix
    kinematics, constraints                        A and φ of redundant coordinates
    multipliers, residuals                         of constraints that forces hold: λ, and a ξ + a₀ or ψ
    momentum, pull, force                          of minimal coordinates: ∂L/∂u, ∂L/∂x, forces without L
"""

from functools import partial
from typing import Any

import numpy as np

from poinsot.analytical.coordinates import Coordinates
from poinsot.analytical.operators import Array
from poinsot.analytical.system import System, own_velocity
from poinsot.errors import ScenarioError
from poinsot.model.checks import show
from poinsot.model.programs.program import Program
from poinsot.model.state import State

CONSISTENT = 1e-8  # residual of a constraint at the start, relative to its terms
SINGULAR = 1e-13  # smallest singular value of a mass matrix, scaled by its rows


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


def _slopes(program: Program, t: float, x: Array, u: Array) -> tuple[Array, Array]:
    return _numbers(program, "momentum", t, x, u), _numbers(program, "pull", t, x, u)


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


def check_start(program: Program, start: State) -> None:
    """Raise a ScenarioError if a state does not fit the system, or the equations have no solution there."""
    for what, given, names in (
        ("coordinates", start.q, program.arguments["x"]),
        ("velocities", start.v, program.arguments["z"]),
    ):
        if len(given) != len(names):
            raise ScenarioError(
                f"the state has {len(given)} {what}, expected {len(names)}: {', '.join(names)}, "
                f"got {show(given)}"
            )
    for name in ("constraints", "residuals"):
        for k, off in enumerate(_offsets(program, name, start)):
            if not off <= CONSISTENT:
                raise ScenarioError(
                    f"the start violates constraint {k + 1} of the system by {off:.2g} of its terms: "
                    "choose coordinates and velocities that satisfy it"
                )
    n = program.sizes["z"]
    M = _numbers(program, "mass", start.time, start.q, start.v).reshape(n, n)
    size = np.sqrt(np.maximum(np.abs(M).max(axis=1), 1e-300))
    with np.errstate(all="ignore"):
        scaled = M / np.outer(size, size)
        singular = not np.isfinite(scaled).all() or np.linalg.svd(scaled, compute_uv=False).min() < SINGULAR
    if singular:
        raise ScenarioError(
            f"the mass matrix is singular at the start, {', '.join(program.arguments['x'])} = "
            f"{show(start.q)}: these coordinates do not work there, choose others"
        )


def _offsets(program: Program, name: str, start: State) -> Array:
    """Return residuals relative to the sizes of their terms, which changes of each number tell."""
    if not program.results.get(name):
        return np.zeros(0)
    y, n = np.concatenate([start.q, start.v]), len(start.q)
    here = np.abs(_numbers(program, name, start.time, start.q, start.v))
    terms = np.zeros(len(here))
    for i in np.flatnonzero(y):
        ends = [y + h * y[i] * np.eye(len(y))[i] for h in (1e-5, -1e-5)]
        up, down = (_numbers(program, name, start.time, one[:n], one[n:]) for one in ends)
        terms += np.abs(up - down) / 2e-5
    return np.where(here > 0, here / max(float(terms.max()), 1e-300), 0.0)


def system_of(program: Program) -> System:
    """Return the system of a program: `ps.simulate` compiles it."""
    some: dict[str, Any] = {"energy": partial(_number, program, "energy")}
    if program.results.get("multipliers"):
        some["multipliers"] = partial(_numbers, program, "multipliers")
    if program.results.get("momentum"):
        some |= {"slopes": partial(_slopes, program), "force": partial(_numbers, program, "force")}
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
