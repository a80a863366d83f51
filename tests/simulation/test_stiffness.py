"""Stiff forces and forces that jump: what "auto" takes, what continues a run, what errors say."""

import math

import numpy as np
import pytest

import poinsot as ps
from poinsot.simulation.stiffness import stiffest

H = 0.01


def hinge(*forces, gravity=(0, 0, 0)):
    body = ps.Body(1.0, (0.1, 0.1, 0.1), center_of_mass=(0.5, 0, 0))
    return ps.Mechanism(gravity=gravity).add("arm", body, ps.Revolute((0, 1, 0))).apply(*forces)


def wall(t, q, v):
    return -1e6 * (q[0] - 0.3) - 1e3 * v[0] if q[0] > 0.3 else 0.0


def dry(t, q, v):
    return -3.0 if v[0] > 0 else (3.0 if v[0] < 0 else 0.0)


def soft(t, q, v):
    return -math.tanh(v[0])


def test_auto_takes_radau3_for_a_stiff_damper_only():
    for damping, method in ((1.0, "gauss3"), (1e5, "radau3")):
        m = hinge(ps.JointDamper("arm", damping), gravity=(0, 0, -9.81))
        run = ps.simulate(m, m.state(), step=H, steps=4)
        assert run.method.name == method
        assert ("auto: JointDamper at 'arm' is stiff" in run.reason) == (method == "radau3")


def test_auto_takes_radau3_for_a_stiff_torque_on_a_body():
    m = ps.Mechanism(gravity=(0, 0, 0)).add("body", ps.Body(1.0, (1.0, 2.0, 2.5)), ps.Free())
    m.apply(ps.Torque("body", lambda t, R, w, p, v: (-1e5 * w[0], -1e5 * w[1], -1e5 * w[2]), frame="body"))
    start = m.state({"body": dict(angular_velocity=(1, 2, 3))})
    run = ps.simulate(m, start, step=H, steps=10)
    assert run.method.name == "radau3"
    assert np.abs(run.final.v).max() < 1e-12
    assert ps.simulate(m, start, step=1e-6, steps=1).method.name == "cf4"


def test_auto_takes_radau3_for_a_contact_on_the_way_of_a_body():
    """A body that falls on a stiff floor after a while; cf4 threw it 30 m up without a word."""

    def floor(t, R, w, p, v):
        push = -1e6 * p[2] - 1e4 * v[2] if p[2] < 0 else 0.0
        return 0.0, 0.0, 0.0, 0.0, 0.0, push if push > 0 else 0.0

    def air(t, R, w, p, v):
        return 0.0, 0.0, 0.0, -0.1 * v[0], -0.1 * v[1], -0.1 * v[2]

    for force, method in ((floor, "radau3"), (air, "cf4")):
        m = ps.Mechanism(gravity=(0, 0, -10)).add("ball", ps.Sphere(0.1).body(mass=1.0), ps.Free())
        m.apply(ps.Wrench("ball", force))
        start = m.state({"ball": dict(position=(0, 0, 0.5), velocity=(0.1, 0, 0))})
        run = ps.simulate(m, start, step=H, steps=200)
        assert run.method.name == method
        assert ("wrench 'floor' on 'ball' is" in run.reason and "on its way" in run.reason) == (
            force is floor
        )
        if force is floor:
            assert run.final.q[2] == pytest.approx(-1e-5, rel=1e-9)  # at rest where the floor carries it
            assert run.final.q[0] == pytest.approx(0.2, abs=1e-12)


def test_auto_goes_on_with_what_it_took():
    """A run in two parts has the bits of one, also where its end is at rest."""
    m = hinge(ps.JointDamper("arm", 1e5))
    start = m.state({"arm": dict(rate=1.0)})
    whole, first = (ps.simulate(m, start, step=H, steps=n) for n in (40, 20))
    second = ps.simulate(m, first.final, step=H, steps=20)
    assert second.method.name == "radau3"
    assert np.array_equal(whole.final.v, second.final.v)


