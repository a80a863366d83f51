"""The discrete Euler-Poincare residual of trees."""

import numpy as np
import pytest

import poinsot as ps
from poinsot_papers.beckman2023 import _tqdl as tqdl


def test_the_poses_of_the_notebook():
    """|DREPE| of its three poses, as computed with the exact dlog elsewhere."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("nut", ps.Body(1.0, tqdl.MOMENTS), ps.Free())
    w, q = (6.0, 0.0, 0.01), tqdl.ROTATION
    states = []
    for _ in range(3):
        states.append(m.state({"nut": dict(rotation=ps.quaternion.matrix(q))}))
        w, q = tqdl.step(tqdl.MOMENTS, w, q, 0.01)
    r = ps.dynamics.discrete_residual(m, *states, 0.01)
    assert np.linalg.norm(r) == pytest.approx(7.998067890462528e-09, rel=1e-5)


def branched(gravity=9.81):
    m = ps.Mechanism(gravity=(0, 0, -gravity))
    body = ps.Body(1.3, (0.3, 0.4, 0.5), center_of_mass=(0.1, 0.2, -0.4))
    m.add("trunk", body, ps.Spherical(), at=(0, 0, 1))
    m.add("left", body, ps.Revolute((1, 2, 3)), "trunk", at=(0.2, 0, -0.5), body_at=(0, 0, -0.3))
    m.add("right", body, ps.Universal((1, 0, 0), (0, 1, 0)), "trunk", at=(-0.2, 0, -0.5))
    m.apply(ps.JointSpring("left", 5.0), ps.JointDamper("right", 0.3), ps.JointDamper("left", 0.2))
    return m


def test_it_vanishes_along_a_variational_run_and_not_along_others():
    """`variational` solves these equations by articulated bodies in compiled code; gauss4 solves others."""
    m, h = branched(), 0.01
    start = m.state({"trunk": dict(angular_velocity=(1, -2, 0.5)), "left": dict(rate=1.5)})
    sizes = {}
    for method, step in (("variational", h), ("gauss4", h), ("gauss4", h / 2)):
        run = ps.simulate(m, start, method, step=step, steps=round(0.1 / step))
        r = ps.dynamics.discrete_residual_along(m, run.trajectory.states(), step)
        assert np.isnan(r[[0, -1]]).all()
        sizes[method, step] = np.abs(r[1:-1]).max()
    assert sizes["variational", h] < 1e-12  # momenta of 1 N m s
    assert sizes["gauss4", h] / sizes["gauss4", h / 2] == pytest.approx(8, rel=0.2)  # O(h^3)


def test_free_bodies_with_the_kinetic_term_of_se3():
    m = ps.Mechanism().add("brick", ps.Body(2.0, (0.3, 0.4, 0.5), center_of_mass=(0.1, 0, 0.2)), ps.Free())
    start = m.state({"brick": dict(angular_velocity=(1, 2, 3), velocity=(0.5, 0, 1))})
    run = ps.simulate(m, start, "variational_se3", step=0.02, steps=10)
    r = ps.dynamics.discrete_residual_along(m, run.trajectory.states(), 0.02)[1:-1]
    assert np.abs(r).max() < 1e-13


def test_loops_are_refused():
    s = ps.scenario("four-bar")
    with pytest.raises(ps.ModelError, match="must have no loops"):
        ps.dynamics.discrete_residual(s.mechanism, s.start, s.start, s.start, 0.1)


def test_what_is_recorded_is_the_residual_along_the_run():
    s = ps.scenario("dzhanibekov")
    record = {"r": ps.dynamics.discrete_residual_recorder(s.mechanism, 0.02)}
    options = {"step": 0.02, "steps": 6, "record": record}
    run = ps.simulate(s.mechanism, s.start, "rk4", **options)
    along = ps.dynamics.discrete_residual_along(s.mechanism, run.trajectory.states(), 0.02)
    assert np.isnan(run.recorded["r"][:2]).all()
    assert np.array_equal(run.recorded["r"][2:], along[1:-1])
    assert np.abs(along[1:-1]).max() > 1e-9
    again = ps.simulate(s.mechanism, s.start, "rk4", **options)  # the same function in another run
    assert np.array_equal(again.recorded["r"], run.recorded["r"], equal_nan=True)
    seldom = ps.simulate(s.mechanism, s.start, "rk4", **options, every=2)
    assert np.isnan(seldom.recorded["r"]).all()
