"""What a rolling wheel costs beside a loop with the same number of rows.

    make bench
    python bench/rolling.py --tiny    few steps, for the tests

Two wheels roll, or one rolls and the other is held at its rim by a ball joint: six rows both times, so that
both run with the methods for rolling bodies.  With t the times of these runs,

    rolling / loop = (t_both / 2) / (t_one - t_both / 2)        for each evaluation of the field       (1)

Alone, a wheel that is held needs a method for loops: steps of the same order are compared.  CPU time of the
process, the smallest of several repeats, in turns.  Promise: at most 1.6.
"""

import sys
import time

import numpy as np

import poinsot as ps

TINY = "--tiny" in sys.argv
REPEATS, STEPS = (1, 4) if TINY else (15, 3000)
RADIUS, TURN, SPIN = 0.25, ps.quaternion.exp((1.2, 0, 0)), np.array((0.3, 1.5, -6.0))
RIM = np.array((0.0, -RADIUS, 0.0))  # the lowest point at the start, in the wheel


def wheels(names, held):
    """Two wheels with these names, of which some are held."""
    arm = ps.quaternion.apply(TURN, RIM)
    place, velocity = -arm, -np.cross(ps.quaternion.apply(TURN, SPIN), arm)
    m = ps.Mechanism()
    for name in names:
        m.add(name, ps.Cylinder(RADIUS, 0.01).body(mass=2.0), ps.Free())
        rolls = ps.Rolling(name, ps.Wheel(RADIUS))
        m.close(ps.Loop("world", name, ps.Spherical(), at_b=RIM) if name in held else rolls)
    moving = dict(position=place, rotation=TURN, angular_velocity=SPIN, velocity=velocity)
    return m, m.state(dict.fromkeys(names, moving))


def smallest(*cases):
    """Return microseconds an evaluation and a step of each (mechanism, start, method), in turns."""
    best = [(np.inf, np.inf)] * len(cases)
    for _ in range(REPEATS):
        best = [min(x, once(*one)) for x, one in zip(best, cases, strict=True)]
    return best


def once(m, start, method):
    begin = time.process_time()
    run = ps.simulate(m, start, method, step=0.002, steps=STEPS, every=STEPS)
    passed = 1e6 * (time.process_time() - begin)
    return passed / run.evaluations, passed / STEPS


def main():
    print(f"a rolling wheel / a loop with the same rows, {STEPS} steps, smallest of {REPEATS} repeats")
    two, one = wheels("ab", ""), wheels("ab", "b")
    for method in ("rk4", "gauss2", "gauss3"):
        (both, _), (half, _) = smallest((*two, method), (*one, method))
        times = f"both roll {both:5.2f} us an evaluation, one is held {half:5.2f} us"
        print(f"  {method:8}{times}   ratio {both / 2 / (half - both / 2):.2f}")
    names = ("gauss1", "gauss2"), ("variational", "variational4")
    for rolls, held in zip(*names, strict=True):
        (_, a), (_, b) = smallest((*wheels("a", ""), rolls), (*wheels("a", "a"), held))
        steps = f"a step of {rolls} {a:.2f} us, of {held} with the loop {b:.2f} us"
        print(f"  alone   {steps}   ratio {a / b:.2f}")


if __name__ == "__main__":
    main()
