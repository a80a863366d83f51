"""Symbolic systems compiled: bits, methods, files, text, events, controllers, accuracy."""

import json
import math

import numpy as np
import pytest
import sympy as sp
from sympy.physics.mechanics import dynamicsymbols

import poinsot as ps
from poinsot.analytical.programs import system_of
from poinsot.model.programs.program import Program

t = dynamicsymbols._t
START = ps.State(0.0, [1.0, 2.0], [0.3, -0.1])


@pytest.fixture(scope="module")
def pendulum() -> ps.symbolic.System:
    """The double pendulum of the contract."""
    a, b = dynamicsymbols("a b")
    m1, m2, l1, l2, g = sp.symbols("m1 m2 l1 l2 g", positive=True)
    x1, y1 = l1 * sp.sin(a), -l1 * sp.cos(a)
    x2, y2 = x1 + l2 * sp.sin(b), y1 - l2 * sp.cos(b)
    T = m1 * (x1.diff(t) ** 2 + y1.diff(t) ** 2) / 2 + m2 * (x2.diff(t) ** 2 + y2.diff(t) ** 2) / 2
    V = m1 * g * y1 + m2 * g * y2
    values = {m1: 1.2, m2: 0.8, l1: 1.0, l2: 0.7, g: 9.81}
    return ps.symbolic.System([a, b], T - V, time=t, parameters=values)


def by_hand() -> ps.analytical.System:
    """The same Lagrangian as a Python function: an independent witness, which counts its calls."""
    calls = []

    def L(t, x, v):  # type: ignore[no-untyped-def]
        calls.append(t)  # what changes something is not compiled
        c, s = np.cos(x), np.sin(x)
        vx, vy = v[0] * c[0] + 0.7 * v[1] * c[1], v[0] * s[0] + 0.7 * v[1] * s[1]
        return 0.6 * v[0] ** 2 + 0.4 * (vx**2 + vy**2) + 9.81 * (1.2 * c[0] + 0.8 * (c[0] + 0.7 * c[1]))

    return ps.analytical.lagrange(ps.analytical.spaces.minimal(2), L)


def tree() -> tuple[ps.Mechanism, ps.State]:
    """The same pendulum as a mechanism; its second angle is relative to the first."""
    m = ps.Mechanism()
    for name, mass, length, parent, at in (("u", 1.2, 1.0, "world", 0.0), ("l", 0.8, 0.7, "u", -1.0)):
        body = ps.Body(mass, (0, 0, 0), (0, 0, -length))
        m.add(name, body, ps.Revolute((0, -1, 0)), parent=parent, at=(0, 0, at))
    return m, m.state({"u": dict(angle=1.0, rate=0.3), "l": dict(angle=1.0, rate=-0.4)})


def test_against_python_and_the_tree(pendulum: ps.symbolic.System) -> None:
    run = ps.simulate(pendulum, START, "gauss3", step=0.002, until=0.2)
    assert run.reason == "equations compiled"
    again = ps.simulate(by_hand(), START, "gauss3", step=0.002, until=0.2)
    assert again.reason == ""
    assert np.abs(run.final.q - again.final.q).max() < 1e-12
    m, start = tree()
    other = ps.simulate(m, start, "gauss3", step=0.002, until=2.0)
    run = ps.simulate(pendulum, START, "gauss3", step=0.002, until=2.0)
    assert np.abs(run.final.q - np.cumsum(other.final.q)).max() < 1e-10  # of the method: 1e-12 in 1000 steps
    assert np.ptp(run.energy) < 1e-12


@pytest.mark.parametrize("method", ["rk4", "cf4", "newmark", "radau2", "gauss2", "dop853"])
def test_methods(pendulum: ps.symbolic.System, method: str) -> None:
    """Those that call the field, in floats, lanes and duals, also those that move joints; their orders."""
    order = ps.method(method).order
    best = ps.simulate(pendulum, START, "gauss4", step=0.005, until=0.5).final.q
    off = [
        np.abs(ps.simulate(pendulum, START, method, step=h, until=0.5).final.q - best).max()
        for h in (0.02, 0.01)
    ]
    assert off[1] < 1e-9 or math.log2(off[0] / off[1]) > order - 0.5


def test_bits_of_python_and_of_the_compiler(pendulum: ps.symbolic.System) -> None:
    """The program in Python and the compiled field give the same bits: a step of rk4, to its rounding."""
    system = pendulum.system()
    h = 2.0**-30
    run = ps.simulate(pendulum, START, "rk4", step=h, steps=1)
    y = np.concatenate([START.q, START.v])
    k1 = system.field(0.0, y)
    k2 = system.field(h / 2, y + h / 2 * k1)
    k3 = system.field(h / 2, y + h / 2 * k2)
    k4 = system.field(h, y + h * k3)
    assert (
        np.abs(np.concatenate([run.final.q, run.final.v]) - (y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4))).max()
        < 1e-15
    )


def test_files_hold_operations_only(pendulum: ps.symbolic.System) -> None:
    """A program goes through JSON; what is not on the list is refused, and parameters recompile nothing."""
    program = pendulum.program
    data = json.loads(json.dumps(program.data()))
    again = Program.read(data)
    assert again.digest == program.digest
    assert again.evaluate("acceleration", 0.0, START.q, START.v) == program.evaluate(
        "acceleration", 0.0, START.q, START.v
    )
    run = ps.simulate(system_of(again), START, "gauss3", step=0.002, until=0.1)
    assert (run.final.q == ps.simulate(pendulum, START, "gauss3", step=0.002, until=0.1).final.q).all()
    other = program.with_values([2.0, *program.values[1:]])
    assert other.digest == program.digest
    assert other.evaluate("energy", 0.0, START.q, START.v) != program.evaluate(
        "energy", 0.0, START.q, START.v
    )
    wrong = ["eval", 0], ["sin", 10**6], ["sin", -1], ["+", 0], ["argument", "os", 0], ["number", "1"], []
    for bad in (*wrong, ["number", float("inf")]):
        nodes = [*data["nodes"][:-1], bad]
        with pytest.raises(ps.ModelError, match="not allowed"):
            Program.read({**data, "nodes": nodes})
    for bad in ({}, {"nodes": 3}, None, {**data, "results": {"rate": [10**9]}}, {**data, "values": ["x"]}):
        with pytest.raises(ps.ModelError, match="program"):
            Program.read(bad)


