"""Reproductions: what a paper claims, what we measure, and whether the two agree.

The experiments are in `poinsot_papers`, which is user code and is imported when it is used; its docstring
says what an experiment is.  The records of this version are in `poinsot_papers/<paper>/results/<name>.json`;
a new run lists what has changed since.  Figures are not shipped: they are drawn from the records on demand.
"""

import json
import math
import time as clock
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from poinsot.errors import ScenarioError
from poinsot.formats.json_text import json_text
from poinsot.model.checks import show, suggestion
from poinsot.run.provenance import versions

if TYPE_CHECKING:
    from poinsot_papers.claims import Claim, Measured, Verdict

PAPERS = "poinsot_papers"
DOCUMENTS = ("krysl2005", "crouch1993", "beckman2023", "movingframe", "konz2024")  # with a list of sections
MOVED = 1e-6  # relative change of a number that is listed
SMALL = 1e-9  # numbers below this size count as rounding, and may change

Section = tuple[str, tuple[str, ...], str]  # title; names of records; where it is, or "reason: ..."


@dataclass(frozen=True)
class Reproduction:
    """A claim, its measurement and the verdict, from `ps.reproduce`; `print` shows them."""

    name: str
    claim: "Claim"
    measured: "Measured"  # numbers, lists and strings
    verdict: "Verdict"
    moved: list[str]  # numbers that differ from the shipped record
    seconds: float  # time that the experiment took [s]

    def __str__(self) -> str:
        lines = [
            f"{self.name}: {self.claim.title} ({self.claim.where})",
            f"  claim     {self.claim.words}",
            f"  verdict   {self.verdict.word}: {self.verdict.because}",
        ]
        lines += [f"  changed   {line}" for line in self.moved]
        return "\n".join([*lines, f"  {self.seconds:.1f} s"])


def experiments() -> list[str]:
    """Return the names of all experiments: krysl2005/figure-01 and so on."""
    return [
        f"{paper.name}/{one.name.replace('_', '-')}"
        for paper in sorted(iter_modules(import_module(PAPERS).__path__))
        if paper.ispkg
        for one in sorted(iter_modules(import_module(f"{PAPERS}.{paper.name}").__path__))
        if not one.name.startswith("_")
    ]


def experiment(name: str) -> Any:
    """Return the module of an experiment."""
    known = experiments()
    if not isinstance(name, str) or name not in known:
        hint = suggestion(name, known) or f": see `poinsot reproduce --list` ({len(known)} experiments)"
        raise ScenarioError(f"unknown experiment {show(name)}{hint}")
    return import_module(f"{PAPERS}.{name.replace('/', '.').replace('-', '_')}")


def stored_record(name: str) -> dict[str, Any] | None:
    """Return the record of an experiment that came with this version; None if there is none."""
    path = files(f"{PAPERS}.{name.split('/')[0]}").joinpath("results", f"{_stem(name)}.json")
    if not path.is_file():
        return None
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return record


def reproduce(name: str) -> Reproduction:
    """Run an experiment of a paper again, and judge its claim.

    `name`: of the experiment, as `poinsot reproduce --list` shows it.

    >>> found = ps.reproduce("movingframe/kinematics")
    >>> found.verdict.word, found.moved
    ('reproduced', [])
    """
    module = experiment(name)
    begin = clock.perf_counter()
    measured = json.loads(json.dumps(module.run()))  # as a file would hold it
    old = stored_record(name)
    moved = [] if old is None else list(differences(old["measured"], measured))
    seconds = clock.perf_counter() - begin
    return Reproduction(name, module.CLAIM, measured, module.verdict(measured), moved, seconds)


