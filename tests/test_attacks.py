"""A few attempts of each attack with a fixed seed; `make attack` makes them for minutes."""

import subprocess
import sys
from importlib import import_module
from itertools import islice
from random import Random

import pytest

from attacks.__main__ import SHARES

FEW = {"kills": 3, "archives": 150, "threads": 4, "names": 40, "toml": 300, "disks": 12, "meshes": 200}
FEW |= {"identities": 300, "overlaps": 200, "interrupts": 40, "coincidences": 6, "limits": 200, "live": 300}
ELSEWHERE = {"arguments", "commands"}  # tests/test_public_callables.py and tests/cli/test_bad_commands.py


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", FEW)
def test_what_is_tried_holds(name, tmp_path):
    attempts = import_module(f"attacks.{name}").attempts(Random(1), tmp_path)
    tried = list(islice(attempts, FEW[name]))
    attempts.close()
    assert len(tried) == FEW[name]
    assert not [one for one in tried if one.failure]


def test_no_attack_is_forgotten():
    assert set(FEW) | ELSEWHERE == set(SHARES)


def test_the_report_counts_and_ends_with_zero(environment):
    words = [sys.executable, "-m", "attacks", "meshes", "--attempts", "30", "--seed", "7", "--seconds", "60"]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    head, _, row = done.stdout.splitlines()
    assert head.startswith("seed 7, ")
    assert row.split()[:4] == ["meshes", "30", "30", "0"]
