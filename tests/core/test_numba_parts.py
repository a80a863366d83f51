"""The one door to Numba's internals: what we rely on holds, and no other file knows them."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from poinsot.core.jit import COMPILED
from poinsot.core.kernel_cache import PACKAGE
from poinsot.core.numba_parts import self_test, versions

INTERNALS = re.compile(r"\bnumba\.core|\bnumba\.np|\bllvmlite")


@pytest.mark.skipif(not COMPILED, reason="about compiled code")
def test_what_we_rely_on_holds():
    found = dict(self_test.outcomes())
    assert len(found) == len(self_test.CHECKS)
    assert not {name: fault for name, fault in found.items() if fault}


@pytest.mark.skipif(not COMPILED, reason="about compiled code")
def test_the_self_test_can_fail(monkeypatch):
    fused = {**self_test.OPTIONS, "fastmath": True}  # contraction is part of it
    monkeypatch.setattr(self_test, "OPTIONS", fused)
    assert dict(self_test.outcomes())["no operation is fused"] == "it does not hold"


def test_no_other_file_names_internals_of_numba():
    naming = [path for path in PACKAGE.rglob("*.py") if INTERNALS.search(path.read_text())]
    assert {path.parent.name for path in naming} == {"numba_parts"}, naming
    assert len(naming) <= 8


@pytest.mark.parametrize("version", ["0.67.0", "0.68.0", "0.68.9"])
def test_two_minor_releases_are_allowed(version):
    assert versions.complaint(version) == ""


@pytest.mark.parametrize("version", ["0.66.0", "0.69.0", "1.0", "0.69.0rc1", "unknown"])
def test_another_release_is_refused_with_what_to_install(version):
    assert versions.complaint(version) == (
        f"Poinsot compiles with Numba 0.67 or 0.68, and {version} is installed: "
        "pip install 'numba>=0.67,<0.69'"
    )


def test_the_project_asks_for_the_same_releases():
    project = Path(PACKAGE).parents[1] / "pyproject.toml"
    if not project.exists():
        pytest.skip("an installed package")
    wanted = tomllib.loads(project.read_text())["project"]["dependencies"]
    assert versions.WANTED in wanted


def test_a_run_with_another_release_ends_with_one_line(environment):
    script = (
        "from poinsot.core.numba_parts import versions\n"
        "versions.versions = lambda: {'numba': '0.99.0', 'llvmlite': '1.0'}\n"
        "from poinsot.cli import main\nimport sys\nsys.argv = ['poinsot', 'run', 'fast-top']\nmain()"
    )
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.strip() == f"poinsot: {versions.complaint('0.99.0')}"


def test_macs_with_intel_processors_get_a_remark(monkeypatch):
    assert versions.remark() == "" or sys.platform == "darwin"
    monkeypatch.setattr(versions.sys, "platform", "darwin")
    monkeypatch.setattr(versions.platform, "machine", lambda: "x86_64")
    assert "conda" in versions.remark()
