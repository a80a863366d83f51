"""The book toss: runs of figures 6 and 7, and the closed form after the impulse.

The paper does not print t_d (2 is ours) and disturbs the book by a pulse of one step; the scenario has
the limit of it, an impulse.
"""

from typing import Any

import numpy as np

from poinsot.gallery.papers.krysl2005._shortening import short, thinned
from poinsot.gallery.scenario import scenario
from poinsot.lie import quaternion, so3
from poinsot.model.body import Body
from poinsot.model.forces.applied import Torque
from poinsot.model.joints import Free
from poinsot.model.mechanism import Mechanism
from poinsot.run.run import Run
from poinsot.simulation.simulate import simulate

RELEASE, UNTIL, PULSE = 2.0, 5.0, 0.05
MOMENTS = (5.0, 10.0, 1.0)
METHODS, STEPS = ("nmb", "sw"), (0.05, 0.001)


def pulse(t, R, w, p, v):  # type: ignore[no-untyped-def]
    """The torque as printed, for a step of 0.05."""
    if t < 2.0:
        return 20.0, 0.0, 0.0
    return 0.0, (4.0 if t < 2.05 else 0.0), 0.0


def toss(method: str, step: float, until: float = UNTIL) -> Run:
    s = scenario("book-toss")
    return simulate(s.mechanism, s.start, method, step=step, until=until)


def pulsed(method: str) -> Run:
    """With the printed pulse instead of the impulse."""
    m = Mechanism(gravity=(0, 0, 0))
    m.add("book", Body(1.0, MOMENTS, physical=False), Free())
    m.apply(Torque("book", pulse, switches=(RELEASE, RELEASE + PULSE)))
    return simulate(m, m.state({}), method, step=PULSE, until=UNTIL)


def after_impulse(step: float, until: float) -> Run:
    """The closed form: turned by 8 about axis 1, with momentum (40, 0.2 in space); time from the release."""
    m = Mechanism(gravity=(0, 0, 0))
    m.add("book", Body(1.0, MOMENTS, physical=False), Free())
    turn = np.array([8.0, 0.0, 0.0])
    w = (so3.exp(turn).T @ np.array([40.0, 0.2, 0.0])) / MOMENTS
    start = m.state({"book": {"rotation": quaternion.exp(turn), "angular_velocity": tuple(w)}})
    return simulate(m, start, "exact", step=step, until=until - RELEASE)


def curves(quantity: str, points: int = 100) -> dict[str, Any]:
    """The paper's curves: {"nmb h=0.05": {"time", "x" (3, n)}, ...}."""
    found = {}
    for method in METHODS:
        for step in STEPS:
            run = toss(method, step)
            x = run.angular_velocity("book") if quantity == "velocity" else run.angular_momentum
            i = thinned(len(run.time), points)
            found[f"{method} h={step:g}"] = {"time": short(run.time[i]), "x": short(x[i].T, 7)}
    return found
