"""Table 3.3: cost of chains of 4 to 64 links in the thesis, in its formulation here, and compiled.

Seconds are CPU time and depend on machine and program, so the verdict does not depend on them.  The
formulation of the thesis is timed in a process of its own with one BLAS thread: waiting threads count as CPU
time and changed its times by a factor of 20.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from time import process_time
from typing import Any

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Array, Claim, Measured, Verdict, relative_change, short
from poinsot_papers.figures import COLORS, OUTSIDE, Curve, Panel, curves
from poinsot_papers.movingframe._chain import ANGLE, STEP, UNTIL, chain, first_rotated, mechanism

CLAIM = Claim(
    paper="movingframe",
    where="section 3.2.5, table 3.3, figure 3.11",
    title="Chains of 4 to 64 links, 10 s with h = 0.01: computing time",
    words="0.72, 2.3, 10.7, 45.6, 103 and 204 s for 4 to 64 links with GL3: the time grows with the square "
    "of the length, as the number of blocks of B does",
)
LINKS = (4, 8, 16, 32, 48, 64)
THEIRS = (0.719, 2.27, 10.7, 45.6, 103.0, 204.0)
METHODS = {"GL2": "gauss2", "GL3": "gauss3"}


def least(task: Callable[[], Any], repeats: int = 3) -> float:
    """Return the CPU seconds of the fastest of some runs."""
    times = []
    for _ in range(repeats):
        begin = process_time()
        task()
        times.append(process_time() - begin)
    return min(times)


def slope(seconds: Any) -> float:
    """Return the exponent of n between the second and the last entry."""
    return float(np.log(seconds[-1] / seconds[1]) / np.log(LINKS[-1] / LINKS[1]))


def parts() -> list[list[float]]:
    """Return the CPU seconds of B with its rate, and of a whole evaluation, in the thesis' formulation."""
    found = []
    for n in LINKS:
        system, q, w = chain(n), first_rotated(n, ANGLE), np.zeros(3 * n)
        tasks = (partial(system.matrices, q, w), partial(system.acceleration, q, w))
        found.append([short(least(task, 20), 3) for task in tasks])
    return found


def parts_alone() -> Array:
    """Return the same, measured in another process with one thread."""
    threads = {f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "MKL", "OMP")}
    code = f"import json; from {__name__} import parts; print(json.dumps(parts()))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **threads},
        capture_output=True,
        check=True,
        text=True,
    )
    return np.array(json.loads(done.stdout))


def run() -> Measured:
    seconds: dict[str, list[float]] = {name: [] for name in METHODS}
    evaluations: dict[str, list[int]] = {name: [] for name in METHODS}
    energy: dict[str, float] = {}
    for n in LINKS:
        m, start = mechanism(n), ps.State(0.0, first_rotated(n, ANGLE), np.zeros(3 * n))
        for name, method in METHODS.items():
            ps.simulate(m, start, method, step=STEP, steps=1)  # compiled before the clock starts

            def whole(method: str = method, m: Any = m, start: ps.State = start) -> Any:
                return ps.simulate(m, start, method, step=STEP, until=UNTIL, every=1000)

            path = whole()
            seconds[name].append(short(least(whole), 3))
            evaluations[name].append(int(path.evaluations))
            energy[name] = max(
                energy.get(name, 0.0), short(abs(relative_change(path.energy, path.kinetic.max())[-1]), 2)
            )
    frames = parts_alone()
    return {
        "links": list(LINKS),
        "theirs": list(THEIRS),
        "their slope": short(slope(THEIRS), 3),
        "seconds": seconds,
        "evaluations": evaluations,
        "energy": energy,
        "moving frame, seconds of B": short(frames[:, 0], 3),
        "moving frame, seconds of an evaluation": short(frames[:, 1], 3),
    }


def verdict(result: Measured) -> Verdict:
    ours, frame = result["seconds"], result["moving frame, seconds of an evaluation"]
    share = [a / b for a, b in zip(result["moving frame, seconds of B"], frame, strict=True)]
    quicker = [a / b for a, b in zip(THEIRS, ours["GL3"], strict=True)]
    blocks = slope(result["moving frame, seconds of B"])
    because = (
        "the seconds are those of their program and machine; they do grow with the power "
        f"{result['their slope']:.2f} of the length from 8 to 64 links.  The compiled tree needs "
        f"{', '.join(f'{s:.2g}' for s in ours['GL3'])} s of CPU time for {', '.join(map(str, LINKS))} links "
        f"with GL3 and {', '.join(f'{s:.2g}' for s in ours['GL2'])} with GL2, {min(quicker):.0f} to "
        f"{max(quicker):.0f} times less, growing with the power {slope(ours['GL3']):.1f}.  In the "
        f"formulation of the thesis, in NumPy, an evaluation grows with the power {slope(frame):.1f} and B "
        f"with its rate with {blocks:.1f}; B takes {100 * share[0]:.0f} % of the time at 4 links and "
        f"{100 * share[-1]:.0f} % at 64"
    )
    return Verdict("not reproducible", because)


def plot(result: Measured) -> Panel:
    n, numpy = result["links"], result["moving frame, seconds of an evaluation"]
    ours = curves(result["seconds"], n, label="compiled tree, {}", style="o-")
    found = [
        Curve(n, result["theirs"], "thesis, GL3", COLORS[5], "s-"),
        *(one._replace(color=color) for one, color in zip(ours, COLORS[1:], strict=False)),
        Curve(n, numpy, "moving frame, NumPy,\none evaluation", COLORS[3], "^--"),
    ]
    return Panel(found, "links", "seconds", log="xy", legend=OUTSIDE, ticks=n)
