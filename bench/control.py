"""What tracking control costs: a decision in Python, and compiled flights against one without control.

CPU time of this process, the smallest of several; ratios are taken in one run.

    python bench/control.py [--tiny]
"""

import sys
import time
from functools import partial

import numpy as np

import poinsot as ps
from poinsot.gallery.scenarios import _copters

TINY = "--tiny" in sys.argv  # the tests of this file: everything runs, no number is worth reading
REPEATS, UNTIL, COUNT = (1, 0.05, 3) if TINY else (7, 10.0, 300)


def least(work):
    """Return the smallest CPU time of some calls in seconds."""
    found = []
    for _ in range(REPEATS):
        begin = time.process_time()
        work()
        found.append(time.process_time() - begin)
    return min(found)


def main():
    c = _copters.quadcopter()
    m, template = c.mechanism, ps.control.Template("particle", [c.pair])
    reference = ps.control.flat_quadcopter(m, "copter", ps.control.loop(1.0, 3.6))
    reference(UNTIL)  # integrates the attitude
    start = ps.State(0.0, [0.15, -0.1, 0.1, *ps.quaternion.exp((0.1, 0.2, 0.05))], np.zeros(6))
    slow = ps.control.track(m, template, reference, c.inputs)
    states = [ps.State(0.0, start.q + 1e-6 * k * np.eye(7)[0], start.v) for k in range(COUNT)]
    cost = least(lambda: [slow.function(0.01, state) for state in states]) / COUNT
    print(f"a decision in Python                         {1e6 * cost:8.0f} us")
    laws = {
        "sampled law": ps.control.track(m, template, reference, c.inputs, period=0.005),
        "continuous law": ps.control.track(m, template, reference, c.inputs, horizon=UNTIL),
    }
    for method in ("rk4", "gauss2", "variational"):
        fly = partial(ps.simulate, m, start, method, step=0.005, until=UNTIL)
        free = least(fly)
        for name, law in laws.items():
            flown = least(partial(fly, controller=law))  # the first of them makes the table of the reference
            label = f"{method}, {UNTIL:g} s at 5 ms, {name}"
            print(f"{label:44} {1e3 * flown:8.1f} ms, {flown / free:.1f}x a free flight")


if __name__ == "__main__":
    main()