def test_text_of_the_equations(pendulum: ps.symbolic.System) -> None:
    """The texts compute what the program does; C is compiled if there is a compiler."""
    want = [*START.v, *pendulum.program.evaluate("acceleration", 0.0, START.q, START.v)]
    for source in (pendulum.to_python(), pendulum.to_numpy()):
        names: dict[str, object] = {}
        exec(compile(source, "text", "exec"), names)
        found = names["field"](0.0, START.q, START.v)  # type: ignore[operator]
        assert np.abs(np.array(found) - want).max() < 1e-13
    assert "void field(double t" in pendulum.to_c()
    assert "f[" not in pendulum.to_c()
    assert pendulum.latex().startswith("\\begin{aligned}")
    assert pendulum._repr_latex_().startswith("$")


def test_events_and_accuracy(pendulum: ps.symbolic.System) -> None:
    zero = ps.Event("q[0]", name="zero")
    late = ps.Event(lambda t, state: state.q[1] - 0.5, direction=-1, name="late")
    run = ps.simulate(pendulum, START, "gauss3", step=0.01, until=1.0, events=[zero, late])
    assert abs(run.events["zero"].states[0].q[0]) < 1e-15
    assert abs(run.events["late"].states[0].q[1] - 0.5) < 1e-14
    back = ps.Event("q[0]", name="back", reset=lambda t, state: ps.State(t, state.q, -state.v))
    again = ps.simulate(pendulum, START, "gauss3", step=0.01, until=1.0, events=[back])
    assert len(again.events["back"]) == 1
    good = ps.simulate(pendulum, START, until=1.0, accuracy=1e-8)
    best = ps.simulate(pendulum, START, "gauss4", step=0.001, until=1.0)
    assert np.abs(good.final.q - best.final.q).max() < 1e-8
    assert good.step > 0.005
    with pytest.raises(ps.ScenarioError, match="unknown name"):
        ps.simulate(pendulum, START, step=0.01, until=1.0, events=[ps.Event("nonsense")])


def test_controllers(pendulum: ps.symbolic.System) -> None:
    """An input whose matrix can be traced is compiled; one that uses `math` stays in Python: the same run."""

    def hold(t, state, memory):  # type: ignore[no-untyped-def]
        return [-3 * state.q[0] - state.v[0]], memory

    runs = []
    for B in (
        lambda t, x: np.array([[1.0], [np.cos(x[0])]]),
        lambda t, x: np.array([[1.0], [math.cos(x[0])]]),
    ):
        motor = ps.analytical.InputForce(B, limit=5.0)
        controller = ps.Controller(hold, period=0.02, inputs=[motor])
        runs.append(ps.simulate(pendulum, START, "gauss3", step=0.01, until=0.5, controller=controller))
    assert [run.reason for run in runs] == ["equations compiled", ""]
    assert np.abs(runs[0].final.q - runs[1].final.q).max() < 1e-13
    assert np.abs(runs[0].energy - runs[0].work - runs[0].energy[0]).max() < 1e-8


def test_archive(pendulum: ps.symbolic.System, tmp_path) -> None:  # type: ignore[no-untyped-def]
    """Archives load without SymPy's objects, and go on to the same bits."""
    run = ps.simulate(pendulum, START, "gauss3", step=0.002, until=0.2)
    loaded = ps.load(run.save(tmp_path / "p.poinsot"))
    assert (loaded.energy == run.energy).all()
    assert (loaded.x == run.x).all()
    ends = [
        ps.simulate(system, state, "gauss3", step=0.002, until=0.3).final.q
        for system, state in ((pendulum, run.final), (loaded.system, loaded.final))
    ]
    whole = ps.simulate(pendulum, START, "gauss3", step=0.002, until=0.3).final.q
    assert (np.array(ends) == whole).all()


def test_rheonomic_forces_and_linearization() -> None:
    """Explicit time, dissipation, forces by name; the linear model about a motion, against differences."""
    x = dynamicsymbols("x")
    m, k, c, w = sp.symbols("m k c w")
    S = ps.symbolic.System(
        [x], m * x.diff(t) ** 2 / 2 - k * x**4 / 4, dissipation=c * x.diff(t) ** 2 / 2,
        forces={x: sp.sin(w * t)}, parameters={m: 2.0, k: 3.0, c: 0.1, w: 1.3}, time=t,
    )  # fmt: skip
    expected = m * x.diff(t, 2) + k * x**3 + c * x.diff(t) - sp.sin(w * t)
    assert sp.simplify(S.equations[0] - expected) == 0
    assert S.linearize({x: 2, x.diff(t): 0}) == sp.Matrix([[0, 1], [-12 * k / m, -c / m]])
    run = ps.simulate(S, ps.State(0.0, [1.0], [0.0]), "gauss3", step=0.01, until=2.0)
    assert np.abs(run.energy - run.work - run.energy[0]).max() < 1e-9
    F = np.array(S.linearize(run.final).subs(S.parameters), dtype=float)
    G = S.system().linearize(2.0, run.final.q, run.final.v)
    assert np.abs(F - G).max() < 1e-8
