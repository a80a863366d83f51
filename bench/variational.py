"""Variational steps: growth with the length of a chain, against rk4, and work against precision.

    make bench
    python bench/variational.py --tiny    small sizes, for the tests

CPU time of the compiled loop, the smallest of several repeats, methods in turns in one process.  The chain
of spherical joints swings from a tilt of 0.1 rad at rest, as a whole.  Its upper links are pulled by the
weight of all others: their frequency grows like sqrt(n), and h = 0.01 is near the limit of stability at
n = 256; beyond 64 links h falls as 1/sqrt(n).
"""

import sys
import time

import numpy as np

import poinsot as ps
from poinsot.compile.method_choice import system_for
from poinsot.simulation.engine import Engine

TINY = "--tiny" in sys.argv  # the tests of this file: everything runs, no number is worth reading
H, REPEATS = 0.01, 1 if TINY else 5
SIZES, WORK = ((2, 4), 40) if TINY else ((8, 16, 32, 64, 128, 256, 512), 3200)
UNTIL = 0.1 if TINY else 2.0


def chain(n):
    m = ps.Mechanism()
    for i in range(n):
        body = ps.Body(1.0, (0.09, 0.09, 0.01), center_of_mass=(0.0, 0.0, -0.5))
        m.add(f"b{i}", body, ps.Spherical(), f"b{i - 1}" if i else "world", at=(0, 0, -1.0 if i else 0.0))
    return m, m.state({"b0": {"rotation": ps.so3.exp([0.1, 0.05, 0.0])}})


def cost(n, method, h=H):
    """Microseconds a step, and corrections a step."""
    m, start = chain(n)
    system, how, _ = system_for(m, method)
    engine = Engine(system, how, h, start)
    engine.go(5, 0)
    steps, best, before = max(20, WORK // n), np.inf, engine.status.iterations
    for _ in range(REPEATS):
        begun = time.thread_time()
        engine.go(steps, 0)
        best = min(best, time.thread_time() - begun)
    return 1e6 * best / steps, (engine.status.iterations - before) / (REPEATS * steps)


def growth():
    print("a step on a chain of n spherical joints, us")
    each = []
    for n in SIZES:
        h = H * min(1.0, (64 / n) ** 0.5)
        rk4, _ = cost(n, "rk4", 1e-4)
        own, corrections = cost(n, "variational", h)
        each.append(own / corrections)
        row = f"rk4 {rk4:7.1f}  variational {own:7.1f}  ratio {own / rk4:5.2f}  corrections {corrections:.2f}"
        print(f"  n = {n:3}  {row}")
    print(f"  growth of a correction with n: exponent {np.polyfit(np.log(SIZES), np.log(each), 1)[0]:.3f}")


def precision():
    s = ps.scenario("pendulum-4")
    exact = ps.simulate(s.mechanism, s.start, "gauss4", step=0.002, until=UNTIL).final.q
    print(f"work and precision, pendulum-4, {UNTIL:g} s: largest error of q, CPU ms")
    for method, steps in {
        "variational": (0.02, 0.01, 0.005, 0.0025),
        "variational4": (0.04, 0.02, 0.01, 0.005),
        "variational6": (0.08, 0.04, 0.02, 0.01),
        "gauss2": (0.04, 0.02, 0.01, 0.005),
        "rk4": (0.02, 0.01, 0.005),
    }.items():
        line = []
        for h in steps:
            best, run = np.inf, None
            for _ in range(REPEATS):
                begun = time.thread_time()
                run = ps.simulate(s.mechanism, s.start, method, step=h, until=UNTIL, every=10**6)
                best = min(best, time.thread_time() - begun)
            line.append(f"{np.abs(run.final.q - exact).max():.0e} {1e3 * best:.1f}")
        print(f"  {method:14}", " | ".join(line))


if __name__ == "__main__":
    growth()
    precision()
