"""What the pages show runs as it stands, from the first block of a page to the last."""

import re
import warnings
from pathlib import Path

import pytest

import poinsot as ps

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    "page", ["README.md", "docs/mechanisms.md", "docs/control.md", "docs/variational.md"]
)
def test_the_blocks_of_a_page_run(page, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ps.Run, "view", lambda run: None)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    names: dict[str, object] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("error", ps.LoopWarning)
        for block in blocks:
            exec(block, names)
