"""`poinsot new`, `check` and `schema`: scenario files."""

import json
import sys
from dataclasses import asdict

import click

from poinsot.cli.options import AS_JSON
from poinsot.errors import PoinsotError


@click.command("new")
@click.argument("file", type=click.Path(dir_okay=False))
@click.option("--from", "robot", type=click.Path(), help="Write this robot (URDF, MJCF) or scenario instead.")
def new(file: str, robot: str | None) -> None:
    """Write FILE, a scenario file with comments, to start from; an existing file is not touched."""
    from poinsot.errors import ScenarioError
    from poinsot.formats.paths import file_path, writing
    from poinsot.formats.scenario_file.writing import TEMPLATE

    target = file_path(file)
    if target.suffix.lower() != ".toml":
        raise ScenarioError(f"{target}: the name of a scenario file ends in .toml")
    text = TEMPLATE
    if robot is not None:
        import poinsot as ps

        text = ps.to_toml(ps.scenario(robot))
    with writing(target):
        try:
            with target.open("x", encoding="utf-8") as out:
                out.write(text)
        except FileExistsError:
            raise ScenarioError(f"{target}: the file exists; choose another name or remove it") from None
    click.echo(f"written to {target}: edit it, then `poinsot check {target}` and `poinsot run {target}`")


@click.command("check")
@click.argument("file", type=click.Path())
@click.option("--base", type=click.Choice(["fixed", "free"]), default="fixed", help="Base of a URDF robot.")
@click.option("--fix", type=click.Path(dir_okay=False), help="Write a repaired copy of a URDF to this file.")
@click.option("--step", type=float, help="Step of time that a run of a robot will have [s].")
@AS_JSON
def check(file: str, base: str, fix: str | None, step: float | None, as_json: bool) -> None:
    """Check FILE: a scenario file (TOML), or a robot (URDF, MJCF) by link, rule, number and line.

    The exit code is 1 if there is anything wrong; remarks are not.
    """
    from poinsot.formats.paths import is_robot

    if is_robot(file):
        _check_robot(file, base, fix, step, as_json)
    if fix or step or as_json:
        raise click.UsageError("--fix, --step and --json are for robot files")
    _check_scenario(file)


def _check_robot(file: str, base: str, fix: str | None, step: float | None, as_json: bool) -> None:
    """Print what is wrong with a robot file, and leave with its exit code."""
    from poinsot.robots.inspection import check as findings
    from poinsot.robots.inspection import repair

    found = findings(file, base=base, step=step)
    changes = repair(file, fix) if fix else []
    if as_json:
        click.echo(json.dumps({"file": file, "findings": [asdict(one) for one in found], "changes": changes}))
    else:
        for one in found:
            click.echo(str(one))
        for change in changes:
            click.echo(f"{fix}: {change}")
        count = {level: sum(one.level == level for one in found) for level in ("error", "warning", "remark")}
        click.echo(", ".join(f"{n} {level}{'s' * (n != 1)}" for level, n in count.items()), err=True)
    sys.exit(1 if any(one.level != "remark" for one in found) else 0)


def _check_scenario(file: str) -> None:
    from poinsot.compile.method_choice import system_for
    from poinsot.mechanics.assembly import check_start
    from poinsot.scenario.files import scenario_from_file

    try:
        s = scenario_from_file(file, {})
        system, method, _ = system_for(s.mechanism, s.method)
        check_start(system, s.start)
    except PoinsotError as error:
        lines = str(error).splitlines()
        for line in lines:
            click.echo(line if line.startswith(file) else f"{file}: {line}")
        count = len(lines)
        click.echo(f"{count} mistake{'s' if count != 1 else ''}", err=True)
        sys.exit(1)
    bodies, forces, loops = (len(x) for x in (s.mechanism.links, s.mechanism.forces, s.mechanism.loops))
    click.echo(f"{file}: no mistakes: {bodies} bodies, {forces} forces, {loops} loops, method {method.label}")


@click.command("schema")
def schema() -> None:
    """Print the JSON schema of scenario files, for editors that check TOML while one types."""
    from poinsot.formats.scenario_file.fields import json_schema

    click.echo(json.dumps(json_schema(), indent=1))
