"""Run the Python blocks of the documentation as they stand, each page from its first block to its last."""

import contextlib
import doctest
import io
import json
import re
import shlex
import warnings
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner

import poinsot as ps
from poinsot.cli import commands

ROOT = Path(__file__).parents[1]


def nothing_more(after):
    """Check a page that asserts what it shows."""


def analytical(after):
    assert len(after) == 10
    assert after[-1]["energy"] > 0


def control(after):
    assert len(after) == 4
    balanced, _, swung, regulated = after
    assert swung["modes"].frequencies == pytest.approx([9.81**0.5, 13.81**0.5])
    assert balanced["run"].input("cart").shape == (1001, 1)
    assert ps.control.memory_of(balanced["run"].final) == 500
    assert np.abs(balanced["more"].final.q).max() < 1e-3
    assert regulated["run"].final.q == pytest.approx([1.0, 0.0], abs=1e-3)
    assert regulated["lin"].states == ("cart.displacement", "pole.angle", "cart.speed", "pole.rate")


def tracking(after):
    assert after[0]["run"].input("rotors").shape == (401, 4)
    assert np.abs(after[0]["seen"].error[-1, :6]).max() < 1e-3


CHECKS = {"docs/analytical.md": analytical, "docs/control.md": control, "docs/tracking.md": tracking}


GUIDES = sorted(
    str(path.relative_to(ROOT))
    for path in [*ROOT.glob("docs/*/*.md"), ROOT / "docs/limits.md", ROOT / "docs/why.md"]
    if path.parent.name in ("tutorial", "how-to", "explanation", "docs")
)
SERVING = ("live", "view")  # until Ctrl-C: their arguments are read, and nothing is started


def run_command(line):
    """Run a line of a block of commands in this process; return what it prints."""
    program, *words = shlex.split(line, comments=True)
    if program != "poinsot":  # make, pip, dask: not ours to run here
        assert program in ("make", "pip", "dask", "git", "cd", "python", "srun"), line
        return ""
    command = commands.get_command(click.Context(commands), words[0])
    if words[0] in SERVING:
        command.make_context(words[0], words[1:])
        return ""
    done = CliRunner().invoke(commands, words, catch_exceptions=False)
    assert done.exit_code == 0, f"{line}: {done.output}"
    return done.output


def pages_with_code():
    """Yield the other pages with a block of Python; those that are made at build have none."""
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        page = path.relative_to(ROOT).as_posix()
        if "```python\n" in path.read_text(encoding="utf-8") and page not in GUIDES:
            yield page


