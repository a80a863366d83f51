"""CPU time to an accuracy with order 6: Gauss, symplectic Gauss, and the composition of `variational`.

    make bench
    python bench/without_drift.py --tiny    small sizes, for the tests

Error of the coordinates at the end against `gauss4` with a small step; CPU time of the compiled loop, the
smallest of several repeats, all in one process; the time to 1e-8 is interpolated in the logarithms.
The energies of `gauss3` have a trend (tests/core/methods/test_trend.py), those of the others have none.
"""

import sys
import time
from dataclasses import replace

import numpy as np

import poinsot as ps
from poinsot.compile.catalogue import by_name
from poinsot.compile.method_choice import system_for
from poinsot.core.methods.method import Kernels
from poinsot.simulation.engine import Engine

TINY = "--tiny" in sys.argv  # the tests of this file: everything runs, no number is worth reading
REPEATS, WANTED, FINE = (1, 1e-3, 200) if TINY else (5, 1e-8, 5000)


def arm():
    """Six hinges."""
    axes = [(0, 0, 1), (0, 1, 0), (0, 1, 0), (0, 0, 1), (0, 1, 0), (0, 0, 1)]
    m, angles, rates = ps.Mechanism(), (0.3, 1.0, -0.7, 0.5, 0.9, 0.2), (0.5, -0.3, 0.4, 1.0, -0.6, 0.8)
    for i, axis in enumerate(axes):
        body = ps.Body(2.0 - 0.2 * i, (0.02, 0.015, 0.01), (0.05, 0.02, 0.15))
        parent, at = (f"l{i - 1}", (0.1, 0.05, 0.3)) if i else ("world", (0, 0, 0))
        m.add(f"l{i}", body, ps.Revolute(axis), parent, at)
    return m, m.state({f"l{i}": dict(angle=angles[i], rate=rates[i]) for i in range(6)}), 1.5


def chain(n):
    """Ball joints."""
    m, start = ps.Mechanism(), {}
    for i in range(n):
        body = ps.Body(1.0, (0.1, 0.1, 0.01), (0, 0, -0.5))
        m.add(f"l{i}", body, ps.Spherical(), f"l{i - 1}" if i else "world", (0, 0, -1.0 if i else 0.0))
        start[f"l{i}"] = dict(rotation=ps.so3.exp([0.3, 0.1 * i / n, 0.0]), angular_velocity=(0.2, 0.1, 0.3))
    return m, m.state(start), 1.0


def composition():
    """`variational6` with the kernel that it has on loops."""
    method = by_name("variational6")
    return replace(method, name="composition", own_kernels=Kernels(tree=method.tree_kernel(loops=True)))


def measured(m, start, until, method, steps, exact):
    """(error, CPU seconds) of so many steps."""
    system, h, best = system_for(m, "variational6")[0], until / steps, np.inf
    for _ in range(REPEATS):
        engine = Engine(system, method, h, start)
        begun = time.thread_time()
        engine.go(steps, 0)
        best = min(best, time.thread_time() - begun)
    return np.abs(engine.state().q - exact).max(), best


def reach(points):
    """CPU time at the wanted error, from the measured points around it."""
    errors, seconds = np.log(np.array(sorted(points))).T
    return float(np.exp(np.interp(np.log(WANTED), errors, seconds)))


def main():
    methods = [by_name("gauss3"), by_name("sgauss3"), composition()]
    problems = {"6R arm": (arm(), 75), "pendulum-4": (chain(4), 12), "chain-16": (chain(16), 50)}
    for name, ((m, start, until), coarse) in list(problems.items())[: 1 if TINY else None]:
        exact = ps.simulate(m, start, "gauss4", step=until / FINE, steps=FINE, every=FINE).final.q
        times = []
        for method in methods:
            more = 1.0 if method.name != "composition" else 2.0
            counts = [round(more * coarse * 1.3**k) for k in range(2 if TINY else 12)]
            times.append(reach([measured(m, start, until, method, n, exact) for n in counts]))
        gauss, own, composed = times
        print(
            f"{name:11} to {WANTED:g}: gauss3 {1e3 * gauss:6.2f} ms   sgauss3 {1e3 * own:6.2f} ms, "
            f"{own / gauss:.2f} of gauss3, {own / composed:.2f} of the composition"
        )


if __name__ == "__main__":
    main()
