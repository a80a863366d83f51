"""What is wrong with a system is said when it is built, in one line."""

import numpy as np
import pytest
import sympy as sp
from sympy.physics.mechanics import dynamicsymbols

import poinsot as ps
from poinsot.symbolic.simplification import Simplifier

t = dynamicsymbols._t
x, y = dynamicsymbols("x y")
m, k = sp.symbols("m k")
FREE = m * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2


def refused(match: str, *given: object, **options: object) -> None:
    with pytest.raises(ps.PoinsotError, match=match) as error:
        ps.symbolic.System(*given, time=t, **options)  # type: ignore[arg-type]
    assert "\n" not in str(error.value)


def test_unknown_symbols() -> None:
    refused("unknown symbol 'k'.*parameters=", [x], m * x.diff(t) ** 2 - k * x**2, parameters={m: 1.0})
    refused("unknown symbol 'y", [x], x.diff(t) ** 2 - y**2)
    refused("no coordinate, velocity or rate", [x], x.diff(t, 2) ** 2)
    S = ps.symbolic.System([x], m * x.diff(t) ** 2, time=t, parameters=[m])
    with pytest.raises(ps.ModelError, match="give the values of m"):
        ps.simulate(S, ps.State(0.0, [0.0], [0.0]), step=0.1, until=1.0)
    S = ps.symbolic.System([x], x.diff(t) ** 2, time=t, forces=[sp.Heaviside(x)])
    with pytest.raises(ps.ModelError, match=r"'Heaviside' in .* cannot be compiled: use abs, "):
        ps.simulate(S, ps.State(0.0, [0.0], [0.0]), step=0.1, until=1.0)


def test_singular_mass_matrix() -> None:
    refused("no inertia to Derivative\\(y", [x, y], m * x.diff(t) ** 2, parameters={m: 1.0})
    both = (x.diff(t) + y.diff(t)) ** 2
    refused("a combination of", [x, y], both)
    S = ps.symbolic.System([x, y], x.diff(t) ** 2 + sp.sin(x) ** 2 * y.diff(t) ** 2, time=t)
    with pytest.raises(ps.ScenarioError, match="singular at the start, x, y = "):
        ps.simulate(S, ps.State(0.0, [0.0, 0.0], [0.0, 0.0]), step=0.1, until=1.0)
    cross = ps.symbolic.System([x, y], x.diff(t) * y.diff(t) - x * y, time=t)  # indefinite, but regular
    run = ps.simulate(cross, ps.State(0.0, [1.0, 0.5], [0.0, 0.0]), "gauss3", step=0.01, until=1.0)
    assert np.abs(run.final.q - np.cos(1.0) * np.array([1.0, 0.5])).max() < 1e-12


def test_constraints_that_cannot_hold() -> None:
    given = {"parameters": {m: 1.0}}
    refused("inconsistent", [x, y], FREE, constraints=[x, x - 1], **given)
    refused("inconsistent", [x, y], FREE, constraints=[x**2 + 1], **given)
    refused("contradicts the others or follows", [x, y], FREE, constraints=[x - y, 2 * x - 2 * y], **given)
    refused("no coordinate", [x, y], FREE, constraints=[m - 1], **given)
    refused("linear in the velocities", [x, y], FREE, constraints=[x.diff(t) ** 2 - y.diff(t)], **given)
    S = ps.symbolic.System([x, y], FREE, constraints=[x**2 + y**2 - 1], time=t, **given)
    with pytest.raises(ps.ScenarioError, match="violates constraint 1"):
        ps.simulate(S, ps.State(0.0, [1.0, 1.0], [0.0, 0.0]), step=0.1, until=1.0)
    with pytest.raises(ps.ScenarioError, match="expected 2: x, y"):
        ps.simulate(S, ps.State(0.0, [1.0], [0.0, 0.0]), step=0.1, until=1.0)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e6])
def test_holonomic_constraint_of_any_size(scale: float) -> None:
    """A pendulum in the plane, held by a multiplier: its tension in closed form, in mm and in Mm."""
    g, l = sp.symbols("g l")
    L = FREE - m * g * y
    S = ps.symbolic.System(
        [x, y], L, constraints=[x**2 + y**2 - l**2], time=t, parameters={m: 2.0, g: 9.81 * scale, l: scale}
    )
    start = ps.State(0.0, [scale, 0.0], [0.0, 0.0])
    run = ps.simulate(S, start, "gauss3", step=0.002, until=0.5)
    assert np.abs(np.hypot(*run.x.T) / scale - 1).max() < 1e-9
    force = run.multipliers[:, 0] * 2 * scale  # along the rod, outwards; -3 m g cos from the horizontal
    assert np.abs(force / scale - 3 * 2.0 * 9.81 * run.x[:, 1] / scale).max() < 1e-6


def test_simplification_is_bounded() -> None:
    """What takes too long comes back as it is, with a note."""

    def never(one: object) -> object:
        while True:
            sp.sin(1)

    simple = Simplifier(0.2)
    assert simple("answer", sp.Symbol("a"), never) == sp.Symbol("a")
    assert simple.notes == ("answer is not simplified: it takes longer than 0.2 s",)
    S = ps.symbolic.System([x], x.diff(t) ** 2 * sp.sin(x) ** 4, time=t, patience=1e-9)
    assert sp.simplify(S.mass_matrix[0] - 2 * sp.sin(x) ** 4) == 0
    assert "mass_matrix" in S.notes[0]


def test_names_cannot_carry_code() -> None:
    evil = sp.Symbol("m); import os; print(")
    refused("cannot be a name", [x], evil * x.diff(t) ** 2, parameters={evil: 1.0})
    refused("cannot be a name", [sp.Function("a\nb")(t)], 0)
    refused("not a string", [x], "__import__('os').system('true')")
    refused("two things have the name 'x'", [x], x.diff(t) ** 2, parameters={sp.Symbol("x"): 1.0})
    greek = sp.Symbol(r"\Theta_{x}")
    S = ps.symbolic.System([x], greek * x.diff(t) ** 2, time=t, parameters={greek: 1.0})
    assert "Theta_x" in S.to_c()


def test_trees_that_are_too_large() -> None:
    chain = ps.Mechanism()
    for i in range(7):
        chain.add(
            f"b{i}", ps.Body(1.0, (1, 1, 1)), ps.Revolute((0, 1, 0)), parent=f"b{i - 1}" if i else "world"
        )
    with pytest.raises(ps.ModelError, match=r"7 freedoms.*use ps\.dynamics"):
        ps.symbolic.of(chain)
    arm = ps.Mechanism().add("arm", ps.Body(1.0, (1, 1, 1)), ps.Revolute((0, 1, 0)))
    arm.apply(ps.Spring("arm", "world", 1.0))
    with pytest.raises(ps.ModelError, match="does not know"):
        ps.symbolic.of(arm)
    with pytest.raises(ps.ModelError, match=r"unknown parameter 'arm\.mas'"):
        ps.symbolic.of(arm, parameters=["arm.mas"])
