"""What events cost: a run with events beside the free run, in turns in one process; ratios of CPU time.

    python bench/events.py [--tiny]

A function that no step comes near to zero costs what looking costs; of a ball that bounces, the microseconds
of each bounce are printed too.
"""

import sys
import time

import numpy as np

import poinsot as ps

TINY = "--tiny" in sys.argv  # everything runs, no number is worth reading
REPEATS, STEPS = (1, 400) if TINY else (5, 200_000)
PERIOD = 2 * np.sqrt(2 / 9.81)


def ball():
    m = ps.Mechanism().add("ball", ps.Sphere(0.1).body(mass=1.0), ps.Prismatic((0, 0, 1)))
    return m, m.state({"ball": {"displacement": 1.0}}), "ball.displacement", "ball.position[2]", PERIOD / 64


def arm():
    s = ps.scenario("double-pendulum")
    first = s.mechanism.names[0]
    return s.mechanism, s.start, f"{first}.angle", f"{first}.position[2]", 0.01


def far(t, state):
    return state.q[0] + 1e9 * (1.0 + t)


def smallest(runs):
    """Seconds of CPU time of each, the smallest of all repeats, in turns."""
    best = dict.fromkeys(runs, np.inf)
    for _ in range(REPEATS):
        for name, run in runs.items():
            begun = time.process_time()
            run()
            best[name] = min(best[name], time.process_time() - begun)
    return best


def main():
    for title, (m, start, angle, position, step) in (("ball on a slide", ball()), ("double pendulum", arm())):
        kinds = {
            "free": None,
            "expression of a coordinate": [ps.Event(f"{angle} + 1e9 * (1 + t)", name="e")],
            "expression of a position": [ps.Event(f"{position} + 1e9 * (1 + t)", name="e")],
            "function": [ps.Event(far, name="e")],
        }
        steps = STEPS if title.startswith("ball") else STEPS // 4

        def run(events, steps=steps, m=m, start=start, step=step):
            return ps.simulate(m, start, "gauss2", step=step, steps=steps, every=100, events=events)

        run(None, 10)
        found = smallest({name: (lambda events=events: run(events)) for name, events in kinds.items()})
        print(f"{title}, gauss2, us a step")
        for name, seconds in found.items():
            print(f"  {name:30}{1e6 * seconds / steps:8.2f}   ratio {seconds / found['free']:.2f}")
    m, start, height, _, step = ball()
    bounce = ps.Event(height, -1, reset={"ball.speed": "-ball.speed"}, name="bounce")
    count = 2 if TINY else 1000

    def bouncing(events):
        return ps.simulate(m, start, "gauss2", step=step, steps=64 * count, every=1000, events=events)

    found = smallest({"free": lambda: bouncing(None), "bounces": lambda: bouncing([bounce])})
    each = 1e6 * (found["bounces"] - found["free"]) / count
    print(f"{count} bounces, one every 64 steps: {each:.0f} us a bounce more than the free run")


if __name__ == "__main__":
    main()
