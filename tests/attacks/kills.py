"""Kill -9 of runs that write archives, and resuming.

What must hold: the archive can be read; every sample that could be read before the kill can be read after it;
the samples are those of the undisturbed run; `ps.resume` ends with the same bits, in memory and in the file.
"""

import os
import signal
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

import poinsot as ps
from attacks.attempt import Attempt, Attempts


class Problem(NamedTuple):
    """A run: its options without the number of steps, and that number."""

    mechanism: ps.Mechanism
    start: ps.State
    method: str
    options: dict[str, Any]
    steps: int

    def go(self, start: ps.State, steps: int, **more: Any) -> ps.Run:
        """Run on from a state."""
        return ps.simulate(self.mechanism, start, self.method, steps=steps, **self.options, **more)


def counting(t: float, state: ps.State, memory: Any) -> Any:
    """Push to and fro; the memory is a count."""
    return [0.1 * (-1) ** memory], memory + 1


def problems() -> dict[str, Problem]:
    """Return runs that keep memory of different kinds between their steps."""
    body = ps.Cylinder(radius=0.3, length=0.1).body(mass=1.0, center_of_mass=(0, 0, 0.4))
    top = ps.Mechanism().add("top", body, ps.Spherical())
    spin = top.state({"top": dict(rotation=ps.so3.exp((0.3, 0, 0)), angular_velocity=(0, 0, 30))})
    bar = ps.Box((0.05, 0.05, 1.0)).body(mass=1.0)
    arm = ps.Mechanism().add("a", bar, ps.Revolute((1, 0, 0)), body_at=(0, 0, -0.5))
    arm.add("b", bar, ps.Revolute((0, 1, 0)), parent="a", at=(0, 0, -0.5), body_at=(0, 0, -0.5))
    bent = arm.state({"a": dict(angle=1.0), "b": dict(rate=1.0)})
    control = ps.Controller(counting, period=0.002, inputs=["a"], memory=0)
    struck = arm.copy().apply(*(ps.Impulse("b", 0.5 * k, torque=(0.1, 0, 0)) for k in range(1, 9)))
    linkage = ps.scenario("four-bar")
    wall = ps.scenario("soft-wall")
    toss = ps.scenario("book-toss")
    return {
        "gauss2 with impulses": Problem(struck, bent, "gauss2", dict(step=1e-3, every=7), 30_000),
        "dop853 on a tree": Problem(arm, bent, "dop853", dict(step=1e-3, every=10), 8_000),
        "variational with a loop": Problem(
            linkage.mechanism, linkage.start, "variational", dict(step=1e-3, every=3), 6_000
        ),
        "srkn4 with a formula": Problem(
            wall.mechanism, wall.start, "srkn4", dict(step=1e-3, every=20), 200_000
        ),
        "cf4 with a jump and an impulse": Problem(
            toss.mechanism, toss.start, "cf4", dict(step=1e-4, every=20), 100_000
        ),
        "hstagm, two steps": Problem(top, spin, "hstagm", dict(step=2e-4, every=20), 400_000),
        "nmb": Problem(top, spin, "nmb", dict(step=2e-4, every=20), 400_000),
        "gauss3 on a tree": Problem(arm, bent, "gauss3", dict(step=1e-3, every=10), 30_000),
        "variational on a tree": Problem(arm, bent, "variational", dict(step=1e-3, every=10), 30_000),
        "rk4 with a controller": Problem(
            arm, bent, "rk4", dict(step=1e-3, every=10, controller=control), 6_000
        ),
    }


def killed(run: Callable[[], Any], path: Path, wait: float) -> int:
    """Call a function in a child and kill it; return how many samples could be read just before."""
    child = os.fork()
    if child == 0:
        try:
            run()
        finally:
            os._exit(0)  # without the parent's clean-up
    time.sleep(wait)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            before = len(ps.load(path).time)
        except ps.ArchiveError:
            before = 0  # not begun, or nothing acknowledged yet
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return before


def outcome(problem: Problem, whole: ps.Run, path: Path, wait: float) -> str:
    """Return what did not hold for one kill."""
    path.unlink(missing_ok=True)
    before = killed(lambda: problem.go(problem.start, problem.steps, archive=path), path, wait)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ps.ArchiveWarning)
        try:
            found = ps.load(path)
        except ps.ArchiveError as error:
            return f"{before} samples were there, and then: {error}" if before else ""
    n = len(found.time)
    if n < before:
        return f"{before} samples were there, and {n} after the kill"
    every, done = whole.every, round((found.final.time - problem.start.time) / whole.step)
    kept = n if done % every == 0 else n - 1  # the last sample may be the end of a chunk
    for name in ("time", "q", "v"):
        mine, theirs = getattr(found.trajectory, name)[:kept], getattr(whole.trajectory, name)[:kept]
        if not np.array_equal(mine, theirs):
            return f"{name} of the samples is not that of the undisturbed run"
    controller = problem.options.get("controller")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rest = ps.resume(path, controller=controller)
        again = ps.load(path)
    for one in (rest, again):
        for name in ("time", "q", "v", "work", "inputs"):
            if not np.array_equal(getattr(one.trajectory, name), getattr(whole.trajectory, name)):
                return f"resumed after step {done}, the run has other bits in {name}"
        if one.final.memory != whole.final.memory or one.steps != whole.steps:
            return f"resumed after step {done}, the run ends with another memory"
    return ""


def attempts(rng: Random, folder: Path) -> Attempts:
    """Yield kills without end."""
    known = problems()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole = {name: one.go(one.start, one.steps) for name, one in known.items()}
    while True:
        name = rng.choice(list(known))
        wait = rng.uniform(0.0, 1.1) * max(0.05, whole[name].seconds)
        failure = outcome(known[name], whole[name], folder / "killed.poinsot", wait)
        yield Attempt(f"{name}, killed after {1e3 * wait:.0f} ms", failure)
