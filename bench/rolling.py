"""What a rolling wheel costs beside a loop with the same three rows: a wheel held at its rim by a ball joint.

    make bench
    python bench/rolling.py --tiny    few steps, for the tests

CPU time of the process, the smallest of several repeats, in turns.  Promise: at most 1.6, for an evaluation
of the field and for a step, whose iterations depend on the motion.
"""

import sys
import time

import numpy as np

import poinsot as ps

TINY = "--tiny" in sys.argv
REPEATS, STEPS = (1, 4) if TINY else (15, 2000)
RADIUS, TURN, SPIN = 0.25, ps.quaternion.exp((1.2, 0, 0)), np.array((0.3, 1.5, -6.0))
RIM = np.array((0.0, -RADIUS, 0.0))  # the lowest point at the start, in the wheel


def wheel(loop):
    """A wheel that is closed by this loop, and a start at which it rolls, or turns about its rim."""
    arm = ps.quaternion.apply(TURN, RIM)
    m = ps.Mechanism().add("wheel", ps.Cylinder(RADIUS, 0.01).body(mass=2.0), ps.Free()).close(loop)
    velocity = -np.cross(ps.quaternion.apply(TURN, SPIN), arm)
    moving = dict(position=-arm, rotation=TURN, angular_velocity=SPIN, velocity=velocity)
    return m, m.state({"wheel": moving})


def once(m, start, method):
    """Return microseconds an evaluation and a step."""
    begin = time.process_time()
    run = ps.simulate(m, start, method, step=0.002, steps=STEPS, every=STEPS)
    passed = 1e6 * (time.process_time() - begin)
    return passed / run.evaluations, passed / STEPS


def main():
    print(f"a rolling wheel / a loop with the same rows, {STEPS} steps, smallest of {REPEATS} repeats")
    cases = [
        wheel(ps.Rolling("wheel", ps.Wheel(RADIUS))),
        wheel(ps.Loop("world", "wheel", ps.Spherical(), at_b=RIM)),
    ]
    for method in ("rk4", "gauss2", "gauss3", "radau3"):
        best = np.full((2, 2), np.inf)
        for _ in range(REPEATS):
            best = np.minimum(best, [once(*one, method) for one in cases])
        (evaluation, step), (other, held) = best
        ratios = f"ratio {step / held:.2f}, of evaluations {evaluation / other:.2f}"
        print(f"  {method:8}rolls {step:6.2f} us a step, held {held:6.2f} us   {ratios}")


if __name__ == "__main__":
    main()
