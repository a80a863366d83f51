"""The controlled scenarios do what their stories say."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.gallery import (
    attitude_flip,
    bicopter_circle,
    copters,
    quadcopter,
    tricopter,
)

# scenario, reference, when it must have come within 5 cm (s), how far it may be off at the end (m, rad)
FLIGHTS = [
    ("quadcopter-loop", quadcopter.loop_reference, 0.80, 1e-4, 1e-4),  # 0.74 s in the continuous loop
    ("tricopter-helix", tricopter.helix_reference, 2.4, 5e-3, 1e-4),  # 2.03 s
    ("quadcopter-recovery", quadcopter.hover, 4.6, 2e-2, 1e-4),
    ("bicopter-circle", bicopter_circle.reference, 2.6, 3e-2, 3e-2),  # 2.45 s
]


def run_of(name):
    s = ps.scenario(name)
    run = ps.simulate(
        s.mechanism, s.start, s.method, step=s.step, until=s.until, every=2, controller=s.controller
    )
    return s, run


@pytest.mark.parametrize(
    ("name", "reference", "soon", "near", "straight"), FLIGHTS, ids=[row[0] for row in FLIGHTS]
)
def test_a_copter_comes_to_its_reference(name, reference, soon, near, straight):
    s, run = run_of(name)
    distance, angle = copters.errors(run, reference())
    assert angle[0] > 0.3
    assert (distance[run.time > soon] < 0.05).all()
    assert distance[-1] < near
    assert angle[-1] < straight
    for bounds, u in zip(s.controller.bounds(s.mechanism), run.input("rotors").T, strict=True):
        assert bounds[0] - 1e-9 <= u.min() <= u.max() <= bounds[1] + 1e-9
    assert "degrees off" in s.story(run)
    if name == "quadcopter-loop":
        up = 1 - 2 * (run.trajectory.q[:, 4] ** 2 + run.trajectory.q[:, 5] ** 2)
        assert up.min() < -0.99  # upside down


def test_the_flip_has_no_singularity():
    s, run = run_of("attitude-flip")
    end = attitude_flip.reference()(run.final.time)[0].q
    assert 2 * np.arccos(min(1.0, abs(run.final.q @ end))) < np.deg2rad(1e-4)
    assert "360 degrees" in s.story(run)
