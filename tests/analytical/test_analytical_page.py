"""The page about `ps.analytical` runs as it is written."""

import re
from pathlib import Path
from typing import Any


def test_the_page_runs() -> None:
    text = (Path(__file__).parents[2] / "docs" / "analytical.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.S)
    assert len(blocks) == 5
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, "docs/analytical.md", "exec"), names)
    assert names["energy"] > 0
