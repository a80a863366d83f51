"""The machinery of reproductions: names, records, what has moved."""

import json
import re
from pathlib import Path

import pytest

import poinsot as ps
import poinsot_papers
from poinsot.bibliography import bibliography
from poinsot.cli import main
from poinsot.gallery.reproduction import (
    DOCUMENTS,
    differences,
    experiment,
    experiments,
    page,
    sections,
    stored_record,
    write,
)
from poinsot.plots.figure import new_figure
from poinsot_papers.figures import draw as draw_figure

HOUSE = Path(__file__).parents[2]
TESTED = {
    word
    for path in (HOUSE / "tests").rglob("test_*.py")
    if path != Path(__file__)
    for word in re.findall(r"(?<=\.)\w+|\w+(?=\()|\w+=", path.read_text(encoding="utf-8"))
}


@pytest.mark.parametrize("name", experiments())
def test_every_experiment_is_complete(name):
    """A claim with a source, a shipped record, and a verdict that follows from it."""
    module, record = experiment(name), stored_record(name)
    assert module.CLAIM.paper in bibliography()
    assert record is not None
    assert record["name"] == name
    verdict = module.verdict(record["measured"])
    assert (verdict.word, verdict.because) == (record["verdict"], record["because"])
    assert len(json.dumps(record)) < 100_000


@pytest.mark.parametrize("name", [name for name in experiments() if name.startswith("poinsot2026")])
def test_figures_are_drawn_from_the_record_alone(name):
    figure = new_figure(8.0, 4.5)
    draw_figure(experiment(name), stored_record(name)["measured"], figure)
    assert figure.axes


def test_no_figure_is_shipped():
    assert not [*Path(poinsot_papers.__path__[0]).rglob("*.svg")], (
        "figures are drawn from the records: make figures"
    )


def test_figures_of_the_shipped_records(tmp_path, capsys):
    """Of the papers and experiments that were named; nothing is run."""
    with pytest.raises(SystemExit) as end:
        main(["reproduce", "poinsot2026", "krysl2005/figure-01", "--figures", str(tmp_path)])
    assert end.value.code in (0, None)
    assert capsys.readouterr().out == f"3 figures: {tmp_path}\n"
    names = ["krysl2005/figure_01", "poinsot2026/evaluations", "poinsot2026/ten_million_steps"]
    assert sorted(tmp_path.rglob("*.svg")) == [tmp_path / f"{name}.svg" for name in names]


def test_an_unknown_experiment_has_no_figure(tmp_path, capsys):
    with pytest.raises(SystemExit) as end:
        main(["reproduce", "figure-01", "--figures", str(tmp_path)])
    assert end.value.code == 2
    assert "unknown experiment 'figure-01'" in capsys.readouterr().err


def test_the_record_and_the_figure_of_a_rerun(tmp_path):
    name = "konz2024/circle"
    found = ps.reproduce(name)
    record, figure = write(found, tmp_path)
    assert (record.name, figure.name) == ("circle.json", "circle.svg")
    assert json.loads(record.read_text(encoding="utf-8"))["measured"] == found.measured
    assert not found.moved  # digits of rounding errors may differ from one processor to the next
    assert figure.read_bytes() == write(found, tmp_path / "again")[1].read_bytes()  # of the same numbers


def test_a_rerun_says_what_moved(monkeypatch):
    module = experiment("krysl2005/figure-01")
    monkeypatch.setattr(module, "STEPS", (4.0, 2.0))
    monkeypatch.setattr(module, "LONG", 2000)
    with pytest.warns(ps.StepWarning):
        one = ps.reproduce("krysl2005/figure-01")
    assert any(line.startswith("h=1: ") for line in one.moved)
    assert "verdict" in str(one)


def test_differences_look_into_everything_but_times():
    old = {"a": [1.0, 2.0], "b": {"c": "x", "seconds": 3.0}, "d": 1e-12, "e": None}
    new = {"a": [1.0, 2.1], "b": {"c": "y", "seconds": 9.0}, "d": 5e-12, "e": 1}
    found = list(differences(old, new))
    assert found == ["a[1]: 2 -> 2.1", "b.c: 'x' -> 'y'", "e: None -> 1"]
    assert not list(differences(old, old))


def test_the_page_of_the_docs_is_that_of_the_records():
    docs = Path(__file__).parents[2] / "docs" / "reproductions.md"
    assert docs.read_text(encoding="utf-8") == page(), "run: poinsot reproduce --page docs/reproductions.md"


def test_an_unknown_experiment_is_explained():
    with pytest.raises(ps.ScenarioError, match="did you mean 'crouch1993/velocity'"):
        ps.reproduce("crouch1993/velocty")


def names_of_product(where):
    """Return the last words of the names of the product in a cell."""
    return [name.rsplit(".", 1)[1] for name in re.findall(r"`((?:ps|run)(?:\.\w+)+)", where)]


@pytest.mark.parametrize("paper", DOCUMENTS)
def test_every_section_has_records_that_exist_and_names_of_the_product(paper):
    """And every record of a document belongs to a section; a reason is given where nothing is measured."""
    mine = {name.split("/")[1] for name in experiments() if name.startswith(f"{paper}/")}
    used = set()
    for title, records, where in sections(paper):
        assert set(records) <= mine, title
        used |= set(records)
        names = re.findall(r"`(ps(?:\.\w+)+)", where)
        for name in names:
            found = ps
            for part in name.split(".")[1:]:
                found = getattr(found, part)
        for name in re.findall(r"`run\.(\w+)", where):
            assert hasattr(ps.Run, name), name
        lists = re.findall(r"(scenario|method)s? ((?:`[\w-]+`(?:, | to )?)+)", where)
        for kind, names in lists:
            known = set(ps.gallery()) if kind == "scenario" else {one.name for one in ps.methods()}
            assert set(re.findall(r"`([\w-]+)`", names)) <= known, title
        assert records or "reason:" in where, title
        for name in [*names_of_product(where), *re.findall(r"`(\w+=)", where)]:
            assert name in TESTED, f"{title}: no test uses {name}"
        for page_or_bench in re.findall(r"(?:docs|bench)/[\w.]+", where):
            assert (HOUSE / page_or_bench).is_file(), page_or_bench
    assert used == mine