@pytest.mark.filterwarnings("ignore:.*the energy moves")  # the wall is hit within a step
def test_a_stop_continues_with_radau3_and_says_so(tmp_path):
    m = hinge(ps.JointTorque("arm", wall), gravity=(0, 0, -9.81))
    path = tmp_path / "stop.poinsot"
    run = ps.simulate(m, m.state(), "gauss3", step=H, until=1.0, archive=path)
    assert run.reason == "gauss3 did not converge at t = 0.2 and continues with radau3"
    assert ps.load(path).reason == run.reason
    assert run.joint("arm")[-1, 0] == pytest.approx(0.3, abs=1e-4)
    half = ps.simulate(m, m.state(), "gauss3", step=H, until=0.5)
    rest = ps.simulate(m, half.final, "gauss3", step=H, until=1.0)
    assert np.array_equal(rest.final.q, run.final.q)
    assert rest.reason.endswith("continues with radau3")


@pytest.mark.filterwarnings("ignore:.*the energy moves")
def test_dry_friction_is_named_discontinuous_with_a_method_that_was_tried():
    m = hinge(ps.JointTorque("arm", soft), ps.JointTorque("arm", dry))
    for method in ("auto", "gauss2", "radau3"):
        with pytest.raises(ps.ConvergenceError) as caught:
            ps.simulate(m, m.state({"arm": dict(rate=1.0)}), method, step=H, until=1.0)
        text = str(caught.value)
        assert "JointTorque 'dry' at 'arm' is discontinuous: method='" in text
        tried = text.split("method='")[1].split("'")[0]
        end = caught.value.state
        assert np.isfinite(
            ps.simulate(m, ps.State(end.time, end.q, end.v), tried, step=H, steps=1).final.v
        ).all()


def test_an_explicit_method_that_blows_up_names_the_damper():
    m = hinge(ps.JointTorque("arm", soft), ps.JointDamper("arm", 1e5))
    with pytest.raises(ps.StepError) as caught:
        ps.simulate(m, m.state({"arm": dict(rate=1.0)}), "rk4", step=H, until=1.0)
    assert "JointDamper at 'arm' is stiff (h lambda = 2.9e+03): method='radau3' makes this step" in str(
        caught.value
    )


@pytest.mark.parametrize("damping", [1e3, 1e6])
@pytest.mark.parametrize("stiffness", [1.0, 1e6, 1e9])
def test_rates_are_those_of_the_closed_form(damping, stiffness):
    """h lambda = h c/J and h omega = h sqrt(k/J) about the hinge."""
    inertia = 0.1 + 0.25
    for force, kind in ((ps.JointDamper("arm", damping), 2), (ps.JointSpring("arm", stiffness), 3)):
        m = hinge(force)
        found = stiffest(m, m.state({"arm": dict(angle=0.1, rate=1.0)}), H)
        exact = H * (damping / inertia if kind == 2 else math.sqrt(stiffness / inertia))
        assert (found is None) == (exact < 1.0)
        if found is not None:
            assert not found.jumps
            assert found[kind] == pytest.approx(exact, rel=1e-6)


def test_other_units_find_the_same():
    """Times in ms, lengths in mm: the same numbers without a unit."""
    found = []
    for T, L in ((1.0, 1.0), (1e3, 1e3)):
        body = ps.Body(1.0, (0.1 * L * L,) * 3, center_of_mass=(0.5 * L, 0, 0))
        m = ps.Mechanism(gravity=(0, 0, 0)).add("arm", body, ps.Revolute((0, 1, 0)))
        m.apply(ps.JointDamper("arm", 1e5 * L * L / T))
        found.append(stiffest(m, m.state({"arm": dict(rate=1.0 / T)}), H * T))
    assert found[0].damping == pytest.approx(found[1].damping, rel=1e-12)
