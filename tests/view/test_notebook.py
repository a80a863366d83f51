"""In a notebook: what objects show of themselves, in one that is really executed."""

import re
from html.parser import HTMLParser

import pytest

import poinsot as ps
from poinsot.view.browser import Tab

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

BEAD = """import numpy as np
an = ps.analytical
place = lambda t, x: np.array([[np.sin(x[0]), 0.0, -np.cos(x[0])]])
bead = an.moving_particles(an.spaces.minimal(1), [1.0], place, lambda t, x: -9.81 * np.cos(x[0]))
ps.simulate(bead, ps.State(0.0, [1.0], [0.0]), "gauss2", step=0.01, until=0.1)"""
CELLS = [
    "import poinsot as ps; s = ps.scenario('fast-top'); s.mechanism",
    "run = ps.simulate(s.mechanism, s.start, 'nmb', step=0.01, until=1.0); run",
    "run.report()",
    "ps.compare('fast-top', methods=['nmb', 'srkn4'], steps=[0.02, 0.01])",
    "run.plot()",
    "run.view({'again': run}, title='twice')",
    BEAD,
    "live = s.live(); live",
    "play = live._ask(lambda session: session.obey({'do': 'play', 'id': 0}))\n"
    "before = live.state.time\n"
    "while live.state.time == before: pass\n"
    "mass = live.change(**{'bodies.top.mass': 2.0}).time > before\n"
    "live.close(); mass",
]


@pytest.fixture(scope="module")
def outputs(environment):
    import os

    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    old = dict(os.environ)
    os.environ.update(environment)
    try:
        nbclient.NotebookClient(book, timeout=300, kernel_name="python3").execute()
    finally:
        os.environ.clear()
        os.environ.update(old)
    results = [[one for one in cell.outputs if one.output_type == "execute_result"] for cell in book.cells]
    errors = [one for cell in book.cells for one in cell.outputs if one.output_type == "error"]
    assert errors == []
    return [one[0].data if one else {} for one in results]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_everything_shows_itself(outputs):
    mechanism, run, report, comparison, figure, view, system = outputs[:7]
    assert "<td" in mechanism["text/html"]
    assert "Spherical" in mechanism["text/html"]
    assert run["text/html"].startswith("<iframe srcdoc=")
    assert "angular momentum" in report["text/html"]
    assert "srkn4" in comparison["text/html"]
    assert figure["image/png"]
    assert "Run(" in system["text/plain"]
    assert "<iframe" in system["text/html"]  # its curves
    assert "twice" in view["text/html"]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_live_page_leaves_the_kernel_usable(outputs):
    live, changed = outputs[7:]
    assert re.search(r'<iframe src="http://127\.0\.0\.1:\d+/[\w-]{43}/"', live["text/html"])
    assert changed["text/plain"] == "True"  # the motion went on meanwhile


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_run_in_a_notebook_plays_in_its_frame(outputs, browser, tmp_path):
    from conftest import Shown

    path = tmp_path / "notebook.html"
    path.write_text(f"<!doctype html><body>{outputs[1]['text/html']}</body>")
    page = Shown(browser, 900, 700)
    page.open(path.as_uri(), ready=False)
    page.tab.wait("document.querySelector('iframe') !== null")
    inside = frame_in(browser)
    inside.wait("(document.querySelector('#now')?.value ?? '').endsWith(' s')")
    inside.wait("poinsot.frame > 3")
    assert page.complaints() == []


def frame_in(browser):
    """The frame, which the browser keeps in a process of its own."""
    for _ in range(200):
        targets = browser.call("Target.getTargets")["targetInfos"]
        found = [one["targetId"] for one in targets if one["type"] == "iframe"]
        if found:
            session = browser.call("Target.attachToTarget", targetId=found[0], flatten=True)["sessionId"]
            return Tab(browser, session, found[0])
        browser.receive(0.05)
    raise AssertionError("no frame")


class Text(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.words = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.words += data


def test_names_are_escaped_everywhere():
    evil = "<script>alert(1)</script>"
    m = ps.Mechanism().add(evil, ps.Body(1.0, (1, 1, 1)), ps.Spherical(), body_at=(0, 0, -1))
    run = ps.simulate(m, m.state(), "nmb", step=0.01, steps=3)
    for shown in (m, run.report()):
        found = Text(shown._repr_html_())
        assert "script" not in found.tags
    assert evil in Text(m._repr_html_()).words
    frame = run._repr_html_()
    assert Text(frame).tags == ["iframe"]
    assert 'sandbox="allow-scripts allow-downloads"' in frame
    assert not re.search("allow-same-origin", frame)
