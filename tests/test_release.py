"""What a release says of itself agrees: version, changelog, citation, bounds; Pyright reads its calls."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import poinsot as ps

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def test_one_version():
    assert re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(), re.M)[1] == ps.__version__
    heads = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert ps.__version__ in heads[:2]  # below what is not released yet


def test_every_supported_python_is_named_and_tried():
    found = [re.search(r":: (3\.\d+)$", one) for one in PROJECT["classifiers"]]
    named = {one[1] for one in found if one}
    least = re.search(r">=(3\.\d+)", PROJECT["requires-python"])[1]
    assert min(named, key=lambda one: int(one[2:])) == least
    for path in WORKFLOWS:
        tried = re.search(r'python: \[("3.*?)\]', path.read_text())
        assert tried is None or set(json.loads(f"[{tried[1]}]")) == named


def test_every_dependency_has_a_lower_bound():
    extras = [one for group in PROJECT["optional-dependencies"].values() for one in group]
    for one in [*PROJECT["dependencies"], *extras]:
        assert re.search(r">=|^poinsot\[|^types-", one), one


def test_the_recipe_for_conda_is_the_same_release():
    text = (ROOT / "recipe/recipe.yaml").read_text()
    assert f'version: "{ps.__version__}"' in text
    needed = re.findall(r"^    - (?!python)(\w+ >=.*)$", text.partition("  run:")[2], re.M)
    assert {one.replace(" ", "") for one in needed} == set(PROJECT["dependencies"])


def test_workflows_call_what_exists():
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.M))
    for path in WORKFLOWS:
        text = path.read_text()
        assert set(re.findall(r"- run: make ([\w-]+)", text)) <= targets
        for file in re.findall(r"(?:tests|\.ci)/[\w/.]+", text):
            assert (ROOT / file).exists(), file


def complaints(folder, code):
    """What Pyright says of this code: the errors, with their rules."""
    (folder / "code.py").write_text(code)
    options = {"typeCheckingMode": "standard", "include": ["code.py"]}
    (folder / "pyrightconfig.json").write_text(json.dumps(options))
    program = [sys.executable, "-m", "basedpyright", "--outputjson"]
    command = [*program, "--pythonpath", sys.executable, "-p", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    found = json.loads(done.stdout)["generalDiagnostics"]
    return [(one["rule"], one["message"]) for one in found if one["severity"] == "error"]


@pytest.mark.slow
def test_pyright_reads_the_readme(tmp_path):
    pytest.importorskip("basedpyright")
    code = "\n".join(re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL))
    assert complaints(tmp_path, code) == []
    wrong = 'import poinsot as ps\nps.Sphere("large")\nps.Mechanism().ad()\n'
    rules = [rule for rule, _ in complaints(tmp_path, wrong)]
    assert rules == ["reportArgumentType", "reportAttributeAccessIssue"]
