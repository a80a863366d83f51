"""The dispatch over kinds is what `core.tree.generate` writes."""

from pathlib import Path

import pytest

from poinsot.core.tree import generate

FOLDER = Path(generate.__file__).parent


@pytest.mark.parametrize("name", generate.FILES)
def test_the_file_is_what_the_writer_writes(name):
    text = (FOLDER / name).read_text()
    assert generate.written(text) == text, "run make generate"


def test_a_word_in_the_list_is_a_branch_in_every_verb(monkeypatch):
    text = (FOLDER / "joints/table.py").read_text()
    monkeypatch.setitem(generate.LISTS, "JOINTS", generate.LISTS["JOINTS"] + " rack")
    new = generate.written(text)
    assert "rack" not in text
    assert new.count("rack.") == 4
    assert "HELICAL, FREE, RACK = range" in new
    assert '"rack"' in new
    assert generate.written(new) == new
