"""Systems of one's own through `ps.simulate`: closed forms, the compiled tree, mistakes, same bits."""

from typing import Any

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

import poinsot as ps
from poinsot.analytical import Coordinates, System, gibbs_appell, hamilton, lagrange, levi_civita, spaces
from poinsot.core.methods import ALL
from poinsot.simulation.analytical import usable_methods
from poinsot.simulation.discrete import STEPS_OF

G = 9.81
ORDER = {"gauss1": 2, "gauss2": 4, "gauss3": 6, "gauss4": 8, "rk4": 4}
MOMENTS = np.array([1.0, 2.0, 2.5])


def circle() -> Coordinates:
    return Coordinates(
        2, lambda x: np.array([[-x[1]], [x[0]]]), lambda x: np.array([x[0] ** 2 + x[1] ** 2 - 1])
    )


def pendulum() -> System:
    """A particle of mass 1 on the unit circle, weight along -x2."""
    return levi_civita(circle(), lambda x: np.array([[1.0]]) + 0 * x[0], lambda x: G * x[1])


def released(angle: float) -> ps.State:
    """At rest, so far from the lowest point."""
    return ps.State(0.0, np.array([np.sin(angle), -np.cos(angle)]), np.zeros(1))


def swinging(time: Any, angle: float) -> Any:
    k = np.sin(angle / 2)
    return 2 * np.arcsin(k * ellipj(ellipk(k**2) - np.sqrt(G) * time, k**2)[0])


def free_body(coordinates: Coordinates) -> System:
    return levi_civita(coordinates, lambda x: np.diag(MOMENTS) + 0 * x[0])


def two_rods() -> System:
    """The planar double pendulum of two rods, 1 kg and 1 m each, angles against the vertical."""

    def mass(q: Any) -> Any:
        c = np.cos(q[0] - q[1]) / 2
        return np.array([[4 / 3 + 0 * c, c], [c, 1 / 3 + 0 * c]])

    return levi_civita(spaces.minimal(2), mass, lambda q: -G * (1.5 * np.cos(q[0]) + 0.5 * np.cos(q[1])))


def test_a_particle_on_a_circle_is_where_elliptic_functions_say() -> None:
    run = ps.simulate(pendulum(), released(2.0), "gauss3", step=0.01, until=5)
    found = np.arctan2(run.x[:, 0], -run.x[:, 1])
    np.testing.assert_allclose(found, swinging(run.time, 2.0), atol=1e-9)  # measured 3e-11
    assert np.ptp(run.energy) < 1e-9  # an order-6 method in a band
    assert run.constraint.max() < 1e-13  # a quadratic invariant
    assert run.drift().relative_band < 1e-9
    assert run.x.shape == (501, 2)
    assert run.velocity.shape == (501, 1)
    assert run.final.time == pytest.approx(5.0)


@pytest.mark.parametrize("method", usable_methods())
def test_every_able_method_has_its_order(method: str) -> None:
    """Errors against the elliptic pendulum at two steps; an adaptive method is at its tolerance at once."""
    start, until = released(1.0), 1.6
    steps = (
        (0.02,) if method not in ORDER else {2: (0.02, 0.01), 4: (0.04, 0.02)}.get(ORDER[method], (0.2, 0.1))
    )
    errors = []
    for h in steps:
        final = ps.simulate(pendulum(), start, method, step=h, until=until, every=10**6).final
        errors.append(abs(np.arctan2(final.q[0], -final.q[1]) - swinging(until, 1.0)))
    if method in ORDER:
        assert min(errors) > 1e-13, "at rounding: the quotient would measure noise"
        assert np.log2(errors[0] / errors[1]) == pytest.approx(ORDER[method], abs=0.4)
    else:
        assert errors[0] < 1e-10


def test_auto_is_a_gauss_method() -> None:
    assert ps.simulate(pendulum(), released(1.0), step=0.1, steps=1).method.name == "gauss3"
    assert set(ORDER) < set(usable_methods())


