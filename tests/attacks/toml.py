"""Mutated scenario files through `ps.scenario`.

What must hold: a scenario, or a PoinsotError in which every line names the file; no hang.
"""

import warnings
from pathlib import Path
from random import Random

import poinsot as ps
from attacks.arguments import Hangs, patience, told
from attacks.attempt import Attempt, Attempts
from poinsot.formats.scenario_file.writing import TEMPLATE

PATIENCE = 20
SMALL = 6000  # characters: larger files are no more interesting, and slower
WORDS = (
    *(
        "nan",
        "inf",
        "-1",
        "0",
        "1e400",
        "10" * 50,
        "true",
        '""',
        '"x"',
        "[]",
        "{}",
        "[[]]",
        "1979-05-27",
        "'''",
    ),
    *(
        '"1 kg"',
        '"1 m"',
        '"1 deg/s"',
        '"9 parsec"',
        "\"__import__('os')\"",
        '"t.real"',
        '"((((t"',
        '"\\u0000"',
    ),
    *(
        "[1, 2, 3]",
        "[1, [2]]",
        '["t", "t", "t"]',
        "{ kind = 'box' }",
        "{ kind = 'mesh', path = '/dev/null' }",
    ),
    *(
        '"world"',
        '"a"',
        "2 ** 3",
        "é",
        "\x00",
        "\ud7ff",
        "# x",
        "\n",
        "=",
        "[bodies]",
        "[[bodies]]",
        "[start.x]",
    ),
)


def mutated(text: str, rng: Random) -> str:
    """Return the text with some changes of characters, words or lines."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        kind, at = rng.randrange(8), rng.randrange(len(text) + 1)
        lines = text.split("\n")
        k = rng.randrange(len(lines))
        if kind == 0:
            text = text[:at] + rng.choice("\"'[]{}=.,# \n0az\\") + text[at:]
        elif kind == 1:
            text = text[:at] + text[at + rng.randrange(1, 5) :]
        elif kind == 2:
            lines[k] = rng.choice(lines)
            text = "\n".join(lines)
        elif kind == 3:
            del lines[k]
            text = "\n".join(lines)
        elif kind == 4 and "=" in lines[k]:
            lines[k] = lines[k].split("=")[0] + "= " + rng.choice(WORDS)
            text = "\n".join(lines)
        elif kind == 5:
            text = text[:at] + rng.choice(WORDS) + text[at:]
        elif kind == 6:
            text = text[:at]
        else:
            rng.shuffle(lines)
            text = "\n".join(lines)
    return text


def outcome(path: Path) -> str:
    """Return what did not hold for one file."""
    try:
        with warnings.catch_warnings(), patience(PATIENCE):
            warnings.simplefilter("ignore")
            ps.scenario(path)
    except ps.ScenarioError as error:
        lines = str(error).splitlines()
        strange = [line for line in lines if not line.startswith(str(path))]
        return f"a line without the file: {strange[0][:100]!r}" if strange or not lines else ""
    except (Exception, Hangs) as error:
        return told(error)
    return ""


def attempts(rng: Random, folder: Path) -> Attempts:
    """Yield mutated files without end."""
    texts = [TEMPLATE, *(ps.to_toml(ps.scenario(name)) for name in ps.gallery())]
    good = [text for text in texts if len(text) < SMALL]
    path = folder / "mutated.toml"
    while True:
        text = mutated(rng.choice(good), rng)
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        yield Attempt(repr(text)[:200], outcome(path))
