"""The same systems in several threads that change places as often as they can.

What must hold: every thread gets the bits of a run alone.
"""

import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import poinsot as ps
from attacks.arguments import told
from attacks.attempt import Attempt, Attempts
from attacks.kills import counting

THREADS = 4


@contextmanager
def restless() -> Iterator[None]:
    """Let threads change places after a microsecond."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def _bits(run: Any) -> bytes:
    return run.final.q.tobytes() + run.final.v.tobytes()


def _drag(t: float, R: Any, w: Any, p: Any, v: Any) -> Any:
    return 0.1 * t, -w[1], 0.0


def tasks() -> dict[str, Callable[[int], bytes]]:
    """Return what the threads do, as functions of a number from 0; each returns all bits of its result."""
    top = ps.scenario("fast-top")
    bar = ps.Box((0.05, 0.05, 1.0)).body(mass=1.0)
    arm = ps.Mechanism().add("a", bar, ps.Revolute((1, 0, 0)), body_at=(0, 0, -0.5))
    arm.add("b", bar, ps.Revolute((0, 1, 0)), parent="a", at=(0, 0, -0.5), body_at=(0, 0, -0.5))
    bent = arm.state({"a": dict(angle=1.0), "b": dict(rate=1.0)})

    def pendulum(k: int) -> bytes:
        angle = ps.analytical.spaces.minimal(1)
        system = ps.analytical.levi_civita(angle, lambda x: np.eye(1), lambda x: -(9.81 + k) * np.cos(x[0]))
        return _bits(ps.simulate(system, ps.State(0.0, [0.5], [0.0]), "rk4", step=0.01, steps=10))

    def forced(k: int) -> bytes:
        m = ps.Mechanism().add("t", bar, ps.Spherical())
        m.apply(ps.Torque("t", _drag))
        return _bits(ps.simulate(m, m.state(), "rk4", step=0.01, steps=200 + k))

    def controlled(k: int) -> bytes:
        control = ps.Controller(counting, period=0.01, inputs=["b"], memory=k)
        return _bits(ps.simulate(arm, bent, "gauss2", step=0.01, steps=50, controller=control))

    def linear(k: int) -> bytes:
        lin = ps.dynamics.linearize(arm, bent, ["a"], "rk4", step=0.01, steps=2 + k)
        return lin.A.tobytes() + lin.B.tobytes()

    def asked(k: int) -> bytes:
        found = [ps.dynamics.acceleration(arm, bent, [0.1 * k, 0.0]), ps.so3.exp([0.1 * k, 0.2, 0.3])]
        return b"".join(one.tobytes() for one in [*found, ps.dynamics.mass_matrix(arm, bent)])

    def one_body(k: int) -> bytes:
        return _bits(ps.simulate(top.mechanism, top.start, "nmb", step=1e-3, steps=2000 + k))

    def tree(k: int) -> bytes:
        return _bits(ps.simulate(arm, bent, "variational", step=1e-2, steps=100 + k))

    return {
        "systems of ps.analytical": pendulum,
        "forces given by functions": forced,
        "controllers": controlled,
        "linear models": linear,
        "ps.dynamics and groups": asked,
        "one body": one_body,
        "a tree": tree,
    }


def outcome(task: Callable[[int], bytes], alone: list[bytes], rounds: int) -> str:
    """Return what did not hold when THREADS threads did the task several times."""
    found: list[str] = []
    gate = threading.Barrier(THREADS)

    def work(k: int) -> None:
        try:
            gate.wait()
            for _ in range(rounds):
                if task(k) != alone[k]:
                    found.append("other bits than alone")
        except Exception as error:
            found.append(told(error))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(THREADS)]
    with restless():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return found[0] if found else ""


def attempts(rng: Random, folder: Path) -> Attempts:
    """Yield tasks in threads without end."""
    warnings.simplefilter("ignore")
    known = tasks()
    alone = {name: [task(k) for k in range(THREADS)] for name, task in known.items()}
    while True:
        name = rng.choice(list(known))
        yield Attempt(f"{THREADS} threads, {name}", outcome(known[name], alone[name], rounds=3))