def test_the_double_pendulum_is_that_of_the_compiled_tree() -> None:
    rod = ps.Body(1.0, (1 / 12, 1 / 12, 0.0), center_of_mass=(0, 0, -0.5))
    m = ps.Mechanism()
    m.add("upper", rod, ps.Revolute((1, 0, 0)))
    m.add("lower", rod, ps.Revolute((1, 0, 0)), parent="upper", at=(0, 0, -1))
    start = m.state({"upper": dict(angle=1.0, rate=0.3), "lower": dict(angle=-0.4)})
    q, v = np.cumsum(start.q), np.cumsum(start.v)
    tree = ps.simulate(m, start, "gauss3", step=0.01, until=2)
    own = ps.simulate(two_rods(), ps.State(0.0, q, v), "gauss3", step=0.01, until=2)
    joints = np.column_stack([tree.joint("upper"), tree.joint("lower")])
    assert own.x == pytest.approx(np.cumsum(joints, axis=1), abs=2e-9)  # both are off by h^6; measured 2e-11
    assert own.energy[0] == pytest.approx(tree.energy[0], rel=1e-13)
    fine = ps.simulate(two_rods(), ps.State(0.0, q, v), "dop853", step=2.0, until=2)
    assert fine.final.q == pytest.approx(own.final.q, abs=1e-9)


@pytest.mark.parametrize("chart", ["rotation_matrix", "unit_quaternion"])
def test_a_turning_body_is_that_of_the_exact_method(chart: str) -> None:
    """In nine or four coordinates, against Jacobi's elliptic functions of the method `exact`."""
    R = ps.so3.exp((0.3, -0.5, 0.2))
    w = np.array([0.4, 2.0, 0.1])
    m = ps.Mechanism(gravity=(0, 0, 0))
    m.add("body", ps.Body(1.0, MOMENTS), ps.Spherical())
    exact = ps.simulate(
        m, m.state({"body": dict(rotation=R, angular_velocity=w)}), "exact", step=0.02, until=5
    )
    matrix = chart == "rotation_matrix"
    x = spaces.columns(R) if matrix else exact.joint("body")[0]
    run = ps.simulate(free_body(getattr(spaces, chart)()), ps.State(0.0, x, w), "gauss4", step=0.02, until=5)
    turned = [spaces.matrix(z) for z in run.x] if matrix else ps.quaternion.matrix(run.x)
    assert np.array(turned) == pytest.approx(exact.rotation("body"), abs=1e-11)
    assert run.velocity == pytest.approx(exact.angular_velocity("body"), abs=1e-11)
    assert run.constraint.max() < 1e-13
    assert np.ptp(run.energy) < 1e-12 * run.energy[0]


def test_an_explicit_method_leaves_the_constraint() -> None:
    """The control of the tests above: order 4 in the constraint."""
    w, x = np.array([0.4, 2.0, 0.1]), spaces.columns(np.eye(3))
    off = [
        ps.simulate(
            free_body(spaces.rotation_matrix()), ps.State(0.0, x, w), "rk4", step=h, until=4
        ).constraint.max()
        for h in (0.1, 0.05)
    ]
    assert off[1] > 1e-9
    assert off[0] > 8 * off[1]


def test_four_forms_of_the_equations_run_alike() -> None:
    """Levi-Civita, Lagrange, Gibbs-Appell with velocities, Hamilton with momenta (mass 1)."""
    c = circle()
    systems = {
        "lagrange": lagrange(c, lambda t, x, xi: xi[0] ** 2 / 2 - G * x[1]),
        "gibbs_appell": gibbs_appell(c, lambda t, x, xi, a: a[0] ** 2 / 2, lambda x: G * x[1]),
        "hamilton": hamilton(c, lambda t, x, p: p[0] ** 2 / 2 + G * x[1]),
    }
    expected = ps.simulate(pendulum(), released(1.0), "gauss2", step=0.02, until=1)
    for name, system in systems.items():
        run = ps.simulate(system, released(1.0), "gauss2", step=0.02, until=1)
        np.testing.assert_allclose(run.x, expected.x, atol=1e-10, err_msg=name)
    with pytest.raises(ps.ModelError, match="without an energy"):
        _ = ps.simulate(systems["gibbs_appell"], released(1.0), step=0.02, steps=1).energy


