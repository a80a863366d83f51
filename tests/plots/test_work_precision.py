"""Work-precision diagrams of rows that have no logarithm: errors and times of zero."""

from types import SimpleNamespace

import pytest

from poinsot.plots.work_precision import work_precision_figure


@pytest.mark.parametrize(("error", "seconds"), [(0.0, 1.0), (float("nan"), 1.0), (1e-3, 0.0), (1e-3, 1.0)])
def test_a_figure_of_zeros_is_drawn(error, seconds, tmp_path):
    row = SimpleNamespace(evaluations=10, steps=5, seconds=seconds, error=error)
    work_precision_figure("top", {"rk4": [row]}, tmp_path / "figure.svg")
    assert (tmp_path / "figure.svg").stat().st_size > 1000
