"""KeyboardInterrupt inside functions of users: controllers, laws, recorded quantities, events and resets.

What must hold: the run ends with an interrupt, or is returned as interrupted, and its samples and its last
state are those of a run that nothing disturbed.
"""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import poinsot as ps
from attacks.arguments import told
from attacks.attempt import Attempt, Attempts

STEP, STEPS, TICK = 0.03, 40, 2
KINDS = "controller", "feedback", "record", "event", "reset"


class Countdown:
    """Interrupts at one of its calls; -1: never."""

    def __init__(self, calls: int) -> None:
        self.left = calls

    def __call__(self) -> None:
        self.left -= 1
        if self.left == -1:
            raise KeyboardInterrupt


def options(kind: str, count: Callable[[], None]) -> dict[str, Any]:
    """Return what a run has of a kind, which counts its calls."""

    def law(t: float, state: Any, memory: Any = ()) -> Any:
        count()
        u = [-state.q[0] - 0.1 * state.v[0]]
        return u if kind == "feedback" else (u, memory)

    def recorded(t: float, state: Any) -> float:
        count()
        return float(state.q[0])

    def crossing(t: float, state: Any) -> float:
        count()
        return float(state.q[0])

    def turn(t: float, state: Any) -> Any:
        count()
        return ps.State(t, state.q, -0.9 * state.v)

    if kind == "event":
        return {"events": [ps.Event(crossing, name="down")]}
    if kind == "reset":
        return {"events": [ps.Event("a.angle", reset=turn)]}
    if kind == "record":
        return {"record": {"angle": recorded}}
    if kind == "feedback":
        return {"controller": ps.Feedback(lambda t, state: law(t, state), ["a"])}
    return {"controller": ps.Controller(lambda t, state, memory: law(t, state, memory), TICK * STEP, ["a"])}


def attempts(rng: Random, folder: Path) -> Attempts:
    """Yield interrupted runs without end."""
    bar = ps.Box((0.05, 0.05, 1.0)).body(mass=1.0)
    m = ps.Mechanism().add("a", bar, ps.Revolute((0, 1, 0)), body_at=(0, 0, -0.5))
    start, whole = m.state({"a": dict(angle=1.0)}), {}
    while True:
        kind, method = rng.choice(KINDS), rng.choice(("rk4", "gauss2"))
        every, calls = rng.choice((1, 2, 5)), rng.randrange(3 if kind == "reset" else 60)

        def run(calls: int, every: int = every, kind: str = kind, method: str = method) -> Any:
            more = options(kind, Countdown(calls))
            return ps.simulate(m, start, method, step=STEP, steps=STEPS, every=every, **more)

        if (kind, method) not in whole:
            whole[kind, method] = run(-1, every=1)
        right, failure = whole[kind, method], ""
        try:
            found = run(calls)
            n = round(found.final.time / STEP)
            samples = right.trajectory.q[::every][: len(found.trajectory.q)]
            if len(found.trajectory.q) > 1 + STEPS // every or not np.array_equal(
                found.trajectory.q[: 1 + n // every], samples[: 1 + n // every]
            ):
                failure = "samples of another run"
            elif not np.array_equal(found.final.q, right.trajectory.q[n]) or not np.array_equal(
                found.final.v, right.trajectory.v[n]
            ):
                failure = f"the last state, at t = {found.final.time:g}, is none of the run"
        except KeyboardInterrupt:
            pass
        except Exception as error:
            failure = told(error)
        yield Attempt(f"{kind}, {method}, every {every}, at call {calls}", failure)
