"""A live simulation in a real browser: stepped, reset, pushed, dragged, changed, compared, recorded."""

import json
import time

import numpy as np
import pytest

import poinsot as ps
from poinsot.gallery.reproduction import stored_record
from view.conftest import PATIENCE, Shown

pytest.importorskip("websockets", reason="no websockets: pip install 'poinsot[live]'")


class LivePage(Shown):
    """The page of a live simulation."""

    def __init__(self, browser, live, size=(900, 700), address="theme=light"):
        self.tab, self.live = browser.tab(*size), live
        self.tab.go(f"{live.address}#{address}")
        self.until("window.poinsot?.ready && poinsot.live.status")

    def until(self, condition):
        self.tab.wait(f"!!({condition})", PATIENCE)

    def numbers(self, key, run=0):
        return self(f"poinsot.live.data.newest({key!r}, {run})")

    def step(self, count=1):
        for _ in range(count):
            before = self("poinsot.time")
            self.click("#step")
            self.until(f"poinsot.time > {before!r}")

    def choose(self, selector, value):
        self(
            f"(() => {{ const field = document.querySelector({json.dumps(selector)});"
            f" field.value = {json.dumps(value)}; field.dispatchEvent(new Event('change')) }})()"
        )

    def slide(self, path, value):
        """Type a number beside the slider of a path."""
        self(
            f"(() => {{ const {{ controls, data }} = poinsot.live;"
            f" const k = data.hello.sliders.findIndex((one) => one.path === {json.dumps(path)});"
            " const field = [...document.querySelectorAll('#panels .entry')][k].querySelector('[type=text]');"
            f" field.value = '{value!r}'; field.dispatchEvent(new Event('change')) }})()"
        )

    def find(self, body):
        """A place on the screen where a body is."""
        found = self(
            "(() => { const { stage } = poinsot.live.app; const { clientWidth: w, clientHeight: h } ="
            " stage.canvas;"
            " for (let y = 4; y < h; y += 6) for (let x = 4; x < w; x += 6)"
            f" if (stage.pick(x, y)?.body === {body}) return [x, y]; return null }})()"
        )
        left, top, *_ = self.box("#stage")
        return left + found[0], top + found[1]


@pytest.fixture
def live_page(browser):
    pages = []

    def open_page(live, **words):
        pages.append(LivePage(browser, live, **words))
        return pages[-1]

    yield open_page
    for page in pages:
        assert page.complaints() == []
        page.tab.close()


def test_steps_are_those_of_simulate_and_the_apparatus_shows_the_record(live_page):
    """Dzhanibekov in steps of 0.03 s, as `tqdl-step` of the notebook: six digits of w_b and L_b are its."""
    s = ps.scenario("dzhanibekov", step=0.03, method="rk4")
    run = ps.simulate(s.mechanism, s.start, "rk4", step=0.03, steps=3)
    found = stored_record("beckman2023/tqdl-step")["measured"]["found"]
    with s.live(browser=False) as live:
        page = live_page(live)
        page.step()
        shown = page("poinsot.apparatus")
        assert shown["w-body"] == run.angular_velocity("nut")[1].tolist()
        assert shown["w-body"] == pytest.approx(found["w_b"], abs=1e-6)
        assert shown["L-body"] == pytest.approx(found["L_b"], abs=1e-7)
        assert shown["L-space"] == pytest.approx(run.angular_momentum[1].tolist(), abs=1e-15)
        page.step(2)
        assert page.numbers("q") == run.trajectory.q[3].tolist()
        assert page.numbers("v") == run.trajectory.v[3].tolist()
        r = ps.dynamics.discrete_residual(s.mechanism, *run.trajectory.states()[1:], step=0.03)
        assert page.numbers("residual") == [pytest.approx(np.linalg.norm(r), rel=1e-14)]
        page.click("#reset")
        page.until("poinsot.time === 0")
        assert page.numbers("q") == run.trajectory.q[0].tolist()
        assert live.state.time == 0.0


