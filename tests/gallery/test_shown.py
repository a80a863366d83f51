"""Archives of controlled scenarios as their pages show them."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.gallery import quadcopter
from poinsot.scenario.archives import run_for_page


def archive_of(name, path, controller=None):
    s = ps.scenario(name, until=0.2)
    law = controller or s.controller
    ps.simulate(s.mechanism, s.start, s.method, step=s.step, until=s.until, controller=law, archive=path)
    return path


def test_a_flight_has_its_reference_its_error_and_its_story(tmp_path):
    run, notes = run_for_page(archive_of("quadcopter-loop", tmp_path / "a.poinsot"))
    wanted = [quadcopter.loop_reference()(float(t))[0].q for t in run.time]
    assert np.array_equal(run.recorded["reference"], wanted)
    state = run.trajectory.states()[7]
    off = ps.dynamics.difference(run.mechanism, state, quadcopter.loop_reference()(state.time)[0])[:6]
    assert run.recorded["error"][7] == pytest.approx(off, abs=1e-14)
    assert notes.startswith("It started 0.21 m and 23 degrees off")


def test_a_regulator_has_its_story_alone(tmp_path):
    run, notes = run_for_page(archive_of("4disp-balance", tmp_path / "a.poinsot"))
    assert dict(run.recorded) == {}
    assert notes


def test_another_controller_on_the_mechanism_of_a_scenario_has_neither(tmp_path):
    own = ps.Controller(lambda t, state, memory: (np.full(6, 2.5), memory), 0.01, [ps.WrenchInput("copter")])
    run, notes = run_for_page(archive_of("quadcopter-loop", tmp_path / "a.poinsot", own))
    assert dict(run.recorded) == {}
    assert notes == ""


def test_a_run_without_controller_is_shown_as_it_is(tmp_path):
    run, notes = run_for_page(archive_of("free-body", tmp_path / "a.poinsot"))
    assert dict(run.recorded) == {}
    assert notes == ""
