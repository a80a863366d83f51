"""`poinsot export`: the same run in other forms."""

import csv

import numpy as np
import pytest

import poinsot as ps
from poinsot.cli import main


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    s = ps.scenario("fast-top")
    run = ps.simulate(s.mechanism, s.start, "nmb", step=0.01, steps=30)
    return run.save(tmp_path_factory.mktemp("export") / "top.poinsot")


def export(capsys, *words):
    with pytest.raises(SystemExit) as end:
        main(["export", *map(str, words)])
    return end.value.code or 0, *capsys.readouterr()


def test_a_table_has_every_number_with_all_digits(archive, tmp_path, capsys):
    path, run = tmp_path / "top.csv", ps.load(archive)
    assert export(capsys, archive, "--csv", path) == (0, f"table: {path}\n", "")
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for name, values in (
        ("time [s]", run.time),
        ("kinetic [J]", run.kinetic),
        ("top.quaternion.w", run.quaternion("top")[:, 0]),
        ("top.position.z [m]", run.position("top")[:, 2]),
        ("angular_momentum.x [kg m²/s]", run.angular_momentum[:, 0]),
    ):
        assert np.array_equal([float(row[name]) for row in rows], values)


def test_netcdf_and_a_page(archive, tmp_path, capsys):
    xarray = pytest.importorskip("xarray")
    code, out, err = export(capsys, archive, "--netcdf", tmp_path / "a.nc", "--html", tmp_path / "a.html")
    assert (code, err) == (0, "")
    assert out.splitlines() == [f"page: {tmp_path / 'a.html'}", f"samples: {tmp_path / 'a.nc'}"]
    with xarray.open_dataset(tmp_path / "a.nc", engine="h5netcdf") as data:
        assert np.array_equal(data["energy"], ps.load(archive).energy)
    assert (tmp_path / "a.html").read_text().startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "nothing to write"),
        (("--mp4", "a.gif"), "must end in .mp4"),
        (("--csv", "/none/a.csv"), "cannot be written"),
    ],
)
def test_mistakes_are_one_line(archive, capsys, words, said):
    code, out, err = export(capsys, archive, *words)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_a_name_is_never_lost_beside_another(tmp_path):
    s = ps.scenario("fast-top")
    run = ps.simulate(s.mechanism, s.start, "nmb", step=0.01, steps=3)
    assert list(run._beside({"nmb": run, "rk4": run})) == ["nmb, this run", "nmb", "rk4"]
