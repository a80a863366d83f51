"""The page in a browser that cannot draw: it says so, and plots and report remain."""

import pytest
from PIL import Image

import poinsot as ps
from poinsot.view import browser as machine
from poinsot.view.browser import BrowserError
from poinsot.view.page import to_html
from poinsot.view.video import draw
from view.conftest import PATIENCE, Shown

NOTICE = "document.querySelector('#notice')"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    s = ps.scenario("dzhanibekov")
    run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, until=2.0)
    return to_html(tmp_path_factory.mktemp("page") / "page.html", {"one": run, "two": run})


@pytest.fixture
def blind(monkeypatch):
    if machine.find() is None:
        pytest.skip("no Chromium: install one or name it in POINSOT_BROWSER")
    monkeypatch.setattr(machine, "FLAGS", (*machine.FLAGS, "--disable-3d-apis"))


def test_it_says_so_in_one_line_and_shows_plots_and_report(blind, page, tmp_path):
    with machine.Browser(tmp_path) as browser:
        shown = Shown(browser, 1300, 900).open(f"{page.as_uri()}#frame=0")
        assert shown("poinsot.draws") is False
        text = shown(f"{NOTICE}.hidden ? '' : {NOTICE}.innerText")
        assert text.startswith("No picture: this browser has no WebGL. Turn on hardware acceleration")
        _, top, _, height = shown.box("#notice")
        assert height < 30  # one line
        _, scene, _, room = shown.box("#scene")
        assert scene < top < top + height < scene + room
        assert shown("document.querySelector('.card table').innerText").count("energy") == 1
        shown("poinsot.set(40)")
        assert shown("poinsot.time") == pytest.approx(0.8)
        assert len(shown("poinsot.plot(0)")["values"]) == 6  # angular velocities of two runs
        shown.click("#plot-0", across=0.9)
        assert shown("poinsot.time") > 1.5
        for key in (" ", "t", "2", "s"):  # keys of the picture do nothing, and break nothing
            shown.press(key)
        shown.tab.wait("poinsot.playing", PATIENCE)
        shown("poinsot.pause()")
        x, y, width, height = shown.box("#plot-0")
        shown.tab.screenshot(tmp_path / "page.png")
        plot = Image.open(tmp_path / "page.png").crop((int(x), int(y), int(x + width), int(y + height)))
        assert len(plot.convert("RGB").getcolors(1 << 20)) > 10  # curves are drawn
        assert shown.complaints() == []


def test_a_film_needs_a_browser_that_draws(blind, page, tmp_path):
    with pytest.raises(BrowserError, match="films need a browser with WebGL"):
        next(draw(page, str(tmp_path), [0.0], 320, 240, ""))


@pytest.mark.slow
def test_a_picture_that_is_lost_and_comes_back(browser, page):
    shown = Shown(browser, 900, 700).open(f"{page.as_uri()}#frame=0")
    assert shown("poinsot.draws") is True
    assert shown(f"{NOTICE}.hidden")
    context = "document.querySelector('#stage').getContext('webgl2')"
    shown(f"window.lost = {context}.getExtension('WEBGL_lose_context'); window.lost.loseContext()")
    shown.tab.wait(f"!{NOTICE}.hidden", PATIENCE)
    assert "stopped. Reload the page." in shown(f"{NOTICE}.innerText")
    shown("window.lost.restoreContext()")
    shown.tab.wait(f"{NOTICE}.hidden", PATIENCE)
    shown.tab.close()
