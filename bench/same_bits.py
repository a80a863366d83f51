"""What the same bits on every machine cost: our elementary functions, and the baseline processor.

Nanoseconds a number, ours and those of the C library, in one compiled loop; then the steps of two runs
compiled for the baseline and for this processor, in processes that take turns.  CPU time, the smallest.

    python bench/same_bits.py [--json] [--tiny]
"""

import json
import math
import os
import subprocess
import sys
import time

import llvmlite.binding as llvm
import numba
import numpy as np

from poinsot.core.jit import OPTIONS
from poinsot.core.numba_parts.target import njit
from poinsot.core.numbers import (
    mathematics,  # noqa: F401 - teaches Numba our functions
    v4d,
)

TINY = "--tiny" in sys.argv
NAMES = ["exp", "log"] if TINY else ["sin", "tan", "exp", "log", "tanh", "atan", "acos"]
COUNT, REPEATS = (40, 1) if TINY else (20000, 15)
X = np.random.default_rng(1).uniform(0.01, 0.99, COUNT)
RUN = """
import sys, time
import poinsot as ps
s = ps.scenario(sys.argv[1])
def once(steps):
    begin = time.process_time()
    ps.simulate(s.mechanism, s.start, sys.argv[2], step=s.step, steps=steps, every=steps)
    return time.process_time() - begin
n = int(sys.argv[3])
once(n)
print(min(once(n) for _ in range(5)) / n * 1e6)
"""
RUNS = [("fast-top", "nmb", 200000), ("pendulum-16", "gauss3", 2000)]


def loop(name, decorate):
    function = getattr(math, name)

    @decorate
    def run(x, out):
        for i in range(x.size):
            out[i] = function(x[i])

    return run


def lanes(name):
    function = getattr(math, name)

    @njit(**OPTIONS)
    def run(x, out):
        for i in range(0, x.size, 4):
            y = function(v4d.from_lanes(x[i], x[i + 1], x[i + 2], x[i + 3]))
            for k in range(4):
                out[i + k] = v4d.lane(y, k)

    return run


def nanoseconds(run):
    out, times = np.empty(COUNT), []
    run(X, out)
    for _ in range(REPEATS):
        begin = time.process_time_ns()
        run(X, out)
        times.append((time.process_time_ns() - begin) / COUNT)
    return min(times)


def microseconds(scenario, method, steps, **settings):
    command = [sys.executable, "-W", "ignore", "-c", RUN, scenario, method, str(steps)]
    done = subprocess.run(
        command, env={**os.environ, **settings}, check=True, stdout=subprocess.PIPE, text=True
    )
    return float(done.stdout)


def main():
    result = {}
    for name in NAMES:
        ways = (loop(name, njit(**OPTIONS)), lanes(name), loop(name, numba.njit(error_model="numpy")))
        result[name] = dict(zip(("ours", "lane", "libm"), map(nanoseconds, ways), strict=True))
    native = {
        "NUMBA_CPU_NAME": llvm.get_host_cpu_name(),
        "NUMBA_CPU_FEATURES": llvm.get_host_cpu_features().flatten(),
    }
    for scenario, method, steps in [] if TINY else RUNS:
        turns = [(microseconds(scenario, method, steps), microseconds(scenario, method, steps, **native))] * 2
        ours, host = (min(each) for each in zip(*turns, strict=True))
        result[f"{scenario} {method}"] = {"baseline": ours, "native": host}
    if "--json" in sys.argv:
        print(json.dumps(result))
        return
    print("elementary functions, ns a number:      ours   a lane   C library")
    for name in NAMES:
        ours, lane, libm = result[name].values()
        print(f"  {name:30}{ours:14.1f}{lane:9.1f}{libm:12.1f}")
    for name, times in list(result.items())[len(NAMES) :]:
        ratio = times["baseline"] / times["native"]
        print(f"  {name:30}{times['baseline']:8.3f} us a step, {ratio:.2f} of that for this processor")


if __name__ == "__main__":
    main()