def test_time_is_told_to_forces() -> None:
    """A particle on a line, pushed by cos t: x = 1 - cos t."""
    push = levi_civita(
        spaces.minimal(1),
        lambda x: np.array([[1.0]]) + 0 * x[0],
        force=lambda t, x, xi: np.array([np.cos(t)]),
    )
    for method in ("gauss3", "rk4", "dop853"):
        run = ps.simulate(push, ps.State(0.0, np.zeros(1), np.zeros(1)), method, step=0.01, until=3)
        np.testing.assert_allclose(run.x[:, 0], 1 - np.cos(run.time), atol=1e-8, err_msg=method)


@pytest.mark.parametrize("method", usable_methods())
def test_going_on_gives_the_bits_of_one_long_run(method: str) -> None:
    system, start = two_rods(), ps.State(0.0, np.array([1.0, 0.2]), np.array([0.0, 0.5]))
    whole = ps.simulate(system, start, method, step=0.02, steps=20)
    half = ps.simulate(system, start, method, step=0.02, steps=7)
    rest = ps.simulate(system, half.final, method, step=0.02, steps=13)
    assert rest.final.q.tobytes() == whole.final.q.tobytes()
    assert rest.final.v.tobytes() == whole.final.v.tobytes()
    assert rest.final.time == whole.final.time
    assert rest.x.tobytes() == whole.x[7:].tobytes()
    thin = ps.simulate(system, start, method, step=0.02, steps=20, every=6)
    assert thin.x.tobytes() == whole.x[[0, 6, 12, 18, 20]].tobytes()
    assert thin.time.tobytes() == whole.time[[0, 6, 12, 18, 20]].tobytes()


# mistakes


def failing(after: float, error: BaseException) -> System:
    """A particle on a line whose force fails from a time on."""

    def force(t: float, x: Any, xi: Any) -> Any:
        if t > after:
            raise error
        return np.array([1.0])

    return levi_civita(spaces.minimal(1), lambda x: np.array([[1.0]]) + 0 * x[0], force=force)


LINE = ps.State(0.0, np.zeros(1), np.zeros(1))


@pytest.mark.parametrize("method", usable_methods())
def test_an_exception_ends_the_run_at_its_step(method: str) -> None:
    """An adaptive method looks further ahead than one step, and so may stop earlier."""
    with pytest.raises(ps.StepError, match=r"the system raised ValueError: no fuel$") as seen:
        ps.simulate(failing(0.35, ValueError("no fuel")), LINE, method, step=0.1, until=1)
    step, time = seen.value.step, seen.value.time
    assert str(seen.value).startswith(f"{method}: step {step} from t = {time:g}: ")
    assert step == 3 or (method == "dop853" and step < 3)
    assert time == pytest.approx(0.1 * step)
    assert seen.value.state.q[0] == pytest.approx(time**2 / 2)  # the last good state
    good = ps.simulate(failing(9.0, ValueError()), seen.value.state, method, step=0.1, until=1)
    assert good.final.q[0] == pytest.approx(0.5)


def test_the_keyboard_is_heard() -> None:
    with pytest.raises(KeyboardInterrupt):
        ps.simulate(failing(0.35, KeyboardInterrupt()), LINE, "rk4", step=0.1, until=1)
    assert ps.simulate(failing(9.0, ValueError()), LINE, "rk4", step=0.1, until=1).final.time == 1.0


def test_an_infinite_force_is_a_step_error() -> None:
    push = System(
        spaces.minimal(1), lambda t, x, xi: xi, lambda t, x, xi: np.full(1, np.inf if t > 0.35 else 1.0)
    )
    with pytest.raises(ps.StepError, match=r"step 3 .*the state became infinite or NaN"):
        ps.simulate(push, LINE, "rk4", step=0.1, until=1)


