"""The examples of docs/control.md run as they stand, and do what they say."""

import re
from pathlib import Path

import numpy as np
import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "control.md").read_text()


def test_the_examples_of_the_page_run():
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) == 3
    names = {}
    exec(blocks[0], names)
    assert names["run"].input("cart").shape == (1001, 1)
    assert names["ps"].control.remembered(names["run"].final) == 500
    assert np.abs(names["more"].final.q).max() < 1e-3  # balanced
    exec(blocks[1] + blocks[2], names)
    assert names["run"].final.q == pytest.approx([1.0, 0.0], abs=1e-3)
    assert names["lin"].states == ("cart.displacement", "pole.angle", "cart.speed", "pole.rate")
