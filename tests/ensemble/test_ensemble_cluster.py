"""A Dask cluster: the same bits, workers and schedulers that are killed, workers of another version."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import poinsot as ps
from poinsot.ensemble import chunk, cluster

distributed = pytest.importorskip("distributed")
HOW = dict(method="rk4", step=0.01, until=0.1)
VARY = {"start.upper.angle": np.linspace(-1.0, 1.0, 10).tolist()}


def deadly(run):
    """Kill the worker that runs member 3."""
    if abs(run.trajectory.q[0, 0] - VARY["start.upper.angle"][3]) < 1e-12:
        os.kill(os.getpid(), signal.SIGKILL)
    return run.trajectory.q[:, 0].max()


@pytest.fixture
def client():
    local = distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None, protocol="inproc://"
    )
    with local, distributed.Client(local, set_as_default=False) as found:
        yield found


def test_the_bits_of_a_cluster(client, tmp_path):
    plain = ps.ensemble("double-pendulum", vary=VARY, **HOW)
    for executor in (client, client.get_executor()):
        found = ps.ensemble("double-pendulum", vary=VARY, executor=executor, **HOW)
        assert found.dataset().identical(plain.dataset())


def test_workers_of_another_version_are_refused_by_name(client, monkeypatch):
    other = {**chunk.versions(), "poinsot": "9.9"}
    monkeypatch.setattr(cluster, "versions", lambda: other)
    with pytest.raises(ps.ScenarioError, match=r"workers inproc.*poinsot .*, wanted 9\.9"):
        ps.ensemble("double-pendulum", vary=VARY, executor=client, **HOW)


def test_an_unreachable_cluster_says_so_at_once(monkeypatch):
    monkeypatch.setattr(cluster, "WAIT", 0.3)
    for address in ("tcp://127.0.0.1:9", "nowhere.json", "no scheme://"):
        with pytest.raises(ps.ScenarioError, match="the cores of this machine") as found:
            cluster.connect(address)
        assert "\n" not in str(found.value)


class Machines:
    """A scheduler and worker processes of this machine, with a scheduler file."""

    def __init__(self, folder, workers=2):
        self.folder, self.file = folder, str(folder / "scheduler.json")
        self.workers = []
        self.scheduler = self.begin("scheduler", "--port", "0", "--dashboard-address", ":0")
        while not os.path.exists(self.file):
            time.sleep(0.1)
        for _ in range(workers):
            self.add()

    def begin(self, what, *options):
        call = [sys.executable, "-m", f"distributed.cli.dask_{what}", "--scheduler-file", self.file, *options]
        path = os.pathsep.join([os.path.dirname(__file__), os.environ.get("PYTHONPATH", "")])
        quiet = dict(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return subprocess.Popen(call, cwd=self.folder, env={**os.environ, "PYTHONPATH": path}, **quiet)

    def add(self):
        self.workers.append(self.begin("worker", "--nthreads", "1", "--no-nanny", "--no-dashboard"))

    def end(self):
        for one in (*self.workers, self.scheduler):
            one.kill()
            one.wait()


@pytest.mark.slow
def test_a_member_that_kills_its_workers(tmp_path):
    machines = Machines(tmp_path, workers=8)
    try:
        with cluster.connect(machines.file) as client:
            client.wait_for_workers(8)
            e = ps.ensemble("double-pendulum", vary=VARY, reduce=deadly, executor=client, **HOW)
    finally:
        machines.end()
    assert list(e.failed) == [3]
    assert "KilledWorker" in e.failed[3]


SCRIPT = """
import numpy as np, poinsot as ps, sys
from poinsot.ensemble.cluster import connect
count, path, where = int(sys.argv[1]), sys.argv[2], sys.argv[3]
rng = np.random.default_rng(1)
starts = rng.uniform(-3, 3, (count, 2)), rng.normal(size=(count, 2))
how = dict(starts=starts, method="rk4", step=0.01, until=2.0, progress=False)
executor = connect(where) if where else None
e = ps.ensemble(ps.scenario("double-pendulum"), archive=path, executor=executor, **how)
data = e.dataset()
for name in sorted(map(str, data.variables)):
    sys.stdout.buffer.write(name.encode() + data[name].values.tobytes())
"""


@pytest.mark.slow
def test_a_scheduler_that_dies(tmp_path):
    """One worker is killed, then the scheduler; a new cluster goes on, to the bytes of threads."""
    call = [sys.executable, "-c", SCRIPT, "100000"]
    path = tmp_path / "e.poinsot"
    whole = subprocess.run([*call, str(tmp_path / "w.poinsot"), ""], capture_output=True, check=True)
    machines = Machines(tmp_path)
    sweep = subprocess.Popen(
        [*call, str(path), machines.file], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )

    def wait_for(size):
        end = time.monotonic() + 300
        while not (path.exists() and path.stat().st_size > size) and time.monotonic() < end:
            assert sweep.poll() is None
            time.sleep(0.05)

    try:
        wait_for(5_000_000)
        machines.workers[0].kill()
        wait_for(7_000_000)
        machines.scheduler.kill()
        _, said = sweep.communicate(timeout=120)
        assert sweep.returncode != 0
        assert b"run the same command again" in said.splitlines()[-1]
    finally:
        machines.end()
        sweep.kill()
    os.remove(machines.file)
    machines = Machines(tmp_path)
    try:
        again = subprocess.run([*call, str(path), machines.file], capture_output=True, check=True)
    finally:
        machines.end()
    assert again.stdout == whole.stdout
