"""What `poinsot warm` compiles: the jobs, the processes that perform them, and their answers."""

import inspect
import json
import subprocess
import sys
import types
from importlib import import_module

import pytest

import poinsot as ps
from poinsot.core.methods import ALL
from poinsot.warm import jobs, makers, workers
from poinsot.warm.jobs import LAWS, KernelJob, all_jobs, jobs_of, missing_bodies
from poinsot.warm.makers import KINDS, calls


def test_every_kernel_of_every_method_has_a_job():
    lines = {job.line for job in all_jobs()}
    first = {}
    for method in ALL:
        if method.body is not None:
            assert f"body {method.name}" in lines
            assert (f"body-derivative {method.name}" in lines) == method.duals
            assert (f"body-lanes {method.name}" in lines) == method.lanes
        if method.tree is not None:
            name = first.setdefault(method.tree.name, method.name)  # methods share kernels
            assert f"tree {name}" in lines
            assert method.tree.fallback is None or f"fallback {name}" in lines
            assert (f"derivative {name}" in lines) == method.duals
            assert not method.lanes or f"lanes {name}" in lines
    assert {f"lie so3.{name}" for name in ("exp", "log", "cay")} <= lines


def test_jobs_are_sorted_by_stages_and_unique():
    found = all_jobs()
    assert [job.stage for job in found] == sorted(job.stage for job in found)
    assert len({job.line for job in found}) == len(found)
    assert {job.kind for job in found} == set(KINDS)
    assert set(jobs.SECONDS) <= {*KINDS, *(job.line for job in found)}


def test_jobs_of_a_method_are_what_it_needs():
    assert [job.line for job in jobs_of(["nmb"])] == ["body nmb", "run nmb"]
    rk4, gauss = ({job.line for job in jobs_of([name])} for name in ("rk4", "gauss3"))
    assert {"body rk4", "tree rk4", "shared field.1", "shared forces.1"} <= rk4
    assert {"tree gauss1", "fallback gauss1", "shared field.4"} <= gauss
    assert not any("derivative" in line or line.endswith(".5") for line in rk4 | gauss)
    with pytest.raises(ps.ScenarioError, match="did you mean 'gauss3'"):
        jobs_of(["gaus3"])


def test_all_functions_of_dynamics_are_called():
    """A new argument without a default needs a value in `calls`."""
    functions = (getattr(ps.dynamics, name) for name in ps.dynamics.__all__)
    called = {call.func for call in calls() if inspect.isfunction(call.func)}
    assert called == set(filter(inspect.isfunction, functions))
    bound = {
        name for name, _ in inspect.getmembers(ps.dynamics.Dynamics, inspect.isfunction) if name[0] != "_"
    }
    methods = {call.func.__name__ for call in calls() if inspect.ismethod(call.func)}
    of_functions = {one.__name__ for one in called}  # those compile what bound ones call
    assert bound <= methods | of_functions


def test_processes_compile_each_kernel_once(tmp_path, monkeypatch):
    """Two processes and an empty cache; then everything is found.  Two kernels: the cheapest ones."""
    monkeypatch.setenv("POINSOT_CACHE_DIR", str(tmp_path))
    given = [KernelJob(1, "lie", "so3.hat"), KernelJob(1, "lie", "so3.vee")]
    told = []
    first = workers.compile_jobs(given, told.append, 2)
    assert sorted(first.kernels) == ["lie_so3_hat", "lie_so3_vee"]
    assert first.processes == 2
    assert sorted(told) == sorted(given)
    again = workers.compile_jobs(given, told.append, 2)
    assert again.kernels == []
    assert sorted(again.files) == sorted(str(path) for path in tmp_path.glob("*/*.kernel"))


def test_a_job_that_fails_is_one_line():
    with pytest.raises(workers.WarmError, match=r"cannot compile 'lie so3\.nothing': KeyError") as caught:
        workers.compile_jobs([KernelJob(1, "lie", "so3.nothing")], lambda job: None, 1)
    assert "\n" not in str(caught.value)


def test_a_process_that_dies_is_one_line(monkeypatch):
    monkeypatch.setattr(sys, "executable", "false")
    with pytest.raises(workers.WarmError, match=r"cannot compile 'lie so3\.hat': the process ended"):
        workers.compile_jobs([KernelJob(1, "lie", "so3.hat")], lambda job: None, 1)


def test_what_is_missing_is_known_by_the_names_of_files(tmp_path, monkeypatch):
    monkeypatch.setattr(jobs, "folders", lambda: [tmp_path / "package", tmp_path])
    assert [job.name for job in missing_bodies(["nmb", "nmb4"])] == ["nmb", "nmb4"]
    (tmp_path / "time_loop_body_nmb_1-0123456789abcdef.kernel").touch()
    assert [job.name for job in missing_bodies(["nmb", "nmb4"])] == ["nmb4"]


def poinsot(*arguments, environment):
    done = subprocess.run(
        [sys.executable, "-m", "poinsot", *arguments], env=environment, capture_output=True, text=True
    )
    return done.returncode, done.stdout, done.stderr


def test_the_command_says_what_it_did(environment, tmp_path):
    code, out, _ = poinsot("warm", "nmb", "--processes", "1", environment=environment)
    assert code == 0
    assert "kernels compiled in" in out
    code, out, _ = poinsot("warm", "nmb", "--json", "--copy", str(tmp_path / "copy"), environment=environment)
    found = json.loads(out)
    assert (code, found["compiled"]) == (0, [])
    assert found["found"] >= 2
    names = {path.name.rsplit("-", 1)[0] for path in (tmp_path / "copy").glob("*/*.kernel")}
    run = {"time_loop_body_nmb_1", "no_force_1"}
    report = {"sums_4", "motions_4"}
    assert {name for name in names if not name.startswith("call_")} == run | report
    code, _, error = poinsot("warm", "nmb", "--copy", str(tmp_path), environment=environment)
    assert (code, error.strip().endswith("the folder is not empty")) == (2, True)
    code, _, error = poinsot("warm", "nmb", "--all", environment=environment)
    assert (code, "give methods, or --all" in error) == (2, True)


@pytest.mark.parametrize("name", LAWS)
def test_the_laws_that_are_compiled_ahead_exist(name):
    module, function = name.split(".")
    assert callable(getattr(import_module(f"poinsot.core.control.{module}"), function))


@pytest.mark.parametrize("doubles", ["1", "4", "5"])
def test_a_job_of_an_entry_asks_its_function_for_these_numbers(monkeypatch, doubles):
    asked = {}
    module = types.SimpleNamespace(entry=lambda number: asked.update(number=number))
    monkeypatch.setattr(makers, "import_module", {"some.module": module}.__getitem__)
    makers.make(f"entry some.module.entry.{doubles}")
    assert str(asked["number"]) == {"1": "float64", "4": "v4d", "5": "dual4"}[doubles]
