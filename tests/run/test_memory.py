"""Memory: samples are held once, reports and tables are made part by part, with the same numbers."""

import csv
import dataclasses
import runpy
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import poinsot as ps
from poinsot.cli import commands
from poinsot.diagnostics.trajectory import GrowingSamples, Samples
from poinsot.plots.run_figures import energy_error
from poinsot.run.dataset import CHUNK, to_netcdf
from poinsot.view.extract import Extract
from poinsot.view.frames import Envelope, Thinned, frames
from poinsot.view.payload import payload
from support.sample import sample

BENCH = Path(__file__).parents[2] / "bench" / "memory.py"
SAMPLES = 600_000  # 77 MB: several times what a block of an archive needs
NEEDS_LINUX = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")


@NEEDS_LINUX
@pytest.mark.parametrize(
    "name", sample(["run and save", "run and report", "load and report"], "load and report")
)
def test_runs_archives_and_reports_hold_the_samples_once(name, environment, tmp_path):
    """Twice the samples is what was wanted; once, and what a chunk needs, is what there is."""
    bench = runpy.run_path(str(BENCH))
    if name.startswith("load"):
        bench["measured"](tmp_path, "run and save", SAMPLES, environment)
    assert bench["measured"](tmp_path, name, SAMPLES, environment) < 2.0 * SAMPLES * bench["ROW"]


@NEEDS_LINUX
@pytest.mark.parametrize("kind", ["csv", "netcdf", "html"])
@pytest.mark.slow
def test_an_export_needs_the_same_memory_for_more_samples(kind, environment, tmp_path):
    bench = runpy.run_path(str(BENCH))
    bench["measured"](tmp_path, "run and save", SAMPLES, environment)
    more = (SAMPLES - bench["BLOCKS"]) * bench["ROW"]  # 60 MB
    assert bench["measured"](tmp_path, f"export {kind}", SAMPLES, environment) < 0.6 * more


def test_samples_that_grow_are_those_that_were_added():
    rng = np.random.default_rng(1)

    def part(n):
        return Samples(*(rng.normal(size=(n, *shape)) for shape in ((), (4,), (3,), (), (), (0,))))

    parts = [part(n) for n in (1, 0, 5000, 3, 20_000, 7)]
    grown = GrowingSamples(parts[0], 25_011)
    for one in parts[1:]:
        grown.add(one)
    assert grown.last() == parts[-1].time[-1]
    for found, pieces in zip(grown.finish(), zip(*parts, strict=True), strict=True):
        assert np.array_equal(found, np.concatenate(pieces))


@pytest.mark.parametrize("name", ["fast-top", "four-bar", "soft-wall"])
def test_parts_give_the_numbers_of_the_whole(name, monkeypatch, tmp_path):
    s = ps.scenario(name)
    run = ps.simulate(s.mechanism, s.start, s.method, step=s.step, steps=1000)
    run.save(tmp_path / "run")
    whole, energy = run.report(), run.energy
    commands.main(["export", str(tmp_path / "run"), "--csv", str(tmp_path / "a.csv")], standalone_mode=False)
    monkeypatch.setattr("poinsot.diagnostics.trajectory.CHUNK", 400)
    again = ps.load(tmp_path / "run")
    assert len(list(again.trajectory.parts())) > 2
    assert np.array_equal(again.energy, energy)
    parts = again.report()
    assert parts.remarks == whole.remarks
    assert parts.rows() == whole.rows()
    for key, one in whole.drifts.items():
        other = parts.drifts[key]
        assert (other.band, other.scale, other.duration) == (one.band, one.scale, one.duration)
        assert other.slope == pytest.approx(
            one.slope, rel=1e-6, abs=1e-15 * one.scale / (one.duration or 1.0)
        )
    commands.main(["export", str(tmp_path / "run"), "--csv", str(tmp_path / "b.csv")], standalone_mode=False)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    with (tmp_path / "a.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["time [s]"]) for row in rows] == run.time.tolist()
    body = run.mechanism.names[-1]
    assert [float(row[f"{body}.position.z [m]"]) for row in rows] == run.position(body)[:, 2].tolist()


def test_a_netcdf_file_written_in_parts_holds_the_whole(monkeypatch, tmp_path):
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("h5netcdf")
    s = ps.scenario("double-pendulum")
    run = ps.simulate(s.mechanism, s.start, "gauss2", step=s.step, steps=1000)
    run.save(tmp_path / "run")
    monkeypatch.setattr("poinsot.diagnostics.trajectory.CHUNK", 600)
    out = tmp_path / "out.nc"
    commands.main(["export", str(tmp_path / "run"), "--netcdf", str(out)], standalone_mode=False)
    with xarray.open_dataset(out, engine="h5netcdf") as found:
        xarray.testing.assert_identical(found.load(), run.to_xarray())


def test_a_netcdf_file_is_opened_once_for_all_parts_and_has_no_spare_space(monkeypatch, tmp_path):
    h5netcdf = pytest.importorskip("h5netcdf")
    pytest.importorskip("xarray")
    s = ps.scenario("dzhanibekov")
    run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.01, steps=100_000)
    opened = []

    class File(h5netcdf.File):
        def __init__(self, path, mode, **more):
            opened.append(mode)
            super().__init__(path, mode, **more)

    monkeypatch.setattr(h5netcdf, "File", File)
    parts = [dataclasses.replace(run, trajectory=part) for part in run.trajectory.parts(10_000)]
    assert len(parts) == 11
    size = to_netcdf(parts, tmp_path / "out.nc").stat().st_size
    assert opened.count("a") == 2  # to append everything, and to give back what was reserved
    samples = run.to_xarray()
    assert samples.nbytes < size < samples.nbytes + len(samples.variables) * CHUNK + 2**17


