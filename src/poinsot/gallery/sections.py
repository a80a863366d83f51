"""Every section of the five documents: the records of its claims, and where its subject is in the product."""

from importlib import import_module

from poinsot.gallery import papers

DOCUMENTS = ("krysl2005", "crouch1993", "beckman2023", "movingframe", "konz2024")
Section = tuple[str, tuple[str, ...], str]  # title; names of records; where it is, or "reason: ..."


def row(*cells: str) -> str:
    """Return a row of a table in Markdown."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def sections(paper: str) -> tuple[Section, ...]:
    """Return the sections of a document."""
    found: tuple[Section, ...] = import_module(f"{papers.__name__}.{paper}._sections").SECTIONS
    return found


def section_tables() -> list[str]:
    """Return a table for each document, as lines of Markdown."""
    lines = [
        "",
        "## Where every section lives",
        "",
        "Every section of the five documents, the records above that measure its claims, and what the",
        "product has of its subject. Where there is no record the last column gives the reason.",
    ]
    for paper in DOCUMENTS:
        lines += ["", f"### {paper}", "", "| section | records | where it lives |", "|---|---|---|"]
        lines += [row(title, ", ".join(records) or "-", where) for title, records, where in sections(paper)]
    return lines
