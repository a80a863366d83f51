"""Recorded quantities in archives: numbers come back, with their bits and their kind."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.run.archive.records import recorded_data, recorded_of
from run.test_archive import mechanism, run_of

RECORD = {
    "height": lambda t, state: float(state.q[2]),
    "pair": lambda t, state: state.v[:2],
    "count": lambda t, state: round(100 * t),
    "late": lambda t, state: t > 0.6,
}


@pytest.mark.parametrize("while_running", [True, False])
def test_recorded_numbers_go_through_an_archive(while_running, tmp_path):
    path = tmp_path / "a.poinsot"
    run = run_of(mechanism(), record=RECORD, archive=path if while_running else None)
    if not while_running:
        run.save(path)
    for one in (ps.load(path), ps.load(ps.load(path).save(tmp_path / "b.poinsot"))):
        assert list(one.recorded) == ["height", "pair", "count", "late"]
        for name, found in one.recorded.items():
            assert found.dtype == run.recorded[name].dtype
            assert np.array_equal(found, run.recorded[name])


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda t, state: "soon", "record 'x': it must return numbers, got 'soon'"),
        (lambda t, state: None, "record 'x': it must return numbers, got None"),
        (lambda t, state: {"t": t}, "record 'x': it must return numbers, got {'t'"),
        (lambda t, state: [t, "m"], "record 'x': it must return numbers, got"),
        (lambda t, state: 1j, "record 'x': it must return numbers, got 1j"),
        (lambda t, state: [[t], [t, t]], "record 'x': ValueError: "),
        (lambda state: 1.0, "record 'x': its function must take (t, state), but takes (state)"),
    ],
)
def test_what_is_no_number_is_refused_at_the_start(function, message):
    with pytest.raises(ps.ScenarioError) as caught:
        run_of(mechanism(), record={"x": function})
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("late", ["late", None, (1.0, 2.0)])
def test_a_sample_that_is_no_number_carries_the_run(late):
    """At the start it is a number."""
    with pytest.raises(ps.RecordError, match="record 'x': ") as caught:
        run_of(mechanism(), record={"x": lambda t, state: 1.0 if t < 0.6 else late})
    assert caught.value.run.final.time > 0.6
    assert caught.value.run.recorded == {}


def test_recorded_numbers_that_do_not_fit_are_left_out():
    good = recorded_data({"x": np.zeros((3, 2))})["x"]
    assert recorded_of({"x": good}, 3)["x"].shape == (3, 2)
    assert recorded_of({"x": good}, 4) == {}  # samples are lost
    for wrong in (
        {**good, "kind": "O"},
        {**good, "shape": [3, -2]},
        {**good, "shape": []},
        {**good, "shape": [3, 10**30]},
        {**good, "values": "?"},
        {},
        None,
    ):
        assert recorded_of({"x": wrong}, 3) == {}
    assert recorded_of([], 3) == {}
