"""Recorded quantities in archives: numbers come back, with their bits and their kind."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.run.archive.recorded import recorded_data, recorded_of
from run.test_archive import mechanism, run_of

RECORD = {
    "height": lambda state: float(state.q[2]),
    "pair": lambda state: state.v[:2],
    "count": lambda state: round(100 * state.time),
    "late": lambda state: state.time > 0.6,
    "word": lambda state: "late" if state.time > 0.6 else "soon",
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
