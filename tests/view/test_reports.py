"""HTML reports of comparisons and reproductions: claim, figure, table, verdict, a list to go through."""

import os
import subprocess
import sys
from html.parser import HTMLParser

import pytest

import poinsot as ps
from poinsot.cli import main
from poinsot.gallery.report import numbers, report_page
from poinsot.gallery.reproduction import Reproduction, experiments, reproduce
from poinsot.view.report import Section, document
from poinsot_papers.claims import Claim, Verdict


class Report(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.tags, self.links, self.anchors, self.words, self.sources = [], [], [], "", []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.append(tag)
        self.links += [given["href"]] if tag == "a" else []
        self.anchors += [given["id"]] if "id" in given else []
        self.sources += [given["src"]] if "src" in given else []

    def handle_data(self, data):
        self.words += data


def test_a_comparison(tmp_path):
    found = ps.compare("fast-top", methods=["nmb", "srkn4", "exact"], steps=[0.02, 0.01])
    page = Report(found.to_html(tmp_path / "compare.html", 1e-2, 1e-4, command="poinsot compare fast-top"))
    assert page.links == ["#figure", "#reach", "#runs", "#skipped"]
    assert {link[1:] for link in page.links} <= {*page.anchors}
    for row in found.rows:
        assert f"{row.error:.2e}" in page.words
    assert found.skipped["exact"] in page.words
    assert "poinsot compare fast-top" in page.words
    assert all(source.startswith("data:image/svg+xml;base64,") for source in page.sources)
    assert len(page.sources) == 1
    assert "script" not in page.tags


@pytest.mark.filterwarnings("ignore::poinsot.StepWarning")  # the paper takes large steps
def test_a_reproduction(tmp_path):
    one = reproduce("krysl2005/figure-01")
    page = Report(report_page([one], tmp_path / "claims.html"))
    assert page.links == ["#krysl2005-figure-01"]
    for words in (one.claim.words, one.claim.where, one.verdict.word, one.verdict.because):
        assert words in page.words
    assert "table" in page.tags
    assert len(page.sources) == 1


@pytest.mark.slow
def test_all_shipped_records_from_the_command_line(tmp_path, capsys):
    path = tmp_path / "all.html"
    with pytest.raises(SystemExit) as end:
        main(["reproduce", "--list", "--html", str(path)])
    assert end.value.code in (0, None)
    page = Report(path)
    assert page.links == [f"#{name.replace('/', '-')}" for name in experiments()]
    assert len(page.sources) == len(experiments())
    capsys.readouterr()


def test_the_command_line_writes_a_comparison(tmp_path, capsys):
    path = tmp_path / "compare.html"
    with pytest.raises(SystemExit):
        main(["compare", "fast-top", "--methods", "nmb", "--steps", "0.02,0.01", "--html", str(path)])
    assert "What accuracy costs" in Report(path).words
    capsys.readouterr()


def test_words_are_text(tmp_path):
    evil = "<script>alert(1)</script>"
    text = document(evil, "", [Section("a", evil, "")])
    assert "<script" not in text
    claim = Claim("krysl2005", evil, evil, evil)
    from poinsot.gallery import report

    section = report._section(evil, claim, "differs", evil, {evil: evil, "x": 1.0}, "", [evil])
    assert "<script" not in document("t", "", [section._replace(anchor="a")])
    assert isinstance(Reproduction(evil, claim, {}, Verdict("differs", ""), [], 0.0), Reproduction)


def test_numbers_of_a_record():
    found = dict(numbers({"a": 1.5, "b": {"c": [1, 2], "d": [1] * 9, "e": "yes"}, "f": True}))
    assert found == {"a": "1.5", "b.c": "1, 2", "b.e": "yes", "f": "True"}


def test_no_page_of_view_stays(environment, tmp_path):
    """Nor an empty folder of one that could not be made: both stayed for ever."""
    script = """
import poinsot as ps
s = ps.scenario("fast-top")
run = ps.simulate(s.mechanism, s.start, "nmb", step=0.01, steps=20)
print(run.view().path.exists())
try:
    run.view(title=3)
except ps.ScenarioError:
    print("refused")
"""
    env = {**environment, "TMPDIR": str(tmp_path), "POINSOT_NO_BROWSER": "1"}
    old = tmp_path / "poinsot-view-old"
    old.mkdir()
    os.utime(old, (0, 0))
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "refused"]
    assert list(tmp_path.glob("poinsot-*")) == []
