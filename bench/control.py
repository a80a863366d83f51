"""What control costs: a decision in Python, and compiled runs against one without control.

CPU time of this process, the smallest of several; ratios are taken in one run.

    python bench/control.py [--tiny]
"""

import sys
import time
from functools import partial

import numpy as np

import poinsot as ps
from poinsot.compile.functions.laws.compiled_law import LawCall
from poinsot.gallery.scenarios import _copters, _six_axes, arm_tracking

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


def decision(name, law, state):
    """Print what a decision of a law costs in Python and compiled."""
    states = [ps.State(state.time, state.q, state.v + 1e-6 * k) for k in range(COUNT)]
    python = least(lambda: [law(state.time, one) for one in states]) / COUNT
    call = LawCall(law.compiled())
    call(law.node(state.time), state.q, state.v)
    compiled = least(lambda: [call.call() for _ in range(COUNT)]) / COUNT
    print(f"{name:44} {1e6 * python:8.0f} us in Python, {1e6 * compiled:.1f} us compiled")


def compare(m, start, laws, methods, until):
    """Print what runs of 5 ms steps cost, relative to the same without control."""
    for method in methods:
        run = partial(ps.simulate, m, start, method, step=0.005, until=until)
        free = least(run)
        for name, law in laws.items():
            taken = least(partial(run, controller=law))  # the first of them makes the table of the reference
            label = f"{method}, {until:g} s at 5 ms, {name}"
            print(f"{label:44} {1e3 * taken:8.1f} ms, {taken / free:.1f}x a free run")


def quadcopter():
    c = _copters.quadcopter()
    m, template = c.mechanism, ps.control.Template("particle", [c.pair])
    reference = ps.control.flat_quadcopter(m, "copter", ps.control.loop(1.0, 3.6))
    reference(UNTIL)  # integrates the attitude
    start = ps.State(0.0, [0.15, -0.1, 0.1, *ps.quaternion.exp((0.1, 0.2, 0.05))], np.zeros(6))
    make = partial(ps.control.track, m, template, reference, c.inputs)
    decision("quadcopter, particle", make().function, ps.State(0.01, start.q, start.v))
    laws = {"sampled law": make(period=0.005), "continuous law": make(horizon=UNTIL)}
    compare(m, start, laws, ("rk4", "gauss2", "variational"), UNTIL)


def arm():
    one = ps.scenario("arm-tracking")
    m, start, names = one.mechanism, one.start, list(_six_axes.NAMES)
    reference, joints = arm_tracking.reference(m), _six_axes.joint_pairs()
    control, state = ps.control, ps.State(0.7, start.q, start.v + 0.1)
    for kind, pairs, space in [
        ("body", [_six_axes.tool_pair()], "tool"),
        *((kind, joints, "joints") for kind in ("particle", "body", "energy", "energy2")),
    ]:
        law = control.track(m, control.Template(kind, pairs), reference, names).function
        decision(f"six-axis arm, {kind}, {space}", law, state)
    for make in (control.computed_torque, control.joint_pd):
        law = make(m, reference, names, 9.0, 0.5, period=0.005).function.law
        decision(f"six-axis arm, {make.__name__}", law, state)
    make = partial(control.track, m, control.Template("body", joints), reference, names)
    python = make(period=0.005).function.law
    laws = {
        "sampled law": make(period=0.005),
        "continuous law": make(horizon=UNTIL),
        "law in Python": ps.Controller(lambda t, state, memory: (python(t, state), memory), 0.005, names),
    }
    compare(m, start, laws, ("rk4", "gauss2", "variational"), UNTIL / 5)


if __name__ == "__main__":
    quadcopter()
    arm()
