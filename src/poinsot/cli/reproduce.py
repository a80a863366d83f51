"""`poinsot reproduce`: claims of papers, measured again."""

import json
import sys
import warnings
from dataclasses import asdict
from pathlib import Path

import click

from poinsot.cli.options import AS_JSON
from poinsot.run import provenance


@click.command("reproduce")
@click.argument("names", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Run all experiments.")
@click.option(
    "--list", "listing", is_flag=True, help="Run nothing; list the experiments with the recorded verdicts."
)
@click.option(
    "--out", type=click.Path(file_okay=False), help="Write the new records and figures to this folder."
)
@click.option(
    "--figures",
    type=click.Path(file_okay=False),
    help="Run nothing; draw the recorded experiments to this folder.",
)
@click.option(
    "--page",
    type=click.Path(dir_okay=False),
    help="Run nothing; write all claims and recorded verdicts as Markdown.",
)
@click.option(
    "--html",
    type=click.Path(dir_okay=False),
    help="Write a report; with --list, of the recorded experiments.",
)
@AS_JSON
def reproduce(
    names: tuple[str, ...],
    everything: bool,
    listing: bool,
    out: str | None,
    figures: str | None,
    page: str | None,
    html: str | None,
    as_json: bool,
) -> None:
    """Run experiments of papers again: claim, measurement, verdict, and what changed since the record.

    NAMES are experiments (krysl2005/figure-01) or papers (krysl2005).
    """
    from poinsot.errors import ScenarioError
    from poinsot.gallery import reproduction
    from poinsot.gallery.report import report_page, shipped_page
    from poinsot.gallery.reproduction import experiment, experiments, reproduce, stored_record, write

    if page:
        Path(page).write_text(reproduction.page(), encoding="utf-8")
        return
    known = experiments()
    chosen = known if everything else [one for name in names for one in _experiments_of(name, known)]
    if figures:
        drawn = reproduction.draw(Path(figures), chosen or None)
        said = json.dumps({"figures": [*map(str, drawn)]}) if as_json else f"{len(drawn)} figures: {figures}"
        click.echo(said)
        return
    if listing and html:
        shipped_page(html, chosen or None)
    if listing:
        rows = [
            (name, (stored_record(name) or {"verdict": "not run yet"})["verdict"]) for name in chosen or known
        ]
        if as_json:
            click.echo(json.dumps({"experiments": [{"name": name, "verdict": word} for name, word in rows]}))
            return
        width = max(len(name) for name, _ in rows)
        for name, word in rows:
            click.echo(f"{name:{width}}  {word:16}  {experiment(name).CLAIM.title}")
        return
    if not chosen:
        raise ScenarioError("name an experiment or a paper, or give --all; --list shows the names")
    results = []
    for name in chosen:
        if not as_json and sys.stderr.isatty():
            click.echo(f"{name} ...", err=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the papers use large steps on purpose
            one = reproduce(name)
        results.append(one)
        if out:
            write(one, Path(out) / name.split("/")[0])
        if not as_json:
            click.echo(f"{one}\n")
    if html:
        report_page(results, html, provenance.command.get())
    moved = sum(bool(one.moved) for one in results)
    if as_json:
        click.echo(json.dumps({"experiments": [asdict(one) for one in results], "moved": moved}))
        return
    words = [one.verdict.word for one in results]
    counts = ", ".join(f"{words.count(word)} {word}" for word in sorted(set(words)))
    click.echo(f"{len(results)} experiments: {counts}; {moved} changed since they were recorded")


def _experiments_of(name: str, known: list[str]) -> list[str]:
    """Return the experiment of this name, or all experiments of a paper."""
    from poinsot.gallery.reproduction import experiment

    inside = [one for one in known if one.startswith(f"{name}/")]
    if not inside:
        experiment(name)
    return inside or [name]
