"""Run the Python blocks of the documentation as they stand, each page from its first block to its last."""

import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import poinsot as ps

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


def pages_with_code():
    """Yield every page with a block of Python, in all folders of the docs; those made at build have none."""
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        if "```python\n" in path.read_text(encoding="utf-8"):
            yield path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", list(pages_with_code()))
def test_the_blocks_of_a_page_run(page, monkeypatch, tmp_path):
    """Names are kept from block to block; the check of a page gets the names after each block."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ps.Run, "view", lambda run: None)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    names: dict[str, object] = {}
    after = []
    with warnings.catch_warnings():
        warnings.simplefilter("error", ps.LoopWarning)
        for block in blocks:
            exec(compile(block, page, "exec"), names)
            after.append(dict(names))
    CHECKS.get(page, nothing_more)(after)


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
