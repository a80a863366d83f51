"""JSON for people: the same values, objects indented, rows of numbers on one line."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import poinsot_papers as papers
from poinsot.formats.json_text import json_text

RECORDS = sorted(Path(papers.__path__[0]).glob("*/results/*.json"))

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
plain = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5)
)


@given(plain)
def test_values_and_their_order_come_back_exactly(data):
    back = json.loads(json_text(data))
    assert json.dumps(back) == json.dumps(data)  # tells 1 from 1.0, 0.0 from -0.0, and sees the order


def test_numbers_that_are_not_finite_come_back():
    back = json.loads(json_text([math.nan, math.inf, -math.inf]))
    assert math.isnan(back[0])
    assert back[1:] == [math.inf, -math.inf]


def test_the_layout():
    row = [0.1234567890123] * 6
    data = {
        "words": "a [1, {2}",
        "numbers": list(range(60)),
        "matrix": [[1.0, 0.0], [0.0, 1.0]],
        "path": [row, row],
        "empty": [[], {}],
        "bodies": [{"mass": 1}, {"mass": 2}],
    }
    assert json_text(data) == (
        "{\n"
        ' "words": "a [1, {2}",\n'
        f' "numbers": {list(range(60))},\n'
        ' "matrix": [[1.0, 0.0], [0.0, 1.0]],\n'
        f' "path": [\n  {row},\n  {row}\n ],\n'
        ' "empty": [\n  [],\n  {}\n ],\n'
        ' "bodies": [\n  {\n   "mass": 1\n  },\n  {\n   "mass": 2\n  }\n ]\n'
        "}\n"
    )


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parts[-3]}/{path.stem}")
def test_shipped_records_have_this_layout(path):
    text = path.read_text(encoding="utf-8")
    assert text == json_text(json.loads(text))