def differences(old: Any, new: Any, path: str = "") -> Iterator[str]:
    """Yield what differs between two records, by path; computing times are left out."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({*old, *new}):
            if "seconds" not in key:
                yield from differences(old.get(key), new.get(key), f"{path}.{key}" if path else key)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for i, (a, b) in enumerate(zip(old, new, strict=True)):
            yield from differences(a, b, f"{path}[{i}]")
    elif isinstance(old, int | float) and isinstance(new, int | float):
        close = math.isclose(old, new, rel_tol=MOVED, abs_tol=SMALL)
        if not close and not (math.isnan(old) and math.isnan(new)):
            yield f"{path}: {old:g} -> {new:g}"
    elif old != new:
        yield f"{path}: {old!r} -> {new!r}"


def page() -> str:
    """Return all claims with the shipped verdicts, as Markdown."""
    lines = [
        "# Claims of the papers, and what we measure",
        "",
        "Made from the shipped records by `poinsot reproduce --page docs/reproductions.md`; rerun everything",
        "with `poinsot reproduce --all`, or one with `poinsot reproduce NAME`.",
        "",
        "Figures are drawn from the records: `make figures` draws all of them into `docs/figures`,",
        "`poinsot reproduce NAME --figures DIR` those of one paper or one experiment, and",
        "`poinsot reproduce --list --html FILE` writes a report that shows them.",
        "",
        "Verdicts: reproduced, differs, not reproducible, and remark, which judges nothing: the document has",
        "an opinion or a plan there, or we had to assume what it does not say, or count with a model of our",
        "own. Errata are those of the copies at hand.",
    ]
    for name in experiments():
        paper, one = name.split("/")
        claim, record = experiment(name).CLAIM, stored_record(name)
        if f"## {paper}" not in lines:
            lines += [
                "",
                f"## {paper}",
                "",
                "| experiment | claim | verdict | because |",
                "|---|---|---|---|",
            ]
        verdict, because = (record["verdict"], record["because"]) if record else ("not run yet", "")
        lines.append(_row(f"{one}, {claim.where}", claim.words, verdict, because))
    return "\n".join([*lines, *_section_tables()]) + "\n"


def sections(paper: str) -> tuple[Section, ...]:
    """Return every section of a document: the records of its claims, and where its subject is."""
    text = files(f"{PAPERS}.{paper}").joinpath("sections.toml").read_text(encoding="utf-8")
    return tuple((title, tuple(records), where) for title, records, where in tomllib.loads(text)["sections"])


def _section_tables() -> list[str]:
    """Return a table for each document, as lines of Markdown."""
    lines = [
        "",
        "## Where every section lives",
        "",
        "Every section of the five documents, the records above that measure its claims, and what the",
        "product has of its subject: names that a test executes. Where there is no record the last column",
        "gives the reason.",
    ]
    for paper in DOCUMENTS:
        lines += ["", f"### {paper}", "", "| section | records | where it lives |", "|---|---|---|"]
        lines += [_row(title, ", ".join(records) or "-", where) for title, records, where in sections(paper)]
    return lines


def _row(*cells: str) -> str:
    """Return a row of a table in Markdown."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def figure_of(name: str, measured: "Measured") -> Any:
    """Draw the figure of an experiment from its measurement, shipped or new."""
    from poinsot.plots.figure import new_figure

    figure = new_figure(8.0, 4.5)
    import_module(f"{PAPERS}.figures").draw(experiment(name), measured, figure)
    return figure


def write(one: Reproduction, folder: Path) -> tuple[Path, Path]:
    """Write the record and the figure of a reproduction to `folder`, and return their paths."""
    from poinsot.plots.figure import write as write_figure

    folder.mkdir(parents=True, exist_ok=True)
    record = {
        "name": one.name,
        "verdict": one.verdict.word,
        "because": one.verdict.because,
        "seconds": round(one.seconds, 2),
        "versions": versions(),
        "measured": one.measured,
    }
    path = folder / f"{_stem(one.name)}.json"
    path.write_text(json_text(record), encoding="utf-8")
    return path, write_figure(figure_of(one.name, one.measured), folder / f"{_stem(one.name)}.svg")


def draw(folder: Path, names: Iterable[str] | None = None) -> list[Path]:
    """Draw the shipped records to `folder`/<paper>/<name>.svg; nothing is run."""
    from poinsot.plots.figure import write as write_figure

    drawn = []
    for name in names or experiments():
        record = stored_record(name)
        if record is not None:
            path = folder / name.split("/")[0] / f"{_stem(name)}.svg"
            drawn.append(write_figure(figure_of(name, record["measured"]), path))
    return drawn


def _stem(name: str) -> str:
    """Return the name of the files of an experiment: figure_01 for krysl2005/figure-01."""
    return name.split("/")[1].replace("-", "_")
