"""Examples below each `--help`, and what a shell completes."""

import os
import shlex
import subprocess
import sys

import click
import pytest

import poinsot as ps
from poinsot.cli import COMMANDS, commands
from poinsot.cli.examples import EXAMPLES


def test_each_command_has_examples():
    assert list(EXAMPLES) == list(COMMANDS)


@pytest.mark.parametrize("line", [line for lines in EXAMPLES.values() for line in lines])
def test_examples_are_commands(line):
    program, name, *arguments = shlex.split(line.split(" > ")[0].split(" >> ")[0].split(" | ")[0])
    assert program == "poinsot"
    command = commands.get_command(click.Context(commands), name)
    context = command.make_context(name, arguments)  # raises if there is no such option
    named = context.params.get("scenario")
    assert named is None or named in ps.gallery() or named.endswith((".toml", ".urdf"))
    assert line in command.get_help(context).splitlines()[-1 - EXAMPLES[name][::-1].index(line)]


def completed(words, shell="fish"):
    """What the shell is told for these words; the last one is being typed."""
    typed = {"COMP_WORDS": shlex.join(words[:-1]), "COMP_CWORD": words[-1]}
    environment = {**os.environ, "_POINSOT_COMPLETE": f"{shell}_complete", **typed}
    code = "import sys; sys.argv[0] = 'poinsot'; from poinsot.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    return {line.split(",", 1)[1].split("\t")[0] for line in done.stdout.splitlines()}


def test_names_are_completed():
    assert completed(["poinsot", "re"]) == {"resume", "replay", "reproduce"}
    assert completed(["poinsot", "run", "double"]) == {n for n in ps.gallery() if n.startswith("double")}
    found = completed(["poinsot", "run", "double-pendulum", "--method", "srk"])
    assert found == {method.name for method in ps.methods() if method.name.startswith("srk")}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_for_shells(shell):
    code = "from poinsot.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code, "completion", shell], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "_POINSOT_COMPLETE" in done.stdout