@pytest.mark.slow
def test_a_slider_changes_the_mass_and_the_motion_goes_on(live_page, artefacts):
    """To the bit as `simulate` with the new mechanism from that state; latencies are reported."""
    s = ps.scenario("double-pendulum", method="rk4")
    with s.live(browser=False) as live:
        page = live_page(live)
        page.step(4)
        before = live.state
        page.slide("bodies.lower.mass", 2.5)
        page.until("poinsot.live.said.some((text) => text.includes('bodies.lower.mass'))")
        assert live.state.q.tolist() == before.q.tolist()
        page.step(3)
        m = ps.scenario("double-pendulum", method="rk4", **{"bodies.lower.mass": 2.5}).mechanism
        again = ps.simulate(m, ps.State(before.time, before.q, before.v), "rk4", step=s.step, steps=3)
        assert page.numbers("q") == again.trajectory.q[3].tolist()
        page.slide("bodies.lower.mass", -1.0)  # it makes no mechanism: the motion goes on, the page says why
        page.until("poinsot.live.said.some((text) => text.includes('mass'))")
        page.click("#play")
        page.until("poinsot.playing")
        for mass in np.linspace(1.0, 3.0, 21):
            page.slide("bodies.lower.mass", float(mass))
            time.sleep(0.1)
        print("latency from slider to motion, median [ms]:", np.median(page("poinsot.live.latencies")))
        print(page("document.querySelector('#live .quiet').textContent"))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::poinsot.simulation.messages.StepWarning")  # when it is wild
def test_a_balanced_baton_is_pushed_falls_and_is_caught_again(live_page):
    """The key pushes the body under the pointer; a click on the ground sets the target."""
    with ps.scenario("4disp-balance").live(browser=False) as live:
        page = live_page(live)
        upright = "(([w, x, y, z]) => w * w - x * x - y * y + z * z)(poinsot.quaternion(2))"

        def push(size):
            page(f"poinsot.live.grab.impulse = {size}")
            page.mouse("mouseMoved", *page.find(2))
            page.press("i")
            page.until(f"poinsot.live.said.at(-1).includes('pushed with {size} N s')")
            page.click("#play")

        push(5)
        wild = (
            "poinsot.live.said.some((text) => text.includes('the motion ended'))"  # too fast for the method
        )
        page.until(f"{upright} < 0.5 || {wild}")
        if page("poinsot.playing"):
            page.click("#play")
            page.until("!poinsot.playing")
        page.click("#reset")
        page.until(f"poinsot.time === 0 && {upright} > 0.9")
        push(1.5)
        page.until("poinsot.time > 0.2")
        page.until(f"poinsot.time > 3 && {upright} > 0.999")
        page.click("#stage", 0.3, 0.9)
        page.until("poinsot.live.said.some((text) => text.includes('target'))")
        assert live.scenario.mechanism.names == ["rail", "cart", "baton"]


@pytest.mark.slow
def test_a_body_is_dragged_compared_recorded_and_scrubbed(live_page, tmp_path):
    s = ps.scenario("double-pendulum")
    with s.live(browser=False, folder=tmp_path) as live:
        page = live_page(live)
        page.click("#record")
        page.until("poinsot.live.status.recording")
        x, y = page.find(1)
        page.mouse("mouseMoved", x, y)
        page.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        page.mouse("mouseMoved", x + 60, y - 30, button="left", buttons=1)
        page.press(" ")
        page.until("poinsot.time > 0.5")
        assert abs(page.numbers("work")[0]) > 1e-3
        first = page.numbers("energy-work")[0]
        page.mouse("mouseReleased", x + 60, y - 30, button="left", clickCount=1)
        page.until("poinsot.time > 1")
        assert page.numbers("energy-work")[0] == pytest.approx(first, abs=1e-3 * abs(page.numbers("work")[0]))
        page.click("#record")
        page.until("poinsot.live.said.some((text) => text.includes('recorded'))")
        assert list(tmp_path.glob("*.poinsot"))
        page("poinsot.seek(0.25)")
        page.until("!poinsot.playing && Math.abs(poinsot.time - 0.25) < 0.01")
        page.choose("#compare", "rk4")
        page.until("poinsot.fields === 2")
        page.click("#play")
        page.until("poinsot.time > 0.3 && poinsot.playing")
        page.click("#play")
        page.until("!poinsot.playing")
        assert page.numbers("q", 1) == pytest.approx(page.numbers("q"), abs=1e-6)
        page.click("#show-overlay")
        assert page("poinsot.fields") == 1


@pytest.mark.slow
def test_two_look_and_one_drives_and_a_lost_connection_comes_back(live_page):
    with ps.scenario("fast-top").live(browser=False) as live:
        first, second = live_page(live), live_page(live)
        assert first("poinsot.live.status.drives")
        assert not second("poinsot.live.status.drives")
        assert second("document.querySelector('#step').disabled")
        second.click("#drive")
        second.until("poinsot.live.status.drives")
        first.until("!poinsot.live.status.drives")
        second.step()
        first.until("poinsot.time > 0")
        second("poinsot.live.socket.close()")
        second.until("document.querySelector('#light').dataset.light === 'off'")
        second.until("document.querySelector('#light').dataset.light === 'good'")
        first.until("poinsot.live.status.drives")
    first.until("document.querySelector('#light').dataset.light === 'off'")
