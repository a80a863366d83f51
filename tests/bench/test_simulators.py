"""Test your simulator: the files are what their formulas say, our engine passes, and the judge can say no."""

import importlib
import json
import sys
from pathlib import Path

import numpy as np
import pytest

HOME = Path(__file__).parents[2] / "bench" / "simulators"
sys.path.insert(0, str(HOME))

cases, judge, page, trial = (importlib.import_module(name) for name in ("cases", "judge", "page", "trial"))
ours = importlib.import_module("adapters.ours").Poinsot
scipy = importlib.import_module("adapters.scipy").SciPy
SLOW = {"chain-4"}  # extrapolated for some ten seconds
COMPILES = {"ball-on-turntable"}  # a kernel of its own for its drive
LIMITS = {  # of the error with steps of 2 ms; measured: see docs/simulators.md
    "pendulum-170": 1e-11,
    "chain-4": 1e-10,
    "ball-in-bowl": 1e-11,
    "ball-on-incline": 1e-11,
    "ball-on-turntable": 5e-11,
    "bicycle": 1e-11,
    "euler-disc": 2e-8,
    "rattleback": 2e-2,
}
marked = [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in trial.names()]
simulated = [
    pytest.param(name, marks=pytest.mark.slow) if name in COMPILES else name for name in trial.names()
]


@pytest.mark.parametrize("name", marked)
def test_a_file_is_what_its_closed_form_says(name):
    assert (HOME / "cases" / f"{name}.json").read_text() == cases.text(cases.CASES[name]()) + "\n"


def test_there_is_a_file_for_every_case_and_a_place_on_the_page():
    assert (
        trial.names()
        == sorted(cases.CASES)
        == sorted(name for group in page.GROUPS.values() for name in group)
    )


@pytest.mark.parametrize("name", simulated)
def test_our_engine_passes(name):
    found = judge.result(ours(**ours.settings["auto, 2 ms"]), trial.load(name))
    assert found["error"] < LIMITS.get(name, 5e-13)
    assert abs(found.get("energy", 0.0)) < (1e-9 if name != "rattleback" else 1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("name", trial.names())
def test_an_accuracy_that_is_asked_for_is_reached(name):
    found = judge.result(ours(**ours.settings["accuracy 1e-10"]), trial.load(name))
    assert found["error"] < 1e-10
    assert abs(found.get("energy", 0.0)) < 1e-9


def test_the_published_rates_of_the_brick_are_near_the_exact_ones():
    """The report prints 16 digits, of which ten are right: 2.5e-10 deg/s."""
    case = trial.load("nasa-brick")
    off = np.subtract(case["published"]["angular_velocity"], case["answers"][0]["body"]["angular_velocity"])
    assert 1e-12 < np.abs(off).max() < 1e-11  # rad/s


def test_an_error_is_seen_in_full():
    """Exact states give zero; one that is off by 1e-7 of the largest speed gives this."""
    case = trial.load("chain-4")
    states = [{name: judged(row) for name, row in answer.items()} for answer in case["answers"]]
    assert judge.worst(states, case["answers"]) == 0.0
    largest = max(np.abs(row["velocity"]).max() for answer in case["answers"] for row in answer.values())
    states[-1]["d"].velocity[0] += 1e-7 * largest
    assert judge.worst(states, case["answers"]) == pytest.approx(1e-7, rel=1e-6)
    parts = judge.energies(
        case, [{n: judged(row) for n, row in answer.items()} for answer in case["answers"]]
    )
    total = parts.sum(axis=1)
    assert np.ptp(total) < 1e-13 * parts[:, 0].max(), "25 digits of the chain keep the energy"


def judged(row):
    state = sys.modules["adapter"].State
    return state(*(np.array(row[key]) for key in state._fields))


def test_the_example_adapter_is_of_the_order_of_its_tolerance_and_says_what_it_cannot():
    adapter = scipy(**scipy.settings["DOP853, rtol 1e-10"])
    assert 1e-12 < judge.result(adapter, trial.load("nasa-brick"))["error"] < 1e-8
    assert judge.result(adapter, trial.load("chain-4")) == {"cannot": "adapter: one free body"}
    assert judge.result(adapter, trial.load("bicycle")) == {"cannot": "no rolling constraint"}


def test_an_adapter_that_starts_elsewhere_is_refused():
    class Elsewhere(scipy):
        def build(self, case):
            super().build(case)
            self.y[-1] *= 1.001

    with pytest.raises(AssertionError, match="not the start"):
        judge.result(Elsewhere(options={}), trial.load("nasa-brick"))


def test_the_page_is_written_from_the_numbers():
    assert page.PAGE.read_text(encoding="utf-8") == page.page()
    known = json.loads((HOME / "results.json").read_text(encoding="utf-8"))
    rows = {one["engine"]: one["settings"] for one in known["engines"]}
    assert list(rows["Poinsot"]) == list(ours.settings)
    assert set(rows["Poinsot"]["auto, 2 ms"]) == set(trial.names())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["free-body", "pendulum-90", "chain-4"])
def test_the_adapter_of_mujoco_converges_to_the_answer(name):
    pytest.importorskip("mujoco")
    mujoco = importlib.import_module("adapters.mujoco").MuJoCo
    coarse, fine = (
        judge.result(mujoco(integrator="RK4", step=h), trial.load(name))["error"] for h in (8e-3, 4e-3)
    )
    assert fine < 1e-5
    assert 3.4 < np.log2(coarse / fine) < 5.5, "the order of RK4, or one more"


@pytest.mark.slow
def test_mujoco_bounces_and_rolls_by_contacts():
    pytest.importorskip("mujoco")
    mujoco = importlib.import_module("adapters.mujoco").MuJoCo
    for name, near in (("bounces", 1.0), ("ball-on-incline", 1e-2)):
        assert judge.result(mujoco(integrator="EULER", step=1e-3), trial.load(name))["error"] < near
    assert judge.result(mujoco(integrator="EULER", step=1e-3), trial.load("coin")) == {
        "cannot": "no rolling constraint"
    }
