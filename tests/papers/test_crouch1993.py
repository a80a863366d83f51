"""The Crouch-Grossman repository: shipped records are what their numbers say, and stay."""

import re
from functools import cache

import numpy as np
import pytest

from poinsot.formats.json_text import json_text
from poinsot.gallery.reproduction import experiment, experiments, reproduce, stored_record
from poinsot.plots.figure import new_figure, write
from poinsot.scenario.scenario import scenario
from poinsot.simulation.simulate import simulate
from poinsot_papers.crouch1993 import _repository as repository
from poinsot_papers.figures import draw

NAMES = [name for name in experiments() if name.startswith("crouch1993/")]
VERDICTS = {
    "configuration": "reproduced",
    "energy": "reproduced",
    "errata": "differs",
    "momenta": "differs",
    "order": "differs",
    "se3-metrics": "reproduced",
    "se3-twist": "differs",
    "velocity": "reproduced",
}
CHEAP = ["crouch1993/errata", "crouch1993/se3-twist"]


@cache
def record(name):
    return stored_record(f"crouch1993/{name}")


def measured(name):
    return record(name)["measured"]


def test_every_experiment_is_known():
    assert {name.split("/")[1] for name in NAMES} == set(VERDICTS)


@pytest.mark.parametrize("name", VERDICTS)
def test_a_shipped_verdict_is_that_of_its_numbers(name):
    module, one = experiment(f"crouch1993/{name}"), record(name)
    found = module.verdict(one["measured"])
    assert (found.word, found.because) == (one["verdict"], one["because"])
    assert found.word == VERDICTS[name]
    assert re.search(r"\d", found.because)
    assert module.CLAIM.paper == "crouch1993numerical"
    assert len(json_text(one)) < 60_000


@pytest.mark.parametrize("name", VERDICTS)
def test_a_figure_is_drawn_from_the_record_alone(name, tmp_path):
    figure = new_figure(8.0, 4.5)
    draw(experiment(f"crouch1993/{name}"), measured(name), figure)
    path = write(figure, tmp_path / "figure.svg")
    assert path.stat().st_size > 10_000
    assert all(axes.get_xlabel() and axes.get_ylabel() for axes in figure.axes)


@pytest.mark.parametrize("name", CHEAP)
def test_a_rerun_moves_nothing(name):
    one = reproduce(name)
    assert one.moved == []
    assert one.verdict.word == stored_record(name)["verdict"]


# the numbers that matter


def test_cg4_has_order_four_down_to_1e_10():
    one = measured("order")["cg4"]
    error = np.array(one["error"])
    slopes = np.log(error[:-1] / error[1:]) / np.log(2.0)
    assert one["order"] == pytest.approx(4.0, abs=0.05)
    assert slopes[-2:] == pytest.approx([4.0, 4.0], abs=0.05)
    assert error[-1] < 1e-10


def test_cg4_has_order_four_when_run():
    """Not only in the record: ten seconds of the free body, down to 6e-11."""
    s = scenario("free-body")
    counts = (50, 100, 200, 400)
    truth = simulate(s.mechanism, s.start, "exact", step=0.1, until=10.0).rotation("body")[-1]
    runs = [simulate(s.mechanism, s.start, "cg4", step=10.0 / n, steps=n, every=n) for n in counts]
    error = [np.linalg.norm(run.rotation("body")[-1] - truth) / np.sqrt(2) for run in runs]
    assert -np.polyfit(np.log(counts), np.log(error), 1)[0] == pytest.approx(4.0, abs=0.02)
    assert error[-1] == pytest.approx(6e-11, rel=0.02)


def test_the_fractions_have_no_order_and_stop_at_a_floor():
    one = measured("order")["fractions of the repository"]
    assert one["order"] == pytest.approx(0.0, abs=0.1)
    assert min(one["error"]) > 6e-5
    assert one["error"][1] == pytest.approx(7e-5, rel=0.02)  # h = 0.2
    floor = measured("order")["clock"]["predicted floor"]  # (sum b - 1) x the angle turned
    assert one["error"][-1] == pytest.approx(floor, rel=0.05)


def test_the_plain_integrator_is_cg4_but_for_its_coefficients():
    """The NumPy code with the exact coefficients follows the compiled method."""
    mine, plain = (measured("order")[name] for name in ("cg4", "exact coefficients, NumPy"))
    assert plain["error"] == pytest.approx(mine["error"][: len(plain["error"])], rel=1e-2, abs=1e-11)


def test_the_fractions_are_close_to_the_coefficients_but_do_not_sum_to_one():
    assert np.abs(repository.RATIONAL.a - repository.EXACT.a).max() < 1e-6
    assert np.abs(repository.RATIONAL.b - repository.EXACT.b).max() < 1e-6
    assert abs(repository.EXACT.b.sum() - 1) < 1e-15
    assert repository.RATIONAL.b.sum() - 1 == pytest.approx(6.48e-7, rel=1e-3)


def test_the_fractions_show_their_floor_when_run():
    """Not only in the record: a short run, in which an exact clock would leave 1e-8."""
    J, twist = (0.9144, 1.098, 1.66), (0.45549, 0.82623, 0.03476, 0.0, 0.0, 0.0)
    poses, _ = repository.twist_cg4(
        J, twist, 0.1, 100, [repository.EXACT, repository.RATIONAL], gravity=(0.0, 0.0, 0.0)
    )
    turn = poses[-1, 0, :3, :3].T @ poses[-1, 1, :3, :3]
    assert np.linalg.norm(turn - np.eye(3)) / np.sqrt(2) == pytest.approx(6.3e-6, rel=0.02)


def test_the_body_twist_bends_a_straight_path_and_cg4_does_not():
    one = measured("se3-twist")
    assert one["order"] == pytest.approx(4.0, abs=0.05)
    assert one["twist"][one["step"].index(0.01)] == pytest.approx(1.5e-3, rel=0.02)
    assert max(one["space"]) < 1e-12


def test_energy_and_momentum_drift_with_a_slope_of_order_five():
    orders = measured("errata")["orders"]
    assert [orders["energy band"], orders["momentum band"]] == pytest.approx([4.0, 4.0], abs=0.2)
    assert [orders["energy slope"], orders["momentum slope"]] == pytest.approx([5.0, 5.0], abs=0.05)
    for one in measured("errata")["drift"].values():
        trend = one["energy slope"] * (one["time"][-1] - one["time"][0])
        assert one["energy"][-1] == pytest.approx(trend, rel=0.05)  # a slope, not a band


def test_the_figures_are_those_of_the_repository():
    """The axis of its energy.svg ends at 1.5 x the energy, 10.5175 J; its P_z falls by m g t."""
    assert 1.5 * measured("energy")["cube, repository"]["energy"] == pytest.approx(10.5175, abs=1e-4)
    assert measured("momenta")["cube"]["repository"]["change"]["P_z"] == pytest.approx(-98.1, abs=1e-3)
    assert measured("se3-metrics")["T + h T [V], forbidden"]["determinant"] > 0.1
