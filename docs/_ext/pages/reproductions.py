"""Pages of the reproductions: each claim with its verdict, its reason and its figure, from the records."""

import inspect
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from pages.markdown import escape, table
from poinsot.gallery import reproduction

FOLDER = "reproductions"
BADGE = {"reproduced": "bdg-success", "differs": "bdg-danger", "not reproducible": "bdg-warning"}


def pages(home: Path | None = None, out: Path | None = None) -> Iterator[tuple[str, str]]:
    """Yield path and text of each page; with a folder, draw the figures of all records."""
    if home is not None:
        reproduction.draw(home / FOLDER)
    papers: dict[str, list[str]] = {}
    for name in reproduction.experiments():
        papers.setdefault(name.split("/")[0], []).append(name)
    rows = []
    for paper, names in papers.items():
        title = (inspect.getdoc(import_module(f"{reproduction.PAPERS}.{paper}")) or paper).split("\n")[0]
        parts = [f"# {paper}", escape(title), *(part for name in names for part in _experiment(name))]
        yield f"{FOLDER}/{paper}.md", "\n\n".join(parts) + "\n"
        counts = Counter(
            (reproduction.stored_record(name) or {"verdict": "not run yet"})["verdict"] for name in names
        )
        verdicts = ", ".join(f"{count} {word}" for word, count in counts.items())
        rows.append((f"[{paper}]({paper}.md)", escape(title), str(len(names)), verdicts))
    listed = "\n".join(papers)
    yield (
        f"{FOLDER}/index.md",
        "# Reproductions\n\nEvery claim of these documents that can be checked was run again. Figures are "
        "drawn from the shipped records when this site is built; `poinsot reproduce NAME` runs an "
        "experiment again.\n\n"
        f"{table(('document', 'what it is', 'experiments', 'verdicts'), rows)}\n\n"
        f"```{{toctree}}\n:hidden:\n{listed}\n../reproductions\n```\n",
    )


def _experiment(name: str) -> Iterator[str]:
    """Yield the parts of an experiment."""
    claim, record = reproduction.experiment(name).CLAIM, reproduction.stored_record(name)
    paper, one = name.split("/")
    verdict, because = (record["verdict"], record["because"]) if record else ("not run yet", "")
    yield f"## {escape(claim.title)}"
    yield f"`poinsot reproduce {name}` ({escape(claim.where)})"
    yield f"**Claim.** {escape(claim.words)}"
    yield f"**Verdict.** {{{BADGE.get(verdict, 'bdg-secondary')}}}`{verdict}` {escape(because)}"
    if record:
        yield f"```{{image}} {paper}/{one.replace('-', '_')}.svg\n:alt: {escape(claim.title)}\n```"
