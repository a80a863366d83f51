"""`poinsot doctor` describes an installation, also one that is broken."""

import json
import subprocess
import sys

import numba
import pytest

import poinsot as ps
from poinsot.cli import doctor
from poinsot.core import kernel_cache
from poinsot.core.numba_parts.target import baseline


def run(environment, *arguments):
    done = subprocess.run(
        [sys.executable, "-m", "poinsot", "doctor", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout


def test_facts_are_those_of_this_installation(environment, tmp_path):
    cache = tmp_path / kernel_cache.compilers()
    cache.mkdir()
    (cache / "one-0.kernel").write_bytes(bytes(2000))
    (tmp_path / "older").mkdir()
    (tmp_path / "older" / "two.kernel").write_bytes(bytes(500))
    found = json.loads(run({**environment, "POINSOT_CACHE_DIR": str(tmp_path)}, "--json"))
    assert (found["poinsot"], found["versions"]["numba"]) == (ps.__version__, numba.__version__)
    assert found["digest"] == kernel_cache.digest()
    assert found["baseline"] == " ".join(baseline()).strip()
    assert found["kernels"]["cache"] == {"files": 1, "bytes": 2000}
    assert found["cache"] == {"folder": str(tmp_path), "files": 2, "bytes": 2500}
    assert found["processors"]["usable"] >= 1
    assert found["variables"]["POINSOT_CACHE_DIR"] == str(tmp_path)


@pytest.mark.slow
def test_people_read_the_same(environment, tmp_path):
    text = run({**environment, "POINSOT_CACHE_DIR": str(tmp_path)})
    assert f"poinsot {ps.__version__} in {kernel_cache.PACKAGE}" in text
    assert f"kernels are compiled for {baseline()[0]}" in text
    assert "none in the user's cache" in text
    assert "`poinsot warm` does it now" in text


def test_a_broken_compiler_and_missing_extras_are_said(monkeypatch):
    monkeypatch.setattr(doctor, "BASELINE", "raise ImportError")
    monkeypatch.setattr(doctor, "EXTRAS", {"plot": ("matplotlib", "no-such-package")})
    monkeypatch.setattr("poinsot.view.browser.find", lambda: None)
    found = doctor.facts()
    text = "\n".join(doctor.lines(found))
    assert "importing Numba fails" in text
    assert "missing: no-such-package (pip install 'poinsot[plot]')" in text
    assert "missing: Chromium or Chrome" in text


def test_extras_are_those_of_the_project():
    import tomllib
    from pathlib import Path

    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    for extra, names in doctor.EXTRAS.items():
        assert [one.split(">")[0] for one in project["optional-dependencies"][extra]] == list(names)
    needed = {one.split(">")[0] for one in project["dependencies"]}
    assert needed <= set(doctor.PROGRAMS)
