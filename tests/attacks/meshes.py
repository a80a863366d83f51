"""Mutated files of meshes (OBJ, text and binary STL) through `ps.Mesh`.

What must hold: a mesh with a finite positive volume, or a PoinsotError of one line.  Mechanisms are read from
archives; the attack on archives edits them.
"""

import math
import struct
from pathlib import Path
from random import Random

import poinsot as ps
from attacks.arguments import Hangs, patience, told
from attacks.attempt import Attempt, Attempts
from attacks.odd_archives import SIMPLE

OBJ = b"# a corner\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1/1/1 4//2 3\nf -3 -2 -1\n"
CORNERS = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
FACES = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
WORDS = (
    "nan",
    "inf",
    "1e300",
    "1e-320",
    "-1",
    "0",
    "9" * 400,
    "x",
    "½",
    "\x00",
    "f 1 2 3 4 5",
    "v 1",
    "f 0 0 0",
)


def stl_text() -> bytes:
    """Return a tetrahedron as STL text."""
    facets = [
        "facet normal 0 0 0\nouter loop\n"
        + "".join("vertex {} {} {}\n".format(*CORNERS[i]) for i in face)
        + "endloop\nendfacet\n"
        for face in FACES
    ]
    return f"solid corner\n{''.join(facets)}endsolid corner\n".encode()


def stl_binary() -> bytes:
    """Return a tetrahedron as binary STL."""
    facets = [
        struct.pack("<12fH", 0, 0, 0, *(float(x) for i in face for x in CORNERS[i]), 0) for face in FACES
    ]
    return bytes(80) + struct.pack("<I", len(facets)) + b"".join(facets)


def worded(data: bytes, rng: Random) -> bytes:
    """Return a text with one word replaced."""
    lines = data.split(b"\n")
    k = rng.randrange(len(lines))
    words = lines[k].split(b" ")
    words[rng.randrange(len(words))] = rng.choice(WORDS).encode("utf-8")
    lines[k] = b" ".join(words)
    return b"\n".join(lines)


def outcome(path: Path) -> str:
    """Return what did not hold for one file."""
    try:
        with patience(60):
            mesh = ps.Mesh(path)
            if not (math.isfinite(mesh.volume) and mesh.volume > 0):
                return f"a volume of {mesh.volume}"
            mesh.body(mass=1.0)
    except ps.PoinsotError as error:
        return "" if "\n" not in str(error) else f"a message of several lines: {str(error)[:80]!r}"
    except (Exception, Hangs) as error:
        return told(error)
    return ""


def attempts(rng: Random, folder: Path) -> Attempts:
    """Yield mutated meshes without end."""
    import warnings

    warnings.simplefilter("ignore", ps.PhysicsWarning)
    warnings.simplefilter("error", RuntimeWarning)
    good = {"corner.obj": OBJ, "text.stl": stl_text(), "binary.stl": stl_binary()}
    changes = {**SIMPLE, "another word": worded}
    while True:
        name, kind = rng.choice(list(good)), rng.choice(list(changes))
        path = folder / name
        path.write_bytes(changes[kind](good[name], rng))
        yield Attempt(f"{name}: {kind}", outcome(path))
