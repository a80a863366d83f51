"""Reproductions: what a paper claims, what we measure, and whether the two agree.

An experiment is a file `papers/<paper>/<name>.py` with four names:

    CLAIM                       a Claim: where it stands, in which words, with which numbers
    run() -> dict               the measurement: numbers, lists and words only, ready for JSON
    verdict(result) -> Verdict  what the numbers say about the claim
    plot(result, figure)        the figure, drawn from the result alone

The records that came with this version lie in `papers/<paper>/results/<name>.json`; a rerun says what
has moved since.  Figures are not shipped: they are drawn from the records when someone asks for them.
"""

import json
import math
import time as clock
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Literal

from poinsot.errors import ScenarioError
from poinsot.formats.json_text import json_text
from poinsot.gallery import papers
from poinsot.model.checks import suggestion
from poinsot.run.provenance import versions

MOVED = 1e-6  # relative change of a number that is worth a word
SMALL = 1e-9  # numbers below this size are rounding or as good as it, and may move freely


@dataclass(frozen=True)
class Claim:
    """A statement of a paper that can be checked."""

    paper: str  # key in references.bib
    where: str  # figure 4, section 3.2 ...
    title: str
    words: str  # what the paper says, in short


@dataclass(frozen=True)
class Verdict:
    """`because` carries the numbers."""

    word: Literal["reproduced", "differs", "not reproducible"]
    because: str


@dataclass(frozen=True)
class Reproduction:
    """A claim, its measurement and the verdict; `moved` lists what is not as it was shipped."""

    name: str
    claim: Claim
    measured: dict[str, Any]
    verdict: Verdict
    moved: list[str]
    seconds: float

    def __str__(self) -> str:
        lines = [
            f"{self.name}: {self.claim.title} ({self.claim.where})",
            f"  claim     {self.claim.words}",
            f"  verdict   {self.verdict.word}: {self.verdict.because}",
        ]
        lines += [f"  moved     {line}" for line in self.moved]
        return "\n".join([*lines, f"  {self.seconds:.1f} s"])


def experiments() -> list[str]:
    """Names of all experiments: krysl2005/figure-01 and so on."""
    return [
        f"{paper.name}/{one.name.replace('_', '-')}"
        for paper in sorted(iter_modules(papers.__path__))
        for one in sorted(iter_modules(import_module(f"{papers.__name__}.{paper.name}").__path__))
        if not one.name.startswith("_")
    ]


def experiment(name: str) -> Any:
    """The module of an experiment."""
    known = experiments()
    if name not in known:
        hint = suggestion(str(name), known) or f": see `poinsot reproduce --list` ({len(known)} experiments)"
        raise ScenarioError(f"unknown experiment {name!r}{hint}")
    return import_module(f"{papers.__name__}.{name.replace('/', '.').replace('-', '_')}")


def shipped(name: str) -> dict[str, Any] | None:
    """The record that came with this version, if there is one."""
    path = files(f"{papers.__name__}.{name.split('/')[0]}").joinpath("results", f"{_stem(name)}.json")
    if not path.is_file():
        return None
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return record


def reproduce(name: str) -> Reproduction:
    """Run an experiment and judge it."""
    module = experiment(name)
    begin = clock.perf_counter()
    measured = json.loads(json.dumps(module.run()))  # what a file would hold
    old = shipped(name)
    moved = [] if old is None else list(differences(old["measured"], measured))
    seconds = clock.perf_counter() - begin
    return Reproduction(name, module.CLAIM, measured, module.verdict(measured), moved, seconds)


def differences(old: Any, new: Any, path: str = "") -> Iterator[str]:
    """What has changed, by path; seconds and other times of computing may."""
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
    """All claims with the verdicts that were shipped, as Markdown."""
    lines = [
        "# Claims of the papers, and what we measure",
        "",
        "Made from the shipped records by `poinsot reproduce --page docs/reproductions.md`; rerun everything",
        "with `poinsot reproduce --all`, or one with `poinsot reproduce NAME`.",
        "",
        "Figures are drawn from the records: `make figures` draws all of them into `docs/figures`,",
        "`poinsot reproduce NAME --figures DIR` those of one paper or one experiment, and",
        "`poinsot reproduce --list --html FILE` writes a report that shows them.",
    ]
    for name in experiments():
        paper, one = name.split("/")
        claim, record = experiment(name).CLAIM, shipped(name)
        if f"## {paper}" not in lines:
            lines += [
                "",
                f"## {paper}",
                "",
                "| experiment | claim | verdict | because |",
                "|---|---|---|---|",
            ]
        verdict, because = (record["verdict"], record["because"]) if record else ("not run yet", "")
        cells = (f"{one}, {claim.where}", claim.words, verdict, because)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def figure_of(name: str, measured: dict[str, Any]) -> Any:
    """Draw the figure of an experiment from its measurement, shipped or new."""
    from poinsot.plots.figure import new_figure

    figure = new_figure(8.0, 4.5)
    experiment(name).plot(measured, figure)
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
    """Draw the figures of the shipped records, `folder`/<paper>/<name>.svg; nothing is run."""
    from poinsot.plots.figure import write as write_figure

    drawn = []
    for name in names or experiments():
        record = shipped(name)
        if record is not None:
            path = folder / name.split("/")[0] / f"{_stem(name)}.svg"
            drawn.append(write_figure(figure_of(name, record["measured"]), path))
    return drawn


def _stem(name: str) -> str:
    """Return the name of the files of an experiment: figure_01 for krysl2005/figure-01."""
    return name.split("/")[1].replace("-", "_")
