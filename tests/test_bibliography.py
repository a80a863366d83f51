"""The bibliography: every entry is complete, and says what it was checked against."""

import re

import pytest

from poinsot.bibliography import bibliography

ENTRIES = bibliography()
NEEDED = {
    "article": {"author", "title", "journal", "volume", "pages", "year"},
    "inproceedings": {"author", "title", "booktitle", "year"},
    "book": {"author", "title", "publisher", "year"},
    "phdthesis": {"author", "title", "school", "year"},
    "misc": {"author", "title", "year"},
}


@pytest.mark.parametrize("key", ENTRIES)
def test_an_entry_is_complete_and_says_what_was_checked(key):
    entry = ENTRIES[key]
    kind = re.match(r"@(\w+)\{", entry)[1]
    fields = set(re.findall(r"(\w+)\s*=\s*\{", entry))
    assert fields >= NEEDED[kind] | {"checked"}
    assert len(re.search(r"checked = \{(.*)\}", entry)[1]) > 10
    assert entry.count("{") == entry.count("}")
    doi = re.search(r"doi\s*=\s*\{(.*?)\}", entry)
    assert doi is None or re.fullmatch(r"10\.\d{4,}/\S+", doi[1])
