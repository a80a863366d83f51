"""One step of one body: our kernel against the same method in C (gcc -O3), in one process.

Thread CPU time, the smallest of several repeats, both alternating, so that a busy machine hits both.
Prints nanoseconds a step and the ratio; the ratio is the result, nanoseconds move with the machine.

    python bench/one_body.py [--json] [--tiny]
"""

import ctypes
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from numba import float64

import poinsot as ps
from poinsot.compile.one_body import compile_body
from poinsot.core.body.records import STATE
from poinsot.core.body.time_loop import Counters, LoopMemory, time_loop
from poinsot.core.methods import ALL
from poinsot.core.numbers.arrays import flat
from poinsot.core.numbers.v4d import v4d

TINY = "--tiny" in sys.argv  # the tests of this file: everything runs, no number is worth reading
STEPS, REPEATS, H = 200 if TINY else 200_000, 1 if TINY else 15, 0.01
FLAGS = {"gcc -O3": ["-O3", "-ffp-contract=off"], "gcc -O3 -march=native": ["-O3", "-march=native"]}


def heavy():
    m = ps.Mechanism()
    m.add("body", ps.Body(1.0, (1.0, 2.0, 2.5), center_of_mass=(0.1, 0.2, 0.3)), ps.Spherical())
    body = compile_body(m)
    state = m.state({"body": dict(angular_velocity=(0.4, 1.0, 0.7))})
    return body, body.to_core(state.q, state.v)


def in_c(body, x, flags, folder):
    """A function that makes steps in C and returns the state."""
    library = Path(folder) / f"nmb{len(flags)}.so"
    source = Path(__file__).with_name("nmb.c")
    subprocess.run(["gcc", *flags, "-shared", "-fPIC", "-o", library, source, "-lm"], check=True)
    nmb = ctypes.CDLL(str(library)).nmb
    nmb.restype = ctypes.c_long
    record = body.record
    data = np.array([*record.I, *record.a, record.m, record.free, record.mobility, *record.c, *record.g])

    def run(steps=STEPS):
        state, counters = np.array(x), np.zeros(3, dtype=np.int64)
        data_, state_, counters_ = (one.ctypes.data_as(ctypes.c_void_p) for one in (data, state, counters))
        assert nmb(data_, state_, ctypes.c_double(H), ctypes.c_long(steps), counters_) > 0
        return state[:7]

    return run


def ours(body, x, method, number=float64):
    """A function that makes steps with our kernel and returns the state."""
    lanes = 4 if number is v4d else 1
    loop, force = time_loop(method.body, number), body.force(number)
    template = np.array(flat(LoopMemory(STATE, method.body.memory, 0.0)))
    template[: len(x)] = x
    record = np.repeat(flat(body.record), lanes)
    times = np.array([0.0, H, -np.inf, np.inf])

    def run(steps=STEPS):
        memory = np.repeat(template, lanes)
        counters = np.zeros(len(Counters), dtype=np.int64)
        counters[Counters.FRESH], counters[Counters.STEPS] = 1, steps
        assert loop(force, force, counters, times, record, memory, np.empty(0)) == 0
        return memory[: 7 * lanes : lanes]

    return run


def smallest(runs):
    """Nanoseconds a step of each run, taken in turns."""
    best = dict.fromkeys(runs, np.inf)
    for _ in range(REPEATS):
        for name, run in runs.items():
            begin = time.thread_time_ns()
            run()
            best[name] = min(best[name], (time.thread_time_ns() - begin) / STEPS)
    return best


def main():
    body, x = heavy()
    methods = {method.name: method for method in ALL if method.body is not None and method.scope != "free"}
    with tempfile.TemporaryDirectory() as folder:
        rivals = {name: in_c(body, x, flags, folder) for name, flags in FLAGS.items()}
        runs = {
            **rivals,
            "nmb": ours(body, x, methods["nmb"]),
            "nmb, 4 lanes": ours(body, x, methods["nmb"], v4d),
        }
        difference = np.abs(runs["nmb"](100) - rivals["gcc -O3"](100)).max()
        assert difference < 1e-13, "not the same method"
        best = smallest(runs)
    best["nmb, 4 lanes"] /= 4
    best.update(smallest({name: ours(body, x, method) for name, method in methods.items() if name != "nmb"}))
    ratio = best["nmb"] / best["gcc -O3"]
    if "--json" in sys.argv:
        print(json.dumps({"ns": best, "ratio": ratio, "difference": difference}))
        return
    print(f"one step of a heavy body, ns (smallest of {REPEATS} x {STEPS} steps)")
    for name, value in best.items():
        print(f"  {name:24}{value:8.1f}")
    print(f"after 100 steps ours and C differ by {difference:.0e}: the same method")
    print(f"nmb / gcc -O3 = {ratio:.2f}   (wanted: at most 1)")


if __name__ == "__main__":
    main()
