"""Events at the same time, and events whose functions have zeros of higher order.

A cart moves at a constant speed, so that each event has a known time.  What must hold: each event fires once,
at its time; a touch does not fire.
"""

from pathlib import Path
from random import Random

import poinsot as ps
from attacks.arguments import told
from attacks.attempt import Attempt, Attempts

STEP, END = 0.1, 2.0
POWERS = (1, 3, 5, 2)  # of the distance; an even one is a touch


def attempts(rng: Random, folder: Path) -> Attempts:
    """Yield lists of events without end."""
    cart = ps.Mechanism(gravity=(0, 0, 0)).add("cart", ps.Box(1.0).body(mass=1.0), ps.Prismatic((1, 0, 0)))
    start = cart.state({"cart": dict(displacement=0.0, speed=1.0)})
    while True:
        times = [rng.choice((0.35, 0.5, 1.0, 1.25)) for _ in range(rng.randrange(2, 5))]
        powers = [rng.choice(POWERS) for _ in times]
        method = rng.choice(("rk4", "gauss2", "variational"))
        events = [
            ps.Event(lambda t, state, a=a, n=n: (state.q[0] - a) ** n, name=f"e{k}")
            for k, (a, n) in enumerate(zip(times, powers, strict=True))
        ]
        failure = ""
        try:
            run = ps.simulate(cart, start, method, step=STEP, until=END, events=events)
            for k, (a, n) in enumerate(zip(times, powers, strict=True)):
                found = run.events[f"e{k}"].times
                if len(found) != n % 2:
                    failure = failure or f"e{k} fired {len(found)} times"
                elif n % 2 and abs(found[0] - a) > 1e-9 ** (1 / n):
                    failure = failure or f"e{k} fired at {found[0]!r} in place of {a}"
        except Exception as error:
            failure = told(error)
        yield Attempt(f"{method}, zeros at {times} of orders {powers}", failure)
