"""The bibliography, from references.bib: an anchor for each key, and the methods that cite it."""

import re
from collections.abc import Iterator
from pathlib import Path

import poinsot as ps
from pages.markdown import escape, fence
from poinsot.bibliography import bibliography

ACCENTS = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    "~": "\u0303",
    '"': "\u0308",
    "H": "\u030b",
    "c": "\u0327",
}
LETTERS = {r"\o": "ø", r"\O": "Ø", r"\ss": "ß", r"\aa": "å", r"\l": "ł", r"\ae": "æ", r"\i": "i"}


def fields(entry: str) -> dict[str, str]:
    """Return the fields of an entry as plain text."""
    found = re.findall(r"(\w+)\s*=\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}", entry)
    return {key: plain(value) for key, value in found}


def plain(text: str) -> str:
    """Return a text of BibTeX without braces, accents as letters."""
    from unicodedata import normalize

    text = re.sub(
        r"\{?\\([`'^~\"Hc])\s*\{?\\?(\w)\}?\}?", lambda m: normalize("NFC", m[2] + ACCENTS[m[1]]), text
    )
    for command, letter in LETTERS.items():
        text = re.sub(rf"\{{?\\{command[1:]}(?![a-z])\}}?", letter, text)
    return text.replace("{", "").replace("}", "").replace("--", "\u2013").replace("\\&", "&")


def cite(key: str) -> str:
    """Return a publication as a line: authors, title, where it appeared."""
    one = fields(bibliography()[key])
    names = [" ".join(reversed(name.split(", "))) for name in one["author"].split(" and ")]
    where = one.get("journal") or one.get("booktitle") or one.get("publisher") or one.get("school") or ""
    volume = one.get("volume", "") + (f"({one['number']})" if "number" in one else "")
    parts = [
        ", ".join(names), f"*{escape(one['title'])}*", escape(" ".join(filter(None, (where, volume)))),
        one.get("pages", ""), one.get("year", ""), f"doi:{escape(one['doi'])}" if "doi" in one else "",
    ]  # fmt: skip
    return ", ".join(filter(None, parts)) + "."


def pages(home: Path | None = None, out: Path | None = None) -> Iterator[tuple[str, str]]:
    """Yield path and text of the page."""
    parts = [
        "# Bibliography",
        "What methods and experiments cite; `poinsot cite METHOD` prints an entry. Each entry says "
        "against what it was checked.",
    ]
    for key in sorted(bibliography()):
        users = [f"[{one.name}](methods/{one.name}.md)" for one in ps.methods() if one.reference == key]
        checked = fields(bibliography()[key]).get("checked", "")
        parts += [f"({key})=\n## {key}", cite(key)]
        parts += [f"Methods: {', '.join(users)}."] if users else []
        parts += [f"Checked: {escape(checked)}."] if checked else []
        parts += [fence(re.sub(r",\n  checked = .*\n", "\n", bibliography()[key]), "bibtex")]
    yield "reference/bibliography.md", "\n\n".join(parts) + "\n"