def test_a_report_of_numbers_that_are_not_finite_says_so(monkeypatch):
    monkeypatch.setattr("poinsot.diagnostics.trajectory.CHUNK", 10)
    s = ps.scenario("fast-top")
    run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.01, steps=600)
    v = run.trajectory.v.copy()
    v[400:410] = np.nan
    broken = dataclasses.replace(run, trajectory=dataclasses.replace(run.trajectory, v=v))
    assert np.isnan(broken.report().energy.band)


@pytest.mark.parametrize("name", ["fast-top", "four-bar", "4disp-balance"])
def test_a_page_made_in_parts_shows_what_a_page_of_the_whole_shows(name, monkeypatch, tmp_path):
    """Of an archive and of a run in memory; slopes of the report may differ in their last digits."""
    s = ps.scenario(name)
    run = ps.simulate(
        s.mechanism,
        s.start,
        s.method,
        step=s.step,
        until=4000 * s.step,
        controller=s.controller,
        archive=tmp_path / "a",
    )
    whole = payload({"run": run}, "")
    monkeypatch.setattr("poinsot.diagnostics.trajectory.CHUNK", 1000)
    parts = payload({"run": ps.load(tmp_path / "a")}, "")
    assert parts.data == whole.data
    assert parts.header == whole.header


def test_a_page_of_a_long_run_has_few_frames_and_all_extremes(monkeypatch):
    monkeypatch.setattr("poinsot.diagnostics.trajectory.CHUNK", 500)
    monkeypatch.setattr("poinsot.view.payload.MOST_FRAMES", 100)
    s = ps.scenario("fast-top")
    run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.001, steps=5000)
    shown = Extract(run, 100)
    assert shown.stride == 51
    rows, stride = shown.rows(1.0)
    assert np.array_equal(shown.frames.time[rows], run.time[frames(5001, 51).rows])
    rows, stride = shown.rows(120.0)
    assert stride == 153
    assert np.array_equal(shown.frames.time[rows], run.time[frames(5001, 153).rows])
    place = next(values for one, _, values in shown.curves if one.key == "place of top")
    assert np.array_equal(place.max(axis=0), run.position("top").max(axis=0))
    assert np.array_equal(place.min(axis=0), run.position("top").min(axis=0))
    error = next(values for one, _, values in shown.curves if one.key == "energy-error")
    assert error.max() == energy_error(run.trajectory).max()


@pytest.mark.parametrize("n", [1, 7, 30, 31, 100, 301, 302, 1000])
@pytest.mark.parametrize("kind", [Thinned, Envelope])
def test_a_curve_in_parts_is_the_curve_at_once(n, kind):
    rng = np.random.default_rng(n)
    time, x = np.arange(float(n)), rng.normal(size=(n, 2))
    once, parts = kind(n, 10), kind(n, 10)
    once.add(time, x)
    cuts = [0, *sorted(rng.integers(0, n, size=4).tolist()), n]
    for begin, end in pairwise(cuts):
        if end > begin:
            parts.add(time[begin:end], x[begin:end])
    for a, b in zip(once.finish(), parts.finish(), strict=True):
        assert np.array_equal(a, b)
