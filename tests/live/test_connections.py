"""A live simulation talks to its own pages only, whatever is said to it, and to several of them."""

import gc
import http.client
import os
import random
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from itertools import islice
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

import poinsot as ps
from attacks.live import attempts
from poinsot.cli import main
from poinsot.live import messages, server
from poinsot.live.pace import Pace
from support.live_page import Page


@pytest.fixture
def live():
    with ps.scenario("double-pendulum").live(browser=False) as found:
        yield found


def ask(live, path=None, method="GET", **headers):
    """Return status, headers and text of an answer."""
    place = urlsplit(live.address)
    line = http.client.HTTPConnection("127.0.0.1", place.port, timeout=30)
    line.putrequest(method, place.path if path is None else path, skip_host=True)
    for name, value in {"Host": place.netloc, **headers}.items():
        if value is not None:
            line.putheader(name, value)
    line.endheaders()
    answer = line.getresponse()
    text = answer.read().decode()
    line.close()
    return answer.status, answer.headers, text


def test_the_page_is_for_this_machine_and_this_token(live):
    place = urlsplit(live.address)
    token = place.path.strip("/")
    assert len(token) >= 43  # 32 random bytes
    status, headers, text = ask(live)
    assert status == 200
    assert headers["Content-Security-Policy"] == "frame-ancestors 'none'"
    assert f"connect-src ws://{place.netloc}{place.path}socket" in text
    assert '"live": true' in text
    assert ask(live, Host=f"localhost:{place.port}")[0] == 200
    for host in ("evil.example", f"evil.example:{place.port}", "127.0.0.1", "", None):
        assert ask(live, Host=host)[0] in (400, 403)
    for path in (
        "/",
        f"/{token}",
        f"/{token[:-1]}/",
        f"/{'x' * 43}/",
        f"/{token}/../x",
        f"/{token}/other",
        "/%C3%A9/",
    ):
        assert ask(live, path)[0] in (400, 404), path


def refusal(live, **options):
    with pytest.raises(InvalidStatus) as error:
        Page(live, **options)
    return error.value.response.status_code


def test_the_socket_is_for_its_own_page(live):
    port = urlsplit(live.address).port
    assert refusal(live, origin=None) == 403
    assert refusal(live, origin="null") == 403
    assert refusal(live, origin="http://evil.example") == 403
    assert refusal(live, origin=f"http://127.0.0.1:{port + 1}") == 403
    assert refusal(live, origin=f"https://127.0.0.1:{port}") == 403
    with Page(live, origin=f"http://localhost:{port}", compression="deflate") as page:
        assert not page.socket.protocol.extensions
        assert page.step()["time"] > 0


