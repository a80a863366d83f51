"""`poinsot view`: to this machine only, archives of one folder only, reading only."""

import http.client
import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import poinsot as ps
from poinsot.cli.pages import page
from poinsot.cli.runs import scenario_of
from poinsot.view.server import Server, archives


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("runs")
    s = ps.scenario("fast-top")
    for name in ("one.poinsot", "two & <three>.poinsot"):
        ps.simulate(s.mechanism, s.start, "nmb", step=0.01, steps=20).save(place / name)
    (place / "broken.poinsot").write_bytes(b"no archive")
    (place / "secret.txt").write_text("secret")
    outside = tmp_path_factory.mktemp("outside") / "hidden.poinsot"
    outside.write_bytes((place / "one.poinsot").read_bytes())
    (place / "link.poinsot").symlink_to(outside)
    return place


@pytest.fixture(scope="module")
def server(folder):
    with Server(folder / "one.poinsot", page) as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def ask(server, path, method="GET", **headers):
    port = server.server_address[1]
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    line.putrequest(method, path, skip_host=True)
    for name, value in {"Host": f"127.0.0.1:{port}", **headers}.items():
        line.putheader(name, value)
    line.endheaders()
    answer = line.getresponse()
    body = answer.read().decode()
    line.close()
    return answer.status, body


def test_the_run_and_its_neighbours_are_shown(server):
    status, text = ask(server, "/")
    assert status == 200
    assert "<title>one.poinsot</title>" in text
    assert "/run/two%20%26%20%3Cthree%3E.poinsot" in text
    status, text = ask(server, "/run/two%20%26%20%3Cthree%3E.poinsot")
    assert status == 200
    assert "<title>two &amp; &lt;three&gt;.poinsot</title>" in text
    assert json.loads(ask(server, "/runs")[1]) == ["broken.poinsot", "one.poinsot", "two & <three>.poinsot"]


@pytest.mark.parametrize(
    "path",
    [
        "/secret.txt",
        "/run/secret.txt",
        "/run/../secret.txt",
        "/run/..%2fsecret.txt",
        "/run//etc/passwd",
        "//etc/passwd",
        "/run/%2fetc%2fpasswd",
        "/run/",
        "/one.poinsot",
        "/run/link.poinsot",
        "/run/one.poinsot%00",
        "/run/./one.poinsot",
    ],
)
def test_nothing_else_is(server, path):
    status, text = ask(server, path)
    assert status == 404
    assert "secret" not in text


def test_a_damaged_archive_gives_its_reason(server):
    assert ask(server, "/run/broken.poinsot") == (
        422,
        f"{server.folder / 'broken.poinsot'}: not a Poinsot archive\n",
    )


def test_other_hosts_are_refused(server):
    assert ask(server, "/", Host="evil.example")[0] == 403
    assert ask(server, "/", Host=f"localhost:{server.server_address[1]}")[0] == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_nothing_can_be_written(server, method):
    assert ask(server, "/", method)[0] == 501


def test_head_has_no_body(server):
    assert ask(server, "/", "HEAD") == (200, "")