def test_stages_that_do_not_contract_are_told() -> None:
    stiff = levi_civita(
        spaces.minimal(1), lambda x: np.array([[1.0]]) + 0 * x[0], force=lambda t, x, xi: -1e4 * xi
    )
    with pytest.raises(ps.ConvergenceError, match=r"gauss3: step 0 .*did not converge; try a smaller step"):
        ps.simulate(stiff, ps.State(0.0, np.zeros(1), np.ones(1)), "gauss3", step=0.1, until=1)


def test_a_force_of_the_wrong_length_is_a_step_error() -> None:
    wrong = System(spaces.minimal(2), lambda t, x, xi: xi, lambda t, x, xi: np.zeros(3))
    with pytest.raises(ps.StepError, match="the system raised ValueError"):
        ps.simulate(wrong, ps.State(0.0, np.zeros(2), np.zeros(2)), "rk4", step=0.1, until=1)


@pytest.mark.parametrize(
    ("q", "v", "text"),
    [
        ([0.0, -1.0, 0.0], [0.0], "3 coordinates, expected 2"),
        ([0.0], [0.0], "1 coordinates, expected 2"),
        ([0.0, -1.0], [0.0, 1.0], "2 velocities, expected 1"),
        ([0.0, -1.0], [], "0 velocities, expected 1"),
    ],
)
def test_a_state_of_the_wrong_length_is_refused(q: Any, v: Any, text: str) -> None:
    with pytest.raises(ps.ScenarioError, match=text):
        ps.simulate(pendulum(), ps.State(0.0, np.array(q), np.array(v)), step=0.1, steps=1)


def test_a_state_off_its_constraints_is_refused() -> None:
    with pytest.raises(ps.ModelError, match=r"x violates the constraints by 0\.21"):
        ps.simulate(pendulum(), ps.State(0.0, np.array([0.0, -1.1]), np.zeros(1)), step=0.1, steps=1)


@pytest.mark.parametrize("method", [m.name for m in ALL if m.name not in (*usable_methods(), *STEPS_OF)])
def test_methods_that_need_joints_are_refused_by_name(method: str) -> None:
    with pytest.raises(ps.ScenarioError, match=f"method '{method}' .*use {', '.join(usable_methods())}"):
        ps.simulate(pendulum(), released(1.0), method, step=0.1, steps=1)


def test_other_mistakes_are_told() -> None:
    system, start = pendulum(), released(1.0)
    with pytest.raises(ps.ScenarioError, match="unknown method 'gaus3', did you mean 'gauss3'"):
        ps.simulate(system, start, "gaus3", step=0.1, steps=1)
    for every in (0, -1, 1.5):
        with pytest.raises(ps.ScenarioError, match="every must be a positive integer"):
            ps.simulate(system, start, step=0.1, steps=1, every=every)  # type: ignore[arg-type]
    with pytest.raises(ps.ScenarioError, match="no loops to release"):
        ps.simulate(system, start, step=0.1, steps=1, events=[ps.Event("q[0]", release="a")])
    with pytest.raises(ps.ScenarioError, match="simulate takes a Mechanism and a State"):
        ps.simulate(circle(), start, step=0.1, steps=1)  # type: ignore[arg-type]
    assert len(ps.simulate(system, start, step=0.1, steps=0).time) == 1


def test_non_holonomic_velocities_are_refused_when_the_system_is_built():
    """A skate: its brackets leave the two velocities; Gibbs-Appell's equations hold for it."""
    skate = ps.analytical.Coordinates(
        3, lambda x: np.array([[np.cos(x[2]), 0], [np.sin(x[2]), 0], [0 * x[2], 1]])
    )
    x, xi = np.array([0.1, 0.2, 0.3]), np.array([1.0, 0.5])
    with pytest.raises(ps.ModelError, match="non-holonomic") as caught:
        ps.analytical.levi_civita(skate, lambda x: np.diag([2.0, 0.3]), lambda x: 0 * x[0])
    assert "\n" not in str(caught.value)
    with pytest.raises(ps.ModelError, match="the velocities are non-holonomic"):
        skate.gamma(x)
    S = ps.analytical.gibbs_appell(skate, lambda t, x, v, a: a[0] ** 2 + 0.15 * a[1] ** 2)
    assert np.allclose(S.field(0.0, np.concatenate([x, xi]))[3:], 0)
