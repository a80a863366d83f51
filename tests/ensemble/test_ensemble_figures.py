"""Pictures of ensembles, and `poinsot sweep`, which draws them with one command each."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import poinsot as ps
from poinsot.cli import commands

HOW = dict(method="rk4", step=0.01, until=0.2)


@pytest.fixture(scope="module")
def grid():
    vary = {"start.upper.angle": [0.1, 1.0, 3.1], "bodies.lower.mass": [1.0, -1.0]}
    return ps.ensemble("double-pendulum", vary=vary, every=5, reduce="flip", **HOW)


@pytest.mark.parametrize("kind", ["fan", "bands", "map", "parallel"])
def test_every_kind_is_drawn(kind, grid, tmp_path):
    path = tmp_path / "figure.svg"
    figure = grid.plot(kind, path, of="upper.angle")
    (title,) = {axes.get_title(loc="left") for axes in figure.axes} - {""}
    assert title.endswith("6 members, 3 failed")
    assert path.read_bytes().startswith(b"<?xml")


def test_what_a_fan_and_a_map_show(grid):
    lines = grid.plot("fan", of="lower.rate").axes[0].get_lines()
    assert lines[0].get_ydata().tolist() == grid["v"][0, :, 1].tolist()
    lost, values = grid.plot("map", of="final_v").axes[0].collections
    assert np.isfinite(lost.get_array()).sum() == 3
    sizes = np.sqrt((grid.final_v[::2] ** 2).sum(axis=1))
    assert np.asarray(values.get_array()).ravel()[3:].tolist() == pytest.approx(
        sizes.tolist()
    )  # -1 is below 1
    with pytest.raises(ps.ScenarioError, match="flip is NaN for every member"):
        grid.plot("parallel")
    for kind, of, words in (
        ("fn", None, "did you mean 'fan'"),
        ("map", "lowr.angle", "did you mean 'lower.angle'"),
    ):
        with pytest.raises(ps.ScenarioError, match=words):
            grid.plot(kind, of=of)


def sweep(*words):
    done = CliRunner().invoke(
        commands, ["sweep", "double-pendulum", "--step", "0.01", "--until", "0.1", *words]
    )
    return done.exit_code, done.output, done.exception


def test_the_command_prints_what_came_out(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    vary = ("--vary", "bodies.lower.mass=1,-1,2", "--method", "rk4")
    code, output, _ = sweep(
        *vary, "--figure", "map.png", "--netcdf", "e.nc", "--html", "e.html", "--out", "e.poinsot"
    )
    assert code == 0
    assert "As glass: members 2." in (tmp_path / "e.html").read_text()
    assert "3 members, 1 failed" in output
    assert "member 1: ModelError: body 'lower': mass must be positive, got -1" in output
    assert repr(ps.load("e.poinsot")) == "Ensemble(3 members, 1 failed)"
    code, output, _ = sweep("--vary", "bodies.lower.mass=uniform(1,2)", "--samples", "3", "--json")
    found = json.loads(output)
    assert (code, found["members"], found["failed"]) == (0, 3, {})
    assert len(found["quantiles"]["final_q"]["lower.angle"]) == 3
    assert sweep("--vary", "bodies.lower.mass=-1")[0] == 1
    assert "expected PATH=VALUES" in str(sweep("--vary", "bodies.lower.mass")[2])
    assert "the cores of this machine" in str(sweep(*vary, "--dask", "none.json")[2])
