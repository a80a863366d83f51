"""`poinsot sweep`: many members of a scenario, with other values of its parameters."""

import json
import sys
from typing import Any

import click
import numpy as np

from poinsot.cli.options import AS_JSON, FILE, METHOD, PATH, PROGRESS, SCENARIO, SETTINGS, parameters, value
from poinsot.errors import ScenarioError

SHOWN = 5  # members that failed
LEVELS = (0.05, 0.5, 0.95)


@click.command("sweep")
@SCENARIO
@click.option("--vary", multiple=True, metavar="PATH=VALUES", help="Values 1,2,3 or linspace(0,1,5), or "
              "draws uniform(a,b), normal(m,s), ...; several make a grid.")  # fmt: skip
@click.option("--table", type=FILE, help="A CSV file: a column for each path, a line for each member.")
@click.option("--zip", "pairs", is_flag=True, help="Pair the values of all paths, in place of a grid.")
@click.option("--samples", type=int, help="Number of members that are drawn.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the draws.")
@click.option("--design", default="random", show_default=True, help="Of the draws: random, sobol or latin.")
@METHOD
@click.option("--step", type=float, help="Step size in s.")
@click.option("--until", type=float, help="End time in s.")
@click.option("--every", type=int, help="Keep samples, one each so many steps; default: final states only.")
@click.option("--reduce", "reductions", multiple=True, help="Keep extrema, flip, settle, events or report.")
@click.option("--out", type=FILE, help="Write results to this file as members finish; the same command goes "
              "on with it.")  # fmt: skip
@click.option("--workers", type=int, help="Number of threads or processes; default: one for each processor.")
@click.option("--processes", is_flag=True, help="Use processes in place of threads.")
@click.option("--dask", metavar="ADDRESS", help="Use the workers of a Dask scheduler: tcp://HOST:PORT or a "
              "scheduler file.")  # fmt: skip
@click.option("--figure", type=FILE, help="Draw a figure to this file.")
@click.option("--kind", help="Of the figure: fan, bands, map or parallel; default: what there is to draw.")
@click.option("--of", help="What the figure shows: a coordinate, a rate or a result.")
@click.option("--html", type=FILE, help="Write a page on which members move together, one of them solid.")
@click.option("--netcdf", type=FILE, help="Write the dataset to this NetCDF file.")
@SETTINGS
@AS_JSON
@PROGRESS
def sweep(
    scenario: str,
    settings: tuple[str, ...],
    vary: tuple[str, ...],
    as_json: bool,
    progress: bool | None,
    **options: Any,
) -> None:
    """Run many members of SCENARIO, each with the bits of its own run, and print what came out.

    SCENARIO is a name of `poinsot gallery`, or a file that ends in .toml, whose table [sweep] may say what
    varies.
    """
    import poinsot as ps

    given = {name: options[name] for name in ("method", "step", "until", "every")}
    s = ps.scenario(scenario, **parameters(settings))
    client = None
    if options["dask"]:
        from poinsot.ensemble.cluster import connect

        client = connect(options["dask"])
    try:
        found = ps.ensemble(
            s,
            vary=_vary(vary, options["table"]),
            zip=options["pairs"],
            samples=options["samples"],
            seed=options["seed"],
            design=options["design"],
            reduce=list(options["reductions"]) or None,
            executor=client or ("processes" if options["processes"] else None),
            workers=options["workers"],
            archive=options["out"],
            progress=sys.stderr.isatty() if progress is None else progress,
            **given,
        )
    finally:
        if client is not None:
            client.close()
    if options["figure"]:
        found.plot(options["kind"] or _kind(found), options["figure"], of=options["of"])
    if options["html"]:
        found.to_html(options["html"])
    if options["netcdf"]:
        found.to_netcdf(options["netcdf"])
    click.echo(json.dumps(summary(scenario, found, options["out"])) if as_json else text(scenario, found))
    for name in ("out", "figure", "html", "netcdf"):
        if options[name] and not as_json:
            click.echo(f"written to {options[name]}")
    if found.interrupted:
        sys.exit(130)
    sys.exit(1 if len(found.failed) == len(found) else 0)


def _vary(given: tuple[str, ...], table: str | None) -> Any:
    """Return what varies: a table, or values by path; None: what the file says."""
    if table and given:
        raise ScenarioError("give either --table or --vary")
    if table or not given:
        return table
    found: dict[str, Any] = {}
    for one in given:
        path, equals, words = PATH.match(one).groups()  # type: ignore[union-attr]
        if not equals or not path.strip() or not words.strip():
            raise ScenarioError(f"--vary {one!r}: expected PATH=VALUES, such as bodies.top.mass=1,2,3")
        values = value(words.strip())
        found[path.strip()] = values if isinstance(values, list | str) else [values]
    return found


def _kind(found: Any) -> str:
    """Return the figure that fits: samples as a fan, else results over what varies."""
    return "fan" if "q" in found.names else "map"


def quantiles(found: Any) -> dict[str, dict[str, list[float]]]:
    """Return quantiles of each result that is not a table, by name and component."""
    result: dict[str, dict[str, list[float]]] = {}
    labels = {"final_q": "coordinate", "final_v": "rate"}
    if len(found.failed) == len(found):
        return result
    data = found.dataset()
    for name in found.names:
        values = found[name]
        if values.ndim > 2 or name in ("time", "final_time") or not values.size:
            continue
        columns = values.reshape(len(values), -1)
        axis = labels.get(name, "")
        names = data[axis].values.tolist() if axis in data.coords else range(columns.shape[1])
        result[name] = {
            str(k): np.nanquantile(one, LEVELS).tolist() if np.isfinite(one).any() else []
            for k, one in zip(names, columns.T, strict=True)
        }
    return result


def summary(scenario: str, found: Any, out: str | None) -> dict[str, Any]:
    """Return the sweep as data for JSON."""
    return {
        "scenario": scenario,
        "members": len(found),
        "failed": {str(member): why for member, why in found.failed.items()},
        "note": found.note,
        "archive": out,
        "levels": list(LEVELS),
        "quantiles": quantiles(found),
    }


def text(scenario: str, found: Any) -> str:
    """Return the sweep as text: what came out, and who failed."""
    lines = [f"{scenario}: {len(found)} members, {len(found.failed)} failed ({found.note})"]
    for member, why in list(found.failed.items())[:SHOWN]:
        lines.append(f"  member {member}: {why}")
    if len(found.failed) > SHOWN:
        lines.append(f"  and {len(found.failed) - SHOWN} more")
    table = quantiles(found)
    if table:
        lines += ["", f"{'':32}" + "".join(f"{f'{level:.0%}':>13}" for level in LEVELS)]
    for name, parts in table.items():
        for part, numbers in parts.items():
            label = f"{name} {part}" if len(parts) > 1 else name
            lines.append(f"{label:32}" + "".join(f"{x:13.6g}" for x in numbers))
    return "\n".join(lines)
