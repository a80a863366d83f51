"""A stream against a run: the same steps, handed out one sample after the other.

python bench/stream.py
"""

import sys
import time

import poinsot as ps

STEPS, REPEATS = (2000, 1) if "--tiny" in sys.argv else (200_000, 5)


def seconds(f):
    """The smallest CPU time of some calls."""
    found = []
    for _ in range(REPEATS):
        begin = time.process_time()
        f()
        found.append(time.process_time() - begin)
    return min(found)


def main():
    """Print the ratios."""
    s = ps.scenario("double-pendulum")
    print(f"double pendulum, {STEPS} steps of 0.1 ms: stream / simulate")
    for method in ("rk4", "gauss3"):
        for every in (100, 1):
            options = dict(step=1e-4, every=every)
            run = lambda: ps.simulate(s.mechanism, s.start, method, steps=STEPS, **options)  # noqa: B023, E731

            def stream():
                motion = ps.stream(s.mechanism, s.start, method, steps=STEPS, **options)  # noqa: B023
                for _ in motion:
                    pass

            run(), stream()
            print(f"  {method:8} every {every:4}   {seconds(stream) / seconds(run):.2f}")


if __name__ == "__main__":
    main()
