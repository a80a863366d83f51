"""Section 3.2.5, memory: what an evaluation of the thesis' formulation allocates, and a compiled run holds.

The 90 MB of the thesis are those of a process, most of which are the interpreter and its libraries.  Counted
here are the bytes of the numbers: the peak of what NumPy allocates in one evaluation, B alone, and the arrays
of a compiled run (model, workspace, memory of the method).
"""

import tracemalloc
from typing import Any

import numpy as np
from numba import float64

from poinsot.compile.catalogue import by_name
from poinsot.compile.tree import compile_tree
from poinsot_papers.claims import Claim, Measured, Verdict, short
from poinsot_papers.figures import Panel, curves
from poinsot_papers.movingframe._chain import ANGLE, chain, first_rotated, mechanism

CLAIM = Claim(
    paper="movingframe",
    where="section 3.2.5",
    title="Memory of chains of 4 to 64 links",
    words="the process allocates at most 90 MB for up to 64 links: time is the constraint, not memory",
)
LINKS = (4, 8, 16, 32, 64)
PROCESS = 90e6


def evaluation(n: int) -> tuple[float, float]:
    """Return the peak of the bytes of an evaluation, and the bytes of B with its rate."""
    system, q, w = chain(n), first_rotated(n, ANGLE), np.zeros(3 * n)
    system.acceleration(q, w)  # what is made once is not counted
    tracemalloc.start()
    try:
        system.acceleration(q, w)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    return float(peak), float(sum(one.nbytes for one in system.matrices(q, w)))


def compiled(n: int) -> float:
    """Return the bytes of the arrays of a compiled run with gauss3."""
    tree, kernel = compile_tree(mechanism(n)), by_name("gauss3").tree
    assert kernel is not None
    model = tree.model(kernel.inner(float64))
    numbers = tree.shape.n + kernel.memory(tree.shape) + tree.shape.n + kernel.workspace(tree.shape)
    return float(sum(one.nbytes for one in model) + 8 * numbers)


def run() -> Measured:
    peaks, matrices = zip(*(evaluation(n) for n in LINKS), strict=True)
    return {
        "links": list(LINKS),
        "evaluation, kB": short(np.array(peaks) / 1e3, 2),
        "B and its rate, kB": short(np.array(matrices) / 1e3, 3),
        "compiled run, kB": short(np.array([compiled(n) for n in LINKS]) / 1e3, 3),
    }


def power(values: Any) -> float:
    """Return the exponent of n between the last two entries."""
    return float(np.log(values[-1] / values[-2]) / np.log(LINKS[-1] / LINKS[-2]))


def verdict(result: Measured) -> Verdict:
    peaks, ours = result["evaluation, kB"], result["compiled run, kB"]
    because = (
        f"an evaluation for 64 links allocates {peaks[-1] / 1e3:.0f} MB, of which B and its rate are "
        f"{result['B and its rate, kB'][-1] / 1e3:.1f} MB, growing with the power {power(peaks):.1f} of "
        "the length; the rest of the 90 MB are the interpreter and its libraries.  The compiled run "
        f"holds {ours[-1]:.0f} kB, growing with the power {power(ours):.1f}.  Memory is no constraint, "
        f"as claimed: by these powers the numbers of the thesis would fill {PROCESS / 1e6:.0f} MB at "
        f"about {64 * (PROCESS / 1e3 / peaks[-1]) ** (1 / power(peaks)):.0f} links"
    )
    return Verdict("reproduced" if peaks[-1] * 1e3 < PROCESS else "differs", because)


def plot(result: Measured) -> Panel:
    rows = {name: values for name, values in result.items() if name != "links"}
    found = curves(rows, result["links"], style="o-")
    return Panel(found, "links", "kB", log="xy", ticks=result["links"])