def test_it_listens_on_the_loopback_only(server):
    assert server.server_address[0] == "127.0.0.1"
    own = [info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    for address in {one for one in own if not one.startswith("127.")}:
        with pytest.raises(OSError, match=r"refused|timed out|unreachable"):
            socket.create_connection((address, server.server_address[1]), timeout=2)


def test_links_out_of_the_folder_are_left_out(folder):
    assert "link.poinsot" not in archives(folder)


def test_the_page_of_the_server_works_in_a_browser(server, browser):
    from conftest import Shown

    page = Shown(browser, 800, 600)
    page.tab.call(
        "Network.emulateNetworkConditions",
        offline=False,
        latency=0,
        downloadThroughput=-1,
        uploadThroughput=-1,
    )
    page.open(f"{server.address}#frame=3")
    assert page("poinsot.frame") == 3
    names = page("[...document.querySelector('#others').options].map(o => o.textContent)")
    assert names == ["broken.poinsot", "one.poinsot", "two & <three>.poinsot"]
    assert page("document.querySelector('#others').selectedOptions[0].textContent") == "one.poinsot"
    page(
        "(() => { const s = document.querySelector('#others'); s.selectedIndex = 2;"
        " s.dispatchEvent(new Event('change')) })()"
    )
    page.tab.wait("document.title.startsWith('two') && window.poinsot?.ready")
    assert page.complaints() == []


def test_the_command_serves_until_it_is_interrupted(folder, environment):
    command = [sys.executable, "-m", "poinsot", "view", str(folder / "one.poinsot"), "--no-browser"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        address = line.split(" is shown at ")[1].split(" ")[0]
        host, port = address.removeprefix("http://").rstrip("/").split(":")
        assert host == "127.0.0.1"
        connection = http.client.HTTPConnection(host, int(port), timeout=30)
        connection.request("GET", "/runs")
        assert connection.getresponse().status == 200
        connection.close()
    finally:
        process.send_signal(signal.SIGINT)
        try:
            assert process.wait(20) == 0
        finally:  # nothing is left for later tests
            process.kill()
            process.wait()
            process.stdout.close()


def cli(environment, *words):
    done = subprocess.run(
        [sys.executable, "-m", "poinsot", *map(str, words)], env=environment, capture_output=True, text=True
    )
    return done.returncode, done.stdout, done.stderr


def test_the_command_writes_a_page(folder, environment, tmp_path):
    target = tmp_path / "new" / "one.html"
    code, out, err = cli(environment, "view", folder / "one.poinsot", "--out", target)
    assert (code, out, err) == (0, f"page: {target}\n", "")
    assert target.read_text().startswith("<!doctype html>")


def test_a_folder_shows_its_newest_run(folder, environment, tmp_path):
    os.utime(folder / "one.poinsot", (2e9, 2e9))
    code, _, err = cli(environment, "view", folder, "--out", tmp_path / "a.html")
    assert (code, err) == (0, "")
    assert "<title>one.poinsot</title>" in (tmp_path / "a.html").read_text()


def test_bad_files_are_one_line_and_exit_code_2(folder, environment, tmp_path):
    (tmp_path / "empty").mkdir()
    for path, words in (
        (folder / "broken.poinsot", "not a Poinsot archive"),
        (folder / "secret.txt", "not a Poinsot archive"),
        (folder / "none.poinsot", "cannot be read"),
        (tmp_path / "empty", "this folder contains no archive (.poinsot)"),
    ):
        code, out, err = cli(environment, "view", path, "--out", tmp_path / "x.html")
        assert (code, out) == (2, "")
        assert words in err
        assert err.count("\n") == 1
    assert not Path(tmp_path / "x.html").exists()


def test_the_page_of_an_archive_names_the_command_that_made_it(environment, tmp_path):
    archive, target = tmp_path / "run.poinsot", tmp_path / "run.html"
    words = ["run", "fast-top", "--until", "0.2", "--set", "bodies.top.mass=2.5", "--out", str(archive)]
    assert cli(environment, *words)[0] == 0
    assert ps.load(archive).command == shlex.join(["poinsot", *words])
    assert ps.load(ps.load(archive).save(tmp_path / "copy.poinsot")).command == ps.load(archive).command
    assert cli(environment, "view", archive, "--out", target)[0] == 0
    assert json.dumps(shlex.join(["poinsot", *words])) in target.read_text()


# the title


@pytest.fixture(scope="module")
def made(tmp_path_factory, environment):
    """Two archives of one scenario, written by the command line."""
    place = tmp_path_factory.mktemp("made")
    words = ["run", "--method", "variational", "four-bar", "--until", "0.1", "--out"]
    assert cli(environment, *words, place / "a.poinsot")[0] == 0
    assert cli(environment, *words, place / "b.poinsot")[0] == 0
    return place


def title(path):
    return re.search("<title>(.*)</title>", path.read_text(encoding="utf-8"))[1]


def test_a_page_of_the_command_line_has_the_name_of_the_scenario(made, environment, tmp_path):
    archive = made / "a.poinsot"
    assert cli(environment, "export", archive, "--html", tmp_path / "export.html")[0] == 0
    assert cli(environment, "view", archive, "--out", tmp_path / "view.html")[0] == 0
    assert title(tmp_path / "export.html") == title(tmp_path / "view.html") == "four-bar"
    copy = ps.load(archive).save(tmp_path / "copy.poinsot")  # the command travels on
    assert cli(environment, "export", copy, "--html", tmp_path / "copy.html")[0] == 0
    assert title(tmp_path / "copy.html") == "four-bar"


def test_a_run_of_python_knows_its_scenario(folder, environment, tmp_path):
    assert cli(environment, "export", folder / "one.poinsot", "--html", tmp_path / "page.html")[0] == 0
    assert title(tmp_path / "page.html") == "fast-top: nmb, step 0.01"


def test_a_comparison_names_the_scenario(environment, tmp_path):
    words = ["compare", "fast-top", "--methods", "nmb", "--steps", "0.02,0.01", "--html"]
    assert cli(environment, *words, tmp_path / "compare.html")[0] == 0
    assert title(tmp_path / "compare.html") == "Methods on fast-top"


@pytest.fixture
def odd(folder, tmp_path):
    """A folder with a name that is not UTF-8."""
    data = (folder / "one.poinsot").read_bytes()
    (tmp_path / "one.poinsot").write_bytes(data)
    try:
        (tmp_path / os.fsdecode(b"caf\xe9.poinsot")).write_bytes(data)
    except OSError:
        pytest.skip("this file system takes names in UTF-8 only")
    return tmp_path


def test_a_name_that_is_not_utf8(odd):
    with Server(odd / "one.poinsot", page) as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        status, text = ask(running, "/")
        assert status == 200
        assert "/run/caf%E9.poinsot" in text
        status, text = ask(running, "/run/caf%E9.poinsot")
        assert status == 200
        assert "</html>" in text
        assert json.loads(ask(running, "/runs")[1]) == ["caf\ufffd.poinsot", "one.poinsot"]
        running.shutdown()
        thread.join()


def test_an_odd_archive_is_an_answer_and_no_traceback(folder, capfd):
    def fails(path, links):
        raise KeyError("bodies")

    with Server(folder / "one.poinsot", fails) as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        status, text = ask(running, "/")
        assert (status, text) == (422, "one.poinsot cannot be shown: KeyError: 'bodies'\n")
        running.shutdown()
        thread.join()
    assert "Traceback" not in capfd.readouterr().err


def test_idle_connections_are_limited_and_closed(folder, monkeypatch):
    from poinsot.view import server as module

    monkeypatch.setattr(module.Handler, "timeout", 1.0)
    with Server(folder / "one.poinsot", page) as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        before = threading.active_count()
        address = "127.0.0.1", running.server_address[1]
        lines = [socket.create_connection(address, timeout=20) for _ in range(100)]
        assert threading.active_count() <= before + module.CONNECTIONS
        assert [line.recv(1) for line in lines] == [b""] * 100  # no place, or idle for too long
        for line in lines:
            line.close()
        assert ask(running, "/runs")[0] == 200
        running.shutdown()
        thread.join()


def test_the_list_of_runs_stands_on_the_one_that_is_shown(made, browser):
    """Two runs of one scenario have the same title: the list goes by the file."""
    from conftest import Shown

    with Server(made / "b.poinsot", page) as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        tab = Shown(browser, 900, 600)
        tab.tab.call(
            "Network.emulateNetworkConditions",
            offline=False,
            latency=0,
            downloadThroughput=-1,
            uploadThroughput=-1,
        )
        tab.open(running.address)
        assert tab("document.title") == tab("document.querySelector('h1').innerText") == "four-bar"
        assert tab("document.querySelector('#others').selectedOptions[0].textContent") == "b.poinsot"
        assert "step 0.001" in tab("document.querySelector('#details').innerText")
        running.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("poinsot run fast-top", "fast-top"),
        ("poinsot run --method nmb --every=2 --set 'bodies.top.mass=2.5' fast-top --no-progress", "fast-top"),
        ("poinsot run fast-top --removed-option 3", ""),
        ("poinsot demo", ""),
        ("poinsot run", ""),
        ("poinsot run 'fast", ""),
        ("", ""),
    ],
)
def test_the_scenario_of_a_recorded_command(line, name):
    assert scenario_of(line) == name


