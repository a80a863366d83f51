"""Reproductions as an HTML report: claim, figure, table, verdict, and a list of contents."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from poinsot.formats.paths import PathLike
from poinsot.gallery.reproduction import Reproduction, experiment, experiments, figure_of, stored_record
from poinsot.html import table, tag, text
from poinsot.view.page import write
from poinsot.view.report import Section, document, picture

MOST_ROWS = 24  # largest number of rows of a table; the record has all


def report_page(results: Sequence[Reproduction], path: PathLike, command: str = "") -> Path:
    """Write a report of experiments that were run again."""
    sections = [
        _section(
            one.name,
            one.claim,
            one.verdict.word,
            one.verdict.because,
            one.measured,
            picture(figure_of(one.name, one.measured), one.name),
            [f"changed since it was recorded: {line}" for line in one.moved] + [f"{one.seconds:.1f} s"],
        )
        for one in results
    ]
    return write(
        path, document("Claims of the papers, measured again", _summary(sections, command), sections)
    )


def shipped_page(path: PathLike, names: Iterable[str] | None = None) -> Path:
    """Write a report of the shipped records, with figures drawn from them; nothing is run."""
    sections = []
    for name in names or experiments():
        record = stored_record(name)
        if record is None:
            continue
        figure = picture(figure_of(name, record["measured"]), name)
        claim = experiment(name).CLAIM
        notes = [f"recorded in {record['seconds']} s"]
        sections.append(
            _section(name, claim, record["verdict"], record["because"], record["measured"], figure, notes)
        )
    return write(path, document("Claims of the papers, as recorded", _summary(sections, ""), sections))


def _section(
    name: str, claim: Any, verdict: str, because: str, measured: Any, figure: str, notes: Sequence[str]
) -> Section:
    """Return the section of one experiment."""
    mark = verdict.split()[0]
    body = [
        tag("p", text(f"{claim.title}, {claim.where} of {claim.paper}"), class_="quiet"),
        tag("p", text(claim.words), class_="claim"),
        tag("p", tag("span", text(verdict), class_=f"verdict {mark}") + text(f": {because}")),
        figure,
    ]
    rows = list(numbers(measured))
    if rows:
        more = [("...", f"{len(rows) - MOST_ROWS} more in the record")] if len(rows) > MOST_ROWS else []
        body.append(tag("div", table(["measured", ""], [*rows[:MOST_ROWS], *more]), class_="scroll"))
    body += [tag("p", text(note), class_="quiet") for note in notes]
    return Section(name.replace("/", "-"), name, "".join(body), mark)


def numbers(measured: Any, path: str = "") -> Iterable[tuple[str, str]]:
    """Yield numbers and texts of a record with their paths; curves are in the figure."""
    if isinstance(measured, dict):
        for key, value in measured.items():
            yield from numbers(value, f"{path}.{key}" if path else str(key))
    elif isinstance(measured, list):
        if len(measured) <= 3 and all(isinstance(one, int | float) for one in measured):
            yield path, ", ".join(f"{one:.6g}" for one in measured)
    elif isinstance(measured, bool | str):
        yield path, str(measured)
    elif isinstance(measured, int | float):
        yield path, f"{measured:.6g}"


def _summary(sections: Sequence[Section], command: str) -> str:
    """Return the number of experiments by verdict, and the command, as HTML."""
    words = [one.mark for one in sections]
    names = {"reproduced": "reproduced", "differs": "differ", "not": "not reproducible", "remark": "remarks"}
    counts = {word: words.count(word) for word in names}
    line = f"{len(sections)} experiments: " + ", ".join(
        f"{counts[word]} {name}" for word, name in names.items()
    )
    return tag("p", text(line)) + (tag("pre", text(command)) if command else "")
