"""Reproductions: what a paper claims, what we measure, and whether the two agree.

An experiment is a file `papers/<paper>/<name>.py` with four names:

    CLAIM                       a Claim: where the paper makes it, and what it says
    run() -> dict               the measurement: numbers, lists and texts only, ready for JSON
    verdict(result) -> Verdict  what the numbers say about the claim
    plot(result, figure)        the figure, drawn from the result alone

The records of this version are in `papers/<paper>/results/<name>.json`; a new run lists what has changed
since.  Figures are not shipped: they are drawn from the records on demand.
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
from typing import Any, Literal, TypeAlias

from poinsot.errors import ScenarioError
from poinsot.formats.json_text import json_text
from poinsot.gallery import papers
from poinsot.gallery.sections import row, section_tables
from poinsot.model.checks import show, suggestion
from poinsot.run.provenance import versions

MOVED = 1e-6  # relative change of a number that is listed
SMALL = 1e-9  # numbers below this size count as rounding, and may change

Measured: TypeAlias = dict[str, Any]  # numbers, lists and texts, ready for JSON
Figure: TypeAlias = Any  # a matplotlib Figure: matplotlib is an extra


@dataclass(frozen=True)
class Claim:
    """A statement of a paper that can be checked.

    Parameters
    ----------
    paper : str
        Citation: the key of the paper in references.bib.
    where : str
        Place in the paper, such as "figure 4".
    title : str
        Title of the experiment.
    words : str
        What the paper says, in short.

    Examples
    --------
    >>> from poinsot.gallery.reproduction import Claim
    >>> Claim("krysl2005explicit", "figure 4", "Long run", "the energy stays in a band").where
    'figure 4'
    """

    paper: str
    where: str
    title: str
    words: str


@dataclass(frozen=True)
class Verdict:
    """Whether a claim was reproduced.

    Parameters
    ----------
    word : {"reproduced", "differs", "not reproducible"}
        The verdict.
    because : str
        The reason, with the numbers.

    Examples
    --------
    >>> from poinsot.gallery.reproduction import Verdict
    >>> Verdict("reproduced", "the band is 1e-3, as printed").word
    'reproduced'
    """

    word: Literal["reproduced", "differs", "not reproducible"]
    because: str


@dataclass(frozen=True)
class Reproduction:
    """A claim, its measurement and the verdict, from `ps.reproduce`; `print` shows them.

    Parameters
    ----------
    name : str
        Name of the experiment.
    claim : Claim
        What the paper says.
    measured : dict
        What was measured: numbers, lists and texts.
    verdict : Verdict
        Whether the claim was reproduced.
    moved : list of str
        Numbers that differ from the shipped record.
    seconds : float
        Time that the experiment took, in s.

    Examples
    --------
    >>> from poinsot.gallery.reproduction import Claim, Reproduction, Verdict
    >>> claim = Claim("krysl2005explicit", "figure 4", "Long run", "the energy stays in a band")
    >>> verdict = Verdict("reproduced", "the band is 1e-3, as printed")
    >>> print(Reproduction("krysl2005/figure-04", claim, {}, verdict, [], 1.5))
    krysl2005/figure-04: Long run (figure 4)
      claim     the energy stays in a band
      verdict   reproduced: the band is 1e-3, as printed
      1.5 s
    """

    name: str
    claim: Claim
    measured: Measured
    verdict: Verdict
    moved: list[str]
    seconds: float

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
        for paper in sorted(iter_modules(papers.__path__))
        for one in sorted(iter_modules(import_module(f"{papers.__name__}.{paper.name}").__path__))
        if not one.name.startswith("_")
    ]


def experiment(name: str) -> Any:
    """Return the module of an experiment."""
    known = experiments()
    if not isinstance(name, str) or name not in known:
        hint = suggestion(name, known) or f": see `poinsot reproduce --list` ({len(known)} experiments)"
        raise ScenarioError(f"unknown experiment {show(name)}{hint}")
    return import_module(f"{papers.__name__}.{name.replace('/', '.').replace('-', '_')}")


def shipped(name: str) -> dict[str, Any] | None:
    """Return the record of an experiment that came with this version; None if there is none."""
    path = files(f"{papers.__name__}.{name.split('/')[0]}").joinpath("results", f"{_stem(name)}.json")
    if not path.is_file():
        return None
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return record


def reproduce(name: str) -> Reproduction:
    """Run an experiment of a paper again, and judge its claim.

    Parameters
    ----------
    name : str
        Name of the experiment, as `poinsot reproduce --list` shows it.

    Returns
    -------
    Reproduction
        The claim, the measurement, the verdict, and what changed since the shipped record.

    Raises
    ------
    ScenarioError
        If there is no experiment of this name.

    Examples
    --------
    >>> import poinsot as ps
    >>> found = ps.reproduce("movingframe/kinematics")
    >>> found.verdict.word, found.moved
    ('reproduced', [])
    """
    module = experiment(name)
    begin = clock.perf_counter()
    measured = json.loads(json.dumps(module.run()))  # as a file would hold it
    old = shipped(name)
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
        lines.append(row(f"{one}, {claim.where}", claim.words, verdict, because))
    return "\n".join([*lines, *section_tables()]) + "\n"


def figure_of(name: str, measured: Measured) -> Any:
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
    """Draw the shipped records to `folder`/<paper>/<name>.svg; nothing is run."""
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