def test_it_listens_on_this_machine_only(live):
    port = urlsplit(live.address).port
    try:
        others = {one[4][0] for one in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    except OSError:
        others = set()
    for address in others - {"127.0.0.1", "127.0.1.1"}:
        with pytest.raises(OSError, match="refused"):
            socket.create_connection((address, port), timeout=5)


WRONG = (
    "",
    "{",
    "[]",
    "null",
    "1",
    '"play"',
    "{}",
    '{"do": 1}',
    '{"do": "fly"}',
    '{"do": "go"}',
    '{"do": "play", "more": 1}',
    '{"do": "play", "id": -1}',
    '{"do": "play", "id": 4294967296}',
    '{"do": "step", "count": 0}',
    '{"do": "step", "count": 1001}',
    '{"do": "step", "count": true}',
    '{"do": "speed"}',
    '{"do": "speed", "value": 0}',
    '{"do": "speed", "value": NaN}',
    '{"do": "speed", "value": 1e999}',
    '{"do": "set", "path": "step"}',
    '{"do": "set", "path": "", "value": 1}',
    '{"do": "set", "path": "step", "value": "1"}',
    '{"do": "drag", "body": 0, "point": [0, 0], "target": [0, 0, 0]}',
    '{"do": "drag", "body": -1, "point": [0, 0, 0], "target": [0, 0, 0]}',
    '{"do": "record", "on": 1}',
    '{"do": "compare"}',
    "[" * 4000,
    '{"do": "play", "id": ' + "9" * 4000 + "}",
)


@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_message(text):
    with pytest.raises(ps.ScenarioError):
        messages.read(text)


def test_what_is_no_message_closes_the_connection(live):
    for text in ("{", b"\x00\x01", "x" * 5000, '{"do": "go"}'):
        page = Page(live)
        page.socket.send(text)
        with pytest.raises(ConnectionClosed) as error:
            page.wait("never")
        assert error.value.rcvd.code in (1008, 1009)
    with Page(live) as page:
        assert page.step()["time"] > 0


def test_too_many_messages_close_the_connection(live):
    page = Page(live)
    with suppress(ConnectionClosed):
        for _ in range(5000):
            page.socket.send('{"do": "drive", "on": true}')
    with pytest.raises(ConnectionClosed) as error:
        page.wait("never")
    assert (error.value.rcvd.code, error.value.rcvd.reason) == (1008, "too many messages")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_ten_thousand_random_messages_leave_memory_flat(tmp_path):
    """It grows by less than 40 MB from the second thousand messages to the last; a few are in the attacks."""
    sizes = []
    tried = attempts(random.Random(1), tmp_path)
    for _ in range(10):
        assert not [one for one in islice(tried, 1000) if one.failure]
        gc.collect()
        sizes.append(int(re.search(r"VmRSS:\s+(\d+)", Path("/proc/self/status").read_text())[1]) / 1024)
    tried.close()
    assert sizes[-1] - sizes[1] < 40, sizes


def test_a_client_that_does_not_read_misses_frames_and_hinders_nobody(live):
    with Page(live) as page:
        other = Page(live, max_queue=1, close_timeout=0.1)  # it reads nothing from here on
        page.do("play")
        first = page.wait("frame")[0]["number"]
        while page.wait("frame")[0]["number"] < first + 120:
            pass
        assert len(live._server.clients) == 2
        waiting = [one for one in live._server.clients if one.frame is not None]
        assert all(len(one.texts) <= server.TEXTS for one in live._server.clients)
        assert len(waiting) <= 2  # one place each
        other.socket.close()


def test_connections_that_say_nothing_are_closed(monkeypatch):
    monkeypatch.setattr(server, "PATIENCE", 0.3)
    with ps.scenario("double-pendulum").live(browser=False) as live:
        place = urlsplit(live.address)
        lines = [socket.create_connection(("127.0.0.1", place.port)) for _ in range(50)]
        lines[1].sendall(b"GET / HTTP/1.1\r\nHost: ")
        with Page(live) as page:
            assert page.step()["time"] > 0
        for line in lines:
            line.settimeout(30)
            assert not line.recv(1)  # closed by the server
            line.close()


def test_there_is_a_limit_to_connections(monkeypatch):
    monkeypatch.setattr(server, "PATIENCE", 600)
    with ps.scenario("double-pendulum").live(browser=False) as live:
        place = urlsplit(live.address)
        lines = [socket.create_connection(("127.0.0.1", place.port)) for _ in range(server.CONNECTIONS + 20)]
        lines[-1].settimeout(60)
        with suppress(ConnectionResetError):
            assert not lines[-1].recv(1)  # closed, though it has time
        for line in lines:
            line.close()
        with Page(live) as page:
            assert page.step()["time"] > 0


def test_there_is_a_limit_to_pages(live):
    pages = [Page(live, close_timeout=0.1) for _ in range(server.CLIENTS)]
    assert refusal(live) == 503
    for one in pages:
        one.socket.close()


def test_two_pages_look_and_one_drives(live):
    with Page(live) as first, Page(live) as second:
        assert first.wait("status", lambda x: x["clients"] == 2)["drives"]
        assert not second.wait("status", lambda x: x["clients"] == 2)["drives"]
        second.send("step")
        assert "take over" in second.wait("error")["text"]
        seen = first.step()
        assert second.wait("frame", lambda x: x[1][0]["time"] > 0)[1][0]["time"] == seen["time"]
        second.send("drive", on=True)
        assert not first.wait("status", lambda x: not x["drives"])["drives"]
        second.wait("status", lambda x: x["drives"])
        assert second.step()["time"] > seen["time"]
        second.send("drive", on=False)
        first.wait("status", lambda x: x["drives"])
        first.step()
        first.socket.close()
        second.wait("status", lambda x: x["drives"])  # who is left drives


def test_a_closed_browser_pauses_and_another_goes_on(live):
    with Page(live) as page:
        page.do("play")
        page.wait("frame", lambda x: x[1][0]["time"] > 0.05)
    deadline = time.monotonic() + 30
    while live._ask(lambda session: session.playing) and time.monotonic() < deadline:
        time.sleep(0.01)
    stands = live.state.time
    assert stands > 0
    with Page(live) as page:
        assert page.wait("frame")[1][0]["time"] == stands
        assert page.step()["time"] > stands


def test_a_motion_that_dies_shows_its_last_state_and_can_be_reset():
    with (
        ps.scenario("double-pendulum", method="rk4", step=0.3).live(browser=False) as live,
        Page(live) as page,
    ):
        page.send("step", count=100)
        error = page.wait("error")
        assert error["dead"]
        assert "try a smaller step" in error["text"]
        _, (numbers,), _ = page.wait("frame", lambda x: x[0]["flags"] & messages.DEAD)
        with pytest.raises(ps.StepError) as failure:
            ps.simulate(live.scenario.mechanism, live.scenario.start, "rk4", step=0.3, steps=100)
        assert numbers["q"].tobytes() == failure.value.run.final.q.tobytes()
        page.send("play")
        assert "reset" in page.wait("error")["text"]
        page.do("set", path="step", value=0.01)
        page.do("reset")
        assert page.step()["time"] == 0.01


def test_python_reads_and_changes_what_the_page_shows(live):
    with Page(live) as page:
        page.step(4)
        state = live.change(**{"bodies.lower.mass": 3.0})
        assert page.wait("segment")["text"] == "bodies.lower.mass"
        heavy = ps.scenario("double-pendulum", **{"bodies.lower.mass": 3.0})
        page.step(5)
        run = ps.simulate(
            heavy.mechanism, ps.State(state.time, state.q, state.v), heavy.method, step=heavy.step, steps=5
        )
        assert live.state.q.tobytes() == run.final.q.tobytes()
        assert live.scenario.mechanism.link("lower").body.mass == 3.0
        with pytest.raises(ps.PoinsotError, match="mass"):
            live.change(**{"bodies.lower.mass": -1.0})
        assert live.state.time == run.final.time


def test_a_mechanism_without_a_scenario_has_sliders_too():
    m = ps.Mechanism().add(
        "arm", ps.Box((0.1, 0.1, 1.0)).body(mass=1.0), ps.Revolute((0, 1, 0)), body_at=(0, 0, -0.5)
    )
    m.apply(ps.JointSpring("arm", stiffness=2.0))
    start = m.state({"arm": dict(angle=1.0)})
    with m.live(start, step=0.01, browser=False) as live, Page(live) as page:
        paths = {one["path"] for one in page.hello["sliders"]}
        assert {
            "bodies.arm.mass",
            "bodies.arm.body_at",
            "start.arm.rate",
            "forces.0.stiffness",
            "step",
        } <= paths
        page.do("set", path="forces.0.stiffness", value=5.0)
        found = page.step(3)
        stiff = m.copy()
        stiff.replace_force(stiff.forces[0], ps.JointSpring("arm", stiffness=5.0))
        run = ps.simulate(stiff, start, step=0.01, steps=3)
        assert found["q"].tobytes() == run.final.q.tobytes()


def count_ticks(t, state, memory):
    return [float(memory)], memory + 1


def test_a_controller_keeps_its_memory_while_a_hand_acts():
    m = ps.Mechanism().add("arm", ps.Box(1.0).body(mass=1.0), ps.Revolute((0, 1, 0)))
    counter = ps.Controller(count_ticks, 0.01, ["arm"], memory=0)
    with m.live(m.state(), step=0.01, controller=counter, browser=False) as live, Page(live) as page:
        assert page.step(3)["inputs"][0] == 3
        page.send("drag", body=0, point=[0, 0, 0.5], target=[1.0, 0.0, 0.0])
        assert page.step(2)["inputs"][0] == 5
        page.send("release")
        assert page.step(2)["inputs"][0] == 7
        assert np.isnan(page.step()["residual"][0])  # the equations do not know the input


def test_functions_of_python_leave_the_step():
    m = ps.Mechanism().add("arm", ps.Box(1.0).body(mass=1.0), ps.Revolute((0, 1, 0)))
    pull = ps.Controller(lambda t, state, memory: ([time.time() * 0 + 1.0], memory), 0.01, ["arm"])
    with m.live(m.state(), step=0.01, controller=pull, browser=False) as live, Page(live) as page:
        assert page.hello["features"]["drag"]
        page.do("drag", body=0, point=[0, 0, 0.5], target=[1.0, 0.0, 0.0])
        assert page.step(3)["inputs"][0] == 1.0


def test_the_light_says_how_slow_it_is():
    now = [0.0]
    pace = Pace(1.0, lambda: now[0])
    pace.begin(0.0)
    reached = 0.0
    lit = []
    for _ in range(150):
        now[0] += 1 / 60
        reached = min(pace.due(), reached + 0.4 / 60)
        if pace.arrive(reached):
            lit.append(pace.reached)
    assert pace.slow
    assert lit[-1] == pytest.approx(0.4, rel=0.05)
    for _ in range(150):
        now[0] += 1 / 60
        reached = pace.due()
        pace.arrive(reached)
    assert not pace.slow


def test_any_speed_leaves_it_responsive(live):
    with Page(live) as page:
        page.do("speed", value=1e30)
        page.do("play")
        page.do("pause")
        page.do("speed", value=1e-30)
        page.do("play")
        assert page.step()["time"] > 0


@pytest.mark.slow
def test_sixteen_bodies_at_sixty_frames(capsys):
    """Rates and latency are reported, not asserted: frames a second, and from a slider to its first frame."""
    with ps.scenario("pendulum-16").live(browser=False) as live, Page(live) as page:
        page.do("play")
        first, begun = page.wait("frame")[0]["number"], time.perf_counter()
        for _ in range(300):
            last = page.wait("frame")[0]["number"]
        seconds, delays = time.perf_counter() - begun, []
        body = page.hello["page"]["runs"][0]["bodies"][-1]
        for k in range(15):
            before = time.perf_counter()
            page.do("set", path=f"bodies.{body['name']}.mass", value=body["mass"] * (1 + 0.01 * k))
            delays.append(time.perf_counter() - before)
        with capsys.disabled():
            print(f"\n16 bodies: {300 / seconds:.1f} of {(last - first) / seconds:.1f} frames/s", end=", ")
            print(f"{1000 * sorted(delays)[7]:.0f} ms from slider to frame (median)")
    assert last > first


def test_compiled_steps_release_the_interpreter():
    """While the steps of one thread are made, another thread counts."""
    s = ps.scenario("double-pendulum")
    ps.simulate(s.mechanism, s.start, "rk4", step=s.step, steps=10)
    thread = threading.Thread(
        target=ps.simulate,
        args=(s.mechanism, s.start, "rk4"),
        kwargs={"step": 1e-4, "steps": 300_000, "every": 300_000},
    )
    longest, before = 0.0, time.perf_counter()
    begun = before
    thread.start()
    while thread.is_alive():
        time.sleep(0.0005)
        now = time.perf_counter()
        longest, before = max(longest, now - before), now
    assert longest < (before - begun) / 2


def test_a_port_that_is_taken_is_followed_by_the_next():
    with ps.scenario("double-pendulum").live(browser=False) as one:
        port = urlsplit(one.address).port
        with ps.scenario("double-pendulum").live(browser=False, port=port) as two:
            assert urlsplit(two.address).port > port


def test_without_websockets_the_extra_is_named(monkeypatch):
    monkeypatch.setattr("poinsot.live.live.find_spec", lambda name: None)
    with pytest.raises(ps.ScenarioError, match=r"poinsot\[live\]"):
        ps.scenario("double-pendulum").live()


def test_without_a_browser_the_address_is_printed(monkeypatch, capsys):
    monkeypatch.setenv("POINSOT_NO_BROWSER", "1")
    with ps.scenario("double-pendulum").live() as live:
        assert live.address in capsys.readouterr().out


def test_an_unknown_scenario_has_a_suggestion(capsys):
    with pytest.raises(SystemExit) as end:
        main(["live", "double-pendulun"])
    assert end.value.code == 2
    assert "double-pendulum" in capsys.readouterr().err


def test_a_notebook_shows_the_page_in_a_frame(monkeypatch):
    for name in ("JUPYTERHUB_SERVICE_PREFIX", "COLAB_RELEASE_TAG", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)
    with ps.scenario("double-pendulum").live(browser=False, notebook="http://localhost:8888") as live:
        assert f'<iframe src="{live.address}"' in live._repr_html_()
        assert ask(live)[1]["Content-Security-Policy"] == "frame-ancestors http://localhost:8888"
        monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", "/user/")
        assert "another machine" in live._repr_html_()
    for wrong in ("localhost", "http://a b", "javascript:x", "http://x; script-src *"):
        with pytest.raises(ps.ScenarioError, match="notebook"):
            ps.scenario("double-pendulum").live(browser=False, notebook=wrong)


def test_ctrl_c_ends_the_command_at_once(environment, tmp_path):
    command = shlex.split(f"{sys.executable} -m poinsot live four-bar --no-browser")
    running = subprocess.Popen(
        command, env=environment, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        line = running.stdout.readline().decode()
        address = re.search(r"http://127\.0\.0\.1:\d+/\S+/", line)[0]

        class Known:
            """What `Page` needs."""

        known = Known()
        known.address = address
        page = Page(known)
        page.do("set", path="bodies.rocker.at", index=0, value=1.05)
        page.do("pause")
        assert any("off loop 'pin'" in one.get("text", "") for one in page.told)  # the warning
        page.do("play")
        os.kill(running.pid, signal.SIGINT)
        assert running.wait(30) == 0
        assert not running.stderr.read()
    finally:
        running.kill()
        running.wait()
        running.stdout.close()
        running.stderr.close()


def test_closing_ends_all_threads():
    before = threading.active_count()
    live = ps.scenario("double-pendulum").live(browser=False)
    with Page(live) as page:
        page.do("play")
        live.close()
    for _ in range(100):
        if threading.active_count() <= before:
            break
        time.sleep(0.05)
    assert threading.active_count() <= before
    with pytest.raises(ps.PoinsotError, match="closed"):
        live.state  # noqa: B018