def raw(running, *parts, wait=0.0):
    """What the server answers to bytes that come one after the other."""
    found = b""
    with socket.create_connection(("127.0.0.1", running.server_address[1]), timeout=20) as line:
        try:
            for part in parts:
                line.sendall(part)
                time.sleep(wait)
            while more := line.recv(65536):
                found += more
        except ConnectionError:
            pass
    return found


def test_no_page_may_show_the_server_in_a_frame(server):
    host = f"127.0.0.1:{server.server_address[1]}"
    found = raw(server, f"GET /runs HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    head = found.split(b"\r\n\r\n")[0]
    assert b"Content-Security-Policy: frame-ancestors 'none'" in head


def test_an_address_that_is_none_is_an_answer(server, capfd):
    host = f"127.0.0.1:{server.server_address[1]}"
    found = raw(server, f"GET http://[::1 HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    assert found.startswith(b"HTTP/1.1 400 ")
    assert "Traceback" not in capfd.readouterr().err


def test_a_connection_that_drips_ends(server, monkeypatch):
    """Each byte came in time, and the request never ended."""
    from poinsot.view import server as module

    monkeypatch.setattr(module, "PATIENCE", 0.5)
    begun = time.monotonic()
    assert raw(server, *[b"G"] * 40, wait=0.2) == b""
    assert time.monotonic() - begun < 5.0