@pytest.mark.parametrize("page", [*pages_with_code(), *GUIDES])
def test_the_blocks_of_a_page_run(page, monkeypatch, tmp_path):
    """Names are kept from block to block; the check of a page gets the names after each block.

    A block `text` is what the block before it prints (... stands for anything), `sh` has commands.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ps.Run, "view", lambda run: None)
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = list(re.finditer(r"^```(python|sh|text)\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
    assert blocks or page in GUIDES
    names: dict[str, object] = {}
    after, printed = [], ""
    checker, loosely = doctest.OutputChecker(), doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    with warnings.catch_warnings():
        warnings.simplefilter("error", ps.LoopWarning)
        for found in blocks:
            kind, block = found.groups()
            if kind == "python":
                above = "\n" * text[: found.start(2)].count("\n")  # so that a traceback names the line
                with contextlib.redirect_stdout(io.StringIO()) as said:
                    exec(compile(above + block, str(ROOT / page), "exec"), names)
                printed = said.getvalue()
                after.append(dict(names))
            elif kind == "sh":
                lines = re.sub(r"\\\n *", "", block).splitlines()
                printed = "".join(map(run_command, filter(str.strip, lines)))
            else:
                assert checker.check_output(block, printed, loosely), f"{page}\n{block}\nprinted:\n{printed}"
    CHECKS.get(page, nothing_more)(after)


@pytest.mark.parametrize("page", GUIDES)
def test_the_links_of_a_guide_lead_somewhere(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", text):
        assert (ROOT / page).parent.joinpath(target).is_file(), target


RECIPES = (ROOT / "docs/recipes.md").read_text(encoding="utf-8")
LONGER = dict(re.findall(r"### ([^\n]*)\n[^`]*```python slow\n(.*?)```", RECIPES, re.DOTALL))


@pytest.mark.slow
@pytest.mark.parametrize("title", LONGER)
def test_a_longer_recipe_runs(title):
    names: dict[str, object] = {}
    for block in (re.search(r"```python\n(.*?)```", RECIPES, re.DOTALL)[1], LONGER[title]):
        exec(compile(block, title, "exec"), names)


def test_recipes_are_short_and_assert_a_number():
    blocks = re.findall(r"```python( slow)?\n(.*?)```", RECIPES, re.DOTALL)[1:]
    for slow, block in blocks:
        assert block.count("\n") <= (40 if slow else 15), block
        assert "assert " in block, block
        assert max(map(len, block.splitlines())) <= 110, block
    assert len(LONGER) == sum(bool(slow) for slow, _ in blocks)


def test_the_readme_counts_the_methods():
    body, tree = ([m for m in ps.methods() if getattr(m, kind)] for kind in ("body", "tree"))
    both = {m.name for m in body} & {m.name for m in tree}
    said = f"{len(ps.methods())} integrators, {len(body)} for one body and {len(tree)} for trees"
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert said in text
    assert len(both) == 4, "the README says that four serve both"
    assert f"{len(ps.methods())} methods" in (ROOT / "docs/why.md").read_text(encoding="utf-8")
    assert len(ps.gallery()) > 60, "the README says so"


def test_the_numbers_of_the_readme_are_those_of_the_simulators():
    """Energy of the free body after 100 s, as `make simulators` wrote it."""
    results = json.loads((ROOT / "bench/simulators/results.json").read_text(encoding="utf-8"))
    energy = {
        (one["engine"], setting.split(",")[0]): abs(cases["free-body"].get("energy", np.nan))
        for one in results["engines"]
        for setting, cases in one["settings"].items()
    }
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if "free tumbling body" in line)
    said = {
        ("MuJoCo", "Euler (default)"): "MuJoCo 17 %",
        ("Drake", "discrete"): "Drake 17 %",
        ("Drake", "CENIC"): "CENIC 75 %",
        ("DART", "default"): "DART 9 %",
        ("PyBullet", "default"): "PyBullet 33 %",
    }
    for key, words in said.items():
        assert words in row
        assert f"{100 * energy[key]:.0f} %" == words.split(maxsplit=1)[1], key
    assert f"RK4 {energy['MuJoCo', 'RK4']:.0e}" in row
    assert f"| {energy['Poinsot', 'auto']:.0e} |" in row
    assert f"RK45 {100 * energy['SciPy', 'RK45 (default)']:.1f} %" in row
    assert f"RK3 {100 * energy['Drake', 'RK3 (default)']:.1f} %" in row


def test_the_ratios_of_the_readme_are_those_of_the_peers():
    """Times to accuracy and ensembles, as `make bench-peers` wrote them."""
    tables = json.loads((ROOT / "bench/peer_page/results.json").read_text(encoding="utf-8"))["tables"]
    ratios = {
        (one["case"], engine): time / one["ours"]
        for name in ("time to accuracy", "ensembles")
        for one in tables[name]["rows"]
        for engine, time in one["others"].items()
    }
    text = (ROOT / "README.md").read_text(encoding="utf-8")

    def said(beginning, words):
        row = next(line for line in text.splitlines() if line.startswith(beginning))
        return [float(x) for x in re.findall(words, row)[0]]

    cases = {
        "| six-axis arm": "6R arm, 1.5 s",
        "| chain of 16": "chain of 16, 2 s",
        "| a heavy top": "heavy top, 2 s",
    }
    for beginning, case in cases.items():
        found = said(beginning, r"MuJoCo RK4 ([\d.]+); ([\d.]+), pinocchio \+ DOP853 ([\d.]+); ([\d.]+)")
        engines = ("MuJoCo RK4", "pinocchio DOP853")
        wanted = [ratios[f"{case}, error {e}", engine] for engine in engines for e in ("1e-06", "1e-09")]
        assert found == pytest.approx(wanted, rel=0.1), beginning
    kinds = ("four balls", "free body")
    wanted = [ratios[f"{kind}, a step of RK4", "MuJoCo"] for kind in kinds]
    assert said("| ensembles", r"`rollout` ([\d.]+); ([\d.]+)") == pytest.approx(wanted, rel=0.1)
