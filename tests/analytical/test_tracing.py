"""Lagrangians in Python that are traced and compiled, against the same functions in Python."""

import math

import numpy as np
import pytest

import poinsot as ps
from poinsot.analytical.compilation import program_of
from poinsot.model.programs.graph import Graph
from poinsot.model.programs.program import Program
from poinsot.model.programs.tangents import ONE, tangents
from poinsot.model.programs.trace import NoTraceError

an = ps.analytical
ATTITUDE = np.concatenate([np.zeros(3), np.eye(3).ravel()])
SYSTEMS = {  # system, coordinates, velocities
    "pendulum": (
        an.levi_civita(
            an.spaces.minimal(1),
            lambda x: np.eye(1),
            lambda x: -9.81 * np.cos(x[0]),
            lambda t, x, v: -0.1 * v,
        ),
        [1.0],
        [0.3],
    ),
    "circle": (
        an.levi_civita(an.spaces.circle(2.0), lambda x: 4 * np.eye(1), lambda x: 9.81 * x[1]),
        [2.0, 0.0],
        [0.3],
    ),
    "rigid body": (
        an.levi_civita(
            an.spaces.rigid_body(), lambda x: np.diag([1.0, 2, 3, 1, 1, 1]), lambda x: 9.81 * x[2]
        ),
        ATTITUDE,
        [1, 2, 0.1, 0, 0, 0],
    ),
    "moving support": (
        an.lagrange(
            an.spaces.minimal(1),
            lambda t, x, v: (v[0] ** 2 + 2 * v[0] * np.cos(x[0]) * np.sin(t)) / 2 + np.cos(x[0]),
        ),
        [0.4],
        [0.1],
    ),
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_accelerations(name: str) -> None:
    """Exact derivatives of the traced functions; in Python they are those of the complex step, or 1e-13."""
    system, x, v = SYSTEMS[name]
    x, v = np.array(x, dtype=float), np.array(v, dtype=float)
    program = program_of(system, ps.State(0.0, x, v))
    for t in (0.0, 1.7):
        found = np.array(program.evaluate("acceleration", t, x, v))
        assert np.abs(found - system.acceleration(t, x, v)).max() < 1e-11
        power = 0.0 if system.power is None else system.power(t, x, v)
        assert abs(program.evaluate("power", t, x, v)[0] - power) < 1e-14


def test_a_run_says_whether_it_is_compiled() -> None:
    system, x, v = SYSTEMS["pendulum"]
    run = ps.simulate(system, ps.State(0.0, x, v), "gauss3", step=0.01, until=2.0)
    assert run.reason == "equations compiled"
    calls = []

    def height(x: np.ndarray) -> float:
        calls.append(1)
        return -9.81 * np.cos(x[0])

    force = lambda t, x, v: -0.1 * v  # noqa: E731
    same = an.levi_civita(an.spaces.minimal(1), lambda x: np.eye(1), height, force)
    again = ps.simulate(same, ps.State(0.0, x, v), "gauss3", step=0.01, until=2.0)
    assert again.reason == ""
    assert len(calls) > 1000
    assert np.abs(run.final.q - again.final.q).max() < 1e-12
    assert np.abs(run.energy - run.work - run.energy[0]).max() < 1e-10


@pytest.mark.parametrize(
    "potential",
    [
        lambda x: math.cos(x[0]),
        lambda x: x[0] if x[0] > 0 else -x[0],
        lambda x: np.random.default_rng().normal() * x[0],
        lambda x: np.linalg.inv(np.diag(x))[0, 0],
        lambda x: min(x[0], 0.0),
    ],
    ids=["math", "branch", "random", "linalg", "min"],
)
def test_what_stays_in_python(potential: object) -> None:
    system = an.levi_civita(an.spaces.minimal(1), lambda x: np.eye(1), potential)  # type: ignore[arg-type]
    with pytest.raises(NoTraceError):
        program_of(system, ps.State(0.0, [1.0], [0.0]))


def test_other_numbers_need_no_new_program() -> None:
    """Numbers of a traced function are parameters: what is compiled is the same."""

    def system(k: float) -> an.System:
        return an.levi_civita(an.spaces.minimal(1), lambda x: np.eye(1), lambda x: k * x[0] ** 4)

    programs = [program_of(system(k), ps.State(0.0, [1.0], [0.0])) for k in (3.1, 4.7)]
    assert programs[0].digest == programs[1].digest
    found = [one.evaluate("acceleration", 0.0, [1.0], [0.0])[0] for one in programs]
    assert found == pytest.approx([-12.4, -18.8], rel=1e-15)


@pytest.mark.parametrize("name", [*ONE, "abs", "pow", "powers", "atan2", "hypot", "/"])
def test_derivatives(name: str) -> None:
    """Every rule against the complex step, or differences where there is none."""
    graph = Graph()
    x, y = graph.argument("x", 0), graph.argument("x", 1)
    place = [1.3, 0.6] if name in ("acosh", "log", "log10", "/") else [0.6, 0.7]
    made = {"pow": lambda: x**2.5, "powers": lambda: x**y, "/": lambda: x / y}
    node = made[name]() if name in made else graph.make(name, x, *([y] if name in ("atan2", "hypot") else []))
    slope = tangents([node], {x: 1.0, y: 0.5})[0]
    program = Program.of({"x": ["x", "y"]}, {"value": [node], "slope": [slope]})
    value = lambda s: program.evaluate("value", 0.0, [place[0] + s, place[1] + 0.5 * s])[0]  # noqa: E731
    near = an.derivatives.difference(lambda s: np.array([value(s[0])]), np.zeros(1), np.ones(1), 0.01)
    assert program.evaluate("slope", 0.0, place)[0] == pytest.approx(near[0], rel=1e-9)
